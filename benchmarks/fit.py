"""Fitting the weights of ``memory.recall.query`` by a listwise softmax, in plain numpy.

A unit (turn, chat, event) scores as its best passage; the loss of a question is the mean
negative log of the softmax over units of each gold unit. Adam, with a little L2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.recall.relevance import SIGN_NAMES

Vector: TypeAlias = npt.NDArray[np.float64]
_BATCH: Final = 64
_L2: Final = 1e-3
_RATE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """One question: the signs of each passage, its unit, the gold units, its share."""

    signs: npt.NDArray[np.float32]
    units: npt.NDArray[np.int64]
    gold: frozenset[int]
    share: float = 1.0


def fit(examples: Iterable[Example], *, rounds: int = 20, seed: int = 0) -> dict[str, float]:
    """Return the weight of each sign that fits ``examples`` best."""
    usable = [e for e in examples if e.gold & set(e.units.tolist())]
    weights = np.zeros(len(SIGN_NAMES))
    weights[0] = 5.0
    moment, spread = np.zeros_like(weights), np.zeros_like(weights)
    chance: Any = np.random.default_rng(seed)
    step = 0
    for turn in range(rounds):
        order = chance.permutation(len(usable))
        for start in range(0, len(usable), _BATCH):
            gradient = _gradient([usable[i] for i in order[start : start + _BATCH]], weights)
            step += 1
            moment = 0.9 * moment + 0.1 * gradient
            spread = 0.99 * spread + 0.01 * gradient**2
            rate = _RATE * (1.0 - turn / rounds)
            scaled = moment / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
            weights = weights - rate * scaled
    return {sign: round(float(w), 2) for sign, w in zip(SIGN_NAMES, weights, strict=True)}


def _gradient(batch: Sequence[Example], weights: Vector) -> Vector:
    total = np.zeros_like(weights)
    for example in batch:
        scores = example.signs @ weights
        best = best_of_units(example.units, scores)
        signs, units = example.signs[best], example.units[best]
        gold = np.isin(units, list(example.gold))
        likely = np.exp(scores[best] - scores[best].max())
        likely /= likely.sum()
        total += example.share * (signs.T @ (likely - gold / gold.sum()))
    return np.asarray(total / sum(e.share for e in batch) + _L2 * weights)


def best_of_units(units: npt.NDArray[np.int64], scores: Vector) -> npt.NDArray[np.int64]:
    """Return the place of the best passage of each unit, best unit first."""
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(units[order], return_index=True)
    return np.asarray(order[np.sort(first)])
