"""Snapshots: readable, verified, TinyDB; damaged ones are set aside and never believed."""

import gc
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinydb import TinyDB, where

from memory import open_memory
from memory.changes import Put, RememberedId
from memory.errors import StoreDamaged, StoreFromFuture, StoreUnwritable
from memory.model import Archived, Memory
from memory.state import STORED_NAMES, MemoryState
from memory.stores.codec import Commit, decode
from memory.stores.disk import LOCK_FILE, Disk, FolderLock, replace_file
from memory.stores.folder import StoreFolder
from memory.stores.journal import JOURNAL_FILE
from memory.stores.recovery import DAMAGED_MARK, StoreDamage, read_agent_state, restore
from memory.stores.snapshot import (
    ARCHIVE_FILE,
    MEMORY_FILE,
    PREVIOUS_SUFFIX,
    SNAPSHOT_FILES,
    SnapshotMeta,
    SnapshotStorage,
    read_snapshot,
)
from memory.stores.tables import record_number, snapshot_tables
from tests.builders import a_memory
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.cost import times
from tests.fakes.disks import FaultyDisk, PowerlessDisk, bad_sector, no_space
from tests.store_work import commit, commits_in, life


def fold(folder: StoreFolder) -> None:
    for _ in folder.fold():
        pass


def live(folder: StoreFolder, last: int, folds: frozenset[int] = frozenset()) -> MemoryState:
    """Make the commits up to ``last``, folding after some of them."""
    for number in range(folder.sequence + 1, last + 1):
        changes, state = commit(number, folder.state)
        folder.append(Commit(changes, state.next_id), state)
        if number in folds:
            fold(folder)
    return folder.state


@pytest.fixture(scope="module")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lived")
    folder = StoreFolder(path, Disk())
    live(folder, 20, frozenset({8, 16}))
    folder.close()
    return path


@pytest.fixture
def lived(lived_once: Path, tmp_path: Path) -> Path:
    """Return a folder of 20 commits, folded after the 8th and the 16th, and closed."""
    return Path(copytree(lived_once, tmp_path / "lived"))


def restored(path: Path) -> MemoryState:
    folder = StoreFolder(path, Disk())
    folder.close()
    return folder.state


def names(path: Path) -> set[str]:
    return {entry.name for entry in path.iterdir()}


def spoil(path: Path) -> bytes:
    """Change one byte in the middle of a file, and return what it is then."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    return bytes(data)


def test_a_snapshot_is_one_json_object_with_one_record_a_line(lived: Path) -> None:
    text = (lived / MEMORY_FILE).read_text(encoding="utf-8")
    tables = json.loads(text)

    records = sum(len(table) for name, table in tables.items() if name != "meta")
    assert sum(line.startswith('"') and line[1].isdigit() for line in text.splitlines()) == records
    assert "拉面" in text
    about = tables["meta"]["1"]
    assert about.keys() == {
        "schema",
        "sequence",
        "next_id",
        "last_line",
        "shapes",
        "pages",
        "checksum",
    }


def test_one_new_record_is_one_new_line(tmp_path: Path) -> None:
    seen = [RememberedId(message_id=f"m{number}") for number in range(30)]
    state, _ = MemoryState().apply([Put(s) for s in seen[:-1]])
    more, _ = state.apply([Put(seen[-1])])

    lines = []
    for number, one in enumerate((state, more)):
        path = tmp_path / f"{number}.json"
        for _ in SnapshotStorage(path).write_in_steps(
            snapshot_tables(one, MEMORY_FILE), SnapshotMeta()
        ):
            pass
        lines.append({line.rstrip(",") for line in path.read_text().splitlines()[:-1]})

    assert len(lines[1] - lines[0]) == 1
    assert lines[0] <= lines[1]


def test_a_large_snapshot_is_synced_as_it_grows(tmp_path: Path) -> None:
    disk = FaultyDisk()
    seen = [Put(RememberedId(message_id=f"m{number}")) for number in range(9_000)]
    state, _ = MemoryState().apply(seen)

    for _ in SnapshotStorage(tmp_path / MEMORY_FILE, disk).write_in_steps(
        snapshot_tables(state, MEMORY_FILE), SnapshotMeta()
    ):
        pass

    assert disk.calls.count("sync") == 3
    assert "sync" in disk.calls[: len(disk.calls) // 2]


def test_what_is_out_of_recall_is_in_the_archive(tmp_path: Path) -> None:
    kept, gone = a_memory(1), replace(a_memory(2), standing=Archived(NOON))
    folder = StoreFolder(tmp_path, Disk())
    state, _ = folder.state.apply([Put(kept), Put(gone)])
    folder.append(Commit([Put(kept), Put(gone)], state.next_id), state)
    fold(folder)
    folder.close()

    memory, archive = (json.loads((tmp_path / name).read_bytes()) for name in SNAPSHOT_FILES)

    assert list(memory["memories"]) == ["1"]
    assert list(archive["memories"]) == ["2"]
    assert memory.keys() | archive.keys() == {*STORED_NAMES.values(), "meta"}
    assert memory.keys() & archive.keys() == {"memories", "meta"}


def test_tinydb_itself_opens_and_queries_a_snapshot(lived: Path) -> None:
    state = life(20)[16]
    with TinyDB(lived / MEMORY_FILE, access_mode="r", encoding="utf-8") as db:
        found = db.table("memories").search(where("words")["text"].search("ramen"))
        one = db.table("memories").get(doc_id=found[0].doc_id)

    assert one is not None
    assert decode(Memory, dict(found[0])) == state.memories[found[0].doc_id]
    assert dict(one) == dict(found[0])


def test_our_storage_lets_tinydb_change_a_snapshot_that_restores(lived: Path) -> None:
    with TinyDB(lived / MEMORY_FILE, storage=SnapshotStorage) as db:
        table = db.table("seen")
        assert len(table) == len(life(16)[16].remembered_ids)
        table.upsert({"message_id": "by hand"}, where("message_id") == "by hand")
        table.remove(where("message_id") == "m3")

    state = restored(lived)

    assert "by hand" in state.remembered_ids
    assert "m3" not in state.remembered_ids
    assert state.memories == life(20)[20].memories


def test_our_storage_makes_a_snapshot_from_nothing(tmp_path: Path) -> None:
    with TinyDB(tmp_path / MEMORY_FILE, storage=SnapshotStorage) as db:
        db.table("seen").insert({"message_id": "m1"})

    snapshot = read_snapshot((tmp_path / MEMORY_FILE).read_bytes())

    assert snapshot is not None
    assert snapshot.meta == SnapshotMeta()
    assert list(snapshot.documents()) == [("seen", {"message_id": "m1"})]


def test_our_storage_refuses_a_damaged_snapshot(lived: Path) -> None:
    spoil(lived / MEMORY_FILE)

    with pytest.raises(StoreDamaged), TinyDB(lived / MEMORY_FILE, storage=SnapshotStorage) as db:
        db.tables()


def test_a_text_key_has_the_same_number_in_every_snapshot() -> None:
    assert record_number(42) == 42
    assert record_number("tg:123") == record_number("tg:123") != record_number("tg:124")
    assert 0 < record_number("tg:123") < 2**48


@settings(max_examples=times(100, hunting=1000))
@given(data=st.data())
def test_no_changed_byte_of_a_snapshot_goes_unseen(lived_once: Path, data: st.DataObject) -> None:
    whole = (lived_once / MEMORY_FILE).read_bytes()
    hurt = bytearray(whole)
    hurt[data.draw(st.integers(0, len(hurt) - 1))] ^= data.draw(st.integers(1, 255))
    cut = data.draw(st.integers(0, len(whole) - 1))

    assert read_snapshot(whole) is not None
    assert read_snapshot(bytes(hurt)) is None
    assert read_snapshot(whole[:cut]) is None
    assert read_snapshot(whole[cut:] + whole) is None


@pytest.mark.parametrize("name", SNAPSHOT_FILES)
@pytest.mark.parametrize("how", ["spoilt", "missing", "empty"])
def test_a_lost_snapshot_costs_no_commit(lived: Path, name: str, how: str) -> None:
    if how == "missing":
        (lived / name).unlink()
        hurt = None
    else:
        hurt = spoil(lived / name) if how == "spoilt" else b""
        (lived / name).write_bytes(hurt)

    assert restored(lived) == life(20)[20]

    kept = lived / f"{name}.damaged-1"
    assert kept.exists() is (hurt is not None)
    assert hurt is None or kept.read_bytes() == hurt


def test_both_snapshots_lost_cost_no_commit(lived: Path) -> None:
    for name in SNAPSHOT_FILES:
        spoil(lived / name)

    assert restored(lived) == life(20)[20]


def test_every_snapshot_lost_costs_nothing_while_the_journal_goes_back_to_the_start(
    tmp_path: Path,
) -> None:
    folder = StoreFolder(tmp_path, Disk())
    live(folder, 9, frozenset({5}))
    folder.close()
    for name in SNAPSHOT_FILES:
        spoil(tmp_path / name)

    assert restored(tmp_path) == life(9)[9]


def test_a_repaired_folder_is_whole_again_and_does_not_forget_what_it_set_aside(
    lived: Path,
) -> None:
    spoil(lived / MEMORY_FILE)
    folder = StoreFolder(lived, Disk())
    assert folder.needs_fold
    fold(folder)
    live(folder, 25)
    folder.close()

    (lived / (MEMORY_FILE + PREVIOUS_SUFFIX)).unlink()
    (lived / (ARCHIVE_FILE + PREVIOUS_SUFFIX)).unlink()
    assert restored(lived) == life(25)[25]
    assert f"{MEMORY_FILE}.damaged-1" in names(lived)

    spoil(lived / MEMORY_FILE)
    with pytest.raises(StoreDamaged):
        restored(lived)


def test_with_nothing_readable_it_says_so_each_time_and_touches_nothing(lived: Path) -> None:
    for name in SNAPSHOT_FILES:
        spoil(lived / name)
        spoil(lived / (name + PREVIOUS_SUFFIX))
    before = {name: (lived / name).read_bytes() for name in names(lived)}

    for _ in range(2):
        with pytest.raises(StoreDamaged, match="restore a backup, or move the folder away"):
            restored(lived)

    assert {name: (lived / name).read_bytes() for name in names(lived)} == before


@pytest.mark.parametrize(
    "left",
    [
        {MEMORY_FILE},
        {ARCHIVE_FILE},
        {MEMORY_FILE + PREVIOUS_SUFFIX},
        {f"{MEMORY_FILE}.damaged-1"},
        {f"{JOURNAL_FILE}.damaged-1", JOURNAL_FILE},
    ],
    ids=lambda left: "+".join(sorted(left)),
)
def test_a_folder_with_a_trace_of_a_life_is_never_found_empty(
    tmp_path: Path, left: set[str]
) -> None:
    for name in left:
        (tmp_path / name).write_bytes(b"")

    with pytest.raises(StoreDamaged):
        restored(tmp_path)


def test_a_first_line_that_is_damaged_is_not_an_empty_life(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path, Disk())
    live(folder, 1)
    folder.close()
    data = bytearray((tmp_path / JOURNAL_FILE).read_bytes())
    data[60] ^= 3
    (tmp_path / JOURNAL_FILE).write_bytes(data)

    with pytest.raises(StoreDamaged):
        restored(tmp_path)


def test_a_flipped_bit_in_the_journal_costs_nothing_and_is_told(
    lived: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = bytearray((lived / JOURNAL_FILE).read_bytes())
    data[data.rindex(b"ramen")] ^= 4
    (lived / JOURNAL_FILE).write_bytes(data)

    folder = StoreFolder(lived, Disk())
    assert folder.state == life(20)[20]
    assert folder.damage == StoreDamage(healed=1)
    assert "healed" in caplog.text
    folder.close()

    assert restore(lived, Disk()).damage == StoreDamage()
    assert not any(DAMAGED_MARK in name for name in names(lived))


def test_a_journal_that_is_gone_is_told(lived: Path, caplog: pytest.LogCaptureFixture) -> None:
    (lived / JOURNAL_FILE).unlink()

    folder = StoreFolder(lived, Disk())
    assert folder.state == life(20)[16]
    assert folder.damage == StoreDamage(journal_missing=True, lost=4)
    assert "no journal" in caplog.text
    folder.close()

    assert f"{JOURNAL_FILE}.damaged-1" in names(lived)
    assert restore(lived, Disk()).damage == StoreDamage()


def test_damage_inside_the_journal_costs_that_commit_and_keeps_the_file(lived: Path) -> None:
    lines = (lived / JOURNAL_FILE).read_bytes().splitlines(keepends=True)
    lines[-2] = lines[-2].replace(b"ramen", b"RAMEN")
    hurt = b"".join(lines)
    (lived / JOURNAL_FILE).write_bytes(hurt)

    folder = StoreFolder(lived, Disk())
    assert folder.damage == StoreDamage(lost=1, unusable_files=(JOURNAL_FILE,))
    assert commits_in(folder.state) == 20
    assert folder.state == without_commit(19, 20)
    # Before anything is folded: the journal alone must lead over the gap now.
    assert restore(lived, Disk()).state == folder.state
    live(folder, 22)
    folder.close()

    assert (lived / f"{JOURNAL_FILE}.damaged-1").read_bytes() == hurt
    assert commits_in(restored(lived)) == 22
    assert names(lived) >= {f"{JOURNAL_FILE}.damaged-1"}
    assert f"{JOURNAL_FILE}.damaged-2" not in names(lived)


def without_commit(left_out: int, last: int) -> MemoryState:
    """Return the state after every commit but one, each change as it was made then."""
    states, state = life(last), MemoryState()
    for number in range(1, last + 1):
        changes, after = commit(number, states[number - 1])
        if number != left_out:
            state = replace(state.apply(changes)[0], next_id=after.next_id)
    return state


def test_damage_before_what_the_snapshots_hold_costs_no_commit(lived: Path) -> None:
    lines = (lived / JOURNAL_FILE).read_bytes().splitlines(keepends=True)
    lines[1] = b"garbage\n"
    (lived / JOURNAL_FILE).write_bytes(b"".join(lines))

    assert restored(lived) == life(20)[20]
    assert f"{JOURNAL_FILE}.damaged-1" in names(lived)


def test_a_snapshot_that_leads_elsewhere_is_set_aside(lived: Path) -> None:
    """The archive is a generation behind and the journal does not bridge the gap."""
    (lived / (ARCHIVE_FILE + PREVIOUS_SUFFIX)).replace(lived / ARCHIVE_FILE)
    lines = (lived / JOURNAL_FILE).read_bytes().splitlines(keepends=True)
    (lived / JOURNAL_FILE).write_bytes(b"".join(lines[:3]))

    assert restored(lived) == life(20)[11]
    assert f"{MEMORY_FILE}.damaged-1" in names(lived)


@pytest.mark.parametrize("older", SNAPSHOT_FILES)
@pytest.mark.parametrize("ages", [(0, 7), (3, 7), (6, 7), (7, 7), (7, 12), (1, 12)])
def test_snapshots_of_any_two_ages_and_the_journal_make_the_same_state(
    tmp_path: Path, older: str, ages: tuple[int, int]
) -> None:
    states = life(12)
    folder = StoreFolder(tmp_path, Disk())
    live(folder, 12)
    folder.close()
    for name in SNAPSHOT_FILES:
        age = ages[0] if name == older else ages[1]
        meta = SnapshotMeta(sequence=age, next_id=states[age].next_id)
        for _ in SnapshotStorage(tmp_path / name).write_in_steps(
            snapshot_tables(states[age], name), meta
        ):
            pass

    found = restore(tmp_path, Disk())

    assert found.state == states[12]
    assert (found.sequence, found.folded, found.unusable_files) == (12, ages[0], ())


@pytest.mark.parametrize("name", [MEMORY_FILE, JOURNAL_FILE])
def test_a_folder_from_a_newer_program_is_refused_and_untouched(lived: Path, name: str) -> None:
    if name == MEMORY_FILE:
        storage = SnapshotStorage(lived / MEMORY_FILE)
        for _ in storage.write_in_steps(
            snapshot_tables(life(16)[16], MEMORY_FILE), SnapshotMeta(schema=99, sequence=16)
        ):
            pass
    else:
        payload = orjson.dumps({"schema": 99, "next_id": 1, "changes": []})
        folder = StoreFolder(lived, Disk())
        folder._journal.append(payload)
        folder.close()
    before = {entry: (lived / entry).read_bytes() for entry in names(lived)}

    with pytest.raises(StoreFromFuture, match="update the program"):
        restored(lived)
    with pytest.raises(StoreFromFuture):
        read_agent_state(lived)

    assert {entry: (lived / entry).read_bytes() for entry in names(lived)} == before


@pytest.mark.parametrize(
    ("table", "document"),
    [("seen", {"message_id": "m", "mood": "good"}), ("dreams", {"text": "x"})],
    ids=["field", "table"],
)
def test_an_intact_snapshot_with_something_unknown_is_from_a_newer_program(
    lived: Path, table: str, document: dict[str, str]
) -> None:
    with TinyDB(lived / MEMORY_FILE, storage=SnapshotStorage) as db:
        db.table(table).insert(document)

    with pytest.raises(StoreFromFuture, match=rf"{table}.*update the program"):
        restored(lived)


def test_files_are_for_their_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "data" / "agents" / "a"
    for umask in (0, 0o777):
        former = os.umask(umask)
        try:
            lock = FolderLock.take(path)
            folder = StoreFolder(path, Disk())
            live(folder, folder.sequence + 9, frozenset(range(1, 20, 3)))
            folder.close()
            lock.release()
        finally:
            os.umask(former)
    everything = [tmp_path / "data", *(tmp_path / "data").rglob("*")]

    assert {
        LOCK_FILE,
        JOURNAL_FILE,
        MEMORY_FILE,
        ARCHIVE_FILE,
        MEMORY_FILE + PREVIOUS_SUFFIX,
    } <= names(path)
    for entry in everything:
        assert stat.S_IMODE(entry.stat().st_mode) == (0o700 if entry.is_dir() else 0o600), entry


def test_a_lock_that_is_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch()
    (tmp_path / LOCK_FILE).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnwritable, match="symbolic link"):
        FolderLock.take(tmp_path)


@pytest.mark.parametrize("name", [JOURNAL_FILE, MEMORY_FILE + ".tmp"])
def test_no_file_is_written_through_a_symbolic_link(lived: Path, name: str) -> None:
    (lived.parent / "elsewhere").write_text("precious")
    (lived / name).unlink(missing_ok=True)
    (lived / name).symlink_to(lived.parent / "elsewhere")

    with suppress(StoreUnwritable):
        live(StoreFolder(lived, Disk()), 30, frozenset({25}))

    assert (lived.parent / "elsewhere").read_text() == "precious"


@pytest.mark.parametrize("at_work", [True, False])
def test_opening_leaves_the_cycle_collector_as_it_was(lived: Path, *, at_work: bool) -> None:
    was_at_work = gc.isenabled()
    try:
        (gc.enable if at_work else gc.disable)()
        restored(lived)

        assert gc.isenabled() is at_work
    finally:
        (gc.enable if was_at_work else gc.disable)()


def test_no_collection_goes_through_what_was_opened(lived: Path) -> None:
    gc.unfreeze()
    try:
        restored(lived)

        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


async def test_what_is_closed_can_be_collected_again(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as memory:
        await memory.search("花生")
        assert gc.get_freeze_count() > 0

    assert gc.get_freeze_count() == 0


@given(seed=st.integers(0, 2**32))
def test_a_file_that_was_replaced_stays_replaced_when_the_power_fails(seed: int) -> None:
    path = Path("/agent/note")
    disk = PowerlessDisk({path: b"old"})

    replace_file(disk, path, b"new")

    assert disk.after_power_loss(Random(seed)) == {path: b"new"}


@pytest.mark.parametrize("fault", [no_space, bad_sector], ids=["ENOSPC", "EIO"])
def test_a_file_that_could_not_be_replaced_is_as_it_was_and_leaves_nothing_beside(
    tmp_path: Path, fault: Callable[[], OSError]
) -> None:
    path = tmp_path / "note"
    path.write_bytes(b"old")
    count = FaultyDisk()
    replace_file(count, tmp_path / "probe", b"new")
    (tmp_path / "probe").unlink()

    for number in range(1, count.calls.index("replace") + 2):
        with pytest.raises(OSError, match=r"No space|Input/output"):
            replace_file(FaultyDisk(number, fault), path, b"new")

        assert path.read_bytes() == b"old"
        assert names(tmp_path) == {"note"}
