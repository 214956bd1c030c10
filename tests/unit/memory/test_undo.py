"""Undo entries know whether their records were touched since, whatever version wrote them."""

import shutil
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from immutables import Map

from memory.changes import (
    AgentInfo,
    Change,
    Drop,
    ErasedId,
    PendingReview,
    PreviousText,
    Put,
    Record,
    RememberedId,
    Undo,
)
from memory.laws.law import Event
from memory.lifecycle.undo import last_step, plan_undo, record_digest, touched_since, with_undo
from memory.model import ACTIVE, AgentSettings, Archived, Deleted, DeletionPolicy, Memory
from memory.state import MemoryState
from memory.stores.recovery import read_agent_state
from tests.builders import a_memory
from tests.fakes.clock import NOON

RECORDED = Path(__file__).resolve().parents[2] / "recorded"
MEMORY = a_memory()
RECORDS: dict[str, Record] = {
    "7714e203c2bc999e": MEMORY,
    "c4c029b304f842ad": PendingReview(memory_id=1, task="decay", since=NOON),
    "cb1ad8cb653987af": PreviousText(
        memory_id=1, at=NOON, words=MEMORY.words, passages=MEMORY.passages
    ),
    "5ab7bb418e04b193": AgentInfo(settings=AgentSettings(law="weights")),
    "f226ed7dcb492123": RememberedId(message_id="s1"),
    "c289fd01d8d21160": ErasedId(digest="d1"),
}
"""Records, by the digest that the program made of each before its classes were renamed."""


def entry_of(*changes: Change, left: tuple[str, ...]) -> Undo:
    return Undo(id=1, at=NOON, actor="partner", label="edit", inverse=changes, left=left)


@pytest.mark.parametrize("digest", RECORDS)
def test_an_entry_of_the_version_before_still_knows_its_record(digest: str) -> None:
    record = RECORDS[digest]
    state, _ = MemoryState().apply([Put(record)])
    entry = entry_of(Put(record), left=(digest,))

    assert touched_since(state, entry) == ()


def test_an_entry_of_the_version_before_knows_what_is_not_there() -> None:
    entry = entry_of(Drop(Memory, 1), left=("536fd5a56c585c00",))

    assert touched_since(MemoryState(), entry) == ()
    there, _ = MemoryState().apply([Put(MEMORY)])
    assert touched_since(there, entry) == entry.inverse


def test_what_an_unknown_digest_stands_for_is_asked_about() -> None:
    state, _ = MemoryState().apply([Put(MEMORY)])
    entry = entry_of(Put(MEMORY), left=("0123456789abcdef",))

    assert touched_since(state, entry) == entry.inverse


def test_an_entry_of_today_knows_whether_its_record_was_touched() -> None:
    state, _ = MemoryState().apply([Put(MEMORY)])
    pinned = replace(MEMORY, nature=replace(MEMORY.nature, pinned=True))
    changes = with_undo(state, (Put(pinned),), NOON, actor="partner", label="pin")
    after, _ = state.apply(changes)
    entry = last_step(after)

    assert entry is not None
    assert touched_since(after, entry) == ()
    used = after.rules.after_event(pinned, Event.ACCESS, NOON + timedelta(days=1))
    touched, _ = after.apply([Put(used)])
    assert touched_since(touched, entry) == entry.inverse
    back, _ = after.apply(plan_undo(after, entry))
    assert back.memory(1) == MEMORY


def test_a_digest_tells_standings_apart() -> None:
    standings = (
        ACTIVE,
        Archived(NOON),
        Deleted(NOON, DeletionPolicy.USER_DELETE),
        Deleted(NOON, DeletionPolicy.AUTO_CLEANUP),
    )
    states = [MemoryState().apply([Put(replace(MEMORY, standing=s))])[0] for s in standings]

    assert len({record_digest(state, Put(MEMORY)) for state in states}) == len(standings)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrownMemory(Memory):
    """A memory as a later version may keep it: another name, and one more field."""

    mood: str = ""


def test_a_new_name_and_a_new_field_change_no_digest() -> None:
    grown = GrownMemory(
        id=1,
        words=MEMORY.words,
        nature=MEMORY.nature,
        trace=MEMORY.trace,
        origin=MEMORY.origin,
        passages=MEMORY.passages,
    )
    state = MemoryState(memories=Map({1: grown}))
    today, _ = MemoryState().apply([Put(MEMORY)])

    assert record_digest(state, Put(MEMORY)) == record_digest(today, Put(MEMORY))


@pytest.mark.parametrize("version", ["store_v1", "store_v2", "store_v3"])
def test_entries_of_the_first_stores_open_ask_and_take_back(version: str, tmp_path: Path) -> None:
    folder = tmp_path / version
    shutil.copytree(RECORDED / version, folder)

    state = read_agent_state(folder)

    assert state.undos
    for entry in state.undos.values():
        # They hold no digests yet: everything is asked about before it is overwritten.
        assert touched_since(state, entry) == entry.inverse
        after, _ = state.apply(plan_undo(state, entry))
        assert entry.id not in after.undos
