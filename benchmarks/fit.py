"""Fitting the weights of ``memory.recall.query`` by a listwise softmax, in plain numpy.

A unit (turn, chat, event, session) scores as its best passage; the loss of a question is the mean
negative log of the softmax over units of each gold unit. Three tables are fitted at once: for a
question, what writing without spaces changes, and what it changes that a line tells and does not
ask. The last two are held near their prior, so that a kind that was never seen is weighed much
like the others: what Chinese changes the nearer, the fewer sets teach it. Adam; every kind of talk
is drawn equally often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.recall.weights import SIGN_NAMES, SIGN_WEIGHTS

Vector: TypeAlias = npt.NDArray[np.float64]
Tables: TypeAlias = dict[str, dict[str, float]]
TABLES: Final = ("asked", "dense", "told")

_BATCH: Final = 64
_DRAWN: Final = 1_500
_RATE: Final = 0.08
_L2: Final = (3e-3, 1e-2, 3e-2)
"""How much each table is held near its prior; the second if one set alone is Chinese."""

_NEAR_SHIPPED: Final = 5e-3
_PRIOR: Final[Mapping[str, Mapping[str, float]]] = {
    "asked": {"band": 4.0, "scene": 1.0},
    "told": {"band": -2.0, "scene": 1.0, "talk": 1.5, "feedback": 2.0, "recent": 1.5},
}
"""What is believed before anything is fitted: a question is answered by one message, a statement
belongs to a matter, which is a talk and those like it, lately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question: the signs of each passage, its unit, and the gold units.

    ``dense`` and ``told`` say how much of the second and third table counts, 0 to 1.
    """

    signs: npt.NDArray[np.float32]
    units: npt.NDArray[np.int64]
    gold: frozenset[int]
    dense: float
    told: float

    def weights(self, tables: Vector) -> Vector:
        """Return the weight of each sign for this question."""
        return np.asarray(np.array([1.0, self.dense, self.told]) @ tables)

    def ranked(self, tables: Vector) -> list[int]:
        """Return the units, best first."""
        scores = self.signs @ self.weights(tables)
        return [int(unit) for unit in self.units[best_of_units(self.units, scores)]]


def fit(
    kinds: Sequence[Sequence[Sequence[Example]]],
    *,
    rounds: int = 16,
    seed: int = 0,
    only: str = "",
) -> Vector:
    """Return the three tables that fit the examples best.

    Every one of ``kinds`` has one share, and so has every set of it within the kind. With ``only``
    a table moves, near what it is now, and the others are those that are shipped.
    """
    examples: list[Example] = []
    share: list[float] = []
    for kind in kinds:
        for each in kind:
            usable = [example for example in each if example.gold & set(example.units.tolist())]
            examples += usable
            share += [1.0 / len(kind) / len(usable)] * len(usable)
    chances = np.array(share)
    prior = _shipped() if only else _prior()
    if not examples:
        return prior
    held = np.full((len(TABLES), 1), _NEAR_SHIPPED) if only else _held(kinds)
    moving = np.array([[not only or table == only] for table in TABLES])
    tables = prior.copy()
    moment, spread = np.zeros_like(tables), np.zeros_like(tables)
    chance: Any = np.random.default_rng(seed)
    step = 0
    for turn in range(rounds):
        drawn = chance.choice(len(examples), size=_DRAWN, p=chances / chances.sum())
        for start in range(0, len(drawn), _BATCH):
            gradient = _gradient([examples[i] for i in drawn[start : start + _BATCH]], tables)
            gradient += held * (tables - prior)
            step += 1
            moment = 0.9 * moment + 0.1 * gradient
            spread = 0.99 * spread + 0.01 * gradient**2
            rate = _RATE * (1.0 - turn / rounds)
            scaled = moment / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
            tables = tables - rate * scaled * moving
    return np.asarray(tables)


def _held(kinds: Sequence[Sequence[Sequence[Example]]]) -> Vector:
    """Return how much each table is held near its prior: one that more sets teach is held less."""
    dense = sum(any(example.dense for example in each) for kind in kinds for each in kind)
    asked, changed, told = _L2
    return np.array([[asked], [changed / max(dense, 1)], [told]])


def named(tables: Vector) -> Tables:
    """Return the tables by name and sign, rounded as they are shipped."""
    return {
        name: {sign: round(float(w), 2) for sign, w in zip(SIGN_NAMES, row, strict=True)}
        for name, row in zip(TABLES, tables, strict=True)
    }


def _prior() -> Vector:
    rows = [[_PRIOR.get(table, {}).get(sign, 0.0) for sign in SIGN_NAMES] for table in TABLES]
    return np.array(rows)


def _shipped() -> Vector:
    return np.array([[getattr(SIGN_WEIGHTS[s], table) for s in SIGN_NAMES] for table in TABLES])


def _gradient(batch: Sequence[Example], tables: Vector) -> Vector:
    total = np.zeros_like(tables)
    for example in batch:
        scores = example.signs @ example.weights(tables)
        best = best_of_units(example.units, scores)
        signs, units = example.signs[best], example.units[best]
        gold = np.isin(units, list(example.gold))
        likely = np.exp(scores[best] - scores[best].max())
        likely /= likely.sum()
        shares = np.array([1.0, example.dense, example.told])
        total += np.outer(shares, signs.T @ (likely - gold / gold.sum()))
    return np.asarray(total / len(batch))


def best_of_units(units: npt.NDArray[np.int64], scores: Vector) -> npt.NDArray[np.int64]:
    """Return the place of the best passage of each unit, best unit first."""
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(units[order], return_index=True)
    return np.asarray(order[np.sort(first)])
