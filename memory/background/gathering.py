"""Everything of a memory but the memories themselves, as another memory takes it in."""

from collections.abc import Iterator
from dataclasses import replace

from memory.background.judged import RECEIPTS_KEPT
from memory.changes import (
    Change,
    Corrections,
    Drop,
    PreviousText,
    AgentInfo,
    Put,
    Receipt,
    Record,
    WeightLog,
    Window,
)
from memory.manager.burial import (
    id_digest,
    is_erased,
    memory_mark,
    next_tombstone_id,
    turn_is_erased,
)
from memory.manager.renumbering import Renumbering
from memory.network.focus import focus_after
from memory.state import TABLES, MemoryState
from memory.working import WINDOW_MESSAGES


def changes_beside_memories(
    state: MemoryState, other: MemoryState, moving: Renumbering, brought: frozenset[int]
) -> Iterator[Change]:
    """Yield what ``state`` takes of ``other`` beside its memories.

    ``brought`` are the ids of the memories that come, as ``other`` counts them. Conversations go
    on where they stood, and what waits for the background waits here. What was erased on either
    side stays erased. Steps that could be undone there cannot be undone here.
    """
    yield from map(Put, _records_about_memories(other, moving, brought))
    yield from map(Put, _conversations(state, other, moving))
    yield from _receipt_changes(state, other, moving)
    yield from map(Put, _arriving_tombstones(state, other, moving))
    yield Put(_joined_agent_info(state, other, moving))


def _records_about_memories(
    other: MemoryState, moving: Renumbering, brought: frozenset[int]
) -> Iterator[Record]:
    for table in (WeightLog, Corrections, PreviousText):
        for record in getattr(other, TABLES[table]).values():
            if record.memory_id in brought:
                yield replace(record, memory_id=moving.ids(record.memory_id))
    for review in other.reviews.values():
        if review.memory_id in brought:
            yield replace(review, memory_id=moving.ids(review.memory_id))
    for task in other.tasks.values():
        yield moving.task(task)


def _conversations(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Record]:
    for window in other.windows.values():
        yield _joined_window(state, moving.window(window))
    for turn in other.turns.values():
        if turn.id not in state.receipts and not turn_is_erased(turn, state):
            yield moving.turn(turn)
    yield from other.remembered_ids.values()


def _joined_window(state: MemoryState, window: Window) -> Window:
    """Return a conversation without what was erased; one that both have, in order, once."""
    known = state.windows.get(window.conversation)
    tail = [message for message in window.tail if not is_erased(message.id, state)]
    lines = [message for message in window.lines if not is_erased(message.id, state)]
    if known is None:
        return replace(window, lines=tuple(lines), tail=tuple(tail))
    both = {each.id: each for each in (*known.tail, *known.lines, *tail, *lines)}
    said = sorted(both.values(), key=lambda each: each.at)
    border = max(len(said) - WINDOW_MESSAGES, 0)
    return replace(window, lines=tuple(said[border:]), tail=tuple(said[:border]))


def _receipt_changes(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Change]:
    """Yield the receipts that come, and the drops of the eldest past those that are kept."""
    renamed = map(moving.receipt, other.receipts.values())
    coming = [receipt for receipt in renamed if receipt.turn_id not in state.receipts]
    everything = sorted((*state.receipts.values(), *coming), key=lambda each: (each.at, each.key))
    past = {receipt.turn_id for receipt in everything[: max(len(everything) - RECEIPTS_KEPT, 0)]}
    yield from (Put(receipt) for receipt in coming if receipt.turn_id not in past)
    yield from (Drop(Receipt, turn_id) for turn_id in sorted(past & set(state.receipts)))


def _arriving_tombstones(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Record]:
    """Yield what keeps erased messages from being learnt again, each under its own key."""
    for number, tombstone in enumerate(
        sorted(other.tombstones.values(), key=lambda each: each.id)
    ):
        yield replace(tombstone, id=next_tombstone_id(state) + number)
    yield from _arriving_erased_ids(other, moving)


def _arriving_erased_ids(other: MemoryState, moving: Renumbering) -> Iterator[Record]:
    """Yield the digests of what was erased; those of memories under the ids they would have."""
    marks = {
        id_digest(memory_mark(number), tombstone.key_hex): id_digest(
            memory_mark(moving.ids(number)), tombstone.key_hex
        )
        for tombstone in other.tombstones.values()
        for number in range(1, other.next_id)
    }
    for each in other.erased_ids.values():
        yield replace(each, digest=marks.get(each.digest, each.digest))


def _joined_agent_info(state: MemoryState, other: MemoryState, moving: Renumbering) -> AgentInfo:
    """Return the elder household: its settings, the latest talk of both in focus, all counted."""
    agent_info, theirs = state.agent_info, other.agent_info
    counters = dict(agent_info.counters)
    for name, count in theirs.counters:
        counters[name] = counters.get(name, 0.0) + count
    alive = [each for each in theirs.focus if each in other.memories]
    return replace(
        agent_info,
        focus=focus_after(tuple(map(moving.ids, alive)), agent_info.focus),
        counters=tuple(counters.items()),
        slice_due=agent_info.slice_due or theirs.slice_due,
    )
