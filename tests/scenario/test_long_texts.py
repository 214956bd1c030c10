"""A text of 200 KB, whatever it consists of, keeps nobody else waiting."""

from pathlib import Path

import pytest

from memory import Message, open_memory
from tests.fakes.clock import FakeClock
from tests.fakes.cost import STRICT, at_most, share
from tests.fakes.lag import lag

LENGTH = 200_000
MOST = 0.1 if STRICT else 0.3
MOST_WORK = 2.0
"""Seconds of the processor until it is remembered and found."""

PATTERNS = {
    "chinese": "今天我和小王去了公园，他说他喜欢喝咖啡。",
    "english": "Today I went to the park with Tom; he likes coffee. ",
    "numbers": "4111111111111111 ",
    "dots": ".",
    "dates": "2026-01-03 明天 下周三 ",
    "beginnings": "I like ",
    "secrets": "我的密码是 hunter2 api_key=sk-abcdef1234567890 ",
}


@pytest.mark.hunted
@pytest.mark.parametrize("pattern", share(list(PATTERNS), of=7))
async def test_a_long_text_is_remembered_and_found_while_others_go_on(
    pattern: str, tmp_path: Path
) -> None:
    clock = FakeClock()
    text = (PATTERNS[pattern] * LENGTH).encode()[:LENGTH].decode(errors="ignore")
    async with open_memory(tmp_path, agent="a", clock=clock, model=None) as mem:
        await mem.search("公园")  # the index is built at the first search, in a thread

        with lag() as found, at_most(MOST_WORK):
            mem.remember([Message(id="1", at=clock.now(), speaker="Ann", role="user", text=text)])
            await mem.settled()
            hits = await mem.search(text[:40])

        assert hits or not text.strip(". 0123456789")
        assert found.worst < MOST, found.by
