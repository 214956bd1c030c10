"""What a group may see and do: nothing of what is private."""

from dataclasses import replace

from bot.identity import AccessLevel
from memory.changes import Put
from memory.model import Sensitivity
from tests.builders import a_memory
from tests.fakes.desk import commands, lines, session_with


async def test_in_a_group_only_the_owner_steers_and_nothing_private_exists() -> None:
    async with session_with() as session:
        secret = a_memory(1, "主人的体检报告")
        secret = replace(secret, nature=replace(secret.nature, sensitivity=Sensitivity.SENSITIVE))
        await session.agent.steer(lambda state, index: [Put(secret), Put(a_memory(2, "猫叫团子"))])
        allowed = AccessLevel.ALLOWED

        refused = await session.says("/memory forget #2", standing=allowed, private=False)
        listed = await session.says("/memory list debug", private=False)
        shown = await session.says("/memory show #1", private=False)
        found = await session.says("/memory search 体检报告", private=False)

        assert session.state.memory(2).is_active
        assert "主人" in refused
        assert "团子" in listed
        for said in (listed, shown, found):
            assert "体检" not in said.replace("“体检报告”", "")


async def test_in_a_group_the_owner_erases_and_undoes_without_showing_what_is_private() -> None:
    async with session_with() as session:
        report = a_memory(1, "团子的体检报告")
        report = replace(report, nature=replace(report.nature, sensitivity=Sensitivity.SENSITIVE))
        records = [report, a_memory(2, "猫叫团子"), a_memory(3, "喜欢徒步")]
        await session.agent.steer(lambda state, index: [Put(record) for record in records])
        await session.ask("/memory pin #1")

        undone = await session.says("/undo", private=False)
        preview = await session.ask("/forget 团子", private=False)
        command = commands(preview)[0]
        receipt = await session.says(command, private=False)

        assert "体检" not in undone + lines(preview) + receipt
        assert set(session.state.memories) == {3}
