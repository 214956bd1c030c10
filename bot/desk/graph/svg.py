"""How the picture of the network looks: an SVG that is legible in a chat, and the same as a PNG.

The curve of :mod:`bot.desk.pictures` is drawn on the same canvas.
"""

import re
from datetime import datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from bot.desk.graph.layout import (
    BOTTOM,
    HEIGHT,
    WIDTH,
    Box,
    EdgeCurve,
    GraphNode,
    GraphPicture,
    NodeKind,
    Places,
    contains,
    edge_curves,
    node_places,
    units,
    wrapped,
)
from bot.desk.graph.surroundings import Shows, surroundings
from bot.texts import Sentence, desk, say
from memory.model import Language
from memory.network.index import NetworkIndex
from memory.network.walk import is_everyday
from memory.state import MemoryState

PAPER_COLOUR: Final = "#FBF8F3"

INK_COLOUR: Final = "#3D3833"

SOFT_COLOUR: Final = "#8C847A"

EDGE_COLOUR: Final = "#B7A99A"

# The first fonts with Chinese on macOS, Linux and Windows, emoji, and what most machines have.
# Where none of the names is known, the renderer draws no letter at all: DejaVu Sans always is.
FONTS: Final = (
    "'PingFang SC','Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei','WenQuanYi Micro Hei',"
    "'Noto Color Emoji','DejaVu Sans','Liberation Sans','Noto Sans','Arial','Helvetica',sans-serif"
)

LATIN_FONT: Final = Path(__file__).with_name("fonts") / "latin.ttf"

CHINESE_FONTS: Final = "paperang_p2_fonts_cjk"
"""The package that brings WenQuanYi Micro Hei; nothing of it is imported."""

SMALL: Final = 23

PALE: Final = "0.55"


class Paint(NamedTuple):
    """The colours of one kind of node."""

    fill: str
    edge: str
    text: str


PAINTS: Final = {
    NodeKind.NOW: Paint("#4A4440", "#4A4440", "#FFFFFF"),
    NodeKind.SYSTEM: Paint("#ECE8E2", "#978E83", "#514A43"),
    NodeKind.CORE: Paint("#FFEBC8", "#E39A2D", "#6B430C"),
    NodeKind.FACT: Paint("#D6EFEA", "#33A091", "#12504A"),
    NodeKind.EPISODE: Paint("#E4E7FB", "#7281DB", "#2F3A80"),
    NodeKind.ENTITY: Paint("#FFE0E3", "#E0697B", "#7F2637"),
    NodeKind.LOST: Paint("#FBF8F3", "#B7ADA1", "#8C847A"),
}

KIND_NAMES: Final[dict[NodeKind, Sentence]] = {
    NodeKind.SYSTEM: desk.SYSTEM,
    NodeKind.CORE: desk.CORE,
    NodeKind.FACT: desk.FACT,
    NodeKind.EPISODE: desk.EPISODE,
    NodeKind.ENTITY: desk.ENTITY,
    NodeKind.LOST: desk.GRAPH_ONCE_KNOWN,
}

# ElementTree writes these characters as they are, and no XML parser reads them again.
_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def picture_svg(picture: GraphPicture, language: Language) -> str:
    """Return the picture as SVG: tiers by colour, strength by width, what is forgotten dashed."""
    places = node_places(picture)
    svg = svg_canvas(picture.title, WIDTH, HEIGHT)
    title = "".join(wrapped(picture.title, 24.0, 1))
    _draw_text(
        svg, title, WIDTH / 2, 84, {"font-size": "46", "fill": INK_COLOUR, "font-weight": "600"}
    )
    if not picture.nodes:
        _draw_text(
            svg, say(language, desk.GRAPH_EMPTY), WIDTH / 2, HEIGHT / 2, {"fill": SOFT_COLOUR}
        )
    # In SVG what is drawn later lies on top: first the edges, then their names, then the nodes.
    curves = list(edge_curves(picture, places))
    kinds = {node.key: node.kind for node in picture.nodes}
    for curve in curves:
        _draw_edge(svg, curve, PAINTS[kinds[curve.edge.target]].edge)
    for curve in curves:
        _draw_relation(svg, curve, places)
    for node in picture.nodes:
        _draw_node(svg, node, places[node.key], middle=node is picture.nodes[0])
    _draw_legend(svg, picture, language)
    return tostring(svg, encoding="unicode")


def svg_canvas(title: str, width: int, height: int) -> Element:
    """Return an SVG of that size in pixels, with a title and the ground to draw on."""
    size = {"width": str(width), "height": str(height)}
    namespace = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    svg = Element("svg", {**namespace, **size, "font-family": FONTS})
    SubElement(svg, "title").text = _printable(title)
    SubElement(svg, "rect", {**size, "fill": PAPER_COLOUR})
    return svg


def _draw_edge(svg: Element, curve: EdgeCurve, colour: str) -> None:
    """Draw a link as wide as it is strong, in the colour of the node it leads to."""
    edge, (x, y) = curve.edge, curve.bend
    style = {
        "d": f"M{curve.one.x:.1f} {curve.one.y:.1f}Q{x:.1f} {y:.1f} "
        f"{curve.other.x:.1f} {curve.other.y:.1f}",
        "fill": "none",
        "stroke": EDGE_COLOUR if edge.crossing else colour,
        "stroke-width": f"{1.5 + (4.5 if edge.crossing else 7.5) * edge.strength:.1f}",
        "stroke-opacity": "0.5" if edge.crossing else "0.62",
        "stroke-linecap": "round",
    }
    if edge.lost:
        style["stroke-dasharray"] = "2 14"
    SubElement(svg, "path", style)


def _draw_relation(svg: Element, curve: EdgeCurve, places: Places) -> None:
    """Write the name of a relation on the free part of its curve, unless a label is in the way."""
    length, (x, y) = curve.free_part()
    text = "".join(wrapped(curve.edge.relation, 6.0, 1))
    half = units(text) * SMALL / 2
    ends = [(x - half, y), (x, y), (x + half, y)]
    hidden = any(contains(box, end, SMALL / 2) for box in places.values() for end in ends)
    if not text or curve.edge.crossing or hidden or length < 2 * SMALL:
        return
    halo = {"stroke": PAPER_COLOUR, "stroke-width": "9", "stroke-linejoin": "round"}
    style = {"font-size": str(SMALL), "fill": SOFT_COLOUR, "paint-order": "stroke"}
    _draw_text(svg, text, x, y + SMALL * 0.36, style | halo)


def _draw_node(svg: Element, node: GraphNode, box: Box, *, middle: bool) -> None:
    """Draw a label in its box, paler if the memory is fading."""
    paint = PAINTS[node.kind]
    # An opaque box first: the node itself may be pale, and no edge should shine through it.
    _draw_box(svg, box, node, {"fill": PAPER_COLOUR})
    group = SubElement(svg, "g", {"opacity": PALE} if node.fading else {})
    style = {"fill": paint.fill, "stroke": paint.edge, "stroke-width": "5" if middle else "2.5"}
    if node.kind is NodeKind.LOST:
        style["stroke-dasharray"] = "9 7"
    _draw_box(group, box, node, style)
    weight = "600" if middle or node.kind is NodeKind.ENTITY else "400"
    top = box.y - (len(box.lines) - 1) * 0.64 * box.size + 0.36 * box.size
    for number, line in enumerate(box.lines):
        look = {"font-size": str(box.size), "fill": paint.text, "font-weight": weight}
        _draw_text(group, line, box.x, top + number * 1.28 * box.size, look)


def _draw_box(parent: Element, box: Box, node: GraphNode, style: dict[str, str]) -> None:
    """Draw the box of a label: names have round ends, memories have rounded corners."""
    is_round = node.kind in {NodeKind.ENTITY, NodeKind.NOW}
    place = {
        "x": f"{box.x - box.width / 2:.1f}",
        "y": f"{box.y - box.height / 2:.1f}",
        "width": f"{box.width:.1f}",
        "height": f"{box.height:.1f}",
        "rx": f"{box.height / 2 if is_round else 20:.1f}",
    }
    SubElement(parent, "rect", place | style)


def _draw_legend(svg: Element, picture: GraphPicture, language: Language) -> None:
    """Write at the foot what colours, paleness and width mean, as far as they occur."""
    present = {node.kind for node in picture.nodes}
    keys: list[tuple[NodeKind | None, Sentence]] = [
        entry for entry in KIND_NAMES.items() if entry[0] in present
    ]
    if any(node.fading for node in picture.nodes):
        keys.append((None, desk.FADING))
    x, y = 40.0, HEIGHT - BOTTOM / 2
    for kind, sentence in keys:
        paint = PAINTS[kind or NodeKind.FACT]
        style = {"fill": paint.fill, "stroke": paint.edge, "stroke-width": "2"}
        if kind is NodeKind.LOST:
            style["stroke-dasharray"] = "5 4"
        if kind is None:
            style["opacity"] = PALE
        place = {"x": f"{x:.1f}", "y": f"{y - 13:.1f}", "width": "38", "height": "26", "rx": "8"}
        SubElement(svg, "rect", place | style)
        word = say(language, sentence)
        _draw_text(svg, word, x + 50, y + 9, {"fill": SOFT_COLOUR, "text-anchor": "start"})
        x += 84 + units(word) * 26
    if picture.edges:
        end = {"fill": SOFT_COLOUR, "text-anchor": "end"}
        _draw_text(svg, say(language, desk.GRAPH_STRONGER), WIDTH - 40, y + 9, end)


def _draw_text(parent: Element, text: str, x: float, y: float, style: dict[str, str]) -> None:
    draw_text(parent, text, x, y, {"text-anchor": "middle"} | style)


def draw_text(parent: Element, text: str, x: float, y: float, style: dict[str, str]) -> None:
    """Write a text at a point, 26 pixels high unless the style says otherwise."""
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": "26"}
    SubElement(parent, "text", place | style).text = _printable(text)


def _printable(text: str) -> str:
    """Return a text without the characters that XML may not hold."""
    return _UNPRINTABLE.sub("", text)


def draw_network(
    state: MemoryState,
    centre: int | None,
    now: datetime,
    *,
    index: NetworkIndex | None = None,
    shows: Shows = is_everyday,
) -> str:
    """Return an SVG of what is linked to the memory ``centre``, or to the focus if it is None.

    ``shows`` decides which memories may be seen. ``index`` is the index of ``state``; without it
    one is built. Raises :class:`UnknownMemory` if the agent has no memory ``centre``.
    """
    picture = surroundings(state, centre, now, index=index, shows=shows)
    return picture_svg(picture, state.agent_info.settings.language)


def to_png(svg: str, *, system_fonts: bool = True) -> bytes:
    """Return an SVG as a PNG, for chats that show no SVG.

    The text is drawn with the fonts of the machine, unless ``system_fonts`` is False, and with
    those of :func:`_own_fonts`.
    """
    import resvg_py  # noqa: PLC0415 - a native library that only a picture needs

    own = [str(path) for path in _own_fonts()]
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, font_files=own, skip_system_fonts=not system_fonts)
    )


@cache
def _own_fonts() -> tuple[Path, ...]:
    """Return the fonts that are there on every machine.

    They hold Latin letters; Chinese ones as well where the extra ``fonts`` is installed.
    """
    chinese = find_spec(CHINESE_FONTS)
    folders = (Path(each) for each in (chinese and chinese.submodule_search_locations) or ())
    found = (path for folder in folders for path in sorted(folder.glob("fonts/*.tt[cf]")))
    return (LATIN_FONT, *found)


_IN_NO_FONT: Final = "\U0010fffd"


def shows_letters(letter: str, *, system_fonts: bool = True) -> bool:
    """Return whether pictures on this machine have ink of its own where that letter stands.

    A letter that no font has is drawn as nothing, or as the same box as every such letter.
    """
    drawn, nothing, box = (
        _drawn(each, system_fonts=system_fonts) for each in (letter, "", _IN_NO_FONT)
    )
    return drawn not in {nothing, box}


def _drawn(letter: str, *, system_fonts: bool) -> bytes:
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "width": "64", "height": "64"})
    draw_text(svg, letter, 8, 48, {"fill": INK_COLOUR, "font-family": FONTS})
    return to_png(tostring(svg, "unicode"), system_fonts=system_fonts)
