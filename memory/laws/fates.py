"""What a law may say should happen to a memory, and what no law may do (DESIGN §6.5)."""

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Final, Literal, TypeAlias, assert_never

from memory.model import Level, Memory, Sensitivity, Tier

GRACE: Final = timedelta(days=30)
"""How long a deleted memory, a former text and an undo entry can be brought back."""

ReviewTask: TypeAlias = Literal["promotion", "decay"]


@dataclass(frozen=True, slots=True)
class CompressTo:
    """Let no more than ``level`` be left of it."""

    level: Level


@dataclass(frozen=True, slots=True)
class AskReview:
    """Let the reviewer judge it (seed 003)."""

    task: ReviewTask


@dataclass(frozen=True, slots=True)
class Archive:
    """Take it out of everyday recall, and keep it."""


@dataclass(frozen=True, slots=True)
class SoftDelete:
    """Delete it softly: it can be brought back for 30 days."""


Fate: TypeAlias = CompressTo | AskReview | Archive | SoftDelete
Fates: TypeAlias = tuple[Fate, ...]
NO_FATES: Final[Fates] = ()
"""The fate of most memories on most nights: nothing happens."""


class HealthColour(Enum):
    """How a memory is doing, as health colours show it."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


_FADING_TIERS: Final = frozenset({Tier.FACT, Tier.EPISODE})


def may_fade(memory: Memory) -> bool:
    """Whether it fades and a law decides about it: a fact or an episode that nobody pinned.

    ``system``, ``core`` and what is pinned are firm. An entity is only a name that links hang on;
    it goes when nothing alive links to it.
    """
    return not memory.nature.pinned and memory.nature.tier in _FADING_TIERS


def grace_factor(memory: Memory) -> int:
    """Return by how much every waiting time grows: 2 for sensitivity 1 (seed 001), else 1."""
    return 2 if memory.nature.sensitivity is Sensitivity.ORDINARY else 1


def may_delete(memory: Memory) -> bool:
    """Whether a law or the reviewer may delete it.

    Never what is firm or of sensitivity ≥ 2, nor an episode before it was consolidated.
    """
    if memory.nature.tier is Tier.EPISODE and memory.lineage.consolidated_at is None:
        return False
    return may_fade(memory) and memory.nature.sensitivity < Sensitivity.SENSITIVE


def may_compress(memory: Memory) -> bool:
    """Whether a law may shorten it: never what is firm or of sensitivity ≥ 2."""
    return may_fade(memory) and memory.nature.sensitivity < Sensitivity.SENSITIVE


def allowed_fates(memory: Memory, fates: Fates) -> Fates:
    """Return those of a law's ``fates`` that every law must allow."""
    if all(_is_allowed(memory, fate) for fate in fates):
        return fates
    return tuple(fate for fate in fates if _is_allowed(memory, fate))


def _is_allowed(memory: Memory, fate: Fate) -> bool:
    match fate:
        case SoftDelete() | AskReview():
            return may_delete(memory)
        case CompressTo(level):
            return may_compress(memory) and level < memory.words.level
        case Archive():
            return may_fade(memory)
        case never:
            assert_never(never)
