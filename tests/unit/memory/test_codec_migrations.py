"""Old documents become new ones once, whole, and only where they are old."""

from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.changes import DiaryLine, Drop, Put, Undo, Window
from memory.diary import in_order
from memory.erasing.scope import every_message
from memory.errors import StoreFromFuture
from memory.model import Level, Memory, Tier
from memory.state import TABLES, MemoryState
from memory.stores.codec import (
    RECORD_TYPES,
    SCHEMA,
    Commit,
    decode,
    encode,
    migrate,
    migrate_change,
    with_derived_fields,
)
from memory.stores.disk import Disk
from memory.stores.folder import StoreFolder
from memory.stores.recovery import read_agent_state, restore
from memory.stores.shapes import BadDocument, JsonObject
from memory.stores.snapshot import MEMORY_FILE, SNAPSHOT_FILES, read_snapshot
from tests.builders import a_memory
from tests.fakes.disks import FaultyDisk, Killed
from tests.store_values import json_values, records

RECORDED = Path(__file__).resolve().parents[2] / "recorded"
NIGHT = datetime(2025, 12, 24, 21, 40, 30, 250000, UTC)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a folder as the program of schema 1 left it."""
    return Path(copytree(RECORDED / "store_v1", tmp_path / "old"))


def schemas(folder: Path) -> list[int]:
    found = [read_snapshot((folder / name).read_bytes()) for name in SNAPSHOT_FILES]
    return [snapshot.meta.schema for snapshot in found if snapshot]


def fold(folder: StoreFolder) -> None:
    for _ in folder.fold():
        pass


def check_the_old_life(state: MemoryState) -> None:
    """Compare a state with what the recorded folder of schema 1 means."""
    assert sorted(state.memories) == [1, 3, 4, 5]
    assert state.next_id == 6
    cat, cello, shop, interview = (state.memories[n] for n in (1, 3, 4, 5))
    assert cat.words.level is Level.FULL
    assert cat.words.keywords == ("猫", "芝麻")
    assert (cat.trace.reinforce_count, cat.trace.stability_hours) == (3, 58.0)
    assert cello.words.level is Level.TAG
    assert not cello.is_active
    assert (shop.trace.reinforce_count, shop.trace.stability_hours) == (6, 24 + 72 + 48 * 0.9)
    assert shop.trace.reinforced_at == shop.trace.updated_at
    assert interview.words.text == "阿宁下周三面试"
    assert state.previous_texts[3].words.level is Level.FULL
    assert state.links_of(1)[0].target == 4
    (put, _) = state.undos[1].inverse
    assert isinstance(put, Put)
    assert isinstance(put.record, Memory)
    assert put.record.words.level is Level.FULL
    assert state.agent_info.settings.partner == "阿宁"
    assert set(state.remembered_ids) == {"m1", "m5"}


def test_a_folder_of_schema_1_opens_as_if_it_had_been_written_today(old: Path) -> None:
    folder = StoreFolder(old, Disk())
    check_the_old_life(folder.state)

    assert folder.needs_fold
    fold(folder)
    folder.close()

    assert schemas(old) == [SCHEMA, SCHEMA]
    again = StoreFolder(old, Disk())
    assert again.state == folder.state
    assert not again.needs_fold
    again.close()


def test_looking_at_a_folder_of_schema_1_changes_nothing_in_it(old: Path) -> None:
    before = {path.name: path.read_bytes() for path in old.iterdir()}

    check_the_old_life(read_agent_state(old))

    assert {path.name: path.read_bytes() for path in old.iterdir()} == before


def test_a_negated_memory_was_true_until_it_was_negated(old: Path) -> None:
    snapshot = read_snapshot((old / MEMORY_FILE).read_bytes())
    assert snapshot is not None
    documents = [d for name, d in snapshot.documents() if name == "memories"]

    shop, florist = (
        decode(Memory, migrate("memories", d, 1)) for d in documents if d["id"] in {1, 2}
    )

    assert shop.lineage.valid_until is None
    assert florist.lineage.valid_until == florist.trace.negated_at == NIGHT


def test_a_crash_in_the_middle_of_a_migration_leaves_a_folder_that_opens(old: Path) -> None:
    """Whatever call is the last one, the next owner finds the same life and finishes the work."""
    count = FaultyDisk()
    folder = StoreFolder(Path(copytree(old, old.parent / "count")), count)
    fold(folder)
    folder.close()

    for number in range(1, len(count.calls) + 1):
        path = Path(copytree(old, old.parent / str(number)))
        with pytest.raises(Killed):  # noqa: PT012 - the kill comes in any of these
            killed = StoreFolder(path, FaultyDisk(number, lasting=True))
            fold(killed)
            killed.close()

        again = StoreFolder(path, Disk())
        check_the_old_life(again.state)
        if again.needs_fold:
            fold(again)
        again.close()
        assert schemas(path) == [SCHEMA, SCHEMA]
        assert restore(path, Disk()).state == again.state


@given(memory=records(Memory))
def test_a_complete_document_is_returned_as_the_same_object(memory: Memory) -> None:
    document = encode(memory)

    assert with_derived_fields(document) is document
    assert migrate("memories", document, SCHEMA) is document


def old_document(**trace: Any) -> JsonObject:
    """Return a memory of schema 1, its trace as given beside ``created_at``."""
    document = encode(a_memory())
    document["words"]["detail"] = document["words"].pop("level")
    for name in ("valid_from", "valid_until"):
        del document["lineage"][name]
    document["trace"] = {"created_at": "2026-03-04T12:00:00Z", **trace}
    return document


def test_a_step_taken_twice_changes_nothing_the_second_time() -> None:
    document = old_document(negated_at="2026-03-05T12:00:00Z")
    untouched = deepcopy(document)

    once = migrate("memories", document, 1)

    assert document == untouched
    assert migrate("memories", once, 1) is once
    assert once["lineage"]["valid_until"] == "2026-03-05T12:00:00Z"


@pytest.mark.parametrize(
    ("trace", "stability", "count"),
    [
        ({}, 24 + 48 * 0.7, 0),
        ({"access_count": 3, "confidence": 0.5}, 24 + 36 + 24, 3),
        ({"access_count": 50, "confidence": 1.0}, 24 + 120 + 48, 50),
    ],
    ids=["nothing known", "accessed", "accessed very often"],
)
def test_an_old_memory_gets_the_stability_it_has_earned(
    trace: dict[str, Any], stability: float, count: int
) -> None:
    memory = decode(Memory, migrate("memories", old_document(**trace), 1))

    assert memory.trace.stability_hours == pytest.approx(stability)
    assert memory.trace.reinforce_count == count


def test_a_count_that_was_stored_is_not_derived_again() -> None:
    """Source document 000 §11.2: the absence of one field must not reset another."""
    document = old_document(access_count=9, reinforce_count=2)

    memory = decode(Memory, migrate("memories", document, 1))

    assert memory.trace.reinforce_count == 2
    assert memory.trace.stability_hours == pytest.approx(24 + 108 + 48 * 0.7)


def test_what_never_had_an_instant_of_its_own_has_the_last_change_or_the_birth() -> None:
    changed = decode(Memory, with_derived_fields(old_changed := old_document_now()))
    born = decode(Memory, with_derived_fields(old_document_now(updated_at=None)))

    assert old_changed["trace"].keys() == {"created_at", "updated_at"}
    assert changed.trace.reinforced_at == datetime(2026, 3, 9, tzinfo=UTC)
    assert born.trace.reinforced_at == datetime(2026, 3, 4, 12, tzinfo=UTC)


def old_document_now(updated_at: str | None = "2026-03-09T00:00:00Z") -> JsonObject:
    document = encode(a_memory())
    document["trace"] = {"created_at": "2026-03-04T12:00:00Z"}
    if updated_at:
        document["trace"]["updated_at"] = updated_at
    return document


def test_a_change_is_brought_up_to_date_and_a_drop_stays_as_it_is() -> None:
    put = {"put": "memories", "record": old_document()}
    drop = {"drop": "memories", "key": 3}

    assert migrate_change(put, 1)["record"]["words"]["level"] == "full"
    assert migrate_change(drop, 1) is drop


def test_an_undo_inside_an_undo_is_brought_up_to_date() -> None:
    inner = {"id": 1, "at": "2026-03-04T12:00:00Z", "actor": "law", "label": ""}
    put = {"put": "memories", "record": old_document()}
    document = {**inner, "inverse": [{"put": "undos", "record": {**inner, "inverse": [put]}}]}

    undo = decode(Undo, migrate("undos", document, 1))

    (outer,) = undo.inverse
    assert isinstance(outer, Put)
    assert isinstance(outer.record, Undo)
    assert decode(Undo, encode(undo)) == undo


@pytest.mark.parametrize("schema", [0, -1, 99])
def test_a_schema_that_never_was_is_refused(schema: int) -> None:
    with pytest.raises(BadDocument, match="which never was"):
        migrate("seen", {"message_id": "m"}, schema)


@given(document=st.dictionaries(st.sampled_from(["words", "lineage", "trace"]), json_values()))
def test_a_step_reads_or_refuses_whatever_it_is_given(document: JsonObject) -> None:
    try:
        migrate("memories", document, 1)
        migrate("undos", document, 1)
    except BadDocument as error:
        complaint = str(error)
        assert complaint.split(maxsplit=1)[0] in {"words", "lineage", "trace", "inverse"}


@pytest.mark.parametrize("schema", range(2, SCHEMA + 1))
def test_the_recorded_folders_still_mean_what_they_meant(schema: int) -> None:
    """Whoever renames or removes a field, or changes what its absence means, is told here.

    The folders were written once and are never written anew: a change of the model that makes this
    fail needs a new schema and a step to it (``memory/stores/codec.py``).
    """
    state = read_agent_state(RECORDED / f"store_v{schema}")

    written = orjson.loads((RECORDED / f"store_v{schema}" / "means.json").read_bytes())
    for stored_name, documents in written.items():
        table = TABLES[RECORD_TYPES[stored_name]]
        found = [encode(record) for record in getattr(state, table).values()]
        for document in documents:
            assert any(_says(other, document) for other in found), (stored_name, document)


@pytest.mark.parametrize("schema", range(1, SCHEMA + 1))
def test_whatever_a_recorded_folder_has_in_words_stands_in_its_diary(schema: int) -> None:
    state = read_agent_state(RECORDED / f"store_v{schema}")

    for message in every_message(state):
        assert state.diary[message.id].message == message
    for memory in state.memories.values():
        for passage in memory.passages:
            if passage.verbatim and memory.nature.tier is Tier.EPISODE:
                line = state.diary[passage.source_ids[0]].message
                assert passage.text in {line.text, line.quoted}
    numbers = [line.number for line in in_order(state.diary.values())]
    assert len(set(numbers)) == len(numbers)


def test_what_goes_before_the_first_fold_had_its_line(tmp_path: Path) -> None:
    """The first commit of this program drops words that stand in the old snapshot only."""
    path = Path(copytree(RECORDED / "store_v2", tmp_path / "old"))
    folder = StoreFolder(path, Disk())
    before = folder.state
    gone = max(before.windows.values(), key=lambda window: len((*window.tail, *window.lines)))
    said = {message.id for message in (*gone.tail, *gone.lines)}
    folder.append(Commit((Drop(Window, gone.key),), before.next_id), before)
    folder.close()
    assert schemas(path) == [2, 2]

    state = read_agent_state(path)

    assert said
    assert said <= set(state.diary)
    assert state.diary == before.diary
    assert gone.key not in state.windows


def test_a_line_that_was_dropped_is_not_made_again(tmp_path: Path) -> None:
    path = Path(copytree(RECORDED / "store_v2", tmp_path / "old"))
    folder = StoreFolder(path, Disk())
    before = folder.state
    one = next(iter(before.diary))
    folder.append(Commit((Drop(DiaryLine, one),), before.next_id), before)
    folder.close()

    assert one not in read_agent_state(path).diary


def _says(found: Any, meant: Any) -> bool:
    """Return whether a document says everything another one says, and maybe more."""
    match meant:
        case dict():
            return isinstance(found, dict) and all(
                name in found and _says(found[name], value) for name, value in meant.items()
            )
        case list():
            return (
                isinstance(found, list)
                and len(found) == len(meant)
                and all(map(_says, found, meant))
            )
        case _:
            return bool(found == meant)


def test_a_folder_of_schema_1_beside_a_journal_of_a_newer_one_is_refused(old: Path) -> None:
    folder = StoreFolder(old, Disk())
    folder._journal.append(orjson.dumps({"schema": SCHEMA + 1, "next_id": 9, "changes": []}))
    folder.close()

    with pytest.raises(StoreFromFuture):
        StoreFolder(old, Disk())
