"""The store on disk: folds that give way, refusals it survives, and looking on meanwhile."""

import asyncio
import ctypes
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import TypeVar

import pytest

from memory.changes import Drop, Put
from memory.errors import StoreDamaged, StoreLocked, StoreUnwritable
from memory.model import Memory
from memory.state import MemoryState
from memory.stores.codec import Commit
from memory.stores.disk import LOCK_FILE, FolderLock
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.journal import JOURNAL_FILE
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import MEMORY_FILE
from tests.builders import a_memory
from tests.fakes.disks import FaultyDisk, HastyDisk, PowerlessDisk, no_space
from tests.fakes.waiting import HANG_SECONDS, until
from tests.store_work import commit, commits_in, life

T = TypeVar("T")
STATES = life(60)


async def live(store: FileStore, first: int, last: int) -> None:
    for number in range(first, last + 1):
        changes, state = commit(number, STATES[number - 1])
        await store.append(changes, state)


async def kept_by(folder: Path) -> MemoryState:
    store = FileStore(folder, disk=HastyDisk())
    state = await store.load()
    await store.close()
    return state


class GatedDisk(FaultyDisk):
    """A disk whose first write to a snapshot waits for a sign."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go = Event(), Event()

    def open(self, path: Path, *, empty: bool = False) -> int:
        descriptor = super().open(path, empty=empty)
        if path.name.startswith(MEMORY_FILE):
            self.calls.append("fold begins")
            self.reached.set()
            assert self.go.wait(HANG_SECONDS)
        return descriptor


async def test_a_commit_does_not_wait_for_the_fold_it_meets(tmp_path: Path) -> None:
    disk = GatedDisk()
    store = FileStore(tmp_path, disk=disk, fold_every=3)
    await store.load()
    await live(store, 1, 3)
    await asyncio.to_thread(disk.reached.wait)

    changes, state = commit(4, STATES[3])
    waiting = asyncio.ensure_future(store.append(changes, state))
    await asyncio.sleep(0)
    disk.go.set()
    await waiting
    await store.close()

    during = disk.calls[disk.calls.index("fold begins") :]
    commit_made, snapshot_in_place = during.index("sync"), during.index("replace")
    assert during[commit_made - 1 : commit_made + 1] == ["write", "sync"]
    assert during[commit_made + 1] == "write"
    assert commit_made < snapshot_in_place


async def test_the_journal_is_folded_by_itself_after_so_many_commits(tmp_path: Path) -> None:
    store = FileStore(tmp_path, disk=HastyDisk(), fold_every=4)
    await store.load()
    await live(store, 1, 3)
    assert not (tmp_path / MEMORY_FILE).exists()
    await live(store, 4, 4)
    await store.fold()  # joins the one that began by itself
    await live(store, 5, 7)

    assert (tmp_path / MEMORY_FILE).exists()
    assert not (tmp_path / f"{MEMORY_FILE}.bak").exists()

    await store.close()


async def test_a_fold_that_fails_is_told_and_tried_again_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    disk = FaultyDisk()
    store = FileStore(tmp_path, disk=disk, fold_every=4)
    await store.load()
    await live(store, 1, 3)
    disk.fail_at, disk.fault, disk.lasting = len(disk.calls) + 4, no_space, True

    with caplog.at_level(logging.WARNING):
        await live(store, 4, 4)
        with pytest.raises(StoreUnwritable, match="the disk is full"):
            await store.fold()
    assert "could not fold" in caplog.text
    disk.fail_at = 0
    await live(store, 5, 9)
    await store.fold()
    await store.close()

    assert await kept_by(tmp_path) == STATES[9]


async def test_a_refused_commit_is_not_there_and_the_store_goes_on(tmp_path: Path) -> None:
    disk = FaultyDisk()
    store = FileStore(tmp_path, disk=disk)
    await store.load()
    await live(store, 1, 2)
    disk.fail_at, disk.fault = len(disk.calls) + 1, no_space

    with pytest.raises(StoreUnwritable):
        await live(store, 3, 3)
    assert await store.load() == STATES[2]
    await live(store, 3, 5)
    await store.close()

    assert await kept_by(tmp_path) == STATES[5]


async def test_a_lock_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).mkdir()

    with pytest.raises(StoreUnwritable, match="lock cannot be used: Is a directory"):
        await FileStore(tmp_path).load()


async def test_a_store_that_cannot_fold_at_the_end_closes_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    disk = FaultyDisk()
    store = FileStore(tmp_path, disk=disk)
    await store.load()
    await live(store, 1, 5)
    disk.fail_at, disk.fault, disk.lasting = len(disk.calls) + 1, no_space, True

    with caplog.at_level(logging.WARNING):
        await store.close()

    assert "closed without folding" in caplog.text
    assert await kept_by(tmp_path) == STATES[5]


async def test_closing_in_the_middle_of_a_fold_keeps_everything(tmp_path: Path) -> None:
    store = FileStore(tmp_path, disk=HastyDisk(), fold_every=1)
    await store.load()
    await live(store, 1, 17)
    await store.close()

    assert [name for name in tmp_path.iterdir() if name.suffix == ".tmp"] == []
    assert await kept_by(tmp_path) == STATES[17]


async def test_a_store_that_cannot_be_loaded_is_not_owned(tmp_path: Path) -> None:
    (tmp_path / MEMORY_FILE).write_text("{}")
    store = FileStore(tmp_path)

    for _ in range(2):
        with pytest.raises(StoreDamaged):
            await store.load()
        FolderLock.take(tmp_path).release()


async def test_a_load_that_is_cancelled_leaves_no_owner(tmp_path: Path) -> None:
    store = FileStore(tmp_path, disk=HastyDisk())
    loading = asyncio.ensure_future(store.load())
    await asyncio.sleep(0)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading

    def is_free() -> bool:
        with suppress(StoreLocked):
            FolderLock.take(tmp_path).release()
            return True
        return False

    await until(is_free)  # the thread gives the folder up in its own time


async def test_a_store_that_is_closed_and_at_once_loaded_again_keeps_its_folder(
    tmp_path: Path,
) -> None:
    """The thread that ended once took the folder from the one that had just begun."""
    store = FileStore(tmp_path, disk=HastyDisk())
    for number in range(1, 21):
        assert await store.load() == STATES[number - 1]
        await live(store, number, number)
        with pytest.raises(StoreLocked):
            FolderLock.take(tmp_path)
        await store.close()


async def test_after_scrubbing_no_file_holds_what_was_dropped(tmp_path: Path) -> None:
    secret = a_memory(1, "主人的秘密是银杏")
    store = FileStore(tmp_path, disk=HastyDisk(), fold_every=2)
    state = await store.load()
    for change in (Put(secret), Put(a_memory(2)), Put(a_memory(3)), Drop(Memory, 1)):
        state, _ = state.apply([change])
        await store.append([change], state)
    (tmp_path / f"{JOURNAL_FILE}.damaged-1").write_text("银杏")
    (tmp_path / "vectors.npy").write_text("not ours")

    await store.scrub()

    for path in tmp_path.iterdir():
        assert "银杏" not in path.read_text(encoding="utf-8"), path.name
    assert (tmp_path / "vectors.npy").exists()
    assert read_agent_state(tmp_path) == state
    await store.close()


def owner_at_work(home: Path, disk: FaultyDisk) -> tuple[StoreFolder, Callable[[], None]]:
    """Return a folder and what makes its owner commit once more and fold."""
    folder = StoreFolder(home, disk)

    def work() -> None:
        number = commits_in(folder.state) + 1
        changes, state = commit(number, folder.state)
        folder.append(Commit(changes, state.next_id), state)
        if number % 2 == 0:
            for _ in folder.fold():
                pass

    return folder, work


def test_whoever_looks_on_sees_a_committed_state_at_every_moment() -> None:
    home, inner = Path("/agent"), PowerlessDisk()
    seen: list[int] = []

    class Watched(FaultyDisk):
        """Look on before and after every call of the owner."""

        def _call(self, name: str, work: Callable[[], T]) -> T:
            look()
            result = super()._call(name, work)
            look()
            return result

    def look() -> None:
        state = read_agent_state(home, disk=inner)
        seen.append(commits_in(state))
        assert state == STATES[seen[-1]]

    _, work = owner_at_work(home, Watched(inner=inner))
    for _ in range(9):
        work()

    assert seen == sorted(seen)
    assert seen[-1] == 9


@pytest.mark.parametrize("rounds", [1, 2, 4, 7])
def test_whoever_reads_while_folds_replace_the_files_reads_again(rounds: int) -> None:
    """The owner makes that many commits, folding after every second, between any two reads."""
    home, inner = Path("/agent"), PowerlessDisk()
    folder, work = owner_at_work(home, FaultyDisk(inner=inner))
    for _ in range(5):
        work()

    class Slow(FaultyDisk):
        """A reader who is overtaken before each of its first reads."""

        def read(self, path: Path) -> bytes | None:
            for _ in range(rounds if len(self.calls) < 6 else 0):
                work()
            return super().read(path)

    state = read_agent_state(home, disk=Slow(inner=inner))

    assert state == STATES[commits_in(state)]
    assert commits_in(state) >= 5
    assert commits_in(folder.state) > commits_in(state) - 1


def test_looking_at_a_damaged_folder_shows_its_last_good_state_and_changes_nothing(
    tmp_path: Path,
) -> None:
    folder, work = owner_at_work(tmp_path, FaultyDisk())
    for _ in range(6):
        work()
    folder.close()
    (tmp_path / MEMORY_FILE).write_bytes(b"{}")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    assert read_agent_state(tmp_path) == STATES[6]
    (tmp_path / JOURNAL_FILE).unlink()
    (tmp_path / f"{MEMORY_FILE}.bak").unlink()
    with pytest.raises(StoreDamaged):
        read_agent_state(tmp_path)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()}.items() <= before.items()


def test_looking_at_an_agent_that_never_was_makes_no_folder(tmp_path: Path) -> None:
    assert read_agent_state(tmp_path / "agents" / "nobody") == MemoryState()
    assert list(tmp_path.iterdir()) == []


# malloc_trim is glibc's: musl and macOS give memory back in ways of their own, and there the
# program asks for nothing, so that there is nothing to test.
HAS_GLIBC = hasattr(ctypes.CDLL(None), "malloc_trim") and Path("/proc/self/statm").exists()


@pytest.mark.skipif(not HAS_GLIBC, reason="only glibc keeps freed memory that way")
async def test_memory_freed_between_what_stays_goes_back_when_a_fold_ends(tmp_path: Path) -> None:
    store = FileStore(tmp_path, disk=HastyDisk())
    await store.load()
    await live(store, 1, 3)
    # Blocks of 2,000 bytes, of which every hundredth stays: 30 MB of holes.
    every = [bytes(2_000) for _ in range(16_000)]
    stays = every[::100]
    del every
    before = resident_pages()

    await store.fold()

    freed = (before - resident_pages()) * 4_096
    await store.close()
    assert len(stays) == 160
    assert freed > 15e6


def resident_pages() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1])
