"""While learning is paused, what is said is answered and kept nowhere: not then, and not later."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.diary import window_lines
from memory.state import MemoryState
from memory.stores.exports import export_bytes
from tests.builders import a_stretch
from tests.fakes.clock import FakeClock
from tests.fakes.desk import session_with
from tests.fakes.two_chats import TELEGRAM, Someone, two_chats

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
