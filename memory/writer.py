"""One state, one writer: every change of an agent's memory goes through ``write``."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeAlias

from memory.changes import Change
from memory.ports import MemoryStore
from memory.recall import Recall
from memory.state import MemoryState

Plan: TypeAlias = Callable[[MemoryState], Sequence[Change]]


class Writer:
    """Hold the state of one agent, its store and its index, and keep the three in step.

    Readers take ``state`` whenever they like: it is a value and always what is durable.
    """

    def __init__(self, store: MemoryStore, state: MemoryState) -> None:
        self._store = store
        self._state = state
        self._recall = Recall()
        self._indexed = False
        self._missed: list[Change] | None = None
        self._turn = asyncio.Lock()
        self._building = asyncio.Lock()

    @property
    def state(self) -> MemoryState:
        """Return the last durable state."""
        return self._state

    async def write(self, plan: Plan) -> tuple[Change, ...]:
        """Plan against the present state, make the changes durable, and return their inverse.

        All or nothing, also when the caller is cancelled: a write that began is finished, so that
        memory and disk never differ. Raises :class:`memory.errors.StoreUnwritable`, and then
        nothing changed.
        """
        return await asyncio.shield(self._write(plan))

    async def _write(self, plan: Plan) -> tuple[Change, ...]:
        async with self._turn:
            changes = list(plan(self._state))
            if not changes:
                return ()
            after, inverse = self._state.apply(changes)
            await self._store.append(changes, after)
            self._state = after
            if self._indexed:
                self._recall.note(changes)
            elif self._missed is not None:
                self._missed.extend(changes)
            return inverse

    async def recall(self) -> Recall:
        """Return the search index; the first call builds it in a thread while writing goes on."""
        if not self._indexed:
            async with self._building:
                if not self._indexed:
                    await self._build()
        return self._recall

    async def _build(self) -> None:
        self._missed = []
        await asyncio.to_thread(self._recall.build, self._state)
        # No await from here on: nothing can be written between catching up and being in step.
        self._recall.note(self._missed)
        self._missed = None
        self._indexed = True

    async def fold(self) -> None:
        """Fold the journal into the snapshot."""
        await self._store.fold()

    async def close(self) -> None:
        """Let a running write finish, then fold and release the folder."""
        async with self._turn:
            await self._store.close()
