"""Who answers a partner goes before who shows a page."""

import asyncio
from pathlib import Path

from bot.tasks import TurnsFirst
from tests.fakes.page_world import page_world
from tests.fakes.waiting import unless_it_hangs

A_WHILE = 3_600.0


async def settled() -> None:
    """Let whatever is ready to run come as far as it can."""
    for _ in range(50):
        await asyncio.sleep(0)


async def test_who_shows_something_waits_until_all_who_answer_are_ready() -> None:
    turns = TurnsFirst()
    async with unless_it_hangs(), asyncio.TaskGroup() as group:
        with turns.first():
            with turns.first():
                waiting = group.create_task(turns.let_pass(A_WHILE))
                await settled()
            await settled()
            assert not waiting.done()


async def test_nobody_waits_longer_than_they_said() -> None:
    turns = TurnsFirst()
    async with unless_it_hangs():
        with turns.first():
            await turns.let_pass(0.0)
        await turns.let_pass(A_WHILE)


async def test_a_room_is_shown_once_the_turn_is_ready(tmp_path: Path) -> None:
    async with (
        page_world(tmp_path, count=5) as world,
        unless_it_hangs(),
        asyncio.TaskGroup() as group,
    ):
        with world.house.supervisor.turns.first():
            asked = group.create_task(world.browser.look("/"))
            await settled()
            assert not asked.done()
