"""What an agent's background has to do, read off its durable state.

Nothing is queued in memory, so a restart simply goes on: stretches not yet cut, tails that are
full, turns not yet judged, episodes to consolidate, memories that wait for a verdict.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from memory.background.judged import turn_has_failed
from memory.changes import PendingReview, Task, Turn, Window
from memory.state import MemoryState
from memory.working import tail_is_due


@dataclass(frozen=True, slots=True)
class JudgeTurn:
    """Ask the background 小祥 what a finished turn means for memory."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class CutStretch:
    """Turn a stretch that was given to ``remember`` into episodes."""

    task: Task


@dataclass(frozen=True, slots=True)
class CutTail:
    """Turn what left a conversation's window into episodes."""

    window: Window


@dataclass(frozen=True, slots=True)
class ConsolidateEpisodes:
    """Find the lasting facts in episodes that are about to end."""

    task: Task


@dataclass(frozen=True, slots=True)
class ReviewMemory:
    """Ask for the verdict on a memory at a threshold."""

    review: PendingReview


Work: TypeAlias = JudgeTurn | CutStretch | CutTail | ConsolidateEpisodes | ReviewMemory


def needs_model(work: Work) -> bool:
    """Whether the work has to wait while the model is away; stretches can be cut by rule."""
    match work:
        case JudgeTurn() | ConsolidateEpisodes() | ReviewMemory():
            return True
        case CutStretch() | CutTail():
            return False


def due_work(state: MemoryState, now: datetime) -> Iterable[Work]:
    """Yield what is due, in the order it should be done; parked work is not due.

    What was said comes before what is thought about it, and the oldest first, so that a later
    turn is always judged against what an earlier one left behind.
    """
    tasks = sorted(state.tasks.values(), key=lambda task: (task.at, task.id))
    waiting = [task for task in tasks if not task.parked]
    yield from (CutStretch(task) for task in waiting if task.kind == "segment")
    yield from (
        CutTail(window) for _, window in sorted(state.windows.items()) if tail_is_due(window, now)
    )
    turns = sorted(state.turns.values(), key=lambda turn: (turn.at, turn.id))
    yield from (JudgeTurn(turn) for turn in turns if not turn_has_failed(turn))
    yield from (ConsolidateEpisodes(task) for task in waiting if task.kind == "consolidate")
    reviews = sorted(state.reviews.values(), key=lambda review: (review.since, review.memory_id))
    yield from (ReviewMemory(review) for review in reviews)
