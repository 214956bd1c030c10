"""The commands that draw, and what they say in letters."""

from xml.etree.ElementTree import fromstring

from bot.desk.documents import Picture, Text
from tests.fakes.desk import DeskSession, add_samples, lines


async def test_pictures_are_drawings_that_say_the_same_in_letters() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        for look in ("/memory curve #1", "/memory graph #1"):
            document = await session.ask(look)
            (picture,) = [b for b in document.blocks if isinstance(b, Picture)]

            assert fromstring(picture.svg).tag.endswith("svg")  # noqa: S314 - our own drawing
            assert "花生" in picture.svg
            assert "花生" in picture.alt


async def test_with_nothing_to_draw_the_graph_says_how_to_draw_one() -> None:
    async with DeskSession() as session:
        document = await session.ask("/memory graph")

    assert [type(block) for block in document.blocks] == [Text]
    assert "/memory graph #3" in lines(document)
