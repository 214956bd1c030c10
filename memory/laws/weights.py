"""The law ``weights`` (seed 001): W(t) = w_time·S·C·I·U·M. All functions are pure.

Every factor is a function of elapsed days and named as in the document.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp
from typing import Final

from memory.laws.contract import (
    NO_FATES,
    Archive,
    CompressTo,
    Fates,
    HealthColour,
    LawContext,
    SoftDelete,
    elapsed_days,
    elapsed_hours,
    grace_factor,
    may_fade,
)
from memory.laws.parameters import WeightsParameters, parameters
from memory.model import AgentSettings, Archived, Kind, Level, Memory

FADING_BELOW: Final = 0.3
_IMPORTANCE: Final[Mapping[Kind, Callable[[WeightsParameters], float]]] = {
    Kind.IDENTITY: lambda params: params.i_identity,
    Kind.LASTING_PREFERENCE: lambda params: params.i_lasting,
    Kind.SKILL: lambda params: params.i_skill,
    Kind.LESSON: lambda params: params.i_lesson,
    Kind.FACT: lambda params: params.i_fact,
    Kind.PASSING_PREFERENCE: lambda params: params.i_passing,
    Kind.TEMPORARY: lambda params: params.i_temporary,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """The factors of one weight, as the weight log shows them."""

    time_weight: float
    semantic_boost: float
    conflict_penalty: float
    importance: float
    user_factor: float
    momentum: float

    @property
    def product(self) -> float:
        """The weight before it is kept within its bounds."""
        return (
            self.time_weight
            * self.semantic_boost
            * self.conflict_penalty
            * self.importance
            * self.user_factor
            * self.momentum
        )


def time_weight(
    *, days: float, importance: float, user_factor: float, params: WeightsParameters
) -> float:
    """Return w_time = 1 / (1 + α·U·(1/I)·days since the last mention)."""
    return 1.0 / (1.0 + params.alpha_base * user_factor / importance * days)


def semantic_boost(*, days: float, frequent: bool, params: WeightsParameters) -> float:
    """Return S = 1 + s·e^(−λ·days since the mention); s is smaller for a frequent mention."""
    return 1.0 + (params.s_frequent if frequent else params.s_max) * exp(-params.lambda_s * days)


def conflict_penalty(*, days: float, params: WeightsParameters) -> float:
    """Return C, ``days`` after the partner said it no longer holds.

    ``recovering`` (default): 1 − (1 − c_min)·e^(−λ·days), drops at once and recovers slowly.
    ``sinking``, the document's formula: c_min + (1 − c_min)·e^(−λ·days).
    """
    fading = (1.0 - params.c_min) * exp(-params.lambda_c * days)
    return 1.0 - fading if params.c_mode == "recovering" else params.c_min + fading


def momentum(*, recent: int, frequent: bool, params: WeightsParameters) -> float:
    """Return M = 1 + m·(1 − e^(−λ·n)), n = mentions in the last 3 days, plus while frequent."""
    extra = params.m_frequent if frequent else 0.0
    return 1.0 + params.m_coef * (1.0 - exp(-params.lambda_m * recent)) + extra


def category_importance(kind: Kind, params: WeightsParameters) -> float:
    """Return I of seed 001's category table."""
    return _IMPORTANCE[kind](params)


def is_frequent(mentions: Sequence[datetime], at: datetime, params: WeightsParameters) -> bool:
    """Whether the window of 24 h before ``at`` holds at least 3 mentions."""
    if len(mentions) < params.frequent_threshold:
        return False
    hours = params.frequent_window_hours
    return sum(elapsed_hours(m, at) <= hours for m in mentions) >= params.frequent_threshold


def factors(
    memory: Memory, context: LawContext, settings: AgentSettings, *, slowed: int = 1
) -> Factors:
    """Return every factor of the weight at an instant; ``slowed`` divides the days of w_time.

    Whether the boost of a mention is the smaller one is settled by that mention, not by the
    present: otherwise a weight would rise by itself a day later.
    """
    trace = memory.trace
    params = parameters(settings).weights
    importance = category_importance(memory.nature.kind, params)
    user = settings.user_factor
    days = elapsed_days(trace.activated_at, context.now)
    boost = penalty = moved = 1.0
    if trace.mention_count:
        then = is_frequent(trace.mentions, trace.activated_at, params)
        boost = semantic_boost(days=days, frequent=then, params=params)
    if trace.mentions:
        moved = _momentum_of(trace.mentions, context.now, params)
    if trace.negated_at is not None:
        since = elapsed_days(trace.negated_at, context.now)
        penalty = conflict_penalty(days=since, params=params)
    return Factors(
        time_weight=time_weight(
            days=days / slowed, importance=importance, user_factor=user, params=params
        ),
        semantic_boost=boost,
        conflict_penalty=penalty,
        importance=importance,
        user_factor=user if params.u_mode == "literal" else 1.0,
        momentum=moved,
    )


def weight(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return W, kept within ``WEIGHT_MIN`` and ``WEIGHT_MAX``."""
    return within_bounds(factors(memory, context, settings).product, parameters(settings).weights)


def within_bounds(product: float, params: WeightsParameters) -> float:
    """Return the weight within its bounds."""
    return min(max(product, params.weight_min), params.weight_max)


def level_of(weight_now: float, params: WeightsParameters) -> Level:
    """Return how much a memory of that weight keeps: full, summary, tag or trace."""
    if weight_now >= params.full_above:
        return Level.FULL
    if weight_now >= params.summary_above:
        return Level.SUMMARY
    return Level.TAG if weight_now >= params.tag_above else Level.TRACE


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return W / 2, that is W as a share of the highest weight."""
    return weight(memory, context, settings) / parameters(settings).weights.weight_max


def is_recallable(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:
    """Whether everyday recall may find it: W ≥ 0.3, and always what no law rules."""
    if not may_fade(memory):
        return True
    return weight(memory, context, settings) >= parameters(settings).weights.summary_above


def health_colour(memory: Memory, context: LawContext, settings: AgentSettings) -> HealthColour:
    """Return yellow below 0.3, red below 0.1 where only a trace is left."""
    if not may_fade(memory):
        return HealthColour.GREEN
    now = weight(memory, context, settings)
    if now >= FADING_BELOW:
        return HealthColour.GREEN
    return (
        HealthColour.YELLOW if now >= parameters(settings).weights.tag_above else HealthColour.RED
    )


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
    """Return the level W allows, the archive after 180 days unmentioned, the end a year later."""
    if not may_fade(memory):
        return NO_FATES
    params = parameters(settings).weights
    slowed = grace_factor(memory)
    standing = memory.standing
    if isinstance(standing, Archived):
        gone = elapsed_days(standing.at, context.now) > params.delete_after_days * slowed
        return (SoftDelete(),) if gone and params.delete_archived else NO_FATES
    product = factors(memory, context, settings, slowed=slowed).product
    level = level_of(within_bounds(product, params), params)
    said: Fates = (CompressTo(level),) if level < memory.words.level else NO_FATES
    silent = elapsed_days(memory.trace.activated_at, context.now)
    if product < params.archive_below and silent >= params.archive_after_days * slowed:
        return (*said, Archive())
    return said


def _momentum_of(mentions: Sequence[datetime], now: datetime, params: WeightsParameters) -> float:
    window = params.recent_window_days
    recent = sum(elapsed_days(m, now) <= window for m in mentions)
    return momentum(recent=recent, frequent=is_frequent(mentions, now, params), params=params)
