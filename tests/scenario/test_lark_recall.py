"""Messages that are taken back on Lark: not answered any more, and remembered nowhere."""

from pathlib import Path

from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import on_lark
from tests.fakes.openai_answers import chunk, stall
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

TAKEN_BACK = "我把钥匙藏在蓝色花盆底下"
OTHER = "我喜欢吃青团"


def files_with(folder: Path, words: str) -> list[str]:
    """Return the files that hold words, in any of the forms a file may."""
    forms = (words.encode(), words.encode("utf-16-le"), words.encode("unicode_escape"))
    found = (path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in found if any(form in path.read_bytes() for form in forms)]


async def test_what_is_taken_back_leaves_window_diary_memories_and_files(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        platform.say(f"记住：{OTHER}")
        await she.answers(1)
        told = platform.say(f"记住：{TAKEN_BACK}")
        await she.answers(2)
        (folder,) = (tmp_path / "agents").iterdir()
        agent = await she.app.agents.get(folder.name)
        await agent.background.wait_until_idle()
        before = [m.words.text for m in agent.state.memories.values() if m.is_fact]
        platform.withdraw(told)
        await until(lambda: agent.state.tombstones)
        await she.settled()
        state = agent.state
        facts = [m.words.text for m in state.memories.values() if m.is_fact]
        lines = [line.text for w in state.windows.values() for line in w.lines]
        diary = [line.message.text for line in state.diary.values()]
        await until(lambda: all(each.scrubbed for each in agent.state.tombstones.values()))
        held = files_with(tmp_path, TAKEN_BACK)

    assert set(before) == {OTHER, TAKEN_BACK}
    assert facts == [OTHER]
    assert lines[0] == f"记住：{OTHER}"
    assert not any("花盆" in each for each in (*lines, *diary))
    assert held == []


async def test_what_is_taken_back_while_it_is_answered_gets_no_answer(tmp_path: Path) -> None:
    async with (
        LarkPlatform() as platform,
        OpenAIServer(lambda asked: "好的呀。" if asked.stream else "[SKIP]") as model,
    ):
        model.next(stall(chunk("这个问题嘛，" * 20)))
        async with on_lark(tmp_path, platform, model=model) as she:
            asked = platform.say("我该怎么和老板说？")
            await until(lambda: model.asked)
            platform.withdraw(asked)
            await until(lambda: not she.app.supervisor.running)
            platform.say("今天星期几？")
            answers = await she.answers(1)
            (folder,) = (tmp_path / "agents").iterdir()
            state = (await she.app.agents.get(folder.name)).state
            lines = [line.text for w in state.windows.values() for line in w.lines]

    assert answers == ["好的呀。"]
    assert lines == ["今天星期几？", "好的呀。"]


async def test_what_is_taken_back_before_its_turn_is_never_asked_about(tmp_path: Path) -> None:
    async with (
        LarkPlatform() as platform,
        OpenAIServer(lambda asked: "好的呀。" if asked.stream else "[SKIP]") as model,
    ):
        model.next(stall(chunk("从前")))
        async with on_lark(tmp_path, platform, model=model) as she:
            platform.say("讲个故事")
            await until(lambda: model.asked)
            waits = platform.say("我该怎么和老板说？")
            platform.withdraw(waits)
            answers = await she.answers(1)

    # What was under way is begun anew, without a word of the other.
    assert answers == ["好的呀。"]
    assert not any("老板" in each.prompt for each in model.asked)


async def test_what_is_taken_back_before_it_came_is_not_heard(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        platform.say("你好")
        await she.answers(1)
        told = platform.say("这句我不想说了")
        await she.answers(2)
        platform.withdraw(told)
        await she.settled()
        platform.again(told)
        await she.settled()
        (folder,) = (tmp_path / "agents").iterdir()
        state = (await she.app.agents.get(folder.name)).state
        lines = [line.text for w in state.windows.values() for line in w.lines]

    assert not any("不想说" in line for line in lines)
