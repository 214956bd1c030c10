"""Records that nobody looks at are packed at a fold, and are found as they were."""

from dataclasses import replace
from pathlib import Path

from memory.changes import Change, Drop, Links, Put, RememberedId
from memory.model import Link, LinkType, Memory
from memory.recall.placement import KeptPassageIndex
from memory.record_table import RecordTable
from memory.state import MemoryState
from memory.stores.file_store import FileStore
from memory.stores.packing import PackedIds, Packer
from memory.writer import Fairness, StateWriter
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.unit.memory.test_paging import told


def remembered(count: int, first: int = 1) -> list[Change]:
    memories = [a_memory(n, f"她在第{n}天吃了 pear{n}x") for n in range(first, first + count)]
    link = Link(target=1, strength=0.5, type=LinkType.KEYWORD)
    return [
        *map(Put, memories),
        *(Put(Links(source=m.id, links=(link,))) for m in memories if m.id > 1),
    ]


def turned(packer: Packer, state: MemoryState) -> None:
    for _ in packer.turn(state):
        pass


def still_open(state: MemoryState) -> int:
    assert isinstance(state.memories, RecordTable)
    return state.memories.open_records


def test_what_is_packed_is_the_same_and_stands_in_memory_when_it_is_asked_for() -> None:
    state, _ = MemoryState().apply(remembered(5))
    packer = Packer(most_open=4)

    turned(packer, state)
    after = packer.handed_over(state)

    assert still_open(after) == 0
    assert not packer.has_packed
    assert after.memories[3] == state.memories[3]
    assert still_open(after) == 1
    assert after == state
    assert [*after.memories] == [1, 2, 3, 4, 5]
    assert 6 not in after.memories


def test_a_few_records_stay_as_they_are() -> None:
    state, _ = MemoryState().apply(remembered(4))
    packer = Packer(most_open=4)

    turned(packer, state)

    assert packer.handed_over(state) is state


def test_what_came_while_it_was_packed_is_kept_and_only_that_is_open() -> None:
    state, _ = MemoryState().apply(remembered(5))
    packer = Packer(most_open=4)
    other = replace(state.memory(2), words=replace(state.memory(2).words, text="她换了工作"))
    later, _ = state.apply([Put(other), Drop(Memory, 5), *remembered(1, first=6)])

    turned(packer, state)
    after = packer.handed_over(later)

    assert still_open(after) == 3
    assert after == later
    assert 5 not in after.memories
    assert after.memories[2] == other


def test_what_was_packed_is_packed_again_with_what_came_and_without_what_went() -> None:
    state, _ = MemoryState().apply(remembered(5))
    packer = Packer(most_open=2)
    turned(packer, state)
    state = packer.handed_over(state)

    state, _ = state.apply([*remembered(3, first=6), Drop(Memory, 1)])
    turned(packer, state)
    after = packer.handed_over(state)

    assert still_open(after) == 0
    assert after == state
    assert [*after.memories] == [2, 3, 4, 5, 6, 7, 8]


def seen(*ids: str) -> list[Change]:
    return [Put(RememberedId(message_id=each)) for each in ids]


IDS = ["om_x", "m10", "m9", "消息", "😀", "m1", ""]


def test_ids_of_what_was_remembered_are_packed_in_order_and_known_again() -> None:
    state, _ = MemoryState().apply(seen(*IDS))
    packer = Packer(most_open=4)

    turned(packer, state)
    after = packer.handed_over(state)

    assert isinstance(after.remembered_ids, RecordTable)
    assert isinstance(after.remembered_ids.documents, PackedIds)
    assert after.remembered_ids.open_records == 0
    assert [*after.remembered_ids] == sorted(IDS)
    assert all(each in after.remembered_ids for each in IDS)
    assert not any(each in after.remembered_ids for each in ("m", "m11", "zz", "消", "\ud800"))
    assert after.remembered_ids.get("m2") is None
    assert after.remembered_ids["m9"] == RememberedId(message_id="m9")
    assert after == state


def test_ids_are_packed_again_with_what_came_and_without_what_went() -> None:
    state, _ = MemoryState().apply(seen(*IDS))
    packer = Packer(most_open=4)
    turned(packer, state)
    state = packer.handed_over(state)

    later, _ = state.apply([*seen("a", "m5", "z", "ä", "é"), Drop(RememberedId, "m9")])
    turned(packer, later)
    came, _ = later.apply([*seen("while"), Drop(RememberedId, "a")])
    after = packer.handed_over(came)

    assert isinstance(after.remembered_ids, RecordTable)
    assert after.remembered_ids.open_records == 2
    expected = {*IDS, "m5", "z", "ä", "é", "while"} - {"m9"}
    assert {*after.remembered_ids} == expected
    assert len(after.remembered_ids) == len(expected)
    assert "m9" not in after.remembered_ids
    assert "a" not in after.remembered_ids
    assert after == came


async def test_a_store_whose_ids_were_packed_is_read_as_it_was(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    writer = StateWriter(store, await store.load(), Fairness())
    ids = [f"m{number}" for number in range(9)]
    _, owner = store._open_writer()
    owner.folder._packer = Packer(most_open=4)
    await writer.write(lambda _: seen(*ids))
    await writer.fold()
    await writer.write(lambda _: [Drop(RememberedId, "m3"), *seen("new")])
    await writer.fold()

    assert isinstance(writer.state.remembered_ids, RecordTable)
    assert isinstance(writer.state.remembered_ids.documents, PackedIds)
    expected = ({*ids} - {"m3"}) | {"new"}
    assert {*writer.state.remembered_ids} == expected
    await writer.close()
    store = FileStore(tmp_path)
    assert {*(await store.load()).remembered_ids} == expected
    await store.close()


async def test_a_fold_packs_and_the_search_in_use_lets_go_as_well(tmp_path: Path) -> None:
    store = FileStore(tmp_path, page_lines=4)
    writer = StateWriter(store, await store.load(), Fairness())
    await writer.write(lambda _: [*told(9), *remembered(5)])
    recall = await writer.recall()
    held = recall.search("pear3x", writer.state, now=NOON)
    assert held[0].memory_id == 3
    _, owner = store._open_writer()
    owner.folder._packer = Packer(most_open=4)

    await writer.fold()

    index = recall._index
    assert isinstance(index, KeptPassageIndex)
    assert index._memories is writer.state.memories
    assert still_open(writer.state) == 0
    assert recall.search("pear3x", writer.state, now=NOON) == held
    await writer.write(lambda _: [Drop(Memory, 3), *remembered(1, first=6)])
    assert all(hit.memory_id != 3 for hit in recall.search("pear3x", writer.state, now=NOON))
    (found, *_) = recall.search("pear6x", writer.state, now=NOON)
    assert found.memory_id == 6
    seen = writer.state
    await writer.close()
    store = FileStore(tmp_path, page_lines=4)
    assert await store.load() == seen
    await store.close()
