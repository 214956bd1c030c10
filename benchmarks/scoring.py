"""Figures of retrieval: how much of the gold comes back, and how high."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

DEPTHS: Final = (5, 10, 20)
_TEN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The mean figures of some questions; ``hit`` and ``whole`` are at ten."""

    questions: int
    recall: tuple[float, ...]
    ndcg: float
    hit: float
    whole: float

    def row(self, name: str) -> str:
        """Write the figures as one row of a table in Markdown."""
        cells = [f"{value:.3f}" for value in (*self.recall, self.ndcg, self.hit, self.whole)]
        return f"| {name} | {self.questions} | " + " | ".join(cells) + " |"


HEAD: Final = (
    "| | questions | R@5 | R@10 | R@20 | NDCG@10 | hit@10 | all@10 |\n"
    "|---|---|---|---|---|---|---|---|"
)


def figures(answers: Iterable[tuple[Sequence[str], Collection[str]]]) -> Figures:
    """Return the mean figures of (units found in order, gold units) pairs."""
    rows = [_of_one(found, gold) for found, gold in answers]
    count = max(len(rows), 1)
    means = [sum(column) / count for column in zip(*rows, strict=True)] or [0.0] * 6
    return Figures(
        questions=len(rows),
        recall=tuple(means[: len(DEPTHS)]),
        ndcg=means[3],
        hit=means[4],
        whole=means[5],
    )


def _of_one(found: Sequence[str], gold: Collection[str]) -> tuple[float, ...]:
    recalls = [len(set(found[:depth]) & set(gold)) / len(gold) for depth in DEPTHS]
    gain = sum(1.0 / math.log2(i + 2) for i, unit in enumerate(found[:_TEN]) if unit in gold)
    ideal = sum(1.0 / math.log2(i + 2) for i in range(min(_TEN, len(gold))))
    return (*recalls, gain / ideal, float(recalls[1] > 0), float(recalls[1] >= 1.0))
