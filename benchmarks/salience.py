"""Fit the weights of salience on what was later asked for: ``python -m benchmarks.salience``.

A message counts as needed if it is gold for any question. Every figure is held out: the weights
that judge one person are fitted on all others. *Kept* is the share of needed messages among the
most salient ones that hold 30 % (or 20 %) of all words, beside the newest, the longest and chance.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import Life, lifebench, locomo, realmem
from memory.text.salience import BIAS, WEIGHTS, Sign, Telling, signs_of
from memory.text.tokens import words

Vector: TypeAlias = npt.NDArray[np.float64]

DATA: Final = Path("../shared/data")
SIGNS: Final = tuple(Sign)
SHARES: Final = (0.2, 0.3)
STEPS: Final = 300
RIDGE: Final = 1.0
"""How strongly a fitted weight is drawn to the one in use, in messages."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person's messages: their signs, whether they were needed, their length and place."""

    name: str
    signs: Vector
    needed: Vector
    length: Vector


def main() -> int:
    """Print the held-out figures of each set, and the weights fitted on all of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, default=DATA)
    data: Path = asked.parse_args().data
    if not data.is_dir():
        print(f"{data} is not there: the sets are not part of the repository", file=sys.stderr)
        return 2
    sets = {
        "LoCoMo": [person_of(life) for life in locomo(data)],
        "LifeBench": [person_of(life) for life in lifebench(data, "chat")],
        "RealMem": [person_of(life) for life in realmem(data)],
    }
    everybody = [person for people in sets.values() for person in people]
    for name, people in sets.items():
        _report(name, people, everybody)
    found = fitted(everybody)
    for sign, weight in zip(("bias", *SIGNS), found, strict=True):
        print(f"{sign:12} {weight:+.2f}")
    return 0


def person_of(life: Life) -> Person:
    """Return what salience sees of a life: only what the person said where she answers."""
    gold = {unit for question in life.questions for unit in question.gold}
    rows, needed, length = [], [], []
    seen: set[str] = set()
    before = ""
    for message in life.messages:
        said = set(words(message.text))
        new = len(said - seen) / len(said) if said else 0.0
        told = Telling(answer=before.rstrip().endswith(("?", "？")), new=new)
        if message.role == "user" or life.level in {"turn", "session"}:
            signs = signs_of(message.text, told)
            rows.append([1.0, *(signs.get(sign, 0.0) for sign in SIGNS)])
            needed.append(float(life.unit_of.get(message.id, message.id) in gold))
            length.append(max(len(words(message.text)), 1))
        seen |= said
        before = message.text
    return Person(life.name, np.array(rows), np.array(needed), np.array(length, dtype=float))


def weights_in_use() -> Vector:
    """Return the bias and the weights the program judges by."""
    return np.array([BIAS, *(WEIGHTS[sign] for sign in SIGNS)])


def fitted(people: Sequence[Person]) -> Vector:
    """Return bias and weights by Newton's method; each person counts alike."""
    signs = np.concatenate([each.signs for each in people])
    needed = np.concatenate([each.needed for each in people])
    share = np.concatenate([np.full(len(p.needed), 1 / len(p.needed)) for p in people])
    share *= len(needed) / share.sum()
    prior = weights_in_use()
    drawn = np.diag([0.0, *[RIDGE] * len(SIGNS)])
    found = np.zeros_like(prior)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-signs @ found))
        slope = signs.T @ (share * (needed - likely)) - drawn @ found
        curve = (signs * (share * likely * (1 - likely))[:, None]).T @ signs + drawn
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(prior)), slope)
        found = found + step
        if np.abs(step).max() < 1e-8:
            break
    return found


def _report(name: str, people: Sequence[Person], everybody: Sequence[Person]) -> None:
    chance = random.Random(1)
    orders: dict[str, Callable[[Person], Vector]] = {
        "in use": lambda p: p.signs @ weights_in_use(),
        "fitted, this set": lambda p: p.signs @ fitted([o for o in people if o is not p]),
        "fitted, all sets": lambda p: p.signs @ fitted([o for o in everybody if o is not p]),
        "longest": lambda p: p.length,
        "newest": lambda p: np.arange(len(p.length), dtype=float),
        "chance": lambda p: np.array([chance.random() for _ in p.length]),
    }
    needed = sum(float(p.needed.sum()) for p in people) / sum(len(p.needed) for p in people)
    print(f"{name}: {len(people)} people, {needed:.1%} of the messages were needed")
    for order, scores in orders.items():
        ranked = [(person, scores(person)) for person in people]
        shares = [f"{_mean(_kept(p, s, share) for p, s in ranked):.3f}" for share in SHARES]
        areas = f"{_mean(_area(p, s) for p, s in ranked):.3f}"
        print(f"  {order:18} at 20 % {shares[0]}  at 30 % {shares[1]}  AUC {areas}")


def _kept(person: Person, scores: Vector, share: float) -> float:
    """Return the share of what was needed among the best messages that hold ``share`` of words."""
    order = np.argsort(-scores, kind="stable")
    within = np.cumsum(person.length[order]) <= share * person.length.sum()
    return float(person.needed[order][within].sum() / max(person.needed.sum(), 1.0))


def _area(person: Person, scores: Vector) -> float:
    """Return how often a needed message stands above one that was not; ties count half."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    _, place = np.unique(scores, return_inverse=True)
    means = np.bincount(place, ranks) / np.bincount(place)
    count = person.needed.sum()
    others = len(scores) - count
    total = float((means[place] * person.needed).sum())
    return float((total - count * (count + 1) / 2) / max(count * others, 1.0))


def _mean(values: Iterator[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


if __name__ == "__main__":
    sys.exit(main())
