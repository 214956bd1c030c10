"""When she may begin, by rule: her manners, which stand above every wish of a model.

Pure arithmetic on instants. A reminder knows none of this: it was asked for, and comes at its
hour. What she says unasked waits for the first instant at which all of it fits, or is let go.
Beside them the manners of those who ask: the words around a request that belong to no matter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_ZH
from memory.text.times import in_zone

PAUSE: Final = timedelta(minutes=30)
"""After so long without a line of either side a conversation has come to a pause."""

MOST_A_DAY: Final = 2
"""So many messages that nobody asked for a day, at most."""

HALF_AFTER: Final = 2
"""From so many that were not answered on, half as often."""

SILENT_AFTER: Final = 4
"""After so many that were not answered, nothing until the partner writes."""

_ROUNDS: Final = 12
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What decides when she may begin.

    ``quiet`` are the hours of the day from which and until which she does not, the same twice for
    never. ``written_at`` is when the partner last wrote, ``line_at`` when either side last said
    anything; ``said`` are the instants of what she said unasked, in order.
    """

    zone: ZoneInfo
    quiet: tuple[int, int]
    written_at: datetime | None = None
    line_at: datetime | None = None
    said: Sequence[datetime] = ()

    @property
    def unanswered(self) -> int:
        """How many of hers the partner has not answered: they wrote nothing since."""
        since = self.written_at
        return sum(1 for at in self.said if since is None or at > since)

    def first_moment(self, at: datetime, until: datetime) -> datetime | None:
        """Return the first instant from ``at`` on when she may begin; None after ``until``."""
        if self.unanswered >= SILENT_AFTER:
            return None
        found = at
        for _ in range(_ROUNDS):
            later = self._after_quiet(self._after_budget(self._after_talk(found)))
            if later >= until:
                return None
            if later == found:
                return found
            found = later
        return None

    def _after_talk(self, at: datetime) -> datetime:
        return at if self.line_at is None else max(at, self.line_at + PAUSE)

    def _after_budget(self, at: datetime) -> datetime:
        """Return when the budget of its day, and that of this pause, lets her begin."""
        if not self.said:
            return at
        if self.unanswered:
            # One in a pause; with no answer the next day is a new chance, or every second one.
            days = 2 if self.unanswered >= HALF_AFTER else 1
            return max(at, self._day_after(self.said[-1], days))
        today = self._day(at)
        if sum(1 for each in self.said if self._day(each) == today) >= MOST_A_DAY:
            return self._day_after(at, 1)
        return at

    def _after_quiet(self, at: datetime) -> datetime:
        begin, end = self.quiet
        wall = at.astimezone(self.zone)
        hour = wall.hour
        if begin == end:
            return at
        quiet = begin <= hour < end if begin < end else hour >= begin or hour < end
        if not quiet:
            return at
        day = wall.date() + _DAY * (begin > end and hour >= begin)
        return in_zone(datetime.combine(day, time(end)), self.zone)

    def _day(self, at: datetime) -> int:
        return at.astimezone(self.zone).date().toordinal()

    def _day_after(self, at: datetime, days: int) -> datetime:
        day = at.astimezone(self.zone).date() + _DAY * days
        return in_zone(datetime.combine(day, time()), self.zone)


def hours_of(written: str) -> tuple[int, int]:
    """Return the hours that a setting names: 22-9.

    >>> hours_of("22-9")
    (22, 9)
    """
    begin, _, end = written.partition("-")
    return int(begin), int(end)


_NO_ASKING: Final = rf"[们的]|自己|家里?人|(?:{PERSONS_ZH})"
"""Behind 给我 or 帮我: they belong to the matter, and nobody asks a favour by them."""

LEADING: Final = LatePattern(
    rf"^(?:[\s,，。.!！~～:：;；、—\-…\x00]|请(?![假客教帖示愿柬求功罪])|麻烦|[帮给]我(?!{_NO_ASKING})(?:记一下|记着|记下(?=[\s\x00，,]))?|记得|务必|千万|小祥|哎|喂|嗨|那个|那就|到时候?|到点|准时|你(?![的们])|能不能|可不可以|可以|能(?![源量力耐])|要(?![账债饭])|就(?![诊医业餐寝读职])|再(?=[\s\x00]|$)|等下(?![班课雨周个午])|待会儿?|一会儿?|[呀啊吧呗哦喔嗰]|哈(?![尔密])|那天|当天|那晚|的时候|的|[在于](?=[\s\x00]|$)"
    r"|to\b|again\b|that\b|about\b|for\b|of\b|me\b|we\b|please\b|pls\b|plz\b|kindly\b|remember(?: to)?\b|(?:don['’]t|do not) forget(?: to)?\b|can (?:you|u)\b|could (?:you|u)\b|will you\b"
    r"|would you\b|hey\b|hi\b|xiaoxiang\b|ok(?:ay)?\b|and\b|then\b|at\b|on\b|by\b|when(?:['’]s)? (?:its|it['’]s|it is)(?: time)?\b|so\b|up\b)+",
    re.IGNORECASE,
)
TRAILING: Final = LatePattern(
    r"(?:[\s,，。.!！~～:：;；、—\-…?？\x00]|(?<=[\s,，。\x00])你(?:就|来|再|能|可以|记得|帮我)*|哈|啊|吧|呗|哦|喔|呀|谢谢|谢啦|好吗|好不好|行吗|到时候?|记得|帮我|务必|到点|就行|的时候|请"
    r"|\bplease|\bpls|\bplz|\bthanks|\bthank you|\bta|\bok|\blol|\bat|\bon|\bthen|\bcan you|\bcould you|\bto)+$",
    re.IGNORECASE,
)


def trimmed(text: str) -> str:
    """Return what somebody asks for without the words by which it is asked."""
    return TRAILING.sub("", LEADING.sub("", text))
