"""The grammar of bracketed lines, which every answer of the background is written in.

Operations may be spelled as JSON as well, where a server holds a model to it; both spellings
become the same brackets.

It is total and linear: it never raises, whatever it is given, and reads a megabyte in well under a
tenth of a second. It knows no operation by meaning; its readers do, and so do the readers of
episodes, verdicts and shorter texts.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memory.text.late_pattern import LatePattern

OPENING: Final = "[［【"

CLOSING: Final = "]］】"

MAX_OPERATIONS: Final = 100
"""An honest answer about one turn or one stretch is far shorter; more is a runaway."""

MOST_REPEATED: Final = 4
"""So often one line may stand in an answer; more is a model that came to no end."""

MAX_CHARACTERS: Final = 2_000
"""The longest operation, bracket and text together."""

_LEAD: Final = LatePattern(r"(?:[-*•·]+[ \t]+|\d{1,3}[.)、][ \t]*)?[*`_]{0,3}[ \t]*")
"""What markdown may put before an operation: a bullet or number, emphasis, a back-tick."""

_CLOSE: Final = LatePattern(f"[{re.escape(CLOSING)}]")

_HEAD: Final = LatePattern(r"[ \t]*([A-Za-z_]+)[ \t]*")

_TARGETED: Final = LatePattern(r"[^:：]{0,20}[:：][ \t]*[mM]\d")
"""An operation by its form (``删除:m1``), whatever it calls itself."""

_ATTRIBUTE: Final = LatePattern(r"(?:^|[ \t])([A-Za-z_]+)[ \t]*[=＝]")

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


@dataclass(frozen=True, slots=True)
class Malformed:
    """One line that looks like an operation and is none; the others may still be sound."""

    why: str
    name: str = "?"


_RUNAWAY: Final = Unreadable("far too many operations")

_REPEATS: Final = Unreadable("the answer repeats itself")

_BREAKS_OFF: Final = Unreadable("a line breaks off inside its bracket")


def brackets(answer: str, names: frozenset[str]) -> tuple[Bracket, ...] | Unreadable:
    """Return the operations of ``answer`` in order; a malformed one spoils them all."""
    found = lines_of(answer, names)
    if isinstance(found, Unreadable):
        return found
    wrong = next((each for each in found if isinstance(each, Malformed)), None)
    whole = tuple(each for each in found if isinstance(each, Bracket))
    return whole if wrong is None else Unreadable(wrong.why)


def lines_of(answer: str, names: frozenset[str]) -> tuple[Bracket | Malformed, ...] | Unreadable:
    """Return what ``answer`` asks for line by line, or why it cannot be read at all.

    A line is an operation if it begins, after markdown, with a bracket and a Latin word, or has
    an operation's form. Everything else is prose and ignored. A bracket that is not closed, an
    operation inside another's text or one line over and over makes the whole answer unreadable;
    so does an answer without any operation, which is not the same as one that says SKIP.
    """
    told = _without_thought(answer)
    if told is None:
        return Unreadable("the answer ends inside its reasoning")
    nested = _nested_in(names)
    found: list[Bracket | Malformed] = []
    for line in _operation_lines(told):
        read = _bracket(line, names) if len(found) < MAX_OPERATIONS else _RUNAWAY
        if isinstance(read, Unreadable):
            return read
        if read is None:
            continue
        if nested.search(read.text if isinstance(read, Bracket) else line[1:]):
            return Unreadable(f"{read.name} holds another operation")
        found.append(read)
    if max(Counter(found).values(), default=0) > MOST_REPEATED:
        return _REPEATS
    return tuple(found) or Unreadable("no operation in the answer")


def _nested_in(names: frozenset[str]) -> LatePattern:
    """Return what tells that a text was copied from what the model read, not written by it."""
    known = "|".join(sorted(names))
    return LatePattern(f"[{re.escape(OPENING)}][ \t]*(?:{known})\\b", re.IGNORECASE)


_KEYS: Final = frozenset({"op", "handles", "text"})


def rows_of(
    answer: str, names: frozenset[str]
) -> tuple[Bracket | Malformed, ...] | Unreadable | None:
    """Return what a JSON ``answer`` asks for row by row; None if it is not written as JSON.

    It is the other spelling of :func:`lines_of` and held to the same: a row that is no operation
    stands among the others as malformed; an answer that breaks off, repeats itself or holds an
    operation inside a text cannot be read at all. No rows mean nothing new.
    """
    told = (_without_thought(answer) or "").strip().removeprefix("```json").strip("`").strip()
    if not told.startswith("{") or '"operations"' not in told:
        return None
    try:
        content = json.loads(told, object_pairs_hook=_distinct, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return Unreadable("the JSON cannot be read")
    rows = content.get("operations") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        return Unreadable("the JSON holds no operations")
    if len(rows) > MAX_OPERATIONS:
        return _RUNAWAY
    found = tuple(_row(each, names) for each in rows)
    nested = _nested_in(names)
    texts = [each.text for each in found if isinstance(each, Bracket)]
    if any(nested.search(each) for each in texts):
        return Unreadable("a text holds another operation")
    return _REPEATS if max(Counter(found).values(), default=0) > MOST_REPEATED else found


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object] | None:
    """Return an object of JSON; None, which is no operation, if it says one thing twice."""
    return dict(pairs) if len({key for key, _ in pairs}) == len(pairs) else None


def _no_number(name: str) -> object:
    raise ValueError(name)


def _row(row: object, names: frozenset[str]) -> Bracket | Malformed:
    """Read one operation of a JSON answer."""
    given = (
        {key: value for key, value in row.items() if value is not None}
        if isinstance(row, dict)
        else {}
    )
    name = given.get("op")
    if not isinstance(name, str) or name.upper() not in names:
        return Malformed("an unknown operation")
    name, text = name.upper(), given.get("text", "")
    target = _written(given.get("handles", []))
    attributes = tuple(
        (key.lower(), _written(value)) for key, value in given.items() if key not in _KEYS
    )
    if (
        not isinstance(text, str)
        or target is None
        or any(value is None for _, value in attributes)
    ):
        return Malformed("holds something that is no text", name)
    text = " ".join(text.split()).strip(_MARKS).strip()
    if len(text) > MAX_CHARACTERS:
        return Malformed("is far too long for an operation", name)
    known = tuple((key, value or "") for key, value in attributes)
    return Bracket(name=name, target=target, attributes=known, text=text)


_UNWRITABLE: Final = LatePattern(f"[{re.escape(OPENING + CLOSING)}\\x00-\\x1f]")
"""What can stand in no bracket of a line."""


def _written(value: object) -> str | None:
    """Return a value of JSON as a bracket would hold it; None if none could."""
    parts = value if isinstance(value, list) else [value]
    if any(isinstance(each, bool) or not isinstance(each, str | int | float) for each in parts):
        return None
    written = ",".join(str(each).strip() for each in parts)
    return None if _UNWRITABLE.search(written) or len(written) > MAX_CHARACTERS else written


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


def _bracket(line: str, names: frozenset[str]) -> Bracket | Malformed | Unreadable | None:
    """Read one line that begins with a bracket; None if it is prose after all."""
    # Lengths first: every search below then runs over a bounded text.
    if len(line) > MAX_CHARACTERS:
        return Unreadable("a line is far too long for an operation")
    closing = _CLOSE.search(line, 1)
    inside = line[1 : closing.start()] if closing else line[1:]
    head = _HEAD.match(inside)
    if closing is None:
        # Cut off by the token limit: [DELETE:m1 could have become [DELETE:m12.
        return _BREAKS_OFF
    if head is None:
        return Malformed("an unknown operation") if _TARGETED.match(inside) else None
    name = head[1].upper()
    if name not in names:
        return Malformed("an unknown operation")
    return _bracket_of(name, inside[head.end() :], line[closing.end() :])


def _bracket_of(name: str, rest: str, after: str) -> Bracket | Malformed:
    """Return the bracket of a known name from what follows the name and the closing bracket."""
    starts = list(_ATTRIBUTE.finditer(rest))
    target = rest[: starts[0].start()] if starts else rest
    target = target.strip()
    if target and target[0] not in ":：":
        return Malformed("is followed by something that is no target", name)
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
        return Malformed("gives an attribute twice", name)
    if target and not target[1:].strip():
        return Malformed("has an empty target", name)
    return Bracket(
        name=name,
        target=target[1:].strip(),
        attributes=attributes,
        text=after.strip(_MARKS).strip(),
    )
