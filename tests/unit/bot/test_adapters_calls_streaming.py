"""An answer that grows: whoever leaves waits a little for the change under way."""

import asyncio

import pytest

from bot.adapters.calls import (
    SHOW_FAILURES,
    PlatformError,
    PlatformUnreachable,
    RateLimited,
    RequestRejected,
    StreamUpdater,
)
from bot.tasks import Supervisor
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")


async def test_leaving_waits_for_the_change_under_way_and_begins_no_other() -> None:
    begun, go = asyncio.Event(), asyncio.Event()
    shown: list[str] = []

    async def show() -> None:
        begun.set()
        await go.wait()
        shown.append("a change")

    growing = StreamUpdater(Supervisor(), show)
    growing.request_update()
    await begun.wait()
    asyncio.get_running_loop().call_soon(go.set)
    await growing.stop_soon()
    growing.request_update()
    await asyncio.sleep(0)

    assert shown == ["a change"]


@pytest.mark.parametrize("failure", [RateLimited(0.0), PlatformUnreachable()], ids=["429", "away"])
async def test_one_failure_does_not_freeze_a_growing_answer(failure: PlatformError) -> None:
    shown: list[str] = []
    failures = [failure]

    async def show() -> None:
        if failures:
            raise failures.pop()
        shown.append("a change")
        await growing.changed.wait()

    growing = StreamUpdater(Supervisor(), show)
    growing.request_update()
    await until(lambda: shown)
    await growing.stop()

    assert shown == ["a change"]


@pytest.mark.parametrize(
    ("failure", "calls"),
    [(PlatformUnreachable(), SHOW_FAILURES), (RequestRejected("no"), 1)],
    ids=["again and again", "refused"],
)
async def test_what_keeps_failing_is_let_be(
    failure: PlatformError, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.calls.FAILURE_PAUSE", 0.0)
    made = 0

    async def show() -> None:
        nonlocal made
        made += 1
        raise failure

    growing = StreamUpdater(Supervisor(), show)
    growing.request_update()
    await until(lambda: made == calls)
    await asyncio.sleep(0.01)
    growing.request_update()
    await asyncio.sleep(0.01)

    assert made == calls


async def test_rate_limits_never_end_a_growing_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.adapters.calls.FAILURE_PAUSE", 0.0)
    left, shown = [RateLimited(0.0)] * (2 * SHOW_FAILURES), list[str]()

    async def show() -> None:
        if left:
            raise left.pop()
        shown.append("a change")
        await growing.changed.wait()

    growing = StreamUpdater(Supervisor(), show)
    growing.request_update()
    await until(lambda: shown)
    await growing.stop()

    assert shown == ["a change"]
