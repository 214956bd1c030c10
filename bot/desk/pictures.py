"""The commands that draw: the network around a memory, and the curve of how memories will fade.

Pictures are SVG; each platform shows them as it can. :mod:`bot.desk.graph` draws the network, the
curve is drawn here.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from bot.desk.answers import (
    TIERS,
    as_text,
    brief,
    law_title,
    memory_line,
    nothing_yet,
    one_sentence,
)
from bot.desk.command import Argument, Call, Example, Policy, Spec
from bot.desk.documents import Branch, Document, Picture, Text, Tree
from bot.desk.graph import draw_network
from bot.desk.graph.svg import INK_COLOUR, SOFT_COLOUR, draw_text, svg_canvas
from bot.desk.memory_details import branches, forecast_text
from bot.texts import desk, desk_help
from bot.texts import desk_help as h
from memory.laws.contract import may_delete
from memory.laws.registry import stays
from memory.model import Memory, Tier
from memory.recall.in_mind import assessment
from memory.state import MemoryState

WIDTH: Final = 1200

HEIGHT: Final = 760

LEFT: Final = 110

RIGHT: Final = 1150

TOP: Final = 170

FLOOR: Final = 600

PALETTE: Final = ("#E39A2D", "#33A091", "#7281DB", "#E0697B", "#978E83")

GRID_LEVELS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)

SPARKS: Final = "▁▂▃▄▅▆▇█"

LETTERS: Final = 24

# U+2E80 begins the CJK blocks of Unicode.
FIRST_WIDE: Final = 0x2E80
"""The first character that is as wide as it is high."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve: its values, 0 to 1, at equal distances in time; dashed if it fades already."""

    label: str
    values: Sequence[float]
    fading: bool = False


def curves_svg(title: str, lines: Sequence[Curve], *, subtitle: str, ends: tuple[str, str]) -> str:
    """Return a picture of some curves as SVG; ``ends`` name the first and the last day."""
    svg = svg_canvas(title, WIDTH, HEIGHT)
    draw_text(svg, title, LEFT, 76, {"font-size": "42", "fill": INK_COLOUR, "font-weight": "600"})
    draw_text(svg, subtitle, LEFT, 122, {"fill": SOFT_COLOUR})
    for level in GRID_LEVELS:
        _draw_level(svg, level)
    draw_text(svg, ends[0], LEFT, FLOOR + 46, {"fill": SOFT_COLOUR})
    draw_text(svg, ends[1], RIGHT, FLOOR + 46, {"fill": SOFT_COLOUR, "text-anchor": "end"})
    for number, line in enumerate(lines):
        _draw_curve(svg, line, PALETTE[number % len(PALETTE)])
    _draw_legend(svg, lines)
    return tostring(svg, encoding="unicode")


def sparkline(values: Sequence[float], letters: int = LETTERS) -> str:
    """Return a curve as text, one block character for each of ``letters`` moments."""
    last = len(values) - 1
    picked = [values[round(last * n / (letters - 1))] for n in range(letters)]
    return "".join(SPARKS[min(int(max(value, 0.0) * len(SPARKS)), 7)] for value in picked)


def _draw_level(svg: Element, level: float) -> None:
    y = f"{_y_of(level):.1f}"
    strong = level in {0.0, 1.0}
    style = {
        "stroke": SOFT_COLOUR,
        "stroke-opacity": "0.5" if strong else "0.22",
        "stroke-width": "1.5",
    }
    SubElement(svg, "line", {"x1": str(LEFT), "x2": str(RIGHT), "y1": y, "y2": y} | style)
    label = {"fill": SOFT_COLOUR, "text-anchor": "end", "font-size": "22"}
    draw_text(svg, f"{level:.0%}", LEFT - 16, _y_of(level) + 8, label)


def _draw_curve(svg: Element, line: Curve, colour: str) -> None:
    step = (RIGHT - LEFT) / max(len(line.values) - 1, 1)
    points = [(LEFT + step * n, _y_of(value)) for n, value in enumerate(line.values)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    ground = f"{path}L{RIGHT} {FLOOR}L{LEFT} {FLOOR}Z"
    SubElement(svg, "path", {"d": ground, "fill": colour, "fill-opacity": "0.09"})
    style = {"fill": "none", "stroke": colour, "stroke-width": "5", "stroke-linejoin": "round"}
    if line.fading:
        style["stroke-dasharray"] = "14 10"
    SubElement(svg, "path", {"d": path} | style)
    dot = {"cx": f"{points[-1][0]:.1f}", "cy": f"{points[-1][1]:.1f}", "r": "8", "fill": colour}
    SubElement(svg, "circle", dot)


def _draw_legend(svg: Element, lines: Sequence[Curve]) -> None:
    x = float(LEFT)
    for number, line in enumerate(lines):
        colour = PALETTE[number % len(PALETTE)]
        y = HEIGHT - 62.0
        place = {"x": f"{x:.1f}", "y": f"{y - 9:.1f}", "width": "34", "height": "8", "rx": "4"}
        SubElement(svg, "rect", place | {"fill": colour})
        draw_text(svg, line.label, x + 46, y + 4, {"fill": INK_COLOUR, "font-size": "23"})
        x += 82 + sum(23 if ord(letter) >= FIRST_WIDE else 13 for letter in line.label)


def _y_of(value: float) -> float:
    return FLOOR - min(max(value, 0.0), 1.0) * (FLOOR - TOP)


DAYS: Final = 90

POINTS: Final = 46

# As many as there are colours.
MOST_LINES: Final = 5

LABEL_LENGTH: Final = 16

MOST_TEXT_LINES: Final = 40
"""The network in words, where no picture can be shown: no more than a screen holds."""

# 46 points for each memory: with 10,000 of them the mean of all would take seconds.
SAMPLED: Final = 200


async def graph(call: Call) -> Document:
    """Draw what is linked to a memory, or to what is being talked about."""
    centre = call.given.number("id") or None
    # An unknown id is refused here; it would draw nothing.
    if centre is not None:
        call.state.memory(centre)
    roots = (centre,) if centre else tuple(reversed(call.state.agent_info.focus))
    trees = [_link_tree(call, each) for each in roots if each in call.state.memories]
    if not trees:
        return one_sentence(call, desk.NO_GRAPH)
    svg = await asyncio.to_thread(draw_network, call.state, centre, call.now)
    lines = [line for tree in trees for line in as_text(tree).splitlines()]
    if len(lines) > MOST_TEXT_LINES:
        kept = MOST_TEXT_LINES - 1
        lines[kept:] = [call.say(desk_help.GRAPH_MORE, count=len(lines) - kept)]
    return Document((Picture(svg, "\n".join(lines), name="graph"),))


async def curve(call: Call) -> Document:
    """Draw how much will be retained over the coming days if nothing happens."""
    lines = list(_chosen_curves(call)) or await asyncio.to_thread(lambda: list(_tier_curves(call)))
    if not lines:
        return nothing_yet(call)
    law = law_title(call, call.settings.law)
    title = call.say(desk.CURVE, days=DAYS)
    svg = curves_svg(
        title,
        lines,
        subtitle=law,
        ends=(call.say(desk.TODAY), call.say(desk.IN_DAYS, days=DAYS)),
    )
    widest = max(len(line.label) for line in lines)
    alt = "\n".join(
        f"{line.label:<{widest}}  {sparkline(line.values)}  "
        f"{line.values[0]:.0%} → {line.values[-1]:.0%}"
        for line in lines
    )
    ids = call.given.numbers("ids")[:MOST_LINES]
    told = [f"#{each}: {forecast_text(call, call.state.memory(each))}" for each in ids] or [law]
    return Document(
        (Text(title, title=True), Picture(svg, alt, name="curve"), Text("\n".join(told)))
    )


def _chosen_curves(call: Call) -> Iterator[Curve]:
    days = [call.now + timedelta(days=DAYS * n / (POINTS - 1)) for n in range(POINTS)]
    for memory_id in call.given.numbers("ids")[:MOST_LINES]:
        memory = call.state.memory(memory_id)
        label = f"#{memory_id} {brief(memory.words.phrase or memory.words.text, LABEL_LENGTH)}"
        fading = assessment(memory, call.state, call.now).is_fading
        yield Curve(label, retention_over(memory, call.state, days), fading)


def retention_over(memory: Memory, state: MemoryState, days: list[datetime]) -> list[float]:
    """Return the retention of a memory on each of those days, 0 to 1; whole if it stays."""
    if stays(memory, state.rules):
        return [1.0] * len(days)
    found = [assessment(memory, state, day) for day in days]
    if not may_delete(memory) and not any(each.is_fading for each in found):
        # The number of a law may fall where the law itself lets it be: that is no fading.
        return [found[0].retention] * len(found)
    return [each.retention for each in found]


def _tier_curves(call: Call) -> Iterator[Curve]:
    """Yield the average of each tier, of an even sample where there are many."""
    days = [call.now + timedelta(days=DAYS * n / (POINTS - 1)) for n in range(POINTS)]
    for tier, name in TIERS.items():
        members = [
            memory
            for memory in call.state.memories.values()
            if memory.is_active and memory.nature.tier is tier and tier is not Tier.ENTITY
        ]
        if members:
            some = members[:: -(-len(members) // SAMPLED)]
            values = _column_means([retention_over(memory, call.state, days) for memory in some])
            yield Curve(f"{call.say(name)} ×{len(members)}", values)


def _column_means(rows: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _link_tree(call: Call, memory_id: int) -> Tree:
    memory = call.state.memory(memory_id)
    grown = tuple(branches(call, memory_id, depth=2))
    return Tree(Branch(f"#{memory_id} {memory_line(call, memory, 40)}", grown))


GRAPH: Final = Spec(
    name="graph",
    chinese=("图", "网络"),
    policy=Policy.LOOK,
    help=h.GRAPH,
    run=graph,
    arguments=(Argument(name="id", shown=h.A_ID, kind="memory", required=False),),
    examples=(Example("/记忆 图 #42", "/memory graph #42"),),
)

CURVE: Final = Spec(
    name="curve",
    chinese=("曲线",),
    policy=Policy.LOOK,
    help=h.CURVE,
    run=curve,
    arguments=(Argument(name="ids", shown=h.A_IDS, kind="memories", required=False),),
    examples=(Example("/记忆 曲线 #3 #42", "/memory curve #3 #42"),),
)
