"""The clock of the machine is doubted on good grounds only, and nothing is lost meanwhile."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.clock_watch import CLOCK_FILE, ClockWatch
from tests.fakes.clock import FakeClock, FakeMachineClock


def watched(folder: Path) -> tuple[FakeMachineClock, ClockWatch]:
    clock = FakeMachineClock()
    return clock, ClockWatch(clock, folder)


@pytest.mark.parametrize("days", [1, 31, 395])
def test_a_silent_time_while_she_runs_raises_no_doubt(tmp_path: Path, days: int) -> None:
    clock, watch = watched(tmp_path)
    for _ in range(days):
        clock.tick(days=1)
        assert watch.check() is None


@pytest.mark.parametrize("days", [3, 14, 399])
def test_a_holiday_with_the_machine_off_or_asleep_raises_no_doubt(
    tmp_path: Path, days: int
) -> None:
    clock, _ = watched(tmp_path)
    clock.tick(days=days)
    clock.boot()
    watch = ClockWatch(clock, tmp_path)
    assert watch.check() is None
    clock.tick(days=days)  # asleep: no check in between
    assert watch.check() is None
    assert not watch.wants_to_ask


def test_a_clock_that_jumps_is_doubted_until_it_is_set_right(tmp_path: Path) -> None:
    clock, watch = watched(tmp_path)
    right = clock.now()
    clock.set(right + timedelta(days=3650))
    doubt = watch.check()
    assert doubt is not None
    assert doubt.cause == "moved"
    clock.tick(hours=1)
    assert watch.check() is not None
    clock.set(right + timedelta(hours=1))
    assert watch.check() is None


def test_a_clock_set_by_less_than_two_days_is_believed(tmp_path: Path) -> None:
    clock, watch = watched(tmp_path)
    clock.set(clock.now() + timedelta(hours=47))
    assert watch.check() is None


@pytest.mark.parametrize("days", [-3650, -3, 3, 3650])
def test_what_a_platform_tells_is_compared(tmp_path: Path, days: int) -> None:
    clock, watch = watched(tmp_path)
    watch.compare(clock.now() + timedelta(days=days))
    assert watch.doubt is not None
    assert watch.doubt.cause == "platform"
    watch.compare(clock.now() - timedelta(hours=20))  # a backlog is at most a day old
    assert watch.doubt is None


def test_a_platform_that_agrees_ends_the_doubt_about_a_machine_that_stood_still(
    tmp_path: Path,
) -> None:
    clock, watch = watched(tmp_path)
    clock.set(clock.now() + timedelta(days=9))  # a frozen virtual machine counts no uptime
    assert watch.check() is not None
    watch.compare(clock.now())
    assert watch.check() is None


def test_a_gap_of_years_is_asked_about_once_and_outlives_a_restart(tmp_path: Path) -> None:
    clock, _ = watched(tmp_path)
    clock.boot()
    clock.set(clock.now() + timedelta(days=3650))
    watch = ClockWatch(clock, tmp_path)
    assert watch.doubt is not None
    assert watch.doubt.cause == "gap"
    assert watch.wants_to_ask
    watch.note_asked()
    watch.compare(clock.now())  # only the owner ends this one
    again = ClockWatch(clock, tmp_path)
    assert again.doubt is not None
    assert not again.wants_to_ask
    again.trust()
    assert ClockWatch(clock, tmp_path).doubt is None


def test_a_doubted_clock_is_believed_after_seven_running_days(tmp_path: Path) -> None:
    clock, _ = watched(tmp_path)
    clock.boot()
    clock.set(clock.now() + timedelta(days=3650))
    for _ in range(6):
        watch = ClockWatch(clock, tmp_path)
        clock.tick(days=1)
        assert watch.check() is not None
        clock.tick(hours=5)  # switched off: does not count
        clock.boot()
    watch = ClockWatch(clock, tmp_path)
    clock.tick(days=1, minutes=1)
    assert watch.check() is None
    assert watch.check() is None


def test_a_clock_that_was_given_is_trusted(tmp_path: Path) -> None:
    clock = FakeClock()
    watch = ClockWatch(clock, tmp_path)
    clock.tick(days=3650)
    watch.compare(datetime(2001, 1, 1, tzinfo=UTC))
    assert watch.check() is None
    assert not (tmp_path / CLOCK_FILE).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seen_at": 3}', '{"seen_at": "2020"}', "null"])
def test_a_file_nobody_can_read_is_no_ground_for_doubt(tmp_path: Path, text: str) -> None:
    (tmp_path / CLOCK_FILE).write_text(text)
    _, watch = watched(tmp_path)
    assert watch.check() is None
    assert (tmp_path / CLOCK_FILE).stat().st_mode & 0o777 == 0o600


def test_a_disk_that_takes_nothing_costs_the_note_only(tmp_path: Path) -> None:
    clock, watch = watched(tmp_path / "gone")
    clock.set(clock.now() + timedelta(days=30))
    assert watch.check() is not None


def test_a_restart_does_not_make_a_moved_clock_right(tmp_path: Path) -> None:
    clock, watch = watched(tmp_path)
    clock.set(clock.now() + timedelta(days=3650))
    assert watch.check() is not None
    clock.boot()
    again = ClockWatch(clock, tmp_path)
    clock.tick(hours=1)
    assert again.check() is not None
    again.compare(clock.now())
    assert again.check() is None
