"""Sealing what stands in the clear, and opening it again: plans only (DESIGN §8).

A memory is sealed together with its traces: what its words were taken from, and wherever they are
repeated, is blotted out, and no step that could be undone brings them back.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Final

from memory.background.blotting import known_secrets, longest_first, unsaid
from memory.background.privacy import BLOT
from memory.background.steering import edited
from memory.changes import (
    Change,
    Corrections,
    Drop,
    Former,
    Put,
    Record,
    Tombstone,
    Undo,
)
from memory.manager.burial import next_tombstone
from memory.manager.reach import answers
from memory.manager.undo import undoable
from memory.model import Memory, Message, Sensitivity
from memory.state import MemoryState
from memory.vault import Unopened, Vault

SHORTEST: Final = 4
"""The fewest characters by which a sentence is known again where it is repeated."""


def plan_seal(
    state: MemoryState, memory_id: int, now: datetime, vault: Vault
) -> tuple[Change, ...]:
    """Return the changes that seal a memory and let its words stand nowhere in the clear.

    They hold a tombstone of the kind ``sealing``, so that the files are cleaned of former states
    even after a crash. There is no undo. Raises
    :class:`UnknownMemory`, and :class:`memory.errors.InputRefused` without a key.
    """
    memory = state.memory(memory_id)
    if memory.sealed is not None:
        return ()
    shut = vault.seal(memory, state.household.settings.language)
    after, _ = state.apply([Put(shut), Drop(Corrections, memory_id), Drop(Former, memory_id)])
    hushed = tuple(silenced(memory, after))
    return (
        Put(shut),
        Drop(Corrections, memory_id),
        Drop(Former, memory_id),
        *hushed,
        *_steps_about(memory_id, state),
        Put(_stone(state, now)),
    )


def sealed_in(
    former: MemoryState, memory: Memory, now: datetime, vault: Vault
) -> MemoryState | None:
    """Return a former state, as a backup holds it, in which a memory is sealed as well.

    None if it holds nothing of it in the clear.
    """
    after = former
    if memory.id in former.memories:
        after, _ = after.apply(plan_seal(after, memory.id, now, vault))
    after, _ = after.apply(tuple(silenced(memory, after)))
    return None if after == former else after


def plan_unseal(
    state: MemoryState, memory_id: int, grade: Sensitivity, now: datetime, vault: Vault
) -> tuple[Change, ...] | Unopened:
    """Return the changes that let a sealed memory stand in the clear again, or why not.

    Undoing it seals it as it was.
    """
    memory = state.memory(memory_id)
    plain = vault.open(memory)
    if isinstance(plain, Unopened):
        return plain
    clear = replace(plain, sealed=None, nature=replace(plain.nature, sensitivity=grade))
    return undoable(state, (Put(clear),), now, actor="partner", label="sensitivity")


def plan_edit_sealed(
    state: MemoryState, memory_id: int, text: str, now: datetime, vault: Vault
) -> tuple[Change, ...] | Unopened:
    """Return the changes that let a memory say something that is sealed, or why it stays shut.

    What it said before is in no history; undo brings it back as it was.
    """
    memory = state.memory(memory_id)
    plain = vault.open(memory)
    if isinstance(plain, Unopened):
        return plain
    said = edited(plain, text, now, state.household.settings)
    if said is None:
        return ()
    shut = vault.seal(said, state.household.settings.language)
    changes = undoable(state, (Put(shut),), now, actor="partner", label="edit")
    after, _ = state.apply(changes)
    return (*changes, *unsaid(known_secrets(after, vault), after))


def hushed(
    new: Sequence[int],
    changes: Sequence[Change],
    before: MemoryState,
    now: datetime,
    vault: Vault | None,
) -> Iterator[Change]:
    """Yield what was said of the secrets among ``new``, without it.

    It was talk like any other until the background took it for a secret.
    """
    after, _ = before.apply(changes)
    found = [after.memories[each] for each in new if after.memories[each].sealed is not None]
    for memory in found:
        plain = vault.open(memory) if vault is not None else Unopened.NO_KEY
        if isinstance(plain, Memory):
            for change in silenced(plain, after):
                after, _ = after.apply([change])
                yield change
    if found:
        yield Put(_stone(after, now))


def silenced(memory: Memory, state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds what a memory says in the clear, without it.

    The messages it rests on go as a whole, and what was answered to them: they are what it was
    learnt from.
    """
    said = set(memory.source_ids)
    sources = frozenset({*said, *answers(state, said)})
    draft = state
    for record in tuple(_resting_on(sources, memory.id, state)):
        draft, _ = draft.apply([Put(record)])
        yield Put(record)
    texts = (memory.words.text, memory.origin.quote, *(p.text for p in memory.passages))
    values = longest_first(each for each in texts if len(each) >= SHORTEST)
    yield from unsaid(values, draft)


def _stone(state: MemoryState, now: datetime) -> Tombstone:
    return Tombstone(id=next_tombstone(state), at=now, key_hex="", kind="sealing")


def _resting_on(sources: frozenset[str], memory_id: int, state: MemoryState) -> Iterator[Record]:
    for window in state.windows.values():
        lines, tail = _blank(window.lines, sources), _blank(window.tail, sources)
        yield from _changed(window, replace(window, lines=lines, tail=tail))
    for turn in state.turns.values():
        answered = any(message.id in sources for message in turn.said)
        (reply,) = _blank((turn.reply,), {turn.reply.id} if answered else sources)
        yield from _changed(turn, replace(turn, said=_blank(turn.said, sources), reply=reply))
    for task in state.tasks.values():
        yield from _changed(task, replace(task, messages=_blank(task.messages, sources)))
    for other in state.memories.values():
        passages = tuple(
            replace(p, text=BLOT) if p.verbatim and sources & set(p.source_ids) else p
            for p in other.passages
        )
        if other.sealed is None and other.id != memory_id:
            yield from _changed(other, replace(other, passages=passages))
    for receipt in state.receipts.values():
        used = tuple(
            replace(u, reasons=()) if u.memory_id == memory_id else u for u in receipt.used
        )
        yield from _changed(receipt, replace(receipt, used=used))
    for links in state.links.values():
        kept = tuple(
            replace(e, relation="") if memory_id in {links.source, e.target} else e
            for e in links.links
        )
        yield from _changed(links, replace(links, links=kept))


def _blank(messages: tuple[Message, ...], sources: AbstractSet[str]) -> tuple[Message, ...]:
    return tuple(
        replace(m, text=BLOT, quoted=BLOT if m.quoted else "") if m.id in sources else m
        for m in messages
    )


def _changed(before: Record, after: Record) -> Iterator[Record]:
    if after != before:
        yield after


def _steps_about(memory_id: int, state: MemoryState) -> Iterator[Change]:
    """Yield the drops of the steps that would bring its words back."""
    for undo in state.undos.values():
        if any(_holds(change, memory_id) for change in undo.inverse):
            yield Drop(Undo, undo.id)


def _holds(change: Change, memory_id: int) -> bool:
    match change:
        case Put(Memory(id=held) | Corrections(memory_id=held) | Former(memory_id=held)):
            return held == memory_id
        case _:
            return False
