"""What she finds, once a night, in what is kept: days and plans, what fades, what was a year ago.

Pure, over stored dates and numbers; no model is asked. Looked at only where the partner lets her
begin.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.changes import Change, DiaryLine
from memory.initiative.intentions import (
    drops_of_old,
    holds,
    intention_of,
    next_year,
    plan_new,
    plan_passed,
)
from memory.initiative.occasions import Occasion, occasions_in
from memory.model import Kind, Memory, Sensitivity
from memory.privacy.redaction import sensitivity_of
from memory.recall.in_mind import assessment, is_unmentioned
from memory.reminder import Intention
from memory.state import MemoryState
from memory.text.calendars import Days, day_of_month, month
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.line_salience import LineTold, line_salience
from memory.text.passed_on import own_text
from memory.text.salience import STANDS, Telling, salience
from memory.text.times import in_zone, read_day
from memory.text.tokens import ends_as_question
from memory.text.word_forms import SIMPLIFIED

REVIEW_EVERY: Final = timedelta(days=7)
"""So often, at most, she asks whether something still holds."""

ASKED_AGAIN: Final = timedelta(days=180)
"""So long after it was asked about, a memory is not asked about again."""

SALIENT: Final = 0.5
"""How salient, 0 to 1, what she asks about has to be."""

TELLING: Final = 0.35
"""How salient, 0 to 1, a line of a year ago has to be."""

REVIEW_HOUR: Final = time(19, 30)
YEAR_AGO_HOUR: Final = time(12, 30)
_LINE_LENGTH: Final = range(8, 121)
_NEW_FOR: Final = timedelta(days=2)
_DAY: Final = timedelta(days=1)


def plans_of_today(state: MemoryState, now: datetime) -> list[Intention]:
    """Return what the partner had before them today or yesterday, and has not told of yet."""
    today = now.astimezone(state.agent_info.settings.zone).date()
    return [
        one
        for one in state.intentions.values()
        if one.kind == "follow_up"
        and one.is_open
        and one.day is not None
        and timedelta(0) <= today - one.day <= _DAY
        and holds(one, state)
    ]


_PAINFUL: Final = re.compile(
    r"难过|伤心|哭|死|去世|走了|葬|癌|病危|分手|离婚|失恋|出轨|流产|自杀|崩溃|绝望|被裁|失业|吵架|恨|打我"
    r"|\b(?:sad|cry|cried|crying|died|death|dead|funeral|cancer|broke up|break-?up"
    r"|divorce|miscarr|suicid|hopeless|depress|fired|laid off|hate|lonely|abus)",
    re.IGNORECASE,
)
"""What nobody wants to be reminded of out of the blue."""

_STAYS: Final = re.compile(
    r"生日|出生|纪念日|名叫|叫做|姓|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|血型|毕业于|\d{4}-\d\d"
    r"|\b(?:birthday|born|anniversary|is called|named?|blood type|graduated)\b",
    re.IGNORECASE,
)

_MAY_HOLD_DAY: Final = re.compile(
    r"\d|生日|纪念日|[一二三四五六七八九十]月|\b(?:birthday|anniversary|january|february|march|april|may|june"
    r"|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


def plan_thoughts(
    state: MemoryState, now: datetime, *, all_memories: bool = False
) -> list[Change]:
    """Return what a night finds to bring up; nothing where she may not begin.

    ``all_memories``: also in what was learnt long ago, as when she was just allowed to.
    """
    passed = list(plan_passed(state, now))
    if state.agent_info.settings.begins != "yes":
        return [*passed, *drops_of_old(state)]
    changes, after = passed, state.apply(passed)[0]
    since = None if all_memories else now - _NEW_FOR
    for step in (
        lambda s: plan_found(_told_days(s, now, since), s, now),
        lambda s: plan_new(_fading(s, now), s),
        lambda s: plan_new(_year_ago(s, now), s),
        drops_of_old,
    ):
        more = list(step(after))
        changes, after = [*changes, *more], after.apply(more)[0]
    return changes


def plan_found(
    found: Iterable[tuple[Memory, Occasion]], state: MemoryState, now: datetime
) -> Iterator[Change]:
    """Yield what memories give to come back to, where no line of the partner gave it already."""
    zone = state.agent_info.settings.zone
    heard = {key for each in state.intentions.values() for key in each.message_ids}
    known = {key for each in state.intentions.values() for key in each.memory_ids}
    new: list[Intention] = []
    for memory, occasion in found:
        if memory.id in known or not heard.isdisjoint(memory.source_ids):
            continue
        one = intention_of(occasion, memory.origin.at, zone, memory_ids=(memory.id,))
        # A birthday that was told years ago is kept in mind as it comes next.
        while one is not None and one.yearly and one.until <= now:
            one = next_year(one, state)
        if one is not None:
            new.append(one)
    yield from plan_new(new, state)


def _told_days(
    state: MemoryState, now: datetime, since: datetime | None
) -> Iterator[tuple[Memory, Occasion]]:
    """Yield the occasions ahead that memories tell of."""
    settings = state.agent_info.settings
    for memory in state.memories.values():
        if not memory.is_living_fact or (since is not None and memory.trace.created_at < since):
            continue
        if not _MAY_HOLD_DAY.search(memory.words.text):
            continue
        told = _as_said(memory.words.text, {settings.partner, *STANDS})
        for found in occasions_in(told, memory.origin.at, settings.zone):
            # A fever that is remembered is over; a plan whose day went by as well.
            ahead = found.day is not None and (
                found.kind == "day" or _is_coming(found, state, now)
            )
            if ahead:
                yield memory, found


def _is_coming(found: Occasion, state: MemoryState, now: datetime) -> bool:
    today = now.astimezone(state.agent_info.settings.zone).date()
    return found.day is not None and found.day.day >= today


def _as_said(text: str, names: Iterable[str]) -> str:
    """Return what a memory says as its partner would have said it: 主人的生日 is 我的生日."""
    named = "|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True)))
    english = re.sub(rf"^(?:{named})['’]s\b", "my", text)
    return re.sub(
        rf"^(?:{named})", "我" if re.search("[\u4e00-\u9fff]", text[2:]) else "I", english
    )


def _fading(state: MemoryState, now: datetime) -> Iterator[Intention]:
    """Yield the question after the most salient memory that fades, at most one a week."""
    asked = [each for each in state.intentions.values() if each.kind == "review"]
    if any(each.is_open or now - each.made_at < REVIEW_EVERY for each in asked):
        return
    told = Telling(names=(state.agent_info.settings.partner,))
    lately = {key for e in asked if now - e.made_at < ASKED_AGAIN for key in e.memory_ids}
    best = max(
        (
            (found, memory.id)
            for memory in state.memories.values()
            if memory.is_living_fact and memory.id not in lately and _may_be_asked(memory)
            if assessment(memory, state, now).is_fading
            if (found := salience(memory.words.text, told).value) >= SALIENT
        ),
        default=None,
    )
    if best is None:
        return
    memory, zone = state.memories[best[1]], state.agent_info.settings.zone
    at = _next(now, REVIEW_HOUR, state)
    yield Intention(
        id=0,
        kind="review",
        text=_as_said(memory.words.text, {state.agent_info.settings.partner, *STANDS}),
        at=at,
        until=at + REVIEW_EVERY,
        told_at=memory.origin.at,
        made_at=now,
        memory_ids=(memory.id,),
        day=at.astimezone(zone).date(),
    )


def _may_be_asked(memory: Memory) -> bool:
    # A plan was for its day, and a birthday stays one: nobody is asked whether they still are.
    if memory.nature.kind is Kind.TEMPORARY or _STAYS.search(memory.words.text):
        return False
    private = max(memory.nature.sensitivity, sensitivity_of(memory.words.text))
    return private < Sensitivity.SENSITIVE and not _PAINFUL.search(memory.words.text)


def _next(now: datetime, hour: time, state: MemoryState) -> datetime:
    """Return when a clock of the agent shows that hour next."""
    zone = state.agent_info.settings.zone
    day = now.astimezone(zone).date()
    at = in_zone(datetime.combine(day, hour), zone)
    return (at if at > now else in_zone(datetime.combine(day + _DAY, hour), zone)).astimezone(UTC)


def _year_ago(state: MemoryState, now: datetime) -> Iterator[Intention]:
    """Yield what the partner said on this day of the year before that tells most."""
    zone = state.agent_info.settings.zone
    at = _next(now, YEAR_AGO_HOUR, state)
    day = at.astimezone(zone).date()
    if any(each.about == "year_ago" and each.day == day for each in state.intentions.values()):
        return
    try:
        then = day.replace(year=day.year - 1)
    except ValueError:  # 29 February
        return
    begin = in_zone(datetime.combine(then, time()), zone)
    end = in_zone(datetime.combine(then + _DAY, time()), zone)
    lines = [
        line
        for line in state.diary.values()
        if begin <= line.message.at < end and _may_be_brought_up(line)
    ]
    ranked = ((line_salience(e.message.text, LineTold()).value, e.number, e) for e in lines)
    best = max(ranked, key=lambda each: each[:2], default=None)
    if best is None or best[0] < TELLING:
        return
    message = best[2].message
    yield Intention(
        id=0,
        kind="day",
        about="year_ago",
        text=message.text,
        at=at,
        until=in_zone(datetime.combine(day + _DAY, time()), zone).astimezone(UTC),
        day=day,
        told_at=message.at,
        made_at=now,
        message_ids=(message.id,),
    )


def _may_be_brought_up(line: DiaryLine) -> bool:
    message = line.message
    if message.role != "user" or line.hidden or line.past or message.quoted:
        return False
    text = message.text
    if len(text) not in _LINE_LENGTH or text.startswith("/") or ends_as_question(text):
        return False
    if _PAINFUL.search(text) or sensitivity_of(text) >= Sensitivity.SENSITIVE:
        return False
    return own_text(text)[1] == ""


class DaysAsked(NamedTuple):
    """What somebody asks of: the first and the last day, and whether of reminders alone."""

    first: date
    last: date
    only_reminders: bool


def days_asked(text: str, at: datetime, zone: ZoneInfo) -> DaysAsked | None:
    """Return of which days somebody asks what is on, or for their reminders; None if of none.

    >>> at = datetime(2026, 3, 4, tzinfo=UTC)
    >>> days_asked("都提醒我什么了", at, ZoneInfo("UTC")).only_reminders
    True
    """
    plain = text.strip().translate(SIMPLIFIED).replace("the weekend", "this weekend")
    reminders = _ASKS_REMINDERS.fullmatch(plain) is not None
    if len(plain) > _LONGEST_QUESTION or not (reminders or _ASKS_PLANS.fullmatch(plain)):
        return None
    today = at.astimezone(zone).date()
    day = read_day(plain, at, zone)
    spans = [] if day else [each.days for each in date_mentions(plain, at, zone)]
    if day is not None and day.day >= today:
        return DaysAsked(day.day, day.day, reminders)
    if len(spans) == 1 and spans[0].last >= today:
        return DaysAsked(max(spans[0].first, today), spans[0].last, reminders)
    return DaysAsked(today, date.max, reminders) if reminders and not (day or spans) else None


_LONGEST_QUESTION: Final = 60
_ON_EN: Final = (
    r"(?: (?:on|in|at|over|for|today|tonight|tomorrow|the|this|next|coming|week|weekend|month|day|after"
    r"|morning|afternoon|evening|of|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[0-9]{1,2}(?:st|nd|rd|th)?"
    r"|january|february|march|april|may|june|july|august|september|october|november|december))*"
)
_ON_ZH: Final = "[我都还这下本个周星期礼拜末今明后大天晚月号日有的0-9一二三四五六十]*+"
_END: Final = r"(?: then| please)?[\s?？。.!！~～呢啊呀吗么来着]*"
_ASKS_REMINDERS: Final = LatePattern(
    r"(?:so |and |hey |xiaoxiang,? )?(?:(?:what|which) reminders (?:have i (?:got|set)|do i have|are there)(?: set| left| coming up)?"
    r"|(?:show|list|tell)(?: me)?(?: all)?(?: of)? my reminders|what are my reminders|my reminders"
    r"|(?:do i have|have i got|are there) any reminders(?: set| left| coming up)?|any reminders"
    r"|what (?:are|will) you (?:going to )?remind(?:ing)? me (?:of|about)|what did i ask you to remind me (?:of|about))"
    rf"{_ON_EN}{_END}"
    rf"|(?:小祥[，,]?)?[你我让叫要会还都]*+{_ON_ZH}提醒(?:过)?我(?:些|了)?(?:什么|啥|哪些)(?:事情?|东西)?了?{_END}"
    rf"|(?:小祥[，,]?)?{_ON_ZH}(?:设|定)?了?(?:什么|哪些|几个|几条|多少|啥)提醒{_END}"
    rf"|(?:看看?|列|查看?|列出)(?:一下)?{_ON_ZH}提醒{_END}|(?:我的)?(?:提醒|闹钟)(?:都|还|现在|一共)*(?:有|是)(?:哪些|哪几[个条]|什么|几[个条])了?{_END}|我的提醒呢?{_END}",
    re.IGNORECASE,
)
_ASKS_PLANS: Final = LatePattern(
    r"(?:so |and |hey |xiaoxiang,? )?(?:what(?:['’]?s| is)(?: on| happening| planned| going on| coming up)+"
    r"|what (?:have|do) i (?:got|have)(?: on| planned| coming up| happening| scheduled| to do)*"
    r"|what (?:are my plans|am i doing|plans (?:do i have|have i got))|(?:do i have|have i got|is there) anything(?: on| planned| to do)*"
    rf"|anything(?: on| planned)+){_ON_EN}{_END}"
    rf"|(?:小祥[，,]?)?(?:那|我)?(?=[^，]*[今明后周期拜号日月]){_ON_ZH}(?:什么|哪些|啥)(?:安排|事情?|计划|活动|日程|行程|要[做办]的){_END}"
    rf"|(?:小祥[，,]?)?(?:那|我)?(?=[^，]*[今明后周期拜号日月]){_ON_ZH}(?:要|该)(?:做|干|办)(?:些|点)?(?:什么|啥|哪些事){_END}"
    rf"|(?:小祥[，,]?)?(?:那|我)?(?=[^，]*[今明后周期拜号日月]){_ON_ZH}(?:安排|计划|日程|行程)(?:是什么|有哪些|有什么|呢){_END}",
    re.IGNORECASE,
)


def plans_between(state: MemoryState, first: date, last: date) -> list[Memory]:
    """Return what was told of these days when they were still to come, the next first."""
    zone = state.agent_info.settings.zone
    found: list[tuple[date, int, Memory]] = []
    for memory in state.memories.values():
        day = _planned_day(memory, first, last, zone) if memory.is_living_fact else None
        if day and first <= day <= last and not is_unmentioned(memory.words.text, state):
            found.append((day, memory.id, memory))
    return [memory for _, _, memory in sorted(found, key=lambda each: each[:2])]


def _planned_day(memory: Memory, since: date, until: date, zone: ZoneInfo) -> date | None:
    """Return the day of a plan or a birthday; None for what is over, lasts or comes every week.

    What is planned for a month is of no day in it: it counts where all of it is asked of.
    """
    text, told_at = memory.words.text, memory.origin.at
    if _NO_PLAN.search(text):
        return None
    dated = _DATED.search(text)
    if dated is not None:
        (begin, _), (_, end) = (_days_of(each) for each in (dated[1], dated[2] or dated[1]))
        ahead = begin > told_at.astimezone(zone).date()
        vague = len(dated[1]) < len("2026-03-04") and not since <= begin <= end <= until
        return max(begin, min(since, end)) if ahead and not vague else None
    if _EVERY_YEAR.search(text):
        told_at = datetime.combine(since, time(), zone)
    day = read_day(text, told_at, zone)
    return day.day if day else None


def _days_of(written: str) -> Days:
    """Return the days of a date that may be a whole month: 2026-03-04, 2026-03."""
    year, number, *day = map(int, written.split("-"))
    whole = month(year, number)
    return (day_of_month(whole, day[0]) if day else None) or whole


_DATED: Final = re.compile(r"[（(](\d{4}-\d\d(?:-\d\d)?)(?:~(\d{4}-\d\d-\d\d))?[）)]")
_EVERY_YEAR: Final = re.compile(r"生日|纪念日|忌日|birthday|anniversary", re.IGNORECASE)
_NO_PLAN: Final = re.compile(
    r"[^要]了(?!解)|过(?![年节生])|昨|前天|上[周个]|去年|[从自]|每|都|一直|经常|不(?!吃|喝|带)"
    r"|\b(?:was|were|went|did|had|been|last|ago|yesterday|since|every|each|always|usually|often"
    r"|not|never|\w+n['’]t|\w{2,}ed)\b",
    re.IGNORECASE,
)
