"""How a memory fades is a law, chosen per agent (DESIGN §6): this is the door to all four.

Each law is a module of pure functions with the shape of :class:`Law`. Any quantity of any law can
be shown; only the agent's own law decides a memory's fate.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from memory.laws import ebbinghaus, network, tiers, weights
from memory.laws.events import Event, after_event, crossed_promotion, new_trace
from memory.laws.fates import HealthColour, Fates, allowed_fates
from memory.laws.vantage import Quantities, LawContext
from memory.model import Deleted, Level, Memory, Mode
from memory.settings import AgentSettings, LawName

__all__ = [
    "Event",
    "Law",
    "Quantities",
    "LawContext",
    "after_event",
    "health_colour",
    "crossed_promotion",
    "is_fading",
    "fates",
    "law_of",
    "new_trace",
    "quantities",
    "is_recallable",
    "retention",
]


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
