"""A folder that is owned, and the folds that give way to commits on its one thread."""

import logging
from collections.abc import Generator
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from memory.errors import StoreUnwritable
from memory.state import MemoryState
from memory.stores.commits import Commit
from memory.stores.disk import Disk
from memory.stores.folder import StoreFolder
from memory.stores.lock import FolderLock

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _RunningFold:
    """A fold under way: what is left of it, and what those wait for who want it done."""

    steps: Generator[None, None, None]
    done: "Future[None]" = field(default_factory=Future)

    def run_step(self) -> bool:
        """Take one step; return whether there was none left."""
        return next(self.steps, self) is self


class FolderWriter:
    """The owner of a folder. Everything here runs on ``thread``, one thing after another.

    A fold is queued there a step at a time, so a commit waits for a step and never for the fold.
    """

    def __init__(self, path: Path, disk: Disk, thread: Executor, fold_every: int) -> None:
        """Own the folder and restore its state; raises the errors of lock and folder."""
        self._path = path
        self._disk = disk
        self._thread = thread
        self._fold_every = fold_every
        self._running_fold: _RunningFold | None = None
        with ExitStack() as failed:
            self._lock = FolderLock.take(path)
            failed.callback(self._lock.release)
            self._folder = StoreFolder(path, disk)
            failed.pop_all()
        self._schedule_fold()

    @property
    def state(self) -> MemoryState:
        return self._folder.state

    @property
    def sequence(self) -> int:
        return self._folder.sequence

    def reload(self) -> None:
        """Forget the state and restore it from the files; raises the errors of the folder."""
        self._stop_fold()
        self._folder.close()
        self._folder = StoreFolder(self._path, self._disk)
        self._schedule_fold()

    def append(self, commit: Commit, state: MemoryState) -> None:
        """Make a commit durable, and begin to fold when it is time."""
        self._folder.append(commit, state)
        if self._folder.sequence >= self._fold_at:
            self._start_fold()

    def ensure_folded(self, sequence: int, *, again: bool = False) -> "Future[None] | None":
        """Return a fold under way or begun now, or None if the snapshots hold that much.

        A fold that was under way may have begun before that commit: ask again when it is done.
        ``again`` folds even if the snapshots hold everything.
        """
        return self._start_fold() if again or not self._has_folded(sequence) else None

    def delete_set_aside(self) -> None:
        """Delete what was set aside; raises StoreUnwritable."""
        self._folder.delete_set_aside()

    def close(self) -> None:
        """Fold what is left and give the folder up. What cannot be folded is in the journal."""
        self._stop_fold()
        try:
            if not self._has_folded(self._folder.sequence):
                for _ in self._folder.fold():
                    pass
        except StoreUnwritable as error:
            logger.warning("closed without folding: %s", error)
        finally:
            self.release()

    def release(self) -> None:
        """Give the folder up as it is."""
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
            self._fold_at = self._folder.sequence + self._fold_every
            self._running_fold = _RunningFold(self._folder.fold())
            self._queue_step(self._running_fold)
        return self._running_fold.done

    def _queue_step(self, fold: _RunningFold) -> None:
        step = self._thread.submit(fold.run_step)
        step.add_done_callback(lambda step: self._continue_fold(fold, step))

    def _continue_fold(self, fold: _RunningFold, step: "Future[bool]") -> None:
        """Queue the next step or end the fold; ``step`` holds whatever went wrong in it."""
        if fold is not self._running_fold:
            return
        error = step.exception()
        if error is None and not step.result():
            self._queue_step(fold)
            return
        self._running_fold = None
        if error is None:
            fold.done.set_result(None)
        else:
            logger.warning("could not fold %s: %s", self._path.name, error)
            fold.done.set_exception(error)

    def _stop_fold(self) -> None:
        """Give a fold up between two steps; whoever waits for it looks again."""
        fold, self._running_fold = self._running_fold, None
        if fold is not None:
            fold.steps.close()
            fold.done.set_result(None)
