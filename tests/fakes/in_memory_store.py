"""A store without a disk, which lasts as long as the object: for tests and for trying out."""

import asyncio
from collections.abc import Sequence

from memory import refusals
from memory.changes import Change
from memory.errors import StoreError
from memory.state import MemoryState
from memory.stores.codec import Commit, encode_commit


class InMemoryStore:
    """A :class:`memory.ports.MemoryStore` without a disk.

    Closing and loading again is a restart: what was committed is there. It refuses what the
    store on disk refuses: an append before ``load`` or after ``close``, and a value no document
    can hold.
    """

    def __init__(self) -> None:
        self._state = MemoryState()
        self._is_open = False

    async def snapshot(self) -> str:
        """Return that the state has no name: it is in no file."""
        return ""

    async def load(self) -> MemoryState:
        """Return the last committed state."""
        self._is_open = True
        return self._state

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        """Make one commit; raises :class:`BadDocument` for what no document can hold."""
        self._check_open()
        # Encoded for its errors alone: what the disk would refuse must not pass here.
        encode_commit(Commit(tuple(changes), state.next_id))
        self._state = state
        # Other tasks run while a disk works; a test would miss a race if they did not run here.
        await asyncio.sleep(0)

    async def fold(self) -> None:
        """Do nothing: there is nothing beside the state."""
        self._check_open()

    async def rebased(self, state: MemoryState) -> MemoryState:
        return state

    async def scrub(self) -> None:
        """Do nothing: there is nothing beside the state."""
        self._check_open()

    async def close(self) -> None:
        """End the ownership; closing twice is no error."""
        self._is_open = False

    def _check_open(self) -> None:
        if not self._is_open:
            raise StoreError(refusals.NOT_LOADED, folder="the store")
