"""Sealing what stands in the clear, and opening it again: plans only.

A memory is sealed together with its traces: what its words were taken from, and wherever they are
repeated, is masked, and no step that could be undone brings them back (docs/decisions/secrets.md).
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from typing import Any, Final

from memory.changes import (
    Change,
    Corrections,
    Drop,
    PreviousText,
    Put,
    Record,
    Tombstone,
    Turn,
    Undo,
)
from memory.erasing.scope import answer_ids
from memory.lifecycle.partner_steps import after_edit
from memory.lifecycle.undo import with_undo
from memory.model import Memory, Message, Sensitivity
from memory.privacy.redaction import (
    REDACTED,
    SHORTEST_KNOWN,
    known_secrets,
    longest_first,
    redacted_record,
    redaction_changes,
    values_of,
)
from memory.privacy.vault import UnsealFailure, Vault
from memory.state import MemoryState, next_tombstone_id

SHORTEST_TEXT: Final = 4
"""The fewest characters by which a sentence is known again where it is repeated."""


def plan_seal(
    state: MemoryState, memory_id: int, now: datetime, vault: Vault
) -> tuple[Change, ...]:
    """Return the changes that seal a memory and let its words stand nowhere in the clear.

    They hold a tombstone of the kind ``sealing``, so that the files are cleaned of former states
    even after a crash. There is no undo. Raises :class:`memory.errors.UnknownMemory`,
    and :class:`memory.errors.InputRefused` without a key.
    """
    memory = state.memory(memory_id)
    if memory.sealed is not None:
        return ()
    shut = vault.seal(memory, state.agent_info.settings.language)
    after, _ = state.apply(
        [Put(shut), Drop(Corrections, memory_id), Drop(PreviousText, memory_id)]
    )
    # In the state without its history: what is dropped anyway needs no masking.
    redactions = tuple(memory_redactions(memory, after))
    return (
        Put(shut),
        Drop(Corrections, memory_id),
        Drop(PreviousText, memory_id),
        *redactions,
        *_drops_of_undos(memory_id, state),
        Put(_sealing_tombstone(state, now)),
    )


def former_state_sealed(
    former: MemoryState, memory: Memory, now: datetime, vault: Vault
) -> MemoryState | None:
    """Return a former state, as a backup holds it, in which a memory is sealed as well.

    None if it holds nothing of it in the clear.
    """
    after = former
    if memory.id in former.memories:
        after, _ = after.apply(plan_seal(after, memory.id, now, vault))
    after, _ = after.apply(tuple(memory_redactions(memory, after)))
    return None if after == former else after


def plan_unseal(
    state: MemoryState, memory_id: int, grade: Sensitivity, now: datetime, vault: Vault
) -> tuple[Change, ...] | UnsealFailure:
    """Return the changes that let a sealed memory stand in the clear again, or why not.

    Undoing it seals it as it was.
    """
    memory = state.memory(memory_id)
    plain = vault.open(memory)
    if isinstance(plain, UnsealFailure):
        return plain
    clear = replace(plain, sealed=None, nature=replace(plain.nature, sensitivity=grade))
    return with_undo(state, (Put(clear),), now, actor="partner", label="sensitivity")


def plan_edit_sealed(
    state: MemoryState, memory_id: int, text: str, now: datetime, vault: Vault
) -> tuple[Change, ...] | UnsealFailure:
    """Return the changes that let a memory say something that is sealed, or why it stays shut.

    What it said before is in no history; undo brings it back as it was.
    """
    memory = state.memory(memory_id)
    plain = vault.open(memory)
    if isinstance(plain, UnsealFailure):
        return plain
    said = after_edit(plain, text, now, state.rules)
    if said is None:
        return ()
    shut = vault.seal(said, state.agent_info.settings.language)
    changes = with_undo(state, (Put(shut),), now, actor="partner", label="edit")
    # Behind the entry for undo, like every masking: undone, they would stand in the clear again.
    after, _ = state.apply(changes)
    return (*changes, *known_secret_redactions(after, now, vault))


def known_secret_redactions(
    state: MemoryState, now: datetime, vault: Vault | None
) -> tuple[Change, ...]:
    """Return what takes everything that is sealed in a state out of the rest of it."""
    redactions = tuple(redaction_changes(known_secrets(state, vault), state))
    # The files held it before: they are cleaned of former states, after a crash too.
    return (*redactions, Put(_sealing_tombstone(state, now))) if redactions else ()


def former_state_redacted(
    former: MemoryState, text: str, memory_id: int, now: datetime, vault: Vault
) -> MemoryState | None:
    """Return a former state, as a backup holds it, without what a text that is sealed tells.

    A memory that is sealed now, ``memory_id``, loses nothing: if it told it in the clear then, it
    is sealed there as well. None if nothing told it.
    """
    after, values = former, values_of(text)
    held = former.memories.get(memory_id)
    if held is not None and redacted_record(held, values) != held:
        after, _ = after.apply(plan_seal(after, memory_id, now, vault))
    after, _ = after.apply(tuple(redaction_changes(values, after)))
    return None if after == former else after


def new_secret_redactions(
    sealed: Sequence[int],
    changes: Sequence[Change],
    before: MemoryState,
    now: datetime,
    vault: Vault | None,
) -> Iterator[Change]:
    """Yield what was said of the new secrets ``sealed``, without it.

    It was talk like any other until the background took it for a secret.
    """
    after, _ = before.apply(changes)
    # One after another on the state so far: two secrets of one message must both go.
    for memory in [after.memories[each] for each in sealed]:
        plain = vault.open(memory) if vault is not None else UnsealFailure.NO_KEY
        if isinstance(plain, Memory):
            for change in memory_redactions(plain, after):
                after, _ = after.apply([change])
                yield change
    if sealed:
        yield Put(_sealing_tombstone(after, now))


def earlier_redactions(
    found: Mapping[str, Sequence[str]], state: MemoryState, now: datetime
) -> Iterator[Change]:
    """Yield what was kept of messages that later ones show to hold secrets, without these.

    ``found`` has the values by the id of the message. A short one is taken out only of what rests
    on that message, a longer one out of everything.
    """
    if not found:
        return
    values = longest_first(value for told in found.values() for value in told)
    draft, changes = state, list[Change]()
    for line in (state.diary[each] for each in found if each in state.diary):
        changes.append(Put(_without_values_of(line, found.keys(), values)))
    for name in ("windows", "turns", "tasks", "memories", "undos"):
        for record in getattr(state, name).values():
            after = _without_values_of(record, found.keys(), values)
            if after != record:
                changes.append(Drop(Undo, record.id) if isinstance(record, Undo) else Put(after))
    draft, _ = draft.apply(changes)
    changes += redaction_changes([v for v in values if len(v) >= SHORTEST_KNOWN], draft)
    if changes:
        yield from changes
        # The files held it before: they are cleaned of former states, after a crash too.
        yield Put(_sealing_tombstone(state, now))


def _without_values_of(record: Any, ids: AbstractSet[str], values: Sequence[str]) -> Any:
    """Return a record with every message of ``ids``, and what was learnt from it, masked."""
    rests = isinstance(record, Message) and record.id in ids
    if rests or (isinstance(record, Memory) and ids & set(record.source_ids)):
        return redacted_record(record, values)
    if isinstance(record, tuple):
        return tuple(_without_values_of(each, ids, values) for each in record)
    if is_dataclass(record) and not isinstance(record, type | Memory):
        inside = {f.name: getattr(record, f.name) for f in fields(record)}
        after = {name: _without_values_of(each, ids, values) for name, each in inside.items()}
        return replace(record, **after) if after != inside else record
    return record


def memory_redactions(memory: Memory, state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds what a memory says in the clear, without it.

    The messages it rests on go as a whole, and what was answered to them: they are what it was
    learnt from.
    """
    said = set(memory.source_ids)
    # An answer may repeat the secret in other words, which no search for the value would find.
    sources = frozenset({*said, *answer_ids(state, said)})
    draft = state
    for record in tuple(_records_redacted(sources, memory.id, state)):
        draft, _ = draft.apply([Put(record)])
        yield Put(record)
    texts = (memory.words.text, memory.origin.quote, *(p.text for p in memory.passages))
    values = longest_first(each for each in texts if len(each) >= SHORTEST_TEXT)
    yield from redaction_changes(values, draft)


def _sealing_tombstone(state: MemoryState, now: datetime) -> Tombstone:
    return Tombstone(id=next_tombstone_id(state), at=now, key_hex="", kind="sealing")


def _turn_redacted(turn: Turn, sources: frozenset[str]) -> Turn:
    answered = any(message.id in sources for message in turn.said)
    reply = turn.reply
    if reply is not None:
        (reply,) = _messages_redacted((reply,), {reply.id} if answered else sources)
    return replace(turn, said=_messages_redacted(turn.said, sources), reply=reply)


def _records_redacted(
    sources: frozenset[str], memory_id: int, state: MemoryState
) -> Iterator[Record]:
    for window in state.windows.values():
        lines, tail = (
            _messages_redacted(window.lines, sources),
            _messages_redacted(window.tail, sources),
        )
        yield from _if_changed(window, replace(window, lines=lines, tail=tail))
    for turn in state.turns.values():
        yield from _if_changed(turn, _turn_redacted(turn, sources))
    yield from _lines_redacted(sources, state)
    for task in state.tasks.values():
        yield from _if_changed(
            task, replace(task, messages=_messages_redacted(task.messages, sources))
        )
    for other in state.memories.values():
        passages = tuple(
            replace(p, text=REDACTED) if p.verbatim and sources & set(p.source_ids) else p
            for p in other.passages
        )
        if other.sealed is None and other.id != memory_id:
            yield from _if_changed(other, replace(other, passages=passages))
    for receipt in state.receipts.values():
        # Reasons are the words by which a memory was found: part of what it says.
        used = tuple(
            replace(u, reasons=()) if u.memory_id == memory_id else u for u in receipt.used
        )
        yield from _if_changed(receipt, replace(receipt, used=used))
    for links in state.links.values():
        kept = tuple(
            replace(e, relation="") if memory_id in {links.source, e.target} else e
            for e in links.links
        )
        yield from _if_changed(links, replace(links, links=kept))


def _lines_redacted(sources: frozenset[str], state: MemoryState) -> Iterator[Record]:
    for line in (state.diary[each] for each in sources if each in state.diary):
        (message,) = _messages_redacted((line.message,), sources)
        yield from _if_changed(line, replace(line, message=message))


def _messages_redacted(
    messages: tuple[Message, ...], sources: AbstractSet[str]
) -> tuple[Message, ...]:
    return tuple(
        replace(m, text=REDACTED, quoted=REDACTED if m.quoted else "") if m.id in sources else m
        for m in messages
    )


def _if_changed(before: Record, after: Record) -> Iterator[Record]:
    if after != before:
        yield after


def _drops_of_undos(memory_id: int, state: MemoryState) -> Iterator[Change]:
    """Yield the drops of the steps that would bring its words back."""
    for undo in state.undos.values():
        if any(_holds(change, memory_id) for change in undo.inverse):
            yield Drop(Undo, undo.id)


def _holds(change: Change, memory_id: int) -> bool:
    match change:
        case Put(Memory(id=held) | Corrections(memory_id=held) | PreviousText(memory_id=held)):
            return held == memory_id
        case _:
            return False
