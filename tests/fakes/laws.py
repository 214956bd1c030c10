"""What the laws say, asked by an agent's settings alone: for tests that have no state."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.laws import disuse, ebbinghaus, network, tiers, weights
from memory.laws.contract import Fates, HealthColour, LawContext
from memory.laws.law import Assessment, Birth, Event, Law
from memory.laws.registry import Laws, Rules, is_visible
from memory.model import AgentSettings, Memory, Mode, Trace


@dataclass(frozen=True, slots=True)
class Quantities:
    """The quantities of the four laws."""

    importance: float
    strength: int
    weight: float
    connectedness: float


def rules_of(settings: AgentSettings) -> Rules:
    """Return what the laws of this program make of the settings."""
    return Laws().rules(settings)


def seen(context: LawContext, settings: AgentSettings) -> LawContext:
    """Return the context as an agent of those settings has it."""
    return LawContext(
        context.now, context.zone, context.connectedness, user_factor=settings.user_factor
    )


def assessed(memory: Memory, context: LawContext, settings: AgentSettings) -> Assessment:
    """Return all that the agent's law says."""
    return rules_of(settings).judge(memory, seen(context, settings))


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    return assessed(memory, context, settings).retention


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
    return assessed(memory, context, settings).fates


def is_fading(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:
    return assessed(memory, context, settings).is_fading


def is_recallable(
    memory: Memory, context: LawContext, mode: Mode, settings: AgentSettings
) -> bool:
    found = assessed(memory, context, settings)
    return is_visible(memory, found, mode)


def judged_by(
    law: Law[Any], memory: Memory, context: LawContext, settings: AgentSettings
) -> Assessment:
    """Return what one law says, whichever the agent lives by."""
    params = rules_of(settings).parameters_of(law)
    return law.judge(memory, seen(context, settings), params)


def health_colour(
    law: Law[Any], memory: Memory, context: LawContext, settings: AgentSettings
) -> HealthColour:
    return judged_by(law, memory, context, settings).colour


def quantities(memory: Memory, context: LawContext, settings: AgentSettings) -> Quantities:
    return Quantities(
        importance=judged_by(tiers.LAW, memory, context, settings).amount,
        strength=int(judged_by(ebbinghaus.LAW, memory, context, settings).amount),
        weight=judged_by(weights.LAW, memory, context, settings).amount,
        connectedness=judged_by(network.LAW, memory, context, settings).amount,
    )


def factors(memory: Memory, context: LawContext, settings: AgentSettings) -> weights.Factors:
    params = rules_of(settings).parameters_of(weights.LAW)
    return weights.factors(memory, seen(context, settings), params)


def after_event(memory: Memory, event: Event, now: datetime, settings: AgentSettings) -> Memory:
    return rules_of(settings).after_event(memory, event, now)


def crossed_promotion(
    before: Memory, after: Memory, now: datetime, settings: AgentSettings
) -> bool:
    return rules_of(settings).asks_promotion(before, after, now)


def new_trace(
    at: datetime, settings: AgentSettings, *, explicit: bool = False, confidence: float = 0.7
) -> Trace:
    return rules_of(settings).new_trace(Birth(at=at, explicit=explicit), confidence=confidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class LawParameters:
    """The parameters of every law."""

    tiers: tiers.TiersParameters
    ebbinghaus: ebbinghaus.EbbinghausParameters
    weights: weights.WeightsParameters
    network: network.NetworkParameters
    disuse: disuse.DisuseParameters


def parameters(settings: AgentSettings) -> LawParameters:
    """Return what the settings choose; raises InputRefused as the laws do."""
    rules = rules_of(settings)
    return LawParameters(
        tiers=rules.parameters_of(tiers.LAW),
        ebbinghaus=rules.parameters_of(ebbinghaus.LAW),
        weights=rules.parameters_of(weights.LAW),
        network=rules.parameters_of(network.LAW),
        disuse=rules.parameters_of(disuse.LAW),
    )
