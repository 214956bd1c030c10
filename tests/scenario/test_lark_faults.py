"""Whatever Lark does, she is back by herself, misses nothing, and the loop goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bot.adapters.lark.connection import ConnectionTimeouts
from tests.fakes.faults import Fault, answers, half, hang, page, reset
from tests.fakes.lag import BLOCKED_SECONDS, lag
from tests.fakes.lark_faults import EXCEEDED_CONNECTIONS, handshake_refused, refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import Hasty, OnLark, on_lark
from tests.fakes.openai_answers import DONE, Asked, Behaviour, chunk, encoded, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import HANG_SECONDS, unless_it_hangs, until

pytestmark = pytest.mark.usefixtures("quick_time")

SHOWN_SECONDS = 0.8
"""Longer than she lets pass between two changes of what is seen."""

QUICK = ConnectionTimeouts(connect=0.5, ping=0.1, silent=0.5, handle=HANG_SECONDS, stop=2.0)


def last_line(asked: Asked) -> str:
    return asked.last.splitlines()[-1].rpartition("] ")[2]


@asynccontextmanager
async def watched(
    data: Path, behaviour: Behaviour | None = None, **more: Any
) -> AsyncIterator[OnLark]:
    """Run her until the end of the block; nothing in it may keep the loop."""
    async with (
        LarkPlatform() as platform,
        OpenAIServer(last_line) as model,
        on_lark(data, platform, model=model, pace=QUICK, **more) as she,
    ):
        await heard(she, "你在吗")
        model.always(behaviour)
        with lag() as found:
            yield she
        assert found.worst < BLOCKED_SECONDS, found


async def heard(she: OnLark, words: str) -> None:
    """Say something and wait until it is answered, once."""
    she.platform.say(words)
    await answered(she, words)


async def answered(she: OnLark, words: str) -> None:
    """Wait until what was said is answered, once; Lark pushes it until it is heard."""
    platform = she.platform
    async with unless_it_hangs():
        while not count(platform, words):
            await asyncio.sleep(0.02)
            waiting = [push for push in platform.pushes.open if push.codes and push.sent is None]
            if waiting and platform.pushes.sockets:
                platform.advance(15)
    await she.settled()
    assert count(platform, words) == 1


class Leaping(Hasty):
    """Leaps when the test does."""

    added = 0.0

    def now(self) -> float:
        return super().now() + self.added


class Talk:
    """A model that says more when it is told to."""

    def __init__(self) -> None:
        self._pieces: asyncio.Queue[str] = asyncio.Queue()
        self.said = ""

    def say(self, words: str) -> None:
        self.said += words
        self._pieces.put_nowait(words)

    async def __call__(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        if "慢慢讲" not in asked.last or not asked.stream:
            return await say("[SKIP]")(request, asked)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while words := await self._pieces.get():
            await response.write(encoded(chunk(words)))
        await response.write(encoded(chunk(finish="stop")) + encoded(DONE))
        return response


@pytest.mark.parametrize(
    ("noticed", "silently"),
    [(545.0, False), (0.0, False), (0.0, True)],
    ids=["turned over in time", "closed under her hands", "closed without a word"],
)
async def test_an_answer_that_takes_half_an_hour_is_whole(
    tmp_path: Path, *, noticed: float, silently: bool
) -> None:
    """Lark's ten minutes for a card pass three times; she notices as many seconds of each."""
    timer, talk = Leaping(), Talk()
    async with watched(tmp_path, talk, timer=timer) as she:
        platform = she.platform
        platform.cards.silent = silently
        platform.say("慢慢讲")
        for part in range(3):
            talk.say(f"第{part}段。" + "".join(f"那是第{n}年的事，" for n in range(12)))
            await asyncio.sleep(SHOWN_SECONDS)
            assert shown(platform)
            timer.added += noticed
            platform.advance(noticed or 601)
        talk.say("完。")
        talk.say("")
        await until(lambda: shown(platform) == talk.said)
        await she.settled()
        assert not any(each.streaming for each in platform.shown(platform.private()))
        assert platform.cards.refused == (0 if noticed or silently else 1)


def shown(platform: LarkPlatform) -> str:
    """Return the answer as it stands in its cards, without the first answer."""
    return "".join(platform.texts()[1:])


def count(platform: LarkPlatform, words: str) -> int:
    return sum(text.count(words) for text in platform.texts())


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        pytest.param("endpoint", [refused(EXCEEDED_CONNECTIONS, status=200)], id="too many"),
        pytest.param("ws", [handshake_refused(), page(502), reset], id="a handshake"),
        pytest.param("endpoint", [page(502), half, answers(b"[]")], id="a bad proxy"),
    ],
)
async def test_a_refused_reconnect_is_not_the_end(
    tmp_path: Path, name: str, faults: list[Fault]
) -> None:
    async with watched(tmp_path) as she:
        tried = len(she.platform.made(name))
        she.platform.next(name, *faults)
        she.platform.cut()
        await until(lambda: len(she.platform.made(name)) > tried + len(faults))
        await heard(she, "又见面了")


@pytest.mark.parametrize("name", ["endpoint", "ws"])
async def test_whoever_hangs_is_given_up(tmp_path: Path, name: str) -> None:
    async with watched(tmp_path, call_seconds=0.3) as she:
        she.platform.next(name, hang, hang)
        she.platform.cut()
        await heard(she, "还好吗")
        assert len(she.platform.made(name)) == 4


async def test_a_socket_that_falls_silent_is_left(tmp_path: Path) -> None:
    async with watched(tmp_path) as she:
        for words in ("第一次", "第二次"):
            connections = len(she.platform.made("ws"))
            she.platform.pushes.silent = True
            she.platform.say(words)
            await until(lambda n=connections: len(she.platform.made("ws")) > n)  # type: ignore[misc]
            she.platform.pushes.silent = False
            # Before anything else is said: what comes quickly after it would be one turn with it.
            await answered(she, words)
            await heard(she, f"以后：{words[-2:]}")


async def test_a_token_that_is_revoked_or_over_is_renewed_once(tmp_path: Path) -> None:
    async with watched(tmp_path) as she:
        tokens = len(she.platform.made("token"))
        she.platform.revoke()
        await heard(she, "收回了")
        assert len(she.platform.made("token")) == tokens + 1
        she.platform.advance(7200)
        await heard(she, "过期了")
        assert len(she.platform.made("token")) == tokens + 2
