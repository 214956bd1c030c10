"""What a partner sees of a memory, and that a program sees the same."""

from dataclasses import replace
from datetime import timedelta
from xml.etree.ElementTree import fromstring

import pytest

from bot.adapters.console.presenter import document_data, print_document
from bot.desk.command import Spec
from bot.desk.documents import Document, Picture, Text
from bot.desk.plain_text import as_text
from bot.desk.registry import SPECS
from memory.changes import Correction, Corrections, Links, Put, Receipt, Record, Used
from memory.model import AgentSettings, Link, LinkType, Tier
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import FakeOffice, commands, lines

LOOKS = (
    "/memory",
    "/memory list",
    "/memory search 花生",
    "/memory show #1",
    "/memory health",
    "/memory fading",
    "/memory associations #1",
    "/memory graph #1",
    "/memory curve #1 #2",
    "/memory curve",
    "/memory review",
    "/memory metrics",
    "/why",
    "/help",
    "/help list",
)


async def furnished(house: FakeOffice) -> None:
    link = Link(target=2, strength=0.8, type=LinkType.KEYWORD, relation="因为")
    lost = Link(target=99, strength=0.3, type=LinkType.FOCUS)
    corrected = Correction(at=NOON, reason="edit", before="我对虾过敏", after="我对花生过敏")
    records: list[Record] = [
        a_memory(1, "我对花生过敏", keywords=("花生",)),
        a_memory(2, "猫叫团子 👋", tier=Tier.CORE),
        a_memory(3, "[2026-01-03] 聊了面试", tier=Tier.EPISODE, at=NOON - timedelta(days=9)),
        a_memory(4, "团子", tier=Tier.ENTITY),
        Links(source=1, links=(link, lost)),
        Links(source=2, links=(replace(link, target=1, relation=""),)),
        Corrections(memory_id=1, entries=(corrected,)),
        Receipt(
            turn_id="t",
            at=NOON,
            used=(Used(memory_id=1, score=0.9, reasons=("word:花生", "path:#2→#1")),),
            learnt=("ADD #2",),
        ),
    ]
    await house.agent.steer(lambda state, index: [Put(record) for record in records])


def words(document: Document) -> set[str]:
    """Return every word people read in a document, however it is rendered."""
    return {word for block in document.blocks for word in as_text(block).split() if word.isalnum()}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("look", LOOKS)
async def test_a_look_writes_nothing_and_says_the_same_everywhere(
    look: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = AgentSettings(language="en" if language == "en" else "zh")
    async with FakeOffice(settings=settings) as house:
        await furnished(house)
        before = house.state
        document = await house.ask(look)
        print_document(document)

        assert house.state is before
        assert document.blocks
        told = "".join(capsys.readouterr().out.split())
        assert all(word in told for word in words(document))
        assert document_data(document)


async def test_one_memory_is_shown_whole() -> None:
    async with FakeOffice() as house:
        await furnished(house)
        said = await house.says("/memory show #1")

        for part in (
            "花生", "重要性", "强度", "权重", "连接度", "我对虾过敏", "0.80 因为 → #2", "曾记得",
            "淡忘", "确认过",
        ):  # fmt: skip
            assert part in said, part


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
async def test_the_day_it_fades_is_the_first_on_which_its_law_says_so(law: str) -> None:
    from bot.desk.memory_details import forecast_of  # noqa: PLC0415
    from memory.views import law_context  # noqa: PLC0415
    from tests.fakes.laws import is_fading  # noqa: PLC0415

    async with FakeOffice(settings=AgentSettings(law=law)) as house:
        await furnished(house)
        state, memory = house.state, house.state.memory(3)
        ahead = forecast_of(memory, state, NOON)

        def fades(day: int) -> bool:
            at = NOON + timedelta(days=day)
            return is_fading(memory, law_context(3, state, at), state.agent_info.settings)

        first = next((day for day in range(60) if fades(day)), None)
        expected = None if first is None else NOON + timedelta(days=first)
        if expected:
            assert ahead.fades_at == expected
        assert forecast_of(state.memory(2), state, NOON).never_fades


async def test_lists_are_filtered_and_turn_pages() -> None:
    async with FakeOffice() as house:
        many = [a_memory(n, f"第{n}件事") for n in range(1, 46)]
        await house.agent.steer(lambda state, index: [Put(m) for m in many])
        first = await house.ask("/memory list")
        second = await house.press(first)
        narrowed = await house.ask("/memory list fact 2 --limit 10")

        assert "第 1 / 3 页" in lines(first)
        assert "第45件事" in lines(first)
        assert "第 2 / 3 页" in lines(second)
        assert "#25" in lines(second)
        assert commands(narrowed) == [
            "/memory list --limit 10 --tier fact --page 1",
            "/memory list --limit 10 --tier fact --page 3",
        ]
        assert "还没有" in await house.says("/memory list core")


async def test_why_tells_which_how_when_and_whose_and_what_can_be_pressed() -> None:
    async with FakeOffice() as house:
        await furnished(house)
        document = await house.ask("/为什么")
        said = lines(document)

        for part in ("#1", "我对花生过敏", "主人", "词“花生”", "由 #2→#1 想到", "记住 #2"):
            assert part in said, part
        assert "/memory reinforce #1 success" in commands(document)
        before = house.state.memory(1).trace.stability_hours
        await house.press(document, commands(document).index("/memory reinforce #1 failure"))
        assert house.state.memory(1).trace.stability_hours < before


async def test_pictures_are_drawings_that_say_the_same_in_letters() -> None:
    async with FakeOffice() as house:
        await furnished(house)
        for look in ("/memory curve #1", "/memory graph #1"):
            document = await house.ask(look)
            (picture,) = [b for b in document.blocks if isinstance(b, Picture)]

            assert fromstring(picture.svg).tag.endswith("svg")  # noqa: S314 - our own drawing
            assert "花生" in picture.svg
            assert "花生" in picture.alt


async def test_the_timeline_tells_what_changed() -> None:
    async with FakeOffice() as house:
        await furnished(house)
        await house.ask("/memory forget #1")
        said = await house.says("/memory review")

        assert "改正" in said
        assert "放下" in said
        assert "聊过" in said


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.path)
async def test_help_names_every_command_an_owner_has_in_private(spec: Spec) -> None:
    async with FakeOffice() as house:
        assert f"/{spec.path}" in await house.says("/help")


async def test_help_names_only_what_one_may_do() -> None:
    from bot.identity import AccessLevel  # noqa: PLC0415

    async with FakeOffice() as house:
        everything = await house.says("/help")
        in_a_group = await house.says("/help", standing=AccessLevel.ALLOWED, private=False)

        assert "/forget" in everything
        assert "/memory list" in in_a_group
        assert "/memory edit" not in in_a_group


async def test_with_nothing_to_draw_the_graph_says_how_to_draw_one() -> None:
    async with FakeOffice() as house:
        document = await house.ask("/memory graph")

    assert [type(block) for block in document.blocks] == [Text]
    assert "/memory graph #3" in lines(document)


async def test_help_about_erasing_is_not_about_putting_away() -> None:
    async with FakeOffice() as house:
        for about in ("forget", "/forget", "忘掉"):
            assert "/forget" in (await house.says(f"/help {about}")).splitlines()[0]
        assert "/memory forget" in (await house.says("/help memory forget")).splitlines()[0]
