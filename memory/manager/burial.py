"""Knowing an erased message again without knowing what it said (DESIGN §11, tombstones)."""

from collections.abc import Iterable
from hashlib import blake2b

from memory.changes import ErasedId, Change, Drop, Put, RememberedId, Tombstone, Turn
from memory.state import MemoryState


def is_erased(message_id: str, state: MemoryState) -> bool:
    """Whether a message was erased: nothing of it is taken in again."""
    return any(id_digest(message_id, key) in state.erased_ids for key in _digest_keys(state))


def memory_is_erased(memory_id: int, state: MemoryState) -> bool:
    """Whether the memory that had this id here was erased: no backup brings it back."""
    return is_erased(memory_mark(memory_id), state)


def memory_mark(memory_id: int) -> str:
    """Return what buries a memory by its id, which is never given twice."""
    return f"\0memory:{memory_id}"


def turn_is_erased(turn: Turn, state: MemoryState) -> bool:
    """Whether a turn, or anything said in it, was erased: it is not kept again."""
    return any(is_erased(each, state) for each in (turn.id, *(m.id for m in turn.said)))


def erased_id_changes(
    message_ids: Iterable[str], state: MemoryState, key_hex: str
) -> list[Change]:
    """Return the changes that bury messages; one agent keeps one key, the first it was given."""
    key = next(iter(_digest_keys(state)), key_hex)
    changes: list[Change] = []
    for message_id in sorted(set(message_ids)):
        changes.append(Put(ErasedId(digest=id_digest(message_id, key))))
        if message_id in state.remembered_ids:
            changes.append(Drop(RememberedId, message_id))
    return changes


def next_tombstone_id(state: MemoryState) -> int:
    """Return the id of the next tombstone."""
    return max(state.tombstones, default=0) + 1


def unfinished_erasures(state: MemoryState) -> list[Tombstone]:
    """Return the erasures whose files were not cleaned to the end, eldest first."""
    return sorted(
        (tombstone for tombstone in state.tombstones.values() if not tombstone.scrubbed),
        key=lambda s: s.id,
    )


def id_digest(message_id: str, key_hex: str) -> str:
    """Return the keyed digest of the id of a message."""
    key = bytes.fromhex(key_hex)
    return blake2b(
        message_id.encode("utf-8", "backslashreplace"), key=key, digest_size=12
    ).hexdigest()


def _digest_keys(state: MemoryState) -> list[str]:
    tombstones = sorted(state.tombstones.values(), key=lambda tombstone: tombstone.id)
    return list(dict.fromkeys(tombstone.key_hex for tombstone in tombstones if tombstone.key_hex))
