"""Which reminder somebody means who asks to end one or to move it, in their own words.

别再提醒我喝水, cancel the dentist reminder; 改成十一点, "make that 11", move my pills to 9:45.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from zoneinfo import ZoneInfo

from memory.initiative.consent import (
    BACK,
    END_NTH,
    LONGEST_ENDING,
    ending_request,
    names_reminder,
    takes_back,
)
from memory.initiative.reminder_forms import (
    A_WHILE,
    AGAIN,
    CORRECTS,
    LEAD_ZH,
    MOVES_EN,
    MOVES_ONE,
    MOVES_ZH,
    ONCE_MORE,
    RATHER,
    STRONG_ZH,
    TO,
    VAGUELY,
)
from memory.initiative.reminders import (
    DueReminder,
    moved_time,
    names_only_time,
    next_at,
    nth_of,
    own_reminders,
    shown_reminders,
)
from memory.initiative.requests import (
    ANSWER_WITHIN,
    ReminderRequest,
    matter_cancelled,
    open_request,
)
from memory.model import Message
from memory.reminder import Reminder
from memory.state import MemoryState
from memory.text.dates import shift_said
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.times import TimeDoubt, TimeSaid, read_time
from memory.text.tokens import tokens
from memory.text.word_forms import SIMPLIFIED

_EVERY: Final = LatePattern(r"所有|全部|全都|[都全][取删停关撤]|\ball\b|\bevery\b", re.IGNORECASE)
_OF_REMINDERS: Final = LatePattern(r"提醒|闹钟|闹铃|\bremind|\balarm", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedChange:
    """The open reminders that a message may mean, which asks to end or move one.

    ``dropped`` is a request that she asked back about, and that is not wanted any more; ``others``
    are the reminders of others in that group that are named.
    """

    message: Message
    meant: tuple[Reminder, ...]
    all_open: tuple[Reminder, ...]
    every: bool = field(default=False, kw_only=True)
    dropped: ReminderRequest | None = field(default=None, kw_only=True)
    others: tuple[Reminder, ...] = field(default=(), kw_only=True)

    @property
    def only(self) -> Reminder | None:
        """The one that is meant; None where none or several may be."""
        return self.meant[0] if len(self.meant) == 1 else None


def ending_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedChange | None:
    """Return what somebody asks to be reminded of no more, in their own words only.

    Of reminders asked for in private, or of theirs in this group, and of what she just asked back
    about. None where there are none, if none is named outright either.
    """
    for message, own in zip(said, own_words_of(said, before), strict=True):
        if message.role == "user" and (asked := _ending_of(own, before, state, conversation)):
            return replace(asked, message=message)
    return None


def _ending_of(
    message: Message, before: Sequence[Message], state: MemoryState, place: str
) -> AskedChange | None:
    bare = takes_back(message.text)
    matter = "" if bare and names_reminder(message.text) else ending_request(message.text)
    nth = END_NTH.fullmatch(message.text.translate(SIMPLIFIED).strip())
    if nth is not None and _spoke_of_reminders(message, before):
        matter = nth["a"] or nth["b"]
    zone, own = state.agent_info.settings.zone, own_reminders(message, state, place)
    if matter is None and not bare:
        named = _of_bare_matter(message, own, zone)
        return AskedChange(message, named, own) if named else None
    asked = AskedMove(message, (), own, "", zone)
    waiting = open_request(message, before, asked.zone)
    if waiting is not None and (not matter or set(tokens(matter)) & set(tokens(waiting.what))):
        return replace(asked, dropped=waiting)
    if bare and not matter:
        near = _just_set(message, before, asked, far=False)
        if near or matter is None:
            return replace(asked, meant=near, every=len(near) > 1) if near else None
    every = not matter and _EVERY.search(message.text) is not None
    meant = nth_of(matter or "", asked.all_open) or _meant(matter or "", asked.all_open)
    shown = () if meant or not matter else shown_reminders(message, state, place)
    if of_others := _meant(matter or "", shown):
        return replace(asked, others=of_others)
    if not asked.all_open and not names_reminder(message.text):
        return None
    return replace(asked, meant=meant, every=every and bool(meant))


def _of_bare_matter(
    message: Message, among: Sequence[Reminder], zone: ZoneInfo
) -> tuple[Reminder, ...]:
    """Return the reminders that hold every word of what is to be cancelled: 会议取消吧."""
    wanted = matter_cancelled(message, zone)
    coming = ((each, (next_at(each) or each.first_at).astimezone(zone)) for each in among)
    return tuple(each for each, then in coming if wanted and wanted.is_of(each.text, then))


def restoring_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedChange | None:
    """Return which ended reminder somebody asks to have again; None where there is none."""
    for message, own in zip(said, own_words_of(said, before), strict=True):
        found = BACK.fullmatch(own.text.translate(SIMPLIFIED).strip())
        if found is None or message.role != "user" or len(own.text) > LONGEST_ENDING:
            continue
        matter = " ".join(filter(None, found.groups())).strip()
        ended = own_reminders(message, state, conversation, is_open=False)
        if meant := _meant(matter, ended):
            newest = max(meant, key=lambda each: each.ended_at or each.made_at)
            return AskedChange(message, (newest,), ended)
    return None


def _spoke_of_reminders(message: Message, before: Sequence[Message]) -> bool:
    """Whether the talk was of reminders just before a line."""
    lately = [e for e in before if message.at - e.at <= ANSWER_WITHIN][-2 * _FAR :]
    return any(_OF_REMINDERS.search(each.text) for each in lately)


def _meant(matter: str, among: Sequence[Reminder]) -> tuple[Reminder, ...]:
    """Return those whose matter shares most words with what is named, or whose they are."""
    wanted, whose = set(tokens(matter)), re.sub("['’]s?$", "", matter).casefold()
    shared = {each.id: len(wanted & set(tokens(each.text))) for each in among}
    if wanted and not any(shared.values()):
        return tuple(e for e in among if e.speaker.partition("（")[0].casefold() == whose)
    most = max(shared.values(), default=0)
    return tuple(e for e in among if shared[e.id] == most)


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
        told = self.told if shifted else TO.sub("", self.told)
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
            if asked is not None and unclear and names_only_time(own.text, own, asked.zone):
                found = replace(asked, told=own.text)
        if found is not None:
            return replace(found, message=message)
    return None


def _move_of(
    message: Message, before: Sequence[Message], state: MemoryState, place: str
) -> AskedMove | None:
    """Return what one line asks to move: a reminder that it names, or the one just set."""
    text = message.text.strip(" 。.!！~～?？").translate(SIMPLIFIED)
    all_open, zone = own_reminders(message, state, place), state.agent_info.settings.zone
    asked = AskedMove(message, (), all_open, "", zone)
    more = None if MOVES_ZH.fullmatch(text) else ONCE_MORE.fullmatch(text)
    found = _once_more(more, before, asked, state) if more else None
    found = found or _move_by_name(text, before, asked, shown_reminders(message, state, place))
    if found is not None:
        return found
    if again := AGAIN.fullmatch(text):
        return _again_move(again, before, asked, state)
    rang = _just_rang(message, before, state)
    vague, shift = VAGUELY.fullmatch(text), shift_said(text, message.at, zone)
    corrects = CORRECTS.match(text)
    rest = text[corrects.end() :] if corrects else text
    # "Push it" belongs to "push it back an hour", 还是 not to 还是提前十分钟.
    told = RATHER.sub("", text if shift and not shift_said(rest, message.at, zone) else rest)
    if told == text and not shift and not vague:
        return None
    if not (vague or names_only_time(told, message, zone)):
        return None
    strong = bool(shift or vague or (corrects and (corrects["strong"] or corrects["strong_zh"])))
    strong = strong or STRONG_ZH.match(rest) is not None
    just = rang if strong and rang else _just_set(message, before, asked, far=strong)
    if not just and strong and not shift:
        just = _made_lately(message, before, asked)
    return replace(asked, meant=just, told=told, rang=just == rang) if just else None


def _move_by_name(
    text: str, before: Sequence[Message], asked: AskedMove, shown: Sequence[Reminder]
) -> AskedMove | None:
    """Return which reminder a line asks to move by what it is of; None if it names none.

    In a group ``shown`` are those of all: whose it is says more than that there is no such one.
    """
    found = _of_name(text, before, asked)
    if (found is None or not found.meant) and len(shown) > len(asked.all_open):
        theirs = _of_name(text, before, replace(asked, all_open=tuple(shown)))
        if theirs is not None and theirs.meant:
            return replace(theirs, meant=(), all_open=asked.all_open, others=theirs.meant)
    return found


def _of_name(text: str, before: Sequence[Message], asked: AskedMove) -> AskedMove | None:
    if named := MOVES_ZH.fullmatch(text) or MOVES_EN.fullmatch(text):
        return _named_move(named, before, asked)
    one = MOVES_ONE.fullmatch(text)
    return _one_move(one, before, asked) if one else None


def _again_move(
    again: re.Match[str], before: Sequence[Message], asked: AskedMove, state: MemoryState
) -> AskedMove | None:
    """Return which reminder is to come at another time: 改到六点提醒我, "remind me at 6 instead"."""
    matter = f"{again['what'] or ''} {again['of'] or ''}".strip()
    told, message = again["told"] or again["en"], asked.message
    meant = _meant(matter, asked.all_open) if matter else _just_set(message, before, asked)
    rang = () if matter else _just_rang(message, before, state)
    clear = len(rang or meant) == 1 and names_only_time(told, message, asked.zone)
    return replace(asked, meant=rang or meant, told=told, rang=bool(rang)) if clear else None


def _one_move(one: re.Match[str], before: Sequence[Message], asked: AskedMove) -> AskedMove | None:
    """Return which reminder a line names by its matter alone: 把开会的改到十二点, 开会改到七点.

    Who asks for it hears that there is none. Who may only tell of the matter (会议改到周三) does
    so where a reminder is of something like it.
    """
    parts = one.groupdict("")
    matter, told = parts["what"] or parts["en"], parts["told"] or parts["then"]
    if parts["rest"]:
        matter, told = _parted(parts["rest"], parts["verb"], asked)
    matter = LEAD_ZH.sub("", matter)
    if not tokens(matter) or not told or not names_only_time(told, asked.message, asked.zone):
        return None
    meant = _meant(matter, asked.all_open)
    near = tuple(each for each in meant if each in _just_set(asked.message, before, asked))
    meant = near if len(near) == 1 else meant
    bids = parts["bids"] or parts["verb"].lower() not in {"", "make"}
    like = any(set(matter) & set(each.text) for each in asked.all_open if not matter.isascii())
    return replace(asked, meant=meant, told=told) if meant or bids or like else None


def _parted(rest: str, verb: str, asked: AskedMove) -> tuple[str, str]:
    """Return the matter and the words for when: "meeting 11", "meeting back an hour"."""
    words = rest.split()
    for place in range(1, len(words)):
        when = " ".join(words[place:])
        for told in (when, f"{verb} {when}"):
            if names_only_time(told, asked.message, asked.zone):
                return " ".join(words[:place]), told
    return rest, ""


def _once_more(
    more: re.Match[str], before: Sequence[Message], asked: AskedMove, state: MemoryState
) -> AskedMove | None:
    """Return that what rang lately is to come again: 半小时后再提醒我, "in half an hour again"."""
    parts = more.groupdict("")
    told = next(filter(None, (parts[name] for name in ("zh", "en", "en2", "en3"))), "")
    if A_WHILE.fullmatch(told):
        told = "in half an hour" if told.isascii() else "半小时后"
    rang = _just_rang(asked.message, before, state, far=not parts["put_off"])
    if len(rang) != 1 or not names_only_time(told, asked.message, asked.zone):
        return None
    when, rung = read_time(told, asked.message.at, asked.zone), rang[0].rung_at
    if isinstance(when, TimeDoubt) and when.missing == "hour" and rung is not None:
        told = f"{told} {rung.astimezone(asked.zone):%H:%M}"
    return replace(asked, meant=rang, told=told, rang=True)


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
    message: Message, before: Sequence[Message], state: MemoryState, *, far: bool = False
) -> tuple[Reminder, ...]:
    """Return the reminder that was all she said since the partner last wrote.

    If ``far``, the last one that came some lines before.
    """
    lately = [each.id for each in before[-2 * _FAR if far else -1 :]][::-1]
    rung = {
        f"{DueReminder(each, each.rung_at).turn_id}-reply": each
        for each in state.reminders.values()
        if each.rung_at is not None
        and each.speaker_id == message.speaker_id
        and each.ended in {"", "rung"}
    }
    return tuple(rung[each] for each in lately if each in rung)[:1]


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
