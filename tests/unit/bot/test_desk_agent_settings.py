"""The law, and starting a conversation over."""

import pytest

from bot.adapters.console.presenter import document_data
from memory.changes import Change, Drop, Links, Put
from memory.model import Deleted, DeletionPolicy, Kind, Language, Merged, Tier
from memory.state import MemoryState
from tests.builders import a_memory, a_stretch
from tests.fakes.desk import DeskSession, lines, remember, session_with


def law_of(session: DeskSession) -> str:
    return session.agent.settings.law


async def test_another_law_is_previewed_and_holds_only_when_confirmed() -> None:
    async with session_with() as session:
        await remember(session, "我对花生过敏")
        preview = await session.ask("/memory law ebbinghaus")
        assert law_of(session) == "tiers"
        await session.press(preview)
        assert law_of(session) == "ebbinghaus"
        await session.press(await session.ask("/undo"))

        assert law_of(session) == "tiers"


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_a_conversation_begins_anew_and_what_is_remembered_stays(language: Language) -> None:
    async with session_with(language=language) as session:
        session.conversation = "here"
        await remember(session, "我对花生过敏")
        talk = a_stretch("早上好", "早", "今天去爬山", "真好")
        await session.agent.listen("here", talk)
        await session.agent.listen("there", a_stretch("在吗", first=9))
        before = {name: window.lines for name, window in session.state.windows.items()}

        answer = await session.ask("/reset")
        anew = session.agent.window("here")
        await session.agent.listen("here", a_stretch("我回来了", first=20))
        await session.press(await session.press(answer))

        assert "4" in lines(answer)
        assert "/forget" in lines(answer)
        assert not anew
        assert session.agent.window("there") == before["there"]
        assert session.agent.window("here") == (*before["here"], *a_stretch("我回来了", first=20))
        assert session.state.memory(1).is_active


async def test_what_was_said_before_a_new_beginning_becomes_a_memory() -> None:
    async with session_with() as session:
        session.conversation = "here"
        await session.agent.listen("here", a_stretch("我们去爬山吧", "好呀，去香山"))
        await session.ask("/重置")
        session.clock.tick(hours=7)
        await session.agent.background.wait_until_idle()

        assert "没有正在聊" in await session.says("/重新开始")
        episodes = [m for m in session.state.memories.values() if m.nature.tier is Tier.EPISODE]
        assert "香山" in str(episodes)


async def test_there_is_nothing_to_begin_anew_outside_a_chat() -> None:
    async with session_with() as session:
        assert "聊天里" in await session.says("/reset")


async def test_lost_links_are_found_again_and_undone() -> None:
    async with session_with() as session:
        await remember(session, "我每天喝咖啡", "我早上喝咖啡")
        linked = session.state.links
        assert linked

        def lose(state: MemoryState, _: object) -> list[Change]:
            return [Drop(Links, source) for source in state.links]

        await session.agent.steer(lose)
        assert not session.state.links
        answer = await session.ask("/记忆 重建")

        assert "2 条记忆" in lines(answer)
        assert session.state.links == linked
        await session.press(await session.press(answer))
        assert not session.state.links


async def test_with_every_link_in_place_there_is_nothing_to_rebuild() -> None:
    async with session_with(language="en") as session:
        await remember(session, "我对花生过敏")
        undos = session.state.undos

        assert "nothing was missing" in await session.says("/memory rebuild")
        assert session.state.undos == undos


async def test_what_was_merged_goes_with_a_cleanup_after_thirty_days_and_comes_back() -> None:
    async with session_with() as session:
        await remember(session, "我每天喝咖啡", "我早上喝咖啡")
        for each in ("/memory pin #1", "/memory merge #1 #2 我每天早上喝咖啡", "/memory pin #3"):
            await session.ask(each)
        session.clock.tick(days=29)
        assert "没有要整理" in await session.says("/memory cleanup")
        session.clock.tick(days=1)
        assert "放下 1 条" in await session.says("/memory cleanup --dry-run")
        await session.press(await session.ask("/memory cleanup"))

        gone = session.state.memory(2).standing
        assert gone == Deleted(session.clock.now(), DeletionPolicy.MERGE_CLEANUP)
        assert isinstance(session.state.memory(1).standing, Merged)  # it was pinned
        await session.ask("/memory restore #2")
        assert session.state.memory(2).is_active


async def test_a_preview_of_a_night_says_how_many_more_there_are() -> None:
    async with session_with(language="en") as session:
        many = [a_memory(n, f"tea {n}", kind=Kind.TEMPORARY) for n in range(1, 13)]
        await session.agent.steer(lambda *_: [*map(Put, many)])
        session.clock.tick(days=4000)
        preview = document_data(await session.ask("/memory cleanup --dry-run"))

    listed = [rows for rows in preview.values() if isinstance(rows, list) and len(rows) == 5]
    assert len(listed) == 1
    assert "12" in preview["text"]
    assert "7 more" in preview["text"]
