"""The law ``ebbinghaus`` (source document 000): R = e^(−t/S), and every use makes S grow.

What the document leaves open is decided in ``docs/decisions/law-ebbinghaus.md``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from math import exp, floor
from typing import Final

from memory.laws.contract import (
    NO_FATES,
    Archive,
    Fates,
    HealthColour,
    LawContext,
    SoftDelete,
    choice_parameter,
    elapsed_hours,
    grace_factor,
    may_fade,
    number_parameter,
    whole_parameter,
)
from memory.laws.law import Assessment, Birth, Event, Law, Quantity, Title, firm
from memory.model import Kind, Memory, Trace

FADING_BELOW: Final = 30
FULL_STRENGTH: Final = 100
CONFIDENT: Final = 0.8
OFTEN_REINFORCED: Final = 5
_ARCHIVED: Final[Fates] = (Archive(),)
_DELETED: Final[Fates] = (Archive(), SoftDelete())


@dataclass(frozen=True, slots=True, kw_only=True)
class EbbinghausParameters:
    """Source document 000 §4.5, and the factors of its §4.2 and §4.3; stability in hours."""

    initial_stability: float = number_parameter(
        "initialStability", 24.0, 1, 8760, "新记忆的稳定性（小时）", "of a new memory, hours"
    )
    manual_stability: float = number_parameter(
        "manualStability", 168.0, 1, 8760, "明确要求记住的（小时）", "told explicitly, hours"
    )
    max_stability: float = number_parameter(
        "maxStability", 8760.0, 24, 87600, "稳定性上限（小时）", "highest stability, hours"
    )
    archive_threshold: int = whole_parameter(
        "archiveThreshold", 10, 0, 100, "低于即归档", "archived below"
    )
    delete_threshold: int = whole_parameter(
        "deleteThreshold", 5, 0, 100, "低于即删除", "deleted below"
    )
    cleanup_interval_hours: float = number_parameter(
        "cleanupIntervalHours", 1.0, 0, 720, "两次手动清理的间隔", "between two manual cleanups"
    )
    retrieve: float = number_parameter(
        "retrieve", 1.2, 0.1, 10, "放进提示词", "was put into a prompt"
    )
    task_success: float = number_parameter(
        "taskSuccess", 2.0, 0.1, 10, "真正用到或主人确认", "really used, or confirmed"
    )
    task_failure: float = number_parameter("taskFailure", 0.8, 0.1, 10, "主人纠正", "corrected")
    manual_review: float = number_parameter(
        "manualReview", 1.5, 0.1, 10, "手动查看", "looked at by hand"
    )
    association_hit: float = number_parameter(
        "associationHit", 1.1, 0.1, 10, "经联想被激活", "brought up by a link"
    )
    confident_decay: float = number_parameter(
        "confidentDecay", 0.7, 0.1, 1, "置信度 ≥ 0.8 时的衰减系数", "decay if confidence ≥ 0.8"
    )
    reinforced_decay: float = number_parameter(
        "reinforcedDecay", 0.8, 0.1, 1, "强化 ≥ 5 次时的系数", "decay after 5 reinforcements"
    )
    lesson_decay: float = number_parameter(
        "lessonDecay", 0.9, 0.1, 1, "教训类的系数", "decay of a lesson"
    )
    min_decay: float = number_parameter(
        "minDecay", 0.5, 0.1, 1, "衰减系数下限", "lowest decay rate"
    )
    literal_failure: bool = choice_parameter(
        "literal_failure",
        (False, True),
        "纠正也重新起算（照原文）",
        "a correction begins the curve anew, as written",
    )


# Source document 000 §4.2. It knows five events. Of the others BOOST and MENTION are successes of
# the memory, and NEGATE is a failure.
_FACTORS: Final[Mapping[Event, Callable[[EbbinghausParameters], float]]] = {
    Event.ACCESS: lambda params: params.retrieve,
    Event.ASSOCIATION_HIT: lambda params: params.association_hit,
    Event.SUCCESS: lambda params: params.task_success,
    Event.FAILURE: lambda params: params.task_failure,
    Event.MANUAL: lambda params: params.manual_review,
    Event.MENTION: lambda params: params.task_success,
    Event.BOOST: lambda params: params.task_success,
    Event.NEGATE: lambda params: params.task_failure,
}


_WEAKENING: Final = frozenset({Event.FAILURE, Event.NEGATE})


def decay_rate(
    *, confidence: float, reinforce_count: int, kind: Kind, params: EbbinghausParameters
) -> float:
    """Return how fast stability is used up: 1.0 down to ``minDecay``.

    Source document 000 §4.3.
    """
    rate = 1.0
    if confidence >= CONFIDENT:
        rate *= params.confident_decay
    if reinforce_count >= OFTEN_REINFORCED:
        rate *= params.reinforced_decay
    if kind is Kind.LESSON:
        rate *= params.lesson_decay
    return max(rate, params.min_decay)


def curve_value(
    memory: Memory, context: LawContext, params: EbbinghausParameters, *, slowed: int = 1
) -> float:
    """Return e^(−hours since reinforced / (stability / decay rate)), in [0, 1].

    ``slowed`` multiplies the time it takes to get there. Source document 000 §4.1 and §4.3.
    """
    trace = memory.trace
    rate = decay_rate(
        confidence=trace.confidence,
        reinforce_count=trace.reinforce_count,
        kind=memory.nature.kind,
        params=params,
    )
    hours = elapsed_hours(trace.reinforced_at, context.now)
    return exp(-hours * rate / (trace.stability_hours * slowed))


def rounded_strength(retention_now: float) -> int:
    """Return 100 × retention, rounded half up; every border compares this number."""
    # Not round(): Python rounds a half to the even neighbour, and 0.5 must be 1 as on paper.
    return floor(retention_now * FULL_STRENGTH + 0.5)


def _judge(memory: Memory, context: LawContext, params: EbbinghausParameters) -> Assessment:
    strength = rounded_strength(curve_value(memory, context, params))
    retained = strength / FULL_STRENGTH
    if not may_fade(memory):
        return firm(strength, 1.0 if memory.nature.pinned else retained)
    return Assessment(
        strength,
        retained,
        recallable=strength >= params.archive_threshold,
        colour=_colour(strength, params),
        fates=_fates(memory, strength, context, params),
    )


def _colour(strength: int, params: EbbinghausParameters) -> HealthColour:
    if strength >= FADING_BELOW:
        return HealthColour.GREEN
    return HealthColour.RED if strength < params.archive_threshold else HealthColour.YELLOW


def _fates(
    memory: Memory, strength: int, context: LawContext, params: EbbinghausParameters
) -> Fates:
    """Return the archive below 10 and the end below 5 (source document 000 §4.4)."""
    slowed = grace_factor(memory)
    if slowed > 1:
        strength = rounded_strength(curve_value(memory, context, params, slowed=slowed))
    if strength >= params.archive_threshold:
        return NO_FATES
    return _DELETED if strength < params.delete_threshold else _ARCHIVED


def _at_birth(trace: Trace, birth: Birth, params: EbbinghausParameters) -> Trace:
    first = params.manual_stability if birth.explicit else params.initial_stability
    return replace(trace, stability_hours=first)


def _after_event(
    memory: Memory, event: Event, context: LawContext, params: EbbinghausParameters
) -> Trace:
    """Multiply the stability, begin the curve anew and count it (source document 000 §4.2).

    A correction and a negation only shorten the stability, unless ``literal_failure`` is set: as
    the fifth reinforcement one would slow the decay by as much as it shortens the stability.
    """
    factor = _FACTORS.get(event)
    if factor is None:
        return memory.trace
    trace = memory.trace
    stability = min(trace.stability_hours * factor(params), params.max_stability)
    # Begun anew, the curve would make what was just corrected the firmest of all: 14 became 100.
    anew = event not in _WEAKENING or params.literal_failure
    return replace(
        trace,
        stability_hours=stability,
        reinforced_at=context.now if anew else trace.reinforced_at,
        reinforce_count=trace.reinforce_count + anew,
    )


def _cleanup_pause(params: EbbinghausParameters) -> timedelta:
    return timedelta(hours=params.cleanup_interval_hours)


LAW: Final = Law(
    name="ebbinghaus",
    title=Title("遗忘曲线（ebbinghaus）", "forgetting curve (ebbinghaus)"),
    also=("遗忘曲线", "曲线"),
    quantity=Quantity(
        key="strength",
        title=Title("强度", "strength"),
        full=FULL_STRENGTH,
        format="{:.0f}".format,
    ),
    parameters=EbbinghausParameters,
    ordered=(("deleteThreshold", "archiveThreshold"),),
    judge=_judge,
    at_birth=_at_birth,
    after_event=_after_event,
    cleanup_pause=_cleanup_pause,
)
