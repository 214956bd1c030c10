"""What was planned for today or yesterday is asked about: once, and not once it was told of."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from memory.offline.vocabulary import Sayings, content_words, is_question
from memory.offline.warmth import GRAVE_NEWS, occasion_of
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.requests import asks_for_reminder
from prompts import PromptLine

_CLAUSE: Final = LatePattern(r"[^，,。.！!？?；;\n]+")

_LEADING_ZH: Final = LatePattern(
    r"^(?:我们?|主人|要|会|得|打算|准备|就|是|有|从|开始|还|也|想|偏偏|又|都|一?[个场次趟]|一早|[早晚]上|[上中下]午|傍晚)+"
)

_LONGEST_EVENT: Final = 40


def thread(
    lines: Sequence[PromptLine], told: str, hers: Sequence[str], now: datetime, sayings: Sayings
) -> str:
    """Return a question about what the partner planned for today or yesterday, or nothing.

    It is asked once: what a line of ``hers`` has asked about is left alone, and so is what the
    partner has told of since, ``told`` being the last of it, or has called off.
    """
    zone = now.tzinfo if isinstance(now.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    today = now.astimezone(zone).date()
    theirs = sorted({line for line in lines if line.role == "user"}, key=lambda line: line.at)
    for place in reversed(range(len(theirs))):
        for day, event in _planned(theirs[place], zone):
            if not timedelta(0) <= today - day <= timedelta(days=1):
                continue
            since = [(x.at.astimezone(zone).date() >= day, x.text) for x in theirs[place + 1 :]]
            if not _is_closed(event, [*since, (True, told)], hers):
                asks = sayings.thread_today if day == today else sayings.thread_yesterday
                return asks.format(event=event)
    return ""


def _planned(line: PromptLine, zone: ZoneInfo) -> Iterator[tuple[date, str]]:
    """Yield the days after a line for which it plans something, each with what that is."""
    if (
        is_question(line.text)
        or asks_for_reminder(line.text)
        or occasion_of(line.text) in _NOT_ASKED_ABOUT
    ):
        return
    for clause in _CLAUSE.findall(line.text):
        if occasion_of(clause) in _PARTING or _PLANS_NOTHING.search(clause):
            continue
        for each in date_mentions(clause, line.at, zone):
            day = each.days.first
            event = _event(clause, each.start, each.end)
            if day == each.days.last and day > line.at.astimezone(zone).date() and event:
                yield day, event


_NOT_ASKED_ABOUT: Final = GRAVE_NEWS - {"failure"} | {"quarrel", "trouble"}
"""Nobody is asked how a funeral went; of an operation one is."""

_PARTING: Final = frozenset({"goodnight", "goodbye"})
"""See you tomorrow is no plan."""


_PLANS_NOTHING: Final = LatePattern(
    r"[不没](?!见不散|错|准|问题)|\b(?:nothing|not|no)\b|n['’]t\b", re.IGNORECASE
)


def _event(clause: str, start: int, end: int) -> str:
    """Return what a clause says is planned, without its date in Chinese; empty if too long."""
    if re.search("[一-鿿]", clause):
        event = _LEADING_ZH.sub("", f"{clause[:start]}{clause[end:]}".strip()).rstrip("是在")
        return event if 1 < len(event) <= _LONGEST_EVENT // 2 else ""
    said = clause.strip()
    return f"{said}." if len(said) <= 2 * _LONGEST_EVENT else ""


def _is_closed(event: str, since: Sequence[tuple[bool, str]], hers: Sequence[str]) -> bool:
    """Whether an event was asked about, told of, or called off.

    ``since`` are the partner's lines after the one that planned it, and whether each came on its
    day or later.
    """
    named = frozenset(content_words(event)) - _DAYS
    if not named or any(event in said for said in hers):
        return True
    if any(is_question(said) and named & set(content_words(said)) for said in hers):
        return True
    told_of = [told for kind, told in _OUTCOMES if kind.search(event)]
    for step, (then, text) in enumerate(since):
        shares = bool(named & set(content_words(text)))
        # 取消了 alone is said of what was spoken of just before.
        bare = step <= _STILL_SPOKEN_OF and len(content_words(text)) <= _FEW_WORDS
        if _CALLED_OFF.search(text) and (shares or bare):
            return True
        if then and (shares or any(told.search(text) for told in (*told_of, _IS_OVER))):
            return True
    return False


_DAYS: Final = frozenset(
    {"tomorrow", "morning", "afternoon", "evening", "tonight", "noon", "early", "late", "am", "pm"}
    | {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    | {"早上", "上午", "中午", "下午", "晚上", "明早", "明晚"}
)
"""What says when, and not what."""

_STILL_SPOKEN_OF: Final = 2

_FEW_WORDS: Final = 2

_CALLED_OFF: Final = LatePattern(
    r"取消|不去了|不[考面看办]了|[改推挪]到|改[天期]|推迟|延期|黄了|泡汤|没去成|去不[了成]|退了"
    r"|\b(?:cancel\w*|called (?:it )?off|postponed|resched\w*|moved to|put off|fell through"
    r"|not going|can['’]?t (?:go|make it)|won['’]?t be going|didn['’]t go)\b",
    re.IGNORECASE,
)

_IS_OVER: Final = LatePattern(
    r"(?:^|[，,])(?:总算|终于|都)?(?:完事|搞定|结束|忙完)了"
    r"|\b(?:that|it|all)(?:['’]s| is| was)? (?:done|over)\b"
    r"|\bwent (?:well|fine|ok(?:ay)?|great|badly)\b",
    re.IGNORECASE,
)

_OUTCOMES: Final = tuple(
    (LatePattern(kind, re.IGNORECASE), LatePattern(told, re.IGNORECASE))
    for kind, told in (
        (
            r"面试|interview",
            r"面(?:完|得|上|砸|过)|offer|录[用取]|\b(?:hired|got (?:the|it)|didn't get)\b",
        ),
        (
            r"考|exam|test|quiz",
            r"考(?:完|得|砸|过|上)|过了|[几0-9一-九]分|\b(?:pass|fail|nail|flunk)\w*",
        ),
        (
            r"医|牙|检|复查|手术|看病|doctor|dentist|hospital|gp\b|check-?up|scan|surgery",
            r"[医大][生夫]说|检查|结果|[拔查看做]完|[拔做]了|\b(?:said|results?|all clear)\b",
        ),
        (
            r"飞|机票|火车|高铁|旅|出差|[去回].{1,6}|flight|train|trip|fly|travel|holiday|visit",
            r"落地|到[了家]|回来|晚点|玩得|\b(?:landed|arrived|back|delayed|home|here)\b",
        ),
    )
)
"""What tells how a plan went without naming it: who was to be interviewed says 面完了."""
