"""Carrying an erasure through every table: each record is dropped, cut, or left alone."""

from collections.abc import Iterator
from dataclasses import replace

from memory.changes import (
    Change,
    Corrections,
    Drop,
    Former,
    Links,
    Put,
    Receipt,
    Record,
    Task,
    Turn,
    Undo,
    Window,
)
from memory.manager.purge import purged
from memory.manager.reach import Scope, texts_of
from memory.manager.retelling import retold
from memory.model import Memory
from memory.state import MemoryState


def swept(state: MemoryState, scope: Scope) -> Iterator[Change]:
    """Yield what becomes of every record: dropped, cut, or (nothing yielded) untouched."""
    yield from purged(sorted(each for each in scope.memories if each in state.memories))
    for memory in state.memories.values():
        if memory.id not in scope.memories:
            yield from _changed(memory, _cut_memory(memory, scope))
    yield from _in_tables(state, scope)
    yield from (Drop(Undo, undo.id) for undo in state.undos.values() if _reaches(undo, scope))
    focus = tuple(each for each in state.household.focus if each not in scope.memories)
    if focus != state.household.focus:
        yield Put(replace(state.household, focus=focus))


def _in_tables(state: MemoryState, scope: Scope) -> Iterator[Change]:
    for name in ("links", "windows", "turns", "receipts", "tasks", "former", "corrections"):
        for key, record in getattr(state, name).items():
            if key not in scope.memories:
                yield from _changed(record, _cut(record, scope))


def _changed(before: Record, after: Record | None) -> Iterator[Change]:
    if after is None:
        yield Drop(type(before), before.key)
    elif after != before:
        yield Put(after)


def _cut_memory(memory: Memory, scope: Scope) -> Memory:
    """Return a memory without the lines that go, and without a quotation that tells it.

    What is sealed is opened as a whole or not at all: nothing is cut out of it.
    """
    if memory.sealed is not None:
        return memory
    passages = tuple(p for p in memory.passages if not scope.cuts(p))
    if scope.retells and passages != memory.passages:
        return retold(memory, passages, scope.messages)
    origin = memory.origin
    if scope.tells(origin.quote) or (scope.messages & set(memory.source_ids) and origin.quote):
        origin = replace(origin, quote="")
    if passages == memory.passages and origin == memory.origin:
        return memory
    return replace(memory, passages=passages, origin=origin)


def _cut(record: Record, scope: Scope) -> Record | None:  # noqa: PLR0911 - a case a kind
    match record:
        case Links():
            return _cut_links(record, scope)
        case Window():
            lines = tuple(m for m in record.lines if not scope.takes(m))
            tail = tuple(m for m in record.tail if not scope.takes(m))
            return replace(record, lines=lines, tail=tail)
        case Turn():
            gone = any(scope.takes(m) for m in (*record.said, record.reply))
            return None if gone else record
        case Receipt():
            return _cut_receipt(record, scope)
        case Task():
            return _cut_task(record, scope)
        case Corrections():
            kept = tuple(e for e in record.entries if not any(map(scope.tells, texts_of(e))))
            return replace(record, entries=kept) if kept else None
        case Former():
            told = set(texts_of(record))
            return None if scope.messages & told or any(map(scope.tells, told)) else record
        case _:
            return record


def _cut_links(record: Links, scope: Scope) -> Links | None:
    kept = tuple(
        replace(link, relation="") if scope.tells(link.relation) else link
        for link in record.links
        if link.target not in scope.memories
    )
    return replace(record, links=kept) if kept else None


def _cut_receipt(record: Receipt, scope: Scope) -> Receipt:
    used = tuple(
        replace(one, reasons=()) if any(map(scope.tells, one.reasons)) else one
        for one in record.used
        if one.memory_id not in scope.memories
    )
    gone = {f"#{each}" for each in scope.memories}
    learnt = tuple(each for each in record.learnt if not gone & set(each.split()))
    return replace(record, used=used, learnt=learnt)


def _cut_task(record: Task, scope: Scope) -> Task | None:
    messages = tuple(m for m in record.messages if not scope.takes(m))
    ids = tuple(each for each in record.memory_ids if each not in scope.memories)
    return replace(record, messages=messages, memory_ids=ids) if messages or ids else None


def _reaches(undo: Undo, scope: Scope) -> bool:
    """Whether an entry would bring back something of what is erased."""
    about = {
        change.record.key if isinstance(change, Put) else change.key for change in undo.inverse
    }
    targets = {
        link.target
        for change in undo.inverse
        if isinstance(change, Put) and isinstance(change.record, Links)
        for link in change.record.links
    }
    if (about | targets) & scope.memories:
        return True
    told = [
        each for change in undo.inverse if isinstance(change, Put) for each in texts_of(change)
    ]
    return any(map(scope.tells, told)) or bool(scope.messages & set(told))
