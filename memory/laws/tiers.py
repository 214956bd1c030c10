"""The law ``tiers`` (source document 003): an unused fact fades after a week, an episode ends.

Importance is stored as of its last event; what it is now follows from the dates alone, so one
night more or fewer changes nothing. Where the document is silent, ``docs/decisions/law-tiers.md``
says what was chosen.
"""

from dataclasses import dataclass, replace
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
    may_compress,
    may_fade,
    number_parameter,
    whole_days,
    whole_parameter,
)
from memory.laws.law import Assessment, Birth, Event, Law, Quantity, Title, firm
from memory.model import Memory, Source, Tier, Trace

FADING_BELOW: Final = 0.6
FULL_IMPORTANCE: Final = 3.0
EPISODE_IMPORTANCE: Final = 1.0
# Calendar days are not all 24 hours long. More than a day and two hours from the border the
# instants alone decide, and the calendar is asked only about the few memories near it.
_SLACK: Final = 26 * HOUR
_EPISODE_ENDS: Final[Fates] = (SoftDelete(),)
_FACT_FADES: Final[Fates] = (AskReview("decay"),)
_FACT_ENDS: Final[Fates] = (AskReview("decay"), SoftDelete())
_UPDATES: Final = frozenset({Event.MANUAL, Event.MENTION})
"""The events that also bring a fact back to what it was worth at birth (003's UPDATE)."""

_ACCESSES: Final = _UPDATES | {Event.BOOST, Event.KEEP, Event.PROMOTE}
"""The events that count as an access. Being put into a prompt does not (source document 003)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiersParameters:
    """Source document 003, decay rules and reviewer; days are days of the agent's calendar."""

    fact_importance: float = number_parameter(
        "fact_importance", 1.0, 0.5, 2.4, "新事实的重要性", "importance of a new fact"
    )
    explicit_importance: float = number_parameter(
        "explicit_importance", 1.5, 0.5, 2.4, "主人说“记住…”的事实", "of a fact told explicitly"
    )
    core_importance: float = number_parameter(
        "core_importance", 3.0, 2.5, 10, "核心，不再衰减", "core: fades no more"
    )
    boost: float = number_parameter(
        "boost", 0.3, 0, 1, "真正被用到时增加", "added when really used"
    )
    told_again: float = number_parameter(
        "told_again", 0.1, 0, 1, "再次说起时增加", "added when told again"
    )
    rest_days: int = whole_parameter(
        "rest_days", 7, 0, 365, "开始衰减前的天数", "days before fading"
    )
    fact_decay: float = number_parameter(
        "fact_decay", 0.95, 0.5, 1, "事实每天乘以", "a fact's factor a day"
    )
    episode_decay: float = number_parameter(
        "episode_decay", 0.8, 0.1, 1, "情境每天乘以", "an episode's factor a day"
    )
    episode_days: int = whole_parameter(
        "episode_days", 14, 1, 3650, "情境保留的天数", "an episode's days"
    )
    promotion_at: float = number_parameter(
        "promotion_at", 2.5, 1, 10, "达到即升级审核", "promotion review from here"
    )
    review_below: float = number_parameter(
        "review_below", 0.5, 0, 2.4, "低于即衰减审核", "decay review below"
    )
    delete_below: float = number_parameter(
        "delete_below",
        0.3,
        0,
        2.4,
        "低于即遗忘（评审之后）",
        "forgotten below, once reviewed",
    )


def importance(memory: Memory, context: LawContext, params: TiersParameters) -> float:
    """Return the importance now: the stored one × factor^n for the n whole days past the rest.

    A fact rests 7 days after its last access, an episode 7 days after it began; then it loses a
    twentieth or a fifth a day (source document 003, decay rules). A fact at core importance keeps
    it.
    """
    if not may_fade(memory):
        return memory.trace.importance
    return _importance_that_fades(memory, context, params)


def _importance_that_fades(memory: Memory, context: LawContext, params: TiersParameters) -> float:
    trace = memory.trace
    start = _rest_start(memory)
    rest = params.rest_days * grace_factor(memory)
    if context.now - start < rest * DAY - _SLACK:
        return trace.importance
    tier_is_fact = memory.nature.tier is Tier.FACT
    if tier_is_fact and trace.importance >= params.core_importance:
        return trace.importance
    days = whole_days(start, context.now, context.zone) - rest
    if trace.importance_at > start:
        # The stored value was settled after the rest began: those days are in it already.
        days -= max(whole_days(start, trace.importance_at, context.zone) - rest, 0)
    factor = params.fact_decay if tier_is_fact else params.episode_decay
    return trace.importance * factor ** max(days, 0)


def _judge(memory: Memory, context: LawContext, params: TiersParameters) -> Assessment:
    if not may_fade(memory):
        return firm(memory.trace.importance)
    now = _importance_that_fades(memory, context, params)
    return Assessment(
        now,
        min(now / FULL_IMPORTANCE, 1.0),
        recallable=True,  # this law fades by deleting: what is there may be found
        colour=_colour(memory, now, params),
        fates=_fates(memory, now, context, params),
    )


def _colour(memory: Memory, importance_now: float, params: TiersParameters) -> HealthColour:
    """Return red where a fact awaits its decay review, green where no law may take it."""
    if not may_compress(memory) or importance_now >= FADING_BELOW:
        return HealthColour.GREEN
    return HealthColour.YELLOW if importance_now >= params.review_below else HealthColour.RED


def _fates(
    memory: Memory, importance_now: float, context: LawContext, params: TiersParameters
) -> Fates:
    """Return the decay review below 0.5, the end of a fact below 0.3 and of an old episode.

    Below 0.3 both are returned; whoever carries out the fates has the review answered first.
    """
    if memory.nature.tier is Tier.EPISODE:
        return _EPISODE_ENDS if _is_over(memory, context, params) else NO_FATES
    if not memory.is_active or importance_now >= params.review_below:
        return NO_FATES
    return _FACT_ENDS if importance_now < params.delete_below else _FACT_FADES


def _rest_start(memory: Memory) -> datetime:
    if memory.nature.tier is Tier.FACT:
        return memory.trace.accessed_at
    lineage = memory.lineage
    return max(filter(None, (memory.trace.created_at, lineage.restored_at, lineage.revived_at)))


def _is_over(memory: Memory, context: LawContext, params: TiersParameters) -> bool:
    """Whether the days of an episode are over, by date alone."""
    days = params.episode_days * grace_factor(memory)
    start = _rest_start(memory)
    passed = context.now - start
    # Far from the border no calendar can change the answer, and asking one is what costs here.
    if abs(passed - days * DAY) > _SLACK:
        return passed > days * DAY
    return whole_days(start, context.now, context.zone) >= days


def _at_birth(trace: Trace, birth: Birth, params: TiersParameters) -> Trace:
    if birth.tier is Tier.EPISODE:
        return replace(trace, importance=EPISODE_IMPORTANCE)
    first = params.explicit_importance if birth.explicit else params.fact_importance
    return replace(trace, importance=first)


def _after_event(
    memory: Memory, event: Event, context: LawContext, params: TiersParameters
) -> Trace:
    """Settle the importance up to now, change it, and begin the rest anew."""
    if event not in _ACCESSES:
        return memory.trace
    settled = importance(memory, context, params)
    if event in _UPDATES and memory.nature.tier is Tier.FACT:
        settled = max(settled, _importance_at_birth(memory, params))
    changed = _importance_after(settled, event, memory.nature.tier, params)
    return replace(
        memory.trace,
        importance=round(changed, 6),
        importance_at=context.now,
        accessed_at=context.now,
    )


def _importance_at_birth(memory: Memory, params: TiersParameters) -> float:
    explicit = memory.origin.source is Source.USER
    return params.explicit_importance if explicit else params.fact_importance


def _importance_after(settled: float, event: Event, tier: Tier, params: TiersParameters) -> float:
    if event is Event.BOOST or (event is Event.MANUAL and tier is Tier.FACT):
        return settled + params.boost
    if event is Event.MENTION and tier is Tier.FACT:
        return settled + params.told_again
    if event is Event.KEEP:
        return max(settled, params.review_below)
    if event is Event.PROMOTE:
        return max(settled, params.core_importance)
    return settled


def _asks_promotion(
    old: Memory, new: Memory, context: LawContext, params: TiersParameters
) -> bool:
    """Whether a fact reached the promotion border; one that was above it is not asked again."""
    if new.nature.tier is not Tier.FACT:
        return False
    before, after = (importance(memory, context, params) for memory in (old, new))
    return before < params.promotion_at <= after


LAW: Final = Law(
    name="tiers",
    title=Title("三层（tiers）", "three tiers (tiers)"),
    also=("三层",),
    quantity=Quantity(
        key="importance",
        title=Title("重要性", "importance"),
        full=FULL_IMPORTANCE,
        format="{:g}".format,
    ),
    parameters=TiersParameters,
    ordered=(("delete_below", "review_below"), ("promotion_at", "core_importance")),
    judge=_judge,
    at_birth=_at_birth,
    after_event=_after_event,
    asks_promotion=_asks_promotion,
    asks_reviews=True,
    spares_sensitive=True,
)
