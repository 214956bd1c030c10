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
class _Fold:
    """A fold under way: what is left of it, and what those wait for who want it done."""

    steps: Generator[None, None, None]
    done: "Future[None]" = field(default_factory=Future)

    def is_over(self) -> bool:
        """Take one step; return whether there was none left."""
        return next(self.steps, self) is self


class Writer:
    """The owner of a folder. Everything here runs on ``thread``, one thing after another.

    A fold is queued there a step at a time, so a commit waits for a step and never for the fold.
    """

    def __init__(self, path: Path, disk: Disk, thread: Executor, fold_every: int) -> None:
        """Own the folder and restore its state; raises the errors of lock and folder."""
        self._path = path
        self._disk = disk
        self._thread = thread
        self._fold_every = fold_every
        self._fold: _Fold | None = None
        with ExitStack() as failed:
            self._lock = FolderLock.take(path)
            failed.callback(self._lock.release)
            self._folder = StoreFolder(path, disk)
            failed.pop_all()
        self._schedule()

    @property
    def state(self) -> MemoryState:
        return self._folder.state

    @property
    def sequence(self) -> int:
        return self._folder.sequence

    def reload(self) -> None:
        """Forget the state and restore it from the files; raises the errors of the folder."""
        self._stop_folding()
        self._folder.close()
        self._folder = StoreFolder(self._path, self._disk)
        self._schedule()

    def append(self, commit: Commit, state: MemoryState) -> None:
        """Make a commit durable, and begin to fold when it is time."""
        self._folder.append(commit, state)
        if self._folder.sequence >= self._fold_at:
            self._begin_to_fold()

    def fold_up_to(self, sequence: int, *, again: bool = False) -> "Future[None] | None":
        """Return a fold under way or begun now, or None if the snapshots hold that much.

        A fold that was under way may have begun before that commit: ask again when it is done.
        ``again`` folds even if the snapshots hold everything.
        """
        return self._begin_to_fold() if again or not self._has_folded(sequence) else None

    def forget_the_damaged(self) -> None:
        """Delete what was set aside; raises StoreUnwritable."""
        self._folder.forget_the_damaged()

    def close(self) -> None:
        """Fold what is left and give the folder up. What cannot be folded is in the journal."""
        self._stop_folding()
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
        self._stop_folding()
        self._folder.close()
        self._lock.release()

    def _has_folded(self, sequence: int) -> bool:
        return self._folder.folded >= sequence and not self._folder.worn

    def _schedule(self) -> None:
        self._fold_at = self._folder.folded + self._fold_every
        if self._folder.worn:
            self._begin_to_fold()

    def _begin_to_fold(self) -> "Future[None]":
        if self._fold is None:
            self._fold_at = self._folder.sequence + self._fold_every
            self._fold = _Fold(self._folder.fold())
            self._queue_step(self._fold)
        return self._fold.done

    def _queue_step(self, fold: _Fold) -> None:
        step = self._thread.submit(fold.is_over)
        step.add_done_callback(lambda step: self._go_on(fold, step))

    def _go_on(self, fold: _Fold, step: "Future[bool]") -> None:
        """Queue the next step or end the fold; ``step`` holds whatever went wrong in it."""
        if fold is not self._fold:
            return
        error = step.exception()
        if error is None and not step.result():
            self._queue_step(fold)
            return
        self._fold = None
        if error is None:
            fold.done.set_result(None)
        else:
            logger.warning("could not fold %s: %s", self._path.name, error)
            fold.done.set_exception(error)

    def _stop_folding(self) -> None:
        """Give a fold up between two steps; whoever waits for it looks again."""
        fold, self._fold = self._fold, None
        if fold is not None:
            fold.steps.close()
            fold.done.set_result(None)
