"""The words of our own as people and as programs read them."""

from collections.abc import Mapping
from typing import Final, TypeVar

from bot.desk.documents import Colour, Term
from bot.texts import Sentence, desk, say
from memory.laws.fates import HealthColour
from memory.laws.law import Event
from memory.manager.health import standing_name
from memory.model import Kind, Level, Memory, Sensitivity, Tier, Topic
from memory.settings import Language, LawName

T = TypeVar("T")

TIERS: Final[Mapping[Tier, Sentence]] = {
    Tier.SYSTEM: desk.SYSTEM,
    Tier.CORE: desk.CORE,
    Tier.FACT: desk.FACT,
    Tier.EPISODE: desk.EPISODE,
    Tier.ENTITY: desk.ENTITY,
}
KINDS: Final[Mapping[Kind, Sentence]] = {
    Kind.IDENTITY: desk.IDENTITY,
    Kind.LASTING_PREFERENCE: desk.LASTING_PREFERENCE,
    Kind.PASSING_PREFERENCE: desk.PASSING_PREFERENCE,
    Kind.FACT: desk.PLAIN_FACT,
    Kind.SKILL: desk.SKILL,
    Kind.LESSON: desk.LESSON,
    Kind.TEMPORARY: desk.TEMPORARY,
}
TOPICS: Final[Mapping[Topic, Sentence]] = {
    Topic.PREFERENCE: desk.PREFERENCE,
    Topic.PERSONAL: desk.PERSONAL,
    Topic.MEMORY: desk.REMEMBERED,
    Topic.PROMISE: desk.PROMISE,
}
LEVELS: Final[Mapping[Level, Sentence]] = {
    Level.FULL: desk.FULL,
    Level.SUMMARY: desk.SUMMARY,
    Level.TAG: desk.TAG,
    Level.TRACE: desk.TRACE,
}
STANDINGS: Final[Mapping[str, Sentence]] = {
    "active": desk.ACTIVE,
    "archived": desk.ARCHIVED,
    "deleted": desk.DELETED,
    "merged": desk.MERGED,
}
SENSITIVITIES: Final[Mapping[Sensitivity, Sentence]] = {
    Sensitivity.PUBLIC: desk.PUBLIC,
    Sensitivity.ORDINARY: desk.ORDINARY,
    Sensitivity.SENSITIVE: desk.SENSITIVE,
    Sensitivity.SECRET: desk.SECRET,
}
LAWS: Final[Mapping[LawName, Sentence]] = {
    "tiers": desk.LAW_TIERS,
    "ebbinghaus": desk.LAW_EBBINGHAUS,
    "weights": desk.LAW_WEIGHTS,
    "network": desk.LAW_NETWORK,
}
BANDS: Final[Mapping[HealthColour, Sentence]] = {
    HealthColour.GREEN: desk.FIRM,
    HealthColour.YELLOW: desk.FADING,
    HealthColour.RED: desk.ALMOST_GONE,
}
COLOURS: Final[Mapping[HealthColour, Colour]] = {
    HealthColour.GREEN: Colour.GREEN,
    HealthColour.YELLOW: Colour.YELLOW,
    HealthColour.RED: Colour.RED,
}
EVENTS: Final[Mapping[Event, Sentence]] = {
    Event.MANUAL: desk.EVENT_MANUAL,
    Event.SUCCESS: desk.EVENT_SUCCESS,
    Event.FAILURE: desk.EVENT_FAILURE,
    Event.ACCESS: desk.EVENT_ACCESS,
}


def term(language: Language, names: Mapping[T, Sentence], value: T) -> Term:
    """Return one of our words for people in their language, and for programs as it is."""
    plain = value.name.lower() if isinstance(value, Level) else _plain(value)
    return Term(say(language, names[value]), plain)


def standing_term(language: Language, memory: Memory) -> Term:
    """Return the word for a memory's standing."""
    return term(language, STANDINGS, standing_name(memory.standing))


def yes_or_no(language: Language, *, so: bool) -> Term:
    """Return yes or no."""
    return Term(say(language, desk.YES if so else desk.NO), "yes" if so else "no")


def kilobytes(size: int) -> str:
    """Return how large a file of so many bytes is; what is not empty is not nothing.

    >>> kilobytes(3), kilobytes(1536)
    ('0.1 KB', '1.5 KB')
    """
    return f"{max(size / 1024, 0.1):.1f} KB"


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))
