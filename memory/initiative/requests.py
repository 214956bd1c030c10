"""What asks to be reminded, of what and when; by rule, in Chinese and English.

A request has a cue (提醒我, remind me) that somebody gives her: not one told of, refused, quoted
or in the past. Its matter is what stands behind the cue, or else before it, without the time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.initiative.reminder_forms import (
    ENDS_MATTER,
    WHOM_EN,
    WHOM_ZH,
    matter_of,
    matter_words,
    time_of_request,
    told_to,
    whom_named,
    without,
)
from memory.model import Message
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.requests import asks_whether_reminded
from memory.text.slot_cues import PERSONS_ZH
from memory.text.time_parts import LEADING, TRAILING, trimmed
from memory.text.times import Missing, TimeDoubt, TimeSaid, read_day, read_time
from memory.text.tokens import tokens
from memory.text.word_forms import SIMPLIFIED

LONGEST: Final = 600
"""Longer messages ask for no reminder by rule: they were pasted, or tell a story."""

_CUE_ZH: Final = r"(?:再|也|都)?(?:提醒(?:一?下|一声|一句)?(?:一下)?(?:我们?|俺|咱们?)(?:一?下|一声|一句)?|(?<!可)提(?:一?下)?我(?!们?[的是])|(?:叫|喊)(?:一?下|一声)?(?:我|醒我)(?:一声|一下)?(?!们?[的是做])|叫醒我|(?:提醒)(?:一?下|一声)?(?:哈|啊|吧|呗|哦|就行)?(?=[\s,，。!！~～]*$)|(?:帮我|给我)(?:设|定|上|订|搞|记)(?:个|一个|一下)?(?:闹钟|闹铃|提醒)|定个?闹钟|设个?提醒)"
_CUE_EN: Final = (
    r"\b(?:remind (?:me|us)\b(?! (?:what|which|who|whom|where|why|how)\b)|(?:ping|nudge|buzz|alert|wake) me\b(?: up\b)?|give me a (?:nudge|shout|buzz|ping|heads? ?up)|set (?:me )?(?:an? )?(?:alarm|reminder)|reminder (?:to|for|about|that)\b|reminder(?=\W*(?:please|pls|plz)\W*$)"
    r"|(?:pls|please|plz|kindly) remind\b|remind(?=\W*$))"
)
_CUE: Final = LatePattern(f"(?P<zh>{WHOM_ZH}|{_CUE_ZH})|(?P<en>{WHOM_EN}|{_CUE_EN})")

_REFUSED: Final = LatePattern(
    r"(?:不用|不要|不必|无需|别|甭|没必要|不需要|唔使|懒得)(?:你|再|麻烦|来|总|老|一直|每次)*\x00|\b(?:don['’]?t|do not|no need to|needn['’]?t|stop|never|not) (?:\w+ )?\x00|\b(?:have|had|has|having|got|told|asked|wish(?:ed)?|used|meant) (?:\w+ )?(?:to )?\x00"
    r"|\b(?:did|does|do|didn['’]?t) (?:\w+ ){1,2}\x00",
    re.IGNORECASE,
)
_SUPPOSED: Final = LatePattern(
    r"(?:要是|如果|假如|若是|万一)你?(?:敢|又|还|再)+[^，,。\x00]{0,6}\x00|(?<!时候)(?<!到时)你(?:敢|要是|如果)再?\x00"
    r"|\b(?:if|when(?:ever)?|every time|unless|until) (?:you|u|ya|anyone|someone)(?: (?!c|w|don)\w+)? ?\x00",
    re.IGNORECASE,
)
_OVER: Final = LatePattern(
    r"\b(?:was|were) (?:just |only )?(?:going|about|planning|meaning) to [^.!?\x00]{0,20}\x00",
    re.IGNORECASE,
)
_TAKEN_BACK: Final = LatePattern(
    r"开(?:个|下)?玩笑|逗你(?:的|玩)|说着玩|骗你的|(?:不用|别)(?:理|管)我|当我没说|[，,。!！\s]算了(?:[，,。!！\s]|$)|\b(?:nvm|never ?mind|(?<!to )forget (?:it|that|i said)|(?:just |only )?(?:kidding|joking)|jk|scratch that"
    r"|(?:already|just) (?:did|done) (?:it|that)|did (?:it|that) already|no need(?: now)?)\b",
    re.IGNORECASE,
)

_TOLD: Final = LatePattern(
    r"刚才|刚刚|刚(?=\x00)|昨[天晚日]|前天|寻日|总是?(?=\x00)|老是?(?=\x00)|一直(?=\x00)|成日|经常|每次|从来|幸好|多亏|还好|(?:他|她|它|佢|人家|闹钟|手机|日历|系统|照片|歌|妈妈?|爸爸?|老公|老婆|老师|同事|医生|领导|经理|朋友|室友)们?(?:又|也|都|会|要|在|说|总|老|就|还|到时候|[^\x00，,。]{0,6})*$"
    r"|(?:这|那)(?:首|张|个|件|部|句|本|条|种)[^\x00，,。]{0,12}$"
    r"|(?<![到去在回进了出离开])(?:幼儿园|托班|学校|单位|公司|物业|社区|村里|居委会?|医院|银行|厂里|店里|派出所|房东|中介|客户)(?:又|也|都|要|就|打电话|发消息|今天|突然|临时)*\x00?$",
)
_TOLD_EN: Final = LatePattern(
    r"\b(?:he|she|they|it|that|this|who|which|mom|mum|dad|wife|husband|boss|manager|phone|app|calendar|song)"
    r"(?:['’]?ll|['’]?d| will| would| can| could| always| used to| might)? ?$",
    re.IGNORECASE,
)
_AFTER_TOLD: Final = LatePattern(
    r"^(?:了|过(?![\u4e00-\u9fff])|过[了吗没好一二两三四几]|的(?!时候)|[一二两三四五几]遍)"
)
_OF: Final = LatePattern(r" of\b", re.IGNORECASE)
_QUOTES: Final = LatePattern(r"[“\"「『‘][^”\"」』’]{0,60}[”\"」』’]")


@dataclass(frozen=True, slots=True)
class ReminderRequest:
    """A request: the matter in its own words, maybe empty, and the time or what to ask."""

    what: str
    when: TimeSaid | TimeDoubt

    @property
    def missing(self) -> Missing | None:
        """What has to be asked before she can remind; None if the time is clear."""
        return self.when.missing if isinstance(self.when, TimeDoubt) else None


@dataclass(frozen=True, slots=True)
class AskedReminder:
    """A request and the message that made it whole; ``message_ids`` are all that asked."""

    request: ReminderRequest
    message: Message
    message_ids: tuple[str, ...]


ANSWER_WITHIN: Final = timedelta(hours=2)
"""How long after she asked for the hour a bare time is the answer to that."""

LONGEST_ANSWER: Final = 40
_LEAST_MORE: Final = 6


def reminders_asked(
    said: Sequence[Message], before: Sequence[Message], zone: ZoneInfo
) -> tuple[AskedReminder, ...]:
    """Return what somebody asks to be reminded of, in their own words only.

    ``before`` are the lines of the conversation before: a time that answers what she asked back
    completes the request that was made there.
    """
    found: list[AskedReminder] = []
    for message, own in zip(said, own_words_of(said, before), strict=True):
        if message.role != "user":
            continue
        asked = [
            AskedReminder(request, message, (message.id,))
            for line in own.text.splitlines()
            if (request := reminder_request(line, message.at, zone)) is not None
        ]
        if not asked and (answered := _answered(own, before, zone)) is not None:
            asked = [answered]
        found += asked
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Open:
    """A request that she asked back about: what is said of its time by now, and by which lines."""

    request: ReminderRequest
    words: str
    last: Message
    ids: tuple[str, ...]


def _answered(message: Message, before: Sequence[Message], zone: ZoneInfo) -> AskedReminder | None:
    """Return the request before, completed by a message that only names a time."""
    waiting = _waiting([*before[-LINES_BACK:], message], zone)
    if waiting is None or waiting.last.id != message.id or waiting.ids == (message.id,):
        return None
    return AskedReminder(waiting.request, message, waiting.ids)


def open_request(
    message: Message, before: Sequence[Message], zone: ZoneInfo
) -> ReminderRequest | None:
    """Return the request of the same person that she just asked back about; else None."""
    waiting = _waiting(before[-LINES_BACK:], zone)
    if waiting is None or waiting.request.missing is None or before[-1].role != "assistant":
        return None
    late = message.at - waiting.last.at > ANSWER_WITHIN
    return None if late or waiting.last.speaker_id != message.speaker_id else waiting.request


def _waiting(lines: Sequence[Message], zone: ZoneInfo) -> _Open | None:
    """Return the last request of some lines, with what was said of its time by their end."""
    waiting: _Open | None = None
    for line, earlier in zip(lines, (None, *lines), strict=False):
        if line.role != "user":
            continue
        asked = reminder_request(line.text, line.at, zone)
        if asked is not None:
            waiting = _Open(asked, _words(line.text, asked.when), line, (line.id,))
        elif earlier is not None and earlier.role == "assistant" and waiting is not None:
            waiting = _completed(waiting, line, zone)
        else:
            waiting = None
    return waiting


LINES_BACK: Final = 8
"""So many lines a request may be back while she asks, and is told, its time bit by bit."""


def _words(text: str, when: TimeSaid | TimeDoubt) -> str:
    # Of each line only the times: 几点都行，早上九点吧 must not be read as an hour that is left open.
    return " ".join(text[start:end].strip() for start, end in when.spans)


def _completed(first: _Open, message: Message, zone: ZoneInfo) -> _Open | None:
    """Return a request with what a line adds to its time; None if the line is no answer."""
    asks = _CUE.search(_unquoted(message.text.translate(SIMPLIFIED)).lower())
    if first.request.missing is None or asks or len(message.text) > LONGEST_ANSWER:
        return None
    if first.last.speaker_id != message.speaker_id or message.at - first.last.at > ANSWER_WITHIN:
        return None
    half = _HALF.fullmatch(message.text)
    text = (
        f"in the {_HALVES.get(half[1][:2].lower().rstrip('.m'), half[1])}"
        if half
        else message.text
    )
    alone = read_time(text, message.at, zone)
    # The match is on Saturday at 3: what it is about is no more than the time.
    matter = "|".join([*map(re.escape, tokens(first.request.what)), r"\x00"])
    other = re.sub(matter, lambda word: " " * len(word[0]), text, flags=re.IGNORECASE)
    if not alone.spans or says_more_than(alone.spans, other):
        return None
    said = _words(text, alone)
    again = first.request.missing in {"past", "several", "unread", "zone"}
    words = said if again else f"{first.words} {said}".strip()
    when = read_time(words, message.at, zone)
    if isinstance(when, TimeDoubt) and isinstance(alone, TimeSaid):
        # "At six: morning or afternoon?", "at seven": another hour of the day that was named.
        day = read_day(first.words, message.at, zone)
        when = read_time(f"{day.day} {said}", message.at, zone) if day else alone
    what = ReminderRequest(first.request.what, when)
    return _Open(what, words, message, (*first.ids, message.id))


_HALF: Final = LatePattern(
    r"\W*(?:in |at )?(?:the )?(morning|afternoon|evening|night|[ap]\.?m\b\.?)(?: one)?(?:,? (?:please|pls|thanks))?\W*",
    re.IGNORECASE,
)
_HALVES: Final = {"a": "morning", "p": "afternoon", "ni": "evening"}


def says_more_than(spans: Sequence[tuple[int, int]], text: str, most: int = _LEAST_MORE) -> bool:
    """Whether a text says more than the time at some places, by more than so many letters."""
    left = TRAILING.sub("", LEADING.sub("", _WHATEVER.sub("", without(text, spans))))
    return sum(each.isalnum() * (1 if each.isascii() else _HAN_WEIGHS) for each in left) > most


_HAN_WEIGHS: Final = 4
"""So many letters a Chinese character stands for."""


_WHATEVER: Final = LatePattern(
    r"(?:几点|什么时候|何时)?都?(?:行|可以|没关系)|好了|就[好行]|行了|随便|无所谓|差不多|\b(?:any ?time(?: is fine)?|whenever|whatever|i don['’]?t mind|no rush|let['’]?s say|how about"
    r"|make it|is fine|works|would be (?:good|great|nice))\b",
    re.IGNORECASE,
)
"""What leaves the hour to her, before one is named."""

_WAKES: Final = LatePattern("(?<!提)醒|wake")


def reminder_request(text: str, at: datetime, zone: ZoneInfo) -> ReminderRequest | None:
    """Return what a message asks to be reminded of; None if it asks nothing of the kind.

    ``at`` is when it was said, ``zone`` where its hours are meant.
    """
    if len(text) > LONGEST:
        return None
    plain = _unquoted(text.translate(SIMPLIFIED) if not text.isascii() else text)
    if len(plain) != len(text):
        plain = _unquoted(text)
    cue = _CUE.search(plain.lower())
    if cue is None:
        return None
    when = time_of_request(_unquoted(text), cue.span(), at, zone)
    if gone := _gone_day(plain, cue, when):
        what = matter_of(text, cue.span(), [*when.spans, gone])
        return ReminderRequest(what, TimeDoubt("past", (*when.spans, gone)))
    if not _is_asked(plain, cue, when):
        return None
    own = re.split(r"[,，。!！?？;；\n]|\.\s", without(plain[: cue.start()], when.spans))[-1]
    whom = whom_named(text, cue, own)
    what = told_to(whom or "", matter_of(text, cue.span(), when.spans))
    bids = whom is not None and not _only_asks_or_names(plain, cue, when)
    if not bids or _nobody_can(plain, cue, when, what):
        return None
    if not what and _WAKES.search(cue[0]):
        what = "time to get up" if text.isascii() else "起床"
    return ReminderRequest(what, when)


_WHETHER_SHE_WILL: Final = LatePattern(
    r"\W*(?:(?:and|so|but|ok) )?(?:will|would|are|did|do|can|could) (?:you|u|ya)(?: (?:really|actually|definitely|even|honestly|still|gonna|going to|mean to|remember to|be able to))+ ?\x00\W*(?:up|then|though|tho|or not)?\W*",
    re.IGNORECASE,
)
_CALLS: Final = LatePattern("(?:也|都|再)?(?:叫|喊)(?!.*(?:醒|一声|一下))")
_SINCE_THEN: Final = LatePattern("(?:今天|今儿|现在|以后|今后|明天)(?:开始|起|往后)|以后|今后")
_BIDS_CALL: Final = LatePattern(
    "记得|别忘|到时|到点|到站|时候|完了?$|好了?$|[之]?后$|会儿|等下|晚点"
)


def _only_asks_or_names(plain: str, cue: re.Match[str], when: TimeSaid | TimeDoubt) -> bool:
    """Whether somebody asks if she did remind, or says how they are called: 叫我清清就行."""
    before, missing = plain[: cue.start()], when.missing if isinstance(when, TimeDoubt) else ""
    if missing == "time" and _WHETHER_SHE_WILL.fullmatch(f"{before}\x00{plain[cue.end() :]}"):
        return True
    # 你提醒我吃药了吗 asks; 九点提醒我问妈妈吃药了吗 bids.
    if asks_whether_reminded(plain) and (missing or "你" in before):
        return True
    if missing not in {"time", "hour"} or not _CALLS.match(cue[0]):
        return False
    if missing == "hour":
        return _SINCE_THEN.search(before) is not None
    return not (_BIDS_CALL.search(before) or plain.startswith("起", cue.end()))


def _nobody_can(plain: str, cue: re.Match[str], when: TimeSaid | TimeDoubt, what: str) -> bool:
    """Whether it names nothing at no time; "remind me of you" then tells of a likeness."""
    timeless = isinstance(when, TimeDoubt) and when.missing == "time"
    return timeless and (not what or _OF.match(plain, cue.end()) is not None)


_GONE: Final = LatePattern(
    r"(?P<zh>昨[天日晚儿]|前天)|\b(?:yesterday|last night)\b", re.IGNORECASE
)


def _gone_day(
    plain: str, cue: re.Match[str], when: TimeSaid | TimeDoubt
) -> tuple[int, int] | None:
    """Return where a request names a day that is over: 昨天早上八点提醒我; None if it does not."""
    found, timeless = _GONE.search(plain), isinstance(when, TimeDoubt) and when.missing == "time"
    if found is None or timeless or _AFTER_TOLD.search(plain[cue.end() :]):
        return None
    begins, ends = (0, cue.start()) if found["zh"] else (cue.end(), found.start())
    inside = found.end() <= ends if found["zh"] else begins <= ends
    inside = inside and "你" not in plain[:ends] and not asks_whether_reminded(plain)
    beside = trimmed(without(plain, [*when.spans, found.span()])[begins:ends])
    return found.span() if inside and not beside.strip("\0 ") else None


class CancelledMatter(NamedTuple):
    """What is to be cancelled: the words of it, and the day and the hour that are named."""

    words: frozenset[str]
    day: date | None
    clock: str

    def is_of(self, text: str, then: datetime) -> bool:
        """Whether a reminder of ``text`` that comes then holds every word of it."""
        at_it = self.day in {None, then.date()} and self.clock in {"", f"{then:%H:%M}"}
        # To cancel it may be what she is to remind of: that is not asked of her.
        mine = at_it and _TO_CANCEL.search(text) is None
        return mine and self.words <= matter_words(text)


_TO_CANCEL: Final = LatePattern(
    r"取消|退|删|\b(?:cancel|delete|remove|call (?:\w+ ){0,3}?off)\b", re.IGNORECASE
)


def matter_cancelled(message: Message, zone: ZoneInfo) -> CancelledMatter | None:
    """Return what a message asks to cancel: 会议取消吧, "cancel tomorrow's meeting"; else None."""
    found = ENDS_MATTER.fullmatch(message.text.translate(SIMPLIFIED).strip(" 。.!！~～"))
    if found is None:
        return None
    matter = next(filter(None, found.groups()))
    day, when = read_day(matter, message.at, zone), read_time(matter, message.at, zone)
    clock = f"{when.at.astimezone(zone):%H:%M}" if isinstance(when, TimeSaid) else ""
    words = matter_words(without(matter, when.spans))
    # A time that is not understood may be of any other.
    unclear = when.spans and not day and not clock
    return CancelledMatter(words, day and day.day, clock) if words and not unclear else None


def _unquoted(text: str) -> str:
    """Return a text in which what is quoted is blank, character for character."""
    return _QUOTES.sub(lambda found: " " * len(found[0]), text)


def _is_asked(plain: str, cue: re.Match[str], when: TimeSaid | TimeDoubt) -> bool:
    """Whether the cue is given to her, and is not told of, refused or over."""
    marked = f"{plain[: cue.start()]}\x00"
    clause = re.split(r"[,，。!！?？;；\n]|\.\s", marked)[-1]
    if any(rule.search(marked[-60:]) for rule in (_SUPPOSED, _OVER)):
        return False
    if _TAKEN_BACK.search(plain, cue.end()):
        return False
    if _REFUSED.search(marked[-40:]) or _AFTER_TOLD.search(plain[cue.end() :].lower()):
        return False
    own = without(plain[: cue.start()], when.spans)
    own_clause = re.split(r"[,，。!！?？;；\n\s\x00]|\.\s", own)[-1]
    if cue["zh"] and (_TOLD.search(own_clause) or _TOLD.search(clause)):
        return False
    if cue["zh"] and _reminds_itself(own_clause, clause, when):
        return False
    return not (cue["en"] and _TOLD_EN.search(own.rstrip("\x00")))


def _reminds_itself(own: str, clause: str, when: TimeSaid | TimeDoubt) -> bool:
    """Whether what stands right before the cue is who reminds: 医生提醒我少熬夜, 医院会提前一天提醒我."""
    missing = when.missing if isinstance(when, TimeDoubt) else ""
    if missing == "event":
        return _AHEAD_OF_ITSELF.search(clause) is not None
    return missing == "time" and bool(LEADING.sub("", own))


_AHEAD_OF_ITSELF: Final = LatePattern(
    rf"(?:会|都|总|老|已经?|就|(?:{PERSONS_ZH})|医院|学校|银行|系统|软件|手机|日历|闹钟|客服)们?提[前早]"
)
