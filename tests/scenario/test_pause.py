"""While learning is paused, what is said is answered and kept nowhere: not then, and not later."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app import running
from bot.settings import Settings
from memory.diary import window_lines
from memory.model import Language
from memory.state import MemoryState
from memory.stores.exports import export_bytes
from tests.builders import a_stretch
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock
from tests.fakes.desk import session_with
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.platforms import adapters_of, only_a_terminal
from tests.fakes.two_chats import TELEGRAM, Someone, two_chats
from tests.scenario.test_whole_program import Partner

MORNING = datetime(2026, 3, 4, 1, 0, tzinfo=UTC)

TALKS = [
    pytest.param("我偷偷买了一只翡翠镯子", "我买了什么镯子？", "翡翠", "今天天气不错", id="zh"),
    pytest.param(
        "I secretly bought a jade bracelet",
        "what bracelet did I buy?",
        "jade",
        "nice weather today",
        id="en",
    ),
]


def told(state: MemoryState, word: str) -> bool:
    """Whether a word stands anywhere in a state."""
    return any(word in repr(record) for record in _records(state))


def _records(state: MemoryState) -> list[object]:
    tables = (state.memories, state.windows, state.diary, state.tasks, state.turns)
    more = (state.receipts, state.undos, state.reviews, state.links, state.previous_texts)
    return [each for table in (*tables, *more) for each in table.values()]


def files_with(folder: Path, word: str) -> list[str]:
    """The files of the data folder that hold a word, but for the ledger's free pages."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and word.encode() in path.read_bytes()
    ]


async def chats(ann: Someone, line: str, times: int = 30) -> None:
    for number in range(times):
        await ann.says(TELEGRAM, f"{line} {number}")


@pytest.mark.parametrize(("said", "asked", "word", "small_talk"), TALKS)
async def test_what_is_said_in_a_pause_is_answered_and_gone_with_it(
    tmp_path: Path, said: str, asked: str, word: str, small_talk: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, small_talk)
        await ann.says(TELEGRAM, "/memory pause")
        await ann.says(TELEGRAM, said)
        during = told(await ann.state(TELEGRAM), word)
        written = export_bytes(await ann.state(TELEGRAM), "a", MORNING)
        await ann.says(TELEGRAM, "/memory resume")
        answer = await ann.says(TELEGRAM, asked)
        kept = told(await ann.state(TELEGRAM), word)
        files = files_with(tmp_path, word)

    assert during, "the window of the talk shows it while it is paused"
    assert word.encode() not in written
    assert word not in answer
    assert not kept
    assert files == []


@pytest.mark.parametrize(("said", "asked", "word", "small_talk"), TALKS)
async def test_what_was_said_in_a_pause_becomes_no_memory_when_it_leaves_the_talk(
    tmp_path: Path, said: str, asked: str, word: str, small_talk: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "/memory pause")
        await ann.says(TELEGRAM, said)
        await chats(ann, small_talk)
        ann.clock.tick(days=1)
        await ann.agent(TELEGRAM)
        kept = told(await ann.state(TELEGRAM), word)
        episodes = [
            m for m in (await ann.state(TELEGRAM)).memories.values() if small_talk in m.words.text
        ]
        answer = await ann.says(TELEGRAM, asked)

    assert not kept
    assert episodes == []
    assert word not in answer


@pytest.mark.parametrize("back", ["/undo", "/memory resume"])
async def test_a_pause_that_ends_by_undo_ends_as_any(back: str) -> None:
    async with session_with() as session:
        session.conversation = "here"
        await session.ask("/memory pause")
        await session.agent.listen("here", a_stretch("我偷偷买了一只翡翠镯子", "好看吗"))
        await session.ask("/reset")
        answer = await session.ask(back)
        if back == "/undo":  # the reset first, then the pause
            await session.press(answer)
            await session.press(await session.ask(back))

        assert session.agent.settings.learning
        assert not told(session.state, "翡翠")
        assert window_lines("here", session.state) == ()


TOLD_IN_A_PAUSE = [
    ("我对芒果过敏", "没有记"),
    ("记住我鞋码是三十八", "没有记"),
    ("我家的猫叫团子", "没有记"),
    ("我叫燕子", "没有记"),
    ("帮我记一下：备用钥匙在花盆下面。我叫什么？", "没有记"),
    ("记住：我的银行卡密码是 918273", "没有记"),
    ("I am allergic to bees", "not keeping this"),
    ("Remember that my shoe size is 38", "not keeping this"),
    ("I own a lighthouse", "not keeping this"),
    ("Please remember that the spare key is under the pot. What is my name?", "not keeping this"),
    ("Remember: the PIN of my bank card is 918273", "not keeping this"),
]
CLAIMS = re.compile(
    r"记下|记住|记着|记好|放在心|\bnoted?\b|noting|remember it|keep it|eye on|sealed"
)


@pytest.mark.parametrize(("said", "truth"), TOLD_IN_A_PAUSE)
async def test_in_a_pause_she_says_that_she_keeps_nothing_of_what_is_told(
    tmp_path: Path, said: str, truth: str
) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "你好")
        await ann.says(TELEGRAM, "/memory pause")
        answer = await ann.says(TELEGRAM, said)
        state = await ann.state(TELEGRAM)

    assert truth in answer
    assert not CLAIMS.search(answer.replace("Remember: ", "")), answer
    assert not state.memories


@pytest.mark.parametrize("said", ["今天好热啊", "你会下棋吗？", "how are you?", "so tired today"])
async def test_in_a_pause_small_talk_is_only_answered(tmp_path: Path, said: str) -> None:
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, "/memory pause")
        answer = await ann.says(TELEGRAM, said)

    assert "没有记" not in answer
    assert "not keeping" not in answer


@pytest.mark.parametrize(
    ("language", "told", "asks", "truth"),
    [
        ("zh", "我家的猫叫团子", "记住我鞋码是三十八", "没有记"),
        ("en", "My cat is called Mo", "Remember that my shoe size is 38", "not keeping this"),
    ],
)
async def test_with_a_model_too_the_program_says_that_nothing_is_kept(
    tmp_path: Path, language: Language, told: str, asks: str, truth: str
) -> None:
    clock, chat = FakeClock(MORNING), FakeChat()
    async with OpenAIServer(lambda asked: "嗯。") as server:
        settings = Settings(
            capture_notice=False,
            language=language,
            data_dir=tmp_path,
            llm_base_url=server.base_url,
            llm_model="test-model",
        )
        platforms = adapters_of(chat, "console")
        async with running(
            settings, platforms, only_a_terminal(), clock=clock, quiet_seconds=0.0
        ) as app:
            ann = Partner(app, chat, clock)
            await ann.say("/memory pause")
            one, two = await ann.say(told), await ann.say(asks)
            await ann.settled()
            state = (await app.agents.get("local")).state
        prompts = repr(server.asked)

    assert one.startswith("嗯。")
    assert truth in one
    assert truth in two
    assert "嗯。" not in two
    assert not state.memories
    assert ("这会儿什么都不记" if language == "zh" else "you note nothing new") in prompts
