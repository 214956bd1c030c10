"""Which links of a node come first, and which are kept when there are too many (DESIGN §7)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Final, TypeAlias

from memory.model import Link, LinkType
from memory.network.index import Moment
from memory.state import MAX_LINKS

PRECEDENCE: Final = {
    LinkType.FOCUS: 0,
    LinkType.SEQUENCE: 1,
    LinkType.SEMANTIC: 2,
    LinkType.KEYWORD: 3,
    LinkType.CO_TURN: 4,
    LinkType.TEMPORAL: 5,
}
"""Of two equally strong reasons to be linked, which one is told."""

MomentOf: TypeAlias = Callable[[int], Moment | None]
"""Tells when a node began; None for one that is gone."""

Rank: TypeAlias = tuple[float, int, timedelta, bool, int]


def stronger(one: Link, other: Link) -> Link:
    """Return the one link that stands for both: the stronger, named by either."""
    first = (-one.strength, PRECEDENCE[one.type]) <= (-other.strength, PRECEDENCE[other.type])
    best, rest = (one, other) if first else (other, one)
    return best if best.relation or not rest.relation else replace(best, relation=rest.relation)


def strongest_links(source: int, links: Iterable[Link], moment_of: MomentOf) -> tuple[Link, ...]:
    """Return the 32 strongest links of ``source``, strongest first (see :func:`rank`)."""
    ranked = sorted(links, key=lambda link: link_rank(source, link, moment_of))
    return tuple(ranked[:MAX_LINKS])


def link_rank(source: int, link: Link, moment_of: MomentOf) -> Rank:
    """Return the sort key of a link of ``source``: smaller comes first, no two are equal.

    Strength decides, then the type. Equal ones of one type go by id, the elder memory first: a
    full list is then not rewritten by every newcomer. Two types know better: the nearest in time
    is the better temporal link, and of all that hangs on a name what has a named relation to it
    is kept, then the newest.
    """
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
