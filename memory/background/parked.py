"""What becomes of work whose answers could not be read: a chance every night, and an end."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.background.judged import ATTEMPTS, turn_has_failed
from memory.changes import Change, Drop, Put, Turn
from memory.state import MemoryState

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
