"""What every clock promises, each implementation and the fakes alike.

An instant is aware, two clocks' instants can be compared, and time does not run backwards. Only a
clock that follows the machine moves by itself.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.cli.memory import FixedClock
from bot.cli.transfer import RecordedClock
from memory.ports import Clock, ShiftedClock, SystemClock
from tests.fakes.clock import NOON, FakeClock

STANDING: dict[str, Callable[[], Clock]] = {
    "fake": lambda: FakeClock(NOON),
    "fixed, of the shell": lambda: FixedClock(NOON),
    "recorded": lambda: RecordedClock(NOON),
}
CLOCKS: dict[str, Callable[[], Clock]] = {
    "system": SystemClock,
    "shifted": lambda: ShiftedClock(NOON),
    **STANDING,
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_an_instant_is_aware_and_comparable_and_never_before_the_last(clock: str) -> None:
    asked = CLOCKS[clock]()

    instants = [asked.now() for _ in range(100)]

    assert all(instant.utcoffset() is not None for instant in instants)
    assert instants == sorted(instants)
    assert all(instant > datetime(2000, 1, 1, tzinfo=UTC) for instant in instants)


@pytest.mark.parametrize("clock", STANDING)
def test_a_clock_that_is_moved_by_hand_stands_until_then(clock: str) -> None:
    asked = STANDING[clock]()

    assert asked.now() == asked.now() == NOON


def test_the_clock_of_this_machine_tells_its_time_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()

    # The real time on purpose: only the order of three readings counts, not how long they took.
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


@pytest.mark.parametrize("start", [NOON, NOON.astimezone(timezone(timedelta(hours=8)))])
def test_a_shifted_clock_begins_at_its_start_whatever_the_zone_it_was_given_in(
    start: datetime,
) -> None:
    now = ShiftedClock(start).now()

    assert start <= now < start + timedelta(minutes=1)
    assert now.tzinfo is UTC


def test_a_recording_that_jumps_back_leaves_its_clock_where_it_is() -> None:
    clock = RecordedClock(NOON)

    clock.advance_to(NOON + timedelta(hours=1))
    clock.advance_to(NOON)

    assert clock.now() == NOON + timedelta(hours=1)
