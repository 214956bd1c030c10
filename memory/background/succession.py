"""Handing the links of old memories on to the one that takes their place."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from memory.changes import Links, Put
from memory.model import Link, LinkType
from memory.state import MAX_LINKS, MemoryState

SUCCESSION: Final = 0.5
"""The strength of the link from a new version to the one it replaced."""


def inherited(old: Sequence[int], new_id: int, state: MemoryState) -> list[Put]:
    """Return the links that pass to ``new_id``: those the old ones had, and those to them."""
    own: dict[int, Link] = {
        each: Link(target=each, strength=SUCCESSION, type=LinkType.SEMANTIC) for each in old
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


def _strongest(links: Iterable[Link]) -> tuple[Link, ...]:
    return tuple(sorted(links, key=lambda e: (-e.strength, e.target))[:MAX_LINKS])


def _strength(link: Link) -> float:
    return link.strength
