"""The long connection: the real library against a platform that breaks in every way."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.calls import PlatformError, ReconnectBackoff, TokenRefused
from bot.adapters.incoming import Acknowledger
from bot.adapters.lark.connection import (
    ConnectionTimeouts,
    Endpoint,
    LarkConnection,
    discover_endpoint,
)
from bot.adapters.lark.sdk import AppCredentials, SdkTransport, load_sdk
from bot.tasks import LoopTimer
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.faults import Fault, answers, half, hang, page, reset
from tests.fakes.lag import BLOCKED_SECONDS, lag
from tests.fakes.lark_faults import EXCEEDED_CONNECTIONS, handshake_refused, refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import on_lark
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.waiting import HANG_SECONDS, unless_it_hangs, until

pytestmark = pytest.mark.usefixtures("quick_time")

PACE = ConnectionTimeouts(connect=0.5, ping=0.1, silent=0.6, handle=HANG_SECONDS, stop=1.0)


class Hasty(LoopTimer):
    """Waits a hundredth of what it is asked to; remembers what that was."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(seconds / 100)


@dataclass
class Hearing:
    """What was kept; ``refusals`` come first, one for each attempt to keep something."""

    platform: LarkPlatform
    timer: Hasty
    patience: ReconnectBackoff
    kept: list[str] = field(default_factory=list)
    refusals: list[Exception | float] = field(default_factory=list)
    keeper: Acknowledger | None = None
    running: asyncio.Task[None] | None = None

    async def take(self, event: Any) -> object:
        if self.refusals:
            refusal = self.refusals.pop(0)
            if isinstance(refusal, Exception):
                raise refusal
            await asyncio.sleep(refusal)
        self.kept.append(event["header"]["event_type"])
        return {"toast": {"content": "收到"}} if "action" in event["event"] else None

    async def hears(self) -> None:
        """Check that what is said now is kept and confirmed, if need be when it comes again."""
        count = len(self.kept)
        self.platform.say("还在吗")
        pushes = self.platform.pushes
        async with unless_it_hangs():
            while len(self.kept) == count or pushes.open:
                await asyncio.sleep(0.1)
                if all(each.sent is None for each in pushes.open):
                    self.platform.advance(16)


@asynccontextmanager
async def hearing(
    platform: LarkPlatform, *, seconds: float = 0.5, pace: ConnectionTimeouts = PACE
) -> AsyncIterator[Hearing]:
    timer = Hasty()
    she = Hearing(platform, timer, ReconnectBackoff(timer, "lark"))
    wire = SdkTransport(AppCredentials(APP_ID, APP_SECRET), platform.url, seconds=seconds)
    await load_sdk()

    async def discover() -> Endpoint:
        return await discover_endpoint(wire)

    connection = LarkConnection(discover, she.take, timer, she.patience, pace)
    she.keeper = connection.acknowledger
    she.running = asyncio.create_task(connection.run())
    try:
        yield she
    finally:
        she.running.cancel()
        await asyncio.gather(she.running, return_exceptions=True)
        await wire.close()


async def test_an_event_is_confirmed_once_it_is_kept() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        she.refusals = [0.01]
        message = platform.say("你好")
        (push,) = platform.pushes.open
        platform.read(message)
        platform.react(message)
        await platform.settled()

    assert len(she.kept) == 3
    assert she.patience.health.state == "well"
    assert push.codes == [200]
    assert push.seconds[0] >= 0.01


@pytest.mark.parametrize(
    ("refusal", "patience"),
    [(StoreUnwritable(refusals.DISK_REFUSES), HANG_SECONDS), (HANG_SECONDS, 0.3)],
    ids=["full disk", "hanging"],
)
async def test_what_is_not_kept_is_not_confirmed_and_comes_again(
    refusal: Exception | float, patience: float
) -> None:
    pace = replace(PACE, handle=patience)
    async with LarkPlatform() as platform, hearing(platform, pace=pace) as she:
        await platform.connected()
        she.refusals = [refusal]
        platform.say("记住：我对花生过敏")
        (push,) = platform.pushes.open
        await until(lambda: push.codes)
        assert she.kept == []
        # The second time it may take as long as the machine needs.
        object.__setattr__(pace, "handle", HANG_SECONDS)
        platform.advance(15)
        await platform.settled()

    assert push.codes == [500, 200]
    assert she.kept == ["im.message.receive_v1"]


async def test_what_nobody_can_read_is_confirmed_and_counted() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        she.refusals = [KeyError("message")]
        platform.say("读不懂的")
        await platform.settled()
        await she.hears()

    assert she.keeper is not None
    assert she.keeper.skipped == 1


async def test_kinds_of_event_that_nobody_uses_are_confirmed() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        platform.app.events.add("contact.user.created_v3")
        event = {"event_id": "e", "event_type": "contact.user.created_v3", "token": "t"}
        push = platform.pushes.push({"schema": "2.0", "header": event, "event": {}})
        await platform.settled()

    assert push.codes == [200]
    assert she.kept == ["contact.user.created_v3"]


async def test_a_press_is_answered_with_a_toast() -> None:
    async with LarkPlatform() as platform, hearing(platform):
        await platform.connected()
        answer = await platform.press(platform.say("你好"), {"command": "x"})

    assert answer == {"toast": {"content": "收到"}}


async def test_an_event_in_several_parts_is_put_together() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        platform.pushes.parts = 3
        platform.say("很长的话" * 5_000)
        await platform.settled()

    assert she.kept == ["im.message.receive_v1"]


@pytest.mark.parametrize(
    ("route", "fault"),
    [
        pytest.param("endpoint", hang, id="discovery hangs"),
        pytest.param("endpoint", half, id="discovery breaks off"),
        pytest.param("endpoint", reset, id="discovery is torn down"),
        pytest.param("endpoint", page(502), id="a gateway answers"),
        pytest.param("endpoint", refused(1, "busy", status=200), id="busy"),
        pytest.param("endpoint", refused(EXCEEDED_CONNECTIONS, status=200), id="too many"),
        pytest.param("endpoint", refused(403, status=200), id="refused for a moment"),
        pytest.param("endpoint", answers(b'{"code": 0, "data": null}'), id="no address"),
        pytest.param("endpoint", answers(b'{"code": 0, "data": {"URL": 5}}'), id="no URL"),
        pytest.param(
            "endpoint", answers(b'{"code": 0, "data": {"URL": "ws://127.0.0.1:9/"}}'), id="half"
        ),
        pytest.param("ws", hang, id="the handshake hangs"),
        pytest.param("ws", reset, id="the handshake is torn down"),
        pytest.param("ws", page(500), id="the handshake fails"),
        pytest.param("ws", handshake_refused(), id="the handshake is refused"),
        pytest.param("ws", handshake_refused(514, "auth"), id="the handshake is not allowed"),
    ],
)
async def test_she_is_back_by_herself_after_a_reconnect_that_fails(
    route: str, fault: Fault
) -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        await she.hears()
        platform.next(route, fault, fault)
        platform.cut()
        await until(lambda: len(platform.made(route)) >= 4)
        await she.hears()

    assert she.patience.health.state == "well"
    assert len(platform.pushes.sockets) <= 1
    assert len(she.timer.slept) >= 3


async def test_a_socket_that_falls_silent_is_left_for_a_new_one() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        await she.hears()
        platform.pushes.silent = True
        await until(lambda: len(platform.made("endpoint")) >= 2)
        platform.pushes.silent = False
        await she.hears()

    assert she.patience.health.state == "well"


async def test_a_quiet_day_is_no_silence_because_pings_are_answered() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        await asyncio.sleep(3 * PACE.silent)
        assert len(platform.made("endpoint")) == 1
        assert platform.pushes.pings >= 5
        await she.hears()


async def test_hearing_starts_and_stops_often_in_one_process_and_leaves_nothing() -> None:
    async with LarkPlatform() as platform:
        for _ in range(5):
            async with hearing(platform) as she:
                await she.hears()
            await until(lambda: not platform.pushes.sockets)

            await until(lambda: "lark" not in {each.name for each in threading.enumerate()})


async def test_stopping_does_not_wait_for_a_discovery_or_a_handshake_that_hangs() -> None:
    for route in ("endpoint", "ws"):
        async with LarkPlatform() as platform:
            platform.always(route, hang)
            async with hearing(platform, seconds=60) as she:
                await until(partial(platform.made, route))
                assert she.running is not None
                began = asyncio.get_running_loop().time()
                she.running.cancel()
                await asyncio.gather(she.running, return_exceptions=True)
                assert asyncio.get_running_loop().time() - began < 2 * PACE.stop


async def test_the_programs_own_loop_is_never_blocked() -> None:
    async with LarkPlatform() as platform, hearing(platform) as she:
        await platform.connected()
        with lag() as found:
            platform.next("endpoint", hang)
            platform.next("ws", hang)
            she.refusals = [0.01] * 5
            for _ in range(5):
                platform.say("一句")
            platform.cut()
            await she.hears()

    assert found.worst < BLOCKED_SECONDS, found


class Refusing(ReconnectBackoff):
    """Has no patience with a secret that is refused."""

    def record_failure(self, error: Exception) -> float:
        if isinstance(error, TokenRefused):
            raise error
        return super().record_failure(error)


async def test_a_secret_that_is_revoked_ends_hearing() -> None:
    timer = Hasty()

    async def discover() -> Endpoint:
        raise TokenRefused("code 10014")

    async def take(event: Any) -> None:
        raise AssertionError(event)

    connection = LarkConnection(discover, take, timer, Refusing(timer, "lark"), PACE)
    with pytest.raises(PlatformError):
        await connection.run()


class Quick(LoopTimer):
    """A hundred seconds pass in one."""

    def now(self) -> float:
        return super().now() * 100

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 100)


async def test_a_secret_that_is_reset_while_she_runs_ends_her_with_what_to_do(
    tmp_path: Path,
) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform, timer=Quick()) as she:
        platform.say("你好")
        await she.answers(1)
        platform.app._secret = "another"  # noqa: S105 - reset in the console
        platform.cut()
        await until(lambda: she.over)
        tried = len(platform.made("endpoint"))

    assert "LARK_APP_SECRET" in str(getattr(she.over, "error", ""))
    assert she.adapter.health.state == "stopped"
    assert tried >= 4


async def test_a_refusal_that_is_not_the_secrets_fault_ends_nothing(tmp_path: Path) -> None:
    async with LarkPlatform() as platform, on_lark(tmp_path, platform, timer=Quick()) as she:
        platform.always("endpoint", refused(403, status=200))
        platform.cut()
        await until(lambda: len(platform.made("endpoint")) >= 12)
        platform.always("endpoint", None)
        await platform.connected()
        platform.say("你好")
        await she.answers(1)

    assert she.adapter.health.state == "well"
