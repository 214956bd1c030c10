"""Which memories are linked, why, and which links a node keeps.

Links arise when memories are made, when vectors arrive, and from use. They are mutual and written
on both sides. Each side keeps its own 32, so a link may outlast its counterpart. Only active
memories get new links. The strengths are decided in docs/decisions/association.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import groupby, pairwise, permutations
from typing import Final, NamedTuple, TypeAlias

from memory.changes import Links, Put
from memory.laws import network
from memory.model import Deleted, Language, Link, LinkType, Memory, Merged, Tier
from memory.network.index import Moment, NetworkIndex, effective_strength, moment
from memory.state import MAX_LINKS, MemoryState

PRECEDENCE: Final = {
    LinkType.FOCUS: 0,
    LinkType.SEQUENCE: 1,
    LinkType.SEMANTIC: 2,
    LinkType.KEYWORD: 3,
    LinkType.CO_TURN: 4,
    LinkType.TEMPORAL: 5,
}
"""Which of two equally strong reasons for a link is kept: the lower number."""

MomentOf: TypeAlias = Callable[[int], Moment | None]
"""Returns when a node began; None for one that is gone."""

Rank: TypeAlias = tuple[float, int, timedelta, bool, int]


def stronger(one: Link, other: Link) -> Link:
    """Return one link in place of both: the stronger, with the relation of either."""
    first = (-one.strength, PRECEDENCE[one.type]) <= (-other.strength, PRECEDENCE[other.type])
    best, rest = (one, other) if first else (other, one)
    return best if best.relation or not rest.relation else replace(best, relation=rest.relation)


def strongest_links(source: int, links: Iterable[Link], moment_of: MomentOf) -> tuple[Link, ...]:
    """Return the 32 strongest links of ``source``, strongest first (see :func:`link_rank`)."""
    ranked = sorted(links, key=lambda link: link_rank(source, link, moment_of))
    return tuple(ranked[:MAX_LINKS])


def link_rank(source: int, link: Link, moment_of: MomentOf) -> Rank:
    """Return the sort key of a link of ``source``: smaller comes first, no two are equal.

    Strength decides, then the type, then the id, the older memory first. Temporal links go by
    nearness in time, focus links by having a named relation, then the newest first.
    """
    # The older first, so that a full list of equals is not rewritten by every newcomer.
    strength, kind = -link.strength, PRECEDENCE[link.type]
    if link.type is LinkType.FOCUS:
        return (strength, kind, timedelta(), not link.relation, -link.target)
    if link.type is LinkType.TEMPORAL:
        here, there = moment_of(source), moment_of(link.target)
        if here is None or there is None:
            return (strength, kind, timedelta.max, False, link.target)
        later = there > here
        apart = abs(there[0] - here[0])
        return (strength, kind, apart, later, link.target if later else -link.target)
    return (strength, kind, timedelta(), False, link.target)


CO_TURN_STRENGTH: Final = 0.5

SEQUENCE_STRENGTH: Final = 0.5

TEMPORAL_STRENGTH: Final = 0.2

LEAST_MENTION: Final = 0.2
"""The strength of a link to a name that is spoken of in passing."""


class SpokenOf(NamedTuple):
    """That a memory speaks of an entity: as what, and in which ``share`` of its lines, 0 to 1."""

    relation: str = ""
    share: float = 1.0


NEIGHBOUR_RELATIONS: Final[Mapping[Language, tuple[str, str]]] = {
    "zh": ("上文", "下文"),
    "en": ("before", "after"),
}
"""The relations to the segment before and the segment after (source document 002 §8.1)."""

LinkOffer: TypeAlias = tuple[int, Link]
"""A node and a link it may keep."""


def links_found(memory: Memory, index: NetworkIndex) -> Iterator[Link]:
    """Yield a link to each memory that shares keywords, the turn or the day with ``memory``."""
    for other, overlap in index.sharing_keywords(memory):
        yield Link(target=other, strength=overlap, type=LinkType.KEYWORD)
    for other in index.of_same_turn(memory):
        yield Link(target=other, strength=CO_TURN_STRENGTH, type=LinkType.CO_TURN)
    for other in index.near_in_time(memory):
        yield Link(target=other, strength=TEMPORAL_STRENGTH, type=LinkType.TEMPORAL)


def links_by_cosine(cosines: Mapping[int, float]) -> Iterator[Link]:
    """Yield a link to each memory near in meaning, with the cosine as its strength."""
    for other, cosine in cosines.items():
        yield Link(target=other, strength=cosine, type=LinkType.SEMANTIC)


def links_to_focus(mentions: Mapping[int, SpokenOf]) -> Iterator[Link]:
    """Yield a link to every entity that is spoken of, as strong as it is spoken of much."""
    for entity, (relation, share) in mentions.items():
        strength = max(share, LEAST_MENTION)
        yield Link(target=entity, strength=strength, type=LinkType.FOCUS, relation=relation)


def offered_both_ways(source: int, links: Iterable[Link]) -> Iterator[LinkOffer]:
    """Offer every link to both its ends."""
    for link in links:
        yield source, link
        # Not replace(), which takes three times as long: this is most of what linking costs.
        yield (
            link.target,
            Link(target=source, strength=link.strength, type=link.type, relation=link.relation),
        )


def neighbour_links(
    memories: Iterable[Memory], language: Language, strength: float
) -> Iterator[LinkOffer]:
    """Link the episodes of each stretch in the order they happened (source document 002 §8.1).

    A stretch is the memories with one ``origin.turn_id``: of one turn, or one ``remember``.
    """
    before, after = NEIGHBOUR_RELATIONS[language]
    episodes = [memory for memory in memories if memory.nature.tier is Tier.EPISODE]
    episodes.sort(key=lambda memory: (memory.origin.turn_id, *moment(memory)))
    for _, stretch in groupby(episodes, key=lambda memory: memory.origin.turn_id):
        for one, other in pairwise(stretch):
            link = Link(target=other.id, strength=strength, type=LinkType.SEQUENCE, relation=after)
            yield one.id, link
            yield other.id, replace(link, target=one.id, relation=before)


TOGETHER_GAIN: Final = 0.05
"""What the links between memories used in one prompt gain."""

USEFUL_GAIN: Final = 0.1
"""What a link gains when the memory it brought turned out useful."""

UNLINKED_CONNECTEDNESS: Final = 0.5
"""The connectedness of a node that never had a link, which says nothing about its worth."""

Cosines: TypeAlias = Mapping[int, Mapping[int, float]]
"""For each memory, the others near in meaning and their cosines, 0 to 1."""

Mentions: TypeAlias = Mapping[int, Mapping[int, SpokenOf]]
"""For each memory, the entities in focus that it speaks of."""


def links_for(
    new: Sequence[Memory],
    state: MemoryState,
    *,
    index: NetworkIndex | None = None,
    focus: Mentions | None = None,
    cosines: Cosines | None = None,
    sequence: float = SEQUENCE_STRENGTH,
) -> list[Put]:
    """Return the links of memories made together, and their counterparts.

    ``index`` is the index of ``state``; without it one is built. ``focus`` names for each new
    memory the entities in focus that it speaks of. Episodes of one stretch that follow one
    another are linked with the strength ``sequence`` (``link_initial_strength`` of source document
    002). Existing links are kept, so asking again only adds.
    """
    index = index or NetworkIndex.build(state)
    active = [m for m in new if m.is_active and m.nature.tier is not Tier.ENTITY]
    together = NetworkIndex.of(active)
    offers = list(neighbour_links(active, state.agent_info.settings.language, sequence))
    for memory in active:
        for known in (index, together):
            offers += offered_both_ways(memory.id, links_found(memory, known))
        offers += offered_both_ways(memory.id, links_by_cosine((cosines or {}).get(memory.id, {})))
        offers += offered_both_ways(memory.id, links_to_focus((focus or {}).get(memory.id, {})))
    return _changed_links(_offers_by_source(offers), state, {memory.id: memory for memory in new})


def links_by_meaning(near: Cosines, state: MemoryState) -> list[Put]:
    """Return the links between memories near in meaning, both ways; existing ones are kept.

    To be asked once, when the vectors of a memory arrive: asking again would renew links that
    have decayed.
    """
    offers = [
        offer
        for memory_id, others in near.items()
        if is_alive(memory_id, state)
        for offer in offered_both_ways(
            memory_id, links_by_cosine({o: c for o, c in others.items() if is_alive(o, state)})
        )
    ]
    return _changed_links(_offers_by_source(offers), state, {})


def missing_links(
    state: MemoryState,
    *,
    index: NetworkIndex | None = None,
    cosines: Cosines | None = None,
    sequence: float = SEQUENCE_STRENGTH,
) -> list[Put]:
    """Return the links that are missing, or weaker than when they were new, as changes.

    Links that follow from the memories themselves are derived again, as if each had just been
    created. Links that only the moment could give (focus, use, a stretch without a turn) are kept
    as they are. ``cosines`` holds an entry for each memory that has any.
    """
    index = index or NetworkIndex.build(state)
    of_turns = (memory for memory in map(state.memory, index.memory_ids) if memory.origin.turn_id)
    offered = _offers_by_source(
        neighbour_links(of_turns, state.agent_info.settings.language, sequence)
    )
    puts: list[Put] = []
    for memory in map(state.memory, index.memory_ids):
        links = [*links_found(memory, index), *links_by_cosine((cosines or {}).get(memory.id, {}))]
        links += offered.get(memory.id, {}).values()
        puts += _changed_links(_offers_by_source((memory.id, link) for link in links), state, {})
    return puts


def links_used_together(ids: Sequence[int], state: MemoryState) -> list[Put]:
    """Return the links after memories were used together: each pair +0.05 both ways.

    A missing link is created with that strength; no link grows beyond 1.
    """
    alive = sorted({each for each in ids if is_alive(each, state)})
    return _strengthened_links(permutations(alive, 2), TOGETHER_GAIN, state)


def useful_link(seed_id: int, found_id: int, state: MemoryState) -> list[Put]:
    """Return the links after ``seed_id`` brought up ``found_id`` and it helped: +0.1."""
    alive = is_alive(seed_id, state) and is_alive(found_id, state)
    return _strengthened_links(
        [(seed_id, found_id)] if alive and seed_id != found_id else [], USEFUL_GAIN, state
    )


def connectedness(memory_id: int, state: MemoryState) -> float:
    """Return the sum of the strengths of a node's links to nodes that are still there.

    For a node that never had a link see :func:`unlinked_connectedness`; 0 for one whose links all
    broke. It is the 重要性 of source document 002, where the word "importance" means something
    else elsewhere.
    """
    record = state.links.get(memory_id)
    if record is None:
        memory = state.memories.get(memory_id)
        scans = 0 if memory is None else memory.trace.scan_count
        return unlinked_connectedness(scans, state.rules.parameters_of(network.LAW).decay_rate)
    focus = state.agent_info.focus
    return sum(
        effective_strength(link, focus) for link in record.links if is_alive(link.target, state)
    )


def unlinked_connectedness(scans: int, decay_rate: float) -> float:
    """Return how connected a node counts that never had a link: 0.5, less with every scan."""
    return float(UNLINKED_CONNECTEDNESS * decay_rate**scans)


def is_alive(memory_id: int, state: MemoryState) -> bool:
    """Whether a node can be linked to: not purged, deleted or merged into another."""
    memory = state.memories.get(memory_id)
    return memory is not None and not isinstance(memory.standing, Deleted | Merged)


def _offers_by_source(offers: Iterable[LinkOffer]) -> dict[int, dict[int, Link]]:
    """Return the links each node is offered: for each pair the strongest."""
    offered: dict[int, dict[int, Link]] = {}
    for source, link in offers:
        links = offered.setdefault(source, {})
        known = links.get(link.target)
        links[link.target] = stronger(link, known) if known else link
    return offered


def _changed_links(
    offered: Mapping[int, Mapping[int, Link]], state: MemoryState, new: Mapping[int, Memory]
) -> list[Put]:
    """Return the link lists that change when each node keeps the best of old and new."""
    moment_of = _moments(state, new)
    puts: list[Put] = []
    for source in sorted(offered):
        links = _best_links(source, offered[source], state.links_of(source), moment_of)
        if links != state.links_of(source):
            puts.append(Put(Links(source=source, links=links)))
    return puts


def _best_links(
    source: int,
    offered: Mapping[int, Link],
    standing: Sequence[Link],
    moment_of: MomentOf,
) -> tuple[Link, ...]:
    """Return the links of ``source`` after the offers; ``standing``, if no offer is taken."""
    # The usual case of a large memory: a full list that no offer enters is not sorted again.
    if len(standing) == MAX_LINKS and offered.keys().isdisjoint(e.target for e in standing):
        weakest = standing[-1].strength
        rivals = [link for link in offered.values() if link.strength >= weakest]
        if not rivals or _all_rank_lower(source, rivals, standing, moment_of):
            return tuple(standing)
    links = dict(offered)
    for link in standing:
        known = offered.get(link.target)
        links[link.target] = stronger(link, known) if known else link
    return strongest_links(source, links.values(), moment_of)


def _all_rank_lower(
    source: int, rivals: Iterable[Link], standing: Sequence[Link], moment_of: MomentOf
) -> bool:
    """Whether every offered link ranks below the last of the weakest existing ones."""
    weakest = [link for link in standing if link.strength == standing[-1].strength]
    last = max(link_rank(source, link, moment_of) for link in weakest)
    return all(link_rank(source, link, moment_of) > last for link in rivals)


def _strengthened_links(
    pairs: Iterable[tuple[int, int]], gain: float, state: MemoryState
) -> list[Put]:
    """Return the link lists after the link from each source to its target grew by ``gain``."""
    lists: dict[int, dict[int, Link]] = {}
    for source, target in pairs:
        links = lists.setdefault(source, {e.target: e for e in state.links_of(source)})
        link = links.get(target) or Link(target=target, strength=0.0, type=LinkType.CO_TURN)
        links[target] = Link(
            target=target,
            strength=min(1.0, link.strength + gain),
            type=link.type,
            relation=link.relation,
        )
    moment_of = _moments(state, {})
    learnt = ((s, strongest_links(s, links.values(), moment_of)) for s, links in lists.items())
    return [Put(Links(source=s, links=links)) for s, links in learnt if links != state.links_of(s)]


def _moments(state: MemoryState, new: Mapping[int, Memory]) -> MomentOf:
    """Return the function that tells when a node of the state, or a new one, began."""

    def moment_of(node: int) -> Moment | None:
        memory = new.get(node) or state.memories.get(node)
        return moment(memory) if memory else None

    return moment_of
