"""Fit how salient a line of talk is: ``python -m benchmarks.salience``.

What is later asked for is counted by question: a message that three questions rest on counts three
times. A line is worth keeping by what is asked of it *for each of its words*, so the fit sets the
words that were asked for against all words (a logistic of the two): ordered by it, what comes
first is worth most for its cost. Every figure is held out: the weights that judge one person are
fitted on all others. *Kept* is the share of what is asked for among the first lines that hold 30 %
(or 20 %) of all words.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from math import log
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import Life, lifebench, locomo, realmem
from memory.text import line_salience
from memory.text.line_salience import BIAS, SQUARED, WEIGHTS, line_signs, told_in_order
from memory.text.salience import Sign
from memory.text.tokens import tokens, words

Vector: TypeAlias = npt.NDArray[np.float64]

DATA: Final = Path("../shared/data")
SIGNS: Final = tuple(WEIGHTS)
SHARES: Final = (0.2, 0.3)
STEPS: Final = 300
RIDGE: Final = 2.0
EACH: Final = 500.0
"""How many observations what was asked of one person counts as, and all of their words."""

SPREAD: Final = 3.0
"""Makes of the fitted sum a salience that lies about evenly from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person's messages: their signs, how often each was asked for, length and instant."""

    name: str
    signs: Vector
    needed: Vector
    length: Vector
    at: tuple[datetime, ...]
    unit: tuple[str, ...] = ()
    """What each message is part of and asked for with: itself, a chat or a session."""

    def by_unit(self, values: Vector) -> Vector:
        """Return the mean of values of the messages over each unit, in order of the units."""
        _, place = np.unique(self.unit, return_inverse=True)
        return np.asarray(np.bincount(place, values) / np.bincount(place), dtype=float)


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
    for sign, weight in zip(("bias", *SIGNS, "squared"), fitted(everybody), strict=True):
        print(f"{sign:12} {weight:+.2f}")
    return 0


def counts(life: Life, role: str) -> bool:
    """Whether what that role says is counted: what she answers herself is not."""
    return role == "user" or life.level == "turn"


def person_of(life: Life) -> Person:
    """Return what salience sees of a life."""
    gold = Counter(unit for question in life.questions for unit in question.gold)
    messages = list(life.messages)
    rows, needed, length, at, unit = [], [], [], [], []
    seen: set[str] = set()
    for message, told in zip(
        messages, told_in_order([(each.text, each.at) for each in messages]), strict=True
    ):
        said = set(tokens(message.text))
        new = len(said - seen) / max(len(said), 1)
        seen |= said
        if not counts(life, message.role):
            continue
        signs = line_signs(message.text, told._replace(new=new))
        rows.append([1.0, *(signs[sign] for sign in SIGNS), signs[Sign.LENGTH] ** 2])
        needed.append(float(gold[life.unit_of.get(message.id, message.id)]))
        length.append(float(max(len(words(message.text)), 1)))
        at.append(message.at)
        unit.append(life.unit_of.get(message.id, message.id))
    return Person(
        life.name, np.array(rows), np.array(needed), np.array(length), tuple(at), tuple(unit)
    )


def weights_in_use() -> Vector:
    """Return the bias and the weights the program judges by."""
    return np.array([BIAS, *(WEIGHTS[sign] for sign in SIGNS), SQUARED])


@contextmanager
def judged_by(weights: Vector) -> Iterator[None]:
    """Let the program judge lines by other weights for a while."""
    names = dict(zip(SIGNS, weights[1:-1].tolist(), strict=True))
    other = {"BIAS": float(weights[0]), "WEIGHTS": names, "SQUARED": float(weights[-1])}
    usual = {name: vars(line_salience)[name] for name in other}
    vars(line_salience).update(other)
    try:
        yield
    finally:
        vars(line_salience).update(usual)


def fitted(people: Sequence[Person]) -> Vector:
    """Return bias and weights by Newton's method; each person counts alike."""
    signs = np.concatenate([np.concatenate([each.signs, each.signs]) for each in people])
    asked = np.concatenate([np.repeat([1.0, 0.0], len(each.needed)) for each in people])
    share = np.concatenate(
        [EACH * part / part.sum() for each in people for part in (each.needed, each.length)]
    )
    drawn = np.diag([0.0, *[RIDGE] * (signs.shape[1] - 1)])
    found = np.zeros(signs.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-signs @ found))
        slope = signs.T @ (share * (asked - likely)) - drawn @ found
        curve = (signs * (share * likely * (1 - likely))[:, None]).T @ signs + drawn
        step = np.linalg.solve(curve + 1e-9 * np.eye(len(found)), slope)
        found = found + step
        if np.abs(step).max() < 1e-8:
            break
    return SPREAD * found


def _report(name: str, people: Sequence[Person], everybody: Sequence[Person]) -> None:
    orders: dict[str, Callable[[Person], Vector]] = {
        "in use": lambda p: p.signs @ weights_in_use(),
        "fitted, this set": lambda p: p.signs @ fitted([o for o in people if o is not p]),
        "fitted, all sets": lambda p: p.signs @ fitted([o for o in everybody if o is not p]),
        "longest": lambda p: p.length,
        "newest": lambda p: np.arange(len(p.length), dtype=float),
        "chance": lambda p: np.random.default_rng(2).random(len(p.length)),
        "best possible": lambda p: p.needed / p.length,
    }
    print(f"{name}: {len(people)} people")
    for order, scores in orders.items():
        shares = [_mean(_kept(p, scores(p), share) for p in people) for share in SHARES]
        print(f"  {order:18} at 20 % {shares[0]:.3f}  at 30 % {shares[1]:.3f}")
    if all(len(set(each.unit)) < len(each.unit) for each in people):
        told = [_told_apart(p, [o for o in people if o is not p]) for p in people]
        print(f"  units that are asked for told from the others: AUC {sum(told) / len(told):.3f}")
    below = [_mean(_below(p, quarter / 4) for p in people) for quarter in (1, 2, 3)]
    print("  salience at a quarter, half, three quarters of the words:", np.round(below, 2))


def _kept(person: Person, scores: Vector, share: float) -> float:
    """Return the share of what was asked for among the best lines of ``share`` of the words."""
    order = np.argsort(-scores, kind="stable")
    within = np.cumsum(person.length[order]) <= share * person.length.sum()
    return float(person.needed[order][within].sum() / max(person.needed.sum(), 1.0))


def _told_apart(person: Person, others: Sequence[Person]) -> float:
    """Return the chance that a unit asked for looks it more than another one does.

    By a logistic of the mean signs of its messages, fitted on the units of ``others``.
    """
    signs = np.concatenate([_unit_signs(each) for each in others])
    asked = np.concatenate([each.by_unit(each.needed) > 0 for each in others]).astype(float)
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    signs = (signs - middle) / spread
    found, base = np.zeros(signs.shape[1]), log(asked.mean() / (1 - asked.mean()))
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(base + signs @ found)))
        slope = signs.T @ (asked - likely) - RIDGE * found
        curve = (signs * (likely * (1 - likely))[:, None]).T @ signs + RIDGE * np.eye(len(found))
        step = np.linalg.solve(curve, slope)
        found = found + step
        if np.abs(step).max() < 1e-8:
            break
    looks = (_unit_signs(person) - middle) / spread @ found
    needed = person.by_unit(person.needed) > 0
    pairs = looks[needed][:, None] - looks[~needed][None, :]
    return float((pairs > 0).mean() + (pairs == 0).mean() / 2)


def _unit_signs(person: Person) -> Vector:
    return np.array([person.by_unit(column) for column in person.signs.T[1:]]).T


def _below(person: Person, share: float) -> float:
    """Return the salience that this share of a person's words stays below."""
    sums = person.signs @ weights_in_use()
    order = np.argsort(sums)
    place = np.searchsorted(np.cumsum(person.length[order]), share * person.length.sum())
    return float(1 / (1 + np.exp(-sums[order][place])))


def _mean(values: Iterator[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


if __name__ == "__main__":
    sys.exit(main())
