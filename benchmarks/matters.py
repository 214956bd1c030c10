"""Fit which matters of a life a line tells or asks about: ``python -m benchmarks.matters``.

    .venv/bin/python -m benchmarks.matters [--write]

``benchmarks/matter_lines`` holds what people of six voices type, each line with the matters it
tells or asks about; ``benchmarks/matter_words`` holds words by which each matter is told. Their
authors had read neither the program nor its tests. Each voice is judged by weights fitted on all
others and the words: how often the likeliest matter is one of a line's own, how many of those that
are told as likely are right, and how many of all are told. ``--write`` fits everything together
and writes what the program reads (``memory/text/matters.npz``).
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.text.matters import LIKELY, MATTERS, ROWS, SCALE, WEIGHTS_FILE, chances_of, rows_of

LINES: Final = Path(__file__).with_name("matter_lines")
WORDS: Final = Path(__file__).with_name("matter_words")

WORD_SHARE: Final = 0.3
"""How much a word counts beside a line: alone it tells less surely what somebody speaks of."""

PLAIN_SHARE: Final = 2.0
"""How much a line of no matter counts: there are few of them, and words are all of some."""

ROUNDS: Final = 6
RATE: Final = 0.3
RIDGE: Final = 1e-3
LEAST: Final = 1e-2
"""What the sum of squared slopes begins with (AdaGrad, Duchi et al. 2011)."""

LARGEST: Final = 127

Numbers: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line or a word: whether it asks, its rows, the share of each matter, and how it counts.

    The last of ``told`` is 1 where it is of none.
    """

    asks: bool
    rows: npt.NDArray[np.int64]
    told: Numbers
    counts: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Whether it is of no matter."""
        return bool(self.told[-1])


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of every row for each matter and for none, and what each begins with."""

    rows: Numbers
    bias: Numbers

    def chances(self, line: Labelled) -> Numbers:
        """Return how likely a line is of each matter, and of none."""
        return chances_of(self.rows[line.rows].sum(axis=0), len(line.rows), self.bias)


def labelled(named: str, text: str, *, asks: bool = False, counts: float = 1.0) -> Labelled:
    """Return a text with its matters, which are named; raises ValueError for an unknown one."""
    told = np.zeros(len(MATTERS) + 1, np.float32)
    for name in named.split(","):
        if name not in {*MATTERS, "-"}:
            raise ValueError(f"no matter is called {name!r}, of {text!r}")
        told[-1 if name == "-" else MATTERS.index(name)] = 1.0
    counts = PLAIN_SHARE if told[-1] else counts
    return Labelled(asks, rows_of(text), told / told.sum(), counts)


def lines_in(file: Path) -> list[Labelled]:
    """Return the lines of a voice."""
    rows = (row.split("\t") for row in file.read_text("utf-8").splitlines())
    return [labelled(named, text, asks=kind == "q") for kind, named, text in rows]


def words_in(file: Path) -> list[Labelled]:
    """Return words by which matters are told."""
    rows = (row.split("\t") for row in file.read_text("utf-8").splitlines())
    return [labelled(named, word, counts=WORD_SHARE) for named, word in rows]


def fitted(given: Sequence[Labelled]) -> Fitted:
    """Return the softmax regression, fitted text by text by steepest descent."""
    weights = np.zeros((ROWS, len(MATTERS) + 1), np.float32)
    bias = np.zeros(len(MATTERS) + 1, np.float32)
    squares, of_bias = np.full_like(weights, LEAST), np.full_like(bias, LEAST)
    order = [each for each in given if len(each.rows)]
    chance = random.Random(1)
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for each in order:
            rows = each.rows
            error = (Fitted(weights, bias).chances(each) - each.told) * np.float32(each.counts)
            slope = error * np.float32(SCALE / len(rows) ** 0.5) + RIDGE * weights[rows]
            squares[rows] += slope * slope
            weights[rows] -= RATE * slope / np.sqrt(squares[rows])
            of_bias += error * error
            bias -= 0.1 * RATE * error / np.sqrt(of_bias)
    return Fitted(weights, bias)


def judged(model: Fitted, lines: Iterable[Labelled]) -> str:
    """Return how a model does on lines it has not seen, as cells of a table."""
    best = of = right = told = every = taken = plain = 0
    for line in lines:
        found = model.chances(line)[:-1]
        own, likely = line.told[:-1] > 0.0, found >= LIKELY
        if line.is_plain:
            plain += 1
            taken += int(likely.any())
            continue
        of += 1
        best += int(own[found.argmax()])
        right += int(np.count_nonzero(likely & own))
        told += int(np.count_nonzero(likely))
        every += int(np.count_nonzero(own))
    shares = f"{best / max(of, 1):.2f} | {right / max(told, 1):.2f} | {right / max(every, 1):.2f}"
    return f"{of} | {shares} | {taken} of {plain}"


def write(model: Fitted, file: Path) -> None:
    """Write the weights in one byte each, with a unit for each matter."""
    unit = np.maximum(np.abs(model.rows).max(axis=0), 1e-6) / LARGEST
    rows = np.rint(model.rows / unit).astype(np.int8)
    np.savez_compressed(file, rows=rows, unit=unit.astype(np.float32), bias=model.bias)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write what the program reads")
    given = parser.parse_args()
    words = [word for file in sorted(WORDS.glob("*.tsv")) for word in words_in(file)]
    voices = {file.stem: lines_in(file) for file in sorted(LINES.glob("*.tsv"))}
    if given.write:
        write(
            fitted([*words, *(each for lines in voices.values() for each in lines)]), WEIGHTS_FILE
        )
        return 0
    print("| voice | kind | lines | likeliest is one | precision | recall | plain ones taken |")
    print("|---|---|---|---|---|---|---|")
    for name, lines in voices.items():
        others = (line for other in voices if other != name for line in voices[other])
        model = fitted([*words, *others])
        for kind, asks in (("told", False), ("asked", True)):
            cells = judged(model, (line for line in lines if line.asks is asks))
            print(f"| {name} | {kind} | {cells} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
