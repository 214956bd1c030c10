"""What authors wrote by whom the learning of matters and endings is taught, and how it is read.

``benchmarks.matters`` tells what the folders hold.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from memory.text.matters import MATTERS, Numbers, Rows, rows_of

HERE: Final = Path(__file__).parent

WORD_SHARE: Final = 0.3
"""How much a word counts beside a line: alone it tells less surely what somebody speaks of."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line or a word: its rows, the share of each matter, and how it counts.

    The last of ``told`` is 1 where it is of none.
    """

    rows: Rows
    told: Numbers
    counts: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Whether it is of no matter."""
        return bool(self.told[-1])


class Change(NamedTuple):
    """What was told, what was told later, and whether that ended it, or was of something else."""

    ends: bool
    held: str
    later: str
    other: bool = False


class Asked(NamedTuple):
    """A question about a life, its lines, the eldest first, and whether each of them answers."""

    question: str
    lines: list[str]
    tells: list[bool]


class Voice(NamedTuple):
    """What one author wrote: lines with their matters, pairs, questions, texts that are so or not.

    The last three tell of a change, or ask, or are really of the writer's own life.
    """

    lines: list[Labelled]
    pairs: list[Change]
    asked: list[Asked]
    changes: list[tuple[str, bool]]
    asking: list[tuple[str, bool]]
    own: list[tuple[str, bool]]

    @classmethod
    def empty(cls) -> Self:
        return cls([], [], [], [], [], [])


def labelled(named: str, text: str, *, counts: float = 1.0) -> Labelled:
    """Return a text with its matters, which are named; raises ValueError for an unknown one."""
    told = np.zeros(len(MATTERS) + 1, np.float32)
    for name in named.split(","):
        if name not in {*MATTERS, "-"}:
            raise ValueError(f"no matter is called {name!r}, of {text!r}")
        told[-1 if name == "-" else MATTERS.index(name)] = 1.0
    return Labelled(rows_of(text), told / told.sum(), counts)


def rows_in(file: Path) -> list[list[str]]:
    """Return the rows of a table."""
    return [row.split("\t") for row in file.read_text("utf-8").splitlines()]


def voices() -> dict[str, Voice]:
    """Return what each author wrote, by the name of the file."""
    found = {file.stem: lines_of(file) for file in sorted((HERE / "matter_lines").glob("*.tsv"))}
    for folder, reads in (
        ("matter_changes", changes_of),
        ("matter_pairs", twins_of),
        ("matter_lives", lives_of),
    ):
        found |= {file.stem: reads(file) for file in sorted((HERE / folder).glob("*.tsv"))}
    return found


def lines_of(file: Path) -> Voice:
    """Return lines with what they tell or ask about."""
    voice = Voice.empty()
    for kind, named, text in rows_in(file):
        voice.lines.append(labelled(named, text))
        voice.asking.append((text, kind == "q"))
    return voice


def changes_of(file: Path) -> Voice:
    """Return what was told and what came later, some of which ended it; a change is one's own."""
    voice, chance = Voice.empty(), random.Random(2)
    rows = rows_in(file)
    for label, named, held, later, asked in rows:
        ends = label == "over"
        voice.pairs.append(Change(ends, held, later))
        voice.pairs.append(Change(False, held, chance.choice(rows)[3], other=True))
        told = [held, later] if ends else [held]
        voice.lines.extend(labelled(named, text) for text in (*told, asked))
        voice.asking.extend((text, text == asked) for text in (*told, asked))
        voice.own.extend((text, True) for text in told)
        voice.changes.append((later, ends))
    return voice


def twins_of(file: Path) -> Voice:
    """Return what ended something beside what is as like it as can be and ended nothing."""
    voice = Voice.empty()
    for kind, over, other, held in rows_in(file):
        voice.pairs.extend([Change(True, held, over), Change(False, held, other)])
        voice.changes.extend([(over, True), (other, False)])
        voice.own.extend([(held, True), (over, True), (other, kind in OF_ONES_OWN)])
    return voice


OF_ONES_OWN: Final = frozenset({"same", "beside", "brief"})
"""Kinds of lines that end nothing, and are so of the writer's own life all the same."""

OTHERS_OF_A_LIFE: Final = 6
"""So many lines of a life are taken for each of its facts that did not end it."""


def lives_of(file: Path) -> Voice:
    """Return what the lines of some lives ended, seemed to end, and had nothing to do with."""
    voice, chance = Voice.empty(), random.Random(3)
    lives: dict[str, dict[int, list[str]]] = {}
    for life, place, *row in rows_in(file):
        lives.setdefault(life, {})[int(place)] = row
    for lines in lives.values():
        ended = {number: numbers_in(ends) for number, (_, ends, _, _) in lines.items()}
        for number, (kind, ends, seems, text) in lines.items():
            voice.asking.append((text, kind == "ask"))
            if kind == "ask":
                told = {at: row[-1] for at, row in lines.items() if row[0] != "ask"}
                right = [at in ended[number] for at in told]
                voice.asked.append(Asked(text, [*told.values()], right))
                continue
            voice.changes.append((text, ends != "-"))
            if kind != "talk":
                voice.own.append((text, kind == "own"))
            for names, so in ((ends, True), (seems, False)):
                held = (lines[at][-1] for at in numbers_in(names) if at in lines)
                voice.pairs.extend(Change(so, before, text) for before in held)
            if kind == "own":
                later = [
                    each[-1]
                    for after, each in lines.items()
                    if after > number and each[0] != "ask" and number not in ended[after]
                ]
                some = chance.sample(later, min(OTHERS_OF_A_LIFE, len(later)))
                voice.pairs.extend(Change(False, text, each, other=True) for each in some)
    return voice


def numbers_in(names: str) -> list[int]:
    """Return the numbers a cell names."""
    return [] if names == "-" else [int(each) for each in names.split(",")]


def words() -> list[Labelled]:
    """Return words by which matters are told."""
    files = sorted((HERE / "matter_words").glob("*.tsv"))
    return [labelled(named, word, counts=WORD_SHARE) for f in files for named, word in rows_in(f)]
