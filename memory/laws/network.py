"""The law ``network`` (seed 002): what is linked is kept, what loses its links shrinks.

Here is only the arithmetic of one node; ``memory.network.cycle`` walks the nodes. All pure.
"""

from dataclasses import dataclass
from math import floor
from typing import Final, TypeAlias

from memory.laws.contract import (
    NO_FATES,
    Fates,
    HealthColour,
    LawContext,
    grace_factor,
    may_compress,
    may_delete,
    may_fade,
)
from memory.laws.parameters import NetworkParameters, parameters
from memory.model import AgentSettings, Memory

FADING_BELOW: Final = 0.3
NEARLY_GONE: Final = 0.1


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

    A connectedness ≥ 1 protects; a target under ``delete_threshold`` forgets (seed 002 §11.2.5).
    """
    if connectedness >= 1.0:
        return Stay()
    characters = floor(max(connectedness, 0.0) * max(original_length, params.minimum_length))
    return Forget() if characters < params.delete_threshold else Shrink(characters)


def target_of(
    memory: Memory,
    connectedness: float,
    original_length: int,
    settings: AgentSettings,
) -> Target:
    """Return :func:`compression_target` as far as every law allows it for this memory.

    What is firm, an entity or of sensitivity ≥ 2 stays; sensitivity 1 is touched at every second
    scan only; an episode is not forgotten before it was consolidated. A text is shortened only if
    the target is under 80 % (``call_below``) of its present length.
    """
    params = parameters(settings).network
    if not may_fade(memory) or memory.trace.scan_count % grace_factor(memory):
        return Stay()
    target = compression_target(connectedness, original_length, params)
    if isinstance(target, Forget):
        return target if may_delete(memory) else Stay()
    if isinstance(target, Shrink) and not _worth_shrinking(memory, target, params):
        return Stay()
    return target


def retention(memory: Memory, context: LawContext, settings: AgentSettings) -> float:  # noqa: ARG001
    """Return min(connectedness, 1)."""
    return min(context.connectedness, 1.0)


def is_recallable(memory: Memory, context: LawContext, settings: AgentSettings) -> bool:  # noqa: ARG001
    """Whether everyday recall may find it: always, this law fades by shrinking."""
    return True


def health_colour(memory: Memory, context: LawContext, settings: AgentSettings) -> HealthColour:  # noqa: ARG001
    """Return yellow below 0.3, red below 0.1."""
    if not may_fade(memory) or context.connectedness >= FADING_BELOW:
        return HealthColour.GREEN
    return HealthColour.YELLOW if context.connectedness >= NEARLY_GONE else HealthColour.RED


def fates(memory: Memory, context: LawContext, settings: AgentSettings) -> Fates:  # noqa: ARG001
    """Return nothing: under this law time is no parameter, so a night decides nothing."""
    return NO_FATES


def _worth_shrinking(memory: Memory, target: Shrink, params: NetworkParameters) -> bool:
    long_enough = target.characters < params.call_below * len(memory.words.text)
    return long_enough and may_compress(memory)
