"""Polling goes on whatever comes back; nothing is let go before it is kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.adapters.calls import LONGEST_RECONNECT_PAUSE, ReconnectBackoff, TokenRefused
from bot.adapters.telegram.api import bot_api
from bot.adapters.telegram.updates import TelegramPolling
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.faults import Fault, drip, half, hang, page, reset
from tests.fakes.faults import answers as says
from tests.fakes.telegram_faults import flooded, refused
from tests.fakes.telegram_server import TOKEN, TelegramServer
from tests.fakes.timer import FakeTimer
from tests.fakes.waiting import unless_it_hangs, until

pytestmark = pytest.mark.usefixtures("quick_time")

RESUMED_WITHIN = 30.0
QUICK = 0.15


class Watching(FakeTimer):
    """Notes at each pause why it is made: afterwards it may be over at once."""

    def __init__(self, hearing: "Hearing") -> None:
        super().__init__()
        self._hearing = hearing

    async def sleep(self, seconds: float) -> None:
        assert self._hearing.patience.health.state != "well"
        self._hearing.troubles.append(self._hearing.patience.health.reason or "")
        await super().sleep(seconds)


class Hearing:
    """A polling loop and what it took; ``troubles`` are the reasons its health gave."""

    def __init__(self, server: TelegramServer, poll_seconds: float = QUICK) -> None:
        self.taken: list[Any] = []
        self.refusals: list[Exception] = []
        self.troubles: list[str] = []
        self.timer = Watching(self)
        self.patience = ReconnectBackoff(self.timer, "telegram")
        self.bot = bot_api(TOKEN, server.api_base, seconds=QUICK)
        self.polling = TelegramPolling(
            self.bot,
            self._take,
            self.timer,
            self.patience,
            poll_seconds=poll_seconds,
            margin_seconds=QUICK,
        )

    async def _take(self, raw: Any) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.taken.append(raw["message"]["text"])

    async def heard(self, *texts: str) -> None:
        async with unless_it_hangs():
            while tuple(self.taken) != texts:
                await asyncio.sleep(0.001)


@asynccontextmanager
async def hearing(server: TelegramServer, poll_seconds: float = QUICK) -> AsyncIterator[Hearing]:
    heard = Hearing(server, poll_seconds)
    try:
        async with asyncio.TaskGroup() as group:
            loop = group.create_task(heard.polling.run())
            yield heard
            loop.cancel()
    finally:
        await heard.bot.disconnect()


FAULTS: dict[str, Fault] = {
    "404 as a page": page(404),
    "404": refused(404, "Not Found"),
    "401": refused(401, "Unauthorized"),
    "409": refused(409, "Conflict: terminated by other getUpdates request"),
    "429": flooded(7),
    "500 as a page": page(500),
    "502": refused(502, "Bad Gateway"),
    "503 as a page": page(503),
    "a page with status 200": page(200),
    "half an object": says(b'{"ok": tr'),
    "no result": says(b'{"ok": true}'),
    "a list": says(b"[]"),
    "updates without ids": says(b'{"ok": true, "result": [{"message": {}}, 7]}'),
    "a reset": reset,
    "half an answer": half,
    "silence": hang,
    "drops for ever": drip,
}


async def test_all_that_came_is_noted_before_any_of_it_is_kept() -> None:
    noted: list[str] = []
    async with TelegramServer() as server:
        server.says("一")
        server.says("二")
        async with hearing(server) as she:
            she.refusals = [StoreUnwritable(refusals.DISK_REFUSES)]
            she.polling.note_heard = lambda raw: noted.append(raw["message"]["text"])
            await until(lambda: not she.refusals)
            assert noted[:2] == ["一", "二"]
            await she.heard("一", "二")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
async def test_hearing_comes_back_by_itself_and_its_health_says_why_it_was_away(
    fault: Fault,
) -> None:
    async with TelegramServer() as server, hearing(server) as she:
        server.says("一")
        await she.heard("一")
        before = len(she.timer.slept)
        server.next("getUpdates", fault, fault, fault)
        await until(lambda: she.troubles)
        server.says("二")
        await she.heard("一", "二")
        await until(lambda: she.patience.health.state == "well")

    assert all(she.troubles)
    assert 1 <= len(she.timer.slept) - before <= 3
    assert max(she.timer.slept) <= RESUMED_WITHIN


async def test_a_server_that_was_down_is_heard_again(caplog: pytest.LogCaptureFixture) -> None:
    server = TelegramServer()
    async with server:
        pass
    async with hearing(server) as she:
        await until(lambda: len(she.timer.slept) > 20)
        async with server:
            server.says("回来了")
            await she.heard("回来了")

    assert max(she.timer.slept) == LONGEST_RECONNECT_PAUSE
    assert "connecting anew" in caplog.text
    # Told once and in words, however often it was tried; no line that only a developer reads.
    assert caplog.text.count("not hearing") == 1
    assert "polling failed" not in caplog.text


async def test_what_cannot_be_kept_is_not_let_go(caplog: pytest.LogCaptureFixture) -> None:
    async with TelegramServer() as server, hearing(server) as she:
        she.refusals = [StoreUnwritable(refusals.DISK_REFUSES)] * 5
        server.says("一")
        server.says("二")
        await she.heard("一", "二")
        await until(lambda: server.confirmed == 2)

    assert len(she.timer.slept) == 5
    assert "disk full" not in caplog.text


async def test_an_update_nobody_can_read_is_stepped_over_and_counted() -> None:
    async with TelegramServer() as server, hearing(server) as she:
        server.says("一")
        she.refusals = [KeyError("x"), TypeError("y")]
        server.says("二")
        server.says("三")
        await she.heard("三")

    assert she.polling.acknowledger.skipped == 2
    assert not she.timer.slept


async def test_two_pollers_of_one_token_see_each_other_and_both_go_on() -> None:
    async with TelegramServer() as server, hearing(server, 1) as one, hearing(server, 1) as two:
        await until(lambda: "conflict" in one.troubles + two.troubles)
        server.says("一")
        await until(lambda: one.taken or two.taken)

    assert set(one.taken + two.taken) == {"一"}


async def test_a_revoked_token_ends_it_within_a_minute() -> None:
    async with TelegramServer() as server:
        server.always("getUpdates", refused(401, "Unauthorized"))
        she = Hearing(server)
        with pytest.raises(TokenRefused):
            await she.polling.run()
        await she.bot.disconnect()

    assert sum(she.timer.slept) <= 60
    assert she.patience.health.state == "stopped"
