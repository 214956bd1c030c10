"""The law ``tiers`` (seed 003): a fact fades after seven days without use, an episode ends.

Importance is stored as of its last event; what it is now follows from the dates alone, so a night
more or less changes nothing. All functions are pure.
"""

from datetime import datetime
from typing import Final

from memory.laws.contract import (
    DAY,
    HOUR,
    NO_FATES,
    AskReview,
    Fates,
    HealthColour,
    LawContext,
    SoftDelete,
    grace_factor,
    may_fade,
    whole_days,
)
from memory.laws.parameters import TiersParameters, parameters
from memory.model import AgentSettings, Memory, Tier

FADING_BELOW: Final = 0.6
FULL_IMPORTANCE: Final = 3.0
_SLACK: Final = 26 * HOUR
_EPISODE_ENDS: Final[Fates] = (SoftDelete(),)
_FACT_FADES: Final[Fates] = (AskReview("decay"),)
_FACT_ENDS: Final[Fates] = (AskReview("decay"), SoftDelete())


def importance(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return the settled importance: anchor × factor^n for the n whole days past the rest.

    A fact rests 7 days after its last access, an episode 7 days after it began; then 0.95 and 0.8
    a day (seed 003, decay rules). What happened between two events is counted once, whatever the
    events: the days already settled at ``importance_at`` are left out.
    """
    trace = memory.trace
    if not may_fade(memory):
        return trace.importance
    params = parameters(settings).tiers
    start = _rest_start(memory)
    rest = params.rest_days * grace_factor(memory)
    if context.now - start < rest * DAY - _SLACK:
        return trace.importance
    tier_is_fact = memory.nature.tier is Tier.FACT
    if tier_is_fact and trace.importance >= params.core_importance:
        return trace.importance
    days = whole_days(start, context.now, context.zone) - rest
    if trace.importance_at > start:
        days -= max(whole_days(start, trace.importance_at, context.zone) - rest, 0)
    factor = params.fact_decay if tier_is_fact else params.episode_decay
    return trace.importance * factor ** max(days, 0)


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:
    """Return min(importance / 3, 1), and 1 for what does not fade."""
    if not may_fade(memory):
        return 1.0
    return min(importance(memory, context, settings) / FULL_IMPORTANCE, 1.0)


def is_recallable(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:  # noqa: ARG001
    """Whether everyday recall may find it: always, this law fades by deleting."""
    return True


def health_colour(memory: Memory, context: LawContext, settings: AgentSettings) -> HealthColour:
    """Return yellow below 0.6, red where a fact awaits its decay review; core is green."""
    if not may_fade(memory):
        return HealthColour.GREEN
    now = importance(memory, context, settings)
    if now >= FADING_BELOW:
        return HealthColour.GREEN
    return (
        HealthColour.YELLOW if now >= parameters(settings).tiers.review_below else HealthColour.RED
    )


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:
    """Return the decay review below 0.5, the end of a fact below 0.3 and of an old episode.

    Below 0.3 both are said: whether the review must be answered first depends on there being a
    reviewer, which the manager knows.
    """
    if not may_fade(memory):
        return NO_FATES
    params = parameters(settings).tiers
    if memory.nature.tier is Tier.EPISODE:
        return _EPISODE_ENDS if _is_over(memory, context, params) else NO_FATES
    if not memory.is_active:
        return NO_FATES
    now = importance(memory, context, settings)
    if now >= params.review_below:
        return NO_FATES
    return _FACT_ENDS if now < params.delete_below else _FACT_FADES


def _rest_start(memory: Memory) -> datetime:
    if memory.nature.tier is Tier.FACT:
        return memory.trace.accessed_at
    return memory.lineage.restored_at or memory.trace.created_at


def _is_over(memory: Memory, context: LawContext, params: TiersParameters) -> bool:
    """Whether the days of an episode are over, by date alone."""
    days = params.episode_days * grace_factor(memory)
    start = _rest_start(memory)
    if context.now - start < days * DAY - _SLACK:
        return False
    return whole_days(start, context.now, context.zone) >= days
