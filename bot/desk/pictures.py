"""The commands that draw: the network around a memory, and how memories will fade."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from bot.desk.command import Call
from bot.desk.curve import Curve, curves_svg, sparkline
from bot.desk.documents import Branch, Document, Picture, Text, Tree
from bot.desk.foresight import retention_over
from bot.desk.graph import draw_network
from bot.desk.look import brief, memory_line, nothing_yet
from bot.desk.plain import as_text
from bot.desk.showing import branches
from bot.desk.words import LAWS, TIERS
from bot.texts import desk
from memory.laws.law import is_fading
from memory.model import Memory, Tier
from memory.views import law_context

DAYS: Final = 90
POINTS: Final = 46
MOST_LINES: Final = 5
LABEL_LENGTH: Final = 16
SAMPLED: Final = 200


async def graph(call: Call) -> Document:
    """Draw what lies around a memory, or around what is talked about."""
    centre = call.given.number("id") or None
    if centre is not None:
        call.state.memory(centre)
    roots = (centre,) if centre else tuple(reversed(call.state.agent_info.focus))
    trees = [_link_tree(call, each) for each in roots if each in call.state.memories]
    if not trees:
        return Document((Text(call.say(desk.NO_GRAPH)),))
    svg = await asyncio.to_thread(draw_network, call.state, centre, call.now)
    alt = "\n".join(as_text(tree) for tree in trees)
    return Document((Picture(svg, alt, name="graph"),))


async def curve(call: Call) -> Document:
    """Draw how much will be retained over the coming days if nothing happens."""
    lines = list(_chosen_curves(call)) or await asyncio.to_thread(lambda: list(_tier_curves(call)))
    if not lines:
        return nothing_yet(call)
    law = call.say(LAWS[call.settings.law])
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
    return Document((Text(title, title=True), Picture(svg, alt, name="curve"), Text(law)))


def _chosen_curves(call: Call) -> Iterator[Curve]:
    days = [call.now + timedelta(days=DAYS * n / (POINTS - 1)) for n in range(POINTS)]
    for memory_id in call.given.numbers("ids")[:MOST_LINES]:
        memory = call.state.memory(memory_id)
        label = f"#{memory_id} {brief(memory.words.phrase or memory.words.text, LABEL_LENGTH)}"
        yield Curve(label, retention_over(memory, call.state, days), _is_fading(call, memory))


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


def _is_fading(call: Call, memory: Memory) -> bool:
    return is_fading(memory, law_context(memory.id, call.state, call.now), call.settings)


def _link_tree(call: Call, memory_id: int) -> Tree:
    memory = call.state.memory(memory_id)
    grown = tuple(branches(call, memory_id, depth=2))
    return Tree(Branch(f"#{memory_id} {memory_line(call, memory, 40)}", grown))
