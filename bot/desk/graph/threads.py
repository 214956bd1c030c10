"""The curves of the links: bent so that they pass by the labels that are none of theirs."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import Final, TypeAlias

from bot.desk.graph.layout import Box, Places
from bot.desk.graph.picture import Line, Picture

Point: TypeAlias = tuple[float, float]

BENDS: Final = (0.1, -0.1, 0.24, -0.24, 0.42, -0.42)
"""How far a curve may bulge, in shares of its length; the first that is free is taken."""

STEPS: Final = 24


@dataclass(frozen=True, slots=True)
class Thread:
    """One link as a quadratic curve between the middles of its two labels."""

    line: Line
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

    def free(self) -> tuple[float, Point]:
        """Return how long the part outside both labels is, and its middle."""
        points = [
            point
            for point in map(self.at, (n / STEPS for n in range(STEPS + 1)))
            if not contains(self.one, point) and not contains(self.other, point)
        ]
        if not points:
            return 0.0, self.at(0.5)
        (begin_x, begin_y), (end_x, end_y) = points[0], points[-1]
        return hypot(end_x - begin_x, end_y - begin_y), points[len(points) // 2]


def threads(picture: Picture, places: Places) -> Iterator[Thread]:
    """Yield the thread of every line, those that cross first, so that they lie at the bottom."""
    for line in sorted(picture.lines, key=lambda each: (not each.crossing, each.strength)):
        yield min(_ways(line, places), key=lambda thread: _covered(thread, places))


def contains(box: Box, point: Point, margin: float = 0.0) -> bool:
    """Whether a point lies on a label, or nearer to it than ``margin``."""
    return (
        abs(point[0] - box.x) <= box.width / 2 + margin
        and abs(point[1] - box.y) <= box.height / 2 + margin
    )


def _ways(line: Line, places: Places) -> Iterator[Thread]:
    one, other = places[line.source], places[line.target]
    for bulge in BENDS:
        x = (one.x + other.x) / 2 - (other.y - one.y) * bulge * 2
        y = (one.y + other.y) / 2 + (other.x - one.x) * bulge * 2
        yield Thread(line, one, other, (x, y))


def _covered(thread: Thread, places: Places) -> int:
    """Return how much of a thread lies under labels of others."""
    others = [box for box in places.values() if box is not thread.one and box is not thread.other]
    points = map(thread.at, (n / STEPS for n in range(STEPS + 1)))
    return sum(1 for point in points if any(contains(box, point, 8.0) for box in others))
