"""The operations of the background 小祥, as read from a model's answer."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from memory.judgement.brackets import (
    Bracket,
    Malformed,
    Unreadable,
    comma_separated,
    lines_of,
    rows_of,
)
from memory.model import Kind, Sensitivity, Topic
from prompts import EXAMPLE_HANDLES, OPERATION_NAMES, UNSAID_REASONS, is_from_example

_NAMES: Final = frozenset(OPERATION_NAMES)

MAX_MERGED: Final = 10
"""No bulk form exists: one MERGE joins a handful of memories, never "all"."""

# ASCII digits only: int() would also read １ and ٣, and no prompt shows those.
_HANDLE: Final = re.compile(r"m[1-9][0-9]{0,3}")

_NUMBER: Final = re.compile(r"[01](?:\.[0-9]{1,6})?")

_PLACEHOLDER: Final = re.compile("[〔〕]")
"""What the examples of our prompts stand for something with; nobody else writes them."""

_DETAILS: Final = frozenset({"kind", "topic", "confidence", "sensitivity", "keywords"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDetails:
    """What the model says about a new memory beside its text; None where it says nothing."""

    kind: Kind | None = None
    topic: Topic | None = None
    confidence: float | None = None
    sensitivity: Sensitivity | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Add:
    """Remember something new."""

    text: str
    details: MemoryDetails = MemoryDetails()


@dataclass(frozen=True, slots=True)
class Update:
    """Say it better or newer than the memory does."""

    handle: str
    text: str
    details: MemoryDetails = MemoryDetails()


@dataclass(frozen=True, slots=True)
class Boost:
    """The memory was really used, or confirmed."""

    handle: str


@dataclass(frozen=True, slots=True)
class Delete:
    """The memory is wrong."""

    handle: str


@dataclass(frozen=True, slots=True)
class Negate:
    """It was so and is no longer; ``text`` says what holds now."""

    handle: str
    text: str
    details: MemoryDetails = MemoryDetails()


@dataclass(frozen=True, slots=True)
class Merge:
    """Several memories say one thing; ``text`` says it once."""

    handles: tuple[str, ...]
    text: str
    details: MemoryDetails = MemoryDetails()


@dataclass(frozen=True, slots=True)
class NotMeant:
    """What the rules kept of this turn was not meant: ``reason`` is one of ``UNSAID_REASONS``."""

    handle: str
    reason: str


@dataclass(frozen=True, slots=True)
class Remind:
    """The partner asks to be reminded; ``text`` says of what."""

    text: str


Operation: TypeAlias = Add | Update | Boost | Delete | Negate | Merge | NotMeant | Remind

CAPS: Final[Mapping[type, int]] = {
    Add: 8,
    Update: 3,
    Delete: 2,
    Boost: 5,
    Negate: 2,
    Merge: 1,
    NotMeant: 2,
    Remind: 2,
}
"""So many of each kind one answer may do: a judge gone astray does little in one turn."""


def meant_as_new(operation: Operation | Malformed) -> Operation | Malformed:
    """Return an UPDATE of the memory that only the example of our prompts shows as an ADD.

    Small models copy the handle with the form of the line. What they write beside it has to have
    been said like everything new.
    """
    if isinstance(operation, Update) and operation.handle in EXAMPLE_HANDLES:
        return Add(operation.text, operation.details)
    return operation


def parse_operations(answer: str) -> tuple[Operation | Malformed, ...] | Unreadable:
    """Return the operations of an answer, in order; the empty tuple means SKIP: nothing new.

    Total and linear. SKIP beside operations says nothing. What looks like an operation and is
    malformed stands among them as such.
    """
    rows = rows_of(answer, _NAMES)
    found = lines_of(answer, _NAMES) if rows is None else rows
    if isinstance(found, Unreadable):
        return found
    read = (each if isinstance(each, Malformed) else _operation(each) for each in found)
    return tuple(each for each in read if each is not None)


def handles_of(operation: Operation | Malformed) -> tuple[str, ...]:
    """Return the handles an operation would touch; what cannot be read touches none."""
    match operation:
        case Add() | Remind() | Malformed():
            return ()
        case Merge(handles=handles):
            return handles
        case Update() | Negate() | Boost() | Delete() | NotMeant():
            return (operation.handle,)
        case never:
            assert_never(never)


def name_of(operation: Operation | Malformed) -> str:
    """Return how a model writes an operation: ADD."""
    if isinstance(operation, Malformed):
        return operation.name
    return "UNSAID" if isinstance(operation, NotMeant) else type(operation).__name__.upper()


PLACEHOLDER: Final = "a placeholder or the example was copied"


def _operation(bracket: Bracket) -> Operation | Malformed | None:
    """Return what one bracket asks for; None for SKIP."""
    written = f"{bracket.target} {bracket.text} {bracket.attributes}"
    if _PLACEHOLDER.search(written) or is_from_example(bracket.text):
        return Malformed(PLACEHOLDER, bracket.name)
    match bracket.name:
        case "SKIP" if not bracket.target and not bracket.attributes:
            return None
        case "BOOST" | "DELETE" | "UNSAID":
            return _bare_operation(bracket)
        case "REMIND" if bracket.text and not bracket.target and not bracket.attributes:
            return Remind(bracket.text)
        case "ADD" | "UPDATE" | "NEGATE" | "MERGE":
            return _text_operation(bracket)
        case _:
            return Malformed("takes no attributes or target", bracket.name)


def _bare_operation(bracket: Bracket) -> Operation | Malformed:
    """Return an operation on one memory that brings no text."""
    handles, reason = _handles(bracket.target), bracket.attribute("reason").lower()
    known = {"reason"} if bracket.name == "UNSAID" else set()
    if len(handles) != 1 or {key for key, _ in bracket.attributes} != known:
        return Malformed("needs exactly one handle", bracket.name)
    match bracket.name:
        case "BOOST":
            return Boost(handles[0])
        case "DELETE":
            return Delete(handles[0])
        case _ if reason in UNSAID_REASONS:
            return NotMeant(handles[0], reason)
        case _:
            return Malformed("gives no reason of those there are", bracket.name)


def _text_operation(bracket: Bracket) -> Operation | Malformed:
    """Return an operation that brings a text."""
    details = _details(bracket)
    if isinstance(details, Malformed) or not bracket.text:
        wrong = Malformed("a text is missing", bracket.name)
        return details if isinstance(details, Malformed) else wrong
    handles = _handles(bracket.target)
    match bracket.name, handles:
        case "ADD", () if not bracket.target:
            return Add(bracket.text, details)
        case "UPDATE", (handle,):
            return Update(handle, bracket.text, details)
        case "NEGATE", (handle,):
            return Negate(handle, bracket.text, details)
        case "MERGE", (_, _, *_) if len(handles) <= MAX_MERGED:
            return Merge(handles, bracket.text, details)
        case _:
            return Malformed("does not name its memories as it must", bracket.name)


def _handles(target: str) -> tuple[str, ...]:
    """Return the handles of a target, in order; nothing at all if any part is not a handle.

    ``m1`` only: no ranges, no stars, no digits of another script, no real ids.
    """
    parts = [part.strip().lower() for part in re.split("[,，、]", target)]
    if not all(_HANDLE.fullmatch(part) for part in parts):
        return ()
    return tuple(parts) if len(set(parts)) == len(parts) else ()


def _details(bracket: Bracket) -> MemoryDetails | Malformed:
    """Return the attributes of a bracket, or why one of them is none."""
    if any(key not in _DETAILS for key, _ in bracket.attributes):
        return Malformed("has an unknown attribute", bracket.name)
    if any(not value for _, value in bracket.attributes):
        return Malformed("has an empty attribute", bracket.name)
    kind, topic = bracket.attribute("kind").lower(), bracket.attribute("topic").lower()
    sensitivity = bracket.attribute("sensitivity")
    # Of a fact whose label nobody knows the rules find the label; how private it is they may not
    # know better, so nothing is guessed there.
    if sensitivity and sensitivity not in {"0", "1", "2", "3"}:
        return Malformed("has a wrong sensitivity", bracket.name)
    return MemoryDetails(
        kind=Kind(kind) if kind in set(Kind) else None,
        topic=Topic(topic) if topic in set(Topic) else None,
        confidence=_number_to_one(bracket.attribute("confidence")),
        sensitivity=Sensitivity(int(sensitivity)) if sensitivity else None,
        # As many as the rules would find (memory.text.tokens.keywords).
        keywords=comma_separated(bracket.attribute("keywords"))[:8],
    )


def _number_to_one(value: str) -> float | None:
    """Return a number from 0 to 1 written in ASCII digits, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    share = float(value)
    return share if math.isfinite(share) and share <= 1.0 else None
