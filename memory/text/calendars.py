"""Days, weeks, months and seasons as ranges of days, and times as they are said.

The arithmetic and the values that both languages share, and the Chinese calendar from 2015 to
2060: its months and festivals, and 清明 and 冬至 by the sun.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from memory.text.late_pattern import LatePattern
from memory.text.word_forms import SIMPLIFIED

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

TimeRule: TypeAlias = "Callable[[TimeParts], None]"
FoundRule: TypeAlias = "Callable[[re.Match[str], TimeParts], None]"
"""Reads one kind of words into the parts of a time, and takes them out of the text."""

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


_NOON: Final = 12
_MIDNIGHT: Final = 24
_EARLY: Final = 4
_LATE_MORNING: Final = 7


class ClockSaid(NamedTuple):
    """An hour as it was said; ``sure``: it says itself which half of the day is meant."""

    hour: int
    minute: int
    sure: bool = False

    @classmethod
    def of(cls, hour: int, minute: int, part: PartOfDay) -> "ClockSaid":
        """Return an hour moved into the part of the day that was said with it."""
        if hour == _NOON and part in {"evening", "dawn"}:
            return cls(_MIDNIGHT, minute, sure=True)
        afternoon = part == "afternoon" or (part == "evening" and hour >= _EARLY)
        if (afternoon and hour < _NOON) or (part == "noon" and hour < _EARLY):
            return cls(hour + _NOON, minute, sure=True)
        by_day = part in {"morning", "dawn", "noon"} and hour <= _NOON
        return cls(hour, minute, sure=by_day or hour > _NOON)

    def hour_in(self, part: PartOfDay) -> int | None:
        """Return the hour from 0 to 24 that is meant; None if it might be either half."""
        hour = self.hour
        if self.sure or hour > _NOON or hour == 0:
            return hour
        late = hour + _NOON * (hour < _NOON)
        match part:
            case "dawn" | "morning":
                return hour % _NOON if part == "dawn" else hour
            case "noon":
                return late if hour < _EARLY else hour
            case "afternoon":
                return late
            case "evening":
                # At two at night: of this night or of that before?
                return late if hour >= _EARLY else None
            case _:
                return hour if hour >= _LATE_MORNING else late if hour <= _EARLY else None


def part_named(word: str) -> PartOfDay:
    """Return the part of the day that an English word names; nothing for whole days."""
    match word:
        case "dawn" | "morning" | "afternoon" | "evening":
            return word
        case "night":
            return "evening"
        case _:
            return ""


_DIGITS: Final = {**{ord("０") + n: str(n) for n in range(10)}, ord("："): ":", ord("　"): " "}

# No time is told by such a number. Whole it would be tried from each of its digits on, and beyond
# 4,300 of them it is none to Python; what takes its place is as far out of every calendar.
_ENDLESS: Final = LatePattern("[0-9]{13,}|[零〇一二两三四五六七八九十廿卅]{13,}")


def _far_off(number: re.Match[str]) -> str:
    return "999999999999".rjust(len(number[0]))


@dataclass(slots=True)
class TimeParts:
    """What the words of a text say of a time, filled in by the rules of one language.

    ``text`` loses what was read; ``spans`` are the places that were. ``feast`` names a day less
    surely than a date does, since it may belong to the matter. ``zone`` is where ``now`` counts.
    ``ahead`` is how long before the rest it is meant: an hour before the match at three.
    """

    text: str
    now: datetime
    spans: list[tuple[int, int]] = field(default_factory=list)
    days: list[DaySaid] = field(default_factory=list)
    feast: DaySaid | None = None
    clocks: list[ClockSaid] = field(default_factory=list)
    part: PartOfDay = ""
    delta: timedelta | None = None
    ahead: timedelta | None = None
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

    @classmethod
    def of(cls, text: str, now: datetime) -> "TimeParts":
        """Return the parts of a text of which nothing was read yet."""
        plain = text.translate(SIMPLIFIED).translate(_DIGITS).lower()
        return cls(_ENDLESS.sub(_far_off, plain if len(plain) == len(text) else text.lower()), now)

    def take(self, pattern: LatePattern) -> Iterator[re.Match[str]]:
        """Yield what a pattern finds in what is left of the text, and take it out."""
        while found := pattern.search(self.text):
            self.cut(*found.span())
            yield found

    def cut(self, start: int, end: int) -> None:
        """Take a place out of the text; everything else stays where it is."""
        self.spans.append((start, end))
        self.text = f"{self.text[:start]}{chr(0) * (end - start)}{self.text[end:]}"

    def read_by(self, rules: Sequence[TimeRule], of_days: Sequence[TimeRule]) -> None:
        """Let rules read; beside "in half an hour" the days and hours belong to the matter."""
        for rule in rules:
            rule(self)
        for rule in of_days if self.delta is None else ():
            rule(self)

    @property
    def today(self) -> date:
        """The day on which it is said."""
        return self.now.date()


# The months follow from observing the moon and not from arithmetic, so they are a table. Day by
# day it agrees with the Chinese calendar of the Unicode library (ICU) but for two evenings, 6
# February 2027 and 2 February 2030, where ICU sees the new moon a day late and the published
# calendar holds.
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
