"""The folder of one agent while somebody owns it: its files, and folds that give way to commits.

:class:`StoreFolder` is the files, :class:`FolderWriter` their owner, who folds the journal into
the snapshots a step at a time. Everything here blocks and belongs to one thread;
:class:`memory.stores.file_store.FileStore` provides it.
"""

import ctypes
import gc
import logging
from collections.abc import Generator, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from memory.errors import StoreUnwritable
from memory.state import MemoryState
from memory.stores.codec import Commit, encode_commit, record_shapes
from memory.stores.disk import TEMPORARY, Disk, FolderLock, disk_errors, replace_file
from memory.stores.journal import JOURNAL_FILE
from memory.stores.journal_file import BEGUN, BLANK, Journal, mark_begun
from memory.stores.packing import Packer
from memory.stores.pages import is_page
from memory.stores.paging import Pager, documents_of, young_lines
from memory.stores.parts import PAGE_PREFIX
from memory.stores.recovery import DAMAGED_MARK, HALF_MADE, StoreDamage, restore
from memory.stores.snapshot import SNAPSHOT_FILES, SnapshotMeta, SnapshotStorage
from memory.stores.tables import snapshot_tables

logger = logging.getLogger(__name__)


class StoreFolder:
    """The files of one agent. ``sequence`` counts the commits, ``folded`` those in the snapshots.

    The journal leads on from the *previous* generation of the snapshots, so either generation is
    enough to restore the last commit. ``needs_fold`` says that another mishap would cost
    something, or that a file has an older schema. ``damage`` is what was found when it was opened.
    """

    def __init__(self, path: Path, disk: Disk, page_lines: int | None = None) -> None:
        """Restore the last good state and set aside whatever is damaged.

        Raises :class:`StoreUnwritable`, and :class:`StoreDamaged` or :class:`StoreFromFuture`,
        in which case nothing was changed.
        """
        self._path = path
        self._disk = disk
        with disk_errors(path):
            restored = restore(path, disk)
            # Before the unfinished files are removed: where nothing was acknowledged, they may be
            # all there is of somebody's first words.
            if restored.half_made:
                self._keep_half_made(restored.half_made)
            self._remove_marked(TEMPORARY)
            for name in restored.unusable_files:
                self._set_aside(name)
            self._report(restored.damage)
            # A folder of an earlier program has no marker; a crash may have left the wrong one.
            names = disk.names(path)
            if restored.sequence and (BLANK in names or BEGUN not in names):
                mark_begun(path, disk)
        self._journal = Journal(path, disk, restored.sequence)
        # What was half-made is under another name by now, the journal with it.
        self._journal.open(None if restored.half_made else restored.journal)
        self.damage = restored.damage
        self.state = restored.state
        self.folded = restored.folded
        self.needs_fold = restored.needs_fold
        self._names = restored.state.read_from
        self._pager = Pager(path, disk, documents_of(restored.state.diary), page_lines)
        self._packer = Packer()
        # Those of the snapshot it was read from, which the next fold keeps as the former one.
        self._pages: Sequence[str] = restored.pages

    @property
    def sequence(self) -> int:
        """The number of the last commit; 0 before the first."""
        return self._journal.last

    @property
    def snapshot(self) -> str:
        """The name of the snapshots, "" while the journal has more than they."""
        return self._names if self.folded == self.sequence else ""

    def append(self, commit: Commit, state: MemoryState) -> None:
        """Make a commit durable, or raise StoreUnwritable or BadDocument and change nothing."""
        self._journal.append(encode_commit(commit))
        self.state = self._packer.rebased(self._pager.rebased(state))

    def fold(self) -> Generator[None, None, None]:
        """Write the present state into new snapshots, some records at each step.

        Commits made between two steps stay in the journal. Raises :class:`StoreUnwritable`; what
        was readable before is still readable then. A folder without commits stays untouched.
        """
        # The state is immutable, so commits between two steps cannot change what is written.
        state, sequence = self.state, self.sequence
        if sequence == 0:
            return
        with disk_errors(self._path):
            documents = yield from self._pager.turn(state.diary)
        if documents is not None and documents is not self._pager.present:
            give_freed_memory_back()
        meta = SnapshotMeta(
            sequence=sequence,
            next_id=state.next_id,
            last_line=state.last_line,
            shapes=record_shapes(),
            pages=documents.names if documents else (),
        )
        names = []
        for file in SNAPSHOT_FILES:
            storage = SnapshotStorage(self._path / file, self._disk)
            lines = young_lines(state.diary, documents) if documents else None
            yield from storage.write_in_steps(snapshot_tables(state, file, lines), meta)
            names.append(storage.name)
            yield
        # Up to the previous fold, not this one: the .bak files still need the lines since then.
        self._journal.trim(self.folded)
        self.folded, self.needs_fold, self._names = sequence, False, "/".join(names)
        self._remove_pages_but(meta.pages)
        self._pager.note(state.diary, documents)
        yield from self._packer.turn(state)
        for page in documents.every_page if documents else ():
            page.let_go()
        self.state = self._packer.rebased(self._pager.rebased(self.state))

    @property
    def rests_anew(self) -> bool:
        """Whether the owner's state may rest on what was replaced since: pages, open records."""
        return self._pager.has_turned or self._packer.has_packed

    def rebased(self, state: MemoryState) -> MemoryState:
        """Return the owner's state as it is, resting on pages and packed records of now."""
        return self._packer.handed_over(self._pager.handed_over(state))

    def delete_set_aside(self) -> None:
        """Delete what was set aside; raises :class:`StoreUnwritable`."""
        with disk_errors(self._path):
            self._remove_marked(DAMAGED_MARK)
            self._remove_marked(HALF_MADE)
            self._disk.sync_folder(self._path)

    def close(self) -> None:
        """Close the files."""
        self._journal.close()

    def _remove_pages_but(self, present: Sequence[str]) -> None:
        """Remove the pages that neither the snapshot of now names nor the one before it."""
        spared, self._pages = {*present, *self._pages}, present
        with disk_errors(self._path):
            for name in filter(is_page, self._disk.names(self._path)):
                if name not in spared:
                    self._disk.remove(self._path / name)

    def _remove_marked(self, mark: str) -> None:
        for name in self._disk.names(self._path):
            ours = (JOURNAL_FILE, BEGUN, PAGE_PREFIX, *SNAPSHOT_FILES)
            if name.startswith(ours) and mark in name:
                self._disk.remove(self._path / name)

    def _set_aside(self, name: str) -> None:
        """Keep a damaged file under another name.

        The journal is copied, not moved: its intact lines are in use until it is cut to fit.
        """
        new_name = self._free_name(name + DAMAGED_MARK)
        if name == JOURNAL_FILE or name not in self._disk.names(self._path):
            # Of a page that is gone an empty file says so to whoever looks later.
            replace_file(
                self._disk, self._path / new_name, self._disk.read(self._path / name) or b""
            )
        else:
            self._disk.replace(self._path / name, self._path / new_name)
        logger.error("%s/%s was damaged; it is kept as %s", self._path.name, name, new_name)

    def _report(self, damage: StoreDamage) -> None:
        """Write into the log what cannot be told from the files that were kept aside."""
        folder = self._path.name
        if damage.lost:
            logger.error("%s: %d commits cannot be read and are lost", folder, damage.lost)
        if damage.healed:
            logger.warning("%s: a flipped bit was healed in %d commits", folder, damage.healed)
        if damage.journal_missing:
            logger.error("%s has snapshots but no journal: what came after them is lost", folder)
            # An empty file says so to whoever looks later, as one that was kept aside does.
            missing = self._free_name(JOURNAL_FILE + DAMAGED_MARK)
            replace_file(self._disk, self._path / missing, b"")

    def _keep_half_made(self, names: Sequence[str]) -> None:
        """Keep half-made files under other names: they may hold words nobody else has."""
        new_names = []
        for name in names:
            new_names.append(self._free_name(name.removesuffix(TEMPORARY) + HALF_MADE))
            self._disk.replace(self._path / name, self._path / new_names[-1])
        self._disk.sync_folder(self._path)
        logger.warning(
            "%s opened as new: nothing was acknowledged in it; half-made files are kept as %s",
            self._path.name,
            ", ".join(new_names),
        )

    def _free_name(self, start: str) -> str:
        taken = self._disk.names(self._path)
        return next(name for n in count(1) if (name := f"{start}{n}") not in taken)


def give_freed_memory_back() -> None:
    """Have glibc, where there is one, give freed memory back to the system.

    What a fold frees lies between what stays, so that by itself little of it is ever given back:
    of 250 MB after 20,000 lines that were taken in at once, 72 were free. Takes up to 10 ms.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@dataclass(frozen=True, slots=True)
class _RunningFold:
    """A fold under way: the steps left, and the future that ends with it."""

    steps: Generator[None, None, None]
    done: "Future[None]" = field(default_factory=Future)

    def run_step(self) -> bool:
        """Take one step; return whether there was none left."""
        # The steps yield None, so None cannot mark the end.
        return next(self.steps, self) is self


class FolderWriter:
    """The owner of a folder. Everything here runs on ``thread``, one thing after another.

    A fold is queued there a step at a time, so a commit waits for a step and never for the fold.
    """

    def __init__(
        self, path: Path, disk: Disk, thread: Executor, fold_every: int, page_lines: int | None
    ) -> None:
        """Own the folder and restore its state; raises the errors of lock and folder."""
        self._path = path
        self._disk = disk
        self._thread = thread
        self._fold_every = fold_every
        self._page_lines = page_lines
        self._running_fold: _RunningFold | None = None
        with ExitStack() as failed:
            self._lock = FolderLock.take(path, disk)
            failed.callback(self._lock.release)
            self._folder = StoreFolder(path, disk, page_lines)
            failed.pop_all()
        self._schedule_fold()

    @property
    def folder(self) -> StoreFolder:
        """The files as they are now; another object after every :meth:`reload`."""
        return self._folder

    def reload(self) -> None:
        """Forget the state and restore it from the files; raises the errors of the folder."""
        self._stop_fold()
        self._folder.close()
        self._folder = StoreFolder(self._path, self._disk, self._page_lines)
        self._schedule_fold()

    def append(self, commit: Commit, state: MemoryState) -> None:
        """Make a commit durable, and begin to fold after ``fold_every`` of them."""
        self._folder.append(commit, state)
        if self._folder.sequence >= self._fold_at:
            self._start_fold()

    def ensure_folded(self, sequence: int, *, again: bool = False) -> "Future[None] | None":
        """Return a fold under way or begun now, or None if the snapshots hold that much.

        A fold that was under way may have begun before that commit: ask again when it is done.
        ``again`` folds even if the snapshots hold everything.
        """
        return self._start_fold() if again or not self._has_folded(sequence) else None

    def close(self) -> None:
        """Fold what is left and give the folder up. What cannot be folded is in the journal."""
        self._stop_fold()
        try:
            if not self._has_folded(self._folder.sequence):
                for _ in self._folder.fold():
                    pass
        except StoreUnwritable as error:
            # Nothing is lost: the journal holds it, and the next start folds.
            logger.warning("closed without folding: %s", error)
        finally:
            self.release()

    def release(self) -> None:
        """Give the folder up as it is."""
        # What was frozen when it was opened may go now; see memory.stores.recovery.
        gc.unfreeze()
        self._stop_fold()
        self._folder.close()
        self._lock.release()

    def _has_folded(self, sequence: int) -> bool:
        return self._folder.folded >= sequence and not self._folder.needs_fold

    def _schedule_fold(self) -> None:
        self._fold_at = self._folder.folded + self._fold_every
        if self._folder.needs_fold:
            self._start_fold()

    def _start_fold(self) -> "Future[None]":
        if self._running_fold is None:
            # Counted from the attempt, not from its success, so that a disk that refuses is not
            # asked again at every commit.
            self._fold_at = self._folder.sequence + self._fold_every
            self._running_fold = _RunningFold(self._folder.fold())
            self._queue_step(self._running_fold)
        return self._running_fold.done

    def _queue_step(self, fold: _RunningFold) -> None:
        step = self._thread.submit(fold.run_step)
        step.add_done_callback(lambda step: self._continue_fold(fold, step))

    def _continue_fold(self, fold: _RunningFold, step: "Future[bool]") -> None:
        """Queue the next step or end the fold; ``step`` holds whatever went wrong in it."""
        # The fold was given up, by a reload or a close, while this step waited in the queue.
        if fold is not self._running_fold:
            return
        error = step.exception()
        if error is None and not step.result():
            self._queue_step(fold)
            return
        self._running_fold = None
        give_freed_memory_back()
        if error is None:
            fold.done.set_result(None)
        else:
            logger.warning("could not fold %s: %s", self._path.name, error)
            fold.done.set_exception(error)

    def _stop_fold(self) -> None:
        """Give a running fold up between two steps; whoever waits for it asks again."""
        fold, self._running_fold = self._running_fold, None
        if fold is not None:
            fold.steps.close()
            fold.done.set_result(None)
