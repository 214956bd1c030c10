"""The writer of one agent's state, and the turns in which the agents of one process compute.

:meth:`StateWriter.write` is the only place where a state is replaced: it plans against the present
state, makes the changes durable, and only then shows them.
"""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, assert_never

from memory.changes import AgentInfo, Change, DiaryLine, Drop, Put, Tombstone, Window
from memory.errors import StoreError, StoreUnwritable
from memory.model import Memory, Message, Sealed
from memory.network.index import NetworkIndex
from memory.ports import CommitTimes, MemoryStore
from memory.recall import Recall
from memory.recall.reading import NameIndex, Reading, pages_of, slots_to_read
from memory.recall.slot_index import SlotIndex
from memory.record_table import RecordTable
from memory.reminder import Intention, Reminder
from memory.state import MemoryState
from memory.stores.folder import give_freed_memory_back
from memory.stores.paging import PAGE_LINES
from memory.stores.recovery import paused_garbage_collector
from memory.stores.sidecars import IndexFile, is_of_other_texts, read_index
from memory.text.tokens import LONG_TEXT, read_ahead

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fairness:
    """Two locks shared by all agents of a process; each serves callers in the order they came.

    ``slices`` lets one agent at a time run its compression slice (source document 002 §11.2.3).
    ``steps`` lets the background of one agent at a time compute, a few milliseconds each, so that
    an answer waits for one such step at most, however many agents are busy. A model is called
    outside of ``steps``. ``commits`` is what their commits took.
    """

    slices: asyncio.Lock = field(default_factory=asyncio.Lock)
    steps: asyncio.Lock = field(default_factory=asyncio.Lock)
    commits: CommitTimes = field(default_factory=CommitTimes)

    @asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        """Hold the turn to compute for a moment."""
        async with self.steps:
            # Whatever else is ready to run, an answer above all, runs first.
            await asyncio.sleep(0)
            yield


_GENERATIONS: Final = 2
"""A snapshot and the one before it: after so many folds neither holds what was dropped."""

_MANY_TO_READ: Final = 4 * PAGE_LINES
"""Lines in no page, more than talk leaves there between two folds."""

Plan: TypeAlias = Callable[[MemoryState], Sequence[Change]]
"""Returns the changes to make to the state it is given."""


@dataclass(frozen=True, slots=True)
class Indexes:
    """The indexes derived from the state that no search needs: for linking, slots and names."""

    network: NetworkIndex
    slots: SlotIndex
    names: NameIndex

    @classmethod
    def of(cls, state: MemoryState) -> "Indexes":
        """Return all of them for a whole state; may run in a thread."""
        with paused_garbage_collector():
            return cls(NetworkIndex.build(state), SlotIndex.build(state), NameIndex.build(state))

    def note(self, changes: Sequence[Change]) -> None:
        """Bring all up to date after changes that were applied to the state."""
        self.network.note(changes)
        self.slots.note(changes)
        self.names.note(changes)


class StateWriter:
    """Holds the state of one agent, its store and its indexes, and keeps the three in step.

    Readers take ``state`` at any time: it is immutable and always what is durable.
    """

    def __init__(
        self,
        store: MemoryStore,
        state: MemoryState,
        fairness: Fairness,
        index_file: IndexFile | None = None,
        on_reminders: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._state, self._fairness = store, state, fairness
        self._index_file, self._on_reminders = index_file, on_reminders
        self._index_is_kept: bool | None = None  # None: nobody looked yet
        self._is_placed = False  # once numbers changed it opens a later start less quickly
        self._folds_owed = _GENERATIONS
        self._recall: Recall | None = None
        self._searched, self._scrubs = asyncio.Event(), 0
        self._indexes: Indexes | None = None
        self._missed: list[Change] = []
        self._writing, self._building = asyncio.Lock(), asyncio.Lock()

    @property
    def state(self) -> MemoryState:
        """Return the last durable state."""
        return self._state

    async def write(self, plan: Plan, *, aside: bool = False) -> tuple[Change, ...]:
        """Plan against the present state, make the changes durable, and return them.

        All or nothing, also when the caller is cancelled. Planned ``aside``, in a thread, it may
        take long. Raises :class:`memory.errors.StoreUnwritable`, and then nothing changed. When a
        secret was sealed, no file of the store holds it in the clear afterwards.
        """
        # Shielded: memory and disk never differ, nor does a seal end before its cleaning.
        return await asyncio.shield(self._write(plan, aside=aside))

    async def write_in_turn(self, plan: Plan, *, aside: bool = False) -> tuple[Change, ...]:
        """Write as :meth:`write` does, when it is this agent's turn to compute.

        For work nobody waits for: whatever answers a person goes first.
        """
        async with self._fairness.step():
            return await self.write(plan, aside=aside)

    async def _write(self, plan: Plan, *, aside: bool) -> tuple[Change, ...]:
        async with self._writing:
            # Within the lock, so that no index is written to while a thread reads it.
            made = await asyncio.to_thread(plan, self._state) if aside else plan(self._state)
            changes = tuple(made)
            if changes:
                after, _ = (before := self._state).apply(changes)
                # Durable first: no reader may see a state that a crash could take back.
                with self._fairness.commits.timed():
                    await self._store.append(changes, after)
                after = await self._store.rebased(after)
                for text in _long_texts(changes):
                    await asyncio.to_thread(read_ahead, text)
                self._state = after
                self._follow(changes)
                await _let_go_of_moved_lines(self._recall, before, after)
                if _changes_what_is_due(changes, before, after):
                    self._on_reminders()
                # The journal and the .bak files may still hold what a newly sealed memory said.
                if any(_newly_seals(change, before.memories) for change in changes):
                    await self._scrub()
            return changes

    def _follow(self, changes: Sequence[Change]) -> None:
        self._is_placed = False
        if not all(map(_notes_the_night, changes)):
            self._folds_owed = _GENERATIONS
        if any(_changes_words(change) for change in changes):
            self._index_is_kept = False
        if self._recall is not None:
            self._recall.note(changes, self._state)
        if self._indexes is not None:
            self._indexes.note(changes)
        # Whichever is being built: after an erasure it is the search alone.
        if self._building.locked():
            self._missed.extend(changes)

    async def recall(self) -> Recall:
        """Return the search; the first call builds its index in a thread while writing goes on."""
        if self._recall is not None:  # nobody who searches waits for the other indexes
            return self._recall
        async with self._building:
            return await self._built_recall()

    async def _built_recall(self) -> Recall:
        while self._recall is None:
            await _fold_many_lines(self._state, self._fold)
            self._missed, recall, seen, scrubs = [], Recall(), self._state, self._scrubs
            known = await asyncio.to_thread(read_index, self._index_file)
            # What is read and built here holds no cycles; see memory.stores.recovery.
            with paused_garbage_collector():
                was_known = await asyncio.to_thread(recall.build, seen, known)
            if scrubs != self._scrubs:
                continue  # it looks into pages that an erasure wrote anew meanwhile
            # A file of other texts may hold words that are gone, as one of changed ones does.
            if self._index_is_kept is None:
                self._index_is_kept = was_known
                self._is_placed = was_known and self._state is seen and _tells_places(known, seen)
            # No await from here on: nothing is written between catching up and being in step.
            recall.note(self._missed, self._state)
            self._recall = recall
            self._searched.set()
        return self._recall

    def lay_out(self) -> None:
        """Bring up to date what every search needs of all passages, if there was a search."""
        if self._recall is not None:
            self._recall.lay_out()

    async def build_ahead(self) -> None:
        """Build the other indexes once there was a search: its turn is about to need them."""
        await self._searched.wait()
        await self.indexes()

    async def indexes(self) -> Indexes:
        """Return the other indexes, built as the search is; it is built with them."""
        async with self._building:
            await self._built_recall()
            if self._indexes is None:
                self._missed = []
                built = await asyncio.to_thread(Indexes.of, self._state)
                built.note(self._missed)
                self._indexes = built
            return self._indexes

    async def fold(self) -> None:
        """Fold the journal and keep the index beside it; an idle night stays in the journal."""
        if not self._folds_owed:
            return
        await self._fold()
        self._folds_owed -= 1
        if self._index_is_kept is None:
            file, seen = self._index_file, self._state
            if await asyncio.to_thread(is_of_other_texts, file, seen):
                self._index_is_kept = False
        await self._keep_index()

    async def _fold(self) -> None:
        """Fold the store; the state then rests on the pages that were made."""
        await self._store.fold()
        async with self._writing:
            before, self._state = self._state, await self._store.rebased(self._state)
            await _let_go_of_moved_lines(self._recall, before, self._state)

    async def _keep_index(self) -> None:
        """Let the index file hold what the present texts say and nothing else, or be gone.

        Only speed hangs on it: what the disk refuses is said in the log.
        """
        file, seen, recall = self._index_file, self._state, self._recall
        placed = self._is_placed or recall is None or not await self._store.snapshot()
        if file is None or (self._index_is_kept is not False and placed):
            return
        places = await asyncio.to_thread(Recall.places, seen) if recall else None
        # Within the lock: no index changes under the thread, and nothing erased comes back.
        async with self._writing:
            if recall and self._state is not seen:
                places = await asyncio.to_thread(Recall.places, self._state)
            reading = None
            if recall and places is not None:
                name = await self._store.snapshot()
                reading = await asyncio.to_thread(recall.reading, places, name)
            try:
                await _finished(partial(file.write, reading) if reading else file.delete)
            except StoreUnwritable as error:
                logger.warning("the search index could not be kept: %s", error)
            else:
                self._index_is_kept = self._is_placed = True

    async def scrub(self) -> None:
        """Let no file hold anything but the present state: what an erasure ends with."""
        async with self._writing:
            await self._scrub()

    async def _scrub(self) -> None:
        await self._store.scrub()
        before, self._state = self._state, await self._store.rebased(self._state)
        if pages_of(self._state) != pages_of(before):
            self._recall, self._scrubs = None, self._scrubs + 1
            await asyncio.to_thread(_collect_everything)  # what looks into pages that are gone
        await _let_go_of_moved_lines(self._recall, before, self._state)

    async def close(self) -> None:
        """Let a running write finish, then fold and release the folder."""
        try:
            # Folded first: the index names the snapshots. What cannot be is in the journal.
            for work in (self._fold, self._keep_index):
                with suppress(StoreError):
                    await work()
        finally:
            async with self._writing:
                await self._store.close()


async def _fold_many_lines(state: MemoryState, fold: Callable[[], Awaitable[None]]) -> None:
    """Let a life that was taken in at once be folded: its texts are read there once for all.

    A fold is under way as a rule then; beside it all would be read, and held, twice.
    """
    if slots_to_read(state) >= _MANY_TO_READ:
        with suppress(StoreError):
            await fold()


async def _let_go_of_moved_lines(
    recall: Recall | None, before: MemoryState, after: MemoryState
) -> None:
    """Have a search rest on what the later of two states rests on: pages, packed memories."""
    moved = pages_of(after) != pages_of(before) or _lies_in(after) is not _lies_in(before)
    if recall is not None and moved:
        with paused_garbage_collector():
            await asyncio.to_thread(recall.rest_on_pages, after)
        await asyncio.to_thread(give_freed_memory_back)


def _lies_in(state: MemoryState) -> Mapping[int, bytes] | None:
    """Return what the memories of a state are decoded of, None if they never were."""
    memories = state.memories
    return memories.documents if isinstance(memories, RecordTable) else None


def _collect_everything() -> None:
    gc.unfreeze()
    gc.collect()


def _tells_places(known: Reading | None, seen: MemoryState) -> bool:
    """Whether a file tells where everything of just this state stands."""
    kept = known.placement if known is not None else None
    return kept is not None and kept.snapshot == seen.read_from


async def _finished(work: Callable[[], None]) -> None:
    """Do work in a thread; a caller who is cancelled returns when it is done."""
    job = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        await asyncio.shield(job)
    except asyncio.CancelledError:
        # The folder may be given up after this: nothing of ours may write into it then.
        await asyncio.wait([job])
        raise


def _notes_the_night(change: Change) -> bool:
    return isinstance(change, Put) and isinstance(change.record, AgentInfo)


def _changes_words(change: Change) -> bool:
    """Whether a change may be one of what is indexed."""
    match change:
        case Put(record):
            return isinstance(record, Memory | DiaryLine)
        case Drop(kind, _):
            return kind in {Memory, DiaryLine}
        case never:
            assert_never(never)


def _changes_what_is_due(
    changes: Sequence[Change], before: MemoryState, after: MemoryState
) -> bool:
    """Whether changes may alter when something is to be said, a rollback of settings too."""
    settings = after.agent_info.settings
    if settings != before.agent_info.settings:
        return True
    kinds = {type(each.record) if isinstance(each, Put) else each.table for each in changes}
    # What is said moves what she says unasked: never into a running conversation.
    talk = Window in kinds and settings.begins == "yes"
    return talk or not kinds.isdisjoint({Reminder, Intention})


def takes_long(messages: Sequence[Message]) -> bool:
    """Whether planning for messages would hold everybody up, for their texts are so long."""
    return sum(len(each.text) + len(each.quoted) for each in messages) > LONG_TEXT


def _long_texts(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the texts that are about to be indexed and take long to read."""
    for change in changes:
        match change:
            case Put(Memory(passages=passages)):
                yield from (each.text for each in passages if len(each.text) > LONG_TEXT)
            case _:
                continue


def _newly_seals(change: Change, before: Mapping[int, Memory]) -> bool:
    """Whether a change seals what was not sealed yet, or takes a secret out of what was kept."""
    match change:
        case Put(Memory(id=memory_id, sealed=Sealed())):
            known = before.get(memory_id)
            return known is None or known.sealed is None
        case Put(Tombstone(kind="sealing", scrubbed=False)):
            return True
        case _:
            return False
