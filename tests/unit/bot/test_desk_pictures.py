"""The commands that draw, and what they say in letters."""

from xml.etree.ElementTree import fromstring

from bot.desk.documents import Picture, Text
from memory.changes import Links, Put, Record
from memory.model import Link, LinkType
from tests.builders import a_memory
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


async def test_the_curve_of_a_memory_says_when_what_will_happen() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        (*_, last) = (await session.ask("/memory curve #1")).blocks
        (*_, shown) = (await session.ask("/memory curve")).blocks

    assert isinstance(last, Text)
    assert isinstance(shown, Text)
    assert last.text.startswith("#1: 按“")
    assert "淡忘" in last.text
    assert "淡忘" not in shown.text


async def test_with_nothing_to_draw_the_graph_says_how_to_draw_one() -> None:
    async with DeskSession() as session:
        document = await session.ask("/memory graph")

    assert [type(block) for block in document.blocks] == [Text]
    assert "/memory graph #3" in lines(document)


async def test_in_letters_a_network_fills_one_screen_and_says_that_there_is_more() -> None:
    async with DeskSession() as session:
        records: list[Record] = [a_memory(n, f"第{n}件事") for n in range(1, 63)]
        for source, targets in ((1, range(2, 32)), (2, range(32, 63))):
            links = tuple(Link(target=n, strength=0.5, type=LinkType.FOCUS) for n in targets)
            records.append(Links(source=source, links=links))
        await session.agent.steer(lambda state, index: [Put(record) for record in records])
        document = await session.ask("/memory graph #1")

    (picture,) = [b for b in document.blocks if isinstance(b, Picture)]
    assert len(picture.alt.splitlines()) == 40
    assert "还有 23 行" in picture.alt.splitlines()[-1]
