"""What a turn, a button or a command does to what is to be said later: plans, nothing more.

Reminders are kept, and ended in words (别再提醒我喝水, cancel the dentist reminder); what she means
to bring up is allowed, left or answered.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memory.changes import Change, Put, Turn
from memory.initiative.consent import (
    Choice,
    choice_said,
    may_ask,
    review_answered,
    topic_said,
)
from memory.initiative.finding import plan_thoughts
from memory.initiative.intentions import LABEL, plan_turn
from memory.initiative.reminders import plan_ended, plan_reminders
from memory.initiative.requests import reminders_asked
from memory.laws.law import Event
from memory.lifecycle.consequences import plan_events
from memory.lifecycle.undo import with_undo
from memory.model import Message, Tier
from memory.recall.in_mind import plain_text
from memory.reminder import Intention, Reminder
from memory.revision import negated, without_doubt
from memory.state import MemoryState
from memory.text.late_pattern import LatePattern
from memory.text.passed_on import own_words_of
from memory.text.requests import LetGo
from memory.text.tokens import tokens
from memory.text.word_forms import SIMPLIFIED


def plan_due(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return what a turn changes of what is to be said later: asked for, ended, or hers."""
    if turn.replaces:
        return ()
    if topic := topic_said(turn.said, before, private=turn.private):
        return plan_topic(state, *topic, now)
    asked = reminders_asked(turn.said, before, state.agent_info.settings.zone)
    changes = plan_reminding(turn, before, state, now)
    if asked:
        return changes
    after, _ = state.apply(changes)
    return (*changes, *plan_beginnings(turn, before, after, now))


def plan_reminding(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that keep or end the reminders that a turn asks for or to end."""
    asked = reminders_asked(turn.said, before, state.agent_info.settings.zone)
    if not asked:
        return plan_asked_ending(turn, before, state, now)
    place = {"conversation": turn.conversation, "turn_id": turn.id}
    return plan_reminders(asked, state, now, private=turn.private, **place)


def plan_beginnings(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return what a finished turn changes of what she may and means to begin with."""
    if choice := choice_said(turn.said, before, state, private=turn.private):
        return plan_choice(state, choice, now)
    changes: tuple[Change, ...] = ()
    if answered := review_answered(turn.said, before, state):
        changes = plan_answer(state, *answered, now)
    after, _ = state.apply(changes)
    changes = (*changes, *plan_turn(turn, before, after))
    if may_ask(turn.said, before, state, private=turn.private):
        # Once: whether the answer is yes, no or none, she does not ask again.
        settings = replace(state.agent_info.settings, begins="asked")
        changes = (*changes, Put(replace(state.agent_info, settings=settings)))
    return changes


def plan_choice(state: MemoryState, choice: Choice, now: datetime) -> tuple[Change, ...]:
    """Return the changes by which a partner lets her begin, or does not, as one undo step.

    Once she may, she looks through everything she knows.
    """
    info = state.agent_info
    if info.settings.begins == choice:
        return ()
    chosen = Put(replace(info, settings=replace(info.settings, begins=choice)))
    changes = with_undo(state, (chosen,), now, actor="partner", label=LABEL)
    if choice == "no":
        return changes
    after, _ = state.apply(changes)
    return (*changes, *plan_thoughts(after, now, all_memories=True))


def plan_topic(state: MemoryState, way: LetGo, topic: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes by which a matter is not brought up any more, or again, as one step.

    With it go the names by which it was told of: 前夫, and 陈建国 where 前夫叫陈建国 is known.
    """
    info, names = state.agent_info, {plain_text(topic), *_names_of(topic, state)}
    known = info.settings.unmentioned
    if way is LetGo.LEAVE:
        left = tuple(dict.fromkeys((*known, *sorted(names))))
    else:
        left = tuple(each for each in known if each not in names)
    if left == known:
        return ()
    chosen = Put(replace(info, settings=replace(info.settings, unmentioned=left)))
    return with_undo(state, (chosen,), now, actor="partner", label=LABEL)


def _names_of(topic: str, state: MemoryState) -> Iterator[str]:
    told = [plain_text(m.words.text) for m in state.memories.values() if m.is_fact]
    told = [each for each in told if plain_text(topic) in each]
    for memory in state.memories.values():
        name = plain_text(memory.words.text)
        by_name = (f"叫{name}", f"called {name}", f"named {name}", f"{plain_text(topic)} {name}")
        if memory.nature.tier is Tier.ENTITY and any(n in each for each in told for n in by_name):
            yield name


def plan_answer(
    state: MemoryState, asked: Intention, choice: Choice, now: datetime
) -> tuple[Change, ...]:
    """Return what the answer to "is that still so?" does to its memory: a success, or its end.

    A button that is pressed again does nothing more.
    """
    known = state.intentions.get(asked.id)
    if known is None or known.answered_at is not None:
        return ()
    answered = replace(known, answered_at=now)
    changes: tuple[Change, ...] = ()
    for key in known.memory_ids:
        memory = state.memories.get(key)
        if memory is None or memory.is_past:
            continue
        if choice == "yes":
            changes = (*changes, *plan_events(state, [(key, Event.SUCCESS)], now))
            after, _ = state.apply(changes)
            changes = (*changes, Put(without_doubt(after.memory(key))))
        else:
            changes = (*changes, Put(negated(memory, None, now, state.rules)))
    with_step = with_undo(state, changes, now, actor="partner", label=LABEL)
    return (*with_step, Put(answered))


_END_ZH: Final = LatePattern(
    r"^(?:小祥|请|麻烦|拜托|那|以后|从今天起|从现在起|现在|已经|都|就|你|[，,、\s])*(?:"
    r"(?:别|不用|不要|不必|甭|无需|停止|不需要)(?:你|再|总|老|一直|每天|每次|继续)*(?:提醒|叫|喊)(?:我|大家)们?(?P<a>[^，,。！!？?]*)"
    r"|(?:把|将)?(?P<b>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:都|全|可以|就)*(?:取消|删|停|关|撤)(?:掉|了|吧|啦)*"
    r"|(?:取消|删掉|删除|停掉|停止|关掉|撤掉|去掉)(?P<c>[^，,。！!？?]{0,20}?)的?(?:那个|这个)?(?:提醒|闹钟)(?:了|吧|啦)*"
    r"|(?P<d>[^，,。！!？?]{1,20}?)(?:不用|别|不要|不必)(?:你|再)*(?:提醒|叫|喊)我?(?:了|啦|吧)+)[\s，,。！!~～]*$"
)
_END_EN: Final = LatePattern(
    r"^(?:xiaoxiang|please|ok(?:ay)?|hey|can you|could you|from now on|now|and|so|you can|[,\s])*(?:"
    r"(?:stop|quit) reminding me(?P<a>[^.!?]*)"
    r"|(?:don['’]?t|do not|no need to|you (?:don['’]?t|do not) (?:need|have) to|there is no need to) "
    r"(?:keep )?remind(?:ing)? me(?P<b>[^.!?]*)"
    r"|(?:cancel|delete|remove|drop|turn off|end) (?:the|my|that|this|all(?: the| my)?) "
    r"?(?P<c>[^.!?]{0,30}?) ?(?:reminder|alarm)s?(?: (?P<d>(?:for|to|about|of) [^.!?]+))?"
    r")(?:,? please)?[\s.!]*$",
    re.IGNORECASE,
)
_ANY_MORE: Final = LatePattern(
    r"(?:了|啦|吧|的事|这件事|\b(?:any ?more|please|again|thanks|now|from now on))+$|^(?:去|要|该|about|to|of|for|the|my|that|all)\b"
    r"|^(?:去|要|该|那个|这个|所有|全部)",
    re.IGNORECASE,
)
LONGEST_ENDING: Final = 60


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
class AskedEnding:
    """What a message asks to be reminded of no more, and the open reminders it may mean."""

    message: Message
    meant: tuple[Reminder, ...]
    all_open: tuple[Reminder, ...]

    @property
    def only(self) -> Reminder | None:
        """The one that is meant; None where none or several may be."""
        return self.meant[0] if len(self.meant) == 1 else None


def ending_asked(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState, *, conversation: str
) -> AskedEnding | None:
    """Return what somebody asks to be reminded of no more, in their own words only.

    Of reminders asked for in private, or of theirs in this group. None where there are none.
    """
    if not any(each.is_open for each in state.reminders.values()):
        return None
    for message, own in zip(said, own_words_of(said, before), strict=True):
        matter = ending_request(own.text) if message.role == "user" else None
        if matter is None:
            continue
        all_open = tuple(
            each
            for each in state.reminders.values()
            if each.is_open
            and (each.private or each.conversation == conversation)
            and each.speaker_id == message.speaker_id
        )
        wanted = set(tokens(matter))
        meant = tuple(e for e in all_open if not wanted or wanted & set(tokens(e.text)))
        if all_open:
            return AskedEnding(message, meant, all_open)
    return None


def plan_asked_ending(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that end the one reminder that a turn asks to end; else none."""
    asked = ending_asked(turn.said, before, state, conversation=turn.conversation)
    if asked is None or asked.only is None:
        return ()
    return plan_ended(state, (asked.only.id,), "stopped", now)
