"""What comes of a judged answer, and what of work whose answer could not be read.

Tried again, then given up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory.changes import Change, Drop, Put, Task, Turn, Undo
from memory.judgement.draft import Judgement
from memory.judgement.operations import Unreadable
from memory.ports import Outcome
from memory.state import MemoryState

ATTEMPTS: Final = 3
"""So often an answer may be unreadable before its work is parked with the error."""

RECEIPTS_KEPT: Final = 1_000
"""So many receipts one agent keeps, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntNotice:
    """What was just learnt from a turn: durable, and told once, to whoever wants to hear it.

    ``step`` is the entry that takes exactly this back. ``private``: only the partner hears it.
    """

    turn_id: str
    conversation: str
    private: bool
    step: Undo


OnLearnt: TypeAlias = Callable[[LearntNotice], None]
"""Is told what was learnt, at once and not again: what it makes of it is not waited for."""


def ignore_learnt(_: LearntNotice) -> None:
    """Be told what was learnt, and make nothing of it."""


def learnt_notice(turn: Turn, changes: Sequence[Change]) -> LearntNotice | None:
    """Return what changes that were written taught of a turn; None if nothing of it lasts."""
    for change in changes:
        match change:
            case Put(Undo() as step):
                return LearntNotice(
                    turn_id=turn.id,
                    conversation=turn.conversation,
                    private=turn.private,
                    step=step,
                )
            case _:
                pass
    return None


def unreadable_outcome(outcome: Outcome) -> Judgement | Unreadable:
    """Return why an outcome without an answer leaves nothing to judge."""
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


def turn_failure_changes(turn: Turn, why: str, state: MemoryState) -> Sequence[Change]:
    """Return the turn with one more failed attempt; its receipt tells when it is parked."""
    if turn.id not in state.turns:
        return ()
    failed = turn_after_failure(state.turns[turn.id], why)
    receipt = state.receipts.get(turn.id)
    if receipt is None or not turn_has_failed(failed):
        return (Put(failed),)
    return (Put(failed), Put(replace(receipt, outcome="parked")))


def receipt_with_learnt(turn_id: str, judged: Judgement, state: MemoryState) -> Sequence[Change]:
    """Return the receipt of the turn with what was learnt from it."""
    receipt = state.receipts.get(turn_id)
    if receipt is None:
        return ()
    learnt = (*receipt.learnt, *judged.learnt)
    return (Put(replace(receipt, learnt=learnt, outcome="learnt" if learnt else "nothing")),)


RETRIES_PER_NIGHT: Final = 20
"""So many parked turns, and as many tasks, are tried again in a night: a model may have been
repaired since, and one that was not must not cost the partner a fortune."""

FAILED_TURN_LIFETIME: Final = timedelta(days=7)
"""So long a parked turn waits; what was said in it lives on in its episode, and her receipt."""


def retry_changes(state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield one more attempt for what is parked, newest first, once a day; drop what is old."""
    agent_info = state.agent_info
    if agent_info.settled_on == now.astimezone(ZoneInfo(agent_info.settings.time_zone)).date():
        return
    turns = sorted(
        (turn for turn in state.turns.values() if turn_has_failed(turn)),
        key=lambda turn: (turn.at, turn.id),
        reverse=True,
    )
    waiting = [turn for turn in turns if now - turn.at <= FAILED_TURN_LIFETIME]
    yield from (Drop(Turn, turn.id) for turn in turns[len(waiting) :])
    yield from (Put(replace(turn, attempts=ATTEMPTS - 1)) for turn in waiting[:RETRIES_PER_NIGHT])
    tasks = sorted(
        (task for task in state.tasks.values() if task.parked),
        key=lambda task: (task.at, task.id),
        reverse=True,
    )
    for task in islice(tasks, RETRIES_PER_NIGHT):
        yield Put(replace(task, attempts=ATTEMPTS - 1, parked=False))
