"""The names of the tables: attributes in the program, and what stands on disk for good."""

import json
from dataclasses import fields
from pathlib import Path

import orjson

from memory.changes import AgentInfo, Drop, ErasedId, PreviousText, Put, Record, RememberedId, Undo
from memory.model import (
    AgentSettings,
    Memory,
)
from memory.state import STORED_NAMES, TABLES, MemoryState
from memory.stores.backups import Backups
from memory.stores.codec import Commit, encode_change
from memory.stores.disk import Disk
from memory.stores.exports import export_bytes, read_export
from memory.stores.folder import StoreFolder
from memory.stores.journal import JOURNAL_FILE
from memory.stores.recovery import read_agent_state
from memory.stores.snapshot import SNAPSHOT_FILES
from tests.builders import a_memory
from tests.fakes.clock import NOON

MEMORY = a_memory(1)
RENAMED: tuple[Record, ...] = (
    PreviousText(memory_id=1, at=NOON, words=MEMORY.words, passages=()),
    RememberedId(message_id="m1"),
    ErasedId(digest="d1"),
    AgentInfo(settings=AgentSettings()),
)
"""One record of each kind whose name on disk is not its name in the program."""

ON_DISK = {"former", "seen", "buried", "households"}
IN_THE_PROGRAM = {"previous_texts", "remembered_ids", "erased_ids", "agent_infos"}


def lived_state() -> tuple[list[Put], MemoryState]:
    changes = [Put(MEMORY), *map(Put, RENAMED)]
    undo = Undo(id=1, at=NOON, actor="partner", label="x", inverse=(Drop(PreviousText, 1),))
    changes.append(Put(undo))
    return changes, MemoryState().apply(changes)[0]


def test_the_names_on_disk_never_change() -> None:
    """Another name needs a new schema and a step in ``memory/stores/codec.py``."""
    assert list(STORED_NAMES.values()) == [
        "memories",
        "links",
        "windows",
        "diary",
        "turns",
        "receipts",
        "reviews",
        "weight_logs",
        "corrections",
        "former",
        "tasks",
        "seen",
        "undos",
        "tombstones",
        "buried",
        "households",
        "reminders",
        "intentions",
    ]
    assert AgentInfo(settings=AgentSettings()).key == "household"


def test_every_table_is_an_attribute_of_the_state() -> None:
    others = {"next_id", "last_line", "laws", "read_from"}
    tables = {field.name for field in fields(MemoryState)} - others

    assert set(TABLES.values()) == tables
    assert TABLES.keys() == STORED_NAMES.keys()


def test_journal_and_snapshots_keep_the_names_of_the_first_version(tmp_path: Path) -> None:
    changes, state = lived_state()
    folder = StoreFolder(tmp_path, Disk())
    folder.append(Commit(changes, state.next_id), state)
    journal = (tmp_path / JOURNAL_FILE).read_text(encoding="utf-8")
    for _ in folder.fold():
        pass
    folder.close()
    written = [json.loads((tmp_path / name).read_bytes()) for name in SNAPSHOT_FILES]

    assert all(f'"put":"{name}"' in journal for name in ON_DISK)
    assert '"drop":"former"' in journal
    assert {name for file in written for name in file} >= ON_DISK
    assert not {name for file in written for name in file} & IN_THE_PROGRAM
    assert not any(name in journal for name in IN_THE_PROGRAM)
    assert read_agent_state(tmp_path) == state


def test_exports_and_backups_keep_the_names_of_the_first_version(tmp_path: Path) -> None:
    _, state = lived_state()
    exported = export_bytes(state, "a", NOON)
    backups = Backups(tmp_path, "a")
    backup = backups.write(state, NOON, "hand")

    for data in (exported, (backups.folder / backup.name).read_bytes()):
        tables = orjson.loads(data)["tables"]
        assert tables.keys() >= ON_DISK
        assert not tables.keys() & IN_THE_PROGRAM
        assert tables["undos"][0]["inverse"] == [{"drop": "former", "key": 1}]
        assert read_export(data).state == state


def test_a_change_is_written_under_the_name_of_its_table() -> None:
    assert encode_change(Drop(AgentInfo, "household")) == {
        "drop": "households",
        "key": "household",
    }
    assert {encode_change(Put(record))["put"] for record in RENAMED} == ON_DISK
    assert encode_change(Drop(Memory, 1))["drop"] == "memories"
