"""``/memory show``: everything about one memory, and when it will fade."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.desk.documents import Branch
from bot.desk.memory_details import forecast_of, within
from memory.changes import Change, Links, Put
from memory.model import AgentSettings, Language, Link, LinkType, Memory, Tier
from memory.state import MemoryState
from memory.views import law_context
from tests.builders import a_memory
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, add_samples, remember
from tests.fakes.laws import is_fading


async def test_one_memory_is_shown_whole() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        said = await session.says("/memory show #1")

        for part in (
            "花生", "重要性", "强度", "权重", "连接度", "我对虾过敏", "0.80 因为 → #2", "曾记得",
            "显著度", "健康 +",
            "淡忘", "确认过",
        ):  # fmt: skip
            assert part in said, part


@pytest.mark.parametrize("law", ["tiers", "ebbinghaus", "weights", "network"])
async def test_the_day_it_fades_is_the_first_on_which_its_law_says_so(law: str) -> None:
    async with DeskSession(settings=AgentSettings(law=law)) as session:
        await add_samples(session)
        state, memory = session.state, session.state.memory(3)
        ahead = forecast_of(memory, state, NOON)

        def fades(day: int) -> bool:
            at = NOON + timedelta(days=day)
            return is_fading(memory, law_context(3, state, at), state.agent_info.settings)

        first = next((day for day in range(60) if fades(day)), None)
        expected = None if first is None else NOON + timedelta(days=first)
        if expected:
            assert ahead.fades_at == expected
        assert forecast_of(state.memory(2), state, NOON).never_fades


async def test_a_memory_says_since_when_it_holds_and_when_it_last_changed() -> None:
    async with DeskSession() as session:
        await remember(session, "我住在北京")
        assert "上次改动" not in await session.says("/memory show #1")
        session.clock.tick(days=2)
        await session.ask("/memory edit #1 我住在上海")
        changed = session.clock.now().astimezone(session.state.agent_info.settings.zone)
        said = await session.says("/memory show #1")

        assert "上次改动" in said
        assert f"{changed:%Y-%m-%d}" in said

        def succeed(state: MemoryState, _: object) -> list[Change]:
            old = state.memory(1)
            return [Put(replace(old, lineage=replace(old.lineage, valid_from=NOON)))]

        await session.agent.steer(succeed)
        assert f"从 {NOON:%Y-%m-%d} 起" in await session.says("/memory show #1")


@pytest.mark.parametrize(
    ("language", "told", "foretold"),
    [("zh", "你让我放下了它", "开始淡忘"), ("en", "You had me put it away", "starts to fade")],
)
async def test_what_is_hidden_has_no_forecast_and_says_how_it_comes_back(
    language: Language, told: str, foretold: str
) -> None:
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await remember(session, "我住在北京")
        assert foretold in await session.says("/memory show #1")
        await session.ask("/memory forget #1")
        said = await session.says("/memory show #1")

    assert told in said
    assert "/memory restore #1" in said
    assert foretold not in said


def test_of_many_links_the_nearest_are_kept_and_the_others_counted() -> None:
    leaf = Branch("leaf")
    grown = tuple(Branch(str(number), (leaf,) * 3) for number in range(5))

    kept, left = within(grown, 8)
    assert [(each.label, len(each.branches)) for each in kept] == [
        ("0", 3), ("1", 0), ("2", 0), ("3", 0), ("4", 0),
    ]  # fmt: skip
    assert left == 12
    assert within(grown, 2) == ((Branch("0"), Branch("1")), 18)
    assert within(grown, 20) == (grown, 0)


def _of_turn(memory: Memory, turn_id: str) -> Memory:
    return replace(memory, origin=replace(memory.origin, turn_id=turn_id))


@pytest.mark.parametrize(
    ("kind", "tier", "hours", "turn", "told"),
    [
        (LinkType.CO_TURN, Tier.FACT, 0, "t1", ("同时说起", "said together")),
        (LinkType.CO_TURN, Tier.EPISODE, 23, "t1", ("同一段聊天", "in one stretch of talk")),
        (LinkType.CO_TURN, Tier.FACT, 0, "t2", ("一起用到", "used together")),
        (LinkType.TEMPORAL, Tier.FACT, 1, "t2", ("同一天", "the same day")),
        (LinkType.TEMPORAL, Tier.FACT, 23, "t2", ("一天之内", "within a day")),
    ],
)
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_why_two_are_linked_is_said_as_it_was(
    language: Language, kind: LinkType, tier: Tier, hours: int, turn: str, told: tuple[str, str]
) -> None:
    one = _of_turn(a_memory(1, "主人对虾过敏", tier=tier), "t1")
    other = _of_turn(a_memory(2, "主人养猫", tier=tier, at=NOON + timedelta(hours=hours)), turn)
    link = Link(target=2, strength=0.5, type=kind)
    changes = (Put(one), Put(other), Put(Links(source=1, links=(link,))))
    async with DeskSession(settings=AgentSettings(language=language)) as session:
        await session.agent.steer(lambda state, _: changes)

        assert f"0.50 {told[language == 'en']} → #2" in await session.says("/memory show #1")
