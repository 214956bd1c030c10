"""Dates in Chinese text."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final, TypeAlias

from memory.text.calendars import (
    Days,
    Mention,
    around,
    day_of_month,
    latest,
    month,
    months,
    part_of_month,
    shifted,
    until,
    week,
    year,
)
from memory.text.words_zh import (
    DATE,
    DAYS_AWAY,
    DIGITS,
    QUARTERS,
    STRETCHES,
    WEEKDAYS,
    YEARS_AWAY,
)

Finder: TypeAlias = Callable[[re.Match[str], date], Days | None]


def mentions(text: str, today: date) -> Iterator[Mention]:
    """Yield what ``text`` means by its dates, seen from ``today``, in order."""
    for found in DATE.finditer(text):
        for name, resolve, relative in _RULES:
            if found[name] is not None:
                days = resolve(found, today)
                if days:
                    yield Mention(found.start(), found.end(), days, relative)
                break


def number(text: str) -> int:
    """Return what a Chinese or Arabic numeral under 1000 means; 几 and 数 count as 3."""
    if text.isdigit():
        return int(text)
    if text in {"几", "数"}:
        return 3
    if "十" in text:
        tens, ones = text.split("十", 1)
        return 10 * DIGITS.get(tens, 1) + DIGITS.get(ones, 0)
    value = 0
    for character in text:
        value = 10 * value + DIGITS.get(character, 0)
    return value


def _year(text: str, today: date) -> int:
    if text in YEARS_AWAY:
        return today.year + YEARS_AWAY[text]
    return number(text.removesuffix("年"))


def _iso(found: re.Match[str], _: date) -> Days | None:
    y, m, d = (int(part) for part in re.split("[-/.]", found["iso"]))
    return day_of_month(month(y, m), d)


def _of_month(found: re.Match[str], today: date) -> Days | None:
    """Resolve a month, by name or counted from now, and the day or part of it."""
    if found["away"]:
        away = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["away"], 0)
        return _within(found, month(today.year, today.month + away))
    index = number(found["month"])
    if found["year"]:
        return _within(found, month(_year(found["year"], today), index))
    return latest(lambda y: _within(found, month(y, index)), today)


def _within(found: re.Match[str], whole: Days) -> Days | None:
    days: Days | None = whole
    if found["day"]:
        days = day_of_month(whole, number(found["day"]))
    elif found["part"]:
        places = {"上": 0, "初": 0, "中": 1}
        part = found["part"].removeprefix("月")
        days = part_of_month(whole, places.get(part[0], 2))
    if days is None or not (found["to_month"] or found["to_day"]):
        return days
    end = month(whole.first.year, number(found["to_month"])) if found["to_month"] else whole
    last = day_of_month(end, int(found["to_day"])) if found["to_day"] else end
    return Days(days.first, last.last) if last and last.last >= days.first else days


def _of_year(found: re.Match[str], today: date) -> Days | None:
    whole = _year(found["only"], today)
    if found["stretch"]:
        return STRETCHES[found["stretch"]](whole)
    quarter = found["quarter"] or found["q"]
    if quarter:
        last = 3 * QUARTERS[quarter]
        return months(whole, last - 2, last)
    return year(whole)


def _loose(found: re.Match[str], today: date) -> Days | None:
    name = found["loose"]
    return latest(STRETCHES.get(name, STRETCHES.get(name[0], year)), today)


def _quarter(found: re.Match[str], today: date) -> Days | None:
    last = 3 * QUARTERS[found["lone"] or found["lone_q"]]
    return latest(lambda y: months(y, last - 2, last), today)


def _day(found: re.Match[str], today: date) -> Days:
    return shifted(today, DAYS_AWAY[found["rel_day"] or found["part_day"]])


def _weeks(found: re.Match[str], today: date) -> Days:
    whole = week(today, {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["weeks"], 0))
    return _in_week(whole, found["weekday"])


def _in_week(whole: Days, weekday: str | None) -> Days:
    if not weekday:
        return whole
    if weekday == "末":
        return Days(shifted(whole.last, -1).first, whole.last)
    return shifted(whole.first, min(WEEKDAYS.index(weekday), 6))


def _bare(found: re.Match[str], today: date) -> Days:
    """Resolve a weekday that says not which week: the newest one that has come."""
    return shifted(today, -((today.weekday() - min(WEEKDAYS.index(found["bare"]), 6)) % 7))


def _weekend(_: re.Match[str], today: date) -> Days:
    return _in_week(week(today), "末")


def _counted(found: re.Match[str], today: date) -> Days:
    side = -1 if found["side"].endswith("前") else 1
    return _away(found["count"], found["unit"], side, today)


def _away(count: str, unit: str, side: int, today: date) -> Days:
    half = count == "半"
    vague = count in {"几", "数"}
    size = 0 if half else number(count)
    if unit in {"天", "日"}:
        days = shifted(today, side * size)
        return around(days, 2) if vague else days
    if unit.endswith(("周", "星期", "礼拜")):
        return around(shifted(today, side * 7 * size), 7 if vague else 0)
    if half:
        return around(shifted(today, side * (15 if unit.endswith("月") else 182)), 7)
    if unit.endswith("月"):
        return months(
            today.year, today.month + side * size - vague, today.month + side * size + vague
        )
    return Days(
        year(today.year + side * size - vague).first, year(today.year + side * size + vague).last
    )


def _recent(found: re.Match[str], today: date) -> Days:
    unit, size = found["recent_unit"], number(found["recent"] or "一")
    if found["recent"] == "半":
        return until(today, 15 if unit.endswith("月") else 183)
    days = 1 if unit in {"天", "日"} else 7
    if unit.endswith("月"):
        days = 30
    if unit == "年":
        days = 365
    return until(today, days * size)


def _lately(found: re.Match[str], today: date) -> Days:
    return until(today, 1 if found["lately"].startswith("刚") else 21)


_RULES: Final[tuple[tuple[str, Finder, bool], ...]] = (
    ("iso", _iso, False),
    ("away", _of_month, True),
    ("month", _of_month, False),
    ("only", _of_year, False),
    ("loose", _loose, False),
    ("lone", _quarter, False),
    ("lone_q", _quarter, False),
    ("rel_day", _day, True),
    ("part_day", _day, True),
    ("weeks", _weeks, True),
    ("bare", _bare, False),
    ("weekend", _weekend, True),
    ("count", _counted, True),
    ("recent_unit", _recent, False),
    ("lately", _lately, False),
)
