"""The timeline of a memory."""

from tests.fakes.desk import DeskSession, add_samples


async def test_the_timeline_tells_what_changed() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        await session.ask("/memory forget #1")
        said = await session.says("/memory review")

        assert "改正" in said
        assert "放下" in said
        assert "聊过" in said
