"""From where a law looks at a memory: an instant, the agent's zone, its place in the network."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

DAY: Final = timedelta(days=1)
HOUR: Final = timedelta(hours=1)
_SHIFT: Final = 3 * HOUR
LONE_CONNECTEDNESS: Final = 0.5


@dataclass(frozen=True, slots=True)
class LawContext:
    """What a law may see besides the memory: the instant (aware), the zone, the connectedness."""

    now: datetime
    zone: ZoneInfo
    connectedness: float = LONE_CONNECTEDNESS


@dataclass(frozen=True, slots=True)
class Quantities:
    """The four quantities of a memory at an instant; only its agent's law decides its fate.

    ``importance`` (tiers) is ≥ 0, ``strength`` (ebbinghaus) 0 to 100, ``weight`` (weights) between
    ``WEIGHT_MIN`` and ``WEIGHT_MAX``, ``connectedness`` (network) ≥ 0.
    """

    importance: float
    strength: int
    weight: float
    connectedness: float


def elapsed_days(since: datetime, now: datetime) -> float:
    """Return the days of 24 hours from ``since`` to ``now``, and 0 while a clock was set back."""
    return max((now - since) / DAY, 0.0)


def elapsed_hours(since: datetime, now: datetime) -> float:
    """Return the hours from ``since`` to ``now``, and 0 while a clock was set back."""
    return max((now - since) / HOUR, 0.0)


def whole_days(since: datetime, now: datetime, zone: ZoneInfo) -> int:
    """Return how many days of the agent's calendar have passed in full, never less than 0.

    A day ends at the same time of day it began, by the clock on the agent's wall: it has 23 or 25
    hours when daylight saving changes. So it never goes backwards, not even in the repeated hour.

    >>> berlin = ZoneInfo("Europe/Berlin")
    >>> evening = datetime(2026, 3, 28, 20, tzinfo=berlin).astimezone(UTC)
    >>> whole_days(evening, evening + timedelta(hours=23), berlin)  # the clock went forward
    1
    """
    if now <= since:
        return 0
    days, rest = divmod(now - since, DAY)
    local = since.astimezone(zone)
    if _SHIFT <= rest <= DAY - _SHIFT and _offsets_are_near(local, now.astimezone(zone)):
        return days
    moment = now.astimezone(UTC)
    wall = local.replace(tzinfo=None, fold=0)
    while _anniversary(wall, days + 1, zone) <= moment:
        days += 1
    while days > 0 and _anniversary(wall, days, zone) > moment:
        days -= 1
    return days


def _offsets_are_near(then: datetime, now: datetime) -> bool:
    """Whether the two offsets differ no more than any daylight saving moves a clock."""
    before, after = then.utcoffset(), now.utcoffset()
    return before is not None and after is not None and abs(after - before) <= _SHIFT


def _anniversary(wall: datetime, days: int, zone: ZoneInfo) -> datetime:
    """Return the instant at which the wall clock shows ``wall`` again, ``days`` days later."""
    return (wall + days * DAY).replace(tzinfo=zone).astimezone(UTC)
