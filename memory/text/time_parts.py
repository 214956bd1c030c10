"""What the words of a text say of a time, while it is read: a day, an hour, and what is left.

Filled in by the rules of each language (:mod:`memory.text.times_zh`, :mod:`memory.text.times_en`)
and put together by :mod:`memory.text.times`. What is left is trimmed of the words by which
something is asked for at that time.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

from memory.text.calendars import next_lunar
from memory.text.dates_en import COUNT_WORDS, DAY_NAMES, FEAST_DAYS, MONTH_PATTERN
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import PERSONS_ZH
from memory.text.word_forms import SIMPLIFIED

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


ZONES: Final = {
    "UTC": "utc|gmt|世界",
    "Asia/Shanghai": "beijing|shanghai|china|chinese|北京|上海|中国",
    "Asia/Hong_Kong": "hong kong|hkt|香港",
    "Asia/Taipei": "taipei|taiwan|台北|台湾",
    "Asia/Tokyo": "tokyo|japan|japanese|jst|东京|日本",
    "Asia/Seoul": "seoul|korea|korean|kst|首尔|韩国",
    "Asia/Singapore": "singapore|sgt|新加坡",
    "Asia/Bangkok": "bangkok|thai|曼谷|泰国",
    "Asia/Kolkata": "india|indian|delhi|mumbai|ist|印度|孟买",
    "Asia/Dubai": "dubai|迪拜",
    "Europe/Moscow": "moscow|莫斯科",
    "Europe/London": "london|uk|british|bst|伦敦|英国",
    "Europe/Paris": "paris|french|巴黎|法国",
    "Europe/Berlin": "berlin|german|germany|cet|cest|central european|柏林|德国|欧洲",
    "Europe/Madrid": "madrid|马德里|西班牙",
    "Europe/Rome": "rome|罗马|意大利",
    "America/New_York": "new york|nyc|boston|toronto|eastern|est|edt|et|纽约|波士顿|多伦多|美东",
    "America/Chicago": "chicago|central|cdt|ct|芝加哥|美中",
    "America/Denver": "denver|mountain|mst|mdt|丹佛",
    "America/Los_Angeles": "los angeles|san francisco|seattle|vancouver|california|pacific"
    "|pst|pdt|pt|洛杉矶|旧金山|西雅图|温哥华|加州|美西",
    "Australia/Sydney": "sydney|melbourne|aest|aedt|悉尼|墨尔本",
    "Pacific/Auckland": "auckland|奥克兰|新西兰",
}
"""Whose clocks people name, by their zone: nine, New York time."""

_PLACES: Final = [name for names in ZONES.values() for name in names.split("|")]
_SHORT: Final = [n for n in _PLACES if re.fullmatch("[a-z]{2,4}t|utc", n)]
_ELSEWHERE: Final = LatePattern(
    rf"(?:\bin )?\b(?P<place>{'|'.join(n for n in _PLACES if n.isascii())})"
    r"(?:['’]s)? (?:local |standard |daylight )?time\b"
    r"|(?<=[0-9m]) (?P<other>(?!this |next |that )[a-z]{3,12} )time\b"
    rf"|(?<=[0-9m.]) ?(?P<short>{'|'.join(_SHORT)})\b"
    rf"|(?P<zh>{'|'.join(n for n in _PLACES if not n.isascii())})(?:当地|那边|本地)?(?:的)?时间的?"
    r"|(?:当地|对方|那边的?|他那边|她那边)时间的?",
)


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
    deltas: list[timedelta] = field(default_factory=list)
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

    def take_zone(self, written: str) -> str | None:
        """Take out whose clock it is told by: its zone, "" for one that is not known, or None."""
        found = _ELSEWHERE.search(self.text)
        if found is None:
            return None
        name = next(filter(None, found.groups()), "").strip()
        known = next((zone for zone, names in ZONES.items() if name in names.split("|")), "")
        # 9 am Lisbon time names a place, 7 pm story time an occupation.
        if found["other"] and not known and not written[found.start("other")].isupper():
            return None
        self.cut(*found.span())
        return known

    def read_by(self, rules: Sequence[TimeRule], of_days: Sequence[TimeRule]) -> None:
        """Let rules read; beside "in half an hour" the days and hours belong to the matter."""
        for rule in rules:
            rule(self)
        for rule in of_days if self.delta is None else ():
            rule(self)

    @property
    def delta(self) -> timedelta | None:
        """How long from now it is meant; of several the last."""
        return self.deltas[-1] if self.deltas else None

    @property
    def today(self) -> date:
        """The day on which it is said."""
        return self.now.date()


# The months follow from observing the moon and not from arithmetic, so they are a table. Day by
# day it agrees with the Chinese calendar of the Unicode library (ICU) but for two evenings, 6
# February 2027 and 2 February 2030, where ICU sees the new moon a day late and the published
# calendar holds.


_NO_ASKING: Final = rf"[们的]|自己|家里?人|(?:{PERSONS_ZH})"
"""Behind 给我 or 帮我: they belong to the matter, and nobody asks a favour by them."""

LEADING: Final = LatePattern(
    rf"^(?:[\s,，。.!！~～:：;；、—\-…\x00]|请(?![假客教帖示愿柬求功罪])|麻烦|[帮给]我(?!{_NO_ASKING})(?:记一下|记着|记下(?=[\s\x00，,]))?|记得|务必|千万|小祥|哎|喂(?=[\s，,、。.!！…\x00]|喂|$)|嗨|那个|那就|到时候?|到点|准时|你(?![的们])|能不能|可不可以|可以|能(?![源量力耐])|要(?![账债饭])|就(?![诊医业餐寝读职])|再(?=[\s\x00]|$)|等下(?![班课雨周个午])|待会儿?|一会儿?|[呀啊吧呗哦喔嗰]|哈(?![尔密])|那天|当天|那晚|的时候|的|[在于](?=[\s\x00]|$)"
    r"|to\b|again\b|that\b|about\b|for\b|of\b|me\b|we\b|please\b|pls\b|plz\b|kindly\b|remember(?: to)?\b|(?:don['’]t|do not) forget(?: to)?\b|can (?:you|u)\b|could (?:you|u)\b|will you\b"
    r"|would you\b|hey\b|hi\b|xiaoxiang\b|ok(?:ay)?\b|and\b|then\b|at\b|on\b|by\b|when(?:['’]s)? (?:its|it['’]s|it is)(?: time)?\b|so\b|up\b)+",
    re.IGNORECASE,
)
TRAILING: Final = LatePattern(
    r"(?:[\s,，。.!！~～:：;；、—\-…?？\x00]|(?<=[\s,，。\x00])你(?:就|来|再|能|可以|记得|帮我)*|哈|啊|吧|呗|哦|喔|呀|谢谢|谢啦|好吗|好不好?|行吗|行不|可以不|成不|中不|到时候?|记得|帮我|务必|到点|就行|的时候|请"
    r"|\bplease|\bpls|\bplz|\bthanks|\bthank you|\bta|\bok|\blol|\bat|\bon|\bthen|\bcan you|\bcould you|\bto)+$",
    re.IGNORECASE,
)


def trimmed(text: str) -> str:
    """Return what is asked for without the words by which it is asked, once its time is out."""
    return TRAILING.sub("", LEADING.sub("", text))


_COUNT_ZH: Final = "(?:[0-9]+|[零〇一二两三四五六七八九十廿卅百几半多]+)"
_UNREAD_WORD: Final = (
    rf"(?<!第){_COUNT_ZH}(?:来|多)?个?半?(?:字(?!典|母)|天|日|号(?![线楼院])|周|星期|礼拜|月|年(?!级)|小时|钟|分(?![之店])"
    rf"|刻|秒|点|更|晚|旬)|[初廿]{_COUNT_ZH}|[上中下]旬|月[初中]|年[初中]|正月|腊月|周末|节后|节前|早晚"
    r"|(?:清晨|早上|上午|中午|下午|傍晚|晚上|凌晨|半夜)"
    rf"|\b(?:[0-9]+|an?|{'|'.join(sorted(COUNT_WORDS, key=len, reverse=True))}"
    r"|few|couple(?: of)?|first|second|third|fourth|last)[ -]?"
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?)\b"
    rf"|\b(?:{MONTH_PATTERN})\b|\b[0-9]{{1,2}}(?:st|nd|rd|th)\b"
    r"|\b(?:morning|afternoon|evening|night|dawn|dusk|sunrise|sunset|noon|o'?clock"
    r"|[0-9]{1,2} ?[ap]\.?m)\b"
    r"|\b(?:early|mid|late|the (?:start|end|middle|beginning) of)\b"
)
_DAY_WORD: Final = (
    rf"第{_COUNT_ZH}天|\b(?:{'|'.join(sorted({*FEAST_DAYS, *DAY_NAMES}, key=len, reverse=True))}"
    r"|easter|ramadan|diwali|thanksgiving)\b"
)
"""What names a day, and beside a date only says it again."""

_CUE_BETWEEN: Final = (
    r"(?:提醒我?|叫我|喊我|remind (?:me|us)(?: to)?\b|(?:can|could) you\b|please\b)"
)
_GAP: Final = r"[\s,，、.~～/\-的在于起个和与及至从自]|\b(?:at|on|the|in|of|and|from|for|by)\b"
_UNREAD, _UNREAD_DAY = (
    LatePattern(rf"\x00(?:{_GAP})*(?:{word})|(?:{word})(?:{_GAP}|{_CUE_BETWEEN})*\x00")
    for word in (_UNREAD_WORD, _DAY_WORD)
)
_JOINED: Final = LatePattern(r"\x00 ?(?:[和跟及与、,，&+]|以及|还有|and(?: also| then)?) ?\x00")
_FROM_TO: Final = LatePattern(r"\x00 ?(?:到|至|[-~～]|to|until|till?) ?\x00")
_ONE_WORKDAY: Final = LatePattern(
    r"[个后一二三四五首末](?:工作日|上班日)"
    r"|\b(?:last|first|second|third|fourth|next|final|[0-9]+(?:st|nd|rd|th)) "
    r"(?:working|work|business|week|bank) ?days?\b|\bdays? after\b"
)
_LEFT_OUT: Final = LatePattern(
    r"除了|除开|除(?=周|星期|礼拜|节|[^，,]{0,6}外)|不包括|跳过"
    r"|\b(?:except|excluding|apart from|other than|unless|skip(?:ping)?|(?:but )?not (?:on|in))\b"
)


def has_unread(parts: TimeParts) -> bool:
    """Whether a word of time stands beside those that were read, and no rule took it.

    What it changes is not known, so nothing may be set by the others alone.
    """
    if parts.frequency and _LEFT_OUT.search(parts.text):
        return True
    # 七点到九点每小时: neither at seven nor at nine alone.
    if len(parts.clocks) > 1 and _FROM_TO.search(parts.text):
        return True
    if _UNREAD.search(parts.text) or _ONE_WORKDAY.search(parts.text):
        return True
    dated = any(each.kind in {"fixed", "yearday", "lunar"} for each in parts.days)
    return not dated and bool(_UNREAD_DAY.search(parts.text))


def names_several(parts: TimeParts) -> bool:
    """Whether it names several moments, each of which is meant: 明早和明晚八点."""
    together = len(parts.days) > 1 or len(parts.clocks) > 1 or len(parts.deltas) > 1
    return together and _JOINED.search(parts.text) is not None


_DAY_ZH: Final = r"(?:大?[明后今][天早晚]|(?:[下这本]个?)?(?:周|星期|礼拜)[一二三四五六日天]|[0-9]{1,2}月[0-9]{1,2}[日号]|[0-9]{1,2}号)"
_HOUR_LAST: Final = LatePattern(
    rf"(?P<zh>{_DAY_ZH})(?P<rest>[^，,。！!？?\n]{{2,24}})[，,]\s*"
    r"(?P<hour>(?:早上|上午|中午|下午|傍晚|晚上)?[零一二两三四五六七八九十0-9]{1,3}[点點](?:半|[一三]刻|[一二三四五六七八九十0-9]{1,3}分?)?)(?=[。！!~～\s]*$)"
    r"|(?P<en>\b(?:tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day)),? (?P<at>at )?(?P<clock>(?:[0-9]{1,2}(?:[:.][0-9]{2})? ?[ap]\.?m\.?|noon|[0-9]{1,2}[:.][0-9]{2}))(?=[.!\s]*$)",
    re.IGNORECASE,
)


def with_hour_beside_day(text: str) -> str:
    """Return a text with the hour that stands last by itself put to its day.

    >>> with_hour_beside_day("明天我要去体检，下午三点")
    '明天下午三点我要去体检'
    """
    return _HOUR_LAST.sub(_hour_moved, text)


def _hour_moved(found: re.Match[str]) -> str:
    if found["zh"]:
        return f"{found['zh']}{found['hour']}{found['rest']}"
    return f"{found['en']} at {found['clock']}"
