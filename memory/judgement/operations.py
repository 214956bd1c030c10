"""The bracketed operations a model answers with, and the seven of the background 小祥.

``brackets`` is total and linear: it never raises, whatever it is given, and reads a megabyte in
well under a tenth of a second. It knows no operation by meaning; the readers above it do, and so
do the readers of episodes, verdicts and shorter texts.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from memory.model import Kind, Sensitivity, Topic

OPENING: Final = "[［【"

CLOSING: Final = "]］】"

MAX_OPERATIONS: Final = 100
"""An honest answer about one turn or one stretch is far shorter; more is a runaway."""

MAX_CHARACTERS: Final = 2_000
"""The longest operation, bracket and text together."""

_LEAD: Final = re.compile(r"(?:[-*•·]+[ \t]+|\d{1,3}[.)、][ \t]*)?[*`_]{0,3}[ \t]*")
"""What markdown may put before an operation: a bullet or number, emphasis, a back-tick."""

_CLOSE: Final = re.compile(f"[{re.escape(CLOSING)}]")

_HEAD: Final = re.compile(r"[ \t]*([A-Za-z_]+)[ \t]*")

_TARGETED: Final = re.compile(r"[^:：]{0,20}[:：][ \t]*[mM]\d")
"""An operation by its form (``删除:m1``), whatever it calls itself."""

_ATTRIBUTE: Final = re.compile(r"(?:^|[ \t])([A-Za-z_]+)[ \t]*[=＝]")

_THOUGHT_ENDS: Final = "</think>"

_MARKS: Final = " \t*`_:：-—"
"""What may stand between an operation and its text without belonging to it."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that cannot be acted on as a whole. ``why`` holds no private text."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """One operation as written: ``[NAME:target attribute=value …] text``."""

    name: str
    target: str
    attributes: tuple[tuple[str, str], ...]
    text: str

    def attribute(self, name: str) -> str:
        """Return the value of an attribute, or the empty string."""
        return next((value for key, value in self.attributes if key == name), "")


_RUNAWAY: Final = Unreadable("far too many operations")


def brackets(answer: str, names: frozenset[str]) -> tuple[Bracket, ...] | Unreadable:
    """Return the operations of ``answer`` in order, or why it cannot be read.

    A line is an operation if it begins, after markdown, with a bracket and a Latin word, or has
    an operation's form. Everything else is prose and ignored. A name outside ``names``, a bracket
    that is not closed, or an operation inside another's text makes the whole answer unreadable;
    so does an answer without any operation, which is not the same as one that says SKIP.
    """
    told = _without_thought(answer)
    if told is None:
        return Unreadable("the answer ends inside its reasoning")
    # A text that holds an operation was copied from what the model read, not written by it.
    known = "|".join(sorted(names))
    nested = re.compile(f"[{re.escape(OPENING)}][ \t]*(?:{known})\\b", re.IGNORECASE)
    found: list[Bracket] = []
    for line in _operation_lines(told):
        read = _bracket(line, names) if len(found) < MAX_OPERATIONS else _RUNAWAY
        if isinstance(read, Unreadable):
            return read
        if read is None:
            continue
        if nested.search(read.text):
            return Unreadable(f"{read.name} holds another operation")
        found.append(read)
    return tuple(found) or Unreadable("no operation in the answer")


def comma_separated(value: str) -> tuple[str, ...]:
    """Return the items of a comma-separated value, trimmed, each once, without empty ones."""
    items = (item.strip() for item in re.split("[,，、;；]", value))
    return tuple(dict.fromkeys(item for item in items if item))


def _without_thought(answer: str) -> str | None:
    """Return what follows a reasoning model's last thought; None if it never came out of it."""
    # The last end counts: a thought may quote the mark, the answer after it does not.
    _, ended, rest = answer.rpartition(_THOUGHT_ENDS)
    if not ended and answer.lstrip().startswith("<think>"):
        return None
    return rest


def _operation_lines(text: str) -> Iterator[str]:
    """Yield the lines that begin with a bracket, without the markdown before it."""
    for line in text.splitlines():
        stripped = line.strip()
        lead = _LEAD.match(stripped)
        rest = stripped[lead.end() :] if lead else stripped
        if rest and rest[0] in OPENING:
            yield rest


def _bracket(line: str, names: frozenset[str]) -> Bracket | Unreadable | None:
    """Read one line that begins with a bracket; None if it is prose after all."""
    # Lengths first: every search below then runs over a bounded text.
    if len(line) > MAX_CHARACTERS:
        return Unreadable("a line is far too long for an operation")
    closing = _CLOSE.search(line, 1)
    inside = line[1 : closing.start()] if closing else line[1:]
    head = _HEAD.match(inside)
    if closing is None:
        # Cut off by the token limit: [DELETE:m1 could have become [DELETE:m12.
        return Unreadable("a line breaks off inside its bracket")
    if head is None:
        return Unreadable("an unknown operation") if _TARGETED.match(inside) else None
    name = head[1].upper()
    if name not in names:
        return Unreadable("an unknown operation")
    return _bracket_of(name, inside[head.end() :], line[closing.end() :])


def _bracket_of(name: str, rest: str, after: str) -> Bracket | Unreadable:
    """Return the bracket of a known name from what follows the name and the closing bracket."""
    starts = list(_ATTRIBUTE.finditer(rest))
    target = rest[: starts[0].start()] if starts else rest
    target = target.strip()
    if target and target[0] not in ":：":
        return Unreadable(f"{name} is followed by something that is no target")
    ends = [*(start.start() for start in starts[1:]), len(rest)]
    attributes = (
        tuple(
            (start[1].lower(), rest[start.end() : end].strip())
            for start, end in zip(starts, ends, strict=True)
        )
        if starts
        else ()
    )
    if len({key for key, _ in attributes}) != len(attributes):
        return Unreadable(f"{name} gives an attribute twice")
    if target and not target[1:].strip():
        return Unreadable(f"{name} has an empty target")
    return Bracket(
        name=name,
        target=target[1:].strip(),
        attributes=attributes,
        text=after.strip(_MARKS).strip(),
    )


NAMES: Final = frozenset({"ADD", "UPDATE", "BOOST", "DELETE", "NEGATE", "MERGE", "SKIP"})

MAX_MERGED: Final = 10
"""No bulk form exists: one MERGE joins a handful of memories, never "all"."""

# ASCII digits only: int() would also read １ and ٣, and no prompt shows those.
_HANDLE: Final = re.compile(r"m[1-9][0-9]{0,3}")

_NUMBER: Final = re.compile(r"[01](?:\.[0-9]{1,6})?")

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


Operation: TypeAlias = Add | Update | Boost | Delete | Negate | Merge

CAPS: Final[Mapping[type, int]] = {Add: 8, Update: 3, Delete: 2, Boost: 5, Negate: 2, Merge: 1}
"""So many of each kind one answer may hold: a judge gone astray does little in one turn."""


def parse_operations(answer: str) -> tuple[Operation, ...] | Unreadable:
    """Return the operations of an answer, in order; the empty tuple means SKIP: nothing new.

    Total and linear. SKIP beside operations says nothing. Anything that looks like an operation
    and is malformed, and two operations on one handle, make the whole answer unreadable.
    """
    found = brackets(answer, NAMES)
    if isinstance(found, Unreadable):
        return found
    operations: list[Operation] = []
    for bracket in found:
        read = _operation(bracket)
        if isinstance(read, Unreadable):
            return read
        if read is not None:
            operations.append(read)
    handles = [handle for operation in operations for handle in handles_of(operation)]
    if len(set(handles)) != len(handles):
        return Unreadable("two operations on one handle")
    return tuple(operations)


def handles_of(operation: Operation) -> tuple[str, ...]:
    """Return the handles an operation would touch."""
    match operation:
        case Add():
            return ()
        case Merge(handles=handles):
            return handles
        case Update(handle=handle) | Negate(handle=handle) | Boost(handle) | Delete(handle):
            return (handle,)
        case never:
            assert_never(never)


def _operation(bracket: Bracket) -> Operation | Unreadable | None:
    """Return what one bracket asks for; None for SKIP."""
    match bracket.name:
        case "SKIP" if not bracket.target and not bracket.attributes:
            return None
        case "BOOST" | "DELETE" if not bracket.attributes:
            handles = _handles(bracket.target)
            if len(handles) != 1:
                return Unreadable(f"{bracket.name} needs exactly one handle")
            return Boost(handles[0]) if bracket.name == "BOOST" else Delete(handles[0])
        case "ADD" | "UPDATE" | "NEGATE" | "MERGE":
            return _text_operation(bracket)
        case _:
            return Unreadable(f"{bracket.name} takes no attributes or target")


def _text_operation(bracket: Bracket) -> Operation | Unreadable:
    """Return an operation that brings a text."""
    details = _details(bracket)
    if isinstance(details, Unreadable) or not bracket.text:
        return details if isinstance(details, Unreadable) else Unreadable("a text is missing")
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
            return Unreadable(f"{bracket.name} does not name its memories as it must")


def _handles(target: str) -> tuple[str, ...]:
    """Return the handles of a target, in order; nothing at all if any part is not a handle.

    ``m1`` only: no ranges, no stars, no digits of another script, no real ids.
    """
    parts = [part.strip().lower() for part in re.split("[,，、]", target)]
    if not all(_HANDLE.fullmatch(part) for part in parts):
        return ()
    return tuple(parts) if len(set(parts)) == len(parts) else ()


def _details(bracket: Bracket) -> MemoryDetails | Unreadable:
    """Return the attributes of a bracket, or why one of them is none."""
    if any(key not in _DETAILS for key, _ in bracket.attributes):
        return Unreadable(f"{bracket.name} has an unknown attribute")
    if any(not value for _, value in bracket.attributes):
        return Unreadable(f"{bracket.name} has an empty attribute")
    kind, topic = bracket.attribute("kind").lower(), bracket.attribute("topic").lower()
    sensitivity = bracket.attribute("sensitivity")
    confidence = bracket.attribute("confidence")
    wrong = next(_wrong_attributes(kind, topic, sensitivity, confidence), None)
    if wrong is not None:
        return Unreadable(f"{bracket.name} has a wrong {wrong}")
    return MemoryDetails(
        kind=Kind(kind) if kind else None,
        topic=Topic(topic) if topic else None,
        confidence=_number_to_one(confidence),
        sensitivity=Sensitivity(int(sensitivity)) if sensitivity else None,
        # As many as the rules would find (memory.text.tokens.keywords).
        keywords=comma_separated(bracket.attribute("keywords"))[:8],
    )


def _wrong_attributes(kind: str, topic: str, sensitivity: str, confidence: str) -> Iterator[str]:
    """Yield the name of every attribute whose value is not one of those it may have."""
    if kind and kind not in set(Kind):
        yield "kind"
    if topic and topic not in set(Topic):
        yield "topic"
    if sensitivity and sensitivity not in {"0", "1", "2", "3"}:
        yield "sensitivity"
    if confidence and _number_to_one(confidence) is None:
        yield "confidence"


def _number_to_one(value: str) -> float | None:
    """Return a number from 0 to 1 written in ASCII digits, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    share = float(value)
    return share if math.isfinite(share) and share <= 1.0 else None


def limit_violation(
    operations: Sequence[Operation], shown: Collection[str], allowed: Collection[type]
) -> Unreadable | None:
    """Return why an answer as a whole goes beyond what it may, if it does."""
    handles = [handle for operation in operations for handle in handles_of(operation)]
    if any(handle not in shown for handle in handles):
        return Unreadable("a memory that was not shown")
    if len(set(handles)) != len(handles):
        return Unreadable("two operations on one handle")
    counts = Counter(type(operation) for operation in operations)
    if any(kind not in allowed or count > CAPS[kind] for kind, count in counts.items()):
        return Unreadable("more operations than are allowed")
    return None
