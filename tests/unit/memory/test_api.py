"""The embedded surface, as a program that embeds it sees it."""

import inspect
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import memory
from memory import Message, open_memory
from memory.changes import Put
from memory.errors import InputRefused, StoreLocked, UnknownMemory
from memory.model import AgentSettings
from memory.stores.codec import state_digest
from memory.stores.snapshot import MEMORY_FILE
from tests.builders import a_memory, a_message, a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel


async def test_what_is_remembered_is_found_with_its_sources_and_reasons(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀", "我明天要去面试", "加油"))
        await mem.settled()

        best = (await mem.search("猫叫什么名字"))[0]

    assert best.source_ids == ("1",)
    assert best.quote == "我家的猫叫团子"
    assert best.memory.text.startswith("[2026-03-04 20:00]")
    assert best.reasons


@pytest.mark.parametrize("before", ["我们说说团子吧", a_message("b", "我们说说团子吧")])
async def test_what_was_said_before_a_question_is_given_as_lines_or_as_messages(
    tmp_path: Path, before: str | Message
) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀", "狗叫旺财", "也可爱"))
        await mem.settled()

        found = await mem.search("它叫什么", context=["你好", before])

    assert found[0].quote == "我家的猫叫团子"


async def test_english_is_remembered_in_english(tmp_path: Path) -> None:
    settings = AgentSettings(language="en", partner="Ann", time_zone="Europe/Berlin")
    async with open_memory(tmp_path, clock=FakeClock(), settings=settings) as mem:
        mem.remember(
            a_stretch("My cat is called Dumpling 🐱", "How sweet", "שלום from Haifa", "Hi!")
        )
        await mem.settled()

        cats = await mem.search("What is the name of the cat?")
        haifa = await mem.search("Haifa")

    assert cats[0].source_ids == ("1",)
    assert haifa[0].quote == "שלום from Haifa"


async def test_it_is_all_there_after_reopening(tmp_path: Path) -> None:
    async with open_memory(tmp_path, agent="ann", clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀"))
        await mem.settled()
        before = mem.memories(mode="debug")

    async with open_memory(tmp_path, agent="ann", clock=FakeClock()) as mem:
        assert mem.memories(mode="debug") == before
        assert (await mem.search("团子"))[0].source_ids in {("1",), ("2",)}


async def test_looking_writes_nothing(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀"))
        await mem.settled()
        before = state_digest(mem._agent.state)

        await mem.search("团子")
        await mem.recall(["团子"], [], 2)
        for view in mem.memories(mode="debug"):
            mem.retention(view.id)

        assert state_digest(mem._agent.state) == before


async def test_the_night_takes_the_lasting_facts_out_and_is_idempotent(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_memory(tmp_path, clock=clock) as mem:
        mem.remember(a_stretch("我叫李明，我对花生过敏", "记得了", "今天真热", "是呀"))
        await mem.settled()
        clock.tick(hours=20)

        report = await mem.nightly()
        after = mem.memories(mode="debug")
        again = await mem.nightly()

        assert report.consolidated > 0
        assert "主人叫李明" in {view.text for view in after}
        assert again.consolidated == again.deleted == 0
        assert mem.memories(mode="debug") == after


async def test_an_episode_ends_after_fourteen_days_and_what_mattered_stays(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_memory(tmp_path, clock=clock) as mem:
        mem.remember(a_stretch("我叫李明，我对花生过敏", "记得了"))
        await mem.settled()
        clock.tick(days=15)

        await mem.nightly()
        left = {view.text for view in mem.memories()}
        gone = {view.text for view in mem.memories(mode="debug")} - left

    assert "主人叫李明" in left
    assert any(text.startswith("[2026-03-04 20:00]") for text in gone)


async def test_reinforcing_raises_the_retention_under_ebbinghaus(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_memory(tmp_path, law="ebbinghaus", clock=clock) as mem:
        mem.remember(a_stretch("我对花生过敏")[:1], explicit=True)
        await mem.settled()
        (fact,) = (view for view in mem.memories() if view.tier == "fact")
        clock.tick(days=5)
        faded = mem.retention(fact.id)

        await mem.reinforce(fact.id, "success")

        assert mem.retention(fact.id) == 1.0 > faded


async def test_another_law_is_taken_on_when_asked_for_and_kept_otherwise(tmp_path: Path) -> None:
    for law, lives_by in (("weights", "weights"), (None, "weights"), ("network", "network")):
        async with open_memory(tmp_path, law=law, clock=FakeClock()) as mem:
            assert mem._agent.settings.law == lives_by


async def test_a_model_does_the_cutting_if_there_is_one(tmp_path: Path) -> None:
    model = ScriptedModel(["[SEGMENT:1-2 phrase=猫 keywords=团子 entities=团子:养] 聊了团子"])
    async with open_memory(tmp_path, clock=FakeClock(), model=model) as mem:
        mem.remember(a_stretch("我家的猫叫团子", "好可爱呀"))
        await mem.settled()

        episodes = [view for view in mem.memories() if view.tier == "episode"]

    assert [view.text for view in episodes] == ["[2026-03-04 20:00] 聊了团子"]
    assert episodes[0].source_ids == ("1", "2")


@pytest.mark.parametrize("name", ["../etc", "", "A B", "a/b", "x" * 65, "团子"])
async def test_an_agent_needs_a_name_a_folder_may_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputRefused, match="agent"):
        async with open_memory(tmp_path, agent=name):
            pass

    assert list(tmp_path.iterdir()) == []


async def test_wrong_requests_are_refused_by_name(tmp_path: Path) -> None:
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        with pytest.raises(UnknownMemory, match="#7"):
            await mem.reinforce(7, "manual")
        with pytest.raises(InputRefused, match="'often'"):
            await mem.reinforce(7, "often")  # type: ignore[arg-type]
        with pytest.raises(InputRefused, match="'all'"):
            await mem.search("x", mode="all")  # type: ignore[arg-type]
    with pytest.raises(InputRefused, match="'forever'"):
        async with open_memory(tmp_path, law="forever"):
            pass


async def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    async with open_memory(tmp_path):
        with pytest.raises(StoreLocked):
            async with open_memory(tmp_path):
                pass


def test_a_message_without_a_zone_or_an_id_is_refused() -> None:
    at = datetime(2026, 3, 4, 12, tzinfo=UTC)
    with pytest.raises(ValueError, match="zone"):
        Message(id="1", at=at.replace(tzinfo=None), speaker="a", role="user", text="x")
    with pytest.raises(ValueError, match="id"):
        Message(id="", at=at, speaker="a", role="user", text="x")


async def test_old_and_disordered_dates_date_the_memory(tmp_path: Path) -> None:
    old = datetime(1999, 12, 31, 23, 59, tzinfo=UTC)
    async with open_memory(tmp_path, clock=FakeClock()) as mem:
        mem.remember(a_stretch("后来的事情：搬家", "嗯"))
        mem.remember(a_stretch("以前的事情：跨年烟花", "嗯", start=old, first=10))
        await mem.settled()

        best = (await mem.search("烟花"))[0]

        assert best.memory.created_at - old < timedelta(minutes=5)


def test_what_open_memory_takes_gives_and_raises_is_imported_from_one_place() -> None:
    assert {"Message", "open_memory", "OpenMemory", "Recalled"} < set(memory.__all__)
    assert {"AgentSettings", "Clock", "Embedder", "LanguageModel"} < set(memory.__all__)
    assert {"InputRefused", "StoreError", "UnknownMemory"} < set(memory.__all__)
    for each in memory.__all__:
        assert getattr(memory, each) is not None
    wanted = [
        "folder",
        "agent",
        "law",
        "clock",
        "model",
        "embedder",
        "settings",
        "key_file",
        "laws",
    ]
    assert list(inspect.signature(open_memory).parameters) == wanted
    with pytest.raises(AttributeError, match="nothing"):
        memory.nothing  # noqa: B018


async def test_how_far_recall_goes_and_how_firm_neighbours_are_is_a_setting(
    tmp_path: Path,
) -> None:
    model_answer = (
        "[SEGMENT:1-2 phrase=海 keywords=海 entities=海边:在] 聊了海边\n"
        "[SEGMENT:3-4 phrase=菜 keywords=菜 entities=海边:后来] 聊了做菜"
    )
    chosen = AgentSettings(
        parameters=(("network.link_initial_strength", 0.9), ("network.default_search_depth", 1))
    )
    model = ScriptedModel([model_answer])
    async with open_memory(tmp_path, clock=FakeClock(), model=model, settings=chosen) as mem:
        mem.remember(a_stretch("我去了海边", "真好", "我学了做菜", "真香"))
        await mem.settled()
        episodes = [view.id for view in mem.memories() if view.tier == "episode"]
        links = mem._agent.state.links_of(episodes[0])

        assert {link.strength for link in links if link.target == episodes[1]} == {0.9}
        assert await mem.recall([], []) == await mem.recall([], [], 1)
        assert await mem.recall([], []) != await mem.recall([], [], 0)


async def test_idle_nights_write_a_line_of_the_journal_and_no_snapshot(tmp_path: Path) -> None:
    clock, written = FakeClock(), list[bytes]()
    async with open_memory(tmp_path, clock=clock) as mem:
        mem.remember(a_stretch("我喜欢拉面", "I like it too"))
        await mem.settled()
        for _ in range(5):
            clock.tick(days=1)
            await mem.nightly()
            written.append(_snapshot_in(tmp_path))
        # The second of them lets the file before the last hold no more than the last does.
        assert len({*written[:2]}) == 2
        assert len({*written[1:]}) == 1

        await mem._agent.steer(lambda state, _: [Put(a_memory(state.next_id, "绿茶"))])
        await mem.nightly()
        assert _snapshot_in(tmp_path) != written[-1]


def _snapshot_in(folder: Path) -> bytes:
    (file,) = folder.rglob(MEMORY_FILE)
    return file.read_bytes()
