"""The law ``ebbinghaus`` (seed 000): R = e^(−t/S), and every use makes S grow. All pure."""

from math import exp, floor
from typing import Final

from memory.laws.fates import KEPT, Archive, Band, Delete, Fates, ruled, waiting
from memory.laws.parameters import EbbinghausParameters, parameters
from memory.laws.vantage import Vantage, elapsed_hours
from memory.model import Kind, Memory
from memory.settings import AgentSettings

FADING_BELOW: Final = 30
CONFIDENT: Final = 0.8
OFTEN_REINFORCED: Final = 5
_WEAK: Final[Fates] = (Archive(),)
_GONE: Final[Fates] = (Archive(), Delete())


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


def retained(
    memory: Memory, vantage: Vantage, settings: AgentSettings, *, slowed: int = 1
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
    hours = elapsed_hours(trace.reinforced_at, vantage.now)
    return exp(-hours * rate / (trace.stability_hours * slowed))


def rounded_strength(retention_now: float) -> int:
    """Return 100 × retention, rounded half up; every border compares this number."""
    return floor(retention_now * 100 + 0.5)


def strength(memory: Memory, vantage: Vantage, settings: AgentSettings) -> int:
    """Return the strength, 0 to 100."""
    return rounded_strength(retained(memory, vantage, settings))


def retention(memory: Memory, vantage: Vantage, settings: AgentSettings) -> float:
    """Return strength / 100."""
    return strength(memory, vantage, settings) / 100


def recalls(memory: Memory, vantage: Vantage, settings: AgentSettings) -> bool:
    """Whether everyday recall may find it: strength ≥ 10, and always what no law rules."""
    if not ruled(memory):
        return True
    return strength(memory, vantage, settings) >= parameters(settings).ebbinghaus.archive_threshold


def band(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Band:
    """Return yellow below 30, red below the archive threshold."""
    if not ruled(memory):
        return Band.GREEN
    now = strength(memory, vantage, settings)
    if now >= FADING_BELOW:
        return Band.GREEN
    low = now < parameters(settings).ebbinghaus.archive_threshold
    return Band.RED if low else Band.YELLOW


def fates(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Fates:
    """Return the archive below 10 and the end below 5 (seed 000 §4.4)."""
    if not ruled(memory):
        return KEPT
    now = rounded_strength(retained(memory, vantage, settings, slowed=waiting(memory)))
    params = parameters(settings).ebbinghaus
    if now >= params.archive_threshold:
        return KEPT
    return _GONE if now < params.delete_threshold else _WEAK
