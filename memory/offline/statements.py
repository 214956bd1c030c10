"""What a partner says about themselves, as a value, and the notation of the rules that find it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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
class StatementSort:
    """What sort of statement a rule finds; ``stopped`` and ``moved`` as in :class:`Statement`.

    ``tail`` matches a following clause that belongs to it (…，叫团子; …, such as jazz).
    """

    slot: Slot = "other"
    kind: Kind = Kind.FACT
    topic: Topic = Topic.PERSONAL
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False
    tail: re.Pattern[str] | None = None


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


@dataclass(frozen=True, slots=True)
class Rule:
    """A regular expression over one whole clause, and what sort of statement such a clause is."""

    pattern: str
    sort: StatementSort

    def fullmatch(self, clause: str) -> re.Match[str] | None:
        """Match a whole clause; the pattern is compiled when it is first needed."""
        return _compiled(self.pattern).fullmatch(clause)


def rules(
    sort: StatementSort, patterns: str, words: Mapping[str, str], anything: str
) -> tuple[Rule, ...]:
    """Return one rule for each line of ``patterns``.

    A line is a regular expression with three abbreviations: ``<…>`` encloses the value, a word in
    capitals stands for the alternatives ``words`` has under it, a dot for ``anything``.
    """
    return tuple(
        Rule(_written_out(line.strip(), words, anything), sort)
        for line in patterns.splitlines()
        if line.strip()
    )


def statement_by(rule: Rule, value: str, text: str) -> Statement:
    """Return what a clause of that sort states."""
    sort = rule.sort
    return Statement(
        text=text,
        value=value.strip(),
        slot=sort.slot,
        kind=sort.kind,
        topic=sort.topic,
        sensitivity=sort.sensitivity,
        stopped=sort.stopped,
        moved=sort.moved,
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _written_out(line: str, words: Mapping[str, str], anything: str) -> str:
    line = re.sub(r"(?<!\\)\.", lambda _: anything, line)
    line = re.sub("[A-Z_]{2,}", lambda name: f"(?:{words[name[0]]})", line)
    return re.sub("[<>]", lambda mark: "(?P<v>" if mark[0] == "<" else ")", line)
