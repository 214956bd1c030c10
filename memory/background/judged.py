"""What comes of a judged answer, and what of one that could not be judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from memory.background.grammar import Unreadable
from memory.changes import Change, Put, Task, Turn, Undo
from memory.ports import Outcome
from memory.state import MemoryState

ATTEMPTS: Final = 3
"""So often an answer may be unreadable before its work is parked with the error."""

RECEIPTS_KEPT: Final = 1_000
"""So many receipts one agent keeps, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What an answer changes, built against the state it will be applied to.

    ``learnt`` and ``refused`` say what was done and what was not, by ids and our own words only
    (``ADD #42``, ``UPDATE #3 #42``, ``ADD: not said``), so that a receipt holds no private text.
    """

    changes: tuple[Change, ...] = ()
    learnt: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


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
