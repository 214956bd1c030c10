"""Spreading activation: one thing brings up another (DESIGN §7, seed 000 §5.3)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from memory.model import Link

LinksOf: TypeAlias = Callable[[int], Iterable[Link]]
"""Gives the outgoing links of a node; which targets may be followed is its decision."""

ROUNDING: Final = 1e-12
"""By how much floating-point rounding may leave a product below the floor it equals."""


@dataclass(frozen=True, slots=True)
class Activated:
    """A memory that a seed brought up.

    ``path`` is the strongest way to it: the seed first, the memory itself last.
    """

    memory_id: int
    activation: float
    path: tuple[int, ...]

    @property
    def depth(self) -> int:
        """How many links lie between the seed and the memory; a seed itself has depth 0."""
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
    """Return the at most ``limit`` memories the ``seeds`` bring up, strongest first, ties by id.

    ``seeds`` maps a memory to its activation: its relevance divided by the best one's, 0 to 1.
    A link passes on activation × strength × ``factor`` (seed 000 §11.2: 0.5; its first design:
    0.7), over at most ``depth`` links, so activation never grows along a path and cycles end by
    themselves. What falls below ``floor`` goes no further; what equals it does. A memory reached
    in several ways keeps the strongest (then the shortest, then the one of the lowest ids). Seeds
    pass activation on, also to one another, but are not among the results.
    """
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
