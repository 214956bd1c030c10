"""The law, and starting a conversation over."""

import pytest

from memory.model import Language, Tier
from tests.builders import a_stretch
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
        await session.agent.worker.wait_until_idle()

        assert "没有正在聊" in await session.says("/重新开始")
        episodes = [m for m in session.state.memories.values() if m.nature.tier is Tier.EPISODE]
        assert "香山" in str(episodes)


async def test_there_is_nothing_to_begin_anew_outside_a_chat() -> None:
    async with session_with() as session:
        assert "聊天里" in await session.says("/reset")
