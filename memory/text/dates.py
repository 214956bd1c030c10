"""The dates a text means, seen from an instant; relative dates made absolute; a time put off.

These are rules of our own: the library dateparser 1.2 reads one date and not a sentence, does not
know 上周三 or 去年夏天, and takes milliseconds for each call where this takes microseconds.
"""

import re
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.text import dates_en, dates_zh
from memory.text.calendars import Days, Mention, days_after, month, year
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import ClaimMode, Slot
from memory.text.slots import slot_claims
from memory.text.times import TimeDoubt, TimeSaid, read_day, read_time
from memory.text.word_forms import BASE_FORMS, SIMPLIFIED

_ONE_DAY: Final = timedelta(days=1)


class Span(NamedTuple):
    """A range of time ``[start, end)``, of aware instants, and the words that mean it."""

    start: datetime
    end: datetime
    words: str


def date_mentions(text: str, at: datetime, zone: ZoneInfo) -> list[Mention]:
    """Return every date ``text`` names, Chinese and English, seen from the day of ``at``."""
    today = at.astimezone(zone).date()
    # 後天 is 后天; character for character, so that places stay where they are.
    text = text if text.isascii() else text.translate(SIMPLIFIED)
    found = [] if text.isascii() else list(dates_zh.mentions(text, today))
    # Without a letter there can only be dates in digits, and the Chinese rules read those too.
    if text.isascii() or any(c.isascii() and c.isalpha() for c in text):
        # Both languages read 2026-03-04; it counts once.
        taken = {i for m in found for i in range(m.start, m.end)}
        found += [m for m in dates_en.mentions(text, today) if m.start not in taken]
    return sorted(found)


def day_places(text: str, at: datetime, zone: ZoneInfo) -> list[tuple[int, int]]:
    """Return where ``text`` names days, weekdays that stand alone too, without "on" before them.

    >>> from datetime import UTC
    >>> day_places("bin day is Tuesday", datetime(2026, 3, 4, tzinfo=UTC), ZoneInfo("UTC"))
    [(11, 18)]
    """
    found = [(each.start, each.end) for each in date_mentions(text, at, zone)]
    alone = [each.span() for each in _WEEKDAY_ALONE.finditer(text)]
    named = [each for each in found if not any(each[1] == end for _, end in alone)]
    within = [each for each in found if each not in named and not _LED.match(text, each[0])]
    bare = [each for each in alone if not any(each[1] == end for _, end in within)]
    return sorted((*named, *within, *bare))


def days_like(day: str, text: str, at: datetime, zone: ZoneInfo) -> list[tuple[int, int]]:
    """Return where ``text`` names the one day that another may stand for; empty if not only one.

    A weekday stands for a weekday, if there is one.
    """
    places = [e for e in day_places(text, at, zone) if text[slice(*e)].lower() != day.lower()]
    alike = [each for each in places if _kind_of(text[slice(*each)]) == _kind_of(day)]
    fitting = alike or places
    return fitting if len(fitting) == 1 else []


def _kind_of(day: str) -> str:
    if re.search(r"[周期拜]|\wdays?$|tues|weds|thurs", day, re.IGNORECASE):
        return "weekday"
    return "date" if re.search(r"[\d月号號]", day) else "words"


_LED: Final = LatePattern(r"(?:on|is|by) ", re.IGNORECASE)

_WEEKDAY_ALONE: Final = LatePattern(
    rf"\b(?:{dates_en.WEEKDAYS}|tues|weds|thurs)s?\b", re.IGNORECASE
)


def in_its_week(old: str, right: str) -> str:
    """Return a weekday in the week that was told of: 下周三, put right by 周四, is 下周四."""
    week = _WEEK.match(old)
    return f"{week[0]}{right}" if week and _A_WEEKDAY.fullmatch(right) else right


_WEEK: Final = LatePattern(
    r"(?:下下?|上上?|这|本)个?(?=周|星期|礼拜)|(?:next|this|last) (?=\w+day)", re.IGNORECASE
)

_A_WEEKDAY: Final = LatePattern(
    rf"(?:周|星期|礼拜)[一二三四五六日天]|(?:{dates_en.WEEKDAYS})", re.IGNORECASE
)


def date_spans(text: str, now: datetime, zone: ZoneInfo) -> tuple[Span, ...]:
    """Return the ranges of time a question means, in the order they are named, each once.

    A date without a year or week means its latest occurrence that has begun by ``now``.
    """
    spans: dict[tuple[datetime, datetime], Span] = {}
    today = now.astimezone(zone).date()
    for named in date_mentions(text, now, zone):
        each = _as_told(named, text, today) if named.relative else named
        span = _span_of(each.days, zone, text[each.start : each.end])
        spans.setdefault((span.start, span.end), span)
    return tuple(spans.values())


def absolute_dates(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return ``text`` with the date written behind every relative one: 明天（2026-01-04）.

    The brackets are those of the language the date is in: tomorrow (2026-01-04).
    ``at`` is when it was said. Only dates counted from the day of speaking are completed; a date
    that is written there already is not repeated, so that a second call changes nothing.
    """
    pieces: list[str] = []
    end = 0
    today = at.astimezone(zone).date()
    named = sorted((*date_mentions(text, at, zone), *_weekends(text, today)))
    for each in (_as_told(found, text, today) for found in named):
        opening, closing = (" (", ")") if text[each.start : each.end].isascii() else ("（", "）")
        written = opening + _date_text(each.days) + closing
        stop = max((x.end for x in named if _is_named_again(each, x, text)), default=each.end)
        if each.relative and each.start >= end and not text.startswith(written, stop):
            pieces += [text[end:stop], written]
            end = stop
    return "".join((*pieces, text[end:]))


def _is_named_again(one: Mention, other: Mention, text: str) -> bool:
    """Whether a day is named by its date right behind: 下周六12月5号 is one day, not two."""
    day, date_named = one.days.first, other.days.first
    same = one.days.first == one.days.last and other.days.first == other.days.last
    same = same and (day.month, day.day) == (date_named.month, date_named.day)
    beside = other.start >= one.end and not text[one.end : other.start].strip("，, 的是")
    return one.relative and not other.relative and same and beside


_WEEKDAY: Final = LatePattern(
    r"(?:周|星期|礼拜)[一二三四五六日天]|(?:on|is|by) [a-z]+day", re.IGNORECASE
)

_CLAUSE_END: Final = LatePattern(r"[，,。.！!？?；;\n]")

_PLANNED: Final = LatePattern(
    r"要|将|会|打算|准备|约[了个好]?|得[去交早]|截止|deadline|交|考|面试|[是有]|飞|出发|手术|来"
    r"|\b(?:will|going to|i['’]?ve (?:got )?an?|i['’]?ve got|have (?:got )?(?:an?|my|the|our)"
    r"|has an?|is|are|due|by|must|need to|have to"
    # Whoever starts late on Monday does so on each.
    r"|(?:i start|starts) (?!(?:work |school )?(?:late|early"
    r"|at (?:\d|half|noon|one|two|six|seven|eight|nine|ten|eleven)))\w+"
    r"|(?:i|we) (?:fly|leave|move|travel|sail)"
    r"|exam|interview|wedding|funeral|surgery|operation|flight|party|concert|gig)\b|['’]s\b",
    re.IGNORECASE,
)

# 改到周五了 tells of a Friday that is still to come.
_MOVED: Final = LatePattern(
    r"[改推挪延换定订约](?:到|在|成|期到)|提前到"
    r"|\b(?:moved|pushed|put off|rescheduled|booked|set) (?:to|for|on)\b",
    re.IGNORECASE,
)

_OVER: Final = LatePattern(
    r"[了过](?:$|[，,。.！!？?；;\n])|刚|昨|\b(?:was|were|had|went|did|met|(?!need)\w+ed)\b",
    re.IGNORECASE,
)


_WEEKLY: Final = LatePattern(
    r"(?:垃圾|休息|上课|会员|补习|值[日班]|训练|轮休|公休|打扫|集)日(?:子|都)?[是在]?$"
    r"|(?<![节次堂场])课(?:时间)?都?[是在]$|(?:例会|兴趣班|补习班|辅导班)都?[是在]$"
    r"|\b(?!(?:the|that|this|what|which|a|wedding|moving|exam|test|results?|big|election"
    r"|graduation|launch|release|opening|last|first|next|court|due|delivery|start|surgery|sports"
    r"|open|leaving|final|interview)\b)"
    r"\w+ (?:(?:day|night|evening)s?(?: off)?|class|lessons?|club|practice|training|rehearsals?)"
    r"(?:['’]s)?\s*$",
    re.IGNORECASE,
)
"""Whatever is so on a weekday is so on each: college day is Tuesday, 垃圾日是周四."""


_WEEKEND: Final = LatePattern(
    r"这?个?周末|(?:this|(?P<the>(?:at|over|on) the)) weekend\b", re.IGNORECASE
)

_DONE: Final = LatePattern(
    r"末(?:(?![要将会想再就等]|打算|准备|计划|得[去交早])[^，,。])*?"
    r"(?:(?<![约订定报排请换改推有为除])了(?!解|[^，,。]*[再就])|(?<!末)过(?:$|[，,。！!]|(?=[一-鿿]{2,6}$)(?!来|去|年|节|生日|夜)))"
    r"|^(?!.*(?:\b(?:will|gonna|going|plan\w*|want|hop(?:e|ing)|booked|going to)\b|['’]ll\b))"
    rf".*\b(?:was|were|had|did|(?!need)\w{{2,}}ed|{'|'.join(BASE_FORMS)})\b",
    re.IGNORECASE,
)
"""Of the clause of a weekend: what it tells is done. 周末约了人 is to come."""


def _weekends(text: str, today: date) -> list[Mention]:
    """Return "the weekend", which is one of many unless something was done at it."""
    coming = days_after(today, 5 - today.weekday()).first
    days = Days(coming, coming + _ONE_DAY)
    found = [each for each in _WEEKEND.finditer(text) if each["the"]]
    return [Mention(each.start(), each.end(), days, relative=False) for each in found]


def _as_told(found: Mention, text: str, today: date) -> Mention:
    """Return a date as its clause means it: 我周五要面试 is the coming one, 周末去了 the last."""
    words = text[found.start : found.end]
    weekend = _WEEKEND.fullmatch(words)
    if not weekend and (found.relative or not _WEEKDAY.fullmatch(words)):
        return found
    end = _CLAUSE_END.search(text, found.end)
    begin = max((each.end() for each in _CLAUSE_END.finditer(text, 0, found.start)), default=0)
    clause = text[begin : end.start() + 1 if end else len(text)]
    if weekend:
        return _as_over(found, today) if _DONE.search(clause) else found
    return (
        found if _WEEKLY.search(text[begin : found.start]) else _as_planned(found, clause, today)
    )


def _as_over(found: Mention, today: date) -> Mention:
    """Return a weekend that has come: the last one, unless it is now."""
    back = -7 if found.days.first > today else 0
    first, last = (days_after(each, back).first for each in found.days)
    return Mention(found.start, found.end, Days(first, last), relative=True)


def _as_planned(found: Mention, clause: str, today: date) -> Mention:
    """Return a weekday without a week as the coming one, where something is planned for it.

    周五 alone is the newest Friday; 我周五要面试 is the next.
    """
    planned = _PLANNED.search(clause) and not _OVER.search(clause)
    if found.days.first == today or not (planned or _MOVED.search(clause)):
        return found
    return Mention(found.start, found.end, days_after(found.days.first, 7), relative=True)


def _span_of(days: Days, zone: ZoneInfo, words: str) -> Span:
    start = datetime.combine(days.first, time(), zone)
    return Span(start, datetime.combine(days.last, time(), zone) + _ONE_DAY, words)


def _date_text(days: Days) -> str:
    """Write a range as short as it can be exact: a day, a month, a year, or from–to."""
    first, last = days
    if first == last:
        return first.isoformat()
    if days == month(first.year, first.month):
        return first.isoformat()[:7]
    if days == year(first.year):
        return first.isoformat()[:4]
    return f"{first.isoformat()}~{last.isoformat()}"


def is_of_weekends(text: str, partner: str) -> bool:
    """Tell whether it is of any weekend: the work, or like work, of one who does it at them.

    >>> is_of_weekends("我周末在社区教书法", "我"), is_of_weekends("我周末去爬山", "我")
    (True, False)
    """
    return _ANY_WEEKEND.search(text) is not None and any(
        claim.slot in _REGULAR and claim.mode is ClaimMode.HOLDS and claim.firm
        for claim in slot_claims(text, (partner,))
    )


_ANY_WEEKEND: Final = LatePattern("(?<![这本上下个])周末(?![要会想将得去])")
_REGULAR: Final = frozenset({Slot.HABIT, Slot.WORK, Slot.SCHOOL})


class Shift(NamedTuple):
    """By how much something is to come later, or earlier, and where that stands."""

    by: timedelta
    span: tuple[int, int]


def shift_said(told: str, at: datetime, zone: ZoneInfo) -> Shift | None:
    """Return by how much something is put off or brought forward; None if nothing says so."""
    shift = _SHIFT.search(told.translate(SIMPLIFIED))
    if shift is None:
        return None
    words = shift["zh"] or shift["en"] or shift["by"]
    ahead = f"{words}后" if shift["zh"] else f"in {words}"
    read = read_time(ahead, at, zone)
    if isinstance(read, TimeSaid):
        long = read.at - at
    else:
        day = read_day(ahead, at, zone)
        long = (day.day - at.astimezone(zone).date()) if day else timedelta()
    by = -long if _EARLIER.search(shift[0]) else long
    return Shift(by, shift.span()) if long else None


_LONG_EN: Final = (
    r"(?:half an hour|(?:an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty"
    r"|forty|[0-9]{1,3})(?: and a half)? ?(?:hours?|hrs?|h|minutes?|mins?|m|days?|weeks?))"
)
_SHIFT: Final = LatePattern(
    r"(?:推迟|延后|延迟|推后|顺延|往?后[推挪延移调]?|晚|提[前早]|往前[推挪移调]?|早)(?:个|一下|了|它|再|上)?"
    r"(?P<zh>(?:[0-9]+|[一二两三四五六七八九十半]+)个?半?个?"
    r"(?:小时|钟头|钟|分钟?|刻钟|天|日|周|星期|礼拜)半?)(?!后)"
    rf"|\b(?P<en>{_LONG_EN}) (?:later|earlier|sooner|back|forward|early|ahead)\b"
    r"|\b(?:push|put|move|delay|postpone|shift|snooze|bring)\b[^.!?]{0,40}?"
    rf"(?: back| forward| off| up)?(?: by| for)? (?P<by>{_LONG_EN})\b(?! from)",
    re.IGNORECASE,
)
_EARLIER: Final = LatePattern(
    r"提[前早]|往前|早|\b(?:earlier|sooner|early|ahead|bring|forward|up)\b", re.IGNORECASE
)
_FROM_NOW: Final = LatePattern(
    r"(?:小时|钟头|分钟|刻钟|秒)|\b(?:hours?|hrs?|minutes?|mins?|seconds?)\b", re.IGNORECASE
)
_BARE: Final = LatePattern(r"(?:1[0-2]|[1-9]|[一二两三四五六七八九]|十[一二]?)")
_PART_SAID: Final = LatePattern(
    r"[上下中]午|早|晚|夜|凌晨|傍晚|[0-9 ][ap]\.?m\b|\b(?:morning|afternoon|evening|night|noon)",
    re.IGNORECASE,
)


def time_instead(told: str, begin: datetime, at: datetime, zone: ZoneInfo) -> TimeSaid | None:
    """Return the time that is named in the place of ``begin``; None where that is not clear.

    What is left out stays: the day beside an hour, the hour beside a day, the half of the day.
    """
    chinese = not told.isascii()
    if _BARE.fullmatch(told):
        told = f"{told}点" if chinese else f"at {told}"
    elif chinese and _FROM_NOW.search(told):
        told = f"{told.removesuffix('后')}后"
    plain = read_time(told, at, zone)
    if isinstance(plain, TimeSaid) and (plain.rule or _FROM_NOW.search(told)):
        return plain
    named = read_day(told, at, zone)
    if named is not None and (isinstance(plain, TimeSaid) or plain.missing == "hour"):
        whole = told if isinstance(plain, TimeSaid) else f"{told} {begin:%H:%M}"
        return _only_said(read_time(whole, at, zone))
    if not plain.spans or (
        isinstance(plain, TimeDoubt) and plain.missing in {"several", "unread"}
    ):
        return None
    halves = ("上午", "下午") if chinese else ("in the morning ", "in the afternoon ")
    day = "" if named else f"{begin.date()} "
    chosen = ("",) if _PART_SAID.search(told) else halves
    read = [_only_said(read_time(f"{day}{half}{told}", at, zone)) for half in chosen]
    far = [each for each in read if each is not None and each.at > at]
    return min(far, key=lambda each: _distance(each.at.astimezone(zone), begin), default=None)


def _only_said(found: TimeSaid | TimeDoubt) -> TimeSaid | None:
    return found if isinstance(found, TimeSaid) else None


def _distance(found: datetime, begin: datetime) -> tuple[bool, timedelta]:
    """Return how near an hour is to the one it takes the place of; nobody means three at night."""
    own = found.replace(year=begin.year, month=begin.month, day=begin.day)
    return found.hour < _WAKES <= begin.hour, abs(own - begin)


_WAKES: Final = 5


def only_names_time(text: str, at: datetime, zone: ZoneInfo) -> bool:
    """Whether a text is a bare time, as an answer is: 周六下午三点."""
    left = [*text]
    for start, end in read_time(text, at, zone).spans:
        left[start:end] = " " * (end - start)
    return not any(map(str.isalnum, left)) and any(map(str.isalnum, text))
