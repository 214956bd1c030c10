"""How a memory fades is a law, chosen per agent (DESIGN §6): this is the door to all four.

Each law is a module of pure functions with the shape of :class:`Law`. Any quantity of any law can
be shown; only the agent's own law decides a memory's fate.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from memory.laws import ebbinghaus, network, tiers, weights
from memory.laws.events import Event, after_event, crossed_promotion, newborn
from memory.laws.fates import Band, Fates, permitted
from memory.laws.vantage import Quantities, Vantage
from memory.model import Deleted, Level, Memory, Mode
from memory.settings import AgentSettings, LawName

__all__ = [
    "Event",
    "Law",
    "Quantities",
    "Vantage",
    "after_event",
    "band",
    "crossed_promotion",
    "fading",
    "fates",
    "law_of",
    "newborn",
    "quantities",
    "recallable",
    "retention",
]


class Law(Protocol):
    """What each of the four modules answers about a memory, seen from a vantage."""

    def retention(self, memory: Memory, vantage: Vantage, settings: AgentSettings) -> float:
        """Return how much is retained, 0 to 1."""

    def recalls(self, memory: Memory, vantage: Vantage, settings: AgentSettings) -> bool:
        """Whether everyday recall may find it as far as this law is concerned."""

    def band(self, memory: Memory, vantage: Vantage, settings: AgentSettings) -> Band:
        """Return its health colour; everything but green is fading."""

    def fates(self, memory: Memory, vantage: Vantage, settings: AgentSettings) -> Fates:
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


def retention(memory: Memory, vantage: Vantage, settings: AgentSettings) -> float:
    """Return the retention, 0 to 1, for ranking, health and curves (DESIGN §6.5)."""
    return law_of(settings).retention(memory, vantage, settings)


def quantities(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Quantities:
    """Return all four quantities, whatever the agent's law."""
    return Quantities(
        importance=tiers.importance(memory, vantage, settings),
        strength=ebbinghaus.strength(memory, vantage, settings),
        weight=weights.weight(memory, vantage, settings),
        connectedness=vantage.connectedness,
    )


def recallable(memory: Memory, vantage: Vantage, mode: Mode, settings: AgentSettings) -> bool:
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
                and law_of(settings).recalls(memory, vantage, settings)
            )


def band(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Band:
    """Return the health colour of a memory under the agent's law."""
    return law_of(settings).band(memory, vantage, settings)


def fading(memory: Memory, vantage: Vantage, settings: AgentSettings) -> bool:
    """Whether it is fading: strength < 30, W < 0.3, importance < 0.6 or connectedness < 0.3."""
    return band(memory, vantage, settings) is not Band.GREEN


def fates(memory: Memory, vantage: Vantage, settings: AgentSettings) -> Fates:
    """Return what the agent's law says and every law allows; most of the time nothing."""
    return permitted(memory, law_of(settings).fates(memory, vantage, settings))
