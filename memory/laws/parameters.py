"""The laws' parameters under the names of the source documents, with their bounds; read in one go.

``docs/settings.md`` is generated from these declarations (``python -m benchmarks.settings_page``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, cast

from memory.errors import InputRefused
from memory.model import AgentSettings

ParameterValue: TypeAlias = float | int | str | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a parameter may be: a number in [low, high], or one of ``choices``.

    ``name`` is the one the source document uses; ``zh`` and ``en`` say what it means.
    """

    name: str
    zh: str
    en: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[ParameterValue, ...] = ()

    def __str__(self) -> str:
        if self.choices:
            return " | ".join(str(choice).lower() for choice in self.choices)
        return f"{self.low:g} to {self.high:g}" + (", whole" if self.whole else "")

    def admits(self, value: ParameterValue) -> bool:
        """Whether a parameter may be ``value``; a not-a-number never may."""
        if self.choices:
            return value in self.choices
        if isinstance(value, str) or not self.low <= value <= self.high:
            return False
        return not self.whole or value == int(value)


def number_parameter(name: str, default: float, low: float, high: float, zh: str, en: str) -> Any:
    """Declare a parameter that is any number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high))


def whole_parameter(name: str, default: int, low: int, high: int, zh: str, en: str) -> Any:
    """Declare a parameter that is a whole number from ``low`` to ``high``."""
    return _declare_field(default, Bound(name=name, zh=zh, en=en, low=low, high=high, whole=True))


def choice_parameter(name: str, choices: tuple[ParameterValue, ...], zh: str, en: str) -> Any:
    """Declare a parameter that is one of ``choices``; the first is the default."""
    return _declare_field(choices[0], Bound(name=name, zh=zh, en=en, choices=choices))


def bounds_of(kind: type) -> Iterator[tuple[str, Bound, ParameterValue]]:
    """Yield field name, bound and default of every parameter of a settings class."""
    for each in fields(kind):
        yield each.name, _bound_of(each), cast("ParameterValue", each.default)


def read_parameters(
    kind: type, law: str, given: Mapping[str, ParameterValue]
) -> tuple[dict[str, Any], list[str]]:
    """Return the field values ``given`` under their names for ``law``, and every violation."""
    values: dict[str, Any] = {}
    violations: list[str] = []
    for name, bound, default in bounds_of(kind):
        key = f"{law}.{bound.name}"
        if key not in given:
            continue
        value = given[key]
        if bound.admits(value):
            values[name] = value if bound.choices else type(default)(value)
        else:
            violations.append(f"{key} is {value!r}, it must be {bound}")
    return values, violations


def _declare_field(default: ParameterValue, bound: Bound) -> Any:
    return field(default=default, metadata={"bound": bound})


def _bound_of(each: "Field[Any]") -> Bound:
    return cast("Bound", each.metadata["bound"])


@dataclass(frozen=True, slots=True, kw_only=True)
class TiersParameters:
    """Seed 003, decay rules and reviewer; days are days of the agent's calendar."""

    fact_importance: float = number_parameter(
        "fact_importance", 1.0, 0.5, 2.4, "新事实的重要性", "importance of a new fact"
    )
    explicit_importance: float = number_parameter(
        "explicit_importance", 1.5, 0.5, 2.4, "主人说“记住…”的事实", "of a fact told explicitly"
    )
    core_importance: float = number_parameter(
        "core_importance", 3.0, 2.5, 10, "核心，不再衰减", "core: fades no more"
    )
    boost: float = number_parameter(
        "boost", 0.3, 0, 1, "真正被用到时增加", "added when really used"
    )
    rest_days: int = whole_parameter(
        "rest_days", 7, 0, 365, "开始衰减前的天数", "days before fading"
    )
    fact_decay: float = number_parameter(
        "fact_decay", 0.95, 0.5, 1, "事实每天乘以", "a fact's factor a day"
    )
    episode_decay: float = number_parameter(
        "episode_decay", 0.8, 0.1, 1, "情境每天乘以", "an episode's factor a day"
    )
    episode_days: int = whole_parameter(
        "episode_days", 14, 1, 3650, "情境保留的天数", "an episode's days"
    )
    promotion_at: float = number_parameter(
        "promotion_at", 2.5, 1, 10, "达到即升级审核", "promotion review from here"
    )
    review_below: float = number_parameter(
        "review_below", 0.5, 0, 2.4, "低于即衰减审核", "decay review below"
    )
    delete_below: float = number_parameter(
        "delete_below",
        0.3,
        0,
        2.4,
        "低于即遗忘（无审核者时）",
        "forgotten below, without reviewer",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EbbinghausParameters:
    """Seed 000 §4.5, and the factors of its §4.3; stability in hours."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsParameters:
    """Seed 001, core parameters and category table; borders of DESIGN §6.3."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkParameters:
    """Seed 002 §1, and the choices of its §11.2.4."""

    focus_limit: int = whole_parameter("focus_limit", 5, 1, 50, "关注点上限", "most focus points")
    decay_rate: float = number_parameter(
        "decay_rate", 0.97, 0.01, 1, "每轮关联乘以", "links' factor a cycle"
    )
    link_initial_strength: float = number_parameter(
        "link_initial_strength", 0.5, 0, 1, "新关联强度", "strength of a new link"
    )
    delete_threshold: int = whole_parameter(
        "delete_threshold", 5, 0, 1000, "目标字数低于即遗忘", "forgotten below so many characters"
    )
    link_break_threshold: float = number_parameter(
        "link_break_threshold", 0.01, 0, 1, "关联断裂", "a link breaks below"
    )
    time_slice: int = whole_parameter(
        "time_slice", 30000, 1, 600000, "时间片（毫秒）", "slice, milliseconds"
    )
    max_retries: int = whole_parameter(
        "max_retries", 15, 0, 100, "压缩重试次数", "retries of a compression"
    )
    default_search_depth: int = whole_parameter(
        "default_search_depth", 2, 1, 10, "默认搜索深度", "depth of a search"
    )
    minimum_length: int = whole_parameter(
        "minimum_length", 20, 0, 1000, "原文至少按此长度计", "originals count as at least so long"
    )
    call_below: float = number_parameter(
        "call_below", 0.8, 0, 1, "目标低于现长此比例才压缩", "compress if target/length is below"
    )
    scheme: Literal["B", "A"] = choice_parameter(
        "scheme", ("B", "A"), "B 扫描次数，A 固定容量", "B scan count, A fixed capacity"
    )
    capacity: int = whole_parameter(
        "capacity", 10000, 10, 1000000, "A 的容量", "nodes under scheme A"
    )
    sample: int = whole_parameter("sample", 32, 1, 10000, "A 的采样数", "sample of scheme A")


@dataclass(frozen=True, slots=True, kw_only=True)
class LawParameters:
    """The parameters of all four laws: every quantity can be shown under any law."""

    tiers: TiersParameters = field(default_factory=TiersParameters)
    ebbinghaus: EbbinghausParameters = field(default_factory=EbbinghausParameters)
    weights: WeightsParameters = field(default_factory=WeightsParameters)
    network: NetworkParameters = field(default_factory=NetworkParameters)


LAWS: Final[Mapping[str, type]] = {
    "tiers": TiersParameters,
    "ebbinghaus": EbbinghausParameters,
    "weights": WeightsParameters,
    "network": NetworkParameters,
}

ORDERED_PAIRS: Final = (
    ("tiers.delete_below", "tiers.review_below"),
    ("tiers.promotion_at", "tiers.core_importance"),
    ("ebbinghaus.deleteThreshold", "ebbinghaus.archiveThreshold"),
    ("weights.summary_above", "weights.full_above"),
    ("weights.tag_above", "weights.summary_above"),
)
"""Pairs whose first may not exceed their second."""

USER_FACTOR: Final = (0.5, 2.0)


def parameters(settings: AgentSettings) -> LawParameters:
    """Return the parameters an agent chose, the rest by default.

    Raises :class:`InputRefused` that names every unknown key and every value out of its range.
    """
    return _parse_parameters(settings.parameters, settings.user_factor)


@lru_cache(maxsize=256)
def _parse_parameters(
    given: tuple[tuple[str, ParameterValue], ...], user_factor: float
) -> LawParameters:
    chosen = dict(given)
    known = {f"{law}.{b.name}": d for law, kind in LAWS.items() for _, b, d in bounds_of(kind)}
    violations = [f"{key} is no law parameter" for key in chosen if key not in known]
    values: dict[str, dict[str, float]] = {}
    for law, kind in LAWS.items():
        values[law], refused = read_parameters(kind, law, chosen)
        violations += refused
    if not violations:
        both = known | chosen
        violations = [
            f"{low} is {both[low]!r}, it may not exceed {high}, which is {both[high]!r}"
            for low, high in ORDERED_PAIRS
            if float(both[low]) > float(both[high])
        ]
    if not USER_FACTOR[0] <= user_factor <= USER_FACTOR[1]:
        violations.append(
            f"user_factor is {user_factor!r}, it must be {USER_FACTOR[0]:g} to {USER_FACTOR[1]:g}"
        )
    if violations:
        raise InputRefused("; ".join(violations))
    return LawParameters(**{law: kind(**values[law]) for law, kind in LAWS.items()})
