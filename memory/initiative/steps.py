"""What a turn, a button or a command does to what is to be said later: plans, nothing more.

Reminders are kept, moved and ended; what she means to bring up is allowed, left or answered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from memory.changes import Change, Drop, Put, Turn
from memory.initiative.consent import (
    Choice,
    choice_said,
    may_ask,
    quiet_said,
    review_answered,
    topic_said,
)
from memory.initiative.finding import plan_thoughts
from memory.initiative.intentions import LABEL, intention_of, plan_new, plan_turn
from memory.initiative.occasions import occasions_said
from memory.initiative.reminders import (
    plan_ended,
    plan_moved,
    plan_reminders,
    plan_reopened,
    plan_snoozed,
)
from memory.initiative.reminders_meant import ending_asked, moving_asked, restoring_asked
from memory.initiative.requests import reminders_asked
from memory.laws.law import Event
from memory.lifecycle.consequences import plan_events
from memory.lifecycle.undo import with_undo
from memory.model import Message, Tier
from memory.recall.in_mind import plain_text
from memory.reminder import Intention
from memory.revision import negated, without_doubt
from memory.state import MemoryState
from memory.text.requests import LetGo


def plan_due(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return what a turn changes of what is to be said later: asked for, ended, or hers."""
    if turn.replaces:
        return ()
    if topic := topic_said(turn.said, before, private=turn.private):
        return plan_topic(state, *topic, now)
    changes = plan_reminding(turn, before, state, now)
    if reminders_asked(turn.said, before, state.agent_info.settings.zone):
        return changes
    after, _ = state.apply(changes)
    return (*changes, *plan_beginnings(turn, before, after, now))


def plan_reminding(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return the changes that keep, move or end the reminders that a turn speaks of."""
    place = turn.conversation
    # Before requests: 取消明天八点的提醒 asks for none.
    if ending := ending_asked(turn.said, before, state, conversation=place):
        ended = ending.meant if ending.only or ending.every else ()
        return plan_ended(state, [each.id for each in ended], "stopped", now)
    if back := restoring_asked(turn.said, before, state, conversation=place):
        return plan_reopened(state, [each.id for each in back.meant], now)
    moving = moving_asked(turn.said, before, state, conversation=place)
    if moving is not None:
        when = moving.when(moving.only) if moving.only else None
        if moving.only is None or when is None:
            return ()
        if moving.rang:
            return plan_snoozed(state, moving.only.id, when.at, now)
        return plan_moved(state, moving.only.id, when, now, message_id=moving.message.id)
    asked = reminders_asked(turn.said, before, state.agent_info.settings.zone)
    where = {"conversation": place, "turn_id": turn.id}
    return plan_reminders(asked, state, now, private=turn.private, **where)


def plan_beginnings(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> tuple[Change, ...]:
    """Return what a finished turn changes of what she may and means to begin with."""
    changes: tuple[Change, ...] = ()
    choice = choice_said(turn.said, before, state, private=turn.private)
    hours = quiet_said(turn.said, before, state, private=turn.private)
    if choice or hours:
        changes = plan_choice(state, choice, now) if choice else ()
        after, _ = state.apply(changes)
        return (*changes, *(plan_quiet(after, hours, now) if hours else ()))
    if answered := review_answered(turn.said, before, state):
        changes = plan_answer(state, *answered, now)
    after, _ = state.apply(changes)
    changes = (*changes, *plan_turn(turn, before, after))
    if may_ask(turn.said, before, state, private=turn.private):
        # Once: whether the answer is yes, no or none, she does not ask again.
        settings = replace(state.agent_info.settings, begins="asked")
        changes = (*changes, Put(replace(state.agent_info, settings=settings)))
    return changes


def plan_put_right(
    state: MemoryState, wrong: Sequence[Message], rightly: Sequence[Message]
) -> tuple[Change, ...]:
    """Return what lines that were put right change: nothing is brought up by the wrong day.

    ``rightly`` are the same messages as they should have been.
    """
    zone, ids = state.agent_info.settings.zone, {each.id for each in wrong}
    over = [
        x for x in state.intentions.values() if x.is_open and not ids.isdisjoint(x.message_ids)
    ]
    drops = tuple(Drop(Intention, each.id) for each in over)
    if not drops:
        return ()
    new = (
        intention_of(occasion, message.at, zone, message_ids=(message.id,))
        for occasion, message in occasions_said(rightly, (), zone)
    )
    after, _ = state.apply(drops)
    return (*drops, *plan_new(filter(None, new), after))


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


def plan_quiet(state: MemoryState, hours: str, now: datetime) -> tuple[Change, ...]:
    """Return the changes by which other hours are quiet, as one undo step."""
    info = state.agent_info
    if info.settings.quiet_hours == hours:
        return ()
    set_so = Put(replace(info, settings=replace(info.settings, quiet_hours=hours)))
    return with_undo(state, (set_so,), now, actor="partner", label=LABEL)


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
