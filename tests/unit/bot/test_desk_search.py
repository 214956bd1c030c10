"""``/memory list`` and ``/why``: filters, pages, and the receipt of an answer."""

from memory.changes import Put
from tests.builders import a_memory
from tests.fakes.desk import DeskSession, add_samples, commands, lines


async def test_lists_are_filtered_and_turn_pages() -> None:
    async with DeskSession() as session:
        many = [a_memory(n, f"第{n}件事") for n in range(1, 46)]
        await session.agent.steer(lambda state, index: [Put(m) for m in many])
        first = await session.ask("/memory list")
        second = await session.press(first)
        narrowed = await session.ask("/memory list fact 2 --limit 10")

        assert "第 1 / 3 页" in lines(first)
        assert "第45件事" in lines(first)
        assert "第 2 / 3 页" in lines(second)
        assert "#25" in lines(second)
        assert commands(narrowed) == [
            "/memory list --limit 10 --tier fact --page 1",
            "/memory list --limit 10 --tier fact --page 3",
        ]
        assert "还没有" in await session.says("/memory list core")


async def test_why_tells_which_how_when_and_whose_and_what_can_be_pressed() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        document = await session.ask("/为什么")
        said = lines(document)

        for part in ("#1", "我对花生过敏", "主人", "词“花生”", "由 #2→#1 想到", "记住 #2"):
            assert part in said, part
        assert "/memory reinforce #1 success" in commands(document)
        before = session.state.memory(1).trace.stability_hours
        await session.press(document, commands(document).index("/memory reinforce #1 failure"))
        assert session.state.memory(1).trace.stability_hours < before
