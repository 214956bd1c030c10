"""Nearness in meaning beside nearness in words: what an embedder adds to relevance (DESIGN §7).

A passage that has no vector yet keeps the relevance of its words, so search is never worse while
the vectors are being made.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from memory.recall.index import PassageIndex
from memory.recall.relevance import RelevantPassages

Near: TypeAlias = Mapping[str, float]
"""How near the texts of passages are to a question, as cosines; far ones are left out."""

NOTHING_NEAR: Final[Near] = MappingProxyType({})

UNRELATED_COSINE: Final = 0.3
"""About the cosine of sentences that have nothing to do with each other, in current models."""

MEANING_SHARE: Final = 0.5
"""The relevance of a passage that means exactly what was asked and shares no word with it."""


def with_meaning(found: RelevantPassages, near: Near, index: PassageIndex) -> RelevantPassages:
    """Return what words and meaning find together: 1 - (1 - by words)·(1 - by meaning)."""
    if not near:
        return found
    by_slot = {
        slot: MEANING_SHARE * (near[text] - UNRELATED_COSINE) / (1.0 - UNRELATED_COSINE)
        for slot, text in index.texts()
        if near.get(text, 0.0) > UNRELATED_COSINE
    }
    words = dict(zip(found.slots.tolist(), found.relevance.tolist(), strict=True))
    slots = [*words, *(slot for slot in by_slot if slot not in words)]
    relevance = [
        1.0 - (1.0 - words.get(slot, 0.0)) * (1.0 - by_slot.get(slot, 0.0)) for slot in slots
    ]
    return RelevantPassages(np.array(slots, found.slots.dtype), np.array(relevance, np.float32))
