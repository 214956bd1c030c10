"""Train the reader of what a line tells of a life (memory.text.life_reader), and judge it.

    .venv/bin/python -m benchmarks.life_reader --data DIR [--write]

Prints, for each writer of ``benchmarks/told_lives``, how a reader trained on the other writers
reads their sentences, and how often it takes a sentence of LoCoMo or MemoryBank for a change;
with ``--write`` it writes the weights, trained on all of them. Who writes sentences about changes
writes little that is nothing of the sort, so sentences of RealMem (Apache-2.0) stand for the rest.
One pass after another in a fixed order, so the same sentences give the same file.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.datasets import Life, locomo, memorybank, realmem
from memory.offline.statements import sentences_of
from memory.text.life_reader import KINDS, MODES, WEIGHTS, LifeReader, marks_of

SENTENCES: Final = Path(__file__).with_name("told_lives")

PASSES: Final = 12
STEP: Final = 0.2
DECAY: Final = 0.005
"""What each look takes from a weight, so that a rare run of words does not decide alone."""

RAREST: Final = 3
"""A mark of fewer sentences tells of its sentence, and of no other."""

PLAIN_LINES: Final = 1_500
"""So many sentences of other talk: with none, 12 of 100 lines of LoCoMo read as a change."""

LEVELS: Final = 15
"""Steps of a weight on each side of nothing: finer ones make the file larger, and no better."""

LONGEST: Final = 120
"""In characters, of a sentence of other talk."""

MOST_LINES: Final = 3_000

THRESHOLDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9)

Array = npt.NDArray[np.float64]


class Told(NamedTuple):
    """A labelled sentence."""

    kind: str
    mode: str
    text: str

    @property
    def is_change(self) -> bool:
        return self.mode in {"changed", "ended"}


def told_by(file: Path) -> list[Told]:
    """Return the sentences of one writer."""
    return [Told(*line.split("\t")) for line in file.read_text("utf-8").splitlines()]


def plain_lines(lives: Sequence[Life]) -> list[str]:
    """Return sentences of people in these lives, each once, in a fixed order."""
    said = {
        sentence.strip()
        for life in lives
        for message in life.messages
        if message.role == "user"
        for sentence in sentences_of(message.text)
    }
    fitting = (each for each in said if 3 <= len(each) <= LONGEST and "\n" not in each)
    return sorted(fitting, key=lambda each: crc32(each.encode()))


def trained(sentences: Sequence[Told]) -> LifeReader:
    """Return a reader of these sentences: two logistic regressions by AdaGrad, in fixed order."""
    marks = [marks_of(each.text) for each in sentences]
    counted = Counter(mark for each in marks for mark in each)
    known = sorted(mark for mark, times in counted.items() if times >= RAREST)
    # The first row is what holds for every text.
    places = {mark: number for number, mark in enumerate(["", *known])}
    looks = [
        (
            np.array([0, *sorted(places[mark] for mark in each if mark in places)]),
            len(each) ** -0.5,
            [KINDS.index(told.kind)] if told.kind else [],
            len(KINDS) + MODES.index(told.mode),
        )
        for each, told in zip(marks, sentences, strict=True)
    ]
    weights = np.zeros((len(places), len(KINDS) + len(MODES)))
    steps = np.full_like(weights, 1e-3)
    summed = np.zeros_like(weights)
    order = np.random.default_rng(14)
    for number in range(PASSES):
        for at in order.permutation(len(looks)):
            rows, share, kind, mode = looks[at]
            _learn(weights, steps, rows, share, kind, mode)
        if number >= PASSES // 2:
            summed += weights
    return _quantised(places, summed / (PASSES - PASSES // 2))


def _learn(
    weights: Array,
    steps: Array,
    rows: npt.NDArray[np.int64],
    share: float,
    kind: list[int],
    mode: int,
) -> None:
    odds = weights[rows].sum(axis=0) * share
    wrong = np.zeros_like(odds)
    wrong[len(KINDS) :] = _shares(odds[len(KINDS) :])
    # What plain talk is about nobody labelled.
    if kind:
        wrong[: len(KINDS)] = _shares(odds[: len(KINDS)])
    wrong[[*kind, mode]] -= 1.0
    slope = wrong * share + DECAY * weights[rows]
    steps[rows] += slope**2
    weights[rows] -= STEP * slope / np.sqrt(steps[rows])


def _shares(odds: Array) -> Array:
    powers = np.exp(odds - odds.max())
    return powers / powers.sum()


def _quantised(places: dict[str, int], weights: Array) -> LifeReader:
    scale = float(np.abs(weights).max()) / LEVELS
    rows = np.rint(weights / scale).astype(np.int8)
    # A mark of hardly any weight is one of thousands like it: half of the file, for nothing.
    counts = (np.abs(rows) > 1).any(axis=1)
    counts[0] = True
    kept = [mark for mark, place in places.items() if counts[place]]
    return LifeReader({mark: place for place, mark in enumerate(kept)}, rows[counts], scale)


def judged(reader: LifeReader, sentences: Sequence[Told]) -> str:
    """Return how a reader reads sentences it was not trained on."""
    read = [(each, reader.read(each.text)) for each in sentences]
    kinds = sum(max(r.kinds, key=r.kinds.__getitem__) == told.kind for told, r in read)
    modes = sum(max(r.modes, key=r.modes.__getitem__) == told.mode for told, r in read)
    changes = sum(told.is_change for told in sentences)
    columns = [f"{kinds / len(read):.2f}", f"{modes / len(read):.2f}"]
    for threshold in THRESHOLDS:
        taken = [told for told, reading in read if reading.change >= threshold]
        right = sum(told.is_change for told in taken)
        columns.append(f"{right / max(1, len(taken)):.2f} / {right / changes:.2f}")
    return " | ".join(columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--write", action="store_true", help="write the weights that are shipped")
    options = parser.parse_args()
    writers = {file.stem: told_by(file) for file in sorted(SENTENCES.glob("*.tsv"))}
    plain = plain_lines(realmem(options.data))[:PLAIN_LINES]
    unlike = [Told("", "nothing", each) for each in plain]
    named = " | ".join(f"change at {each}: precision / recall" for each in THRESHOLDS)
    print(f"| writer | sentences | kind right | mode right | {named} |")
    print("|---|---|---|---|" + "---|" * len(THRESHOLDS))
    for name, sentences in writers.items():
        others = [told for other, each in writers.items() if other != name for told in each]
        reader = trained([*others, *unlike])
        print(f"| {name} | {len(sentences)} |", judged(reader, sentences), "|", flush=True)
    reader = trained([*(told for each in writers.values() for told in each), *unlike])
    talk = {
        "LoCoMo": locomo(options.data),
        "MemoryBank, Chinese": memorybank(options.data, ("cn",)),
        "MemoryBank, English": memorybank(options.data, ("en",)),
    }
    for name, lives in talk.items():
        lines = plain_lines(lives)[:MOST_LINES]
        read = [reader.read(line).change for line in lines]
        shares = (f"{sum(each >= t for each in read) / len(lines):.4f}" for t in THRESHOLDS)
        print(f"{name}: of {len(lines)} sentences read as a change {' / '.join(shares)}")
    if options.write:
        WEIGHTS.write_bytes(reader.packed())
        print(f"{WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
