"""What a partner says about themselves, as a value, and the shape of the rules that find it."""

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memory.model import Kind, Sensitivity, Topic

Slot: TypeAlias = Literal[
    "name", "nickname", "age", "birthday", "home", "job", "taste", "other", "explicit"
]
"""What a statement answers. Of the first six a person has one at a time."""

SINGULAR: Final[frozenset[Slot]] = frozenset(
    {"name", "nickname", "age", "birthday", "home", "job"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing a speaker says of themselves, in their own words with their name for "I".

    ``value`` is what is new in it (拉面 of 主人喜欢拉面). ``stopped`` says that something that
    held no longer does; ``moved`` that one thing took the place of another.
    """

    text: str
    value: str
    slot: Slot
    kind: Kind
    topic: Topic = Topic.PERSONAL
    confidence: float = 0.9
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A pattern over one clause, with "I" taken off, and what the clause then says.

    The group ``v`` is the value. ``tail`` matches a following clause that belongs to this one
    (…，叫团子 · …，比如爵士).
    """

    pattern: re.Pattern[str]
    slot: Slot
    kind: Kind
    topic: Topic = Topic.PERSONAL
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False
    tail: re.Pattern[str] | None = None
