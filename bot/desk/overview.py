"""How a memory as a whole is doing: overview, health, what is fading, and the metrics."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.desk.command import PAGE_LENGTH, Call
from bot.desk.documents import Bar, Bars, Block, Button, Buttons, Document, Facts, Text
from bot.desk.look import memory_line, nothing_yet
from bot.desk.words import BANDS, COLOURS, LAWS, LEVELS, STANDINGS, TIERS, term
from bot.texts import desk
from memory.laws.fates import HealthColour
from memory.manager import HealthReport, MemoryCondition, metrics
from memory.manager import health_report as health_of
from memory.model import Level, Tier

WEAKEST: Final = 3
LABEL_LENGTH: Final = 36


def overview(call: Call) -> Document:
    """Show what there is, how it is doing, what is talked about and what is fading."""
    told_of = health_of(call.state, call.now)
    if not told_of.by_standing:
        return nothing_yet(call)
    conditions = _memory_conditions(call, told_of)
    names = told_of.by_tier.get(Tier.ENTITY, 0)
    total = sum(told_of.by_tier.values()) - names
    blocks: list[Block] = [
        Text(call.say(desk.OVERVIEW, count=total, names=names), title=True),
        Facts((("law", call.say(desk.LAW), term(call.language, LAWS, call.settings.law)),)),
        _tier_bars(call, told_of),
        _band_bars(call, conditions),
    ]
    focus = [
        call.state.memories[each]
        for each in reversed(call.state.agent_info.focus)
        if each in call.state.memories
    ]
    if focus:
        known = "、".join(memory.words.phrase or memory.words.text for memory in focus)
        blocks.append(Text(call.say(desk.IN_FOCUS, names=known)))
    weak = _weak(conditions)[:WEAKEST]
    if weak:
        blocks += [
            Text(call.say(desk.SOON_GONE), title=True),
            _condition_bars(call, weak, "fading"),
        ]
    if not call.settings.learning:
        blocks.append(Text(call.say(desk.IS_PAUSED)))
    blocks.append(_next_steps(call))
    return Document(tuple(blocks))


def health(call: Call) -> Document:
    """Show every memory by how much of it is retained, weakest first, in its colour."""
    shown = _memory_conditions(call, health_of(call.state, call.now))
    if not shown:
        return nothing_yet(call)
    page, limit = max(call.given.number("page", 1), 1), call.given.number("limit", PAGE_LENGTH)
    part = shown[(page - 1) * limit : page * limit]
    blocks: list[Block] = [
        Text(call.say(desk.HEALTH, count=len(shown)), title=True),
        _band_bars(call, shown),
        _condition_bars(call, part, "memories"),
    ]
    if page * limit < len(shown):
        further = Button(call.say(desk.NEXT_PAGE), f"/memory health --page {page + 1}")
        blocks.append(Buttons((further,)))
    return Document(tuple(blocks))


def fading(call: Call) -> Document:
    """Show what is about to be forgotten, weakest first, and how to keep it."""
    weak = _weak(_memory_conditions(call, health_of(call.state, call.now)))
    if not weak:
        return Document((Text(call.say(desk.NOTHING_FADES)),))
    first = weak[0].memory_id
    return Document(
        (
            Text(call.say(desk.FADING_ONES, count=len(weak)), title=True),
            _condition_bars(call, weak[:PAGE_LENGTH], "memories"),
            Buttons((Button(call.say(desk.DO_KEEP, id=first), f"/memory reinforce #{first}"),)),
        )
    )


def show_metrics(call: Call) -> Document:
    """Show the seven metrics of seed 001."""
    found = metrics(call.state, call.now)
    spread = {level: found[f"weight_distribution.{level.name.lower()}"] for level in Level}
    whole = sum(spread.values()) or 1.0
    names = {
        "passive_compression_count": desk.METRIC_COMPRESSED,
        "user_activation_count": desk.METRIC_ACTIVATED,
        "negation_count": desk.METRIC_NEGATED,
        "frequent_reinforce_count": desk.METRIC_FREQUENT,
        "batch_merge_count": desk.METRIC_MERGED,
    }
    plain = [(key, call.say(name), f"{found[key]:g}") for key, name in names.items()]
    plain.append(("avg_weight", call.say(desk.METRIC_AVERAGE), f"{found['avg_weight']:.4f}"))
    bars = [
        Bar(
            key=level.name.lower(),
            label=term(call.language, LEVELS, level),
            share=count / whole,
            value=f"{count:g}",
        )
        for level, count in reversed(spread.items())
    ]
    return Document(
        (
            Text(call.say(desk.METRICS), title=True),
            Facts(tuple(plain)),
            Text(call.say(desk.METRIC_SPREAD)),
            Bars(tuple(bars), name="weight_distribution"),
        )
    )


def _tier_bars(call: Call, told_of: HealthReport) -> Bars:
    counts = {tier: told_of.by_tier.get(tier, 0) for tier in TIERS if tier is not Tier.ENTITY}
    most = max(*counts.values(), 1)
    bars = [
        Bar(
            key=tier.value,
            label=term(call.language, TIERS, tier),
            share=count / most,
            value=str(count),
        )
        for tier, count in counts.items()
        if count
    ]
    resting = [
        Bar(
            key=name,
            label=term(call.language, STANDINGS, name),
            share=min(count / most, 1.0),
            value=str(count),
        )
        for name, count in sorted(told_of.by_standing.items())
        if name != "active"
    ]
    return Bars((*bars, *resting), name="tiers")


def _band_bars(call: Call, conditions: Sequence[MemoryCondition]) -> Bars:
    counts = Counter(each.band for each in conditions)
    whole = sum(counts.values()) or 1
    return Bars(
        tuple(
            Bar(
                key=band.value,
                label=term(call.language, BANDS, band),
                share=counts.get(band, 0) / whole,
                value=str(counts.get(band, 0)),
                colour=COLOURS[band],
            )
            for band in HealthColour
        ),
        name="health",
    )


def _condition_bars(call: Call, conditions: Sequence[MemoryCondition], name: str) -> Bars:
    return Bars(
        tuple(
            Bar(
                key=str(each.memory_id),
                label=f"#{each.memory_id} "
                + memory_line(call, call.state.memory(each.memory_id), LABEL_LENGTH),
                share=each.retention,
                value=f"{each.retention:.2f}",
                colour=COLOURS[each.band],
            )
            for each in conditions
        ),
        name=name,
    )


def _memory_conditions(call: Call, told_of: HealthReport) -> list[MemoryCondition]:
    """Return the conditions of what is more than a name, weakest first."""
    memories = call.state.memories
    return [c for c in told_of.conditions if memories[c.memory_id].nature.tier is not Tier.ENTITY]


def _weak(conditions: Sequence[MemoryCondition]) -> list[MemoryCondition]:
    return [each for each in conditions if each.band is not HealthColour.GREEN]


def _next_steps(call: Call) -> Buttons:
    steps = ((desk.SEE_LIST, "list"), (desk.SEE_FADING, "fading"), (desk.SEE_GRAPH, "graph"))
    return Buttons(tuple(Button(call.say(label), f"/memory {verb}") for label, verb in steps))
