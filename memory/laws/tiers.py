"""The law ``tiers`` (seed 003): a fact fades after seven days without use, an episode ends.

Importance is stored as of its last event; what it is now follows from the dates alone, so a night
more or less changes nothing. All functions are pure.
"""

from datetime import datetime
from typing import Final

from memory.laws.fates import KEPT, AskReview, Band, Delete, Fates, ruled, waiting
from memory.laws.parameters import TiersParameters, parameters
from memory.laws.vantage import DAY, HOUR, Vantage, whole_days
from memory.model import Memory, Tier
from memory.settings import AgentSettings

FADING_BELOW: Final = 0.6
FULL_IMPORTANCE: Final = 3.0
_SLACK: Final = 26 * HOUR
_ENDED: Final[Fates] = (Delete(),)
_FADED: Final[Fates] = (AskReview("decay"),)
_GONE: Final[Fates] = (AskReview("decay"), Delete())


def importance(memory: Memory, vantage: Vantage, settings: AgentSettings) -> float:
    """Return the settled importance: anchor × factor^n for the n whole days past the rest.

    A fact rests 7 days after its last access, an episode 7 days after it began; then 0.95 and 0.8
    a day (seed 003, decay rules). What happened between two events is counted once, whatever the
    events: the days already settled at ``importance_at`` are left out.
    """
    trace = memory.trace
    if not ruled(memory):
        return trace.importance
    params = parameters(settings).tiers
    start = _rest_begins(memory)
    rest = params.rest_days * waiting(memory)
    if vantage.now - start < rest * DAY - _SLACK:
        return trace.importance
    tier_is_fact = memory.nature.tier is Tier.FACT
    if tier_is_fact and trace.importance >= params.core_importance:
        return trace.importance
    days = whole_days(start, vantage.now, vantage.zone) - rest
    if trace.importance_at > start:
        days -= max(whole_days(start, trace.importance_at, vantage.zone) - rest, 0)
    factor = params.fact_decay if tier_is_fact else params.episode_decay
    return trace.importance * factor ** max(days, 0)


def retention(memory: Memory, vantage: Vantage, settings: AgentSettings) -> float:
    """Return min(importance / 3, 1), and 1 for what does not fade."""
    if not ruled(memory):
        return 1.0
    return min(importance(memory, vantage, settings) / FULL_IMPORTANCE, 1.0)


def recalls(memory: Memory, vantage: Vantage, settings: AgentSettings) -> bool:  # noqa: ARG001
    """Whether everyday recall may find it: always, this law fades by deleting."""
    return True


def band(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Band:
    """Return yellow below 0.6, red where a fact awaits its decay review; core is green."""
    if not ruled(memory):
        return Band.GREEN
    now = importance(memory, vantage, settings)
    if now >= FADING_BELOW:
        return Band.GREEN
    return Band.YELLOW if now >= parameters(settings).tiers.review_below else Band.RED


def fates(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Fates:
    """Return the decay review below 0.5, the end of a fact below 0.3 and of an old episode.

    Below 0.3 both are said: whether the review must be answered first depends on there being a
    reviewer, which the manager knows.
    """
    if not ruled(memory):
        return KEPT
    params = parameters(settings).tiers
    if memory.nature.tier is Tier.EPISODE:
        return _ENDED if _ended(memory, vantage, params) else KEPT
    if not memory.is_active:
        return KEPT
    now = importance(memory, vantage, settings)
    if now >= params.review_below:
        return KEPT
    return _GONE if now < params.delete_below else _FADED


def _rest_begins(memory: Memory) -> datetime:
    if memory.nature.tier is Tier.FACT:
        return memory.trace.accessed_at
    return memory.lineage.restored_at or memory.trace.created_at


def _ended(memory: Memory, vantage: Vantage, params: TiersParameters) -> bool:
    """Whether the days of an episode are over, by date alone."""
    days = params.episode_days * waiting(memory)
    start = _rest_begins(memory)
    if vantage.now - start < days * DAY - _SLACK:
        return False
    return whole_days(start, vantage.now, vantage.zone) >= days
