"""Sealing every secret again with a new key, so that the former key can be let go.

A room of its own above all others: it opens the stores of every agent of a data folder.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from memory.agents import agent_ids, folder_of
from memory.changes import Change, Put
from memory.model import Memory
from memory.privacy.vault import Keys, UnsealFailure, Vault
from memory.state import MemoryState
from memory.stores.disk import REAL_DISK, Disk
from memory.stores.file_store import FileStore


@dataclass(frozen=True, slots=True)
class RotationResult:
    """How many memories the new key seals now, and how many no key of the file opens."""

    sealed: int = 0
    unopened: int = 0


async def rotate(data: Path, key_file: Path, disk: Disk = REAL_DISK) -> RotationResult:
    """Seal every secret of every agent with a new key, and let the former keys go.

    Cut short anywhere, it goes on when called again: the file holds both keys until the last
    memory has the new one. While something stays shut, no key is let go. Raises
    :class:`memory.errors.InputRefused` without a key, and :class:`memory.errors.StoreError` if an
    agent cannot be written, say because the program is running.
    """
    keys = Keys.read(key_file, data=data)
    # Two keys mean that an earlier rotation was cut short: its new key is used, not a third one.
    if len(keys) < len("ab"):
        keys = keys.add_new_key(key_file)
    done = RotationResult()
    for agent_id in agent_ids(data, disk):
        store = FileStore(folder_of(data, agent_id), disk=disk)
        one = await _rotate_agent(store, Vault(keys, agent_id))
        done = RotationResult(done.sealed + one.sealed, done.unopened + one.unopened)
    if not done.unopened:
        keys.keep_only_newest(key_file)
    return done


async def _rotate_agent(store: FileStore, vault: Vault) -> RotationResult:
    """Seal the secrets of one agent anew; after it no file of its store holds the former boxes."""
    state = await store.load()
    try:
        changes = tuple(resealing_changes(state, vault))
        if changes:
            after, _ = state.apply(changes)
            await store.append(changes, after)
            state = after
        secrets = [memory for memory in state.memories.values() if memory.sealed]
        if secrets:
            # Journal and snapshot still hold the old boxes, which the former key opens.
            await store.scrub()
        shut = sum(isinstance(vault.open(memory), UnsealFailure) for memory in secrets)
        return RotationResult(len(secrets) - shut, shut)
    finally:
        await store.close()


def resealing_changes(state: MemoryState, vault: Vault) -> Iterator[Change]:
    """Yield what has to be sealed anew: memories, and what an undo would bring back."""
    for memory in state.memories.values():
        anew = vault.resealed(memory)
        if anew is not None:
            yield Put(anew)
    for undo in state.undos.values():
        inverse = tuple(_resealed_change(change, vault) for change in undo.inverse)
        if inverse != undo.inverse:
            yield Put(replace(undo, inverse=inverse))


def _resealed_change(change: Change, vault: Vault) -> Change:
    match change:
        case Put(Memory() as memory):
            return Put(vault.resealed(memory) or memory)
        case _:
            return change
