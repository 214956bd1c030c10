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
    Links,
    PendingReview,
    PreviousText,
    Put,
    Receipt,
    Record,
    RememberedId,
    Tombstone,
    Turn,
    Undo,
    WeightLog,
    Window,
)
from memory.diary import resumed_window, unkept_dropped
from memory.laws.contract import GRACE
from memory.lifecycle.effects import REVIEW_LABEL, let_go_since
from memory.model import Active, AgentSettings, Archived, Deleted, Memory, Merged, Tier
from memory.reminder import Reminder
from memory.state import (
    MAX_LINKS,
    STORED_NAMES,
    TABLES,
    MemoryState,
    next_tombstone_id,
)
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
    entry = Undo(id=ids[-1] + 1 if ids else 1, at=now, actor=actor, label=label, inverse=inverse)
    entry = replace(entry, left=tuple(_digest_for(entry, after, change) for change in inverse))
    dropped = [Drop(Undo, old) for old in ids[: max(len(ids) - UNDOS_KEPT + 1, 0)]]
    return (*changes, Put(entry), *dropped)


def record_digest(state: MemoryState, change: Change) -> str:
    """Return a digest of the record a change is about, as ``state`` holds it.

    It is stored, so it depends on nothing but what is stored: a class may get another name, and a
    record another field with a default, and an older entry still fits.
    """
    kind, found = _record_of(state, change)
    return _STABLE + _digest(repr((STORED_NAMES[kind], _plain(found))))


def shown_digests(state: MemoryState, entry: Undo) -> list[str]:
    """Return digests of the present records that undoing an entry would visibly change."""
    return [
        _digest_for(entry, state, change)
        for change in entry.inverse
        if not _moves_by_itself(entry, change)
    ]


def is_learnt(entry: Undo) -> bool:
    """Whether an entry is of what was taken from talk, rather than of a step of the partner's."""
    return entry.label == "remember" or (entry.actor == "background" and entry.label != "merge")


_BY_THEMSELVES: Final = (Links, WeightLog, PendingReview, Receipt)
"""What is kept of use and of nearness, which every turn changes."""


def _moves_by_itself(entry: Undo, change: Change) -> bool:
    """Whether a record changes without anybody having changed it.

    A learnt memory is asked about as soon as somebody corrected it, and not because it was used.
    """
    table = type(change.record) if isinstance(change, Put) else change.table
    return is_learnt(entry) and table in _BY_THEMSELVES


def _digest_for(entry: Undo, state: MemoryState, change: Change) -> str:
    """Return the digest of a record by which an entry tells whether it was touched since."""
    table = type(change.record) if isinstance(change, Put) else change.table
    if table is not Memory or not is_learnt(entry):
        return record_digest(state, change)
    key = change.record.key if isinstance(change, Put) else change.key
    return _SETTLED + _digest(repr(_plain(_settled(state.memories.get(cast("int", key))))))


def _settled(memory: Memory | None) -> object:
    """Return what of a memory only a step changes: not what use and the reviewer move."""
    if memory is None or memory.nature.tier is Tier.ENTITY:
        return memory and memory.id
    return (
        (memory.id, memory.words, replace(memory.nature, tier=Tier.FACT), memory.origin),
        (memory.standing, memory.passages, memory.trace.negated_at, memory.sealed),
        replace(memory.lineage, consolidated_at=None, revived_at=None),
    )


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

_SETTLED: Final = "3:"
"""Stands before digests of what of a learnt memory only a step changes."""

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


def _is_as_left(state: MemoryState, entry: Undo, change: Change, left: str) -> bool:
    """Whether the record a change is about is still as its entry left it."""
    if left.startswith(_SETTLED):
        return _digest_for(entry, state, change) == left
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
    return tuple(
        change
        for change, left in pairs
        if not _moves_by_itself(entry, change) and not _is_as_left(state, entry, change, left)
    )


def is_overtaken(state: MemoryState, entry: Undo) -> bool:
    """Whether nothing of what an entry taught holds any more: it was changed or taken away since.

    To take such an entry back would change what came in its place.
    """
    made = [x for x in entry.inverse if isinstance(x, Drop)]
    known = [state.memories.get(cast("int", x.key)) for x in made if x.table is Memory]
    asked = [state.reminders.get(cast("int", x.key)) for x in made if x.table is Reminder]
    if not is_learnt(entry) or not (known or asked) or any(x and x.is_open for x in asked):
        return False
    facts = (x for x in known if x is not None and x.nature.tier is not Tier.ENTITY)
    return not any(x.is_active and not x.is_past for x in facts)


def plan_undo(state: MemoryState, entry: Undo) -> tuple[Change, ...]:
    """Return the changes that restore the records an entry touched, exactly as they were.

    Of the agent's own record only the settings come back, and with a law what went by it since; of
    a window its lines. What the entry had made is gone then, and with it a review of it and the
    turn it is from, if that still waits to be judged: it would be learnt from it again. A verdict
    that is taken back stays answered. An entry that is no longer there restores nothing.
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
                changes += _brought_back(state, entry)
                changes += pause_over(state, settings, entry.at)
                changes.append(Put(replace(state.agent_info, settings=settings)))
            case Put(Window() as before):
                window = state.windows.get(before.conversation, before)
                changes.append(Put(resumed_window(window, before)))
            case Drop(table, key) if table is Memory:
                known = state.memories.get(cast("int", key))
                turn = [Drop(Turn, known.origin.turn_id)] if known else []
                changes += [change, Drop(PendingReview, key), *turn]
            case _:
                changes.append(_with_links_since(change, entry, state))
    return (*changes, Drop(Undo, entry.id))


def _brought_back(state: MemoryState, entry: Undo) -> Iterator[Change]:
    """Yield what brings back what went by rule since a law was chosen."""
    for memory in let_go_since(state, entry):
        yield Put(memory)
        if memory.words != state.memories[memory.id].words:
            yield Drop(PreviousText, memory.id)


def pause_over(state: MemoryState, settings: AgentSettings, now: datetime) -> tuple[Change, ...]:
    """Return what lets go of all that was said in a pause, where ``settings`` end it.

    They hold a tombstone of the kind ``sealing``, so that the files are cleaned of it as well.
    """
    if state.agent_info.settings.learning or not settings.learning:
        return ()
    dropped = tuple(unkept_dropped(state))
    cleaned = Put(Tombstone(id=next_tombstone_id(state), at=now, key_hex="", kind="sealing"))
    return (*dropped, cleaned) if dropped else ()


def _with_links_since(change: Change, entry: Undo, state: MemoryState) -> Change:
    """Return what restores the links of a memory, with those it got since beside them.

    Any other change is returned as it is.
    """
    match change:
        case Put(Links() as before):
            pass
        case Drop(table, int() as source) if table is Links:
            before = Links(source=source, links=())
        case _:
            return change
    now = state.links.get(before.source)
    pairs = zip(entry.inverse, entry.left, strict=False)
    left = next((left for each, left in pairs if each is change), "")
    made = {x.key for x in entry.inverse if isinstance(x, Drop) and x.table is Memory}
    untouched = before.source in made or record_digest(state, change) == left
    if now is None or untouched or not is_learnt(entry):
        return change
    had = {each.target for each in before.links}
    since = (x for x in now.links if x.target not in made | had and x.target in state.memories)
    return Put(replace(now, links=(*before.links, *since)[:MAX_LINKS]))


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
