"""Dates in Chinese text: the words, the one pattern that finds them, and what each means.

Built like :mod:`memory.text.dates_en`: one pattern, and the group that matched names the rule.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from memory.text import calendars
from memory.text.late_pattern import LatePattern

NUMBER_PATTERN: Final = "[0-9]{1,3}|[一二两三四五六七八九十]{1,3}|半|几|数"

YEAR_PATTERN: Final = (
    "大前年|前年|去年|今年|明年|后年|[12][0-9]{3}年|[一二][〇零○一二三四五六七八九]{3}年"
)

PART_PATTERN: Final = "上旬|中旬|下旬|月初|月中|月底|月末|初|中|底|末"

WEEKDAYS: Final = "一二三四五六日天"

DIGITS: Final = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}

YEARS_AWAY: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}

DAYS_AWAY: Final = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
}  # fmt: skip

# As wide as people mean them. 春节, 清明, 端午 and 中秋 follow the moon or the sun: theirs is the
# range in which they can fall.
PERIODS: Final[dict[str, Callable[[int], calendars.Days]]] = {
    "上半年": lambda y: calendars.months(y, 1, 6),
    "下半年": lambda y: calendars.months(y, 7, 12),
    "年初": lambda y: calendars.months(y, 1, 2),
    "年中": lambda y: calendars.months(y, 5, 7),
    "年底": lambda y: calendars.months(y, 11, 12),
    "年末": lambda y: calendars.months(y, 11, 12),
    "春": lambda y: calendars.season(y, 3),
    "夏": lambda y: calendars.season(y, 6),
    "秋": lambda y: calendars.season(y, 9),
    "冬": lambda y: calendars.season(y, 12),
    "元旦": lambda y: calendars.widened_by(calendars.single_day(date(y, 1, 1)), 1),
    "春节": lambda y: calendars.Days(date(y, 1, 21), date(y, 2, 25)),
    "过年": lambda y: calendars.Days(date(y, 1, 21), date(y, 2, 25)),
    "情人节": lambda y: calendars.single_day(date(y, 2, 14)),
    "清明": lambda y: calendars.Days(date(y, 4, 3), date(y, 4, 6)),
    "五一": lambda y: calendars.Days(date(y, 4, 29), date(y, 5, 5)),
    "劳动节": lambda y: calendars.Days(date(y, 4, 29), date(y, 5, 5)),
    "端午": lambda y: calendars.Days(date(y, 5, 25), date(y, 6, 25)),
    "中秋": lambda y: calendars.Days(date(y, 9, 7), date(y, 10, 8)),
    "国庆": lambda y: calendars.Days(date(y, 9, 29), date(y, 10, 8)),
    "十一假期": lambda y: calendars.Days(date(y, 9, 29), date(y, 10, 8)),
    "双十一": lambda y: calendars.Days(date(y, 11, 9), date(y, 11, 12)),
    "圣诞": lambda y: calendars.Days(date(y, 12, 24), date(y, 12, 26)),
    "跨年": lambda y: calendars.Days(date(y, 12, 30), date(y + 1, 1, 2)),
    "暑假": lambda y: calendars.months(y, 7, 8),
    "寒假": lambda y: calendars.months(y, 1, 2),
}

QUARTERS: Final = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}

_LONGEST_FIRST: Final = "|".join(sorted(PERIODS, key=len, reverse=True))

# Without a year before them some names are part of other words: 春 and 冬 of many,
# 年中 of 这些年中, 过年 of 通过年度.
_PERIODS_WITHOUT_YEAR: Final = "|".join(
    "(?<![通经超])过年(?![度级纪])" if name == "过年" else name
    for name in sorted(PERIODS, key=len, reverse=True)
    if len(name) > 1 and name != "年中"
)

# 每周五 is a habit and 一周五天 a count; 我周五 and 是周五 name a day.
_NO_WEEKDAY: Final = "每上下这本个一二三四五六七八九十两几半全整第A-Za-z0-9"

# The order of the alternatives decides, as in English; the lookarounds keep words apart that only
# contain a date: 日报, 每周一, 周一至周五.
DATE_PATTERN: Final = LatePattern(
    "(?<![0-9])(?P<iso>[12][0-9]{3}[-/.](?:1[0-2]|0?[1-9])[-/.](?:3[01]|[12][0-9]|0?[1-9]))(?![0-9])"
    f"|(?P<year>{YEAR_PATTERN})?(?:的)?(?:(?P<month>(?<![0-9])(?:1[0-2]|0?[1-9])|十[一二]|[一二三四五六七八九十])"
    "月(?:份)?|(?P<away>上上|上|这|本|当|下下|下)个?月)"
    f"(?:的)?(?:(?P<day>[0-9]{{1,2}}|三十一?|[一二]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]|(?P<part>{PART_PATTERN}))?"
    "(?:(?:到|至|-|—|~|～)(?:(?P<to_month>1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十])月)?(?:(?P<to_day>[0-9]{1,2})[日号])?)?"
    f"|(?P<only>{YEAR_PATTERN})(?:的)?(?:(?P<stretch>{_LONGEST_FIRST})|第?(?P<quarter>[一二三四1-4])季度|Q(?P<q>[1-4]))?"
    f"|(?P<loose>{_PERIODS_WITHOUT_YEAR}|[春夏秋冬][天季])"
    "|第?(?P<lone>[一二三四1-4])季度|(?<![A-Za-z])Q(?P<lone_q>[1-4])(?![0-9])"
    "|(?P<rel_day>大前|大后|[前昨今明后])(?:天|日(?![报本])|[儿兒][个個]?(?![子女童]))|(?P<part_day>[昨今明])(?:早|晚|夜)"
    f"|(?P<weeks>上上|上|这|本|下下|下)个?(?:周|星期|礼拜)(?P<weekday>[{WEEKDAYS}末])?"
    f"|(?<![{_NO_WEEKDAY}])(?:周|星期|礼拜)(?P<bare>[{WEEKDAYS}])(?![{WEEKDAYS}至到天次])|(?P<weekend>这个?周末|(?<![每上下])周末)"
    f"|(?P<count>{NUMBER_PATTERN})(?:多)?(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)(?P<side>之?以?前|之?以?后)"
    f"|(?:最近|近|过去)(?:的|这)?(?P<recent>{NUMBER_PATTERN})?(?P<recent_unit>天|日|周|个?星期|个月|年)"
    "|(?P<lately>最近(?!的?[一这那几]次)|近期|近来|这阵子|这段时间|这几天|前几天|前些天|前段时间|前阵子|刚才|刚刚)"
)


def mentions(text: str, today: date) -> Iterator[calendars.Mention]:
    """Yield what ``text`` means by its dates, seen from ``today``, in order."""
    return calendars.mentions_by(_RULES, DATE_PATTERN.finditer(text), today)


def numeral_value(text: str) -> int:
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


def _year_number(text: str, today: date) -> int:
    if text in YEARS_AWAY:
        return today.year + YEARS_AWAY[text]
    return numeral_value(text.removesuffix("年"))


def _iso_date(found: re.Match[str], _: date) -> calendars.Days | None:
    y, m, d = (int(part) for part in re.split("[-/.]", found["iso"]))
    return calendars.day_of_month(calendars.month(y, m), d)


def _month_or_day(found: re.Match[str], today: date) -> calendars.Days | None:
    """Resolve a month, by name or counted from now, and the day or part of it."""
    if found["away"]:
        away = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["away"], 0)
        return _part_of_month(found, calendars.month(today.year, today.month + away))
    index = numeral_value(found["month"])
    if found["year"]:
        return _part_of_month(found, calendars.month(_year_number(found["year"], today), index))
    return calendars.latest_occurrence(
        lambda y: _part_of_month(found, calendars.month(y, index)), today
    )


def _part_of_month(found: re.Match[str], whole: calendars.Days) -> calendars.Days | None:
    days: calendars.Days | None = whole
    if found["day"]:
        days = calendars.day_of_month(whole, numeral_value(found["day"]))
    elif found["part"]:
        places = {"上": 0, "初": 0, "中": 1}
        part = found["part"].removeprefix("月")
        days = calendars.part_of_month(whole, places.get(part[0], 2))
    if days is None or not (found["to_month"] or found["to_day"]):
        return days
    end = (
        calendars.month(whole.first.year, numeral_value(found["to_month"]))
        if found["to_month"]
        else whole
    )
    last = calendars.day_of_month(end, int(found["to_day"])) if found["to_day"] else end
    return calendars.Days(days.first, last.last) if last and last.last >= days.first else days


def _year_or_part(found: re.Match[str], today: date) -> calendars.Days | None:
    whole = _year_number(found["only"], today)
    if found["stretch"]:
        return PERIODS[found["stretch"]](whole)
    quarter = found["quarter"] or found["q"]
    if quarter:
        last = 3 * QUARTERS[quarter]
        return calendars.months(whole, last - 2, last)
    return calendars.year(whole)


def _yearless_period(found: re.Match[str], today: date) -> calendars.Days | None:
    name = found["loose"]
    return calendars.latest_occurrence(
        PERIODS.get(name, PERIODS.get(name[0], calendars.year)), today
    )


def _quarter(found: re.Match[str], today: date) -> calendars.Days | None:
    last = 3 * QUARTERS[found["lone"] or found["lone_q"]]
    return calendars.latest_occurrence(lambda y: calendars.months(y, last - 2, last), today)


def _relative_day(found: re.Match[str], today: date) -> calendars.Days:
    return calendars.days_after(today, DAYS_AWAY[found["rel_day"] or found["part_day"]])


def _relative_week(found: re.Match[str], today: date) -> calendars.Days:
    whole = calendars.week(
        today, {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["weeks"], 0)
    )
    return _day_in_week(whole, found["weekday"])


def _day_in_week(whole: calendars.Days, weekday: str | None) -> calendars.Days:
    if not weekday:
        return whole
    if weekday == "末":
        return calendars.Days(calendars.days_after(whole.last, -1).first, whole.last)
    return calendars.days_after(whole.first, min(WEEKDAYS.index(weekday), 6))


def _bare_weekday(found: re.Match[str], today: date) -> calendars.Days:
    """Resolve a weekday that says not which week: the newest one that has come."""
    return calendars.days_after(
        today, -((today.weekday() - min(WEEKDAYS.index(found["bare"]), 6)) % 7)
    )


def _weekend(_: re.Match[str], today: date) -> calendars.Days:
    return _day_in_week(calendars.week(today), "末")


def _counted_distance(found: re.Match[str], today: date) -> calendars.Days:
    side = -1 if found["side"].endswith("前") else 1
    return _distance_away(found["count"], found["unit"], side, today)


def _distance_away(count: str, unit: str, side: int, today: date) -> calendars.Days:
    half = count == "半"
    vague = count in {"几", "数"}
    size = 0 if half else numeral_value(count)
    if unit in {"天", "日"}:
        days = calendars.days_after(today, side * size)
        return calendars.widened_by(days, 2) if vague else days
    if unit.endswith(("周", "星期", "礼拜")):
        return calendars.widened_by(
            calendars.days_after(today, side * 7 * size), 7 if vague else 0
        )
    if half:
        return calendars.widened_by(
            calendars.days_after(today, side * (15 if unit.endswith("月") else 182)), 7
        )
    if unit.endswith("月"):
        return calendars.months(
            today.year, today.month + side * size - vague, today.month + side * size + vague
        )
    return calendars.Days(
        calendars.year(today.year + side * size - vague).first,
        calendars.year(today.year + side * size + vague).last,
    )


def _recent_period(found: re.Match[str], today: date) -> calendars.Days:
    unit, size = found["recent_unit"], numeral_value(found["recent"] or "一")
    if found["recent"] == "半":
        return calendars.days_until(today, 15 if unit.endswith("月") else 183)
    days = 1 if unit in {"天", "日"} else 7
    if unit.endswith("月"):
        days = 30
    if unit == "年":
        days = 365
    return calendars.days_until(today, days * size)


def _recent_weeks(found: re.Match[str], today: date) -> calendars.Days:
    return calendars.days_until(today, 1 if found["lately"].startswith("刚") else 21)


# Several groups of one match may be set: the first one listed here names the rule. The flag says
# that the date counts from the day of speaking.
_RULES: Final[tuple[calendars.DateRule, ...]] = (
    ("iso", _iso_date, False),
    ("away", _month_or_day, True),
    ("month", _month_or_day, False),
    ("only", _year_or_part, False),
    ("loose", _yearless_period, False),
    ("lone", _quarter, False),
    ("lone_q", _quarter, False),
    ("rel_day", _relative_day, True),
    ("part_day", _relative_day, True),
    ("weeks", _relative_week, True),
    ("bare", _bare_weekday, False),
    ("weekend", _weekend, True),
    ("count", _counted_distance, True),
    ("recent_unit", _recent_period, False),
    ("lately", _recent_weeks, False),
)
