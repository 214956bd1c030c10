"""The law ``network`` (source document 002): what is linked is kept, what loses its links shrinks.

Here is only the arithmetic of one node; ``memory.network.cycle`` walks the nodes. Where the
document is silent, ``docs/decisions/law-network.md`` says what was chosen.
"""

from dataclasses import dataclass
from math import floor
from typing import Final, Literal, TypeAlias

from memory.laws.contract import (
    NO_FATES,
    HealthColour,
    LawContext,
    choice_parameter,
    grace_factor,
    may_compress,
    may_delete,
    may_fade,
    number_parameter,
    whole_parameter,
)
from memory.laws.law import Assessment, Law, Quantity, Title
from memory.model import Memory, Source

FADING_BELOW: Final = 0.3
NEARLY_GONE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkParameters:
    """Source document 002 §1, and the choices of its §11.2.4."""

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


@dataclass(frozen=True, slots=True)
class Stay:
    """Leave the text as it is."""


@dataclass(frozen=True, slots=True)
class Shrink:
    """Say it in at most so many characters."""

    characters: int


@dataclass(frozen=True, slots=True)
class Forget:
    """Let the node go; links to it stay and mean "I once knew something about this"."""


Target: TypeAlias = Stay | Shrink | Forget


def compression_target(
    connectedness: float, original_length: int, params: NetworkParameters
) -> Target:
    """Return what a node keeps: min(connectedness, 1) × max(original length, 20) characters.

    A connectedness ≥ 1 protects; a target under ``delete_threshold`` forgets. Source document 002
    §11.2.5.
    """
    if connectedness >= 1.0:
        return Stay()
    characters = floor(max(connectedness, 0.0) * max(original_length, params.minimum_length))
    return Forget() if characters < params.delete_threshold else Shrink(characters)


def target_of(
    memory: Memory, connectedness: float, original_length: int, params: NetworkParameters
) -> Target:
    """Return :func:`compression_target` as far as every law allows it for this memory.

    What is firm, an entity or of sensitivity ≥ 2 stays; sensitivity 1 is touched at every second
    scan only; an episode is not forgotten before it was consolidated. A text is shortened only if
    the target is under 80 % (``call_below``) of its present length, and nobody asked for it.
    """
    # Sensitivity 1 doubles the waiting under every law. Here nobody waits, scans are counted.
    if not may_fade(memory) or memory.trace.scan_count % grace_factor(memory):
        return Stay()
    target = compression_target(connectedness, original_length, params)
    if isinstance(target, Forget):
        return target if may_delete(memory) else Stay()
    if isinstance(target, Shrink) and not _worth_shrinking(memory, target, params):
        return Stay()
    return target


def _judge(memory: Memory, context: LawContext, _params: NetworkParameters) -> Assessment:
    connected = context.connectedness
    return Assessment(
        connected,
        1.0 if memory.nature.pinned else min(connected, 1.0),
        recallable=True,  # this law fades by shrinking: what is left may be found
        colour=_colour(memory, connected),
        # Time is no parameter of this law, so a night decides nothing: the slices do.
        fates=NO_FATES,
    )


def _colour(memory: Memory, connected: float) -> HealthColour:
    if not may_compress(memory) or connected >= FADING_BELOW:
        return HealthColour.GREEN
    return HealthColour.YELLOW if connected >= NEARLY_GONE else HealthColour.RED


def _worth_shrinking(memory: Memory, target: Shrink, params: NetworkParameters) -> bool:
    long_enough = target.characters < params.call_below * len(memory.words.text)
    return long_enough and may_compress(memory) and not _is_theirs(memory)


def _is_theirs(memory: Memory) -> bool:
    """Whether somebody asked for it word for word: it goes whole, or stays whole."""
    # What was brought in counts as brought back only so that its days begin then.
    brought_back = memory.lineage.restored_at and memory.origin.source is not Source.IMPORT
    return memory.origin.verified or bool(brought_back)


def _after_cycles(cycles: int, params: NetworkParameters) -> float:
    """Return how connected a memory is by one link that nothing uses, 0 once it broke."""
    strength = params.link_initial_strength * params.decay_rate**cycles
    return strength if strength >= params.link_break_threshold else 0.0


LAW: Final = Law(
    name="network",
    title=Title("网络（network）", "living network (network)"),
    also=("网络",),
    quantity=Quantity(
        key="connectedness",
        title=Title("连接度", "connectedness"),
        full=1.0,
        format="{:.2f}".format,
    ),
    parameters=NetworkParameters,
    judge=_judge,
    spares_sensitive=True,
    reads_links=True,
    by_cycle=_after_cycles,
    runs_slices=True,
)
