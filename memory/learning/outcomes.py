"""What comes of a judged answer, and what of work whose answer could not be read.

Such work is tried again, then parked with its error, and given another chance every night.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from memory.changes import Change, Drop, Put, Task, Turn, Undo
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.ports import Outcome
from memory.state import MemoryState

ATTEMPTS: Final = 2
"""After so many unreadable answers the work is parked with the error: one retry, told why."""

RECEIPTS_KEPT: Final = 1_000
"""How many receipts one agent keeps: the newest."""


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
"""Called once with what was learnt, as soon as it is durable; it must return at once."""


def ignore_learnt(_: LearntNotice) -> None:
    """Do nothing with what was learnt: for whoever wants no notices."""


def learnt_notice(turn: Turn, changes: Sequence[Change]) -> LearntNotice | None:
    """Return what was learnt from a turn, by the changes that were written; None if nothing."""
    # What lasts of a judgement has an entry for undo, so the entry also tells that there is any.
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


def turn_failure_changes(turn: Turn, why: str, state: MemoryState) -> Sequence[Change]:
    """Return the turn with one more failed attempt; its receipt tells when it is parked."""
    if turn.id not in state.turns:
        return ()
    failed = turn_after_failure(state.turns[turn.id], why)
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


class Judging(NamedTuple):
    """How many answers of a model about the last turns counted, were refused, were unreadable."""

    kept: int
    refused: int
    unreadable: int


def judging(state: MemoryState) -> Judging:
    """Return how a model's answers about the last turns fared."""
    judged = [each for each in state.receipts.values() if each.judged]
    newest = sorted(judged, key=lambda each: (each.at, each.turn_id))[-JUDGED_TURNS:]
    counts = Counter(each.judged for each in newest)
    return Judging(counts["kept"], counts["refused"], counts["unreadable"])


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
