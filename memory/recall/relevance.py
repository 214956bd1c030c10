"""How much each passage has to do with a question, by its signs and, with an embedder, by meaning.

A passage that has no vector yet keeps the relevance of its words, so search is never worse while
the vectors are being made.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from memory.recall.index import PassageIndex
from memory.recall.query import Query
from memory.recall.signs import SIGN_NAMES, PassageSigns, passage_signs
from memory.recall.weights import Weights
from memory.text.bm25 import Floats, Slots

_SOFTNESS: Final = 4.0
"""The weights are log-odds; divided by this they make a relevance that falls gently."""

_GIST_SHARE: Final = 0.5
"""What is left of the relevance of a gist whose messages can be found themselves: it repeats."""

_REPEAT_SHARE: Final = 0.9
"""What is left of the relevance of each further passage of one memory, for a question without
spaces: Chinese messages are long, and those of one talk tell the same (docs/recall.md)."""

_TIME_SIGNS: Final = frozenset({"in_time", "in_days", "in_weeks"})


class RelevantPassages(NamedTuple):
    """Passages that have to do with a question, and how much, in (0, 1]."""

    slots: Slots
    relevance: Floats


def relevant_passages(query: Query, index: PassageIndex, weights: Weights) -> RelevantPassages:
    """Return every passage worth ranking for a question, in no order."""
    seen = passage_signs(query, index)
    by_sign = weights(query)
    score = weighted_scores(seen, by_sign)
    best = sum(
        weight for sign, weight in by_sign.items() if weight > 0.0 and _can_apply(sign, query)
    )
    share = np.exp(np.minimum(score - best, 0.0) / _SOFTNESS).astype(np.float32)
    share[_repeated_gists(seen.slots, index)] *= _GIST_SHARE
    if query.dense:
        share *= _REPEAT_SHARE ** _rank_within_memory(index.columns.memory[seen.slots], share)
    return RelevantPassages(seen.slots, share)


def weighted_scores(seen: PassageSigns, by_sign: Mapping[str, float]) -> Floats:
    """Return the weighed sum of the signs of each passage, in log-odds."""
    factors = np.array([by_sign[sign] for sign in SIGN_NAMES], np.float32)
    return np.asarray(seen.signs @ factors, np.float32)


def _can_apply(sign: str, query: Query) -> bool:
    """Tell whether a question is such that a sign can speak for a passage at all."""
    if sign in _TIME_SIGNS:
        return bool(query.spans)
    if sign == "speaker":
        return bool(query.speakers)
    if sign == "tells_when":
        return query.wants_time
    if sign == "tells_name":
        return query.wants_name
    return query.wants_number if sign == "tells_number" else True


def _repeated_gists(slots: Slots, index: PassageIndex) -> Slots:
    """Return which of ``slots`` are gists of memories that are indexed word for word as well."""
    columns = index.columns
    return np.flatnonzero(columns.gist[slots] & index.layout.verbatim[columns.group[slots]])


def _rank_within_memory(memory: Slots, share: Floats) -> Floats:
    """Return how many better passages of the same memory each passage has."""
    order = np.lexsort((-share, memory))
    ordered = memory[order]
    first = np.append(True, ordered[1:] != ordered[:-1]) if len(ordered) else ordered
    starts = np.flatnonzero(first)
    place = np.empty(len(memory), np.float32)
    lengths = np.diff(np.append(starts, len(memory)))
    place[order] = np.arange(len(memory)) - np.repeat(starts, lengths)
    return place


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
