"""The curves of the links: bent so that they pass by the labels that are none of theirs."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import Final, TypeAlias

from bot.desk.graph.layout import Box, Places
from bot.desk.graph.picture import GraphEdge, GraphPicture

Point: TypeAlias = tuple[float, float]

BULGES: Final = (0.1, -0.1, 0.24, -0.24, 0.42, -0.42)
"""How far a curve may bulge, in shares of its length; the first that is free is taken."""

CURVE_STEPS: Final = 24


@dataclass(frozen=True, slots=True)
class EdgeCurve:
    """One link as a quadratic curve between the middles of its two labels."""

    edge: GraphEdge
    one: Box
    other: Box
    bend: Point

    def at(self, share: float) -> Point:
        """Return the point after that share of the curve, 0 to 1."""
        here, middle, there = (1 - share) ** 2, 2 * (1 - share) * share, share**2
        return (
            here * self.one.x + middle * self.bend[0] + there * self.other.x,
            here * self.one.y + middle * self.bend[1] + there * self.other.y,
        )

    def free_part(self) -> tuple[float, Point]:
        """Return how long the part outside both labels is, and its middle."""
        points = [
            point
            for point in map(self.at, (n / CURVE_STEPS for n in range(CURVE_STEPS + 1)))
            if not contains(self.one, point) and not contains(self.other, point)
        ]
        if not points:
            return 0.0, self.at(0.5)
        (begin_x, begin_y), (end_x, end_y) = points[0], points[-1]
        return hypot(end_x - begin_x, end_y - begin_y), points[len(points) // 2]


def edge_curves(picture: GraphPicture, places: Places) -> Iterator[EdgeCurve]:
    """Yield the thread of every line, those that cross first, so that they lie at the bottom."""
    for line in sorted(picture.edges, key=lambda each: (not each.crossing, each.strength)):
        yield min(
            _possible_curves(line, places), key=lambda thread: _covered_points(thread, places)
        )


def contains(box: Box, point: Point, margin: float = 0.0) -> bool:
    """Whether a point lies on a label, or nearer to it than ``margin``."""
    return (
        abs(point[0] - box.x) <= box.width / 2 + margin
        and abs(point[1] - box.y) <= box.height / 2 + margin
    )


def _possible_curves(edge: GraphEdge, places: Places) -> Iterator[EdgeCurve]:
    one, other = places[edge.source], places[edge.target]
    for bulge in BULGES:
        x = (one.x + other.x) / 2 - (other.y - one.y) * bulge * 2
        y = (one.y + other.y) / 2 + (other.x - one.x) * bulge * 2
        yield EdgeCurve(edge, one, other, (x, y))


def _covered_points(curve: EdgeCurve, places: Places) -> int:
    """Return how much of a thread lies under labels of others."""
    others = [box for box in places.values() if box is not curve.one and box is not curve.other]
    points = map(curve.at, (n / CURVE_STEPS for n in range(CURVE_STEPS + 1)))
    return sum(1 for point in points if any(contains(box, point, 8.0) for box in others))
