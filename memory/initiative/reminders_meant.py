"""Which reminder somebody means who asks to end one or to move it, in their own words.

别再提醒我喝水, cancel the dentist reminder; 改成十一点, "make that 11", move my pills to 9:45.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from memory.initiative.reminders import (
    DueReminder,
    moved_time,
    next_at,
    nth_of,
    occurrences,
)
from memory.initiative.requests import ANSWER_WITHIN, says_more_than
from memory.model import Message
from memory.reminder import Reminder
from memory.state import MemoryState
from memory.text.dates import shift_said
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.times import TimeSaid, in_zone, read_time
from memory.text.tokens import tokens
from memory.text.word_forms import SIMPLIFIED

_END_ZH: Final = LatePattern(
    r"^(?:小祥|请|麻烦|拜托|那|以后|从今天起|从现在起|现在|已经|都|就|你|[，,、\s])*(?:(?:别|不用|不要|不必|甭|无需|停止|不需要)(?:你|再|总|老|一直|每天|每次|继续)*(?:提醒|叫|喊)(?:我|大家)们?(?P<a>[^，,。！!？?]*)|(?:把|将)?(?P<b>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:都|全|可以|就)*(?:取消|删|停|关|撤)(?:掉|了|吧|啦)*"
    r"|(?:取消|删掉|删除|停掉|停止|关掉|撤掉|去掉)(?P<c>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:了|吧|啦)*|(?P<d>[^，,。！!？?]{1,20}?)(?:不用|别|不要|不必)(?:你|再)*(?:提醒|叫|喊)我?(?:了|啦|吧)+)[\s，,。！!~～]*$"
)
_END_EN: Final = LatePattern(
    r"^(?:xiaoxiang|please|ok(?:ay)?|hey|can you|could you|from now on|now|and|so|you can|[,\s])*(?:(?:stop|quit) reminding me(?P<a>[^.!?]*)|(?:don['’]?t|do not|no need to|(?:you )?need(?:n['’]?t| not)|you (?:don['’]?t|do not) (?:need|have) to|there is no need to) (?:keep )?remind(?:ing)? me(?P<b>[^.!?]*)"
    r"|(?:cancel|delete|remove|drop|turn off|end) (?:the|my|that|this|all(?: the| my)?) ?(?P<c>[^.!?]{0,30}?) ?(?:reminder|alarm)s?(?: (?P<d>(?:for|to|about|of) [^.!?]+))?"
    r")(?:,? please)?[\s.!]*$",
    re.IGNORECASE,
)
_ANY_MORE: Final = LatePattern(
    r"(?:了|啦|吧|的事|这件事|\b(?:any ?more|please|again|thanks|now|from now on))+$|^(?:去|要|该|about|to|of|for|the|my|that|all)\b"
    r"|^(?:去|要|该|那个|这个|所有|全部)",
    re.IGNORECASE,
)
LONGEST_ENDING: Final = 60

_EVERY: Final = LatePattern(r"所有|全部|全都|[都全][取删停关撤]|\ball\b|\bevery\b", re.IGNORECASE)
_END_NTH: Final = LatePattern(
    r"(?:小祥|请|麻烦|帮我|那|就|把|[，,\s])*(?:取消|删掉?|删除|停掉|关掉|去掉|不要)(?P<a>(?:第[一二两三四五六七八九十0-9]{1,2}|最后一)[个条项])[了吧啦。.！!\s]*"
    r"|(?:please |ok(?:ay)?,? |now )*(?:cancel|delete|remove|drop|end) (?P<b>the (?:first|second|third|fourth|fifth|last)|number [0-9]{1,2})(?: one)?(?: please)?[\s.!]*",
    re.IGNORECASE,
)
_OF_REMINDERS: Final = LatePattern(r"提醒|闹钟|闹铃|\bremind|\balarm", re.IGNORECASE)
_BACK: Final = LatePattern(
    r"(?:小祥|请|麻烦|帮我|那|还是|[，,\s])*(?:(?:把|将)?(?P<a>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:再|给我|又)*(?:恢复|加回来|找回来|打开|开启)(?:一下)?"
    r"|(?:恢复|找回|重新(?:打开|开启|设上))(?:一下)?(?P<b>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟))[了吧啦。.！!\s]*"
    r"|(?:please |can you |could you |ok(?:ay)?,? )*(?:bring back|restore|reinstate|resume|reopen|put back|turn back on)(?: (?:the|my|that))?(?P<c> [^.,!?]{0,30}?)? ?\b(?:reminder|alarm)"
    r"(?: (?:for|to|about|of) (?P<d>[^.!?]{1,30}?))?(?: please)?[\s.!]*",
    re.IGNORECASE,
)


def ending_request(text: str) -> str | None:
    """Return which reminder a message asks to end, in its own words, "" for whichever there is.

    None if it asks nothing of the kind: 别提醒他, 妈妈让我别再提醒她, "don't remind me of you".
    """
    plain = text.strip().translate(SIMPLIFIED) if not text.isascii() else text.strip()
    if len(plain) > LONGEST_ENDING:
        return None
    found = _END_ZH.match(plain) or _END_EN.match(plain)
    if found is None:
        return None
    matter = next((each for each in found.groups() if each), "").strip(" ,，、")
    while (shorter := _ANY_MORE.sub("", matter).strip(" ,，、")) != matter:
        matter = shorter
    return matter


@dataclass(frozen=True, slots=True)
class AskedChange:
    """The open reminders that a message may mean, which asks to end or move one."""

    message: Message
    meant: tuple[Reminder, ...]
    all_open: tuple[Reminder, ...]
    every: bool = field(default=False, kw_only=True)

    @property
    def only(self) -> Reminder | None:
        """The one that is meant; None where none or several may be."""
        return self.meant[0] if len(self.meant) == 1 else None


def ending_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedChange | None:
    """Return what somebody asks to be reminded of no more, in their own words only.

    Of reminders asked for in private, or of theirs in this group. None where there are none.
    """
    for message, own in zip(said, own_words_of(said, before), strict=True):
        if message.role != "user":
            continue
        matter = ending_request(own.text)
        nth = _END_NTH.fullmatch(own.text.translate(SIMPLIFIED).strip())
        if nth is not None and _spoke_of_reminders(message, before):
            matter = nth["a"] or nth["b"]
        all_open = _own_open(message, state, conversation) if matter is not None else ()
        if matter is not None and all_open:
            every = not matter and _EVERY.search(own.text) is not None
            meant = nth_of(matter, all_open) or _meant(matter, all_open)
            return AskedChange(message, meant, all_open, every=every)
    return None


def restoring_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedChange | None:
    """Return which ended reminder somebody asks to have again; None where there is none."""
    for message, own in zip(said, own_words_of(said, before), strict=True):
        found = _BACK.fullmatch(own.text.translate(SIMPLIFIED).strip())
        if found is None or message.role != "user" or len(own.text) > LONGEST_ENDING:
            continue
        matter = " ".join(filter(None, found.groups())).strip()
        ended = _own(message, state, conversation, is_open=False)
        if meant := _meant(matter, ended):
            newest = max(meant, key=lambda each: each.ended_at or each.made_at)
            return AskedChange(message, (newest,), ended)
    return None


def _spoke_of_reminders(message: Message, before: Sequence[Message]) -> bool:
    """Whether the talk was of reminders just before a line."""
    lately = [e for e in before if message.at - e.at <= ANSWER_WITHIN][-2 * _FAR :]
    return any(_OF_REMINDERS.search(each.text) for each in lately)


def _own_open(message: Message, state: MemoryState, place: str) -> tuple[Reminder, ...]:
    return _own(message, state, place, is_open=True)


def _own(
    message: Message, state: MemoryState, place: str, *, is_open: bool
) -> tuple[Reminder, ...]:
    return tuple(
        each
        for each in state.reminders.values()
        if each.is_open == is_open
        and (each.private or each.conversation == place)
        and each.speaker_id == message.speaker_id
    )


def coming_between(
    state: MemoryState, asker: Message, place: str, days: tuple[date, date], now: datetime
) -> list[tuple[datetime, Reminder]]:
    """Return when the reminders of whoever asks come first within some days, the next first."""
    zone = state.agent_info.settings.zone
    begin = max(now, in_zone(datetime.combine(days[0], time()), zone))
    found: list[tuple[datetime, Reminder]] = []
    for each in _own_open(asker, state, place):
        at = next_at(each)
        if at is not None and at < begin:
            at = next(occurrences(each, begin), None)
        if at is not None and at.astimezone(zone).date() <= days[1]:
            found.append((at, each))
    return sorted(found, key=lambda each: (each[0], each[1].id))


def _meant(matter: str, among: Sequence[Reminder]) -> tuple[Reminder, ...]:
    """Return the reminders whose matter shares most words with what is named; all of nothing."""
    wanted = set(tokens(matter))
    shared = {each.id: len(wanted & set(tokens(each.text))) for each in among}
    most = max(shared.values(), default=0)
    return tuple(e for e in among if not wanted or (most and shared[e.id] == most))


@dataclass(frozen=True, slots=True)
class AskedMove(AskedChange):
    """That a reminder is to come at another time, and the words for when.

    ``zone`` is the time zone of whoever asks; ``rang``: it has just come, and is to come again.
    """

    told: str
    zone: ZoneInfo
    rang: bool = False

    def when(self, one: Reminder) -> TimeSaid | None:
        """Return when a reminder is to come; None if that is not clear."""
        shifted = shift_said(self.told, self.message.at, self.zone) is not None
        told = self.told if shifted else _TO.sub("", self.told)
        if self.rang:
            one = replace(one, rule="", ended="rung")
        return moved_time(one, told, self.message.at, self.zone)


def moving_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedMove | None:
    """Return which reminder somebody asks to move, in their own words: just set, or named.

    "Make that 11" means the one that was just confirmed, or that just rang; a bare time answers
    the question when it is to be instead.
    """
    for message, told in zip(said, own_words_of(said, before), strict=True):
        # "Make that 11" before it does not make a text of "no, 10:30".
        own = told if told.text else message
        if message.role != "user" or len(own.text) > LONGEST_ENDING:
            continue
        found = _move_of(own, before, state, conversation)
        if found is None and before and before[-1].role == "assistant":
            last = max((n for n, each in enumerate(before) if each.role == "user"), default=0)
            asked = _move_of(before[last], before[:last], state, conversation)
            unclear = asked is not None and asked.only is not None and not asked.when(asked.only)
            if asked is not None and unclear and _only_time(own.text, own, asked.zone):
                found = replace(asked, told=own.text)
        if found is not None:
            return replace(found, message=message)
    return None


def _move_of(
    message: Message, before: Sequence[Message], state: MemoryState, place: str
) -> AskedMove | None:
    """Return what one line asks to move: a reminder that it names, or the one just set."""
    text = message.text.strip(" 。.!！~～?？").translate(SIMPLIFIED)
    all_open, zone = _own_open(message, state, place), state.agent_info.settings.zone
    asked = AskedMove(message, (), all_open, "", zone)
    if named := _MOVES_ZH.fullmatch(text) or _MOVES_EN.fullmatch(text):
        return _named_move(named, before, asked)
    if one := _MOVES_ONE.fullmatch(text):
        return _one_move(one, asked)
    if again := _AGAIN.fullmatch(text):
        matter = f"{again['what'] or ''} {again['of'] or ''}".strip()
        told = again["told"] or again["en"]
        meant = _meant(matter, all_open) if matter else _just_set(message, before, asked)
        rang = () if matter else _just_rang(message, before, state)
        clear = len(rang or meant) == 1 and _only_time(told, message, zone)
        return replace(asked, meant=rang or meant, told=told, rang=bool(rang)) if clear else None
    rang = _just_rang(message, before, state)
    vague, shift = _VAGUELY.fullmatch(text), shift_said(text, message.at, zone)
    corrects = _CORRECTS.match(text)
    rest = text[corrects.end() :] if corrects else text
    # "Push it" belongs to "push it back an hour", 还是 not to 还是提前十分钟.
    told = _RATHER.sub("", text if shift and not shift_said(rest, message.at, zone) else rest)
    if told == text and not shift and not vague:
        return None
    if not (vague or _only_time(told, message, zone)):
        return None
    strong = bool(shift or vague or (corrects and (corrects["strong"] or corrects["strong_zh"])))
    strong = strong or _STRONG_ZH.match(rest) is not None
    just = rang if strong and rang else _just_set(message, before, asked, far=strong)
    if not just and strong and not shift:
        just = _made_lately(message, before, asked)
    return replace(asked, meant=just, told=told, rang=just == rang) if just else None


def _one_move(one: re.Match[str], asked: AskedMove) -> AskedMove | None:
    """Return which reminder a line names by its matter alone: 把开会的改到十二点."""
    matter, told = one["what"] or one["en"], one["told"] or one["then"]
    meant = _meant(matter, asked.all_open) if tokens(matter) else ()
    clear = _only_time(told, asked.message, asked.zone)
    return replace(asked, meant=meant, told=told) if meant and clear else None


def _named_move(named: re.Match[str], before: Sequence[Message], asked: AskedMove) -> AskedMove:
    """Return which reminder a line names, and the words for when."""
    parts, message = named.groupdict(""), asked.message
    matter = " ".join(filter(None, (parts["what"], parts["of"], parts.get("thing"))))
    gap = " " if named[0].isascii() else ""
    told = f"{parts['verb']}{gap}{parts['told'] or parts.get('then', '')}"
    if not parts["told"] and read_time(parts["of"], message.at, asked.zone).spans:
        matter, told = parts["what"], parts["of"]
    meant = _meant(matter, asked.all_open)
    near = tuple(each for each in meant if each in _just_set(message, before, asked))
    return replace(asked, meant=near if len(near) == 1 else meant, told=told)


def _just_rang(
    message: Message, before: Sequence[Message], state: MemoryState
) -> tuple[Reminder, ...]:
    """Return the reminder that was all she said since the partner last wrote."""
    last = before[-1].id if before else ""
    return tuple(
        each
        for each in state.reminders.values()
        if each.rung_at is not None
        and each.speaker_id == message.speaker_id
        and each.ended in {"", "rung"}
        and last == f"{DueReminder(each, each.rung_at).turn_id}-reply"
    )


def _only_time(told: str, message: Message, zone: ZoneInfo) -> bool:
    """Whether words name a time, or how much later or earlier, and nothing else."""
    shift = shift_said(told, message.at, zone)
    plain = told if shift else _TO.sub("", told).rstrip(" ,，。.!！")
    if _COUNT_ALONE.fullmatch(plain):
        return True
    spans = [shift.span] if shift else read_time(plain, message.at, zone).spans
    return bool(spans) and not says_more_than(spans, plain, 0)


def _just_set(
    message: Message, before: Sequence[Message], asked: AskedMove, *, far: bool = True
) -> tuple[Reminder, ...]:
    """Return the reminder that was confirmed just before a line; some lines before, if ``far``."""
    if not before or before[-1].role != "assistant":
        return ()
    own = [e for e in before if e.role == "user" and e.speaker_id == message.speaker_id]
    for line in own[::-1][: _FAR if far else 1]:
        if message.at - line.at > ANSWER_WITHIN:
            break
        if found := tuple(e for e in asked.all_open if line.id in e.message_ids):
            return found
        if _TELLS_TIME.search(line.text) or read_time(line.text, line.at, asked.zone).spans:
            break
        # The list was looked at, or another was ended: which one is meant is open again.
        if _OF_REMINDERS.search(line.text):
            break
    return ()


def _made_lately(
    message: Message, before: Sequence[Message], asked: AskedMove
) -> tuple[Reminder, ...]:
    """Return what was made within two hours, if no other time was named since: by a command too.

    What was made after the last line is meant before the others.
    """
    lately = [e for e in asked.all_open if message.at - e.made_at <= ANSWER_WITHIN]
    own = [e for e in before if e.role == "user" and e.speaker_id == message.speaker_id]
    last = max((each.made_at for each in lately), default=message.at)
    asking = {key for each in lately for key in each.message_ids}
    since = (line for line in own if line.at >= last and line.id not in asking)
    if any(read_time(line.text, line.at, asked.zone).spans for line in since):
        return ()
    newest = [e for e in lately if e.made_at == last and not (own and own[-1].at >= last)]
    return tuple(newest or lately)


_FAR: Final = 4
"""So many lines back "make that 11" may mean what was set, if nothing else named a time."""

_TELLS_TIME: Final = re.compile(r"\d")
_COUNT_ALONE: Final = LatePattern(
    r"(?:1[0-2]|[1-9])(?: please| then)?|十?[一二三四五六七八九十]吧?"
)
_TO: Final = LatePattern(
    r"^(?:[\s,，。.!！:：]|是|应该是|[改换挪调移][一下]*[成到为至在]?|[推延]迟?[到至]|提[前早][到至]"
    r"|\bfrom [0-9:.]+ ?(?:[ap]m)?(?= to\b)|\b(?:it['’]?s|move|change|set|make|put|push|switch|update|adjust|reschedule|it|that|to|till|until|for|at|by)\b)+",
    re.IGNORECASE,
)
_LEADS_ZH: Final = r"(?:小祥|请|麻烦|帮我|拜托|那|能不能|可不可以|可以|我想|我要|你|还是|再(?=[改换挪调])|[，,、\s])*"
_NOUN_ZH: Final = r"(?:提醒|闹钟|闹铃)(?!我|一下|一声|[他她你咱]|大家|孩子)"
_LONG_ZH: Final = (
    r"(?=[0-9一二两三四五六七八九十半]+个?半?个?(?:小时|钟|分|刻|天|日|周|星期|礼拜))"
)
_OFF_ZH: Final = (
    rf"(?:推迟|延后|延迟|推后|顺延|往[后前][推挪调移]?|提[前早]|[晚早]{_LONG_ZH}|晚一?点|早一?点)"
)
_MOVES_ZH: Final = LatePattern(
    rf"{_LEADS_ZH}(?:把|将)?(?P<what>[^，,。！!？?把]{{0,20}}?)的?(?:[那这][个条])?{_NOUN_ZH}(?P<of>)(?:的?时间)?(?:给我|帮我|再|都|也|能不能|可以)*(?P<told>(?:[改挪调换移]|{_OFF_ZH})[^。！!？?]{{0,30}}?)(?<!了)(?:吧|呗|好吗|行吗|可以吗|谢谢)*|{_LEADS_ZH}(?P<verb>{_OFF_ZH}|[改调挪](?:一下)?)(?:一下)?(?!.*了$)"
    rf"(?P<thing>[^，,。！!？?]{{0,20}}?)的?{_NOUN_ZH}(?:时间)?[，,]?(?P<then>.{{0,30}})"
)
_LEADS_EN: Final = r"(?:xiaoxiang|please|ok(?:ay)?|hey|oh|can you|could you|would you|will you|actually|no|wait|sorry|and|so|then|i(?:['’]d like to| want to| need to)|[,.!\s])*"
_MOVES_EN: Final = LatePattern(
    rf"{_LEADS_EN}\b(?P<verb>move|change|push|shift|put|postpone|delay|reschedule|bring|snooze|set|make|switch|update|adjust)"
    r"(?: back| forward| off)? (?!an? |me |another |new )(?:the |my |our |that |this )?(?P<what>[^.,!?]{0,30}?) ?\b(?:reminder|alarm)"
    r"(?: (?:for|about|to|of) (?P<of>[a-z'’ ]{1,30}?))?(?P<told>(?: (?:to|from|until|till|for|by|back|forward|off|up|at|on|later|earlier|an?|half|[0-9]\S*) ?.{0,30})?)(?: please)?",
    re.IGNORECASE,
)
_MOVES_ONE: Final = LatePattern(
    rf"{_LEADS_ZH}[把将](?P<what>[^，,。！!？?]{{1,12}}?)的?(?:那[个条项])?(?P<told>(?:[改挪调换移][成到为至]|{_OFF_ZH}[到至]?)[^，,。！!？?]{{1,16}}?)[吧了]?"
    rf"|{_LEADS_EN}(?:move|change|push|shift|put|set|switch|reschedule) (?:the |my )(?P<en>[^.,!?]{{1,30}}?) one (?:back |forward )?(?P<then>(?:to|at|till|until) [^.,!?]{{1,30}}?)(?: please)?",
    re.IGNORECASE,
)
_AGAIN: Final = LatePattern(
    rf"{_LEADS_ZH}(?P<what>[^，,。！!？?]{{0,12}}?)(?P<told>(?:(?:[改换挪调移]|推迟|延后|提[前早])[到成为至]|{_OFF_ZH})[^，,。！!？?]{{0,16}}?)"
    r"[再才就]?(?:提醒|[叫喊])我?(?P<of>[^，。,！!？?]{0,12}?)[吧了]?"
    rf"|{_LEADS_EN}(?:remind|wake) me (?P<en>(?:at |on |in |tomorrow |tonight )?[^.!?]{{1,30}}?)(?:,? (?:instead|rather)(?: please)?|(?<=later)|(?<=earlier))",
    re.IGNORECASE,
)
_CORRECTS: Final = LatePattern(
    rf"{_LEADS_ZH}(?:(?:哦|啊|哎呀?|等等|等下|那个|不)[，,！!。\s]*)*{_LEADS_ZH}(?:(?P<strong_zh>改[成到为]|换[成到]|挪到|推迟到|提前到|延后到|[改换调](?:一?下)?(?:时间)?[，,]?(?=[0-9一二三四五六七八九十明后周下今晚早]))"
    r"|不是[^，,]{1,8}[，,]是?|不对|不是|错了|[我说]*(?:说|打|记)错了?|我是说|应该是|不好意思|抱歉|还是|(?:等等|等一?下|不|算了)[，,])|(?:(?:oh|no|oops|ah|wait|well|hang on|sorry|actually|please|hm+|um+|can you|could you|would you|let['’]?s)[,.!\s]+)*(?:(?:(?P<strong>make (?:it|that)|(?:change|move|push|set|put|switch|update|delay|postpone|reschedule) (?:it|that)|can we (?:do|make it|say)|rather)"
    r"|say|sorry|no|oops|actually|wait|i mean(?:t)?|typo|correction|not [0-9][^,]{0,9}(?=,))\b|\*(?=[0-9]))",
    re.IGNORECASE,
)
"""How a correction of what was just asked for begins."""
_STRONG_ZH: Final = LatePattern(r"[\s,，。]*[改换调挪][成到为至]")
_RATHER: Final = LatePattern(r"(?:,? (?:instead|rather)(?: please)?|吧|好了)$", re.IGNORECASE)
_VAGUELY: Final = LatePattern(
    rf"{_LEADS_ZH}(?:推迟|延后|晚|早|提前)(?:一下|一点儿?|些|点)?(?:再?提醒我?)?吧?|{_LEADS_ZH}[改换](?:一下|个)?时间吧?|{_LEADS_EN}(?:make (?:it|that) (?:a (?:bit|little) )?(?:later|earlier)|(?:push|move|put) (?:it|that) (?:back|off|forward)(?: a (?:bit|little))?"
    r"|(?:delay|postpone|snooze|move|reschedule) (?:it|that))(?: please)?",
    re.IGNORECASE,
)
