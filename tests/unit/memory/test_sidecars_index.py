"""The file of the search index: right or absent, and never with a word of what is gone."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from memory import open_memory
from memory.changes import Change, DiaryLine, Drop, Put
from memory.errors import StoreUnwritable
from memory.recall import Recall
from memory.recall.passage_arrays import TextColumns
from memory.recall.placement import KeptPassageIndex, PlacedIndex
from memory.recall.reading import READING, Reading, TextReader, reader_of
from memory.state import MemoryState
from memory.stores.disk import Disk
from memory.stores.sidecars import INDEX_FILE, IndexFile
from memory.text.postings import Postings
from memory.writer import Fairness, Indexes, StateWriter
from tests.builders import a_message, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.erase_proof import small_pages
from tests.fakes.in_memory_store import InMemoryStore
from tests.fakes.waiting import unless_it_hangs, until

SAID = ("我家的猫叫团子", "What a name!", "昨天去面试了，3 点", "加油")


def a_reading(*texts: str) -> Reading:
    said = texts or SAID
    return reader_of(said, (), TextColumns()).reading(np.arange(len(said)), said)


def tokens_in(reading: Reading) -> list[str]:
    return [reading.words.name(row) for row in range(len(reading.words.keys))]


def file_in(folder: Path) -> IndexFile:
    return IndexFile(folder / "agents" / "a")


async def remembered(folder: Path, *said: str) -> None:
    async with open_memory(folder, clock=FakeClock()) as mem:
        mem.remember(a_stretch(*said))
        await mem.settled()


def test_what_was_written_is_read_back_and_is_for_its_owner_only(tmp_path: Path) -> None:
    written = a_reading()
    IndexFile(tmp_path).write(written)

    read = IndexFile(tmp_path).read()

    assert read is not None
    assert read.digests.tolist() == written.digests.tolist()
    for one, other in ((read.words, written.words), (read.characters, written.characters)):
        for part in Postings.__slots__:
            assert getattr(one, part).tolist() == getattr(other, part).tolist()
    assert {n: c.tolist() for n, c in read.columns.items()} == {
        n: c.tolist() for n, c in written.columns.items()
    }
    assert (tmp_path / INDEX_FILE).stat().st_mode & 0o777 == 0o600


def test_an_index_of_nothing_is_read_back(tmp_path: Path) -> None:
    reader = reader_of([], (), TextColumns())
    IndexFile(tmp_path).write(reader.reading(np.arange(0), []))

    read = IndexFile(tmp_path).read()

    assert read is not None
    assert not len(read.words.keys)


def test_no_flipped_bit_and_no_cut_is_believed(tmp_path: Path) -> None:
    IndexFile(tmp_path).write(a_reading())
    path, chance = tmp_path / INDEX_FILE, Random(1)
    data = path.read_bytes()
    for _ in range(80):
        place = chance.randrange(len(data))
        path.write_bytes(
            data[:place] + bytes((data[place] ^ 1 << chance.randrange(8),)) + data[place + 1 :]
        )
        assert IndexFile(tmp_path).read() is None
        path.write_bytes(data[:place])
        assert IndexFile(tmp_path).read() is None
    for other in (b"", b"{}", b"[]\n", b"nonsense", data + b"x", b'{"parts":1,"snapshot":2}\n'):
        path.write_bytes(other)
        assert IndexFile(tmp_path).read() is None


def test_what_another_program_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    IndexFile(tmp_path).write(a_reading())
    monkeypatch.setattr("memory.stores.sidecars.read_by", lambda: (f"reading {READING + 1}",))

    assert IndexFile(tmp_path).read() is None


def test_no_file_is_nothing_and_deleting_it_no_error(tmp_path: Path) -> None:
    assert IndexFile(tmp_path).read() is None
    IndexFile(tmp_path).write(a_reading())
    (tmp_path / f"{INDEX_FILE}.tmp").write_bytes(b"half")
    for _ in range(2):
        IndexFile(tmp_path).delete()
    assert not list(tmp_path.iterdir())


async def test_a_start_after_a_close_reads_no_text_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await remembered(tmp_path, *SAID)
    read: list[str] = []
    add = TextReader.add

    def listed(self: TextReader, text: str) -> int:
        read.append(text)
        return add(self, text)

    monkeypatch.setattr(TextReader, "add", listed)

    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        best = (await mem.search("团子"))[0]
        assert best.source_ids == ("1",)
        assert not read

        # And only what is new is read after a crash, which left the file of the start before.
        mem.remember(a_stretch("团子去看医生", first=9))
        await mem.settled()
        assert read
        data = (tmp_path / "agents" / "a" / INDEX_FILE).read_bytes()
    (tmp_path / "agents" / "a" / INDEX_FILE).write_bytes(data)
    read.clear()
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        assert {hit.source_ids for hit in await mem.search("团子")} >= {("1",), ("9",)}
    assert read
    assert not set(read) & set(SAID)


@pytest.mark.parametrize("harm", ["gone", "cut", "nonsense"])
async def test_a_lost_or_damaged_file_costs_nothing_but_time(tmp_path: Path, harm: str) -> None:
    await remembered(tmp_path, *SAID)
    path = tmp_path / "agents" / "a" / INDEX_FILE
    data = path.read_bytes()
    path.write_bytes({"gone": b"", "cut": data[:-9], "nonsense": b"nonsense"}[harm])

    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        assert (await mem.search("团子"))[0].source_ids == ("1",)

    assert path.read_bytes() == data


class Refusing(Disk):
    """Refuses to touch the file of the index."""

    def read(self, path: Path) -> bytes | None:
        raise PermissionError(path)

    def open(self, path: Path, *, empty: bool = False) -> int:
        raise PermissionError(path)


async def a_writer(
    folder: Path, *said: str, disk: Disk | None = None
) -> tuple[StateWriter, IndexFile]:
    """Return a writer of these lines, whose store is in memory, and its index on disk."""
    file = IndexFile(folder, disk) if disk else IndexFile(folder)
    store = InMemoryStore()
    writer = StateWriter(store, await store.load(), Fairness(), file)
    await writer.write(lambda _: lines(said))
    return writer, file


async def started_with(state: MemoryState, file: IndexFile) -> StateWriter:
    store = InMemoryStore()
    await store.load()
    return StateWriter(store, state, Fairness(), file)


def lines(said: Sequence[str]) -> list[Change]:
    stretch = a_stretch(*said)
    return [Put(DiaryLine(message=m, number=n)) for n, m in enumerate(stretch, start=1)]


async def test_a_disk_that_refuses_costs_nothing_but_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    writer, file = await a_writer(tmp_path, *SAID, disk=Refusing())
    with pytest.raises(StoreUnwritable):
        file.read()

    assert await writer.recall() is not None
    await writer.close()

    assert "the search index could not be kept" in caplog.text
    assert "团子" not in caplog.text
    assert not list(tmp_path.iterdir())


async def test_what_is_gone_is_in_no_index(tmp_path: Path) -> None:
    writer, file = await a_writer(tmp_path, *SAID)
    await writer.indexes()
    await writer.fold()
    assert "团子".encode() in (tmp_path / INDEX_FILE).read_bytes()

    await writer.write(lambda _: [Drop(DiaryLine, "1")])
    await writer.fold()

    kept = file.read()
    assert kept is not None
    assert "面试" in tokens_in(kept)
    assert "团子".encode() not in (tmp_path / INDEX_FILE).read_bytes()


async def test_an_index_nobody_asked_for_is_not_left_behind_with_old_words(
    tmp_path: Path,
) -> None:
    writer, file = await a_writer(tmp_path, *SAID)
    file.write(a_reading())

    await writer.close()

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("searched", [True, False])
async def test_an_index_that_a_crash_left_behind_does_not_outlive_the_night(
    tmp_path: Path, *, searched: bool
) -> None:
    # Written before the line of 团子 was dropped; nothing has changed since the start.
    writer, file = await a_writer(tmp_path, *SAID)
    await writer.write(lambda _: [Drop(DiaryLine, "1")])
    file.write(a_reading())
    started = await started_with(writer.state, file)
    if searched:
        await started.indexes()

    await started.fold()

    assert (file.read() is not None) == searched
    left = (tmp_path / INDEX_FILE).read_bytes() if searched else b""
    assert "团子".encode() not in left


async def test_an_index_of_the_present_texts_is_kept_by_a_night_that_used_none(
    tmp_path: Path,
) -> None:
    writer, file = await a_writer(tmp_path, *SAID)
    file.write(a_reading())
    started = await started_with(writer.state, file)

    await started.fold()
    await started.close()

    assert file.read() is not None


async def test_an_index_of_unchanged_words_stays_as_it_is(tmp_path: Path) -> None:
    writer, file = await a_writer(tmp_path, *SAID)
    await writer.indexes()
    await writer.fold()
    stamp = (tmp_path / INDEX_FILE).stat().st_mtime_ns
    state = writer.state
    await writer.close()

    again = await started_with(state, file)
    await again.indexes()
    await again.close()

    assert (tmp_path / INDEX_FILE).stat().st_mtime_ns == stamp


async def test_no_word_comes_back_that_is_erased_while_the_index_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, file = await a_writer(tmp_path, *SAID)
    await writer.indexes()
    loop, places = asyncio.get_running_loop(), Recall.places

    def erased_meanwhile(state: MemoryState) -> PlacedIndex:
        found = places(state)
        if writer.state is state and "1" in state.diary:
            gone = writer.write(lambda _: [Drop(DiaryLine, "1")])
            asyncio.run_coroutine_threadsafe(gone, loop).result(timeout=10)
        return found

    monkeypatch.setattr(Recall, "places", staticmethod(erased_meanwhile))
    await writer.fold()

    kept = file.read()
    assert kept is not None
    assert not [token for token in tokens_in(kept) if "团" in token]


async def test_a_start_after_a_close_opens_the_places_and_one_after_a_crash_does_not(
    tmp_path: Path,
) -> None:
    await remembered(tmp_path, *SAID)
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        found = await mem.search("团子")
        assert isinstance((await mem._agent._writer.recall())._index, KeptPassageIndex)
        mem.remember(a_stretch("团子今天吐了", first=20))
        await mem.settled()
        crashed = tmp_path / "crashed"
        copytree(tmp_path / "agents", crashed / "agents")
        later = await mem.search("团子")
    for folder, kept in ((tmp_path, True), (crashed, False)):
        async with open_memory(folder, clock=FakeClock()) as again:
            assert await again.search("团子") == later
            index = (await again._agent._writer.recall())._index
            assert isinstance(index, KeptPassageIndex) is kept
    assert found
    assert later != found


async def test_an_erasure_takes_the_file_and_the_next_one_has_none_of_its_words(
    tmp_path: Path,
) -> None:
    await remembered(tmp_path, *SAID)
    path = tmp_path / "agents" / "a" / INDEX_FILE
    assert "团子".encode() in path.read_bytes()

    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        await mem.search("团子")
        state = mem._agent.state
        rests = [m.id for m in state.memories.values() if "1" in m.source_ids]
        async with mem._agent.erasing() as erase:
            await erase(lambda _: [Drop(DiaryLine, "1")])
            await mem._agent._writer.scrub()
            assert not path.exists()
        assert rests
        whole = replace(state.memory(rests[0]), passages=())
        await mem._agent._writer.write(lambda _: [Put(whole)])

    assert path.exists()
    assert "团子".encode() not in path.read_bytes()


async def test_nobody_who_searches_waits_for_the_other_indexes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, _ = await a_writer(tmp_path, *SAID)
    begun, may_end, built = threading.Event(), threading.Event(), Indexes.of

    def held_up(state: MemoryState) -> Indexes:
        begun.set()
        may_end.wait()
        return built(state)

    monkeypatch.setattr(Indexes, "of", held_up)
    async with unless_it_hangs():
        others = asyncio.ensure_future(writer.indexes())
        await until(begun.is_set)
        search = await writer.recall()
        meanwhile = others.done()
        may_end.set()
        await others

    assert not meanwhile
    assert await writer.recall() is search
    await writer.close()


async def test_what_is_said_while_the_index_is_made_anew_after_an_erasure_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, began, go_on = FakeClock(), threading.Event(), threading.Event()
    with small_pages():
        async with open_memory(tmp_path, clock=clock, model=None) as mem:
            for number in range(1, 13):
                clock.tick(hours=1)
                mem.remember([a_message(f"m{number}", f"第{number}次去了公园", at=clock.now())])
                await mem.settled()
            await mem.nightly()
            writer = mem._agent._writer
            await writer.indexes()
            await writer.write(lambda _: [Drop(DiaryLine, "m2")])
            await writer.scrub()
            assert writer._recall is None, "nothing was erased from a page"
            build = Recall.build

            def build_slowly(recall: Recall, *of: Any) -> bool:
                began.set()
                assert go_on.wait(20)
                return build(recall, *of)

            monkeypatch.setattr(Recall, "build", build_slowly)
            search = asyncio.ensure_future(mem.search("公园"))
            assert await asyncio.to_thread(began.wait, 20)
            late = a_message("late", "西湖边有家茶馆", at=clock.tick(hours=1))
            await writer.write(lambda _: [Put(DiaryLine(message=late, number=99))])
            go_on.set()
            await search
            assert any("茶馆" in hit.quote for hit in await mem.search("西湖的茶馆"))
