"""The names of the tables: attributes in the program, and what stands on disk for good."""

import json
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import orjson

from memory.changes import AgentInfo, Drop, ErasedId, PreviousText, Put, Record, RememberedId, Undo
from memory.model import (
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Level,
    Memory,
    Standing,
    Words,
)
from memory.state import STORED_NAMES, TABLES, MemoryState, let_go_since
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


LATER = NOON + timedelta(days=3)
CHOSEN = Undo(
    id=1,
    at=NOON,
    actor="partner",
    label="settings",
    inverse=(Put(AgentInfo(settings=AgentSettings(law="disuse"))),),
)


def under_another_law(*records: Record) -> MemoryState:
    chosen = AgentInfo(settings=AgentSettings(law="network"))
    return MemoryState().apply([Put(each) for each in (chosen, CHOSEN, *records)])[0]


def gone(standing: Standing) -> Memory:
    return replace(MEMORY, standing=standing)


def test_what_rules_took_and_cut_since_a_law_was_chosen_is_found_as_it_was() -> None:
    short = replace(MEMORY, words=Words(text="拉面", level=Level.TAG), passages=())
    full = PreviousText(memory_id=1, at=LATER, words=MEMORY.words, passages=MEMORY.passages)
    deleted = Deleted(LATER, DeletionPolicy.AUTO_CLEANUP)

    for record in (gone(deleted), gone(Archived(LATER))):
        assert let_go_since(under_another_law(record), CHOSEN) == (MEMORY,)
    assert let_go_since(under_another_law(short, full), CHOSEN) == (MEMORY,)
    both = (replace(short, standing=deleted), full)
    assert let_go_since(under_another_law(*both), CHOSEN) == (MEMORY,)


def test_what_was_put_away_before_by_a_law_is_put_away_again() -> None:
    away = gone(Archived(NOON - timedelta(days=3)))
    night = Undo(id=2, at=LATER, actor="law", label="night", inverse=(Put(away),))
    ended = gone(Deleted(LATER, DeletionPolicy.AUTO_CLEANUP))

    assert let_go_since(under_another_law(night, ended), CHOSEN) == (away,)


def test_what_no_rule_took_since_stays_gone() -> None:
    before = gone(Archived(NOON - timedelta(days=3)))
    hidden = gone(Deleted(LATER, DeletionPolicy.USER_DELETE))
    wrong = gone(Deleted(LATER, DeletionPolicy.AUTO_CLEANUP))
    learnt = Undo(id=2, at=LATER, actor="background", label="", inverse=(Put(MEMORY),))
    verdict = replace(learnt, label="review")
    again = a_memory(2, MEMORY.words.text)

    assert let_go_since(under_another_law(before), CHOSEN) == ()
    assert let_go_since(under_another_law(hidden), CHOSEN) == ()
    assert let_go_since(under_another_law(wrong, learnt), CHOSEN) == ()
    assert let_go_since(under_another_law(wrong, verdict), CHOSEN) == (MEMORY,)
    assert let_go_since(under_another_law(wrong, again), CHOSEN) == ()


def test_words_that_were_edited_since_they_were_cut_are_not_taken_back() -> None:
    edited = replace(MEMORY, words=Words(text="主人喜欢乌冬面"))
    edited = replace(edited, trace=replace(MEMORY.trace, updated_at=LATER + timedelta(days=1)))
    full = PreviousText(memory_id=1, at=LATER, words=MEMORY.words, passages=MEMORY.passages)

    assert let_go_since(under_another_law(edited, full), CHOSEN) == ()


def test_a_step_that_chose_no_law_brings_nothing_back() -> None:
    paused = AgentInfo(settings=AgentSettings(law="network", learning=False))
    step = replace(CHOSEN, inverse=(Put(paused),))
    went = gone(Archived(LATER))

    assert let_go_since(under_another_law(went), step) == ()
