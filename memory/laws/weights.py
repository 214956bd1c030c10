"""The law ``weights`` (source document 001): W(t) = w_time·S·C·I·U·M.

Every factor is a function of elapsed days and named as in the document. Where the document
contradicts itself, ``docs/decisions/law-weights.md`` says what was chosen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from math import exp
from typing import Final, Literal

from memory.laws.contract import (
    NO_FATES,
    Archive,
    CompressTo,
    Fates,
    HealthColour,
    LawContext,
    SoftDelete,
    choice_parameter,
    elapsed_days,
    elapsed_hours,
    grace_factor,
    may_fade,
    number_parameter,
    whole_parameter,
)
from memory.laws.law import Assessment, Event, Law, Quantity, Title, firm
from memory.model import Archived, Kind, Level, Memory, Trace

FADING_BELOW: Final = 0.3
FULL_WEIGHT: Final = 2.0
KEPT_MENTIONS: Final = 32
"""So many instants of mentions are stored: the highest ``FREQUENT_THRESHOLD`` can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsParameters:
    """Source document 001, core parameters and category table.

    The borders of the levels and of the archive are ours: ``docs/decisions/law-weights.md``.
    """

    alpha_base: float = number_parameter(
        "ALPHA_BASE", 0.01, 0, 1, "基础衰减（每天）", "base decay a day"
    )
    s_max: float = number_parameter("S_MAX", 0.5, 0, 2, "提及后的提升", "boost after a mention")
    s_frequent: float = number_parameter(
        "S_FREQUENT", 0.3, 0, 2, "频繁提及时的提升", "boost while frequent"
    )
    lambda_s: float = number_parameter(
        "LAMBDA_S", 0.05, 0, 2, "提升消退（每天）", "its fading a day"
    )
    c_min: float = number_parameter(
        "C_MIN", 0.3, 0, 1, "否定后的最低值", "lowest after a negation"
    )
    lambda_c: float = number_parameter(
        "LAMBDA_C", 0.01, 0, 2, "否定的变化（每天）", "its change a day"
    )
    c_mode: Literal["recovering", "sinking"] = choice_parameter(
        "c_mode", ("recovering", "sinking"), "否定后：骤降再缓升，或缓降", "shape of C"
    )
    m_coef: float = number_parameter("M_COEF", 0.3, 0, 2, "动量上限", "cap of the momentum")
    m_frequent: float = number_parameter(
        "M_FREQUENT", 0.2, 0, 2, "频繁提及时再加", "more while frequent"
    )
    lambda_m: float = number_parameter("LAMBDA_M", 0.5, 0, 5, "动量增速", "growth of the momentum")
    recent_window_days: float = number_parameter(
        "RECENT_WINDOW_DAYS", 3.0, 0.1, 30, "近期的天数", "days that count as recent"
    )
    weight_min: float = number_parameter("WEIGHT_MIN", 0.01, 0, 1, "权重下限", "lowest weight")
    weight_max: float = number_parameter("WEIGHT_MAX", 2.0, 1, 100, "权重上限", "highest weight")
    frequent_threshold: int = whole_parameter(
        "FREQUENT_THRESHOLD", 3, 1, 32, "频繁：次数", "mentions that are frequent"
    )
    frequent_window_hours: float = number_parameter(
        "FREQUENT_WINDOW_HOURS", 24.0, 1, 720, "频繁：小时内", "within so many hours"
    )
    u_mode: Literal["decay", "literal"] = choice_parameter(
        "u_mode",
        ("decay", "literal"),
        "U 只作用于衰减，或照原公式",
        "U in the decay, or literally",
    )
    i_identity: float = number_parameter("I.identity", 1.5, 0.1, 5, "身份", "identity")
    i_lasting: float = number_parameter(
        "I.lasting_preference", 1.3, 0.1, 5, "稳定偏好", "lasting taste"
    )
    i_skill: float = number_parameter("I.skill", 1.2, 0.1, 5, "技能", "skill")
    i_lesson: float = number_parameter("I.lesson", 1.2, 0.1, 5, "教训", "lesson")
    i_fact: float = number_parameter("I.fact", 1.1, 0.1, 5, "事实", "fact")
    i_passing: float = number_parameter(
        "I.passing_preference", 0.9, 0.1, 5, "短期偏好", "passing taste"
    )
    i_temporary: float = number_parameter("I.temporary", 0.8, 0.1, 5, "临时信息", "temporary")
    full_above: float = number_parameter("full_above", 0.5, 0, 100, "完整：W ≥", "level full: W ≥")
    summary_above: float = number_parameter(
        "summary_above", 0.3, 0, 100, "摘要：W ≥", "level summary: W ≥"
    )
    tag_above: float = number_parameter("tag_above", 0.1, 0, 100, "标签：W ≥", "level tag: W ≥")
    archive_below: float = number_parameter(
        "archive_below", 0.1, 0, 100, "归档：W（不设下限）<", "archived: unclamped W <"
    )
    archive_after_days: float = number_parameter(
        "archive_after_days", 180.0, 1, 36500, "且这么多天未提及", "and not mentioned for days"
    )
    delete_archived: bool = choice_parameter(
        "delete_archived", (False, True), "删除久归档的", "delete what was archived long ago"
    )
    delete_after_days: float = number_parameter(
        "delete_after_days", 365.0, 1, 36500, "归档多少天之后", "after days in the archive"
    )


_IMPORTANCE: Final[Mapping[Kind, Callable[[WeightsParameters], float]]] = {
    Kind.IDENTITY: lambda params: params.i_identity,
    Kind.LASTING_PREFERENCE: lambda params: params.i_lasting,
    Kind.SKILL: lambda params: params.i_skill,
    Kind.LESSON: lambda params: params.i_lesson,
    Kind.FACT: lambda params: params.i_fact,
    Kind.PASSING_PREFERENCE: lambda params: params.i_passing,
    Kind.TEMPORARY: lambda params: params.i_temporary,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """The factors of one weight, as the weight log shows them."""

    time_weight: float
    semantic_boost: float
    conflict_penalty: float
    importance: float
    user_factor: float
    momentum: float

    @property
    def product(self) -> float:
        """The weight before it is kept within its bounds."""
        return (
            self.time_weight
            * self.semantic_boost
            * self.conflict_penalty
            * self.importance
            * self.user_factor
            * self.momentum
        )


def time_weight(
    *, days: float, importance: float, user_factor: float, params: WeightsParameters
) -> float:
    """Return w_time = 1 / (1 + α·U·(1/I)·days since the last mention)."""
    # The document names the category factor without its direction; 1/I is what gives its table
    # (identity after 180 days 0.4545).
    return 1.0 / (1.0 + params.alpha_base * user_factor / importance * days)


def semantic_boost(*, days: float, frequent: bool, params: WeightsParameters) -> float:
    """Return S = 1 + s·e^(−λ·days since the mention); s is smaller for a frequent mention."""
    return 1.0 + (params.s_frequent if frequent else params.s_max) * exp(-params.lambda_s * days)


def conflict_penalty(*, days: float, params: WeightsParameters) -> float:
    """Return C, ``days`` after the partner said it no longer holds.

    ``recovering`` (default): 1 − (1 − c_min)·e^(−λ·days), drops at once and recovers slowly.
    ``sinking``, the document's formula: c_min + (1 − c_min)·e^(−λ·days).
    """
    # Words and formula of the document disagree, so both shapes can be chosen.
    fading = (1.0 - params.c_min) * exp(-params.lambda_c * days)
    return 1.0 - fading if params.c_mode == "recovering" else params.c_min + fading


def momentum(*, recent: int, frequent: bool, params: WeightsParameters) -> float:
    """Return M = 1 + m·(1 − e^(−λ·n)), n = mentions in the last 3 days, plus while frequent."""
    extra = params.m_frequent if frequent else 0.0
    return 1.0 + params.m_coef * (1.0 - exp(-params.lambda_m * recent)) + extra


def category_importance(kind: Kind, params: WeightsParameters) -> float:
    """Return I of source document 001's category table."""
    return _IMPORTANCE[kind](params)


def is_frequent(trace: Trace, at: datetime, params: WeightsParameters) -> bool:
    """Whether the window of 24 h before ``at`` holds at least 3 statements, the first included."""
    said = (trace.created_at, *trace.mentions)
    if len(said) < params.frequent_threshold:
        return False
    hours = params.frequent_window_hours
    return sum(elapsed_hours(each, at) <= hours for each in said) >= params.frequent_threshold


def factors(
    memory: Memory, context: LawContext, params: WeightsParameters, *, slowed: int = 1
) -> Factors:
    """Return every factor of the weight at an instant; ``slowed`` divides the days of w_time."""
    trace = memory.trace
    importance = category_importance(memory.nature.kind, params)
    days = elapsed_days(trace.activated_at, context.now)
    boost = penalty = moved = 1.0
    if trace.mention_count:
        # Whether the boost of a mention is the smaller one is settled by that mention, not by the
        # present: otherwise a weight would rise by itself a day later.
        then = is_frequent(trace, trace.activated_at, params)
        boost = semantic_boost(days=days, frequent=then, params=params)
    if trace.mentions:
        moved = _momentum_of(trace, context.now, params)
    if trace.negated_at is not None:
        since = elapsed_days(trace.negated_at, context.now)
        penalty = conflict_penalty(days=since, params=params)
    user = context.user_factor
    # U in the decay and as a factor of W would let "forgets fast" stay higher for ever. Only
    # ``literal`` multiplies twice, as the document writes it.
    return Factors(
        time_weight=time_weight(
            days=days / slowed, importance=importance, user_factor=user, params=params
        ),
        semantic_boost=boost,
        conflict_penalty=penalty,
        importance=importance,
        user_factor=user if params.u_mode == "literal" else 1.0,
        momentum=moved,
    )


def weight(memory: Memory, context: LawContext, params: WeightsParameters) -> float:
    """Return W, kept within ``WEIGHT_MIN`` and ``WEIGHT_MAX``."""
    return within_bounds(factors(memory, context, params).product, params)


def within_bounds(product: float, params: WeightsParameters) -> float:
    """Return the weight within its bounds."""
    return min(max(product, params.weight_min), params.weight_max)


def level_of(weight_now: float, params: WeightsParameters) -> Level:
    """Return how much a memory of that weight keeps: full, summary, tag or trace."""
    if weight_now >= params.full_above:
        return Level.FULL
    if weight_now >= params.summary_above:
        return Level.SUMMARY
    return Level.TAG if weight_now >= params.tag_above else Level.TRACE


def _judge(memory: Memory, context: LawContext, params: WeightsParameters) -> Assessment:
    product = factors(memory, context, params).product
    now = within_bounds(product, params)
    retained = now / params.weight_max
    if not may_fade(memory):
        return firm(now, 1.0 if memory.nature.pinned else retained)
    return Assessment(
        now,
        retained,
        recallable=now >= params.summary_above,
        colour=_colour(now, params),
        fates=_fates(memory, product, context, params),
    )


def _colour(weight_now: float, params: WeightsParameters) -> HealthColour:
    """Return red below 0.1, where only a trace is left."""
    if weight_now >= FADING_BELOW:
        return HealthColour.GREEN
    return HealthColour.YELLOW if weight_now >= params.tag_above else HealthColour.RED


def _fates(
    memory: Memory, product: float, context: LawContext, params: WeightsParameters
) -> Fates:
    """Return the level W allows, the archive after 180 days unmentioned, the end a year later."""
    slowed = grace_factor(memory)
    standing = memory.standing
    if isinstance(standing, Archived):
        gone = elapsed_days(standing.at, context.now) > params.delete_after_days * slowed
        return (SoftDelete(),) if gone and params.delete_archived else NO_FATES
    if slowed > 1:
        product = factors(memory, context, params, slowed=slowed).product
    level = level_of(within_bounds(product, params), params)
    shortened: Fates = (CompressTo(level),) if level < memory.words.level else NO_FATES
    silent = elapsed_days(memory.trace.activated_at, context.now)
    # The product, not W: W never falls below WEIGHT_MIN, which may lie above the border.
    if product < params.archive_below and silent >= params.archive_after_days * slowed:
        return (*shortened, Archive())
    return shortened


def _after_event(
    memory: Memory, event: Event, context: LawContext, params: WeightsParameters
) -> Trace:
    """Note when it was mentioned; of earlier mentions keep those that still count for S or M."""
    if event is not Event.MENTION:
        return memory.trace
    days = max(params.recent_window_days, params.frequent_window_hours / 24)
    recent = [m for m in memory.trace.mentions if elapsed_days(m, context.now) <= days]
    return replace(
        memory.trace,
        activated_at=context.now,
        mentions=(*recent, context.now)[-KEPT_MENTIONS:],
    )


def _momentum_of(trace: Trace, now: datetime, params: WeightsParameters) -> float:
    window = params.recent_window_days
    recent = sum(elapsed_days(m, now) <= window for m in trace.mentions)
    return momentum(recent=recent, frequent=is_frequent(trace, now, params), params=params)


LAW: Final = Law(
    name="weights",
    title=Title("权重（weights）", "weighted factors (weights)"),
    also=("权重",),
    quantity=Quantity(
        key="weight",
        title=Title("权重", "weight"),
        full=FULL_WEIGHT,
        format="{:.3f}".format,
    ),
    parameters=WeightsParameters,
    ordered=(("summary_above", "full_above"), ("tag_above", "summary_above")),
    judge=_judge,
    after_event=_after_event,
    logs_nights=True,
)
