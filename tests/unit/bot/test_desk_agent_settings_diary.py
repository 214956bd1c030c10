"""``/memory diary``, the lines around a quote, and a search that looks everything up."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.conversation.ledger import Ledger
from bot.desk.services import DeskServices
from memory.changes import DiaryLine, Put
from memory.model import AgentSettings, Deleted, DeletionPolicy, Language, Passage
from tests.builders import a_memory, a_message
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, commands, lines
from tests.fakes.platforms import IDENTITIES

DAY = NOON - timedelta(days=40)

SAID = [
    DiaryLine(
        message=replace(a_message(str(n), text), at=DAY + timedelta(minutes=n)),
        conversation="c",
        number=n,
        scene=7,
    )
    for n, text in enumerate(
        ["早啊", "今天去了医院", "猫叫团子", "团子打了针", "花了两百块", "晚安"], start=1
    )
]


def a_passage(source: str) -> Passage:
    return replace(a_memory().passages[0], text="团子", source_ids=(source,))


async def with_diary(session: DeskSession) -> None:
    await session.agent.steer(lambda state, index: [Put(line) for line in SAID])


async def test_it_says_how_much_since_when_and_how_long() -> None:
    async with DeskSession() as session:
        assert "还没有话" in await session.says("/memory diary")
        await with_diary(session)
        said = await session.says("/记忆 日记")

        for part in ("6 句话", f"{DAY:%Y-%m-%d}", "一直留着"):
            assert part in said, part


@pytest.mark.parametrize(("word", "days"), [("30", 30), ("30天", 30), ("off", 0), ("关", 0)])
async def test_a_retention_shows_what_goes_and_waits_for_one_confirmation(
    word: str, days: int
) -> None:
    async with DeskSession() as session:
        await with_diary(session)
        preview = await session.ask(f"/memory diary {word}")
        before = session.state.agent_info.settings.diary_days
        await session.press(preview)

        assert "6 句" in lines(preview)
        assert before is None
        assert session.state.agent_info.settings.diary_days == days
        # Nothing goes before the night, and until then the step can be undone.
        assert len(session.state.diary) == len(SAID)
        await session.press(await session.ask("/undo"))
        assert session.state.agent_info.settings.diary_days is None


async def test_what_takes_nothing_away_needs_no_confirmation() -> None:
    async with DeskSession() as session:
        await with_diary(session)
        await session.ask("/memory diary 90")
        assert session.state.agent_info.settings.diary_days == 90
        assert "90 天" in await session.says("/memory diary")
        await session.ask("/memory diary keep")
        assert session.state.agent_info.settings.diary_days is None


async def test_a_night_carries_it_out() -> None:
    async with DeskSession() as session:
        await with_diary(session)
        await session.press(await session.ask("/memory diary 30"))
        await session.agent.nightly()

        assert not session.state.diary


@pytest.mark.parametrize(
    ("language", "quotes", "copies", "elsewhere"),
    [
        ("zh", "1 条记忆引用了", "1 份备份", "够不着的"),
        ("en", "1 memories quote", "1 backups hold", "Out of my reach"),
    ],
)
async def test_the_preview_counts_quotes_and_backups_and_names_what_is_out_of_reach(
    tmp_path: Path, language: Language, quotes: str, copies: str, elsewhere: str
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    services = DeskServices(ledger, tmp_path)
    async with DeskSession(
        settings=AgentSettings(language=language), services=services
    ) as session:
        await with_diary(session)
        quoting = replace(a_memory(1), passages=(replace(a_passage("3"), at=DAY, verbatim=True),))
        await session.agent.steer(lambda state, index: [Put(quoting)])
        await session.ask("/backup")
        preview = await session.ask("/memory diary 30")
        receipt = await session.press(preview)

        for part in (quotes, copies, elsewhere):
            assert part in lines(preview), part
        assert elsewhere in lines(receipt)
        # Only seen, not touched: tonight does it.
        held = services.backups("a").list_all()
        assert len(services.backups("a").read(held[0].name).state.diary) == len(SAID)
    await ledger.close()


async def test_a_day_can_be_read_page_by_page() -> None:
    async with DeskSession() as session:
        await with_diary(session)
        first = await session.ask(f"/memory diary {DAY:%Y-%m-%d} --limit 4")
        second = await session.press(first)

        assert "团子打了针" in lines(first)
        assert "花了两百块" not in lines(first)
        assert "晚安" in lines(await session.ask(f"/memory diary {DAY:%Y-%m-%d}"))
        assert commands(second) == [] or "晚安" in lines(second)
        assert "空的" in await session.says("/memory diary 2020-01-01")


async def test_what_is_no_date_is_refused_in_words() -> None:
    async with DeskSession() as session:
        assert "看不懂" in await session.says("/memory diary 胡说")


async def test_what_the_partner_hid_is_not_read_out() -> None:
    hidden = replace(a_memory(1, "打针"), passages=(a_passage("4"),))
    hidden = replace(hidden, standing=Deleted(NOON, DeletionPolicy.USER_DELETE))
    async with DeskSession() as session:
        await with_diary(session)
        await session.agent.steer(lambda state, index: [Put(hidden)])
        said = await session.says(f"/memory diary {DAY:%Y-%m-%d}")

        assert "猫叫团子" in said
        assert "团子打了针" not in said


async def test_show_has_the_two_lines_before_and_after_a_quote() -> None:
    memory = replace(a_memory(1, "主人的猫叫团子"), passages=(a_passage("3"),))
    async with DeskSession() as session:
        await with_diary(session)
        await session.agent.steer(lambda state, index: [Put(memory)])
        said = await session.says("/memory show #1")

    for part in ("早啊", "今天去了医院", "猫叫团子", "团子打了针", "花了两百块"):
        assert part in said, part
    assert "晚安" not in said


async def test_a_deep_search_looks_up_what_it_would_not_by_itself() -> None:
    async with DeskSession() as session:
        await with_diary(session)
        plain = await session.says("/memory search 团子要打针吗")
        deep = await session.says("/memory search 团子要打针吗 --deep")

        assert "团子打了针" not in plain
        assert "团子打了针" in deep
        assert "翻日记找到的" in deep
