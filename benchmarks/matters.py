"""Fit which matters of a life a line tells or asks about: ``python -m benchmarks.matters``.

    .venv/bin/python -m benchmarks.matters [--write] [--voices NAME ...]

``benchmarks/matter_lines`` holds what people of ten voices type, each line with the matters it
tells or asks about; ``benchmarks/matter_words`` words by which each matter is told;
``benchmarks/matter_changes`` what somebody told, what they told later, whether that ended it, and
a question about it; ``benchmarks/matter_pairs`` what ended something, and a line as like it as can
be that ended nothing; ``benchmarks/matter_lives`` a year of lines each of one person, with what
each ended, what it only seemed to end, and what of it was a jest, a dream, a film, a plan, of
former times or another's. Their authors had read neither the program nor its tests. Each voice is
judged by weights fitted on all others and the words: how often the likeliest matter is one of a
line's own, how many of those that are told as likely are right, and how many of all are told; how
well asking is told from telling; and how well what ends something is told from what leaves it
standing and from what was told of something else. ``--write`` fits everything together and writes
what the program reads (``memory/text/matters.npz``).
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

from benchmarks.matter_voices import Asked, Labelled, Voice, voices, words
from memory.text.matters import (
    LIKELY,
    MATTERS,
    ROWS,
    SCALE,
    WEIGHTS_FILE,
    Numbers,
    ReadLine,
    Rows,
    ending_signs,
    glance_signs,
    lone_score,
    parts_of,
    read_line,
    rows_of,
    scores_of,
    softmax,
    telling_signs,
)

ROUNDS: Final = 6
RATE: Final = 0.3
RIDGE: Final = 1e-3
LEAST: Final = 1e-2
"""What the sum of squared slopes begins with (AdaGrad, Duchi et al. 2011)."""

YES_ROUNDS: Final = 5
YES_RATE: Final = 0.1
YES_RIDGE: Final = 1e-2
"""The same for what is only yes or no: ``YES_OR_NO``."""

FOLDS: Final = 3
"""By so many models of others' lines the pairs are read by which an ending is weighed."""

NEWTON_STEPS: Final = 50
SHRUNK: Final = 1e-3

LARGEST: Final = 127

Doubles: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of every row for each column, and what each begins with."""

    rows: Numbers
    bias: Numbers

    def read(self, text: str) -> ReadLine:
        """Return what is read in a text."""
        rows = rows_of(text)
        return read_line(rows, scores_of(self.rows[rows].sum(axis=0), len(rows), self.bias))

    def chances(self, rows: Rows) -> Numbers:
        """Return how likely a line is of each matter, and of none."""
        score = scores_of(self.rows[rows].sum(axis=0), len(rows), self.bias)
        return softmax(score[: len(MATTERS) + 1])


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
    parts = [fitted_matters([*words, *(line for voice in voices for line in voice.lines)])]
    own = balanced([each for voice in voices for each in voice.own])
    changes, asking = (
        [each for voice in voices for each in getattr(voice, texts)]
        for texts in ("changes", "asking")
    )
    parts += [
        fitted_yes((rows_of(text), yes) for text, yes in so) for so in (changes, asking, own)
    ]
    return Fitted(
        np.concatenate([each.rows for each in parts], axis=1),
        np.concatenate([each.bias for each in parts]),
    )


def balanced(texts: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return texts of which what is so is at most ``MOST_OF_ONE`` times as many as the rest."""
    yes, no = ([each for each in texts if each[1] is so] for so in (True, False))
    most = round(MOST_OF_ONE * len(no))
    return (random.Random(5).sample(yes, most) if no and len(yes) > most else yes) + no


MOST_OF_ONE: Final = 1.5


class Endings(NamedTuple):
    """The weights of what tells an ending: of what is read in full, and of what is packed."""

    ending: Numbers
    glance: Numbers


def fitted_endings(by_voice: Mapping[str, Voice], words: Sequence[Labelled]) -> Endings:
    """Return the weights of the signs, each voice read by what voices of other folds teach."""
    told: list[tuple[ReadLine, ReadLine]] = []
    so: list[float] = []
    names = [name for name, voice in by_voice.items() if voice.pairs]
    for fold in range(FOLDS):
        apart = set(names[fold::FOLDS])
        model = fitted((x for name, x in by_voice.items() if name not in apart), words)
        for pair in (pair for name in sorted(apart) for pair in by_voice[name].pairs):
            told.append((model.read(pair.later), model.read(pair.held)))
            so.append(float(pair.ends))
    yes = np.array(so)
    ending = newton(np.array([ending_signs(*each) for each in told], np.float64), yes)
    seen = glance_signs(
        np.array([float(np.sqrt(one.chances * other.chances).sum()) for one, other in told]),
        np.array([lone_score(one, ending) for one, _ in told]),
    )
    return Endings(ending, newton(seen.astype(np.float64), yes))


def fitted_telling(by_voice: Mapping[str, Voice], words: Sequence[Labelled]) -> Numbers:
    """Return the weights of the signs by which a line tells what is asked, and of none doing so.

    A conditional logit. Each question is asked once of all lines of a life, and once of all but
    those that answer it: then none does.
    """
    asked: list[tuple[Doubles, Doubles]] = []
    names = [name for name, voice in by_voice.items() if voice.asked]
    for fold in range(FOLDS):
        apart = set(names[fold::FOLDS])
        model = fitted((x for name, x in by_voice.items() if name not in apart), words)
        for each in (each for name in sorted(apart) for each in by_voice[name].asked):
            tells = np.array(each.tells)
            signs = _signs_of_telling(model, each)
            asked += [_with_none(signs, tells), _with_none(signs[~tells], tells[~tells])]
    return _conditional_logit(asked)


def _conditional_logit(asked: Sequence[tuple[Doubles, Doubles]]) -> Numbers:
    """Return the weights of the signs by which one of each table is chosen, by Newton's steps."""
    weights = np.zeros(asked[0][0].shape[1])
    for _ in range(NEWTON_STEPS):
        slope, bend = TELLING_SHRUNK * weights, TELLING_SHRUNK * np.eye(len(weights))
        for signs, right in asked:
            chance = np.exp(signs @ weights - (signs @ weights).max())
            chance /= chance.sum()
            mean = chance @ signs
            slope += mean - right @ signs
            bend += (signs.T * chance) @ signs - np.outer(mean, mean)
        step = np.linalg.solve(bend, slope)
        # Far from the end a whole step leads too far.
        weights -= step / max(1.0, float(np.abs(step).max()))
    return weights.astype(np.float32)


TELLING_SHRUNK: Final = 2.0


def _signs_of_telling(model: Fitted, asked: Asked) -> Doubles:
    question = model.read(asked.question)
    late = np.linspace(0.0, 1.0, len(asked.lines))
    return np.array(
        [
            (*telling_signs(question, model.read(line), map(model.read, parts_of(line))), at)
            for line, at in zip(asked.lines, late, strict=True)
        ],
        np.float64,
    )


def _with_none(signs: Doubles, tells: npt.NDArray[np.bool_]) -> tuple[Doubles, Doubles]:
    """Return the signs with those of "none of them" behind, and how likely each should be."""
    table = np.zeros((len(signs) + 1, signs.shape[1] + 1))
    table[:-1, :-1], table[-1, -1] = signs, 1.0
    right = np.append(tells, not tells.any()).astype(np.float64)
    return table, right / right.sum()


def newton(signs: Doubles, so: Doubles) -> Numbers:
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
    """Return how well asking is told from telling, own life from none, an ending from none."""
    cells = [
        told_apart([(getattr(model.read(text), which), so) for text, so in texts])
        for which, texts in (("question", voice.asking), ("own", voice.own))
    ]
    weighed = [
        (float(ending_signs(model.read(x.later), model.read(x.held)) @ ending), x)
        for x in voice.pairs
    ]
    for other in (False, True):
        compared = [(chance, x.ends) for chance, x in weighed if x.ends or x.other is other]
        cells.append(told_apart(compared))
    return " | ".join(cells)


def told_apart(scored: Sequence[tuple[float, bool]]) -> str:
    """Return how often what is so scores above what is not; nothing without either."""
    yes, no = ([score for score, so in scored if so is which] for which in (True, False))
    return f"{area(yes, no):.3f}" if yes and no else ""


def write(model: Fitted, endings: Endings, telling: Numbers, file: Path) -> None:
    """Write the weights in one byte each, with a unit for each column."""
    unit = np.maximum(np.abs(model.rows).max(axis=0), 1e-6) / LARGEST
    rows = np.rint(model.rows / unit).astype(np.int8)
    unit = unit.astype(np.float32)
    weighed = {**endings._asdict(), "telling": telling}
    np.savez_compressed(file, rows=rows, unit=unit, bias=model.bias, **weighed)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write what the program reads")
    parser.add_argument("--voices", nargs="+", help="judge only these (files without .tsv)")
    given = parser.parse_args()
    by_voice, known = voices(), words()
    if given.write:
        endings = fitted_endings(by_voice, known)
        print("an ending is weighed by", endings, flush=True)
        telling = fitted_telling(by_voice, known)
        print("what tells what is asked is weighed by", telling, flush=True)
        write(fitted(by_voice.values(), known), endings, telling, WEIGHTS_FILE)
        return 0
    with np.load(WEIGHTS_FILE, allow_pickle=False) as kept:
        ending = kept["ending"]
    print("| voice | lines | likeliest is one | precision | recall | plain ones taken |")
    print("|---|---|---|---|---|---|")
    print("| | asked above told | own above none | ending above standing | above another | |")
    for name, voice in by_voice.items():
        if given.voices and name not in given.voices:
            continue
        model = fitted((x for other, x in by_voice.items() if other != name), known)
        if voice.lines:
            print(f"| {name} | {judged(model, voice.lines)} |", flush=True)
        print(f"| {name} | {judged_others(model, voice, ending)} | |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
