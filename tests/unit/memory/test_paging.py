"""Which lines stand in pages: the older ones, once, and never one that went."""

import zlib
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from memory.changes import Change, DiaryLine, Drop, Put
from memory.diary import in_order, readable_lines
from memory.model import Deleted, DeletionPolicy
from memory.recall import Recall
from memory.recall.placement import KeptPassageIndex
from memory.recall.reading import TextReader
from memory.recall.telling import lines_around, talk_before
from memory.state import MemoryState
from memory.stores.codec import Commit
from memory.stores.disk import REAL_DISK, Disk
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.pages import DiaryPage, is_page
from memory.stores.paging import documents_of
from memory.stores.recovery import read_agent_state
from memory.text.postings import Postings
from memory.writer import Fairness, StateWriter
from tests.builders import a_memory, a_stretch
from tests.fakes.clock import NOON
from tests.fakes.cost import times
from tests.fakes.disks import PowerlessDisk
from tests.store_work import commit, life

HOME = Path("/a")


def keep(folder: StoreFolder, *changes: Change) -> MemoryState:
    """Commit changes, as the owner of a folder does."""
    state, _ = folder.state.apply(changes)
    folder.append(Commit(changes, state.next_id), state)
    return folder.state


def fold(folder: StoreFolder) -> None:
    for _ in folder.fold():
        pass


def told(count: int, first: int = 1) -> list[Change]:
    """Return lines of a talk, each with a number in it that no other has."""
    said = a_stretch(*(f"第{n}句 apple{n}x" for n in range(first, first + count)), first=first)
    return [Put(DiaryLine(message=m, number=n)) for n, m in enumerate(said, start=first)]


def sizes(folder: StoreFolder) -> list[int]:
    documents = documents_of(folder.state.diary)
    return [len(page) for page in documents.every_page] if documents else []


def everything_in(disk: Disk, home: Path) -> bytes:
    """Return all that is in the files of a folder, also what is compressed in pages."""
    found = []
    for name in disk.names(home):
        data = disk.read(home / name) or b""
        found.append(data)
        for place in range(len(data)) if is_page(name) else ():
            if data[place : place + 1] == b"\x78":
                try:
                    found.append(zlib.decompressobj().decompress(data[place:]))
                except zlib.error:
                    continue
    return b"\0".join(found)


def test_the_older_lines_move_once_there_are_enough() -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    keep(folder, *told(7))
    fold(folder)
    assert sizes(folder) == []

    keep(folder, *told(2, first=8))
    fold(folder)

    # As many as a page holds stay young at least.
    assert sizes(folder) == [4]
    assert folder.state.diary["4"].message.text == "第4句 apple4x"
    assert len(folder.state.diary) == 9


def test_four_of_the_smallest_pages_become_one_and_no_page_grows_further() -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    seen = []
    for first in range(1, 90, 4):
        keep(folder, *told(4, first=first))
        fold(folder)
        seen.append(sizes(folder))

    assert seen[1:7] == [[4], [4, 4], [4, 4, 4], [16], [16, 4], [16, 4, 4]]
    assert seen[-1] == [16, 16, 16, 16, 16, 4, 4]
    assert sorted(map(int, folder.state.diary)) == list(range(1, 93))


def test_many_lines_at_once_make_large_pages() -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    keep(folder, *told(100))
    fold(folder)

    assert sizes(folder) == [16] * 6
    documents = documents_of(folder.state.diary)
    assert documents is not None
    assert [*documents] == [str(number) for number in range(1, 97)]


ERASED = ["2", "9", "50"]


@pytest.mark.parametrize("key", ERASED)
def test_a_line_that_went_is_in_no_file_after_the_second_fold(tmp_path: Path, key: str) -> None:
    folder = StoreFolder(tmp_path, REAL_DISK, page_lines=4)
    keep(folder, *told(60))
    fold(folder)
    word = f"apple{key}x".encode()
    assert word in everything_in(REAL_DISK, tmp_path)

    keep(folder, Drop(DiaryLine, key))
    fold(folder)
    fold(folder)
    folder.close()

    left = everything_in(REAL_DISK, tmp_path)
    assert word not in left
    assert f"apple{int(key) + 1}x".encode() in left
    assert read_agent_state(tmp_path) == folder.state


def test_a_changed_line_is_read_from_its_page_anew_and_the_others_stay() -> None:
    disk = PowerlessDisk()
    folder = StoreFolder(HOME, disk, page_lines=4)
    keep(folder, *told(16))
    fold(folder)
    before = documents_of(folder.state.diary).names  # type: ignore[union-attr]

    keep(folder, Put(replace(folder.state.diary["6"], scene=3)))
    fold(folder)

    after = documents_of(folder.state.diary).names  # type: ignore[union-attr]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    again = StoreFolder(HOME, PowerlessDisk(as_files(disk)), page_lines=4)
    assert again.state.diary["6"].scene == 3


def as_files(disk: PowerlessDisk) -> dict[Path, bytes]:
    return {HOME / name: disk.read(HOME / name) or b"" for name in disk.names(HOME)}


def test_an_older_line_that_comes_back_goes_into_the_page_of_its_time() -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    keep(folder, *told(16))
    fold(folder)
    gone = folder.state.diary["3"]
    keep(folder, Drop(DiaryLine, "3"))
    fold(folder)
    assert sizes(folder) == [3, 4, 4]

    keep(folder, Put(gone))
    fold(folder)

    assert sizes(folder) == [4, 4, 4]
    assert folder.state.diary["3"] == gone


def test_all_that_went_takes_its_page_along() -> None:
    disk = PowerlessDisk()
    folder = StoreFolder(HOME, disk, page_lines=4)
    keep(folder, *told(12))
    fold(folder)

    keep(folder, *(Drop(DiaryLine, str(n)) for n in range(1, 13)))
    fold(folder)
    fold(folder)

    assert sizes(folder) == []
    assert not any(map(is_page, disk.names(HOME)))
    assert StoreFolder(HOME, PowerlessDisk(as_files(disk)), 4).state == folder.state


@pytest.mark.hunted
def test_commits_between_the_steps_of_a_fold_are_neither_lost_nor_undone() -> None:
    states = life(30)
    for seed in range(times(4, hunting=100)):
        chance = Random(seed)
        folder, state, steps = StoreFolder(HOME, PowerlessDisk(), 2), MemoryState(), None
        for number in range(1, 31):
            # The owner's state is rebased now and then, and rests on earlier pages meanwhile.
            changes, state = commit(number, state)
            folder.append(Commit(changes, state.next_id), state)
            state = folder.rebased(state) if chance.random() < 0.5 else state
            for _ in range(chance.choice([0, 1, 3, 10, 200])):
                if steps is None and chance.random() < 0.3:
                    steps = folder.fold()
                if steps is not None and next(steps, "ended") == "ended":
                    steps = None
            assert folder.state == states[number] == state


def test_pages_nobody_names_go_with_the_next_fold() -> None:
    disk = PowerlessDisk()
    folder = StoreFolder(HOME, disk, page_lines=4)
    keep(folder, *told(20))
    # Given up after the pages were written, before the snapshot named them.
    steps = folder.fold()
    while not any(map(is_page, disk.names(HOME))):
        next(steps)
    steps.close()
    debris = set(filter(is_page, disk.names(HOME)))
    keep(folder, Drop(DiaryLine, "1"))

    fold(folder)
    fold(folder)

    assert debris
    assert not debris & disk.names(HOME)


def test_pages_of_another_way_of_reading_are_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = PowerlessDisk()
    monkeypatch.setattr("memory.stores.pages.read_by", lambda: ("another",))
    folder = StoreFolder(HOME, disk, page_lines=4)
    keep(folder, *told(12))
    fold(folder)
    monkeypatch.undo()

    again = StoreFolder(HOME, PowerlessDisk(as_files(disk)), page_lines=4)
    found = Recall().search("apple2x", again.state, now=NOON)
    assert [hit.source_ids for hit in found[:1]] == [("2",)]
    keep(again, *told(1, first=13))
    fold(again)

    documents = documents_of(again.state.diary)
    assert documents is not None
    assert all(page.is_read_here for page in documents.every_page)


@pytest.fixture
def shapes_of_another(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def another() -> None:
        for place in ("folder", "pages", "tables"):
            monkeypatch.setattr(f"memory.stores.{place}.record_shapes", lambda: "another")

    return another


def test_pages_of_other_records_are_read_whole_and_written_anew(
    shapes_of_another: Callable[[], None],
) -> None:
    disk = PowerlessDisk()
    folder = StoreFolder(HOME, disk, page_lines=4)
    keep(folder, *told(12))
    fold(folder)
    before = documents_of(folder.state.diary).names  # type: ignore[union-attr]
    shapes_of_another()

    again = StoreFolder(HOME, PowerlessDisk(as_files(disk)), page_lines=4)
    assert again.state == folder.state
    assert documents_of(again.state.diary) is None
    fold(again)

    after = documents_of(again.state.diary).names  # type: ignore[union-attr]
    assert not {*before} & {*after}
    assert again.state == folder.state


def test_postings_are_the_same_whether_read_or_taken_from_pages_that_merge() -> None:
    def read(lines: int) -> dict[str, list[int]]:
        folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
        for first in range(1, 21, lines):
            keep(folder, *told(lines, first=first))
            fold(folder)
        (page,) = documents_of(folder.state.diary).every_page  # type: ignore[union-attr]
        return as_plain(page.reading.words)

    assert read(4) == read(20)


def test_a_page_whose_lines_only_changed_their_scene_is_not_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    keep(folder, *told(8))
    fold(folder)
    (before,) = documents_of(folder.state.diary).every_page  # type: ignore[union-attr]
    keep(folder, Put(replace(folder.state.diary["2"], scene=7)))

    monkeypatch.setattr(TextReader, "add", None)
    fold(folder)

    (after,) = documents_of(folder.state.diary).every_page  # type: ignore[union-attr]
    assert after.name != before.name
    assert folder.state.diary["2"].scene == 7
    assert as_plain(after.reading.words) == as_plain(before.reading.words)


def as_plain(postings: Postings) -> dict[str, list[int]]:
    return {
        part: getattr(postings, part).tolist()
        for part in ("keys", "starts", "packed", "lengths", "ends")
    }


async def test_an_index_in_use_lets_go_of_the_lines_that_moved_and_follows_what_comes(
    tmp_path: Path,
) -> None:
    store = FileStore(tmp_path, page_lines=4)
    writer = StateWriter(store, await store.load(), Fairness())
    await writer.write(lambda _: told(9))
    recall = await writer.recall()
    held = recall.search("apple3x", writer.state, now=NOON)

    await writer.fold()

    index = recall._index
    assert isinstance(index, KeptPassageIndex)
    # Of what is in the page nothing is in memory; the young lines are as they were.
    assert [entry is None for entry in index._entries] == [True] * 4 + [False] * 5
    assert recall.search("apple3x", writer.state, now=NOON) == held
    await writer.write(lambda _: [*told(1, first=10), Drop(DiaryLine, "2")])
    (found, *_) = recall.search("apple10x", writer.state, now=NOON)
    assert found.source_ids == ("10",)
    assert not any(
        "apple2x" in hit.quote for hit in recall.search("第2句 apple2x", writer.state, now=NOON)
    )
    await writer.close()


def talk_lines(count: int, chance: Random) -> list[DiaryLine]:
    """Return lines of two talks; some were said a little earlier than what stands before them."""
    lines = []
    for number in range(1, count + 1):
        message = a_stretch(f"第{number}句", first=number)[0]
        late = timedelta(minutes=number - chance.choice((0, 0, 0, 0, 2, 5)))
        talk = chance.choice(("here", "here", "there"))
        said = replace(message, at=NOON + late)
        hidden = chance.random() < 0.1
        lines.append(DiaryLine(message=said, number=number, conversation=talk, hidden=hidden))
    return lines


def around_by_all(ids: Collection[str], state: MemoryState) -> list[DiaryLine]:
    """Return what is around by going through the whole diary."""
    talks: dict[str, list[DiaryLine]] = {}
    for line in readable_lines(state):
        talks.setdefault(line.conversation, []).append(line)
    found = [
        near
        for lines in talks.values()
        for place, line in enumerate(lines)
        if line.key in ids
        for near in lines[max(place - 2, 0) : place + 3]
    ]
    return in_order({line.key: line for line in found}.values())[:16]


@pytest.mark.hunted
@pytest.mark.parametrize("seed", range(times(4, hunting=40)))
def test_what_is_said_around_a_line_is_found_in_its_page(seed: int) -> None:
    chance = Random(seed)
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=4)
    lines = talk_lines(90, chance)
    keep(folder, *map(Put, lines[:80]))
    fold(folder)
    hidden = replace(a_memory(1, "x"), standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    of_hidden = replace(hidden.passages[0], source_ids=(lines[30].key,))
    keep(folder, *map(Put, lines[80:]), Put(replace(hidden, passages=(of_hidden,))))
    keep(folder, Drop(DiaryLine, lines[20].key), Put(replace(lines[40], past=True)))
    state = folder.state
    assert documents_of(state.diary) is not None

    ids = [[line.key] for line in lines] + [[a.key for a in lines[n : n + 3]] for n in range(80)]
    for each in ids:
        assert lines_around(each, state) == around_by_all(each, state), each
    for told in filter(None, map(state.diary.get, (line.key for line in lines))):
        before = [x for x in state.diary.values() if x.conversation == told.conversation]
        before = sorted((x for x in before if x.number < told.number), key=lambda x: -x.number)
        assert talk_before(told, state) == before[:60]


def test_what_is_said_around_a_line_opens_few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StoreFolder(HOME, PowerlessDisk(), page_lines=64)
    keep(folder, *told(5000))
    fold(folder)
    state, opened = folder.state, []
    seen = DiaryPage._opened

    def counted(page: DiaryPage, number: int) -> list[bytes]:
        opened.append(number)
        return seen(page, number)

    monkeypatch.setattr(DiaryPage, "_opened", counted)
    assert [line.key for line in lines_around(["2500"], state)] == [
        "2498", "2499", "2500", "2501", "2502"
    ]  # fmt: skip
    assert talk_before(state.diary["2500"], state)[-1].key == "2440"

    # Of more than 300 blocks.
    assert len(opened) < 60
