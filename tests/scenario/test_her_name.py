"""A name that is given to her is nobody else's, and she says how her own is set."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes.clock import FakeClock
from tests.fakes.two_chats import TELEGRAM, two_chats

MORNING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("own", "given", "command", "asked", "name"),
    [
        (
            "我叫方小蔓",
            "以后你就叫小铃铛吧",
            "/memory system 你叫小铃铛",
            "我叫什么名字？",
            "方小蔓",
        ),
        (
            "my name is Nuala",
            "from now on youre called Finn",
            "/memory system You are called Finn",
            "what's my name?",
            "Nuala",
        ),
    ],
)
async def test_who_names_her_keeps_their_own_name(
    tmp_path: Path, own: str, given: str, command: str, asked: str, name: str
) -> None:
    hers = command.removeprefix("/memory system ").removeprefix("You are called ").strip("你叫")
    async with two_chats(tmp_path, FakeClock(MORNING)) as ann:
        await ann.says(TELEGRAM, own)
        said = await ann.says(TELEGRAM, given)
        answer = await ann.says(TELEGRAM, asked)
        state = await ann.state(TELEGRAM)

    assert command in said
    assert name in answer
    assert hers not in answer
    assert not any(hers in each.words.text for each in state.memories.values())
