"""Spreading activation: how one memory brings up another (source document 000 §5.3)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from memory.model import Link

LinksOf: TypeAlias = Callable[[int], Iterable[Link]]
"""Returns the outgoing links of a node that may be followed."""

# What equals the floor on paper may be a little less in floating point, and would be cut.
ROUNDING: Final = 1e-12
"""How far a product may fall below the floor by rounding alone and still count as equal."""


@dataclass(frozen=True, slots=True)
class Activated:
    """A memory that was brought up from a seed, a memory that matched the query itself.

    ``path`` is the strongest way to it: the seed first, the memory itself last.
    """

    memory_id: int
    activation: float
    path: tuple[int, ...]

    @property
    def depth(self) -> int:
        """The number of links between the seed and the memory; 0 for a seed."""
        return len(self.path) - 1


def spread(
    seeds: Mapping[int, float],
    links_of: LinksOf,
    *,
    depth: int = 2,
    factor: float = 0.5,
    floor: float = 0.1,
    limit: int = 5,
) -> list[Activated]:
    """Return the at most ``limit`` memories that ``seeds`` bring up, strongest first, ties by id.

    ``seeds`` maps a memory to its activation: its relevance divided by the best one's, 0 to 1.
    A link passes on activation × strength × ``factor``, over at most ``depth`` links. What falls
    below ``floor`` goes no further; what equals it does. A memory reached in several ways keeps
    the strongest (then the shortest, then the one of the lowest ids). Seeds pass activation on,
    also to one another, but are not among the results. Raises ValueError for a ``factor`` that is
    not above 0 and at most 1.
    """
    # 0.5 is source document 000 §11.2, its first design had 0.7. Above 1 activation could grow
    # along a path, and cycles would not end by themselves.
    if not 0.0 < factor <= 1.0:
        raise ValueError(f"a factor of {factor!r} is outside 0 to 1")
    best = {node: Activated(node, activation, (node,)) for node, activation in seeds.items()}
    frontier = dict(best)
    for _ in range(depth):
        frontier = _next_frontier(frontier, best, links_of, factor, floor - ROUNDING)
        best |= frontier
    found = sorted(
        (each for each in best.values() if each.memory_id not in seeds),
        key=lambda each: (-each.activation, each.memory_id),
    )
    return found[:limit]


def _next_frontier(
    frontier: Mapping[int, Activated],
    best: Mapping[int, Activated],
    links_of: LinksOf,
    factor: float,
    floor: float,
) -> dict[int, Activated]:
    """Return what lies one link further and is reached more strongly than ever before."""
    reached: dict[int, Activated] = {}
    for source in frontier.values():
        passed_on = source.activation * factor
        # No strength is above 1, so none of its links can reach the floor.
        if passed_on < floor:
            continue
        for link in links_of(source.memory_id):
            activation = passed_on * link.strength
            if activation < floor:
                continue
            known = best.get(link.target)
            if known is not None and known.activation >= activation:
                continue
            rival = reached.get(link.target)
            if rival is None or (-activation, source.path) < (-rival.activation, rival.path[:-1]):
                reached[link.target] = Activated(
                    link.target, activation, (*source.path, link.target)
                )
    return reached
