"""The door to all laws: what happens to a memory for all of them at once.

What the agent's own law says of it.

One table says it all, so switching the law and back finds every number where it would have been:

    event            importance (tiers)   access   stability (ebbinghaus)   mention (weights)
    ACCESS           ·                    ·        × retrieve 1.2           ·
    ASSOCIATION_HIT  ·                    ·        × associationHit 1.1     ·
    SUCCESS          ·                    ·        × taskSuccess 2.0        ·
    FAILURE          ·                    ·        × taskFailure 0.8        ·
    MANUAL           ·                    yes      × manualReview 1.5       ·
    MENTION          ·                    yes      × taskSuccess 2.0        yes
    BOOST            + 0.3                yes      × taskSuccess 2.0        ·
    KEEP             at least 0.5         yes      ·                        ·
    PROMOTE          at least 3.0, core   yes      ·                        ·
    NEGATE           ·                    ·        × taskFailure 0.8        negated

BOOST is "the monitor says it was really used" and MENTION "the partner said it again", so both
carry ebbinghaus's *success* in them, and NEGATE its *failure*: one event, never two for one thing.

Each law is a module of pure functions with the shape of :class:`Law`. Any quantity of any law can
be shown; only the agent's own law decides a memory's fate.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from memory.laws import ebbinghaus, network, tiers, weights
from memory.laws.contract import (
    Fates,
    HealthColour,
    LawContext,
    Quantities,
    allowed_fates,
    elapsed_days,
)
from memory.laws.parameters import EbbinghausParameters, LawParameters, parameters
from memory.model import AgentSettings, Deleted, LawName, Level, Memory, Mode, Nature, Tier, Trace

KEPT_MENTIONS: Final = 32


class Event(StrEnum):
    """What can happen to a memory."""

    ACCESS = "access"
    SUCCESS = "success"
    FAILURE = "failure"
    MANUAL = "manual"
    ASSOCIATION_HIT = "association_hit"
    MENTION = "mention"
    BOOST = "boost"
    KEEP = "keep"
    PROMOTE = "promote"
    NEGATE = "negate"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Effect:
    """One row of the table above."""

    counts: bool = False
    accesses: bool = False
    multiplier: Callable[[EbbinghausParameters], float] | None = None
    mentions: bool = False
    negates: bool = False


_EFFECTS: Final[Mapping[Event, _Effect]] = {
    Event.ACCESS: _Effect(counts=True, multiplier=lambda p: p.retrieve),
    Event.ASSOCIATION_HIT: _Effect(counts=True, multiplier=lambda p: p.association_hit),
    Event.SUCCESS: _Effect(multiplier=lambda p: p.task_success),
    Event.FAILURE: _Effect(multiplier=lambda p: p.task_failure),
    Event.MANUAL: _Effect(counts=True, accesses=True, multiplier=lambda p: p.manual_review),
    Event.MENTION: _Effect(accesses=True, multiplier=lambda p: p.task_success, mentions=True),
    Event.BOOST: _Effect(accesses=True, multiplier=lambda p: p.task_success),
    Event.KEEP: _Effect(accesses=True),
    Event.PROMOTE: _Effect(accesses=True),
    Event.NEGATE: _Effect(multiplier=lambda p: p.task_failure, negates=True),
}


def after_event(memory: Memory, event: Event, now: datetime, settings: AgentSettings) -> Memory:
    """Return the memory as it is once ``event`` happened at ``now``, for all laws at once.

    What an event concerns is settled up to ``now`` first and then anchored there. ``access_count``
    counts how often it was looked at or put into a prompt; ``accessed_at`` is the last access as
    ``tiers`` means it, to which retrieval does not belong.
    """
    effect = _EFFECTS[event]
    chosen = parameters(settings)
    trace = memory.trace
    if effect.counts:
        trace = replace(trace, access_count=trace.access_count + 1)
    if effect.accesses:
        settled = tiers.importance(memory, LawContext(now, ZoneInfo(settings.time_zone)), settings)
        trace = replace(
            trace,
            importance=round(_importance_after(settled, event, chosen), 6),
            importance_at=now,
            accessed_at=now,
        )
    if effect.multiplier:
        trace = _with_reinforcement(trace, effect.multiplier(chosen.ebbinghaus), now, chosen)
    if effect.mentions:
        trace = _with_mention(trace, now, chosen)
    if effect.negates:
        trace = replace(trace, negated_at=now)
    return replace(memory, trace=trace, nature=_nature_after(memory.nature, event))


def crossed_promotion(
    before: Memory, after: Memory, now: datetime, settings: AgentSettings
) -> bool:
    """Whether what happened between the two lifted a fact to the promotion border or over it."""
    border = parameters(settings).tiers.promotion_at
    context = LawContext(now, ZoneInfo(settings.time_zone))
    return after.nature.tier is Tier.FACT and tiers.importance(
        before, context, settings
    ) < border <= tiers.importance(after, context, settings)


def _importance_after(settled: float, event: Event, chosen: LawParameters) -> float:
    if event is Event.BOOST:
        return settled + chosen.tiers.boost
    if event is Event.KEEP:
        return max(settled, chosen.tiers.review_below)
    if event is Event.PROMOTE:
        return max(settled, chosen.tiers.core_importance)
    return settled


def _with_reinforcement(trace: Trace, by: float, now: datetime, chosen: LawParameters) -> Trace:
    """Multiply the stability, begin the curve anew and count it (seed 000 §4.2)."""
    return replace(
        trace,
        stability_hours=min(trace.stability_hours * by, chosen.ebbinghaus.max_stability),
        reinforced_at=now,
        reinforce_count=trace.reinforce_count + 1,
    )


def _with_mention(trace: Trace, now: datetime, chosen: LawParameters) -> Trace:
    """Note the mention; of the earlier ones keep those the law ``weights`` still looks at."""
    window = chosen.weights.recent_window_days
    days = max(window, chosen.weights.frequent_window_hours / 24)
    recent = [m for m in trace.mentions if elapsed_days(m, now) <= days]
    return replace(
        trace,
        activated_at=now,
        mentions=(*recent, now)[-KEPT_MENTIONS:],
        mention_count=trace.mention_count + 1,
    )


def _nature_after(nature: Nature, event: Event) -> Nature:
    if event is Event.PROMOTE and nature.tier is Tier.FACT:
        return replace(nature, tier=Tier.CORE)
    return nature


def new_trace(
    at: datetime, settings: AgentSettings, *, explicit: bool = False, confidence: float = 0.7
) -> Trace:
    """Return the trace of a memory that begins at ``at``; ``explicit`` was asked to be remembered.

    A fact starts at importance 1.0 and stability 24 h, told explicitly at 1.5 and 168 h.
    """
    chosen = parameters(settings)
    return Trace.starting_at(
        at,
        importance=chosen.tiers.explicit_importance if explicit else chosen.tiers.fact_importance,
        stability_hours=(
            chosen.ebbinghaus.manual_stability if explicit else chosen.ebbinghaus.initial_stability
        ),
        confidence=confidence,
    )


class Law(Protocol):
    """What each of the four modules answers about a memory, seen from a vantage."""

    def retention(self, memory: Memory, context: LawContext, settings: AgentSettings) -> float:
        """Return how much is retained, 0 to 1."""

    def is_recallable(self, memory: Memory, context: LawContext, settings: AgentSettings) -> bool:
        """Whether everyday recall may find it as far as this law is concerned."""

    def health_colour(
        self, memory: Memory, context: LawContext, settings: AgentSettings
    ) -> HealthColour:
        """Return its health colour; everything but green is fading."""

    def fates(self, memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
        """Return what should happen to it now; the shared rules still apply."""


_LAWS: Final[Mapping[LawName, Law]] = {
    "tiers": tiers,
    "ebbinghaus": ebbinghaus,
    "weights": weights,
    "network": network,
}


def law_of(settings: AgentSettings) -> Law:
    """Return the law the agent lives under."""
    return _LAWS[settings.law]


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return the retention, 0 to 1, for ranking, health and curves (DESIGN §6.5)."""
    return law_of(settings).retention(memory, context, settings)


def quantities(memory: Memory, context: LawContext, settings: AgentSettings) -> Quantities:
    """Return all four quantities, whatever the agent's law."""
    return Quantities(
        importance=tiers.importance(memory, context, settings),
        strength=ebbinghaus.strength(memory, context, settings),
        weight=weights.weight(memory, context, settings),
        connectedness=context.connectedness,
    )


def is_recallable(
    memory: Memory, context: LawContext, mode: Mode, settings: AgentSettings
) -> bool:
    """Whether a query of that mode may see it (DESIGN §6.5).

    Normal: active, at level full or summary, and strong enough under the law. Review: everything
    not deleted. Debug: everything.
    """
    match mode:
        case Mode.DEBUG:
            return True
        case Mode.REVIEW:
            return not isinstance(memory.standing, Deleted)
        case Mode.NORMAL:
            return (
                memory.is_active
                and memory.words.level >= Level.SUMMARY
                and law_of(settings).is_recallable(memory, context, settings)
            )


def health_colour(memory: Memory, context: LawContext, settings: AgentSettings) -> HealthColour:
    """Return the health colour of a memory under the agent's law."""
    return law_of(settings).health_colour(memory, context, settings)


def is_fading(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:
    """Whether it is fading: strength < 30, W < 0.3, importance < 0.6 or connectedness < 0.3."""
    return health_colour(memory, context, settings) is not HealthColour.GREEN


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
    """Return what the agent's law says and every law allows; most of the time nothing."""
    return allowed_fates(memory, law_of(settings).fates(memory, context, settings))
