"""What never comes to its end on the event loop is broken off, and nothing else is."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable

import pytest

from bot.tasks import Done, Failed, HeldUp, attempt, watched


async def for_ever() -> None:
    while True:
        pass


async def by_a_pattern() -> None:
    re.fullmatch(r"(?:a|aa|a+)*b", "a" * 60)


@pytest.mark.parametrize("work", [for_ever, by_a_pattern])
async def test_work_without_an_end_fails_like_any_other_and_the_loop_lives(
    work: Callable[[], Awaitable[None]],
) -> None:
    async with watched(0.2):
        for _ in range(2):
            broken = await attempt("work", work)
            assert isinstance(broken, Failed)
            assert isinstance(broken.error, HeldUp)
        assert await attempt("work", lambda: asyncio.sleep(0, "alive")) == Done("alive")


async def test_many_short_pieces_of_work_are_left_alone() -> None:
    async def some() -> str:
        begun = time.process_time()
        while time.process_time() < begun + 0.6:
            await asyncio.sleep(0)
        return "done"

    async with watched(0.3):
        assert await attempt("work", some) == Done("done")


async def test_nothing_is_broken_off_outside_of_the_block() -> None:
    async with watched(0.05):
        pass
    begun = time.process_time()
    while time.process_time() < begun + 0.2:
        pass
