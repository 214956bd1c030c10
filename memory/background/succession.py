"""Handing the links of old memories on to the one that takes their place."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.changes import Links, Put
from memory.model import Link, LinkType, Memory
from memory.state import MAX_LINKS, MemoryState

SUCCESSION_STRENGTH: Final = 0.5
"""The strength of the link to what a memory replaced, or was taken from."""


def inherited_links(old: Sequence[int], new_id: int, state: MemoryState) -> list[Put]:
    """Return the links that pass to ``new_id``: those the old ones had, and those to them."""
    own: dict[int, Link] = {
        each: Link(target=each, strength=SUCCESSION_STRENGTH, type=LinkType.SEMANTIC)
        for each in old
    }
    puts: list[Put] = []
    for source in old:
        for link in state.links_of(source):
            if link.target not in {*old, new_id}:
                own[link.target] = max(own.get(link.target, link), link, key=_strength)
    for target in own.keys() - set(old):
        back = [e for e in state.links_of(target) if e.target in old]
        if back:
            strongest = replace(max(back, key=_strength), target=new_id)
            rest = [e for e in state.links_of(target) if e not in back and e.target != new_id]
            puts.append(Put(Links(source=target, links=_strongest([*rest, strongest]))))
    return [*puts, Put(Links(source=new_id, links=_strongest(own.values())))]


def links_to_episodes(
    memory: Memory, episodes: Mapping[str, int], state: MemoryState
) -> list[Put]:
    """Return the links, both ways, between a fact and the episodes it was taken from."""
    wanted = {episodes[each] for each in memory.source_ids if each in episodes}
    puts: list[Put] = []
    for source, target in [p for e in wanted for p in ((memory.id, e), (e, memory.id))]:
        known = {link.target: link for link in state.links_of(source)}
        if target not in known or known[target].strength < SUCCESSION_STRENGTH:
            known[target] = Link(
                target=target, strength=SUCCESSION_STRENGTH, type=LinkType.CO_TURN
            )
            state, _ = state.apply([Put(Links(source=source, links=_strongest(known.values())))])
            puts.append(Put(state.links[source]))
    return puts


def _strongest(links: Iterable[Link]) -> tuple[Link, ...]:
    return tuple(sorted(links, key=lambda e: (-e.strength, e.target))[:MAX_LINKS])


def _strength(link: Link) -> float:
    return link.strength
