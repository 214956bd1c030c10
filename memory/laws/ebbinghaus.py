"""The law ``ebbinghaus`` (seed 000): R = e^(−t/S), and every use makes S grow. All pure."""

from math import exp, floor
from typing import Final

from memory.laws.contract import (
    NO_FATES,
    Archive,
    Fates,
    HealthColour,
    LawContext,
    SoftDelete,
    elapsed_hours,
    grace_factor,
    may_fade,
)
from memory.laws.parameters import EbbinghausParameters, parameters
from memory.model import AgentSettings, Kind, Memory

FADING_BELOW: Final = 30
CONFIDENT: Final = 0.8
OFTEN_REINFORCED: Final = 5
_ARCHIVED: Final[Fates] = (Archive(),)
_DELETED: Final[Fates] = (Archive(), SoftDelete())


def decay_rate(
    *, confidence: float, reinforce_count: int, kind: Kind, params: EbbinghausParameters
) -> float:
    """Return how fast stability is used up, 1.0 down to ``minDecay`` (seed 000 §4.3)."""
    rate = 1.0
    if confidence >= CONFIDENT:
        rate *= params.confident_decay
    if reinforce_count >= OFTEN_REINFORCED:
        rate *= params.reinforced_decay
    if kind is Kind.LESSON:
        rate *= params.lesson_decay
    return max(rate, params.min_decay)


def curve_value(
    memory: Memory, context: LawContext, settings: AgentSettings, *, slowed: int = 1
) -> float:
    """Return e^(−hours since reinforced / (stability / decay rate)), in [0, 1].

    ``slowed`` multiplies the time it takes to get there.
    """
    trace = memory.trace
    rate = decay_rate(
        confidence=trace.confidence,
        reinforce_count=trace.reinforce_count,
        kind=memory.nature.kind,
        params=parameters(settings).ebbinghaus,
    )
    hours = elapsed_hours(trace.reinforced_at, context.now)
    return exp(-hours * rate / (trace.stability_hours * slowed))


def rounded_strength(retention_now: float) -> int:
    """Return 100 × retention, rounded half up; every border compares this number."""
    return floor(retention_now * 100 + 0.5)


def strength(memory: Memory, context: LawContext, settings: AgentSettings) -> int:
    """Return the strength, 0 to 100."""
    return rounded_strength(curve_value(memory, context, settings))


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return strength / 100."""
    return strength(memory, context, settings) / 100


def is_recallable(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:
    """Whether everyday recall may find it: strength ≥ 10, and always what no law rules."""
    if not may_fade(memory):
        return True
    return strength(memory, context, settings) >= parameters(settings).ebbinghaus.archive_threshold


def health_colour(memory: Memory, context: LawContext, settings: AgentSettings) -> HealthColour:
    """Return yellow below 30, red below the archive threshold."""
    if not may_fade(memory):
        return HealthColour.GREEN
    now = strength(memory, context, settings)
    if now >= FADING_BELOW:
        return HealthColour.GREEN
    low = now < parameters(settings).ebbinghaus.archive_threshold
    return HealthColour.RED if low else HealthColour.YELLOW


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
    """Return the archive below 10 and the end below 5 (seed 000 §4.4)."""
    if not may_fade(memory):
        return NO_FATES
    now = rounded_strength(curve_value(memory, context, settings, slowed=grace_factor(memory)))
    params = parameters(settings).ebbinghaus
    if now >= params.archive_threshold:
        return NO_FATES
    return _DELETED if now < params.delete_threshold else _ARCHIVED
