"""``/memory show``: everything about one memory, and when it will fade."""

from datetime import timedelta

import pytest

from bot.desk.memory_details import forecast_of
from memory.model import AgentSettings
from memory.views import law_context
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, add_samples
from tests.fakes.laws import is_fading


async def test_one_memory_is_shown_whole() -> None:
    async with DeskSession() as session:
        await add_samples(session)
        said = await session.says("/memory show #1")

        for part in (
            "花生", "重要性", "强度", "权重", "连接度", "我对虾过敏", "0.80 因为 → #2", "曾记得",
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
