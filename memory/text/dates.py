"""The dates a text means, seen from an instant, and relative dates made absolute.

These are rules of our own: the library dateparser 1.2 reads one date and not a sentence, does not
know 上周三 or 去年夏天, and takes milliseconds for each call where this takes microseconds.
"""

from datetime import datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.text import dates_en, dates_zh
from memory.text.calendars import Days, Mention, month, year

_ONE_DAY: Final = timedelta(days=1)


class Span(NamedTuple):
    """A range of time ``[start, end)``, of aware instants, and the words that mean it."""

    start: datetime
    end: datetime
    words: str


def date_mentions(text: str, at: datetime, zone: ZoneInfo) -> list[Mention]:
    """Return every date ``text`` names, Chinese and English, seen from the day of ``at``."""
    today = at.astimezone(zone).date()
    found = [] if text.isascii() else list(dates_zh.mentions(text, today))
    # Without a letter there can only be dates in digits, and the Chinese rules read those too.
    if text.isascii() or any(c.isascii() and c.isalpha() for c in text):
        # Both languages read 2026-03-04; it counts once.
        taken = {i for m in found for i in range(m.start, m.end)}
        found += [m for m in dates_en.mentions(text, today) if m.start not in taken]
    return sorted(found)


def date_spans(text: str, now: datetime, zone: ZoneInfo) -> tuple[Span, ...]:
    """Return the ranges of time a question means, in the order they are named, each once.

    A date without a year or week means its latest occurrence that has begun by ``now``.
    """
    spans: dict[tuple[datetime, datetime], Span] = {}
    for each in date_mentions(text, now, zone):
        span = _span_of(each.days, zone, text[each.start : each.end])
        spans.setdefault((span.start, span.end), span)
    return tuple(spans.values())


def absolute_dates(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return ``text`` with the date written behind every relative one: 明天（2026-01-04）.

    The brackets are those of the language the date is in: tomorrow (2026-01-04).
    ``at`` is when it was said. Only dates counted from the day of speaking are completed; a date
    that is written there already is not repeated, so that a second call changes nothing.
    """
    pieces: list[str] = []
    end = 0
    for each in date_mentions(text, at, zone):
        opening, closing = (" (", ")") if text[each.start : each.end].isascii() else ("（", "）")
        written = opening + _date_text(each.days) + closing
        if each.relative and each.start >= end and not text.startswith(written, each.end):
            pieces += [text[end : each.end], written]
            end = each.end
    return "".join((*pieces, text[end:]))


def _span_of(days: Days, zone: ZoneInfo, words: str) -> Span:
    start = datetime.combine(days.first, time(), zone)
    return Span(start, datetime.combine(days.last, time(), zone) + _ONE_DAY, words)


def _date_text(days: Days) -> str:
    """Write a range as short as it can be exact: a day, a month, a year, or from–to."""
    first, last = days
    if first == last:
        return first.isoformat()
    if days == month(first.year, first.month):
        return first.isoformat()[:7]
    if days == year(first.year):
        return first.isoformat()[:4]
    return f"{first.isoformat()}~{last.isoformat()}"
