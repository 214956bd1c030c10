"""Whoever owns a folder that may fail at any call, and the list of states it is judged by."""

from pathlib import Path

from memory.errors import StoreUnwritable
from memory.stores.codec import Commit
from memory.stores.disk import Disk
from memory.stores.folder import StoreFolder
from tests.fakes.disks import FaultyDisk, PowerlessDisk
from tests.store_work import commit, commits_in, life

HOME = Path("/agent")
COMMITS = 9
FOLDS = frozenset({3, 5, 8})
STATES = life(5 * COMMITS)


class Owner:
    """Whoever owns a folder: commits, folds now and then, and remembers what was acknowledged."""

    def __init__(self, acknowledged: int = 0, attempted: int = 0) -> None:
        self.acknowledged = acknowledged
        self.attempted = attempted
        self.refusals = 0

    def open(self, disk: Disk) -> None:
        """Open the folder and find what was acknowledged, or with it what was being committed."""
        self.folder = StoreFolder(HOME, disk, page_lines=1)
        found = commits_in(self.folder.state)
        assert self.folder.state == STATES[found]
        assert self.acknowledged <= found <= self.attempted
        self.acknowledged = self.attempted = found

    def live(self, commits: int) -> None:
        """Commit and fold, going on after a refusal as if nothing had been asked."""
        for turn in range(1, commits + 1):
            try:
                self.commit()
                if turn in FOLDS:
                    self.fold()
            except StoreUnwritable:
                self.refusals += 1

    def commit(self) -> None:
        self.attempted = self.acknowledged + 1
        changes, state = commit(self.attempted, self.folder.state)
        self.folder.append(Commit(changes, state.next_id), state)
        self.acknowledged = self.attempted

    def fold(self) -> None:
        for _ in self.folder.fold():
            pass


def calls_of_a_life() -> list[str]:
    """Return every call of the disk that a whole life makes, by name and in order."""
    disk = FaultyDisk(inner=PowerlessDisk())
    owner = Owner()
    owner.open(disk)
    owner.live(COMMITS)
    return disk.calls
