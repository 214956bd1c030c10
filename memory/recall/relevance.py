"""How much each passage has to do with a question, from its words and what surrounds it."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from memory.recall.index import Columns, Doubles, PassageIndex
from memory.recall.query import Query
from memory.text.bm25 import Floats, Slots
from memory.text.dates import Span

_ANSWER: Final = 0.9
_NEXT: Final = 0.4
_PREVIOUS: Final = 0.4
_DAY: Final = 86_400.0
_IN_TIME: Final = 0.6
_SPEAKER: Final = 0.25
_GIST: Final = 0.5
_FADES_AFTER: Final = 3.0
_BEST: Final = 1.0 + _IN_TIME + _SPEAKER


def relevance(query: Query, index: PassageIndex) -> Floats:
    """Return the relevance of every slot, 0..1; 0 for what shares no word and no date."""
    size = len(index)
    columns = index.columns
    words = index.words.scores(query.terms, band(columns, size))
    best = float(words.max(initial=0.0))
    if best > 0.0:
        words /= best
    score = words.astype(np.float64)
    if query.spans:
        score += _IN_TIME * _closeness(query.spans, columns.at[:size]) * (words > 0)
    if query.speakers:
        named = [index.speakers[name] for name in query.speakers]
        score += _SPEAKER * np.isin(columns.speaker[:size], named) * (words > 0)
    score[columns.gist[:size] & (words > 0)] *= _GIST
    return (score / _BEST).astype(np.float32)


def band(columns: Columns, size: int) -> list[tuple[Slots, Floats]]:
    """Return how the words of a message count for the one after it and the one before."""
    forward = np.where(columns.asks[:size], _ANSWER, _NEXT).astype(np.float32)
    backward = np.full(size, _PREVIOUS, np.float32)
    return [(columns.after[:size], forward), (columns.before[:size], backward)]


def _closeness(spans: Sequence[Span], at: Doubles) -> Doubles:
    """Return 1 inside the nearest span, falling with the days outside of it."""
    closest = np.zeros_like(at)
    for span in spans:
        start, end = span.start.timestamp(), span.end.timestamp()
        outside = np.maximum(np.maximum(start - at, at - end), 0.0) / _DAY
        np.maximum(closest, np.exp(-outside / _FADES_AFTER), out=closest)
    return closest
