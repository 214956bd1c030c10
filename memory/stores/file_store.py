"""The store of one agent on disk: a folder, its lock, and the one thread that touches them."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from memory.changes import Change
from memory.errors import StoreError
from memory.state import MemoryState
from memory.stores.codec import Commit
from memory.stores.disk import REAL_DISK, Disk
from memory.stores.folder import FolderWriter
from memory.stores.recovery import StoreDamage
from memory.stores.sidecars import IndexFile, VectorFile

FOLD_EVERY: Final = 256
"""Commits after which the journal is folded into the snapshots."""

T = TypeVar("T")


class FileStore:
    """A :class:`memory.ports.MemoryStore` in one folder; it never blocks the event loop.

    A commit is durable when ``append`` returns. A caller cancelled in it returns only when the
    disk has answered, and the commit holds unless the disk refused it; no later commit overtakes
    it.
    """

    def __init__(
        self, folder: Path, *, disk: Disk = REAL_DISK, fold_every: int = FOLD_EVERY
    ) -> None:
        self._path = folder
        self._disk = disk
        self._fold_every = fold_every
        self._ownership: _OwnedFolder | None = None

    async def load(self) -> MemoryState:
        """Own the folder and return its last durable state; called again, read the files anew.

        Raises :class:`StoreLocked` while another store owns it, :class:`StoreDamaged`,
        :class:`StoreFromFuture` or :class:`StoreUnwritable`; then the folder is not owned.
        """
        # Given back only when everything worked: a load that fails, or is cancelled, must not
        # leave a folder owned that nobody will release.
        ownership, self._ownership = self._ownership or _OwnedFolder(self._path.name), None
        with ExitStack() as failed:
            failed.callback(ownership.release)
            state = await ownership.run(partial(self._open_or_reload, ownership))
            failed.pop_all()
        self._ownership = ownership
        return state

    @property
    def damage(self) -> StoreDamage:
        """What was wrong with the files when they were last read."""
        _, writer = self._open_writer()
        return writer.folder.damage

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        """Make one commit durable; raises :class:`StoreUnwritable`, and then it is not there.

        Raises :class:`BadDocument`, a ValueError, for a value no document can hold.
        """
        ownership, writer = self._open_writer()
        commit = Commit(tuple(changes), state.next_id)
        await ownership.run(partial(writer.append, commit, state))

    async def fold(self) -> None:
        """Return when every commit made so far is in the snapshots.

        Raises :class:`StoreUnwritable`; what was readable before is readable then.
        """
        await self._fold(again=False)

    async def scrub(self) -> None:
        """Let no file of the store hold anything but the present state.

        Afterwards neither the journal nor a previous generation nor a file that was set aside
        holds what was dropped before; the vectors, which may reveal it, and the search index,
        which has its words, are deleted. Raises :class:`StoreUnwritable`.
        """
        # Twice: the first fold moves what was dropped into the .bak files, the second out of them.
        for _generation in range(2):
            await self._fold(again=True)
        ownership, writer = self._open_writer()
        await ownership.run(writer.folder.delete_set_aside)
        await ownership.run(VectorFile(self._path, self._disk).delete)
        await ownership.run(IndexFile(self._path, self._disk).delete)

    async def close(self) -> None:
        """Fold what is left and release the folder; closing a closed store does nothing."""
        ownership, self._ownership = self._ownership, None
        if ownership is not None and ownership.writer is not None:
            try:
                await ownership.run(ownership.writer.close)
            finally:
                ownership.writer = None
                ownership.release()

    async def _fold(self, *, again: bool) -> None:
        ownership, writer = self._open_writer()
        goal = await ownership.run(lambda: writer.folder.sequence)
        # A fold that was under way may have begun before the goal, so it is asked for again.
        while folding := await ownership.run(partial(writer.ensure_folded, goal, again=again)):
            # Shielded: others wait for the same fold, and one who is cancelled must not stop it.
            await asyncio.shield(asyncio.wrap_future(folding))
            again = False

    def _open_writer(self) -> "tuple[_OwnedFolder, FolderWriter]":
        ownership = self._ownership
        if ownership is None or ownership.writer is None:
            raise StoreError(f"{self._path} is not open: load it first")
        return ownership, ownership.writer

    def _open_or_reload(self, ownership: "_OwnedFolder") -> MemoryState:
        if ownership.writer is None:
            ownership.writer = FolderWriter(
                self._path, self._disk, ownership.thread, self._fold_every
            )
        else:
            ownership.writer.reload()
        return ownership.writer.folder.state


class _OwnedFolder:
    """One thread, and the writer it runs from the first load to the end of the ownership."""

    def __init__(self, name: str) -> None:
        # One thread: it is what keeps commits, folds and reloads in order without further locks.
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"store-{name}")
        self.writer: FolderWriter | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run work on the thread; a caller who is cancelled returns when the work is done."""
        job = asyncio.wrap_future(self.thread.submit(work))
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            # Memory and disk must agree: whether the commit took effect has to be known first.
            await asyncio.wait([job])
            raise

    def release(self) -> None:
        """Release the folder on the thread, after the work it was given, and end the thread."""
        self.thread.submit(self._release_writer)
        self.thread.shutdown(wait=False)

    def _release_writer(self) -> None:
        writer, self.writer = self.writer, None
        if writer is not None:
            writer.release()
