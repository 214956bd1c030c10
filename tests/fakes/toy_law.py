"""A whole law that the program does not bring along: it is given to it by one tuple."""

from dataclasses import dataclass
from math import pow as power
from typing import Final

from memory.laws.contract import (
    NO_FATES,
    Archive,
    Fates,
    HealthColour,
    LawContext,
    elapsed_days,
    may_fade,
    number_parameter,
)
from memory.laws.law import Assessment, Birth, Event, Law, Quantity, Title, number_of, with_number
from memory.laws.registry import LAWS
from memory.model import Memory, Trace

FRESH: Final = "toy.fresh_days"
"""After so many days, counted from its birth, it is half forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyParameters:
    """What may be chosen of it."""

    half_life_days: float = number_parameter("halfLife", 10.0, 1, 100, "半衰期（天）", "half-life")
    fading_below: float = number_parameter("fadingBelow", 0.5, 0, 1, "低于即淡", "fading below")
    archive_below: float = number_parameter(
        "archiveBelow", 0.1, 0, 1, "低于即收", "archived below"
    )


def freshness(memory: Memory, context: LawContext, params: ToyParameters) -> float:
    days = elapsed_days(memory.trace.created_at, context.now)
    late = days - number_of(memory.trace, FRESH)
    return min(power(0.5, late / params.half_life_days), 1.0)


def _judge(memory: Memory, context: LawContext, params: ToyParameters) -> Assessment:
    now = freshness(memory, context, params)
    if not may_fade(memory):
        return Assessment(now, 1.0, recallable=True, colour=HealthColour.GREEN, fates=NO_FATES)
    gone = now < params.archive_below
    faint: HealthColour = HealthColour.RED if gone else HealthColour.YELLOW
    fates: Fates = (Archive(),) if gone else NO_FATES
    return Assessment(
        now,
        now,
        recallable=not gone,
        colour=HealthColour.GREEN if now >= params.fading_below else faint,
        fates=fates,
    )


def _at_birth(trace: Trace, birth: Birth, params: ToyParameters) -> Trace:
    return with_number(trace, FRESH, params.half_life_days if birth.explicit else 0.0)


def _after_event(
    memory: Memory, event: Event, context: LawContext, _params: ToyParameters
) -> Trace:
    """Make it fresh again where a person had to do with it."""
    if event not in {Event.MANUAL, Event.MENTION, Event.KEEP}:
        return memory.trace
    return with_number(memory.trace, FRESH, elapsed_days(memory.trace.created_at, context.now))


TOY: Final = Law(
    name="toy",
    title=Title("玩具（toy）", "toy law (toy)"),
    also=("玩具",),
    quantity=Quantity(
        key="freshness", title=Title("新鲜", "freshness"), full=1.0, format="{:.2f}".format
    ),
    parameters=ToyParameters,
    ordered=(("archiveBelow", "fadingBelow"),),
    judge=_judge,
    at_birth=_at_birth,
    after_event=_after_event,
)

LAWS_AND_TOY: Final = (*LAWS, TOY)
