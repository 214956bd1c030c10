"""Days, weeks, months and seasons as ranges of days.

The arithmetic and the values that both languages share, and the Chinese calendar from 2015 to
2060: its months and festivals, and 清明 and 冬至 by the sun.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple, TypeAlias

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


DateRule: TypeAlias = tuple[str, Callable[[re.Match[str], date], Days | None], bool]
"""The group of a pattern that was found, what it means seen from a day, and if it is relative."""


def mentions_by(
    rules: Sequence[DateRule], found: Iterable[re.Match[str]], today: date
) -> Iterator[Mention]:
    """Yield what is found of a pattern as the first rule reads it whose group is set, in order."""
    for each in found:
        for name, resolve, relative in rules:
            if each[name] is not None:
                days = resolve(each, today)
                if days:
                    yield Mention(each.start(), each.end(), days, relative)
                break


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


FIRST_YEAR: Final = 2015

# One number a year: bit 16 says that the leap month is long, bits 15 to 4 which of the twelve
# months are (30 days, else 29), and the last four which month a leap month follows, 0 for none.
_YEARS: Final = (
    0x04BA0, 0x0A5B0, 0x15176, 0x05270, 0x0A930, 0x07954, 0x06AA0, 0x0AD50,
    0x05B52, 0x04B60, 0x0A6E6, 0x0A4E0, 0x0D260, 0x0EA65, 0x0D530, 0x05AA0,
    0x076A3, 0x096D0, 0x04AFB, 0x04AD0, 0x0A4D0, 0x1D0B6, 0x0D250, 0x0D520,
    0x0DD45, 0x0B5A0, 0x056D0, 0x055B2, 0x049B0, 0x0A577, 0x0A4B0, 0x0AA50,
    0x1B255, 0x06D20, 0x0ADA0, 0x14B63, 0x09370, 0x049F8, 0x04970, 0x064B0,
    0x168A6, 0x0EA50, 0x06B20, 0x1A6C4, 0x0AAE0, 0x092E0,
)  # fmt: skip

LAST_YEAR: Final = FIRST_YEAR + len(_YEARS) - 1

_FIRST_DAY: Final = date(2015, 2, 19)

_MONTHS: Final = 12

FESTIVALS: Final = {
    "春节": (1, 1), "大年初一": (1, 1), "元宵节": (1, 15), "元宵": (1, 15), "端午节": (5, 5),
    "端午": (5, 5), "七夕": (7, 7), "中元节": (7, 15), "中秋节": (8, 15), "中秋": (8, 15),
    "重阳节": (9, 9), "重阳": (9, 9), "腊八节": (12, 8), "腊八": (12, 8), "小年": (12, 23),
    "除夕": (12, 30), "大年三十": (12, 30), "年三十": (12, 30), "年夜饭": (12, 30),
}  # fmt: skip
"""Month and day of the festivals by the moon; day 30 of the last month means its last day."""


FEASTS_BY_SUN: Final = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "植树节": (3, 12), "愚人节": (4, 1),
    "劳动节": (5, 1), "五一": (5, 1), "青年节": (5, 4), "520": (5, 20), "儿童节": (6, 1),
    "六一": (6, 1), "建党节": (7, 1), "建军节": (8, 1), "爸爸节": (8, 8), "教师节": (9, 10),
    "国庆节": (10, 1), "国庆": (10, 1), "十一": (10, 1), "万圣夜": (10, 31), "光棍节": (11, 11),
    "双十一": (11, 11), "双11": (11, 11), "双十二": (12, 12), "平安夜": (12, 24),
    "圣诞节": (12, 25), "圣诞": (12, 25), "跨年夜": (12, 31), "跨年": (12, 31),
}  # fmt: skip
"""Month and day of those by the sun."""


def lunar_date(year: int, month: int, day: int) -> date | None:
    """Return the day of a lunar year, never of its leap month; None if there is no such day.

    Day 30 of the twelfth month is its last day, the eve of the new year, also if it has 29.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR or not 1 <= month <= _MONTHS:
        return None
    first = _FIRST_DAY
    for number in range(FIRST_YEAR, year):
        first += timedelta(days=sum(_lengths(number)))
    lengths = _lengths(year)
    leap = _YEARS[year - FIRST_YEAR] & 0xF
    place = month - 1 + (0 < leap < month)
    if month == _MONTHS:
        day = min(day, lengths[place])
    if not 1 <= day <= lengths[place]:
        return None
    return first + timedelta(days=sum(lengths[:place]) + day - 1)


def next_lunar(month: int, day: int, after: date) -> date | None:
    """Return the first such lunar day that is not before ``after``; None beyond the table."""
    for year in range(after.year - 1, after.year + 4):
        found = lunar_date(year, month, day)
        if found is not None and found >= after:
            return found
    return None


def qingming(year: int) -> date:
    """Return 清明 of a year of this century, by the usual formula for a solar term."""
    y = year % 100
    return date(year, 4, int(y * 0.2422 + 4.81) - y // 4)


def dongzhi(year: int) -> date:
    """Return 冬至, the winter solstice in China, of a year of this century."""
    y = year % 100
    return date(year, 12, int(y * 0.2422 + 21.94) - y // 4)


def _lengths(year: int) -> list[int]:
    """Return the lengths of the months of a lunar year, the leap month in its place."""
    code = _YEARS[year - FIRST_YEAR]
    lengths = [29 + (code >> (16 - month) & 1) for month in range(1, _MONTHS + 1)]
    leap = code & 0xF
    if leap:
        lengths.insert(leap, 29 + (code >> 16))
    return lengths
