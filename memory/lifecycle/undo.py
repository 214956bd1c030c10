"""The entries that ``/undo`` takes back: the newest fifty, each no older than 30 days.

An entry holds the changes that restore its records, and a digest of each record as it was left:
so undo can say what was changed since before it overwrites it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, assert_never, cast

from memory.changes import (
    AgentInfo,
    Change,
    Corrections,
    Drop,
    ErasedId,
    PendingReview,
    PreviousText,
    Put,
    Record,
    RememberedId,
    Turn,
    Undo,
    Window,
)
from memory.diary import resumed_window
from memory.laws.contract import GRACE
from memory.model import Active, Archived, Deleted, Memory, Merged
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.views import standing_name

if TYPE_CHECKING:
    from dataclasses import Field

    from _typeshed import DataclassInstance

UNDOS_KEPT: Final = 50
LARGEST_NIGHT: Final = 500
LARGEST_STEP: Final = 2_000
"""So many records one entry holds at most: of a step some two megabytes, for 30 days."""

Actor = Literal["partner", "background", "law"]

PARTNER: Final = "partner"

REVIEW_LABEL: Final = "review"
"""The label of the entry of a verdict, and of many that were given at once."""


def with_undo(
    state: MemoryState, changes: tuple[Change, ...], now: datetime, *, actor: Actor, label: str
) -> tuple[Change, ...]:
    """Return ``changes`` and with them the entry that takes them back.

    A step of more than 2,000 records (a cleanup under another law, a large import) leaves no
    entry: whoever takes it says so. What a law took away can be brought back one by one.
    """
    if not changes or len(changes) > (LARGEST_NIGHT if actor == "law" else LARGEST_STEP):
        return changes
    after, inverse = state.apply(changes)
    ids = sorted(state.undos)
    entry = Undo(
        id=ids[-1] + 1 if ids else 1,
        at=now,
        actor=actor,
        label=label,
        inverse=inverse,
        left=tuple(record_digest(after, change) for change in inverse),
    )
    dropped = [Drop(Undo, old) for old in ids[: max(len(ids) - UNDOS_KEPT + 1, 0)]]
    return (*changes, Put(entry), *dropped)


def record_digest(state: MemoryState, change: Change) -> str:
    """Return a digest of the record a change is about, as ``state`` holds it.

    It is stored, so it depends on nothing but what is stored: a class may get another name, and a
    record another field with a default, and an older entry still fits.
    """
    kind, found = _record_of(state, change)
    return _STABLE + _digest(repr((STORED_NAMES[kind], _plain(found))))


def _record_of(state: MemoryState, change: Change) -> tuple[type[Record], object]:
    """Return the table of the record a change is about, and what counts of it.

    Of the agent's own record only its settings count: the rest moves by itself all the time. So
    does a window, and taking up what was said before loses nothing of what was said since.
    """
    match change:
        case Put(AgentInfo()):
            return AgentInfo, state.agent_info.settings
        case Put(Window()):
            return Window, None
        case Put(record):
            return type(record), getattr(state, TABLES[type(record)]).get(record.key)
        case Drop(table, key):
            return table, getattr(state, TABLES[table]).get(key)
        case never:
            assert_never(never)


def _plain(value: object) -> object:
    """Return a value as plain data: enums by value, of a record only what is not its default."""
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.astimezone(UTC).isoformat()
        case tuple():
            return tuple(map(_plain, value))
        case Active() | Archived() | Deleted() | Merged():
            # These differ by what they are, not only by their fields.
            return (standing_name(value), *_fields(value))
        case _ if is_dataclass(value):
            return _fields(value)
        case _:
            return value


def _fields(record: object) -> tuple[object, ...]:
    return tuple(
        (each.name, _plain(value))
        for each in fields(cast("DataclassInstance", record))
        if (value := getattr(record, each.name)) != _default_of(each)
    )


def _default_of(each: "Field[object]") -> object:
    return each.default if each.default_factory is MISSING else each.default_factory()


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


_STABLE: Final = "2:"
"""Stands before digests made as :func:`record_digest` makes them."""

# Entries of earlier versions hold a digest of the ``repr`` of the record, with the names that
# the classes had then. An entry lives for 30 days, so this table may go with the next schema.
_FORMER_NAMES: Final[Mapping[type[Record], str]] = {
    PreviousText: "Former",
    RememberedId: "Seen",
    ErasedId: "Buried",
    PendingReview: "Review",
}

# Fields that are younger than every such digest, as they stand where they have no value.
_YOUNGER_FIELDS: Final = (
    ", numbers=()",
    ", revived_at=None",
    ", diary_days=None",
    ", context_threshold_ratio=0.8",
    ", due=False",
    ", begins=''",
    ", not_begun=()",
    ", unmentioned=()",
    ", quiet_hours='22-9'",
    ", reviews=()",
)


def _is_as_left(state: MemoryState, change: Change, left: str) -> bool:
    """Whether the record a change is about is still as its entry left it."""
    if left.startswith(_STABLE):
        return record_digest(state, change) == left
    kind, found = _record_of(state, change)
    text = repr(found)
    for younger in _YOUNGER_FIELDS:
        text = text.replace(younger, "")
    if found is not None and kind in _FORMER_NAMES:
        text = _FORMER_NAMES[kind] + text.removeprefix(kind.__name__)
    return _digest(text) == left


def step_name(entry: Undo) -> str:
    """Return the name by which one entry is asked for: its id is given again, its name is not."""
    told = f"{entry.id} {entry.at.astimezone(UTC).isoformat()} {entry.label}"
    return blake2b(told.encode(), digest_size=4).hexdigest()


def find_step(state: MemoryState, name: str) -> Undo | None:
    """Return the entry of the partner or of the background 小祥 that has the name."""
    for undo in state.undos.values():
        if undo.actor != "law" and step_name(undo) == name:
            return undo
    return None


def last_step(state: MemoryState) -> Undo | None:
    """Return the newest entry of the partner or of the background 小祥, if there is one."""
    ids = [undo.id for undo in state.undos.values() if undo.actor != "law"]
    return state.undos[max(ids)] if ids else None


def touched_since(state: MemoryState, entry: Undo) -> tuple[Change, ...]:
    """Return those of the inverse changes whose records something else has changed since."""
    if len(entry.left) != len(entry.inverse):
        return entry.inverse
    pairs = zip(entry.inverse, entry.left, strict=True)
    return tuple(change for change, left in pairs if not _is_as_left(state, change, left))


def plan_undo(state: MemoryState, entry: Undo) -> tuple[Change, ...]:
    """Return the changes that restore the records an entry touched, exactly as they were.

    Of the agent's own record only the settings come back, of a window its lines. What the entry
    had made is gone then, and with it a review of it and the turn it is from, if that still waits
    to be judged: it would be learnt from it again. A verdict that is taken back stays answered. An
    entry that is no longer there restores nothing.
    """
    # Between the preview and its confirmation another entry may have taken the same id.
    if state.undos.get(entry.id) != entry:
        return ()
    changes: list[Change] = []
    inverse = entry.inverse
    if entry.label == REVIEW_LABEL:
        inverse = tuple(_answered_reviews(inverse, state))
    for change in inverse:
        match change:
            case Put(AgentInfo(settings=settings)):
                changes.append(Put(replace(state.agent_info, settings=settings)))
            case Put(Window() as before):
                window = state.windows.get(before.conversation, before)
                changes.append(Put(resumed_window(window, before)))
            case Drop(table, key) if table is Memory:
                known = state.memories.get(cast("int", key))
                turn = [Drop(Turn, known.origin.turn_id)] if known else []
                changes += [change, Drop(PendingReview, key), *turn]
            case _:
                changes.append(change)
    return (*changes, Drop(Undo, entry.id))


def _answered_reviews(inverse: Sequence[Change], state: MemoryState) -> Iterator[Change]:
    """Yield the changes that take verdicts back, and leave what was asked answered."""
    for change in inverse:
        match change:
            case Put(PendingReview()):
                # The partner has answered it. Asked again, the same reviewer would say the same.
                pass
            case Put(Corrections() as before):
                yield Put(_with_answer(before, state))
            case Drop(table, int() as key) if table is Corrections:
                yield Put(_with_answer(Corrections(memory_id=key), state))
            case _:
                yield change


def _with_answer(before: Corrections, state: MemoryState) -> Corrections:
    """Return the history of a memory as it was, and in it that the partner took a verdict back."""
    known = state.corrections.get(before.memory_id)
    undone = known.reviews[-1:] if known else ()
    answer = tuple(replace(each, decision="keep", by=PARTNER) for each in undone)
    return replace(before, reviews=(*before.reviews, *answer))


def expired_undos(state: MemoryState, now: datetime) -> list[Change]:
    """Return the drops of entries past the days of grace, so none brings back what was purged."""
    return [Drop(Undo, undo.id) for undo in state.undos.values() if now - undo.at >= GRACE]
