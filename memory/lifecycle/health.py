"""How a memory as a whole is doing: health by retention, and its seven metrics.

The metrics are those of source document 001.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory.laws import weights
from memory.laws.contract import HealthColour
from memory.lifecycle.consequences import COUNTERS
from memory.model import Level, Tier
from memory.state import MemoryState
from memory.views import assessment, standing_name


@dataclass(frozen=True, slots=True)
class MemoryCondition:
    """One active memory: how much is retained, 0 to 1, and its colour."""

    memory_id: int
    retention: float
    colour: HealthColour


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """The health report: every active memory, weakest first, and how many there are of what."""

    conditions: tuple[MemoryCondition, ...]
    by_colour: Mapping[HealthColour, int]
    by_tier: Mapping[Tier, int]
    by_level: Mapping[Level, int]
    by_standing: Mapping[str, int]

    @property
    def fading(self) -> tuple[int, ...]:
        """The ids of what is fading, weakest first."""
        return tuple(c.memory_id for c in self.conditions if c.colour is not HealthColour.GREEN)


def health_report(state: MemoryState, now: datetime) -> HealthReport:
    """Return how every memory is doing under the agent's law; weakest first."""
    active = [memory for memory in state.memories.values() if memory.is_active]
    conditions: list[MemoryCondition] = []
    for memory in active:
        found = assessment(memory, state, now)
        conditions.append(MemoryCondition(memory.id, found.retention, found.colour))
    return HealthReport(
        conditions=tuple(sorted(conditions, key=lambda each: (each.retention, each.memory_id))),
        by_colour=Counter(each.colour for each in conditions),
        by_tier=Counter(memory.nature.tier for memory in active),
        by_level=Counter(memory.words.level for memory in active),
        by_standing=Counter(standing_name(each.standing) for each in state.memories.values()),
    )


def metrics(state: MemoryState, now: datetime) -> dict[str, float]:
    """Return the seven metrics by name; the distribution as one entry per level of W."""
    params = state.rules.parameters_of(weights.LAW)
    stored = dict(state.agent_info.counters)
    # The metrics are about W under every law: its numbers are kept whatever the agent lives by.
    context = state.rules.context(now)
    found = [
        weights.weight(memory, context, params)
        for memory in state.memories.values()
        if memory.is_active
    ]
    levels = Counter(weights.level_of(weight, params) for weight in found)
    return {
        **{name: stored.get(name, 0.0) for name in COUNTERS},
        "avg_weight": sum(found) / len(found) if found else 0.0,
        **{f"weight_distribution.{level.name.lower()}": levels[level] for level in Level},
    }
