"""How the picture looks: an SVG, legible at the size of a chat, and as a PNG."""

import re
from datetime import datetime
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

FONTS: Final = (
    "'PingFang SC','Noto Sans CJK SC','Noto Sans SC','Microsoft YaHei','WenQuanYi Micro Hei',"
    "'Noto Color Emoji',sans-serif"
)

SMALL: Final = 23

PALE: Final = "0.55"


class Paint(NamedTuple):
    """The colours of one kind of dot."""

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

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def picture_svg(picture: GraphPicture, language: Language) -> str:
    """Return the picture as SVG: tiers by colour, strength by width, what is lost dashed."""
    places = node_places(picture)
    svg = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "width": str(WIDTH),
            "height": str(HEIGHT),
            "font-family": FONTS,
        },
    )
    SubElement(svg, "title").text = _printable(picture.title)
    SubElement(svg, "rect", {"width": str(WIDTH), "height": str(HEIGHT), "fill": PAPER_COLOUR})
    title = "".join(wrapped(picture.title, 24.0, 1))
    _draw_text(
        svg, title, WIDTH / 2, 84, {"font-size": "46", "fill": INK_COLOUR, "font-weight": "600"}
    )
    if not picture.nodes:
        _draw_text(
            svg, say(language, desk.GRAPH_EMPTY), WIDTH / 2, HEIGHT / 2, {"fill": SOFT_COLOUR}
        )
    woven = list(edge_curves(picture, places))
    looks = {dot.key: dot.kind for dot in picture.nodes}
    for thread in woven:
        _draw_edge(svg, thread, PAINTS[looks[thread.edge.target]].edge)
    for thread in woven:
        _draw_relation(svg, thread, places)
    for dot in picture.nodes:
        _draw_node(svg, dot, places[dot.key], middle=dot is picture.nodes[0])
    _draw_legend(svg, picture, language)
    return tostring(svg, encoding="unicode")


def _draw_edge(svg: Element, curve: EdgeCurve, colour: str) -> None:
    """Draw a link as wide as it is strong, in the colour of what it brought up."""
    line, (x, y) = curve.edge, curve.bend
    style = {
        "d": f"M{curve.one.x:.1f} {curve.one.y:.1f}Q{x:.1f} {y:.1f} "
        f"{curve.other.x:.1f} {curve.other.y:.1f}",
        "fill": "none",
        "stroke": EDGE_COLOUR if line.crossing else colour,
        "stroke-width": f"{1.5 + (4.5 if line.crossing else 7.5) * line.strength:.1f}",
        "stroke-opacity": "0.5" if line.crossing else "0.62",
        "stroke-linecap": "round",
    }
    if line.lost:
        style["stroke-dasharray"] = "2 14"
    SubElement(svg, "path", style)


def _draw_relation(svg: Element, curve: EdgeCurve, places: Places) -> None:
    """Write the relation on the free part of its thread, unless a label is in the way."""
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
    """Draw a label on its ground, paler if it is fading."""
    paint = PAINTS[node.kind]
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
    """Draw the rounded ground of a label; names are round like seals, memories like cards."""
    round_ = node.kind in {NodeKind.ENTITY, NodeKind.NOW}
    place = {
        "x": f"{box.x - box.width / 2:.1f}",
        "y": f"{box.y - box.height / 2:.1f}",
        "width": f"{box.width:.1f}",
        "height": f"{box.height:.1f}",
        "rx": f"{box.height / 2 if round_ else 20:.1f}",
    }
    SubElement(parent, "rect", place | style)


def _draw_legend(svg: Element, picture: GraphPicture, language: Language) -> None:
    """Say at the foot what colours, paleness and width mean, as far as they occur."""
    here = {dot.kind for dot in picture.nodes}
    keys: list[tuple[NodeKind | None, Sentence]] = [e for e in KIND_NAMES.items() if e[0] in here]
    if any(dot.fading for dot in picture.nodes):
        keys.append((None, desk.GRAPH_FADING))
    x, y = 40.0, HEIGHT - BOTTOM / 2
    for look, sentence in keys:
        paint = PAINTS[look or NodeKind.FACT]
        style = {"fill": paint.fill, "stroke": paint.edge, "stroke-width": "2"}
        if look is NodeKind.LOST:
            style["stroke-dasharray"] = "5 4"
        if look is None:
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
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": "middle", "font-size": "26"}
    SubElement(parent, "text", place | style).text = _printable(text)


def _printable(text: str) -> str:
    """Return ``text`` without the characters that no XML may hold."""
    return _UNPRINTABLE.sub("", text)


def draw_network(
    state: MemoryState,
    centre: int | None,
    now: datetime,
    *,
    index: NetworkIndex | None = None,
    shows: Shows = is_everyday,
) -> str:
    """Return an SVG of what lies around the memory ``centre``, or around the focus if it is None.

    ``shows`` decides which memories may be seen, and ``index`` is the index of ``state``; without
    it one is built. Raises :class:`UnknownMemory` if ``centre`` is none of the agent's.
    """
    picture = surroundings(state, centre, now, index=index, shows=shows)
    return picture_svg(picture, state.agent_info.settings.language)


def to_png(svg: str) -> bytes:
    """Return the SVG as a PNG, for chats that show no SVG.

    The letters are drawn with the fonts of the machine: Chinese needs one (``apt install
    fonts-wqy-microhei`` or ``fonts-noto-cjk``).
    """
    import resvg_py  # noqa: PLC0415 (only a picture needs it)

    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
