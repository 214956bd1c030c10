"""Whether a question asks for what has to be looked up, decided by rule."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from memory.text.dates import date_spans


class Scored(Protocol):
    """What was found, as far as it matters here."""

    @property
    def relevance(self) -> float:
        """Return how much it has to do with the question, 0 to 1."""


_ASKS: Final = re.compile(
    r"记得|上次|之前|以前|叫什么来着|什么时候|哪天|那次|当时"
    r"|\b(?:remember|last time|did I|have I|what was|when (?:did|was)|earlier|before)\b",
    re.IGNORECASE,
)

_NOTHING_NEAR: Final = 0.1


def asks_about_past(text: str, now: datetime, zone: ZoneInfo) -> str:
    """Return why a line asks about the past, "" if it does not."""
    if _ASKS.search(text):
        return "asked"
    back = any(span.end < now for span in date_spans(text, now, zone))
    return "asked" if back else ""


def wants_deep(query: str, everyday_hits: Sequence[Scored]) -> str:
    """Return why what came to mind is not enough for a line, "" if it is."""
    del query
    near = any(hit.relevance >= _NOTHING_NEAR for hit in everyday_hits)
    return "" if near else "nothing-near"
