"""When she may begin, by rule: her manners, which stand above every wish of a model.

Pure arithmetic on instants. A reminder knows none of this: it was asked for, and comes at its
hour. What she says unasked waits for the first instant at which all of it fits, or is let go.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

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
