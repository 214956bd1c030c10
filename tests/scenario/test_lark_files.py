"""Bringing memories in on Lark: the command answers the file."""

from pathlib import Path

from memory.agents import agent_ids, read_state
from memory.changes import Put
from memory.state import MemoryState
from memory.stores.exports import export_bytes
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import on_lark
from tests.fakes.waiting import until


async def test_a_file_is_taken_in_when_the_command_answers_it(tmp_path: Path) -> None:
    state, _ = MemoryState().apply([Put(a_memory(1, "我对花生过敏"))])
    async with LarkPlatform() as platform:
        key = platform.keep(export_bytes(state, "b", NOON))
        async with on_lark(tmp_path, platform) as she:
            content = {"file_key": key, "file_name": "b.json"}
            sent = platform.say(kind="file", content=content)
            await she.answers(1)
            platform.say("/memory import", reply_to=sent)
            preview = (await she.answers(2))[-1]
            shown = platform.shown(platform.private())[-1]
            await platform.press(shown.id, shown.buttons[0])
            await until(lambda: any("导入了 1 条" in each.text for each in she.answers_now()))
            await she.settled()
        (agent,) = agent_ids(tmp_path)
        now = await read_state(tmp_path, agent)

    assert "新的" in preview
    assert "我对花生过敏" in [m.words.text for m in now.memories.values()]


async def test_without_a_file_it_says_how(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform) as she:
        sent = platform.say("你好")
        await she.answers(1)
        platform.say("/memory import", reply_to=sent)
        how = (await she.answers(2))[-1]

    assert "把文件发给我" in how
