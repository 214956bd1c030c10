"""What words found, weighed by meaning as well, where an embedder made vectors.

Words and meaning are added as log-odds, like every sign of relevance. A line that says little
by itself is understood beside its neighbours, so they count too. While vectors are being made, a
passage that has none counts as near as the others are on average.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from memory.recall.index import PassageIndex
from memory.recall.passage_arrays import NOWHERE
from memory.recall.relevance import SOFTNESS, RelevantPassages
from memory.text.postings import Floats, Slots
from memory.text.tokens import tokens

UNRELATED_COSINE: Final = 0.3
"""About the cosine of sentences that have nothing to do with each other, in current models."""

MEANING_SHARE: Final = 0.5
"""The relevance of a passage that means exactly what was asked, where words find nothing."""

OWN_MEANING: Final = 4.0
BESIDE_MEANING: Final = 3.0
"""What a cosine of 1 counts in log-odds: of a passage, and of those beside it (docs/recall.md)."""

LINES_MEANT: Final = 3
"""How many lines before a line say with it what is meant."""


def moment_text(line: str, before: Sequence[str]) -> str:
    """Return a line with the last few before it, the newest first: a model may read no further."""
    return "\n".join([line, *reversed(before[-LINES_MEANT:])])


@dataclass(frozen=True, slots=True)
class Near:
    """How near texts are to what is asked: ``cosines[rows[text]]`` of each text with a vector.

    ``nearest`` are the nearest of them, best first, without those that are unrelated.
    """

    rows: Mapping[str, int] = field(default_factory=dict)
    cosines: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    nearest: tuple[str, ...] = ()

    def cosine(self, text: str) -> float | None:
        """Return how near a text is, None if it has no vector."""
        row = self.rows.get(text)
        return None if row is None else float(self.cosines[row])


NOTHING_NEAR: Final = Near()


def with_meaning(found: RelevantPassages, near: Near, index: PassageIndex) -> RelevantPassages:
    """Return what words and meaning find together, and how relevant it is to both."""
    if not near.rows:  # nobody made vectors, as in most programs
        return found
    known = set(found.slots.tolist())
    new = [
        slot
        for text in near.nearest
        for slot in _slots_with_text(text, index)
        if slot not in known
    ]
    slots = np.array([*found.slots.tolist(), *new], np.int64)
    cosines = _cosines(slots, near, index)
    if not len(slots) or np.isnan(cosines).all():
        return found
    cosines = np.nan_to_num(cosines, nan=float(np.nanmean(cosines)))
    if not len(found.slots):
        above = (cosines - UNRELATED_COSINE) / (1.0 - UNRELATED_COSINE)
        return RelevantPassages(slots, np.asarray(MEANING_SHARE * above, np.float32))
    # What words did not reach is by them as relevant as the least of what they did.
    least = np.full(len(new), found.relevance.min(), np.float32)
    meant = OWN_MEANING * cosines + BESIDE_MEANING * _beside(slots, cosines, near, index)
    share = np.exp((meant - meant.max()) / SOFTNESS)
    by_words = np.concatenate([found.relevance, least])
    return RelevantPassages(slots, np.asarray(by_words * share, np.float32))


def _slots_with_text(text: str, index: PassageIndex) -> Iterator[int]:
    """Yield the living slots of a text; of a long message the one with its most telling word."""
    words = index.words
    telling = max(set(tokens(text)), key=lambda token: (words.idf(token), token), default="")
    if not telling:
        return
    for slot in words.slots_with(telling)[0].tolist():
        if words.alive[slot] and index.entry(slot).passage.text == text:
            yield slot


def _cosines(slots: Slots, near: Near, index: PassageIndex) -> Floats:
    """Return how near the texts in some slots are, NaN where there is no vector."""
    found = (near.cosine(index.entry(slot).passage.text) for slot in slots.tolist())
    return np.array([np.nan if each is None else each for each in found], np.float32)


def _beside(slots: Slots, own: Floats, near: Near, index: PassageIndex) -> Floats:
    """Return how near the lines before and after are, on average; none is as near as the slot."""
    sides = []
    for column in (index.columns.before, index.columns.after):
        beside = column[slots]
        there = np.flatnonzero(beside != NOWHERE)
        side = own.copy()
        cosines = _cosines(beside[there], near, index)
        side[there] = np.where(np.isnan(cosines), own[there], cosines)
        sides.append(side)
    return np.asarray((sides[0] + sides[1]) / 2, np.float32)
