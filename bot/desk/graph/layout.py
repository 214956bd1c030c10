"""What a picture of the network is made of, and where everything on it is placed.

The layout is our own, because labels have to be kept apart here, not points: force layouts
(networkx spring and ForceAtlas2 were tried, 19 MB and 0.12 s to import) know no labels and put
Chinese text on top of Chinese text. The nodes stand around the middle as on a mind map, each in
the sector of its parent and as near to its ideal place as there is room. Nothing is random: the
same network gives the same picture.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import accumulate
from math import cos, hypot, pi, sin
from typing import Final, TypeAlias
from unicodedata import east_asian_width

FOCUS_KEY: Final = 0
"""The key of the middle node when the picture is about the focus and not about a memory."""


class NodeKind(Enum):
    """What a node is, which decides how it looks; ``LOST`` is something forgotten."""

    NOW = "now"
    SYSTEM = "system"
    CORE = "core"
    FACT = "fact"
    EPISODE = "episode"
    ENTITY = "entity"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """One memory, name or forgotten thing.

    ``parent`` is the node it was reached from; the middle has none. What is ``fading`` under the
    agent's law is drawn paler.
    """

    key: int
    label: str
    kind: NodeKind
    parent: int | None = None
    fading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """One link, drawn once for both directions; ``strength`` is 0 to 1.

    A ``crossing`` link joins two nodes that were both reached by other links.
    """

    source: int
    target: int
    strength: float
    relation: str = ""
    lost: bool = False
    crossing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPicture:
    """The nodes in the order in which they were reached, the middle one first, and the links."""

    title: str
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()

    def children(self, key: int) -> tuple[GraphNode, ...]:
        """Return the nodes that were reached from that one, in order."""
        return tuple(node for node in self.nodes if node.parent == key)


WIDTH: Final = 1280

HEIGHT: Final = 1400

TOP: Final = 130

BOTTOM: Final = 110
"""The picture in pixels; the title stands above TOP, the legend in the last BOTTOM."""

# A telephone 390 points wide shows the picture at less than a third: 33 pixels are 10 there.
SIZES: Final = (33, 29, 25, 21)
"""The heights of the letters, in pixels; the first at which all labels have room is taken."""

MIDDLE_SCALE: Final = 1.2
"""How much larger the letters of the middle node are."""

LINE_UNITS: Final = 8.0
"""How wide a line of a label is, in widths of a Chinese character."""

LINES: Final = 2

LONG_LINES: Final = 3
"""How many lines a label has that does not fit into two."""

# No line begins with one of these, as Chinese typesetting wants it.
CLOSING: Final = "，。！？、；：”’）】》…,.!?;:)"

# The widths are estimates, because no font is loaded here: the platform that shows the picture
# chooses the font. Only letters far from the average are told apart.
SLIM: Final = frozenset("iljtfr.,:;'!|()[] ")

BROAD: Final = frozenset("mw—…%@")

# Half axes in pixels: the picture is higher than wide, so the rings are ellipses.
RINGS: Final = ((0.0, 0.0), (335.0, 300.0), (500.0, 530.0))

GAP: Final = 20.0

MARGIN: Final = 26.0

STEP: Final = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """The place of a label in pixels: its middle, its size, and the lines of its text."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    size: int


Point: TypeAlias = tuple[float, float]

Places: TypeAlias = Mapping[int, Box]


def node_places(picture: GraphPicture) -> Places:
    """Return a box for every node of the picture, no two of them overlapping."""
    places: dict[int, Box] = {}
    for size in SIZES:
        places = _without_overlap(_ideal_places(picture, size))
        if len(places) == len(picture.nodes):
            break
    return places


def units(text: str) -> float:
    """Return how wide a text is, in widths of a Chinese character."""
    return sum(_letter_units(letter) for letter in text)


def _letter_units(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter in SLIM:
        return 0.34
    return 0.74 if letter.isupper() or letter in BROAD else 0.56


def wrapped(text: str, width: float = LINE_UNITS, lines: int = LINES) -> tuple[str, ...]:
    """Return a text in at most ``lines`` lines of at most ``width``.

    Lines break after a comma if possible, else they are about equally long. What does not fit is
    cut off and ends in "…".
    """
    plain = " ".join(text.split())
    if units(plain) <= width:
        return (plain,)
    # Every width from half the text to a full line is tried, in half units: the narrowest that
    # holds the text gives lines of about equal length.
    whole = []
    for half_units in range(int(units(plain) / lines * 2), int(width * 2) + 1):
        found, rest = _filled_lines(plain, half_units / 2, lines)
        if not rest:
            whole.append(found)
    if whole:
        return next((e for e in whole if all(line[-1] in CLOSING for line in e[:-1])), whole[0])
    found, _ = _filled_lines(plain, width, lines)
    return (*found[:-1], _fitting_prefix(found[-1], width - 1.0).rstrip() + "…")


def _filled_lines(text: str, width: float, lines: int) -> tuple[tuple[str, ...], str]:
    """Return the first ``lines`` lines of a text, and what is left of it."""
    found: list[str] = []
    while text and len(found) < lines:
        line = _fitting_prefix(text, width)
        found.append(line.strip())
        text = text[len(line) :].lstrip()
    return tuple(found), text


def _fitting_prefix(text: str, width: float) -> str:
    """Return the part of a text that fits into one line.

    No word is broken and no line begins with a comma, unless a word is longer than a whole line.
    """
    end, used = 0, 0.0
    while end < len(text) and used + units(text[end]) <= width:
        used += units(text[end])
        end += 1
    if end < len(text) and text[end - 1 : end + 1].isascii() and " " in text[:end]:
        end = text.rindex(" ", 0, end) + 1
    while 1 < end < len(text) and text[end] in CLOSING:
        end -= 1
    return text[: max(end, 1)]


def _ideal_places(picture: GraphPicture, size: int) -> Mapping[int, Box]:
    """Return each box where it would be if the others took no room, in the order of the nodes."""
    boxes: dict[int, Box] = {}

    def place(node: GraphNode, begin: float, end: float, ring: int) -> None:
        """Put a node into the middle of its sector, and its children into shares of the sector."""
        across, down = RINGS[ring]
        x = WIDTH / 2 + across * cos((begin + end) / 2)
        y = (TOP + HEIGHT - BOTTOM) / 2 + down * sin((begin + end) / 2)
        boxes[node.key] = _box(node, x, y, size if ring else round(size * MIDDLE_SCALE))
        children = picture.children(node.key)
        # A child with children of its own needs more of the circle.
        shares = [1.0 + 0.9 * len(picture.children(child.key)) for child in children]
        bounds = [begin + (end - begin) * part / sum(shares) for part in accumulate(shares)]
        for child, left, right in zip(children, [begin, *bounds], bounds, strict=False):
            place(child, left, right, ring + 1)

    if picture.nodes:
        place(picture.nodes[0], -pi, pi, 0)
    return {node.key: boxes[node.key] for node in picture.nodes}


def _box(node: GraphNode, x: float, y: float, size: int) -> Box:
    lines = wrapped(node.label)
    if lines and lines[-1].endswith("…"):
        lines = wrapped(node.label, lines=LONG_LINES)
    height = max(len(lines), 1) * 1.28 * size + 0.85 * size
    width = max(max(map(units, lines), default=1.0) * size + 1.5 * size, 1.4 * height)
    return Box(x=x, y=y, width=width, height=height, lines=lines, size=size)


def _without_overlap(boxes: Mapping[int, Box]) -> dict[int, Box]:
    """Return each box as near to its place as the boxes before it allow; some may find no room."""
    placed: dict[int, Box] = {}
    for key, box in boxes.items():
        spots = sorted(
            _candidate_spots(box), key=lambda spot: hypot(spot[0] - box.x, spot[1] - box.y)
        )
        for spot in spots:
            if not any(_is_too_near(box, spot, other) for other in placed.values()):
                placed[key] = replace(box, x=spot[0], y=spot[1])
                break
    return placed


def _candidate_spots(box: Box) -> Iterator[Point]:
    """Yield the points where a box may be placed: its own place, and the points of a grid."""
    left, right = MARGIN + box.width / 2, WIDTH - MARGIN - box.width / 2
    top, bottom = TOP + box.height / 2, HEIGHT - BOTTOM - box.height / 2
    if left <= box.x <= right and top <= box.y <= bottom:
        yield (box.x, box.y)
    for across in range(int((right - left) / STEP) + 1):
        for down in range(int((bottom - top) / STEP) + 1):
            yield (left + across * STEP, top + down * STEP)


def _is_too_near(box: Box, spot: Point, other: Box) -> bool:
    """Return whether a box at that spot would be too near to the other."""
    return (
        abs(spot[0] - other.x) < (box.width + other.width) / 2 + GAP
        and abs(spot[1] - other.y) < (box.height + other.height) / 2 + GAP
    )


BULGES: Final = (0.1, -0.1, 0.24, -0.24, 0.42, -0.42)
"""How far a curve may bulge, in shares of its length; the first one that covers least is taken."""

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
        # A quadratic Bézier curve in its explicit form.
        here, middle, there = (1 - share) ** 2, 2 * (1 - share) * share, share**2
        return (
            here * self.one.x + middle * self.bend[0] + there * self.other.x,
            here * self.one.y + middle * self.bend[1] + there * self.other.y,
        )

    def free_part(self) -> tuple[float, Point]:
        """Return the length in pixels of the part outside both labels, and the middle of it."""
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
    """Yield the curve of every link; crossing ones come first, so that they lie at the bottom."""
    for edge in sorted(picture.edges, key=lambda each: (not each.crossing, each.strength)):
        yield min(_possible_curves(edge, places), key=lambda curve: _covered_points(curve, places))


def contains(box: Box, point: Point, margin: float = 0.0) -> bool:
    """Return whether a point lies on a label, or nearer to it than ``margin`` pixels."""
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
    """Return how many points of a curve lie under the labels of other nodes."""
    others = [box for box in places.values() if box is not curve.one and box is not curve.other]
    points = map(curve.at, (n / CURVE_STEPS for n in range(CURVE_STEPS + 1)))
    return sum(1 for point in points if any(contains(box, point, 8.0) for box in others))
