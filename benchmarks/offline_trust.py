"""Fit how likely an answer without a model is right: ``python -m benchmarks.offline_trust``.

A logistic fit, held near nought, of the signs that ``memory.offline.weighing`` finds for the line
an answer is told from, on the open lives of ``benchmarks.offline_strangers`` and the open people
of ``benchmarks.offline_answers``. It prints the weights to be written there, and for each border
how much would be told, right and wrong, of each person with the weights of the others. What is
never told, whatever its likelihood, takes no part.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import lifebench, memorybank
from benchmarks.living import lived
from benchmarks.offline_answers import HELD_OUT, MARKS, Label, asked_with, labels, question_of
from benchmarks.offline_strangers import ask_all, best_of, is_right, strangers
from memory.offline.answers import Answer
from memory.offline.weighing import likelihood

Vector: TypeAlias = npt.NDArray[np.float64]
_WORTH: Final = {"labelled": 1.5, "adversarial": 0.7}
"""What a question counts beside one of a stranger's: who labels by hand errs less, and so many
questions about what somebody else did as LoCoMo has are asked by nobody."""

_HELD: Final = 2.0
"""How much a weight is held near nought (L2)."""

_BORDERS: Final = (0.0, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The line thought likeliest for one question of one person: its signs, and if it is right."""

    person: str
    kind: str
    best: Answer
    right: bool

    @property
    def may_be_told(self) -> bool:
        """Whether its likelihood alone decides."""
        return self.best.trust == likelihood(self.best.signs)


async def _of_strangers(data: Path) -> AsyncIterator[Example]:
    for life in strangers(data, kept=False):
        async for each in ask_all(life):
            if best := each.best:
                kind = each.category if each.is_adversarial else life.level
                person = life.name.split()[0]
                yield Example(person=person, kind=kind, best=best, right=is_right(each, best))


async def _of_labelled(data: Path) -> AsyncIterator[Example]:
    lives = {each: memorybank(data, (each,)) for each in ("cn", "en")}
    lives["life"] = lifebench(data, "chat")
    asked: dict[tuple[str, int], list[tuple[int, Label]]] = {}
    for language, person, question, label in labels(lives):
        if person not in HELD_OUT[language]:
            asked.setdefault((language, person), []).append((question, label))
    for (language, person), questions in asked.items():
        life, name = lives[language][person], f"{language} {person}"
        async with lived(life) as mem:
            for number, label in questions:
                text = question_of(life, number)
                _, prompt = await asked_with(mem, life, number, text)
                if best := best_of(text, prompt):
                    right = _holds(best, label)
                    yield Example(person=name, kind="labelled", best=best, right=right)


def _holds(best: Answer, label: Label) -> bool:
    told = [each.text for each in (best.best, best.second, best.rival) if each is not None]
    plain = MARKS.sub("", " ".join(told)).lower()
    held = sum(MARKS.sub("", each).lower() in plain for each in label.gold)
    return bool(label.gold) and held >= label.need


def fitted(signs: Vector, right: Vector, worth: Vector) -> Vector:
    """Return the weights of a logistic fit, that of nothing first, by Newton's steps."""
    table = _with_one(signs)
    held = np.eye(table.shape[1]) * _HELD
    held[0, 0] = 1e-6
    weights = np.zeros(table.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (worth * (likely - right)) + held @ weights
        bend = (table.T * (worth * likely * (1 - likely))) @ table + held
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def _with_one(signs: Vector) -> Vector:
    return np.column_stack([np.ones(len(signs)), signs])


def _left_out(people: npt.NDArray[Any], signs: Vector, right: Vector, worth: Vector) -> Vector:
    """Return how likely each is thought with weights fitted on the other people."""
    likely = np.zeros(len(signs))
    for person in np.unique(people):
        own = people == person
        weights = fitted(signs[~own], right[~own], worth[~own])
        likely[own] = 1 / (1 + np.exp(-_with_one(signs[own]) @ weights))
    return likely


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no data at {given.data}: give the folder with --data DIR", file=sys.stderr)
        return 2
    every = [each async for each in _of_strangers(given.data)]
    every += [each async for each in _of_labelled(given.data)]
    told = [each for each in every if each.may_be_told]
    names = list(told[0].best.signs)
    signs = np.array([[each.best.signs[name] for name in names] for each in told])
    right = np.array([float(each.right) for each in told])
    worth = np.array([_WORTH.get(each.kind, 1.0) for each in told])
    weights = fitted(signs, right, worth)
    for name, weight in zip(("(nothing)", *names), weights, strict=True):
        print(f"{name}: {weight:.2f}")
    likely = _left_out(np.array([each.person for each in told]), signs, right, worth)
    kinds = np.array([each.kind for each in told])
    for kind in sorted(set(kinds)):
        of_kind, total = kinds == kind, sum(each.kind == kind for each in every)
        for border in _BORDERS:
            over = of_kind & (likely >= border)
            print(
                f"{kind}, told from {border}: right {np.sum(right[over]) / total:.0%},"
                f" wrong {np.sum(1 - right[over]) / total:.0%} of {total}"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
