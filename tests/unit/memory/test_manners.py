"""When she may begin: quiet hours, the budget, pauses, and what was not answered."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.initiative.manners import (
    MOST_A_DAY,
    PAUSE,
    SILENT_AFTER,
    Manners,
    hours_of,
)

ZONE = ZoneInfo("Asia/Shanghai")
FAR = timedelta(days=30)


def wall(day: int, hour: int, minute: int = 0, *, zone: ZoneInfo = ZONE) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=zone)


def manners(
    *, said: Sequence[datetime] = (), written: datetime | None = None, line: datetime | None = None
) -> Manners:
    return Manners(
        zone=ZONE, quiet=(22, 9), written_at=written, line_at=line or written, said=said
    )


def first(given_manners: Manners, at: datetime) -> datetime | None:
    return given_manners.first_moment(at, at + FAR)


@pytest.mark.parametrize(
    ("at", "allowed"),
    [
        (wall(4, 21, 59), wall(4, 21, 59)),
        (wall(4, 22), wall(5, 9)),
        (wall(5, 3), wall(5, 9)),
        (wall(5, 9), wall(5, 9)),
    ],
)
def test_quiet_hours_wait_for_the_morning(at: datetime, allowed: datetime) -> None:
    assert first(manners(), at) == allowed


def test_quiet_hours_within_one_day_and_none_at_all() -> None:
    noon = Manners(zone=ZONE, quiet=(12, 14))
    never = Manners(zone=ZONE, quiet=(0, 0))

    assert first(noon, wall(4, 13)) == wall(4, 14)
    assert first(noon, wall(4, 3)) == wall(4, 3)
    assert first(never, wall(4, 3)) == wall(4, 3)


def test_she_never_breaks_into_running_talk() -> None:
    talking = manners(written=wall(4, 10), line=wall(4, 10, 10))

    assert first(talking, wall(4, 10, 20)) == wall(4, 10, 10) + PAUSE


def test_one_in_a_pause_and_two_a_day() -> None:
    once = manners(said=[wall(4, 10)], written=wall(4, 9))
    answered = manners(said=[wall(4, 10)], written=wall(4, 11))
    twice = manners(said=[wall(4, 10), wall(4, 13)], written=wall(4, 14))

    assert first(once, wall(4, 15)) == wall(5, 9)
    assert first(answered, wall(4, 15)) == wall(4, 15)
    assert first(twice, wall(4, 15)) == wall(5, 9)


def test_half_as_often_after_two_without_an_answer_and_silent_after_four() -> None:
    days = [wall(day, 10) for day in (4, 5, 7, 9)]

    assert first(manners(said=days[:2], written=wall(4, 9)), wall(5, 11)) == wall(7, 9)
    assert first(manners(said=days[:3], written=wall(4, 9)), wall(7, 11)) == wall(9, 9)
    assert first(manners(said=days, written=wall(4, 9)), wall(20, 11)) is None
    assert first(manners(said=days, written=wall(9, 12)), wall(20, 11)) == wall(20, 11)


def test_what_does_not_fit_before_its_end_is_let_go() -> None:
    assert manners().first_moment(wall(4, 23), wall(5, 8)) is None


def test_the_hours_follow_the_wall_when_the_clocks_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    rule = Manners(zone=berlin, quiet=(22, 9))
    night = datetime(2026, 3, 29, 0, 30, tzinfo=berlin)

    assert rule.first_moment(night, night + FAR) == datetime(2026, 3, 29, 9, tzinfo=berlin)


@given(
    zone=st.sampled_from(["Asia/Shanghai", "Europe/London", "America/New_York", "Asia/Kathmandu"]),
    quiet=st.tuples(st.integers(0, 23), st.integers(0, 23)),
    hours=st.integers(0, 365 * 24),
    minutes=st.integers(0, 59),
    said=st.lists(st.integers(1, 300), max_size=6),
    written=st.none() | st.integers(0, 300),
)
def test_whatever_happened_the_rules_hold(
    zone: str,
    quiet: tuple[int, int],
    hours: int,
    minutes: int,
    said: list[int],
    written: int | None,
) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hours, minutes=minutes)
    spoken = sorted(now - timedelta(hours=each) for each in said)
    since = None if written is None else now - timedelta(hours=written)
    rule = Manners(zone=ZoneInfo(zone), quiet=quiet, written_at=since, line_at=since, said=spoken)
    found = rule.first_moment(now, now + FAR)

    if rule.unanswered >= SILENT_AFTER:
        assert found is None
        return
    if found is None:
        return
    local = found.astimezone(ZoneInfo(zone))
    begin, end = quiet
    inside = begin <= local.hour < end if begin < end else not end <= local.hour < begin
    assert begin == end or not inside
    assert since is None or found >= since + PAUSE
    same_day = [e for e in spoken if e.astimezone(ZoneInfo(zone)).date() == local.date()]
    assert len(same_day) < (1 if rule.unanswered else MOST_A_DAY)


def test_hours_are_read_from_the_setting() -> None:
    assert hours_of("23-8") == (23, 8)
