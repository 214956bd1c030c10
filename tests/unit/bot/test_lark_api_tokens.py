"""The token of an app: one fetch for everybody, in time, and no failure asked for twice."""

import asyncio

import pytest

from bot.adapters.calls import PlatformError, PlatformUnreachable
from bot.adapters.lark.api import Token, TokenCache
from tests.fakes.timer import FakeTimer


class Desk:
    """Hands out tokens, each for two hours, slowly."""

    def __init__(self, seconds: float = 7200) -> None:
        self.fetched = 0
        self.away = False
        self.seconds = seconds

    async def fetch(self) -> Token:
        self.fetched += 1
        number = self.fetched
        await asyncio.sleep(0.01)
        if self.away:
            raise PlatformUnreachable("busy")
        return Token(f"t-{number}", self.seconds)


async def test_many_who_ask_at_once_share_one_fetch() -> None:
    desk = Desk()
    tokens = TokenCache(desk.fetch, FakeTimer())

    assert await asyncio.gather(*(tokens.get() for _ in range(20))) == ["t-1"] * 20


@pytest.mark.parametrize(("seconds", "good_for"), [(7200, 6600), (60, 30)])
async def test_a_token_is_replaced_before_it_ends(seconds: float, good_for: float) -> None:
    desk, timer = Desk(seconds), FakeTimer()
    tokens = TokenCache(desk.fetch, timer)
    await tokens.get()

    await timer.sleep(good_for - 1)
    assert await tokens.get() == "t-1"
    await timer.sleep(1)
    assert await tokens.get() == "t-2"


async def test_who_waited_for_a_fetch_that_failed_does_not_ask_again() -> None:
    desk = Desk()
    desk.away = True
    tokens = TokenCache(desk.fetch, FakeTimer())

    found = await asyncio.gather(*(tokens.get() for _ in range(9)), return_exceptions=True)

    assert all(isinstance(each, PlatformError) for each in found)
    assert desk.fetched == 1
    desk.away = False
    assert await tokens.get() == "t-2"


async def test_a_fetch_that_is_cancelled_leaves_the_others_theirs() -> None:
    desk = Desk()
    tokens = TokenCache(desk.fetch, FakeTimer())
    async with asyncio.TaskGroup() as group:
        first = group.create_task(tokens.get())
        second = group.create_task(tokens.get())
        await asyncio.sleep(0)
        first.cancel()

    assert second.result() == "t-2"


async def test_a_refused_token_is_fetched_anew_once() -> None:
    desk = Desk()
    tokens = TokenCache(desk.fetch, FakeTimer())
    old = await tokens.get()
    tokens.discard(old)

    assert set(await asyncio.gather(tokens.get(), tokens.get())) == {"t-2"}
    tokens.discard(old)
    assert await tokens.get() == "t-2"
