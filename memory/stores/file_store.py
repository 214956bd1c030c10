"""The store of one agent on disk: a folder, its lock, and the one thread that touches them.

Also what files that were set aside still hold: every record that proves itself, and nothing else.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, TypeVar

from memory import refusals
from memory.changes import Change
from memory.errors import StoreDamaged, StoreError
from memory.state import TABLES, MemoryState
from memory.stores.codec import Commit, decode_commit, healed
from memory.stores.disk import REAL_DISK, Disk, disk_errors
from memory.stores.folder import FolderWriter
from memory.stores.journal import JOURNAL_FILE, read_journal
from memory.stores.journal_file import BEGUN, mark_blank
from memory.stores.pages import is_page
from memory.stores.parts import PAGE_PREFIX
from memory.stores.recovery import DAMAGED_MARK, StoreDamage, read_agent_state
from memory.stores.sidecars import IndexFile, VectorFile
from memory.stores.snapshot import PREVIOUS_SUFFIX, SNAPSHOT_FILES, Snapshot, read_snapshot
from memory.stores.tables import (
    RecordTables,
    apply_change,
    read_into,
    salvage_page_into,
    state_of,
)

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
        self,
        folder: Path,
        *,
        disk: Disk = REAL_DISK,
        fold_every: int = FOLD_EVERY,
        page_lines: int | None = None,
    ) -> None:
        self._path = folder
        self._disk = disk
        self._fold_every = fold_every
        self._page_lines = page_lines
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

    async def snapshot(self) -> str:
        """Return the name of the snapshots if they hold every commit, else ""."""
        _, writer = self._open_writer()
        return writer.folder.snapshot

    async def append(self, changes: Sequence[Change], state: MemoryState) -> None:
        """Make one commit durable; raises :class:`StoreUnwritable`, and then it is not there.

        Raises :class:`BadDocument`, a ValueError, for a value no document can hold.
        """
        ownership, writer = self._open_writer()
        commit = Commit(tuple(changes), state.next_id)
        await ownership.run(partial(writer.append, commit, state))

    async def rebased(self, state: MemoryState) -> MemoryState:
        """Return the same state; what stands in pages or is packed by now is let go of."""
        ownership, writer = self._open_writer()
        if not writer.folder.rests_anew:
            return state
        return await ownership.run(partial(writer.folder.rebased, state))

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
        await ownership.run(partial(_sweep, self._path, self._disk))

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
            raise StoreError(refusals.NOT_LOADED, folder=self._path)
        return ownership, ownership.writer

    def _open_or_reload(self, ownership: "_OwnedFolder") -> MemoryState:
        if ownership.writer is None:
            ownership.writer = FolderWriter(
                self._path,
                self._disk,
                ownership.thread,
                self._fold_every,
                self._page_lines,
            )
        else:
            ownership.writer.reload()
        return ownership.writer.folder.state


def _sweep(folder: Path, disk: Disk) -> None:
    with disk_errors(folder):
        disk.sweep(folder)


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


SEEN: Final = ".seen"
"""What the name of a file that was set aside ends in once it was looked into."""


def set_aside_files(folder: Path, disk: Disk = REAL_DISK) -> tuple[str, ...]:
    """Return the files that were set aside and not looked into since; raises OSError."""
    names = (name for name in disk.names(folder) if DAMAGED_MARK in name)
    return tuple(sorted(name for name in names if not name.endswith(SEEN)))


def is_readable(folder: Path, disk: Disk = REAL_DISK) -> bool:
    """Whether the folder of an agent can be opened at all; raises other errors of the store."""
    try:
        read_agent_state(folder, disk=disk)
    except StoreDamaged:
        return False
    return True


def salvaged_state(folder: Path, disk: Disk = REAL_DISK) -> MemoryState:
    """Return what the files that were set aside add up to, older ones first.

    In a folder that cannot be opened that is said of every file. Raises
    :class:`memory.errors.StoreUnwritable`, and :class:`BadDocument` for a newer program's record.
    """
    with disk_errors(folder):
        readable = is_readable(folder, disk)
        names = set_aside_files(folder, disk) if readable else disk.names(folder)
        data = {name: disk.read(folder / name) or b"" for name in sorted(names)}
    tables: RecordTables = {name: {} for name in TABLES.values()}
    next_id = 1
    snapshots = tuple(_newest_snapshots(data))
    for snapshot in snapshots:
        read_into(tables, snapshot, "what was set aside")
        next_id = max(next_id, snapshot.meta.next_id)
    # A record that a snapshot no longer holds was dropped: older commits must not bring it back.
    begin = min((each.meta.sequence for each in snapshots), default=0)
    for name, text in data.items():
        if name.startswith(PAGE_PREFIX):
            salvage_page_into(tables, memoryview(text))
    for payload in _payloads(data, begin):
        commit = decode_commit(payload)
        for change in commit.changes:
            apply_change(tables, change)
        next_id = max(next_id, commit.next_id)
    return state_of(tables, next_id, last_line=0)


def begin_anew(folder: Path, disk: Disk = REAL_DISK) -> None:
    """Set every file of an unreadable folder aside, so that it opens as new; raises OSError."""
    mark_blank(folder, disk)
    files = (JOURNAL_FILE, *SNAPSHOT_FILES, *(f + PREVIOUS_SUFFIX for f in SNAPSHOT_FILES))
    for file in (*files, *filter(is_page, disk.names(folder))):
        names = disk.names(folder)
        if file in names:
            base = file.removesuffix(PREVIOUS_SUFFIX)
            free = next(n for n in count(1) if f"{base}{DAMAGED_MARK}{n}" not in names)
            disk.replace(folder / file, folder / f"{base}{DAMAGED_MARK}{free}")
    disk.remove(folder / BEGUN)
    disk.sync_folder(folder)


def mark_seen(folder: Path, names: tuple[str, ...], disk: Disk = REAL_DISK) -> None:
    """Note that those files were looked into; they stay until something is erased."""
    with disk_errors(folder):
        for name in names:
            disk.replace(folder / name, folder / (name + SEEN))
        disk.sync_folder(folder)


def _newest_snapshots(data: Mapping[str, bytes]) -> Iterator[Snapshot]:
    """Yield the newest readable snapshot of each kind; an older one holds what was dropped."""
    for file in SNAPSHOT_FILES:
        texts = (text for name, text in data.items() if name.startswith(file))
        read = (read_snapshot(text) or read_snapshot(_healed_snapshot(text)) for text in texts)
        found = [each for each in read if each is not None]
        if found:
            yield max(found, key=lambda each: each.meta.sequence)


def _healed_snapshot(text: bytes) -> bytes:
    """Return a small snapshot with its flipped bit turned back; as it is if that cannot be."""
    body, end = text[:-21], text[-21:]
    try:
        proof = bytes.fromhex(end[:16].decode())
    except ValueError:
        return text
    # A file that is empty, or blank, ends in no checksum at all.
    true = healed(body, proof) if len(proof) == _PROOF_BYTES else None
    return text if true is None else true + end


_PROOF_BYTES: Final = 8
"""The length of the checksum at the end of a snapshot."""


def _payloads(data: Mapping[str, bytes], begin: int) -> Iterator[bytes]:
    for name, text in data.items():
        if name.startswith(JOURNAL_FILE):
            lines = read_journal(text)
            for number in sorted(each for each in lines.by_sequence if each > begin):
                yield from lines.payloads(number, number)
