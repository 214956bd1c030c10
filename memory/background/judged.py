"""What comes of a judged answer, and what of one that could not be judged."""

from dataclasses import dataclass, replace
from typing import Final

from memory.changes import Change, Task, Turn

ATTEMPTS: Final = 3
"""So often an answer may be unreadable before its work is parked with the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What an answer changes, built against the state it will be applied to.

    ``learnt`` and ``refused`` say what was done and what was not, by ids and our own words only
    (``ADD #42``, ``UPDATE #3 #42``, ``ADD: not said``), so that a receipt holds no private text.
    """

    changes: tuple[Change, ...] = ()
    learnt: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def failed_turn(turn: Turn, why: str) -> Turn:
    """Return the turn after one more failed attempt; after ``ATTEMPTS`` it is parked."""
    return replace(turn, attempts=turn.attempts + 1, error=why)


def turn_is_parked(turn: Turn) -> bool:
    """Tell whether the turn failed too often to be asked again by itself."""
    return turn.attempts >= ATTEMPTS


def failed_task(task: Task, why: str) -> Task:
    """Return the task after one more failed attempt; after ``ATTEMPTS`` it is parked."""
    attempts = task.attempts + 1
    return replace(task, attempts=attempts, error=why, parked=attempts >= ATTEMPTS)
