"""Tables whose records are decoded when they are asked for: nobody can tell them from others."""

import gc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import orjson
import pytest
from immutables import Map

from memory.changes import Change, DiaryLine, Drop, Put, RememberedId
from memory.errors import StoreFromFuture
from memory.model import Archived
from memory.record_table import RecordTable
from memory.state import MemoryState
from memory.stores import codec, tables
from memory.stores.codec import Commit, encode, record_shapes, state_digest
from memory.stores.disk import REAL_DISK
from memory.stores.folder import StoreFolder
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import (
    ARCHIVE_FILE,
    MEMORY_FILE,
    SNAPSHOT_FILES,
    SnapshotMeta,
    SnapshotStorage,
    read_snapshot,
)
from memory.stores.tables import snapshot_tables
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.store_work import life


def folded(folder: Path, state: MemoryState) -> MemoryState:
    """Return a state as it is read from the snapshots it was folded into."""
    owned = StoreFolder(folder, REAL_DISK)
    changes = [
        Put(each) for name in ("memories", "diary") for each in getattr(state, name).values()
    ]
    owned.append(Commit(changes, state.next_id), state)
    for _ in range(2):
        list(owned.fold())
    owned.close()
    return read_agent_state(folder)


def written(file: Path, state: MemoryState, shapes: str) -> bytes:
    meta = SnapshotMeta(sequence=1, next_id=state.next_id, shapes=shapes)
    list(SnapshotStorage(file).write_in_steps(snapshot_tables(state, file.name), meta))
    return file.read_bytes()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "a"
    folder.mkdir()
    return folder


def test_a_start_decodes_nothing_and_what_is_asked_for_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = life(16)[16]
    decoded: list[type] = []
    decode = codec.decode

    def listed(kind: type, document: object) -> object:
        decoded.append(kind)
        return decode(kind, document)

    monkeypatch.setattr(tables, "decode", listed)
    state = folded(home, before)

    assert isinstance(state.memories, RecordTable)
    assert not {type(each) for each in before.memories.values()} & set(decoded)
    one = next(iter(before.memories))
    assert state.memories[one] == before.memories[one]
    assert state.memories[one] is state.memories[one]
    assert state == before
    assert before == state
    assert state_digest(state) == state_digest(before)


@pytest.mark.parametrize("name", ["m1", '引号"和\\', "换\n行", "表情🙂", "\u2028"])
def test_the_key_of_a_line_is_read_whatever_it_holds(home: Path, name: str) -> None:
    line = DiaryLine(message=replace(a_message(), id=name), number=7)
    seen = RememberedId(message_id=name)
    before, _ = MemoryState().apply([Put(line), Put(seen)])

    state = folded(home, before)

    assert state.diary[name] == line
    assert list(state.remembered_ids) == [name]
    assert state.last_line == 7


def test_a_snapshot_of_other_shapes_is_read_whole_before_it_is_believed(home: Path) -> None:
    state = life(16)[16]
    own = read_snapshot(written(home / MEMORY_FILE, state, record_shapes()))
    foreign = read_snapshot(written(home / MEMORY_FILE, state, "another"))

    assert own is not None
    assert foreign is not None
    for snapshot in (own, foreign):
        assert list(snapshot.documents())
    for file in SNAPSHOT_FILES:
        written(home / file, state, "another")
    read = read_agent_state(home)
    assert isinstance(read.memories, Map)
    assert read == state


def test_a_field_of_a_newer_program_is_refused_when_opening(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(record: object) -> object:
        return {**encode(record), "mood": 1}  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "encode", newer)
    for file in SNAPSHOT_FILES:
        written(home / file, life(16)[16], "a newer program")

    with pytest.raises(StoreFromFuture):
        read_agent_state(home)


def test_what_nobody_asked_for_is_written_as_it_was_read(home: Path) -> None:
    state = folded(home, life(16)[16])
    before = (home / MEMORY_FILE).read_bytes()
    read = read_snapshot(before)
    assert read is not None
    again = SnapshotStorage(home / "again")

    list(again.write_in_steps(snapshot_tables(state, MEMORY_FILE), read.meta))

    assert (home / "again").read_bytes() == before


def changing(seed: int) -> Callable[[MemoryState], MemoryState]:
    def change(state: MemoryState) -> MemoryState:
        chance = Random(seed)
        for _ in range(40):
            key = f"m{chance.randrange(12)}"
            line = DiaryLine(message=replace(a_message(), id=key), number=chance.randrange(99))
            change = Put(line) if chance.random() < 0.5 else Drop(DiaryLine, key)
            state, _ = state.apply([change])
        return state

    return change


@pytest.mark.parametrize("seed", range(8))
def test_a_table_is_changed_as_any_other(seed: int) -> None:
    lines = [DiaryLine(message=replace(a_message(), id=f"m{n}"), number=n) for n in range(6)]
    plain, _ = MemoryState().apply(map(Put, lines))
    kept = {line.key: orjson.dumps(encode(line)) for line in lines}
    table = RecordTable[str, DiaryLine](kept, lambda text: tables._decoded(DiaryLine, text))
    read = replace(plain, diary=table)
    change = changing(seed)

    expected, found = change(plain), change(read)

    assert found.diary == expected.diary
    assert len(found.diary) == len(expected.diary)
    assert sorted(found.diary) == sorted(expected.diary)
    for key in [*expected.diary, "m0", "m11", "nobody"]:
        assert (key in found.diary) is (key in expected.diary)
        assert found.diary.get(key) == expected.diary.get(key)
    assert read.diary == plain.diary
    inverse = found.apply([Drop(DiaryLine, key) for key in list(found.diary)])[1]
    assert MemoryState().apply(inverse)[0].diary == expected.diary
    assert gc.isenabled()


def test_no_key_is_no_record() -> None:
    table = RecordTable[str, DiaryLine]({}, lambda text: tables._decoded(DiaryLine, text))
    with pytest.raises(KeyError):
        table["m"]
    with pytest.raises(KeyError):
        del table.mutate()["m"]


KEYS = [" ", "a", "a1", "a10", "a2", "引", '引"号', "引\\", "换\n行", "🙂", "\u2028", "z"]


def table_of(keys: list[str], home: Path) -> RecordTable[str, DiaryLine]:
    """Return the diary of a folder that was folded with these lines in it."""
    lines = [
        DiaryLine(message=replace(a_message(), id=key), number=number)
        for number, key in enumerate(keys, start=1)
    ]
    diary = folded(home, MemoryState().apply(map(Put, lines))[0]).diary
    assert isinstance(diary, RecordTable)
    return diary


@pytest.mark.parametrize("seed", range(4))
def test_each_line_is_found_where_it_stands_and_no_other(home: Path, seed: int) -> None:
    keys = Random(seed).sample(KEYS, 3 + 3 * seed)

    diary = table_of(keys, home)

    assert {key: diary[key].number for key in keys} == dict(zip(keys, range(1, 99), strict=False))
    assert [key for key in KEYS if key in diary] == [key for key in KEYS if key in keys]
    assert list(diary) == sorted(keys)
    assert [line.key for line in diary.values()] == sorted(keys)
    assert list(diary) == sorted(keys)
    assert diary.get("b") is None
    assert cast("Any", diary).get(7) is None


def test_a_memory_is_found_in_either_of_the_two_files(home: Path) -> None:
    archived = replace(a_memory(2), standing=Archived(at=NOON))
    memories = [a_memory(1), archived, a_memory(3)]
    state = MemoryState().apply(map(Put, memories))[0]

    read = folded(home, state).memories

    assert isinstance(read, RecordTable)
    assert [read[each.id] for each in memories] == memories
    assert list(read) == [1, 2, 3]
    assert 4 not in read
    assert len(read) == 3


def test_snapshots_of_two_folds_are_read_whole(home: Path) -> None:
    before = life(16)[16]
    first, second = (replace(before, next_id=before.next_id + more) for more in (0, 5))
    owned = StoreFolder(home, REAL_DISK)
    for state in (first, second):
        owned.append(Commit([Put(each) for each in state.diary.values()], state.next_id), state)
        if state is first:
            owned.append(Commit([Put(each) for each in state.memories.values()], 1), state)
        list(owned.fold())
    owned.close()
    # A crash between the two: the archive is the older one.
    (home / ARCHIVE_FILE).unlink()
    (home / f"{ARCHIVE_FILE}.bak").rename(home / ARCHIVE_FILE)

    read = read_agent_state(home)

    assert isinstance(read.memories, Map)
    assert read.memories == before.memories
    assert read.diary == before.diary


def test_commits_after_the_fold_are_put_over_what_stands_in_the_snapshots(home: Path) -> None:
    lines = [DiaryLine(message=replace(a_message(), id=f"m{n}"), number=n) for n in range(1, 5)]
    state, _ = MemoryState().apply(map(Put, lines))
    later: list[Change] = [
        Put(replace(lines[0], scene=9)),
        Drop(DiaryLine, "m2"),
        Drop(DiaryLine, "nobody"),
        Put(DiaryLine(message=replace(a_message(), id="m9"), number=9)),
    ]
    owned = StoreFolder(home, REAL_DISK)
    owned.append(Commit([Put(line) for line in lines], 1), state)
    list(owned.fold())
    list(owned.fold())
    state, _ = state.apply(later)
    owned.append(Commit(later, 1), state)
    owned.close()

    read = read_agent_state(home)

    assert isinstance(read.diary, RecordTable)
    assert read.diary == state.diary
    assert len(read.diary) == 4
    assert sorted(read.diary) == ["m1", "m3", "m4", "m9"]
    assert read.last_line == 9


def test_what_was_gone_through_once_is_decoded_no_second_time() -> None:
    lines = [DiaryLine(message=replace(a_message(), id=f"m{n}"), number=n) for n in range(6)]
    documents = {line.key: orjson.dumps(encode(line)) for line in lines}
    decoded: list[bytes] = []

    def decode(text: bytes) -> DiaryLine:
        decoded.append(text)
        return cast("DiaryLine", tables._decoded(DiaryLine, text))

    table = RecordTable[str, DiaryLine](documents, decode)
    asked = table["m3"]
    # Given up half-way, a pass has not seen everything.
    assert next(iter(table.values())) == lines[0]

    for _ in range(2):
        assert list(table.values()) == lines
        assert dict(table.items()) == {line.key: line for line in lines}
    assert len(decoded) == len(lines)
    assert list(table.values())[3] is asked is table["m3"]


def test_a_fold_decodes_nothing_and_leaves_the_archived_apart(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is said cannot make a memory look active: its quotation marks are escaped.
    away = replace(a_memory(2, '"standing":{"is":"active"}'), standing=Archived(at=NOON))
    state = folded(home, MemoryState().apply([Put(a_memory(1, "猫")), Put(away)])[0])

    def refused(*_: object) -> object:
        raise AssertionError("a fold needs no record")

    monkeypatch.setattr(tables, "decode", refused)
    changed, _ = state.apply([Put(a_memory(3, "狗"))])
    held = {
        file: [
            number
            for name, rows in snapshot_tables(changed, file)
            if name == "memories"
            for number, _ in rows
        ]
        for file in SNAPSHOT_FILES
    }

    assert held == {MEMORY_FILE: [1, 3], ARCHIVE_FILE: [2]}
