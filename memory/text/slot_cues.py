"""What a slot is, and the cues that tell of one: the tables of both languages, ready to search."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]  # no stubs: the parts of a pattern
from re import _parser as parts  # type: ignore[attr-defined]  # no stubs: the parts of a pattern
from typing import Any, Final

from memory.text import slots_en, slots_zh


class Slot(StrEnum):
    """What a statement is about."""

    HOME = "home"
    WORK = "work"
    SCHOOL = "school"
    PARTNER = "partner"
    NAME = "name"
    NICKNAME = "nickname"
    AGE = "age"
    BIRTHDAY = "birthday"
    HEALTH = "health"
    TASTE = "taste"
    HABIT = "habit"
    POSSESSION = "possession"
    CHILDREN = "children"
    THING = "thing"
    PLAN = "plan"
    ANY = "any"


SINGLE_VALUED: Final = frozenset(
    {
        Slot.HOME,
        Slot.WORK,
        Slot.SCHOOL,
        Slot.PARTNER,
        Slot.NAME,
        Slot.NICKNAME,
        Slot.AGE,
        Slot.BIRTHDAY,
    }
)
"""Of these a person has one value at a time."""


class ClaimMode(StrEnum):
    """How a value stands in its slot."""

    HOLDS = "holds"
    MOVED = "moved"
    STOPPED = "stopped"
    PAST = "past"
    UNREAL = "unreal"


REAL: Final = frozenset({ClaimMode.HOLDS, ClaimMode.MOVED, ClaimMode.STOPPED})
"""The modes in which something is said to be so by now."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A way of speaking of a slot: what it tells, and the expression that finds it."""

    slot: Slot
    mode: ClaimMode
    about: str
    fixed: str
    firm: bool
    loose: bool
    denies: bool
    pattern: str

    def search(self, clause: str) -> re.Match[str] | None:
        """Find the cue in a clause."""
        return compiled(self.pattern).search(clause)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the expression; made when first needed, since the start must not wait for it."""
    return re.compile(pattern, re.IGNORECASE)


def cues(table: str, words_for: Mapping[str, str]) -> tuple[Cue, ...]:
    """Return the cues of a table: ``slot mode[?][-] expression`` on each line.

    Behind the mode may stand what it is about, and the value it sets (``habit holds.smoke.no``,
    ``work holds.none``). ``?`` marks what is not firm, ``~`` what may only be ended, ``-`` what denies. ``«…»`` encloses the
    value, a word in braces stands for the alternatives ``words_for`` has under it.
    """
    found: list[Cue] = []
    for line in filter(None, map(str.strip, table.splitlines())):
        slot, mode, pattern = line.split(None, 2)
        for name, alternatives in words_for.items():
            pattern = pattern.replace("{" + name + "}", f"(?:{alternatives})")
        named, *closer = mode.rstrip("?~-").split(".")
        # Of a slot with one value the closer word is the value: single, retired.
        about, fixed = (
            ("", *closer, "")[:2] if Slot(slot) in SINGLE_VALUED else (*closer, "", "")[:2]
        )
        found.append(
            Cue(
                slot=Slot(slot),
                mode=ClaimMode(named),
                about=about,
                fixed=fixed,
                firm="?" not in mode and "~" not in mode,
                loose="~" in mode,
                denies="-" in mode,
                pattern=_with_numbered_values(pattern),
            )
        )
    return tuple(found)


def _with_numbered_values(pattern: str) -> str:
    """Return the expression with a group for each value; alternatives may hold one each."""
    count = 0

    def opened(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"(?P<v{count}>"

    return re.sub("«", opened, pattern).replace("»", ")")


class CueTable:
    """The cues of one language, and which of them a clause can hold at all."""

    def __init__(self, listed: Sequence[Cue]) -> None:
        self._cues = listed
        self._always: set[int] = set()
        self._by_beginning: dict[str, list[tuple[str, set[int]]]] = {}
        words: dict[Slot, set[str]] = {}
        for number, cue in enumerate(listed):
            # Most cues have words without which they cannot fit; looking for them is ten times
            # as fast as trying every expression.
            needed = _literals(parts.parse(cue.pattern, re.IGNORECASE))
            if needed is None:
                self._always.add(number)
            # "" stands in every clause.
            words.setdefault(cue.slot, set()).update({""} if needed is None else needed)
            for word in needed or ():
                self._by_beginning.setdefault(word[:2], []).append((word, {number}))

        slots: dict[str, set[Slot]] = {}
        for slot, listed_words in words.items():
            for word in _shortest(listed_words):
                slots.setdefault(word, set()).add(slot)
        self.words: Final = [(found, word) for word, found in slots.items()]
        """Words, and the slots of which no clause speaks without one of theirs."""

    def fitting(self, clause: str) -> Iterator[Cue]:
        """Yield the cues that may fit a clause, in the order of the table."""
        folded = clause.lower()
        numbers = set(self._always)
        for place in range(len(folded)):
            for length in (1, 2):
                for word, found in self._by_beginning.get(folded[place : place + length], ()):
                    if folded.startswith(word, place):
                        numbers |= found
        return (self._cues[number] for number in sorted(numbers))


def _shortest(words: Iterable[str]) -> Iterator[str]:
    """Yield the words without those that hold another of them."""
    kept: list[str] = []
    for word in sorted(words, key=len):
        if not any(each in word for each in kept):
            kept.append(word)
            yield word


@cache
def tables() -> Mapping[str, CueTable]:
    """Return the cues of each language; made when first needed, the start must not wait."""
    return {
        "zh": CueTable(cues(slots_zh.TABLE, slots_zh.WORDS)),
        "en": CueTable(cues(slots_en.TABLE, slots_en.WORDS)),
    }


def _literals(parsed: Iterable[Any]) -> set[str] | None:
    """Return the words one of which every match holds; None if there is no such list."""
    found: list[set[str]] = []
    run = ""
    for code, argument in parsed:
        if code is codes.LITERAL:
            run += chr(argument).lower()
            continue
        found += [{run}] if run else []
        run = ""
        inside = _literals_of(code, argument)
        found += [inside] if inside else []
    found += [{run}] if run else []
    # The list whose shortest word is longest says most.
    return max(found, key=lambda words: (min(map(len, words)), -len(words)), default=None)


def _literals_of(code: Any, argument: Any) -> set[str] | None:
    if code is codes.SUBPATTERN:
        return _literals(argument[-1])
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT} and argument[0] > 0:
        return _literals(argument[2])
    if code is codes.IN and all(kind is codes.LITERAL for kind, _ in argument):
        return {chr(each).lower() for _, each in argument}
    if code is codes.BRANCH:
        sets = [_literals(branch) for branch in argument[1]]
        return set().union(*filter(None, sets)) if all(sets) else None
    return None
