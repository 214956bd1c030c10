"""Any order of commits, folds, restarts, crashes and damage: what was committed is there."""

import asyncio
import tempfile
from collections.abc import Coroutine, Generator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memory.errors import StoreDamaged
from memory.state import MemoryState
from memory.stores.codec import Commit, state_digest
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.journal import JOURNAL_FILE
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import SNAPSHOT_FILES
from tests.fakes.cost import times
from tests.fakes.disks import HastyDisk
from tests.fakes.in_memory_store import InMemoryStore
from tests.store_work import commit, commits_in

SHARES = st.floats(0.0, 1.0)


class AnyStore(RuleBasedStateMachine):
    """A store beside the list of the states that were committed to it."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.committed = [MemoryState()]
        self.store = self.restarted()
        self.state = self.run(self.store.load())

    def restarted(self) -> FileStore | InMemoryStore:
        raise NotImplementedError

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.run(self.store.close())
        self.loop.close()

    @rule(commits=st.integers(1, 6))
    def live(self, commits: int) -> None:
        for _ in range(commits):
            changes, state = commit(len(self.committed), self.state)
            self.run(self.store.append(changes, state))
            self.committed.append(state)
            self.state = state

    @rule()
    def fold(self) -> None:
        self.run(self.store.fold())

    @rule()
    def scrub(self) -> None:
        self.run(self.store.scrub())

    @rule()
    def load_again(self) -> None:
        self.state = self.run(self.store.load())

    @rule()
    def restart(self) -> None:
        self.run(self.store.close())
        self.store = self.restarted()
        self.state = self.run(self.store.load())

    @invariant()
    def what_was_committed_is_there(self) -> None:
        assert self.state == self.committed[-1]
        assert state_digest(self.state) == state_digest(self.committed[-1])


class InMemory(AnyStore):
    """The store without a disk."""

    def restarted(self) -> InMemoryStore:
        return getattr(self, "store", None) or InMemoryStore()


class OnDisk(AnyStore):
    """The store on disk."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="store-machine-"))
        super().__init__()

    def teardown(self) -> None:
        super().teardown()
        rmtree(self.home)

    def restarted(self) -> FileStore:
        return FileStore(self.home / "a", disk=HastyDisk(), page_lines=2)

    @invariant()
    def whoever_looks_on_sees_the_same(self) -> None:
        assert read_agent_state(self.home / "a") == self.state


class HurtFolder(RuleBasedStateMachine):
    """A folder that is left at any moment, also in the middle of a fold, and hurt meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="store-machine-"))
        self.committed = [MemoryState()]
        self.folding: Generator[None, None, None] | None = None
        self.reopen()

    def reopen(self) -> None:
        self.folder = StoreFolder(self.home, HastyDisk(), page_lines=2)

    def leave(self) -> None:
        """Leave as a kill does: a fold under way stays as it is, its unfinished file too."""
        self.abandoned = self.folding
        self.folding = None
        self.folder.close()

    def teardown(self) -> None:
        self.leave()
        rmtree(self.home)

    @rule(commits=st.integers(1, 6))
    def live(self, commits: int) -> None:
        for _ in range(commits):
            changes, state = commit(len(self.committed), self.folder.state)
            self.folder.append(Commit(changes, state.next_id), state)
            self.committed.append(state)

    @rule(steps=st.integers(1, 4))
    def fold_on(self, steps: int) -> None:
        """Take some steps of a fold; commits made before it is done come between them."""
        self.folding = self.folding or self.folder.fold()
        for _ in range(steps):
            if next(self.folding, self) is self:
                self.folding = None
                return

    @rule()
    def crash(self) -> None:
        self.leave()
        self.reopen()

    @precondition(lambda self: self.folding is None and not self.folder.needs_fold)
    @rule(share=SHARES)
    def crash_and_lose_the_end_of_the_journal(self, share: float) -> None:
        """Cut it anywhere: what loads was committed, and is not older than the snapshots.

        A life of which nothing is left is refused, not found empty; then its journal comes back.
        """
        folded = self.folder.folded
        self.leave()
        data = (self.home / JOURNAL_FILE).read_bytes()
        left = data[: int(share * len(data))]
        (self.home / JOURNAL_FILE).write_bytes(left)
        if len(self.committed) > 1 and folded == 0 and b"\n" not in left:
            with pytest.raises(StoreDamaged):
                self.reopen()
            (self.home / JOURNAL_FILE).write_bytes(data)
            self.reopen()
            return
        self.reopen()

        kept = commits_in(self.folder.state)
        assert folded <= kept < len(self.committed)
        del self.committed[kept + 1 :]

    @precondition(lambda self: not self.folder.needs_fold)
    @rule(names=st.sets(st.sampled_from(SNAPSHOT_FILES)), share=SHARES, flip=st.integers(0, 255))
    def crash_and_find_snapshots_damaged(self, names: set[str], share: float, flip: int) -> None:
        """Change a byte of the newest snapshots, or lose them: the former ones make up for it."""
        self.leave()
        for path in (self.home / name for name in sorted(names)):
            if path.exists() and not flip:
                path.unlink()
            elif path.exists():
                hurt = bytearray(path.read_bytes())
                hurt[int(share * (len(hurt) - 1))] ^= flip
                path.write_bytes(hurt)
        self.reopen()

    @invariant()
    def what_was_committed_is_there(self) -> None:
        assert self.folder.state == self.committed[-1]
        assert self.folder.sequence >= len(self.committed) - 1
        assert read_agent_state(self.home) == self.folder.state


def test_after_damage_new_snapshots_stay_due_until_they_are_written() -> None:
    """Found by the machine: at the second start nothing was due, and the journal stood alone."""
    hurt = HurtFolder()
    try:
        hurt.live(commits=1)
        hurt.fold_on(steps=2)
        hurt.crash_and_find_snapshots_damaged(names={"memory.json"}, share=0.0, flip=1)
        for _ in range(2):
            assert hurt.folder.needs_fold
            hurt.crash()
        while hurt.folder.needs_fold:
            hurt.fold_on(steps=4)
        hurt.crash()
        assert not hurt.folder.needs_fold
        hurt.crash_and_lose_the_end_of_the_journal(share=0.0)
        hurt.what_was_committed_is_there()
    finally:
        hurt.teardown()


TestInMemory = InMemory.TestCase
TestOnDisk = OnDisk.TestCase
TestHurtFolder = HurtFolder.TestCase
TestInMemory.settings = settings(max_examples=10, stateful_step_count=12)
TestOnDisk.settings = settings(max_examples=12, stateful_step_count=12)
TestHurtFolder.settings = settings(max_examples=times(8, hunting=150), stateful_step_count=15)
