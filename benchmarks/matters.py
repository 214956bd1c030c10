"""Fit which matters of a life a line tells or asks about: ``python -m benchmarks.matters``.

    .venv/bin/python -m benchmarks.matters [--write] [--voices NAME ...]

``benchmarks/matter_lines`` holds what people of ten voices type, each line with the matters it
tells or asks about; ``benchmarks/matter_words`` words by which each matter is told;
``benchmarks/matter_changes`` what somebody told, what they told later, whether that ended it, and
a question about it. Their authors had read neither the program nor its tests. Each voice is judged
by weights fitted on all others and the words: how often the likeliest matter is one of a line's
own, how many of those that are told as likely are right, and how many of all are told; how well
asking is told from telling; and how well what ends something is told from what leaves it standing
and from what was told of something else. ``--write`` fits everything together and writes what the
program reads (``memory/text/matters.npz``).
"""

import argparse
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.text.matters import (
    LIKELY,
    MATTERS,
    ROWS,
    SCALE,
    WEIGHTS_FILE,
    ending_signs,
    rows_of,
    scores_of,
    shared_pieces,
    softmax,
)

HERE: Final = Path(__file__).parent

WORD_SHARE: Final = 0.3
"""How much a word counts beside a line: alone it tells less surely what somebody speaks of."""

ROUNDS: Final = 6
RATE: Final = 0.3
RIDGE: Final = 1e-3
LEAST: Final = 1e-2
"""What the sum of squared slopes begins with (AdaGrad, Duchi et al. 2011)."""

YES_ROUNDS: Final = 5
YES_RATE: Final = 0.1
YES_RIDGE: Final = 1e-2
"""The same for what is only yes or no: whether a line asks, whether it tells of a change."""

FOLDS: Final = 3
"""By so many models of others' lines the pairs are read by which an ending is weighed."""

NEWTON_STEPS: Final = 50
SHRUNK: Final = 1e-3

LARGEST: Final = 127

Numbers: TypeAlias = npt.NDArray[np.float32]
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line or a word: whether it asks, its rows, the share of each matter, and how it counts.

    The last of ``told`` is 1 where it is of none.
    """

    asks: bool
    rows: Rows
    told: Numbers
    counts: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Whether it is of no matter."""
        return bool(self.told[-1])


class Change(NamedTuple):
    """What was told, what was told later, and whether that ended it."""

    ends: bool
    held: str
    later: str


class Voice(NamedTuple):
    """What one author wrote."""

    lines: list[Labelled]
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of every row for each column, and what each begins with."""

    rows: Numbers
    bias: Numbers

    def score(self, rows: Rows) -> Numbers:
        """Return the log-odds of every column."""
        return scores_of(self.rows[rows].sum(axis=0), len(rows), self.bias)

    def chances(self, rows: Rows) -> Numbers:
        """Return how likely a line is of each matter, and of none."""
        return softmax(self.score(rows)[: len(MATTERS) + 1])


def labelled(named: str, text: str, *, asks: bool = False, counts: float = 1.0) -> Labelled:
    """Return a text with its matters, which are named; raises ValueError for an unknown one."""
    told = np.zeros(len(MATTERS) + 1, np.float32)
    for name in named.split(","):
        if name not in {*MATTERS, "-"}:
            raise ValueError(f"no matter is called {name!r}, of {text!r}")
        told[-1 if name == "-" else MATTERS.index(name)] = 1.0
    return Labelled(asks, rows_of(text), told / told.sum(), counts)


def rows_in(file: Path) -> list[list[str]]:
    """Return the rows of a table."""
    return [row.split("\t") for row in file.read_text("utf-8").splitlines()]


def voices() -> dict[str, Voice]:
    """Return what each author wrote, by the name of the file."""
    found = {}
    for file in sorted((HERE / "matter_lines").glob("*.tsv")):
        lines = [labelled(named, text, asks=kind == "q") for kind, named, text in rows_in(file)]
        found[file.stem] = Voice(lines, [])
    for file in sorted((HERE / "matter_changes").glob("*.tsv")):
        voice = Voice([], [])
        for label, named, held, later, asked in rows_in(file):
            voice.changes.append(Change(label == "over", held, later))
            told = [held, later] if label == "over" else [held]
            voice.lines.extend(labelled(named, text) for text in told)
            voice.lines.append(labelled(named, asked, asks=True))
        found[file.stem] = voice
    return found


def words() -> list[Labelled]:
    """Return words by which matters are told."""
    files = sorted((HERE / "matter_words").glob("*.tsv"))
    return [labelled(named, word, counts=WORD_SHARE) for f in files for named, word in rows_in(f)]


def fitted_matters(given: Iterable[Labelled]) -> Fitted:
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
            found = Fitted(weights, bias).chances(rows)
            error = (found - each.told) * np.float32(each.counts)
            slope = error * np.float32(SCALE / len(rows) ** 0.5) + RIDGE * weights[rows]
            squares[rows] += slope * slope
            weights[rows] -= RATE * slope / np.sqrt(squares[rows])
            of_bias += error * error
            bias -= 0.1 * RATE * error / np.sqrt(of_bias)
    return Fitted(weights, bias)


def fitted_yes(given: Iterable[tuple[Rows, bool]]) -> Fitted:
    """Return the logistic regression of what is so or not, with one column."""
    weights, squares = np.zeros(ROWS, np.float32), np.full(ROWS, LEAST, np.float32)
    bias, of_bias = 0.0, LEAST
    order = [each for each in given if len(each[0])]
    chance = random.Random(1)
    for _ in range(YES_ROUNDS):
        chance.shuffle(order)
        for rows, so in order:
            scale = SCALE / len(rows) ** 0.5
            error = float(logistic(float(weights[rows].sum()) * scale + bias)) - so
            slope = error * scale + YES_RIDGE * weights[rows]
            squares[rows] += slope * slope
            weights[rows] -= YES_RATE * slope / np.sqrt(squares[rows])
            of_bias += error * error
            bias -= 0.1 * YES_RATE * error / of_bias**0.5
    return Fitted(weights[:, None], np.array([bias], np.float32))


def logistic(score: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the chance that log-odds stand for."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.asarray(score, np.float64))))


def fitted(given: Iterable[Voice], words: Sequence[Labelled]) -> Fitted:
    """Return everything but what an ending is weighed by."""
    voices = list(given)
    lines = [line for voice in voices for line in voice.lines]
    parts = [
        fitted_matters([*words, *lines]),
        fitted_yes((rows_of(x.later), x.ends) for voice in voices for x in voice.changes),
        fitted_yes((line.rows, line.asks) for line in lines),
    ]
    return Fitted(
        np.concatenate([each.rows for each in parts], axis=1),
        np.concatenate([each.bias for each in parts]),
    )


def signs(model: Fitted, held: str, later: str) -> Numbers:
    """Return what a pair is weighed by."""
    told, known = rows_of(later), rows_of(held)
    return ending_signs(
        model.chances(told)[:-1],
        model.chances(known)[:-1],
        float(model.score(told)[-2]),
        shared_pieces({*told.tolist()}, {*known.tolist()}),
    )


def pairs(model: Fitted, voice: Voice) -> tuple[Numbers, Numbers, Numbers]:
    """Return the signs of what ends, of what leaves standing, and of what is of something else."""
    chance = random.Random(2)
    ends = [signs(model, x.held, x.later) for x in voice.changes if x.ends]
    stands = [signs(model, x.held, x.later) for x in voice.changes if not x.ends]
    other = [signs(model, x.held, chance.choice(voice.changes).later) for x in voice.changes]
    return np.array(ends), np.array(stands), np.array(other)


def fitted_ending(by_voice: Mapping[str, Voice], words: Sequence[Labelled]) -> Numbers:
    """Return the weights of the signs, each voice read by what voices of other folds teach."""
    signs: list[Numbers] = []
    so: list[float] = []
    names = [name for name, voice in by_voice.items() if voice.changes]
    for fold in range(FOLDS):
        apart = set(names[fold::FOLDS])
        model = fitted((x for name, x in by_voice.items() if name not in apart), words)
        for name in sorted(apart):
            for number, found in enumerate(pairs(model, by_voice[name])):
                signs.extend(found)
                so.extend([float(number == 0)] * len(found))
    return newton(np.array(signs, np.float64), np.array(so))


def newton(signs: npt.NDArray[np.float64], so: npt.NDArray[np.float64]) -> Numbers:
    """Return the logistic regression of a few numbers."""
    weights = np.zeros(signs.shape[1])
    shrunk = SHRUNK * len(so)
    for _ in range(NEWTON_STEPS):
        chance = logistic(signs @ weights)
        bend = (signs * (chance * (1 - chance))[:, None]).T @ signs
        slope = signs.T @ (chance - so) + shrunk * weights
        weights -= np.linalg.solve(bend + shrunk * np.eye(len(weights)), slope)
    return weights.astype(np.float32)


def judged(model: Fitted, lines: Iterable[Labelled]) -> str:
    """Return how a model does on lines it has not seen, as cells of a table."""
    best = of = right = told = every = taken = plain = 0
    for line in lines:
        found = model.chances(line.rows)[:-1]
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


def area(higher: npt.ArrayLike, lower: npt.ArrayLike) -> float:
    """Return how often one of the first is higher than one of the second."""
    one, two = np.asarray(higher), np.asarray(lower)
    return float((one[:, None] > two[None, :]).mean()) if one.size and two.size else 0.0


def judged_others(model: Fitted, voice: Voice, ending: Numbers) -> str:
    """Return how well asking is told from telling, and an ending from what is none."""
    asking = [float(model.score(x.rows)[-1]) for x in voice.lines if x.asks]
    telling = [float(model.score(x.rows)[-1]) for x in voice.lines if not x.asks]
    cells = f"{area(asking, telling):.3f}"
    if not voice.changes:
        return f"{cells} | |"
    ends, stands, other = (each @ ending for each in pairs(model, voice))
    return f"{cells} | {area(ends, stands):.3f} | {area(ends, other):.3f}"


def write(model: Fitted, ending: Numbers, file: Path) -> None:
    """Write the weights in one byte each, with a unit for each column."""
    unit = np.maximum(np.abs(model.rows).max(axis=0), 1e-6) / LARGEST
    rows = np.rint(model.rows / unit).astype(np.int8)
    unit = unit.astype(np.float32)
    np.savez_compressed(file, rows=rows, unit=unit, bias=model.bias, ending=ending)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write what the program reads")
    parser.add_argument("--voices", nargs="+", help="judge only these (files without .tsv)")
    given = parser.parse_args()
    by_voice, known = voices(), words()
    if given.write:
        ending = fitted_ending(by_voice, known)
        print("an ending is weighed by", ending.tolist(), flush=True)
        write(fitted(by_voice.values(), known), ending, WEIGHTS_FILE)
        return 0
    with np.load(WEIGHTS_FILE, allow_pickle=False) as kept:
        ending = kept["ending"]
    print("| voice | kind | lines | likeliest is one | precision | recall | plain ones taken |")
    print("|---|---|---|---|---|---|---|")
    print("| | | asked above told | ending above standing | ending above another | | |")
    for name, voice in by_voice.items():
        if given.voices and name not in given.voices:
            continue
        model = fitted((x for other, x in by_voice.items() if other != name), known)
        for kind, asks in (("told", False), ("asked", True)):
            cells = judged(model, (line for line in voice.lines if line.asks is asks))
            print(f"| {name} | {kind} | {cells} |", flush=True)
        print(f"| {name} | yes or no | {judged_others(model, voice, ending)} | | |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
