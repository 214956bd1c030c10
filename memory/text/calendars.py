"""Days, weeks, months and seasons as stretches of days; the arithmetic both languages share."""

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

WINTER_MONTH = 12


class Days(NamedTuple):
    """A stretch of days, both ends included."""

    first: date
    last: date

    def __bool__(self) -> bool:
        return self.first <= self.last


class Mention(NamedTuple):
    """A place in a text that means a stretch of days.

    ``relative`` says that it was counted from the day of speaking (明天, last Friday), so that it
    means nothing later unless the date is written beside it.
    """

    start: int
    end: int
    days: Days
    relative: bool


def single_day(day: date) -> Days:
    """Return a single day."""
    return Days(day, day)


def days_after(day: date, days: int) -> Days:
    """Return the single day ``days`` after ``day``; the ends of the calendar hold."""
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return single_day(date.fromordinal(ordinal))


def week(day: date, offset: int = 0) -> Days:
    """Return Monday to Sunday of the week ``offset`` weeks from that of ``day``."""
    first = days_after(day, 7 * offset - day.weekday()).first
    return Days(first, days_after(first, 6).last)


def month(year: int, number: int) -> Days:
    """Return a whole month; ``number`` may run over the ends of the year (0: December before)."""
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


def latest_occurrence(of_year: Callable[[int], Days | None], today: date) -> Days | None:
    """Return the newest occurrence that has begun by ``today`` of what recurs every year."""
    for number in (today.year, today.year - 1, today.year - 2, today.year - 3, today.year - 4):
        found = of_year(number)
        if found and found.first <= today:
            return found
    return None


def widened_by(middle: Days, slack: int) -> Days:
    """Return ``middle`` widened by ``slack`` days on both sides."""
    return Days(days_after(middle.first, -slack).first, days_after(middle.last, slack).last)


def days_until(today: date, days: int) -> Days:
    """Return the ``days`` days that end today."""
    return Days(today - timedelta(days=days), today)
