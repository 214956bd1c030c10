"""The reasons for which two memories are linked when one of them is new (DESIGN §7)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from memory.model import Link, LinkType, Memory, Tier
from memory.network.index import NetworkIndex, moment
from memory.settings import Language

CO_TURN_STRENGTH: Final = 0.5
SEQUENCE_STRENGTH: Final = 0.5
TEMPORAL_STRENGTH: Final = 0.2
FOCUS_STRENGTH: Final = 1.0

NEIGHBOUR_RELATIONS: Final[Mapping[Language, tuple[str, str]]] = {
    "zh": ("上文", "下文"),
    "en": ("before", "after"),
}
"""What the segment before and the segment after are called (seed 002 §8.1)."""

LinkOffer: TypeAlias = tuple[int, Link]
"""A node and a link it may keep."""


def links_found(memory: Memory, index: NetworkIndex) -> Iterator[Link]:
    """Yield a link to everything that shares keywords, the turn or the day with ``memory``."""
    for other, overlap in index.sharing_keywords(memory):
        yield Link(target=other, strength=overlap, type=LinkType.KEYWORD)
    for other in index.of_same_turn(memory):
        yield Link(target=other, strength=CO_TURN_STRENGTH, type=LinkType.CO_TURN)
    for other in index.near_in_time(memory):
        yield Link(target=other, strength=TEMPORAL_STRENGTH, type=LinkType.TEMPORAL)


def links_by_cosine(cosines: Mapping[int, float]) -> Iterator[Link]:
    """Yield a link to everything near in meaning, as strong as it is near."""
    for other, cosine in cosines.items():
        yield Link(target=other, strength=cosine, type=LinkType.SEMANTIC)


def links_to_focus(relations: Mapping[int, str]) -> Iterator[Link]:
    """Yield a link to every entity in focus, under the name of its relation."""
    for entity, relation in relations.items():
        yield Link(target=entity, strength=FOCUS_STRENGTH, type=LinkType.FOCUS, relation=relation)


def offered_both_ways(source: int, links: Iterable[Link]) -> Iterator[LinkOffer]:
    """Offer every link to both its ends."""
    for link in links:
        yield source, link
        yield link.target, replace(link, target=source)


def neighbour_links(
    memories: Iterable[Memory], language: Language, strength: float
) -> Iterator[LinkOffer]:
    """Link the episodes of each stretch in the order they happened (seed 002 §8.1).

    A stretch is what shares ``origin.turn_id``; it is one turn, or one call of ``remember``.
    """
    before, after = NEIGHBOUR_RELATIONS[language]
    episodes = [memory for memory in memories if memory.nature.tier is Tier.EPISODE]
    episodes.sort(key=lambda memory: (memory.origin.turn_id, *moment(memory)))
    for _, stretch in groupby(episodes, key=lambda memory: memory.origin.turn_id):
        for one, other in pairwise(stretch):
            link = Link(target=other.id, strength=strength, type=LinkType.SEQUENCE, relation=after)
            yield one.id, link
            yield other.id, replace(link, target=one.id, relation=before)
