"""What a clause tells of a life, by weights learnt from labelled sentences: which slot, and how.

The rules of :mod:`memory.text.slots` read what they have words for and nothing else. This is a
linear reader (two logistic regressions over runs of words or signs), trained by
``benchmarks/life_reader.py`` on sentences that people wrote who did not know the program. It says
how likely something is, never what the value is, so nothing is learnt or ended by it alone.
"""

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

KINDS: Final = (
    *("home", "work", "school", "partner", "name", "age", "health", "taste", "habit", "away"),
    *("pet", "family", "thing", "plan", "money", "person", "none"),
)
"""What a sentence may be about; a closer list than the slots of rules, with one for the rest."""

MODES: Final = ("holds", "changed", "ended", "past", "nothing")
"""How it is told: so now, otherwise now, over, long ago, or not of the speaker's life."""

WEIGHTS: Final = Path(__file__).with_name("life_reader.weights")

Rows: TypeAlias = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class LifeReading:
    """How likely a clause is about each of :data:`KINDS`, and told in each of :data:`MODES`."""

    kinds: Mapping[str, float]
    modes: Mapping[str, float]

    @property
    def change(self) -> float:
        """How likely it tells that something is over or otherwise than before."""
        return self.modes["changed"] + self.modes["ended"]

    def likeness(self, other: "LifeReading") -> float:
        """How likely both are about one kind of thing."""
        return sum(self.kinds[kind] * other.kinds[kind] for kind in KINDS if kind != "none")


_HAN: Final = re.compile("[\u4e00-\u9fff]")

_WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d|[^\sa-z\d]")

_FIGURE: Final = re.compile(r"\d+")

_PAUSE: Final = re.compile(r"[，,。.！!～~\s、…]+")

_LONGEST_RUN_ZH: Final = 4

_STEMS: Final = (4, 5)
"""So many letters of a longer word count by themselves: moving, moved."""


def marks_of(text: str) -> frozenset[str]:
    """Return what a text is weighed by: runs of one to three words, or of one to four signs."""
    plain = _FIGURE.sub("0", text.lower().replace("’", "'"))
    return frozenset(_signs(plain) if _HAN.search(plain) else _words(plain))


def _signs(text: str) -> Iterator[str]:
    line = f"^{_PAUSE.sub('|', text).strip('|')}$"
    for length in range(1, _LONGEST_RUN_ZH + 1):
        yield from (line[at : at + length] for at in range(len(line) - length + 1))
    yield from (f"{first}_{last}" for first, last in zip(line, line[2:], strict=False))


def _words(text: str) -> Iterator[str]:
    words = ["^", *_WORD.findall(text), "$"]
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))
    for first, second, third in zip(words, words[1:], words[2:], strict=False):
        yield f"{first} {second} {third}"
        yield f"{first} _ {third}"
    for word in words:
        if len(word) < _STEMS[0]:
            continue
        marked = f"<{word}>"
        for length in _STEMS:
            yield from (f"#{marked[at : at + length]}" for at in range(len(marked) - length + 1))


@dataclass(frozen=True)
class LifeReader:
    """The weights: a row for each mark it knows, a column for each kind and each mode."""

    places: Mapping[str, int]
    rows: Rows
    scale: float
    """What one step of a weight counts, in log-odds."""

    def read(self, text: str) -> LifeReading:
        """Read one clause."""
        marks = marks_of(text)
        known = [place for mark in marks if (place := self.places.get(mark)) is not None]
        # All marks share one length, as in training: what is unknown makes a text less certain.
        summed = self.rows[[0, *known]].sum(axis=0, dtype=np.int64)
        odds = (summed * (self.scale / len(marks) ** 0.5)).tolist()
        return LifeReading(
            dict(zip(KINDS, _shares(odds[: len(KINDS)]), strict=True)),
            dict(zip(MODES, _shares(odds[len(KINDS) :]), strict=True)),
        )

    def packed(self) -> bytes:
        """Return the weights as they are kept in a file."""
        head = "\n".join([str(self.scale), *self.places]).encode()
        body = len(head).to_bytes(4, "big") + head + self.rows.T.tobytes()
        return zlib.compress(body, 9)

    @classmethod
    def unpacked(cls, kept: bytes) -> "LifeReader":
        """Return the weights of a file."""
        body = zlib.decompress(kept)
        end = 4 + int.from_bytes(body[:4], "big")
        scale, *marks = body[4:end].decode().split("\n")
        columns = np.frombuffer(body[end:], np.int8).reshape(len(KINDS) + len(MODES), -1)
        rows = np.ascontiguousarray(columns.T)
        return cls({mark: place for place, mark in enumerate(marks)}, rows, float(scale))


def _shares(odds: Sequence[float]) -> list[float]:
    powers = np.exp(np.asarray(odds) - max(odds))
    shares: list[float] = (powers / powers.sum()).tolist()
    return shares


@cache
def shipped_reader() -> LifeReader:
    """Return the reader with the weights of this release; read when first needed."""
    return LifeReader.unpacked(WEIGHTS.read_bytes())


@lru_cache(maxsize=512)
def life_reading(clause: str) -> LifeReading:
    """Read one clause with the shipped weights."""
    return shipped_reader().read(clause)
