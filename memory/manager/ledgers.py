"""What is written down beside a change: the weight log and the counters of seed 001."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import AgentInfo, WeightChange, WeightLog
from memory.laws import weights
from memory.laws.events import Event
from memory.laws.parameters import parameters
from memory.laws.vantage import LawContext
from memory.model import Memory
from memory.settings import AgentSettings
from memory.state import MemoryState

LOGGED_ABOVE: Final = 0.01
ENTRIES_KEPT: Final = 20

_FACTORS: Final = tuple(each.name for each in fields(weights.Factors))

COUNTERS: Final = (
    "passive_compression_count",
    "user_activation_count",
    "negation_count",
    "frequent_reinforce_count",
    "batch_merge_count",
)
"""The counted five of the seven metrics; the average and the distribution are computed."""


def weight_log(
    before: Memory, after: Memory, state: MemoryState, now: datetime, reason: str
) -> WeightLog | None:
    """Return the log of a memory with what an event did to its weight, or None under 0.01.

    ``reason`` is one of our own short words, such as the event. The newest 20 entries stay.
    """
    settings = state.agent_info.settings
    old, _ = _weight_and_factors(before, now, settings)
    new, factors = _weight_and_factors(after, now, settings)
    if abs(new - old) <= LOGGED_ABOVE:
        return None
    return _log_with(
        state, after.id, WeightChange(at=now, old=old, new=new, reason=reason, factors=factors)
    )


def weight_log_of_night(
    memory: Memory, state: MemoryState, now: datetime, reason: str
) -> WeightLog | None:
    """Return the log of a memory that a night acts on: what time did since it was last written."""
    settings = state.agent_info.settings
    known = state.weight_logs.get(memory.id)
    old = (
        known.entries[-1].new
        if known
        else _weight_and_factors(memory, memory.trace.created_at, settings)[0]
    )
    new, factors = _weight_and_factors(memory, now, settings)
    if abs(new - old) <= LOGGED_ABOVE:
        return None
    return _log_with(
        state, memory.id, WeightChange(at=now, old=old, new=new, reason=reason, factors=factors)
    )


def with_counts(agent_info: AgentInfo, more: Mapping[str, float]) -> AgentInfo:
    """Return the household with ``more`` added to its counters."""
    if not any(more.values()):
        return agent_info
    counters = dict.fromkeys(COUNTERS, 0.0) | dict(agent_info.counters)
    for name, count in more.items():
        counters[name] = counters.get(name, 0.0) + count
    return replace(agent_info, counters=tuple(counters.items()))


def increments(event: Event, after: Memory, settings: AgentSettings) -> Mapping[str, float]:
    """Return what an event adds to the counters, given the memory as it is afterwards."""
    if event is Event.NEGATE:
        return {"negation_count": 1}
    if event is not Event.MENTION:
        return {}
    params = parameters(settings).weights
    frequent = weights.is_frequent(after.trace.mentions, after.trace.activated_at, params)
    return {"user_activation_count": 1, "frequent_reinforce_count": int(frequent)}


def _weight_and_factors(
    memory: Memory, now: datetime, settings: AgentSettings
) -> tuple[float, tuple[tuple[str, float], ...]]:
    context = LawContext(now, ZoneInfo(settings.time_zone))
    factors = weights.factors(memory, context, settings)
    value = weights.within_bounds(factors.product, parameters(settings).weights)
    return value, tuple((name, getattr(factors, name)) for name in _FACTORS)


def _log_with(state: MemoryState, memory_id: int, entry: WeightChange) -> WeightLog:
    known = state.weight_logs.get(memory_id)
    entries = (*(known.entries if known else ()), entry)
    return WeightLog(memory_id=memory_id, entries=entries[-ENTRIES_KEPT:])
