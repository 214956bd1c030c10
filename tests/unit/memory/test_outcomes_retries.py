"""Work that could not be judged gets a chance every night, within bounds."""

from dataclasses import replace
from datetime import timedelta

from memory.changes import Put, Task, Turn
from memory.learning.outcomes import ATTEMPTS, RETRIES_PER_NIGHT, retry_changes, turn_has_failed
from memory.state import MemoryState
from tests.builders import a_message
from tests.fakes.clock import NOON


def a_parked_turn(number: int) -> Turn:
    at = NOON - timedelta(minutes=number)
    said = a_message(f"s{number}", at=at)
    reply = a_message(f"r{number}", "嗯", at=at, role="assistant")
    return Turn(
        id=f"t{number}", conversation="c", at=at, said=(said,), reply=reply, attempts=ATTEMPTS
    )


def a_parked_task(number: int) -> Task:
    return Task(
        id=f"consolidate-{number}",
        kind="consolidate",
        at=NOON,
        memory_ids=(number,),
        attempts=ATTEMPTS,
        parked=True,
        error="unreadable",
    )


def test_no_night_tries_more_than_so_many_again_and_the_newest_come_first() -> None:
    state, _ = MemoryState().apply([Put(a_parked_turn(n)) for n in range(RETRIES_PER_NIGHT + 5)])

    after, _ = state.apply(list(retry_changes(state, NOON)))

    still_parked = {turn.id for turn in after.turns.values() if turn_has_failed(turn)}
    assert still_parked == {
        f"t{number}" for number in range(RETRIES_PER_NIGHT, RETRIES_PER_NIGHT + 5)
    }


def test_episodes_whose_consolidation_was_parked_are_not_kept_for_ever() -> None:
    state, _ = MemoryState().apply([Put(a_parked_task(number)) for number in range(3)])

    after, _ = state.apply(list(retry_changes(state, NOON)))

    assert not any(task.parked for task in after.tasks.values())
    assert {task.attempts for task in after.tasks.values()} == {ATTEMPTS - 1}


def test_a_second_night_on_the_same_day_gives_no_third_chance() -> None:
    agent_info = replace(MemoryState().agent_info, settled_on=NOON.date())
    state, _ = MemoryState().apply([Put(agent_info), Put(a_parked_turn(1))])

    assert list(retry_changes(state, NOON)) == []
