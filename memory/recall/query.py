"""What a question asks: its words and how much each counts, the times, the speakers it names."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.recall.index import PassageIndex
from memory.text.dates import Span, date_spans
from memory.text.tokens import normalized, tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as search sees it."""

    text: str
    terms: Mapping[str, float]
    spans: tuple[Span, ...]
    speakers: tuple[str, ...]


def understand(text: str, index: PassageIndex, *, now: datetime, zone: ZoneInfo) -> Query:
    """Read a question, seen from ``now`` in the zone of the one who asks."""
    plain = normalized(text)
    named = tuple(name for name in index.speakers if name and normalized(name) in plain)
    return Query(
        text=text,
        terms={token: float(min(n, 2)) for token, n in Counter(tokens(text)).items()},
        spans=date_spans(text, now, zone),
        speakers=named,
    )
