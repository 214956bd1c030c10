"""The focus: the few entities being talked about (source document 002 §8).

Focus comes from remembering, never from recalling. Links of type ``focus`` whose target is in
focus are locked: they count as 1 and do not decay. Once out of focus they go on from the strength
they had.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memory.model import Link, LinkType, Memory, Nature, Origin, Source, Tier, Trace, Words
from memory.network.index import NetworkIndex, normalised_name

FOCUS_LIMIT: Final = 5
"""``focus_limit`` of source document 002 §1."""


@dataclass(frozen=True, slots=True)
class NamedEntities:
    """The entities of some names.

    ``ids`` maps each name, as it was given, to its entity; ``new`` are those that had to be made.
    """

    ids: Mapping[str, int]
    new: tuple[Memory, ...]


def named_entities(
    names: Sequence[str], index: NetworkIndex, *, first_id: int, at: datetime
) -> NamedEntities:
    """Return the entities of ``names``; those that are missing are made, from ``first_id`` on.

    Spellings that differ only in width, case or blanks are one name; an empty name is ignored.
    """
    ids: dict[str, int] = {}
    made: dict[str, Memory] = {}
    for name in names:
        plain = normalised_name(name)
        if not plain:
            continue
        known = index.entity(plain)
        if known is None and plain not in made:
            made[plain] = _new_entity(first_id + len(made), name.strip(), at)
        ids[name] = made[plain].id if known is None else known
    return NamedEntities(ids, tuple(made.values()))


def focus_after(
    focus: Sequence[int], mentioned: Sequence[int], limit: int = FOCUS_LIMIT
) -> tuple[int, ...]:
    """Return the focus after entities were ``mentioned``, both least recent first.

    Beyond ``limit``, the entity whose last mention is longest ago leaves (LRU, source document
    002 §8.4).
    """
    latest_first = dict.fromkeys((*reversed(mentioned), *reversed(focus)))
    return tuple(reversed(list(latest_first)[:limit]))


def is_locked(link: Link, focus: Sequence[int]) -> bool:
    """Whether the link leads to an entity in focus and so does not decay."""
    return link.type is LinkType.FOCUS and link.target in focus


def effective_strength(link: Link, focus: Sequence[int]) -> float:
    """Return the strength that counts: 1 for a locked link, its own otherwise."""
    return 1.0 if is_locked(link, focus) else link.strength


def _new_entity(memory_id: int, name: str, at: datetime) -> Memory:
    return Memory(
        id=memory_id,
        words=Words(text=name, phrase=name),
        nature=Nature(tier=Tier.ENTITY),
        trace=Trace.starting_at(at),
        origin=Origin(source=Source.BACKGROUND, at=at),
    )
