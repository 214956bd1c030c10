"""What was said is in the prompt when it is asked for, however long ago in the talk."""

from itertools import pairwise, product
from pathlib import Path

import pytest

from bot.cli.transfer import CONVERSATION, RecordedClock
from memory.model import Tier
from tests.fakes.clock import NOON
from tests.fakes.cost import share
from tests.fakes.long_talk import WAYS, agent_of, is_told, lived, missed

AGES = (2, 29, 31, 46, 62)
"""Where the window ends, where its tail is cut, and in between; ``make remember`` tries all."""

LIVES = (
    *product(WAYS, [2_000]),
    ("turns", 4_000),
    ("turns", 16_000),
    ("replay", 16_000),
)
"""Ways of a talk into memory, and contexts in tokens."""


@pytest.mark.hunted
@pytest.mark.parametrize(("way", "budget"), share(LIVES, of=2))
async def test_a_fact_is_in_the_prompt_however_long_ago_it_was_said(
    way: str, budget: int, tmp_path: Path
) -> None:
    assert await missed(tmp_path / "agent", way, budget, AGES) == []


async def test_the_oldest_rounds_are_summarised_where_they_fill_the_context(
    tmp_path: Path,
) -> None:
    episodes, sizes = await episodes_and_windows(tmp_path / "agent", 2_000)

    assert episodes > 0
    # In steps, not with every turn: a summary costs a call.
    assert sum(later < earlier for earlier, later in pairwise(sizes)) <= 4


async def test_nothing_is_summarised_before_its_time_where_there_is_room(tmp_path: Path) -> None:
    episodes, sizes = await episodes_and_windows(tmp_path / "agent", 16_000)

    assert (episodes, max(sizes)) == (0, 46)


async def episodes_and_windows(folder: Path, budget: int) -> tuple[int, list[int]]:
    """Return how many episodes 46 messages became, and how long the window was meanwhile."""
    clock, sizes = RecordedClock(NOON), list[int]()
    async with agent_of(folder, clock) as agent:
        async for age in lived(agent, clock, "turns", 45):
            if age % 4 == 1:
                assert await is_told(agent, clock, CONVERSATION, budget)
            sizes.append(len(agent.window(CONVERSATION)))
        # What is due is done: nothing that left the window waits any more.
        assert not agent.state.windows[CONVERSATION].tail
        memories = agent.state.memories.values()
        return sum(each.nature.tier is Tier.EPISODE for each in memories), sizes
