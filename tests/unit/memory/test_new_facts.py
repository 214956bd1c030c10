"""What a new fact says: a habit of weekends has no date, and a trip that was made has its own."""

import asyncio

import pytest

from tests.fakes.clock import NOON, FakeClock
from tests.fakes.life import empty_memory, tell


def _facts(line: str) -> list[str]:
    """Return the facts learnt of a line that is told on a Wednesday."""

    async def told() -> list[str]:
        agent = await empty_memory(FakeClock(), "en" if line.isascii() else "zh")
        await tell(agent, 1, line, NOON)
        facts = [each.words.text for each in agent.state.memories.values() if each.is_fact]
        await agent.close()
        return facts

    return asyncio.run(told())


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("我周末在社区教书法", "主人周末在社区教书法"),
        ("记住我周末在社区教书法", "我周末在社区教书法"),
        ("我周末在便利店打工", "主人周末在便利店打工"),
        (
            "I teach calligraphy at the community centre at the weekend",
            "主人 teaches calligraphy at the community centre at the weekend",
        ),
        # A plan, and a trip that was made, have their days.
        ("我周末要去社区教书法", "主人周末（2026-03-07~2026-03-08）要去社区教书法"),
        ("我周末去爬山", "主人周末（2026-03-07~2026-03-08）去爬山"),
        ("我周末跟表弟去了莫干山", "主人周末（2026-02-28~2026-03-01）跟表弟去了莫干山"),
        (
            "I went to Skye at the weekend",
            "主人 went to Skye at the weekend (2026-02-28~2026-03-01)",
        ),
        (
            "We went up to Skye with Fintan last weekend",
            "主人: We went up to Skye with Fintan last weekend (2026-02-28~2026-03-01)",
        ),
    ],
)
def test_a_weekend_has_a_date_unless_it_is_any(line: str, fact: str) -> None:
    assert _facts(line) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "I went to the shop at the weekend",
        "Fintan went to Skye at the weekend",
        "If I went to Skye at the weekend",
        "Did I say I went to Skye at the weekend?",
    ],
)
def test_what_is_no_trip_of_ones_own_is_not_learnt(line: str) -> None:
    assert _facts(line) == []
