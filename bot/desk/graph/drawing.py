"""How the picture looks: an SVG, legible at the size of a chat."""

import re
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from bot.desk.graph.layout import BOTTOM, HEIGHT, WIDTH, Box, Places, laid_out, units, wrapped
from bot.desk.graph.picture import Dot, Look, Picture
from bot.desk.graph.threads import Thread, contains, threads
from bot.texts import Sentence, desk, graph, say
from memory.settings import Language

PAPER: Final = "#FBF8F3"
INK: Final = "#3D3833"
SOFT: Final = "#8C847A"
THREAD: Final = "#B7A99A"
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
    Look.NOW: Paint("#4A4440", "#4A4440", "#FFFFFF"),
    Look.SYSTEM: Paint("#ECE8E2", "#978E83", "#514A43"),
    Look.CORE: Paint("#FFEBC8", "#E39A2D", "#6B430C"),
    Look.FACT: Paint("#D6EFEA", "#33A091", "#12504A"),
    Look.EPISODE: Paint("#E4E7FB", "#7281DB", "#2F3A80"),
    Look.ENTITY: Paint("#FFE0E3", "#E0697B", "#7F2637"),
    Look.LOST: Paint("#FBF8F3", "#B7ADA1", "#8C847A"),
}

NAMES: Final[dict[Look, Sentence]] = {
    Look.SYSTEM: desk.SYSTEM,
    Look.CORE: desk.CORE,
    Look.FACT: desk.FACT,
    Look.EPISODE: desk.EPISODE,
    Look.ENTITY: desk.ENTITY,
    Look.LOST: graph.ONCE_KNOWN,
}

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def drawn(picture: Picture, language: Language) -> str:
    """Return the picture as SVG: tiers by colour, strength by width, what is lost dashed."""
    places = laid_out(picture)
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
    SubElement(svg, "title").text = _plain(picture.title)
    SubElement(svg, "rect", {"width": str(WIDTH), "height": str(HEIGHT), "fill": PAPER})
    title = "".join(wrapped(picture.title, 24.0, 1))
    _text(svg, title, WIDTH / 2, 84, {"font-size": "46", "fill": INK, "font-weight": "600"})
    if not picture.dots:
        _text(svg, say(language, graph.EMPTY), WIDTH / 2, HEIGHT / 2, {"fill": SOFT})
    woven = list(threads(picture, places))
    looks = {dot.key: dot.look for dot in picture.dots}
    for thread in woven:
        _thread(svg, thread, PAINTS[looks[thread.line.target]].edge)
    for thread in woven:
        _relation(svg, thread, places)
    for dot in picture.dots:
        _dot(svg, dot, places[dot.key], middle=dot is picture.dots[0])
    _legend(svg, picture, language)
    return tostring(svg, encoding="unicode")


def _thread(svg: Element, thread: Thread, colour: str) -> None:
    """Draw a link as wide as it is strong, in the colour of what it brought up."""
    line, (x, y) = thread.line, thread.bend
    style = {
        "d": f"M{thread.one.x:.1f} {thread.one.y:.1f}Q{x:.1f} {y:.1f} "
        f"{thread.other.x:.1f} {thread.other.y:.1f}",
        "fill": "none",
        "stroke": THREAD if line.crossing else colour,
        "stroke-width": f"{1.5 + (4.5 if line.crossing else 7.5) * line.strength:.1f}",
        "stroke-opacity": "0.5" if line.crossing else "0.62",
        "stroke-linecap": "round",
    }
    if line.lost:
        style["stroke-dasharray"] = "2 14"
    SubElement(svg, "path", style)


def _relation(svg: Element, thread: Thread, places: Places) -> None:
    """Write the relation on the free part of its thread, unless a label is in the way."""
    length, (x, y) = thread.free()
    text = "".join(wrapped(thread.line.relation, 6.0, 1))
    half = units(text) * SMALL / 2
    ends = [(x - half, y), (x, y), (x + half, y)]
    hidden = any(contains(box, end, SMALL / 2) for box in places.values() for end in ends)
    if not text or thread.line.crossing or hidden or length < 2 * SMALL:
        return
    halo = {"stroke": PAPER, "stroke-width": "9", "stroke-linejoin": "round"}
    style = {"font-size": str(SMALL), "fill": SOFT, "paint-order": "stroke"}
    _text(svg, text, x, y + SMALL * 0.36, style | halo)


def _dot(svg: Element, dot: Dot, box: Box, *, middle: bool) -> None:
    """Draw a label on its ground, paler if it is fading."""
    paint = PAINTS[dot.look]
    _ground(svg, box, dot, {"fill": PAPER})
    group = SubElement(svg, "g", {"opacity": PALE} if dot.fading else {})
    style = {"fill": paint.fill, "stroke": paint.edge, "stroke-width": "5" if middle else "2.5"}
    if dot.look is Look.LOST:
        style["stroke-dasharray"] = "9 7"
    _ground(group, box, dot, style)
    weight = "600" if middle or dot.look is Look.ENTITY else "400"
    top = box.y - (len(box.lines) - 1) * 0.64 * box.size + 0.36 * box.size
    for number, line in enumerate(box.lines):
        look = {"font-size": str(box.size), "fill": paint.text, "font-weight": weight}
        _text(group, line, box.x, top + number * 1.28 * box.size, look)


def _ground(parent: Element, box: Box, dot: Dot, style: dict[str, str]) -> None:
    """Draw the rounded ground of a label; names are round like seals, memories like cards."""
    round_ = dot.look in {Look.ENTITY, Look.NOW}
    place = {
        "x": f"{box.x - box.width / 2:.1f}",
        "y": f"{box.y - box.height / 2:.1f}",
        "width": f"{box.width:.1f}",
        "height": f"{box.height:.1f}",
        "rx": f"{box.height / 2 if round_ else 20:.1f}",
    }
    SubElement(parent, "rect", place | style)


def _legend(svg: Element, picture: Picture, language: Language) -> None:
    """Say at the foot what colours, paleness and width mean, as far as they occur."""
    here = {dot.look for dot in picture.dots}
    keys: list[tuple[Look | None, Sentence]] = [e for e in NAMES.items() if e[0] in here]
    if any(dot.fading for dot in picture.dots):
        keys.append((None, graph.FADING))
    x, y = 40.0, HEIGHT - BOTTOM / 2
    for look, sentence in keys:
        paint = PAINTS[look or Look.FACT]
        style = {"fill": paint.fill, "stroke": paint.edge, "stroke-width": "2"}
        if look is Look.LOST:
            style["stroke-dasharray"] = "5 4"
        if look is None:
            style["opacity"] = PALE
        place = {"x": f"{x:.1f}", "y": f"{y - 13:.1f}", "width": "38", "height": "26", "rx": "8"}
        SubElement(svg, "rect", place | style)
        word = say(language, sentence)
        _text(svg, word, x + 50, y + 9, {"fill": SOFT, "text-anchor": "start"})
        x += 84 + units(word) * 26
    if picture.lines:
        end = {"fill": SOFT, "text-anchor": "end"}
        _text(svg, say(language, graph.STRONGER), WIDTH - 40, y + 9, end)


def _text(parent: Element, text: str, x: float, y: float, style: dict[str, str]) -> None:
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": "middle", "font-size": "26"}
    SubElement(parent, "text", place | style).text = _plain(text)


def _plain(text: str) -> str:
    """Return ``text`` without the characters that no XML may hold."""
    return _UNPRINTABLE.sub("", text)
