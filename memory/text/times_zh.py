"""Times in Chinese, Cantonese too: what each word says of an hour, a day or a recurrence.

The rules run from the most particular on; each takes what it has read out of the text.
"""

import re
from datetime import date, timedelta
from typing import Final

from memory.text import calendars
from memory.text.calendars import WEEKDAYS
from memory.text.dates_zh import DAYS_AWAY, numeral_value
from memory.text.late_pattern import LatePattern
from memory.text.time_parts import ClockSaid, DaySaid, FoundRule, PartOfDay, TimeParts

_N: Final = "(?:[0-9]+|[零〇一二两三四五六七八九十廿卅]+)"

_PARTS: Final[tuple[tuple[PartOfDay, str], ...]] = (
    ("dawn", "凌晨|半夜|深夜|后半夜"),
    (
        "morning",
        "大清早|清晨|清早|一大早|早晨|早上|朝早|上午|上昼|早间|早起|早|晨|(?<=今)朝|(?<=听)朝",
    ),
    ("noon", "正午|中午|晌午|午间|晏昼"),
    ("afternoon", "下午|下昼|午后"),
    ("evening", "傍晚|黄昏|晚上|晚间|夜晚|夜里|夜间|今夜|晚|夜"),
)
_PART: Final = "|".join(f"(?P<{name}>{words})" for name, words in _PARTS)
_ANY_PART: Final = "|".join(words for _, words in _PARTS)

_ONE_DAY: Final = rf"(?:(?P<y>[12][0-9]{{3}})[-年/.])?(?<![0-9])(?P<m>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])(?:月|[-/](?=[0-9]))(?:份)?(?:的)?(?:(?P<d>[0-9]{{1,2}}|{_N})(?:[日号](?![线元])|(?![0-9点时:.]))|(?P<last>最后一天|底|末)|初(?P<early>[一二三四五六七八九十]))"
_MONTH_DAY: Final = LatePattern(_ONE_DAY)
_MOON: Final = LatePattern(
    rf"(?:(?:农历|阴历|旧历)(?P<m>{_N}|正|冬|腊)月|(?P<m2>正|冬|腊)月|(?P<m3>{_N})月(?=初|廿))(?:(?P<d>初?{_N}|廿{_N}?)[日号]?)"
)
_ALONE: Final = "(?<![-_#.0-9A-Za-z])"
"""Before figures: what goes on a number or a code names no time."""
_NO_COUNT: Final = "(?![-_%.0-9A-Za-z块元号路室房楼])"
"""After figures: they are no sum, no address and no code."""

_FEAST_NAMES: Final = sorted(
    {*calendars.FESTIVALS, *calendars.FEASTS_BY_SUN, "清明", "冬至", "母亲节", "父亲节"}
    - {"十一", "520"},
    key=len,
    reverse=True,
)
_FEAST: Final = LatePattern(
    f"(?:农历|今年|明年)?(?P<name>{'|'.join(_FEAST_NAMES)}|{_ALONE}520{_NO_COUNT})(?:节)?(?:那天|当天|当日|[嗰那](?=晚))?(?!前|之前)"
)

_UNIT: Final = "(?:小时|钟头|个钟|分钟|秒钟?|刻钟|分(?!钟))"
_PIECE: Final = rf"(?:{_N}|[0-9]+\.[0-9]+|半)(?:个?半)?个?{_UNIT}(?:半|零?+)"
_DELTA: Final = LatePattern(
    rf"(?:再?过|等)(?P<a>(?:{_PIECE})+)(?:之?以?后)?|(?P<b>(?:{_PIECE})+)(?:之?以?后|过后|后)"
)
_ONE_PIECE: Final = LatePattern(
    rf"(?P<n>{_N}|[0-9]+\.[0-9]+|半)(?P<g>个)?(?P<half>半)?个?(?P<unit>{_UNIT})(?P<more>半)?"
)
_SECONDS: Final = {"小时": 3600, "钟头": 3600, "个钟": 3600, "分钟": 60, "分": 60, "刻钟": 900}
_WHOLE_DAYS: Final = LatePattern(rf"(?P<n>{_N})个?(?:天|日|(?P<weeks>周|星期|礼拜))")
_SO_LONG: Final = rf"(?:(?:{_PIECE})+|{_N}个?(?:天|日|周|星期|礼拜))"
_BEFOREHAND: Final = LatePattern(
    rf"提[前早](?P<a>{_SO_LONG})(?!了|到)|(?:^|(?<=[一-鿿\x00 ]))(?<![我你他她的以目提])[之以]?前的?(?P<b>{_SO_LONG})(?!了)|(?:前一|头一?)(?P<c>[天日](?!前)|(?=晚))|(?P<d>(?:{_PIECE})+)[之以]?前(?=再?(?:提醒|叫|喊))"
)
_BIDS: Final = LatePattern("提醒|[叫喊]我|闹钟")
_THEN: Final = LatePattern(rf"的?(?:{_ANY_PART})?(?:{_N}[点:][0-9半]*)?[再就也]?(?:提醒|[叫喊]我)")

_AHEAD: Final = LatePattern(
    rf"(?:再?过)?(?P<n>{_N}|半)(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)(?:之?以?后|过后|后(?!天))(?:的今天)?|下(?:个)?(?P<next>周|星期|礼拜|月)的今天"
)
_NEAR: Final = LatePattern(
    rf"(?P<day>大前|大后|[前昨今明后听])(?:天|日|儿个?)(?!报)|(?P<part>(?<!清)[今明听])(?={_ANY_PART})"
)
_DAY_NAME: Final = "[一二三四五六日天]"
_WEEK: Final = "(?:周|星期|礼拜|拜)"
_WEEKDAY: Final = LatePattern(
    rf"(?P<away>下下|下|这|本|上上|上)个?{_WEEK}(?P<day>{_DAY_NAME})|{_WEEK}(?P<bare>{_DAY_NAME})"
)
_VAGUE: Final = LatePattern(
    rf"(?:下下|下|这|本)个?(?:{_WEEK}末?|月)|周末|改天|等有空|有空的?时候|到时候?|晚点"
    r"|过[几两]天|[这近过]阵子?|最近|这几天|回头|找个时间|过年的?时候|年前|年底前|月底前|前(?=提醒)|到[^,，。\s\x00]{1,8}的?时候"
)
_BARE_DAY: Final = LatePattern(
    rf"(?P<which>下个?月|这个?月|本月)?(?<![0-9:])(?P<d>[0-9]{{1,2}}|{_N})[号日](?![线楼院])|(?P<end>(?P<of>下个?月|这个?月|本月|当月)?(?:最后一天|月底|(?<=月)底))|(?P<year>年底)"
)

_CLOCK: Final = LatePattern(
    rf"(?:差(?P<to>{_N})分钟?(?:到)?)?(?P<h>{_N})(?:点钟?|时(?![候间常不])|[:.](?=[0-9]{{2}}))(?:(?P<half>半)|(?P<q>[一三1３3两二])(?:刻|个骨)|(?P<five>{_N})个字|(?P<mm>{_N})分?(?![0-9号])|(?P<sharp>整))?(?:之?前|左右|的时候)?"
)
_FOUR: Final = LatePattern(
    rf"{_ALONE}(?P<h>[01][0-9]|2[0-3])(?P<mm>[0-5][0-9])(?![年月]){_NO_COUNT}"
)
_ZERO: Final = LatePattern("零点(?!零?[0-9一二三四五六七八九十半])|午夜|子夜")

_EVERY_TIME: Final = LatePattern(rf"每(?:隔|过)?(?P<n>{_N}|半)?个?(?P<unit>小时|钟头|分钟)")
_EVERY: Final = LatePattern(
    rf"(?:每|逢)(?P<gap>隔)?(?P<n>{_N})?个?(?P<unit>天|日|周末|周|星期|礼拜|月|季度|年|工作日)(?:两天|都)*|隔(?P<alt>天|日|周|星期|礼拜|月|年)|每(?=个?(?:{_ANY_PART}))|天天|日日|(?<![个后一二三四五首末])(?P<work>工作日|平日|上班日)"
)
_LIST: Final = LatePattern(
    rf"\x00*(?:的)?(?:{_WEEK})?(?P<days>{_DAY_NAME}(?:(?:[、,和跟及与到至]|{_WEEK}|的)*{_DAY_NAME})*)(?![0-9点号月])"
)
_RANGE: Final = LatePattern(rf"{_WEEK}(?P<a>{_DAY_NAME})(?:到|至|-){_WEEK}?(?P<b>{_DAY_NAME})")
_NTH: Final = LatePattern(
    rf"\x00*的?(?:第(?P<n>[一二三四])|(?P<last>最后一?))个?{_WEEK}(?P<day>{_DAY_NAME})"
)
_MONTH_DAYS: Final = LatePattern(
    rf"\x00*的?(?P<days>{_N}[号日]?(?:[、,和跟及与]{_N}[号日]?)*)(?<=[号日])|\x00*的?(?P<last>最后一天|月?底)"
)
_LENGTH: Final = LatePattern(
    rf"(?:连续|接下来|未来|往后|以后|这)(?P<n>{_N})(?P<unit>天|日|周|个?星期|个?月)(?!后)"
)
_TIMES: Final = LatePattern(rf"(?:一共|总共|共)(?P<n>{_N})[次回遍]")


def fill(parts: TimeParts) -> None:
    """Read what Chinese words say of a time into the parts."""
    parts.read_by((_beforehand, _ranges, _until, _recurrence, _deltas), (_days, _hours))


def _ranges(parts: TimeParts) -> None:
    for found in parts.take(_RANGE):
        first, last = _weekday(found["a"]), _weekday(found["b"])
        if first <= last:
            parts.frequency, parts.by_day = "WEEKLY", tuple(WEEKDAYS[first : last + 1])


def _until(parts: TimeParts) -> None:
    """Read the first and the last day: 从明天到3月3号, 直到月底, 到下周六为止."""
    for found in parts.take(_FROM):
        parts.start = _day_in(found["start"] or found["begun"], parts)
    for found in parts.take(_TO):
        parts.until = _day_in(found["end"], parts) or parts.until
        for clock in _CLOCK.finditer(found["hour"] or ""):
            parts.until_clock = _clock_of(clock, _part_in(found["hour"]))


_A_DAY: Final = re.sub(
    r"\?P<\w+>", "?:",
    f"(?:{_MOON.pattern}|{_ONE_DAY}|{_WEEKDAY.pattern}|{_NEAR.pattern}|{_BARE_DAY.pattern}|年底)",
)  # fmt: skip
_FROM: Final = LatePattern(
    rf"(?:从|自)(?P<start>{_A_DAY})(?:开始|起)?|(?P<begun>{_A_DAY})(?:开始|起(?![来床]))"
)
_TO: Final = LatePattern(
    rf"(?:一直|直)?(?:到|至)(?P<end>{_A_DAY})(?P<hour>(?:{_ANY_PART})?{_N}点半?)?(?:为止|止|之前|前)?"
)


def _day_in(text: str | None, parts: TimeParts) -> DaySaid | None:
    """Return the day that a piece of text names."""
    inner = TimeParts(text or "", parts.now)
    _days(inner)
    return inner.days[0] if inner.days else None


def _recurrence(parts: TimeParts) -> None:
    for found in parts.take(_EVERY_TIME):
        amount = found["n"] or "一"
        if amount == "半":
            parts.frequency, parts.interval = "MINUTELY", 30
        else:
            parts.frequency = "MINUTELY" if found["unit"] == "分钟" else "HOURLY"
            parts.interval = numeral_value(amount)
    while (every := _EVERY.search(parts.text)) is not None:
        parts.cut(*every.span())
        _every(every, parts)
    for found in parts.take(_LENGTH):
        size = 1 if found["unit"] in {"天", "日"} else 30 if "月" in found["unit"] else 7
        parts.length = size * numeral_value(found["n"])
    for found in parts.take(_TIMES):
        parts.times = numeral_value(found["n"])
    if parts.frequency == "" and parts.length:
        parts.frequency = "DAILY"


def _every(found: re.Match[str], parts: TimeParts) -> None:
    """Read what one 每 says, and the days behind it."""
    unit = found["work"] or found["alt"] or found["unit"] or "天"
    amount = numeral_value(found["n"]) if found["n"] else 1
    # 每隔一天 leaves one out; 每两天 is every second day.
    interval = max(amount + bool(found["gap"] or found["alt"]), 1)
    ranged = parts.by_day
    match unit:
        case "工作日" | "平日" | "上班日":
            parts.frequency, parts.by_day = "WEEKLY", WEEKDAYS[:5]
        case "周末":
            parts.frequency, parts.by_day = "WEEKLY", WEEKDAYS[5:]
        case "天" | "日":
            # 周一到周四每天: the days are said already.
            parts.frequency = "WEEKLY" if ranged else "DAILY"
            parts.interval = interval
        case "周" | "星期" | "礼拜":
            parts.frequency, parts.interval = "WEEKLY", interval
            _read_behind(parts, found.end(), _LIST, _weekdays)
        case "月" | "季度":
            parts.frequency = "MONTHLY"
            parts.interval = interval * (3 if unit == "季度" else 1)
            _read_behind(parts, found.end(), _NTH, _nth_weekday)
            _read_behind(parts, found.end(), _MONTH_DAYS, _month_days)
        case _:
            parts.frequency, parts.interval = "YEARLY", interval


def _read_behind(parts: TimeParts, place: int, pattern: LatePattern, rule: FoundRule) -> None:
    if found := pattern.match(parts.text, place):
        parts.cut(*found.span())
        rule(found, parts)


def _weekdays(found: re.Match[str], parts: TimeParts) -> None:
    names = re.sub(f"(?:{_WEEK})", "", found["days"])
    ranged = re.search(f"({_DAY_NAME})[到至]({_DAY_NAME})", names)
    if ranged:
        chosen = tuple(range(_weekday(ranged[1]), _weekday(ranged[2]) + 1))
    else:
        chosen = tuple(_weekday(name) for name in re.findall(_DAY_NAME, names))
    parts.by_day = tuple(WEEKDAYS[each] for each in sorted(set(chosen)))


def _nth_weekday(found: re.Match[str], parts: TimeParts) -> None:
    number = -1 if found["last"] else numeral_value(found["n"])
    parts.by_day = (f"{number}{WEEKDAYS[_weekday(found['day'])]}",)


def _month_days(found: re.Match[str], parts: TimeParts) -> None:
    if found["last"]:
        parts.month_days = (-1,)
    else:
        parts.month_days = tuple(sorted(map(numeral_value, re.findall(_N, found["days"]))))


def _weekday(name: str) -> int:
    return min("一二三四五六日天".index(name), 6)


def _beforehand(parts: TimeParts) -> None:
    """Read how long before something: 比赛前一小时, 提前半小时, 前一天."""
    found = _BEFOREHAND.search(parts.text)
    after = parts.text[found.end() :] if found else ""
    told = found and _BIDS.search(after) and not _BIDS.search(parts.text, 0, found.start())
    # 考试前一天没睡好，周五九点提醒我补觉 tells of that day.
    if found is None or (told and not _THEN.match(after)):
        return
    parts.cut(*found.span())
    said = found["a"] or found["b"] or found["d"] or "一天"
    days = _WHOLE_DAYS.fullmatch(said)
    many = numeral_value(days["n"]) * (7 if days["weeks"] else 1) if days else 0
    parts.ahead = timedelta(days=many) or _length(said)


def _length(said: str) -> timedelta:
    return timedelta(seconds=sum(map(_seconds, _ONE_PIECE.finditer(said))))


def _deltas(parts: TimeParts) -> None:
    for found in parts.take(_DELTA):
        parts.deltas.append(_length(found["a"] or found["b"]))
    for found in parts.take(_AHEAD):
        unit = _UNIT_NAMES.get((found["unit"] or found["next"]).removeprefix("个"), "week")
        amount = 1 if found["next"] else numeral_value(found["n"])
        if found["n"] == "半":
            # Half a month is fifteen days; half of anything else names no day.
            amount, unit = (15, "day") if unit == "month" else (0, "day")
        parts.days.append(DaySaid.of(calendars.day_ahead(parts.today, amount, unit)))


def _seconds(piece: re.Match[str]) -> float:
    unit = _SECONDS.get(piece["unit"], 1)
    amount = 0.5 if piece["n"] == "半" else None
    if amount is None:
        amount = float(piece["n"]) if "." in piece["n"] else numeral_value(piece["n"])
    return unit * (amount + 0.5 * bool(piece["half"] or piece["more"]))


_UNIT_NAMES: Final = {"天": "day", "日": "day", "月": "month", "年": "year"}


def _days(parts: TimeParts) -> None:
    for found in parts.take(_MOON):
        month = {"正": 1, "冬": 11, "腊": 12}.get(found["m"] or found["m2"] or "", 0)
        month = month or numeral_value(found["m"] or found["m3"])
        parts.days.append(DaySaid("lunar", (month, _moon_day(found["d"]))))
    parts.days += [_dated(found, parts) for found in parts.take(_MONTH_DAY)]
    for found in parts.take(_NEAR):
        away = DAYS_AWAY.get((found["day"] or found["part"]).replace("听", "明"), 0)
        parts.days.append(DaySaid.of(parts.today + timedelta(days=away)))
    parts.days += [_said_weekday(found, parts.today) for found in parts.take(_WEEKDAY)]
    parts.days += [_said_day(found, parts.today) for found in parts.take(_BARE_DAY)]
    feast = _FEAST.search(parts.text)
    if feast:
        if not parts.days:
            parts.cut(*feast.span())
        parts.feast = _feast(feast["name"], parts.today)
    for each in parts.take(_VAGUE):
        parts.vague = bool(each)


def _moon_day(text: str) -> int:
    return numeral_value(text.removeprefix("初").replace("廿", "二十").replace("卅", "三十"))


def _dated(found: re.Match[str], parts: TimeParts) -> DaySaid:
    month = numeral_value(found["m"])
    if found["early"]:
        return DaySaid("lunar", (month, numeral_value(found["early"])))
    year = int(found["y"]) if found["y"] else 0
    if found["last"]:
        number = year or parts.today.year + (month < parts.today.month)
        return DaySaid.of(calendars.month(number, month).last)
    day = numeral_value(found["d"])
    exact = calendars.day_of_month(calendars.month(year, month), day) if year else None
    if exact is not None:
        return DaySaid.of(exact.first)
    return DaySaid("yearday", (month, day))


def _said_weekday(found: re.Match[str], today: date) -> DaySaid:
    number = _weekday(found["day"] or found["bare"])
    if found["bare"]:
        return DaySaid("weekday", (number,))
    offset = {"下": 1, "下下": 2, "上": -1, "上上": -2}.get(found["away"], 0)
    return DaySaid.of(calendars.week(today, offset).first + timedelta(days=number))


def _said_day(found: re.Match[str], today: date) -> DaySaid:
    if found["year"]:
        return DaySaid("yearday", (12, 31))
    which = found["which"] or found["of"] or ""
    whole = calendars.month(today.year, today.month + which.startswith("下"))
    if found["end"]:
        return DaySaid.of(whole.last) if which else DaySaid("monthday", (-1,))
    number = numeral_value(found["d"])
    exact = calendars.day_of_month(whole, number) if which else None
    return DaySaid.of(exact.first) if exact else DaySaid("monthday", (number,))


def _feast(name: str, today: date) -> DaySaid | None:
    if name in calendars.FESTIVALS:
        return DaySaid("lunar", calendars.FESTIVALS[name])
    if name in calendars.FEASTS_BY_SUN:
        return DaySaid("yearday", calendars.FEASTS_BY_SUN[name])
    for year in (today.year, today.year + 1):
        if name in {"清明", "冬至"}:
            found = calendars.qingming(year) if name == "清明" else calendars.dongzhi(year)
        else:
            month, week = (5, 1) if name == "母亲节" else (6, 2)
            first = date(year, month, 1)
            found = first + timedelta(days=(6 - first.weekday()) % 7 + 7 * week)
        if found >= today:
            return DaySaid.of(found)
    return None


_PART_RULE: Final = LatePattern(_PART)


def _part_in(text: str | None) -> PartOfDay:
    found = _PART_RULE.search(text or "")
    return next((name for name, _ in _PARTS if found and found[name]), "")


def _hours(parts: TimeParts) -> None:
    """Read hours, each with the part of the day that stands before it."""
    for _ in parts.take(_ZERO):
        parts.clocks.append(ClockSaid(0, 0, sure=True))
    before = 0
    part: PartOfDay = ""
    found: re.Match[str] | None = _CLOCK.search(parts.text) or _FOUR.search(parts.text)
    while found is not None:
        part = _part_in(parts.text[before : found.start()]) or part
        clock = _clock_of(found, part)
        parts.cut(*found.span())
        if clock is not None:
            parts.clocks.append(clock)
        before = found.end()
        found = _CLOCK.search(parts.text)
    parts.part = part or _part_in(parts.text)
    for _ in parts.take(_PART_RULE):
        pass


def _clock_of(found: re.Match[str], part: PartOfDay) -> ClockSaid | None:
    """Return the hour that was said, moved into the part of the day that stands before it."""
    groups = found.groupdict()
    hour, minute = numeral_value(found["h"]), 30 * bool(groups.get("half"))
    if groups.get("q"):
        minute = 15 * numeral_value(found["q"])
    elif groups.get("five"):
        minute = 5 * numeral_value(found["five"])
    elif groups.get("mm"):
        minute = numeral_value(found["mm"])
    if groups.get("to"):
        hour, minute = hour - 1, _MINUTES - numeral_value(found["to"])
    if not (0 <= hour <= _MIDNIGHT and 0 <= minute < _MINUTES):
        return None
    return ClockSaid.of(hour, minute, part)


_MIDNIGHT: Final = 24
_MINUTES: Final = 60
