"""What lies ahead of a memory if nothing happens to it: the law asked about later days."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.laws.fates import may_fade
from memory.laws.law import is_fading, fates, retention
from memory.model import Memory, Tier
from memory.state import MemoryState
from memory.views import law_context

DAILY_DAYS: Final = 60
HORIZON: Final = timedelta(days=3 * 365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """When it begins to fade and when its law would act on it; None is not within three years.

    ``firm`` is what no law takes away.
    """

    never_fades: bool = False
    fades_at: datetime | None = None
    ends_at: datetime | None = None


def forecast_of(memory: Memory, state: MemoryState, now: datetime) -> Forecast:
    """Return what the agent's law will say of a memory that nothing happens to."""
    if not may_fade(memory) or memory.nature.tier is Tier.SYSTEM:
        return Forecast(never_fades=True)
    settings = state.agent_info.settings

    def fades(at: datetime) -> bool:
        return is_fading(memory, law_context(memory.id, state, at), settings)

    def ends(at: datetime) -> bool:
        return bool(fates(memory, law_context(memory.id, state, at), settings))

    return Forecast(fades_at=_first_day(fades, now), ends_at=_first_day(ends, now))


def retention_over(memory: Memory, state: MemoryState, days: list[datetime]) -> list[float]:
    """Return how much is retained on each of those days, 0 to 1."""
    settings = state.agent_info.settings
    return [retention(memory, law_context(memory.id, state, day), settings) for day in days]


def _first_day(holds: Callable[[datetime], bool], now: datetime) -> datetime | None:
    """Return the first day on which something holds: every day soon, every week later."""
    return next((day for day in _days(now) if holds(day)), None)


def _days(now: datetime) -> Iterator[datetime]:
    yield from (now + timedelta(days=each) for each in range(DAILY_DAYS))
    day = now + timedelta(days=DAILY_DAYS)
    while day <= now + HORIZON:
        yield day
        day += timedelta(days=7)
