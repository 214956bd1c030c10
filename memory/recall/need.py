"""Whether a line needs anything remembered: below a border a prompt is given nothing.

Most lines of a running talk go on from what was just said. What words bring up beside them costs
tokens and leads away, so a line that asks nothing, and speaks of no earlier talk, has to come near
to something, or bring up something new in the talk. Fitted by ``benchmarks/need.py``, and chosen
by people and a kind of talk that were left out (``docs/recall.md``).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from memory.recall.query import share_asked
from memory.recall.ranking import Hit
from memory.recall.search import asks_about_past
from memory.text.tokens import tokens

NEWNESS_WEIGHT: Final = 0.5
"""How much the newness of a line in its talk counts, beside the relevance of its best hit."""

NEED_BORDER: Final = 0.54
"""The least need of a line that is given anything."""

_LINES_BEFORE: Final = 8


def needs_memory(
    line: str, hits: Sequence[Hit], before: Sequence[str], *, now: datetime, zone: ZoneInfo
) -> bool:
    """Tell whether a line, said after the lines ``before``, is to be given what it brought up.

    ``hits`` are that. The most relevant need not be the first: what is newer of one matter is.
    """
    if not hits or asks_for_memory(line, hits, now=now, zone=zone):
        return True
    nearest = max(hit.relevance for hit in hits)
    return nearest + NEWNESS_WEIGHT * newness(line, before) >= NEED_BORDER


def asks_for_memory(line: str, hits: Sequence[Hit], *, now: datetime, zone: ZoneInfo) -> bool:
    """Tell whether a line is given what it brought up however little that is.

    Whoever asks anything is, and so is whoever speaks of what was said earlier, or of something
    that had to be looked up.
    """
    asks = share_asked(line) > 0.0 or any(hit.looked_up for hit in hits)
    return asks or asks_about_past(line, now, zone) != ""


def newness(line: str, before: Iterable[str]) -> float:
    """Return the share of the words of a line that its talk has not had yet, 0 to 1."""
    words = _words_of(line)
    known = frozenset[str]().union(*map(_words_of, [*before][-_LINES_BEFORE:]))
    return len(words - known) / len(words) if words else 0.0


# Of the lines a turn looks back at, all but two were looked at by the turn before.
@lru_cache(maxsize=64)
def _words_of(line: str) -> frozenset[str]:
    return frozenset(tokens(line))
