"""How Chinese names dates: the words, what they stand for, and the one pattern that finds them."""

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from memory.text.calendars import Days, months, season, single_day, widened_by

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
PERIODS: Final[dict[str, Callable[[int], Days]]] = {
    "上半年": lambda y: months(y, 1, 6),
    "下半年": lambda y: months(y, 7, 12),
    "年初": lambda y: months(y, 1, 2),
    "年中": lambda y: months(y, 5, 7),
    "年底": lambda y: months(y, 11, 12),
    "年末": lambda y: months(y, 11, 12),
    "春": lambda y: season(y, 3),
    "夏": lambda y: season(y, 6),
    "秋": lambda y: season(y, 9),
    "冬": lambda y: season(y, 12),
    "元旦": lambda y: widened_by(single_day(date(y, 1, 1)), 1),
    "春节": lambda y: Days(date(y, 1, 21), date(y, 2, 25)),  # lunar: where it can fall
    "过年": lambda y: Days(date(y, 1, 21), date(y, 2, 25)),
    "情人节": lambda y: single_day(date(y, 2, 14)),
    "清明": lambda y: Days(date(y, 4, 3), date(y, 4, 6)),
    "五一": lambda y: Days(date(y, 4, 29), date(y, 5, 5)),
    "劳动节": lambda y: Days(date(y, 4, 29), date(y, 5, 5)),
    "端午": lambda y: Days(date(y, 5, 25), date(y, 6, 25)),
    "中秋": lambda y: Days(date(y, 9, 7), date(y, 10, 8)),
    "国庆": lambda y: Days(date(y, 9, 29), date(y, 10, 8)),
    "十一假期": lambda y: Days(date(y, 9, 29), date(y, 10, 8)),
    "双十一": lambda y: Days(date(y, 11, 9), date(y, 11, 12)),
    "圣诞": lambda y: Days(date(y, 12, 24), date(y, 12, 26)),
    "跨年": lambda y: Days(date(y, 12, 30), date(y + 1, 1, 2)),
    "暑假": lambda y: months(y, 7, 8),
    "寒假": lambda y: months(y, 1, 2),
}
QUARTERS: Final = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}

_LONGEST_FIRST: Final = "|".join(sorted(PERIODS, key=len, reverse=True))
_PERIODS_WITHOUT_YEAR: Final = "|".join(
    "(?<![通经超])过年(?![度级纪])" if name == "过年" else name
    for name in sorted(PERIODS, key=len, reverse=True)
    if len(name) > 1 and name != "年中"
)

DATE_PATTERN: Final = re.compile(
    "(?<![0-9])(?P<iso>[12][0-9]{3}[-/.](?:1[0-2]|0?[1-9])[-/.](?:3[01]|[12][0-9]|0?[1-9]))(?![0-9])"
    f"|(?P<year>{YEAR_PATTERN})?(?:的)?(?:(?P<month>(?<![0-9])(?:1[0-2]|0?[1-9])|十[一二]|[一二三四五六七八九十])"
    "月(?:份)?|(?P<away>上上|上|这|本|当|下下|下)个?月)"
    f"(?:的)?(?:(?P<day>[0-9]{{1,2}}|三十一?|[一二]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]|(?P<part>{PART_PATTERN}))?"
    "(?:(?:到|至|-|—|~|～)(?:(?P<to_month>1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十])月)?(?:(?P<to_day>[0-9]{1,2})[日号])?)?"
    f"|(?P<only>{YEAR_PATTERN})(?:的)?(?:(?P<stretch>{_LONGEST_FIRST})|第?(?P<quarter>[一二三四1-4])季度|Q(?P<q>[1-4]))?"
    f"|(?P<loose>{_PERIODS_WITHOUT_YEAR}|[春夏秋冬][天季])"
    "|第?(?P<lone>[一二三四1-4])季度|(?<![A-Za-z])Q(?P<lone_q>[1-4])(?![0-9])"
    "|(?P<rel_day>大前|大后|[前昨今明后])(?:天|日(?![报本]))|(?P<part_day>[昨今明])(?:早|晚|夜)"
    f"|(?P<weeks>上上|上|这|本|下下|下)个?(?:周|星期|礼拜)(?P<weekday>[{WEEKDAYS}末])?"
    f"|(?<![每\\w])(?:周|星期|礼拜)(?P<bare>[{WEEKDAYS}])(?![{WEEKDAYS}至到])|(?P<weekend>这个?周末|(?<![每上下])周末)"
    f"|(?P<count>{NUMBER_PATTERN})(?:多)?(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)(?P<side>之?以?前|之?以?后)"
    f"|(?:最近|近|过去)(?:的|这)?(?P<recent>{NUMBER_PATTERN})?(?P<recent_unit>天|日|周|个?星期|个月|年)"
    "|(?P<lately>最近(?!的?[一这那几]次)|近期|近来|这阵子|这段时间|这几天|前几天|前些天|前段时间|前阵子|刚才|刚刚)"
)
