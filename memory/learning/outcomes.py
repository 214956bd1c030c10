"""What comes of a judged answer, and what of work whose answer could not be read.

Such work is tried again, then parked with its error, and given another chance every night.

What was looked up and really used comes back: somebody needed it, whatever a law had thought of
it. Archived becomes active, and an ended episode is cut anew from its lines in the diary
(docs/decisions/diary.md).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from memory.changes import Change, DiaryLine, Drop, Put, Task, Turn, Undo, Used
from memory.diary import in_order, scene_changes
from memory.erasing.erasure import memory_is_erased
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import NO_TOOLS, AgentTools, Draft, Judgement
from memory.judgement.old_talk import is_over_by_now
from memory.laws.law import Event
from memory.learning.consolidation import whole_again
from memory.learning.segments import gist_of
from memory.learning.summarizer import StretchContext, episode_of, share_of_lines
from memory.lifecycle.consequences import plan_events
from memory.model import ACTIVE, Lineage, Memory, Message
from memory.network.index import NetworkIndex
from memory.network.links import SpokenOf, links_for
from memory.ports import Outcome
from memory.recall.telling import is_used_in_reply
from memory.state import MemoryState, can_be_looked_up

ATTEMPTS: Final = 2
"""After so many unreadable answers the work is parked with the error: one retry, told why."""

RECEIPTS_KEPT: Final = 1_000
"""How many receipts one agent keeps: the newest."""


class Judging(NamedTuple):
    """How many answers of a model about the last turns counted, were refused, were unreadable."""

    kept: int
    refused: int
    unreadable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntNotice:
    """What was just learnt from a turn: durable, and told once, to whoever wants to hear it.

    ``step`` is the entry that takes exactly this back, None if nothing was learnt. ``private``:
    only the partner hears it. ``doubted`` is how a model's last answers fared, if by this turn
    more of them had been refused than not.
    """

    turn_id: str
    conversation: str
    private: bool
    step: Undo | None
    doubted: Judging | None = None


OnLearnt: TypeAlias = Callable[[LearntNotice], None]
"""Called once with what was learnt, as soon as it is durable; it must return at once."""


def ignore_learnt(_: LearntNotice) -> None:
    """Do nothing with what was learnt: for whoever wants no notices."""


def learnt_notice(
    turn: Turn, changes: Sequence[Change], doubted: Judging | None = None
) -> LearntNotice | None:
    """Return what was learnt from a turn, by the changes that were written; None if nothing."""
    # What lasts of a judgement has an entry for undo, so the entry also tells that there is any.
    records = (change.record for change in changes if isinstance(change, Put))
    steps = [each for each in records if isinstance(each, Undo)]
    # What an edit took back is a step of its own, beside that of what it says now.
    new = (each for each in steps if any(_makes_a_memory(undone) for undone in each.inverse))
    step = next(new, next(iter(steps), None))
    if step is None and doubted is None:
        return None
    return LearntNotice(
        turn_id=turn.id,
        conversation=turn.conversation,
        private=turn.private,
        step=step,
        doubted=doubted,
    )


def _makes_a_memory(inverse: Change) -> bool:
    """Whether a change is what takes back that a memory was made."""
    return isinstance(inverse, Drop) and inverse.table is Memory


def unreadable_outcome(outcome: Outcome) -> Judgement | Unreadable:
    """Return why an outcome without an answer leaves nothing to judge."""
    # The name is stored as the error of the turn or task: renaming an outcome renames it there.
    return Unreadable(type(outcome).__name__.lower())


def turn_after_failure(turn: Turn, why: str) -> Turn:
    """Return the turn after one more failed attempt; after ``ATTEMPTS`` it is parked."""
    return replace(turn, attempts=turn.attempts + 1, error=why)


def turn_has_failed(turn: Turn) -> bool:
    """Tell whether the turn failed too often to be asked again by itself."""
    return turn.attempts >= ATTEMPTS


def task_after_failure(task: Task, why: str) -> Task:
    """Return the task after one more failed attempt; after ``ATTEMPTS`` it is parked."""
    attempts = task.attempts + 1
    return replace(task, attempts=attempts, error=why, parked=attempts >= ATTEMPTS)


def turn_failure_changes(
    turn: Turn, why: str, state: MemoryState, *, again: bool = True
) -> Sequence[Change]:
    """Return the turn with one more failed attempt; its receipt tells when it is parked.

    It is parked at once where it is not to be asked about ``again`` before the night.
    """
    if turn.id not in state.turns:
        return ()
    failed = turn_after_failure(state.turns[turn.id], why)
    if not again:
        failed = replace(failed, attempts=ATTEMPTS)
    receipt = state.receipts.get(turn.id)
    if receipt is None or not turn_has_failed(failed):
        return (Put(failed),)
    return (Put(failed), Put(replace(receipt, outcome="parked", judged="unreadable")))


def receipt_with_learnt(
    turn_id: str,
    judged: Judgement,
    state: MemoryState,
    *,
    waiting: bool = False,
    by_model: bool = False,
) -> Sequence[Change]:
    """Return the receipt of the turn with what was learnt from it, by the rules and by a model.

    ``waiting``: a model has yet to judge it. ``by_model``: this is what the model made of it.
    """
    receipt = state.receipts.get(turn_id)
    if receipt is None:
        return ()
    learnt = (*receipt.learnt, *judged.learnt)
    if waiting:
        return (Put(replace(receipt, learnt=learnt)),)
    done = replace(receipt, learnt=learnt, outcome="learnt" if learnt else "nothing")
    if by_model:
        # An answer of which anything counts was of use; one that only says SKIP is sound as well.
        done = replace(done, judged="refused" if judged.refused and not judged.learnt else "kept")
    return (Put(done),)


JUDGED_TURNS: Final = 50
"""Over so many of the last turns is told how a model's answers fare."""


def judging(state: MemoryState) -> Judging:
    """Return how a model's answers about the last turns fared."""
    judged = [each for each in state.receipts.values() if each.judged]
    newest = sorted(judged, key=lambda each: (each.at, each.turn_id))[-JUDGED_TURNS:]
    counts = Counter(each.judged for each in newest)
    return Judging(counts["kept"], counts["refused"], counts["unreadable"])


LEAST_JUDGED: Final = 10
"""Fewer answers than that say nothing about a model."""

TRUSTED_AGAIN: Final = 4
"""A doubt ends when no more than one answer in so many is refused or unreadable."""


def doubt_of(turn: Turn, changes: Sequence[Change], state: MemoryState) -> Sequence[Change]:
    """Return the change that notes that a model's answers are refused more often than not.

    ``changes`` are those of this turn. It is noted once, in private, and again only after most
    answers were of use in between.
    """
    after, _ = state.apply(changes)
    fared, agent_info = judging(after), after.agent_info
    bad, every = fared.refused + fared.unreadable, sum(fared)
    doubted = agent_info.model_doubted
    if doubted and bad * TRUSTED_AGAIN <= every:
        doubted = False
    elif turn.private and every >= LEAST_JUDGED and bad > fared.kept:
        doubted = True
    if doubted == agent_info.model_doubted:
        return ()
    return (Put(replace(agent_info, model_doubted=doubted)),)


RETRIES_PER_NIGHT: Final = 20
"""How many parked turns, and as many tasks, are tried again in a night: a model may have been
repaired since, and one that was not must not cost the partner a fortune."""

FAILED_TURN_LIFETIME: Final = timedelta(days=7)
"""How long a parked turn waits; after that only its episode and its receipt tell of it."""


def retry_changes(state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield one more attempt for what is parked, newest first, once a day; drop what is old."""
    agent_info = state.agent_info
    # A night has several rounds; only the first of a day may try again.
    if agent_info.settled_on == now.astimezone(agent_info.settings.zone).date():
        return
    turns = sorted(
        (turn for turn in state.turns.values() if turn_has_failed(turn)),
        key=lambda turn: (turn.at, turn.id),
        reverse=True,
    )
    waiting = [turn for turn in turns if now - turn.at <= FAILED_TURN_LIFETIME]
    yield from (Drop(Turn, turn.id) for turn in turns[len(waiting) :])
    # One attempt is left, so that one more unreadable answer parks it again.
    yield from (Put(replace(turn, attempts=ATTEMPTS - 1)) for turn in waiting[:RETRIES_PER_NIGHT])
    tasks = sorted(
        (task for task in state.tasks.values() if task.parked),
        key=lambda task: (task.at, task.id),
        reverse=True,
    )
    for task in islice(tasks, RETRIES_PER_NIGHT):
        yield Put(replace(task, attempts=ATTEMPTS - 1, parked=False))


@dataclass(frozen=True, slots=True)
class Revival:
    """What comes back by one turn: the changes, and the labels of the receipt."""

    changes: tuple[Change, ...] = ()
    labels: tuple[str, ...] = ()


def plan_revival(
    turn: Turn, state: MemoryState, now: datetime, tools: AgentTools = NO_TOOLS
) -> Revival:
    """Return what comes back because the reply of a turn says what was looked up for it."""
    draft = Draft(state=state, now=now, tools=tools)
    labels: list[str] = []
    for used in turn.used:
        if not used.looked_up or not is_used_in_reply(used, turn, state):
            continue
        revived = _revived(used, draft)
        if revived is None:
            continue
        known = revived.id in draft.state.memories
        lines = scene_changes(revived.id, _messages_of(revived, draft.state), draft.state)
        draft = draft.then(Put(revived), *(() if known else lines))
        # As told again: every law counts it as it counts what the partner says once more.
        draft = draft.then(*plan_events(draft.state, [(revived.id, Event.MENTION)], now))
        draft = draft.then(*_links_of_revived(revived, draft.state, tools.index))
        labels.append(f"REVIVE #{revived.id}")
    return Revival(draft.changes, tuple(labels))


def memories_in_reply(turn: Turn, state: MemoryState) -> list[int]:
    """Return the memories the reply of a turn really used; being shown together ties nothing."""
    return [used.memory_id for used in turn.used if is_used_in_reply(used, turn, state)]


def _revived(used: Used, draft: Draft) -> Memory | None:
    """Return the memory that comes back, as it is before any law counts it; None if none does."""
    state, now = draft.state, draft.now
    memory = state.memories.get(used.memory_id)
    if memory is not None:
        if not can_be_looked_up(memory) or memory.is_past or memory.sealed is not None:
            return None
        if memory.is_active:
            return memory
        if is_over_by_now(memory, state, draft.tools.slots):
            return None
        memory = whole_again(memory, state, now) or memory
        return replace(memory, standing=ACTIVE, lineage=replace(memory.lineage, revived_at=now))
    line = next((state.diary[each] for each in used.source_ids if each in state.diary), None)
    if line is None or line.scene == 0 or line.hidden or line.past:
        return None
    return _episode_from_lines(line, state, now)


def _episode_from_lines(line: DiaryLine, state: MemoryState, now: datetime) -> Memory:
    """Return the episode that an ended one was, cut anew from the lines that are left of it."""
    settings = state.agent_info.settings
    scene = [each for each in state.diary.values() if each.scene == line.scene > 0] or [line]
    messages = [each.message for each in in_order(scene) if not each.hidden]
    # Its own id, by which links and lines still know it; not that of a memory that was erased.
    own = line.scene > 0 and not memory_is_erased(line.scene, state)
    context = StretchContext(
        id="",
        conversation=line.conversation,
        model="",
        written_at=now,
        rules=state.rules,
        zone=settings.zone,
    )
    told = gist_of(messages, settings.language)
    episode = episode_of(line.scene if own else state.next_id, told, messages, context)
    # Its lasting facts were taken out before it ended: an episode ends only then.
    return replace(episode, lineage=Lineage(consolidated_at=now, revived_at=now))


def _messages_of(memory: Memory, state: MemoryState) -> Sequence[Message]:
    return [state.diary[each].message for each in memory.source_ids if each in state.diary]


def _links_of_revived(
    memory: Memory, state: MemoryState, index: NetworkIndex | None
) -> Sequence[Change]:
    """Return the links of a revived memory, also to what is talked about now and named in it."""
    messages = _messages_of(memory, state)
    focus = {
        entity: SpokenOf(share=share)
        for entity in state.agent_info.focus
        if entity != memory.id
        if (share := share_of_lines(state.memory(entity).words.text, messages))
    }
    return links_for([memory], state, index=index, focus={memory.id: focus})


class Recollection(NamedTuple):
    """One time a memory was needed and came; ``right`` unless it had to be corrected."""

    memory_id: int
    at: datetime
    right: bool


_RECALLED: Final = re.compile(r"(ADD|MENTION|BOOST|REVIVE|UPDATE) #(\d+)")


def recall_history(state: MemoryState) -> tuple[Recollection, ...]:
    """Return when each memory began and was really used, told again or corrected, in order.

    It is what the receipts still tell: of the last thousand turns.
    """
    found: list[Recollection] = []
    begun: set[int] = set()
    for receipt in sorted(state.receipts.values(), key=lambda each: (each.at, each.turn_id)):
        told = filter(None, map(_RECALLED.match, receipt.learnt))
        for memory_id, event in {int(each[2]): each[1] for each in told}.items():
            memory = state.memories.get(memory_id)
            if memory_id not in begun and event != "ADD" and memory is not None:
                # Its own receipt is gone, or it was learnt from no turn.
                found.append(Recollection(memory_id, memory.trace.created_at, right=True))
            begun.add(memory_id)
            found.append(Recollection(memory_id, receipt.at, event != "UPDATE"))
    return tuple(sorted(found, key=lambda each: (each.at, each.memory_id)))
