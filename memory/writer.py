"""One state, one writer; and the turns in which the agents of one process compute."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from memory.changes import Change, Put
from memory.model import Memory, Sealed
from memory.network.index import NetworkIndex
from memory.ports import MemoryStore
from memory.recall import Recall
from memory.state import MemoryState


@dataclass(frozen=True, slots=True)
class Fairness:
    """Shared by all agents of a process; both hand on in the order they were asked.

    ``slices`` lets one agent at a time have its compression slice (round robin, 002 §11.2.3).
    ``steps`` lets the background of one agent at a time compute, a few milliseconds each, so that
    an answer waits for one such step at most, however many agents are busy. Calls of a model are
    made outside of it.
    """

    slices: asyncio.Lock = field(default_factory=asyncio.Lock)
    steps: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        """Compute for a moment; whoever else is ready goes first."""
        async with self.steps:
            await asyncio.sleep(0)
            yield


Plan: TypeAlias = Callable[[MemoryState], Sequence[Change]]


@dataclass(frozen=True, slots=True)
class Indexes:
    """What is derived from the state and follows every change: for searching and for linking."""

    recall: Recall
    network: NetworkIndex

    @classmethod
    def of(cls, state: MemoryState) -> "Indexes":
        """Return both for a whole state; may run in a thread."""
        recall = Recall()
        recall.build(state)
        return cls(recall, NetworkIndex.build(state))

    def note(self, changes: Sequence[Change]) -> None:
        """Follow changes that were applied."""
        self.recall.note(changes)
        self.network.note(changes)


class StateWriter:
    """Hold the state of one agent, its store and its indexes, and keep the three in step.

    Readers take ``state`` whenever they like: it is a value and always what is durable.
    """

    def __init__(self, store: MemoryStore, state: MemoryState, fairness: Fairness) -> None:
        self._store = store
        self._state = state
        self._fairness = fairness
        self._indexes: Indexes | None = None
        self._missed: list[Change] = []
        self._writing = asyncio.Lock()
        self._building = asyncio.Lock()

    @property
    def state(self) -> MemoryState:
        """Return the last durable state."""
        return self._state

    async def write(self, plan: Plan) -> tuple[Change, ...]:
        """Plan against the present state, make the changes durable, and return them.

        All or nothing, also when the caller is cancelled: a write that began is finished, so that
        memory and disk never differ. Raises :class:`memory.errors.StoreUnwritable`, and then
        nothing changed.

        When a secret was sealed, no file of the store holds what stood there before.
        """
        before = self._state.memories
        changes = await asyncio.shield(self._write(plan))
        if any(_newly_seals(change, before) for change in changes):
            await self.scrub()
        return changes

    async def write_in_turn(self, plan: Plan) -> tuple[Change, ...]:
        """Write as :meth:`write` does, when it is this agent's turn to compute.

        For work nobody waits for: whatever answers a person goes first.
        """
        async with self._fairness.step():
            return await self.write(plan)

    async def _write(self, plan: Plan) -> tuple[Change, ...]:
        async with self._writing:
            changes = tuple(plan(self._state))
            if changes:
                after, _ = self._state.apply(changes)
                await self._store.append(changes, after)
                self._state = after
                self._follow(changes)
            return changes

    def _follow(self, changes: Sequence[Change]) -> None:
        if self._indexes is not None:
            self._indexes.note(changes)
        elif self._building.locked():
            self._missed.extend(changes)

    async def indexes(self) -> Indexes:
        """Return the indexes; the first call builds them in a thread while writing goes on."""
        async with self._building:
            if self._indexes is None:
                self._missed = []
                built = await asyncio.to_thread(Indexes.of, self._state)
                # No await from here on: nothing is written between catching up and being in step.
                built.note(self._missed)
                self._missed = []
                self._indexes = built
            return self._indexes

    async def fold(self) -> None:
        """Fold the journal into the snapshot."""
        await self._store.fold()

    async def scrub(self) -> None:
        """Let no file hold anything but the present state (DESIGN §11, erasing)."""
        await self._store.scrub()

    async def close(self) -> None:
        """Let a running write finish, then fold and release the folder."""
        async with self._writing:
            await self._store.close()


def _newly_seals(change: Change, before: Mapping[int, Memory]) -> bool:
    """Tell whether a change seals what was not sealed yet."""
    match change:
        case Put(Memory(id=memory_id, sealed=Sealed())):
            known = before.get(memory_id)
            return known is None or known.sealed is None
        case _:
            return False
