"""The folder of one agent while somebody owns it: journal, two snapshots, and what was set aside.

Everything here blocks and belongs to one thread; :class:`FileStore` provides that thread and the
ownership.
"""

import logging
from collections.abc import Generator, Sequence
from itertools import count
from pathlib import Path

from memory.state import MemoryState
from memory.stores.beginning import BEGUN, BLANK, mark_begun
from memory.stores.commits import Commit, encode_commit
from memory.stores.disk import TEMPORARY, Disk, disk_errors, replace_file
from memory.stores.journal import JOURNAL_FILE, Journal
from memory.stores.restoring import DAMAGED_MARK, HALF_MADE, restore
from memory.stores.snapshot import SnapshotMeta, SnapshotStorage
from memory.stores.tables import SNAPSHOT_FILES, snapshot_tables

logger = logging.getLogger(__name__)


class StoreFolder:
    """The files of one agent. ``sequence`` counts the commits, ``folded`` those in the snapshots.

    The journal leads on from the *former* generation of the snapshots, so either generation is
    enough to restore the last commit.
    """

    def __init__(self, path: Path, disk: Disk) -> None:
        """Restore the last good state, setting aside whatever is damaged.

        Raises :class:`StoreDamaged`, :class:`StoreFromFuture` (and then nothing was changed) and
        :class:`StoreUnwritable`.
        """
        self._path = path
        self._disk = disk
        with disk_errors(path):
            restored = restore(path, disk)
            if restored.half_made:
                self._keep_half_made(restored.half_made)
            self._remove_marked(TEMPORARY)
            for name in restored.unusable_files:
                self._set_aside(name)
            names = disk.names(path)
            if restored.sequence and (BLANK in names or BEGUN not in names):
                mark_begun(path, disk)
        self._journal = Journal(path, disk, restored.sequence)
        self._journal.open()
        self.state = restored.state
        self.folded = restored.folded
        self.needs_fold = restored.needs_fold

    @property
    def sequence(self) -> int:
        return self._journal.last

    def append(self, commit: Commit, state: MemoryState) -> None:
        """Make a commit durable, or raise StoreUnwritable or BadDocument and change nothing."""
        self._journal.append(encode_commit(commit))
        self.state = state

    def fold(self) -> Generator[None, None, None]:
        """Write the present state into new snapshots, a stretch at each step.

        Commits made between two steps stay in the journal. Raises :class:`StoreUnwritable`; what
        was readable before is readable then. A folder nothing was committed to stays untouched.
        """
        state, sequence = self.state, self.sequence
        if sequence == 0:
            return
        meta = SnapshotMeta(sequence=sequence, next_id=state.next_id)
        for file in SNAPSHOT_FILES:
            storage = SnapshotStorage(self._path / file, self._disk)
            yield from storage.write_in_steps(snapshot_tables(state, file), meta)
            yield
        self._journal.trim(self.folded)
        self.folded, self.needs_fold = sequence, False

    def delete_set_aside(self) -> None:
        """Delete what was set aside; raises :class:`StoreUnwritable`."""
        with disk_errors(self._path):
            self._remove_marked(DAMAGED_MARK)
            self._remove_marked(HALF_MADE)
            self._disk.sync_folder(self._path)

    def close(self) -> None:
        """Let go of the files."""
        self._journal.close()

    def _remove_marked(self, mark: str) -> None:
        for name in self._disk.names(self._path):
            if name.startswith((JOURNAL_FILE, *SNAPSHOT_FILES)) and mark in name:
                self._disk.remove(self._path / name)

    def _set_aside(self, name: str) -> None:
        """Keep a file under another name; the journal stays as well, until it is cut to fit."""
        kept = self._free_name(name + DAMAGED_MARK)
        if name == JOURNAL_FILE:
            replace_file(self._disk, self._path / kept, self._disk.read(self._path / name) or b"")
        else:
            self._disk.replace(self._path / name, self._path / kept)
        logger.error("%s/%s was damaged; it is kept as %s", self._path.name, name, kept)

    def _keep_half_made(self, names: Sequence[str]) -> None:
        """Keep the files of a beginning under other names: they may hold words nobody else has."""
        kept = []
        for name in names:
            kept.append(self._free_name(name.removesuffix(TEMPORARY) + HALF_MADE))
            self._disk.replace(self._path / name, self._path / kept[-1])
        self._disk.sync_folder(self._path)
        logger.warning(
            "%s opened as new: nothing was acknowledged in it; half-made files are kept as %s",
            self._path.name,
            ", ".join(kept),
        )

    def _free_name(self, start: str) -> str:
        taken = self._disk.names(self._path)
        return next(name for n in count(1) if (name := f"{start}{n}") not in taken)
