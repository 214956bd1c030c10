"""A life whose older lines stand in pages: lived on, damaged, erased from, and taken back."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory import open_memory
from memory.agents import lines_back
from memory.api import OpenMemory
from memory.changes import DiaryLine, Drop, Put
from memory.model import Deleted, DeletionPolicy
from memory.recall.reading import slots_to_read
from memory.state import MemoryState
from memory.stores.backups import Backups
from memory.stores.pages import is_page
from memory.stores.recovery import read_agent_state
from tests.builders import a_memory, a_stretch
from tests.fakes.canaries import found
from tests.fakes.clock import NOON, FakeClock

FRUIT = ("苹果", "pears", "樱桃", "plums", "葡萄", "figs", "荔枝", "dates", "柠檬", "limes")
SAID = [f"{each} number {n}!" for n, each in enumerate(FRUIT * 3)]


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.stores.paging.PAGE_LINES", 4)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[OpenMemory]:
    clock = FakeClock()
    clock.tick(days=1)
    async with open_memory(folder, clock=clock) as mem:
        yield mem


async def lived(folder: Path) -> MemoryState:
    """Live long enough for pages, keep a backup, and return what is known."""
    async with opened(folder) as mem:
        mem.remember(a_stretch(*SAID))
        await mem.settled()
        await mem.nightly()
        state = mem._agent.state
    Backups(folder, "a").write(state, NOON, "hand")
    return state


def pages(folder: Path) -> list[Path]:
    return sorted(each for each in (folder / "agents" / "a").iterdir() if is_page(each.name))


async def test_a_life_over_pages_goes_on_as_any_other(tmp_path: Path) -> None:
    await lived(tmp_path)
    assert pages(tmp_path)

    async with opened(tmp_path) as mem:
        assert (await mem.search("樱桃"))[0].quote.startswith("樱桃")
        mem.remember(a_stretch("I moved to Bern", first=50))
        await mem.settled()
        assert (await mem.search("Bern", depth="deep"))[0].source_ids == ("50",)
        known = mem._agent.state

    assert read_agent_state(tmp_path / "agents" / "a") == known


async def test_a_life_taken_in_at_once_is_read_in_its_pages_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.writer._MANY_TO_READ", 16)

    async with opened(tmp_path) as mem:
        mem.remember(a_stretch(*SAID))
        await mem.settled()
        state = mem._agent.state
        assert slots_to_read(state) < 2 * 4
        assert (await mem.search("樱桃"))[0].quote.startswith("樱桃")
        known = mem._agent.state

    assert read_agent_state(tmp_path / "agents" / "a") == known


async def test_a_program_with_other_records_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await lived(tmp_path)
    async with opened(tmp_path) as mem:
        expected = await mem.search("樱桃")
    for place in ("folder", "pages", "tables"):
        monkeypatch.setattr(f"memory.stores.{place}.record_shapes", lambda: "another")

    # Twice: what the first one finds is read out of the pages, and written anew by it.
    for _ in range(2):
        async with opened(tmp_path) as mem:
            assert await mem.search("樱桃") == expected
            assert dict(mem._agent.state.diary.items()) == dict(before.diary.items())


def harm(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.unlink()
        path.write_bytes(data[: len(data) // 2])
    else:
        # Another file: who has the page open still sees what it was.
        path.unlink()
        path.write_bytes(data[:40] + bytes(len(data) - 40))


@pytest.mark.parametrize("how", ["gone", "cut", "zeroed"])
async def test_the_lines_of_a_damaged_page_come_back_from_the_newest_backup(
    tmp_path: Path, how: str
) -> None:
    before = await lived(tmp_path)
    hurt = pages(tmp_path)[0]
    harm(hurt, how)

    async with opened(tmp_path) as mem:
        assert dict(mem._agent.state.diary.items()) == dict(before.diary.items())
        assert (await mem.search("苹果"))[0].quote.startswith("苹果")

    aside = [each.name for each in hurt.parent.iterdir() if "damaged" in each.name]
    assert aside == [f"{hurt.name}.damaged-1"]
    async with opened(tmp_path) as mem:
        assert not mem._agent._writer._store.damage  # type: ignore[attr-defined]
        assert dict(mem._agent.state.diary.items()) == dict(before.diary.items())


async def test_without_a_backup_everything_else_opens(tmp_path: Path) -> None:
    before = await lived(tmp_path)
    for each in (tmp_path / "backups" / "a").iterdir():
        each.unlink()
    hurt, *others = pages(tmp_path)
    hurt.unlink()

    async with opened(tmp_path) as mem:
        left = mem._agent.state

    gone = {*before.diary} - {*left.diary}
    assert others or gone
    assert gone == {str(n) for n in range(1, 17)}
    assert left.memories == before.memories


async def test_what_was_erased_or_hidden_does_not_come_back_with_a_page(tmp_path: Path) -> None:
    before = await lived(tmp_path)
    name = pages(tmp_path)[0].name
    hidden = replace(
        a_memory(900, "桃子", at=NOON), standing=Deleted(NOON, DeletionPolicy.USER_DELETE)
    )
    hidden = replace(hidden, passages=(replace(hidden.passages[0], source_ids=("3",)),))
    told = before.apply([Put(hidden)])[0]
    Backups(tmp_path, "a").write(told, NOON + timedelta(minutes=1), "hand")
    plan = lines_back(Backups(tmp_path, "a"), [name], NOON + timedelta(days=400))

    # The memory was purged since; one line was erased, and words are kept for a year by now.
    without = before.apply([Drop(DiaryLine, key) for key in before.diary])[0]
    settings = replace(before.agent_info.settings, diary_days=None)
    back = {
        change.record.key: change.record
        for change in plan(without)
        if isinstance(change, Put) and isinstance(change.record, DiaryLine)
    }
    assert back.keys() == {str(n) for n in range(1, 17)}
    assert [key for key, line in back.items() if line.hidden] == ["3"]

    short = without.apply(
        [Put(replace(before.agent_info, settings=replace(settings, diary_days=30)))]
    )[0]
    assert plan(short) == []
    # While the memory is there it says by itself that it is hidden.
    assert not any(
        change.record.hidden  # type: ignore[union-attr]
        for change in plan(without.apply([Put(hidden)])[0])
    )


async def test_what_is_erased_is_in_no_page_and_no_mapping_is_left_open(tmp_path: Path) -> None:
    await lived(tmp_path)
    # The backup has it too, and is not what is looked at here.
    for each in (tmp_path / "backups" / "a").iterdir():
        each.unlink()
    assert found(tmp_path, [SAID[2]])

    async with opened(tmp_path) as mem:
        await mem.search("樱桃")
        agent = mem._agent
        rests = [m.id for m in agent.state.memories.values() if "3" in m.source_ids]
        async with agent.erasing() as erase:
            await erase(
                lambda state: [
                    Drop(DiaryLine, "3"),
                    *(Put(replace(state.memory(n), passages=())) for n in rests),
                ]
            )
        await agent._writer.scrub()
        assert found(tmp_path, [SAID[2]]) == []
        assert not any("deleted" in line for line in mapped(tmp_path))
        assert "3" not in {hit.source_ids[0] for hit in await mem.search("樱桃", depth="deep")}
        assert (await mem.search("pears", depth="deep"))[0].source_ids == ("2",)


def mapped(folder: Path) -> Iterator[str]:
    """Yield the files of a folder that this process has mapped; only Linux tells which."""
    maps = Path("/proc/self/maps")
    told = maps.read_text() if maps.exists() else ""
    return (line for line in told.splitlines() if str(folder) in line)
