"""Who answers a partner goes before who shows a page."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

from bot.tasks import Pace, TurnsFirst
from tests.fakes.page_world import page_world
from tests.fakes.waiting import unless_it_hangs, until

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
        with world.program.supervisor.turns.first():
            asked = group.create_task(world.browser.look("/"))
            await settled()
            assert not asked.done()


async def test_work_in_a_thread_rests_while_a_partner_is_served() -> None:
    turns, done, begun = TurnsFirst(), list[int](), threading.Event()

    def items() -> Iterator[int]:
        begun.set()
        yield from range(10)

    def work() -> None:
        done.extend(turns.pace(A_WHILE).over(items(), at_once=3))

    async with unless_it_hangs():
        with turns.first():
            working = asyncio.ensure_future(asyncio.to_thread(work))
            await until(begun.is_set)
            await settled()
            while_served = list(done)
        await working

    assert while_served == []
    assert done == list(range(10))


async def test_work_in_a_thread_rests_no_longer_than_it_may() -> None:
    turns = TurnsFirst()
    hurried = turns.pace(A_WHILE)
    hurried.hurry()
    async with unless_it_hangs():
        with turns.first():
            in_all = await asyncio.to_thread(lambda: list(turns.pace(0.001).over(range(10), 1)))
            at_once = await asyncio.to_thread(lambda: list(hurried.over(range(10), 1)))

    assert in_all == at_once == list(range(10))
    assert list(Pace().over("ab")) == ["a", "b"]
