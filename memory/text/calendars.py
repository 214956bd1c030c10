"""Days, weeks, months and seasons as ranges of days, and times as they are said.

The arithmetic and the values that both languages share.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from memory.text.lunar import next_lunar

WINTER_MONTH = 12  # the first month of winter, which alone runs over the end of the year


class Days(NamedTuple):
    """A range of days, both ends included; false if it is empty."""

    first: date
    last: date

    def __bool__(self) -> bool:
        return self.first <= self.last


class Mention(NamedTuple):
    """A place in a text that means a range of days.

    ``relative`` says that it counts from the day of speaking (明天, last Friday), so that it means
    nothing later unless the date is written beside it.
    """

    start: int
    end: int
    days: Days
    relative: bool


def single_day(day: date) -> Days:
    """Return the range of one day."""
    return Days(day, day)


def days_after(day: date, days: int) -> Days:
    """Return the single day ``days`` after ``day``, held within the calendar."""
    # A text may count beyond it: 999 years ago, and 999 years before that.
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return single_day(date.fromordinal(ordinal))


def week(day: date, offset: int = 0) -> Days:
    """Return Monday to Sunday of the week ``offset`` weeks from that of ``day``."""
    first = days_after(day, 7 * offset - day.weekday()).first
    return Days(first, days_after(first, 6).last)


def month(year: int, number: int) -> Days:
    """Return a whole month; ``number`` may run over the ends of the year (0: last December)."""
    year, index = year + (number - 1) // 12, (number - 1) % 12 + 1
    year = min(max(year, date.min.year), date.max.year)
    return Days(date(year, index, 1), date(year, index, monthrange(year, index)[1]))


def year(number: int) -> Days:
    """Return a whole year, held within the calendar."""
    number = min(max(number, date.min.year), date.max.year)
    return Days(date(number, 1, 1), date(number, 12, 31))


def months(year_number: int, first: int, last: int) -> Days:
    """Return the whole months ``first`` to ``last`` of a year."""
    return Days(month(year_number, first).first, month(year_number, last).last)


def season(year_number: int, first_month: int) -> Days:
    """Return three months from ``first_month``; the winter of a year begins in its December.

    As people say "the winter of 2023" of both its ends, January and February of that same year
    belong to it as well.
    """
    if first_month == WINTER_MONTH:
        return Days(month(year_number, 1).first, month(year_number + 1, 2).last)
    return months(year_number, first_month, first_month + 2)


def part_of_month(whole: Days, part: int) -> Days:
    """Return the first, second or last ten days (0, 1, 2) of a month."""
    first = whole.first
    if part == 0:
        return Days(first, first.replace(day=10))
    if part == 1:
        return Days(first.replace(day=11), first.replace(day=20))
    return Days(first.replace(day=21), whole.last)


def day_of_month(whole: Days, number: int) -> Days | None:
    """Return one day of a month, None if the month has no such day."""
    if 1 <= number <= whole.last.day:
        return single_day(whole.first.replace(day=number))
    return None


def day_ahead(begin: date, amount: int, unit: str) -> date:
    """Return the day so many days, weeks, months or years on; of a shorter month, its last."""
    if unit in {"day", "week"}:
        return begin + timedelta(days=amount * (7 if unit == "week" else 1))
    number = begin.month + amount * (1 if unit == "month" else 12)
    last = month(begin.year, number).last
    return last.replace(day=min(begin.day, last.day))


def latest_occurrence(of_year: Callable[[int], Days | None], today: date) -> Days | None:
    """Return the latest occurrence, begun by ``today``, of what recurs every year."""
    # Back over four years: 29 February has no occurrence in three of them.
    for number in (today.year, today.year - 1, today.year - 2, today.year - 3, today.year - 4):
        found = of_year(number)
        if found and found.first <= today:
            return found
    return None


def widened_by(middle: Days, slack: int) -> Days:
    """Return ``middle`` widened by ``slack`` days at both ends."""
    return Days(days_after(middle.first, -slack).first, days_after(middle.last, slack).last)


def days_until(today: date, days: int) -> Days:
    """Return the days from ``days`` ago to today, both included."""
    return Days(today - timedelta(days=days), today)


WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""The days of the week as a recurrence rule writes them, from Monday on."""

_DAY: Final = timedelta(days=1)
_YEARS_TRIED: Final = 9  # 29 February may be eight years away
_TWO_MONTHS: Final = 62
_LAST: Final = -1

Frequency: TypeAlias = Literal["", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

PartOfDay: TypeAlias = Literal["", "dawn", "morning", "noon", "afternoon", "evening"]


class DaySaid(NamedTuple):
    """A day as it was said; ``value`` belongs to the kind.

    ``fixed``: the one date. ``weekday``: 0 to 6. ``monthday``: 1 to 31, -1 for the last.
    ``yearday`` and ``lunar``: month and day, the first of them by the sun.
    """

    kind: Literal["fixed", "weekday", "monthday", "yearday", "lunar"]
    value: tuple[int, ...]

    @classmethod
    def of(cls, day: date) -> "DaySaid":
        """Return one date."""
        return cls("fixed", (day.toordinal(),))

    def first(self, after: date) -> date | None:
        """Return the first such day that is not before ``after``; one date is what it is."""
        match self.kind:
            case "fixed":
                return date.fromordinal(self.value[0])
            case "weekday":
                return after + timedelta(days=(self.value[0] - after.weekday()) % 7)
            case "lunar":
                return next_lunar(self.value[0], self.value[1], after)
            case "monthday":
                return _next_monthday(self.value[0], after)
            case "yearday":
                return _next_yearday(self.value[0], self.value[1], after)


def _next_monthday(number: int, after: date) -> date | None:
    days = (after + timedelta(days=n) for n in range(_TWO_MONTHS))
    return next((d for d in days if number in {d.day, _LAST * ((d + _DAY).day == 1)}), None)


def _next_yearday(month: int, day: int, after: date) -> date | None:
    for year in range(after.year, after.year + _YEARS_TRIED):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= after:
            return found
    return None


class ClockSaid(NamedTuple):
    """An hour as it was said; ``sure``: it says itself which half of the day is meant."""

    hour: int
    minute: int
    sure: bool = False


@dataclass(slots=True)
class TimeParts:
    """What the words of a text say of a time, filled in by the rules of one language.

    ``text`` loses what was read; ``spans`` are the places that were. ``feast`` names a day less
    surely than a date does, since it may belong to the matter. ``zone`` is where ``now`` counts.
    """

    text: str
    now: datetime
    spans: list[tuple[int, int]] = field(default_factory=list)
    days: list[DaySaid] = field(default_factory=list)
    feast: DaySaid | None = None
    clocks: list[ClockSaid] = field(default_factory=list)
    part: PartOfDay = ""
    delta: timedelta | None = None
    frequency: Frequency = ""
    interval: int = 1
    by_day: tuple[str, ...] = ()
    month_days: tuple[int, ...] = ()
    start: DaySaid | None = None
    until: DaySaid | None = None
    until_clock: ClockSaid | None = None
    before_until: bool = False
    length: int = 0
    times: int = 0
    vague: bool = False

    def take(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield what a pattern finds in what is left of the text, and take it out."""
        while found := pattern.search(self.text):
            self.cut(*found.span())
            yield found

    def cut(self, start: int, end: int) -> None:
        """Take a place out of the text; everything else stays where it is."""
        self.spans.append((start, end))
        self.text = f"{self.text[:start]}{chr(0) * (end - start)}{self.text[end:]}"

    @property
    def today(self) -> date:
        """The day on which it is said."""
        return self.now.date()
