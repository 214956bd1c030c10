"""Calls of Lark's open interface: one token, kept connections, and errors that tell no secrets."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from bot.adapters import calls
from bot.adapters.calls import (
    ChatUnavailable,
    PlatformUnreachable,
    RateLimited,
    RequestRejected,
    TokenRefused,
)
from bot.adapters.lark.api import LarkApi, MessageWithdrawn, lark_api, route
from tests.fakes.cost import at_most
from tests.fakes.faults import Fault, answers, half, hang, page, reset
from tests.fakes.lark_faults import flooded, refused
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.timer import FakeTimer

BOT = "/open-apis/bot/v3/info"
WORDS = "words of the provider with sk-secret in them"


@asynccontextmanager
async def calling(secret: str = APP_SECRET) -> AsyncIterator[tuple[LarkPlatform, LarkApi]]:
    async with (
        LarkPlatform() as platform,
        lark_api(APP_ID, secret, platform.url, seconds=1, timer=FakeTimer()) as api,
    ):
        yield platform, api


async def test_many_calls_share_one_token_and_its_connections() -> None:
    async with calling() as (platform, api):
        await asyncio.gather(*(api.call("GET", BOT) for _ in range(20)))
        await api.call("GET", BOT)

    assert len(platform.made("token")) == 1
    assert len(platform.made("bot")) == 21


async def test_the_sdk_still_looks_its_client_up_where_ours_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened = []
    client = httpx.AsyncClient

    def counted(**how: Any) -> httpx.AsyncClient:
        opened.append(how)
        return client(**how)

    monkeypatch.setattr(httpx, "AsyncClient", counted)
    async with calling() as (_, api):
        for _ in range(5):
            await api.call("GET", BOT)

    assert len(opened) == 1


async def test_a_call_takes_little_time_of_the_loop() -> None:
    async with calling() as (_, api):
        await api.call("GET", BOT)
        # A client of its own for each call takes 21 ms; the platform runs in this process too.
        with at_most(50 * 0.015):
            answers = [await api.call("GET", BOT) for _ in range(50)]

    assert answers == answers[:1] * 50


async def test_the_loop_goes_on_while_the_sdk_waits_for_a_token() -> None:
    async with calling() as (platform, api):
        await api.call("GET", BOT)
        platform.revoke()
        platform.next("token", hang)
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        async with asyncio.TaskGroup() as group:
            ticking = group.create_task(tick())
            with pytest.raises(PlatformUnreachable):
                await api.call("GET", BOT)
            ticking.cancel()
    assert ticks > 30


async def test_a_token_that_was_revoked_is_renewed_once() -> None:
    async with calling() as (platform, api):
        await api.call("GET", BOT)
        platform.revoke()
        await asyncio.gather(*(api.call("GET", BOT) for _ in range(5)))
        assert len(platform.made("token")) == 2
        platform.always("bot", refused(99991663))
        with pytest.raises(PlatformUnreachable):
            await api.call("GET", BOT)
        assert len(platform.made("token")) == 3


@pytest.mark.parametrize("status", [429, 400])
async def test_being_asked_to_wait_says_how_long(status: int) -> None:
    async with calling() as (platform, api):
        platform.next("bot", flooded(7, status=status), refused(230020), refused(11232))
        waits = []
        for _ in range(3):
            with pytest.raises(RateLimited) as caught:
                await api.call("GET", BOT)
            waits.append(caught.value.seconds)

    assert waits == [7.0, 1.0, 1.0]


@pytest.mark.parametrize("told", ["-1", "nan", "inf", "soon", ""])
async def test_a_waiting_time_that_is_none_is_a_short_one(told: str) -> None:
    async with calling() as (platform, api):
        platform.next("bot", refused(99991400, headers={"x-ogw-ratelimit-reset": told}))
        with pytest.raises(RateLimited) as caught:
            await api.call("GET", BOT)

    assert caught.value.seconds == 1.0


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (page(502), PlatformUnreachable),
        (page(403), PlatformUnreachable),
        (reset, PlatformUnreachable),
        (half, PlatformUnreachable),
        (hang, PlatformUnreachable),
        (answers(b"{nope"), PlatformUnreachable),
        (answers(b"[1]"), PlatformUnreachable),
        (answers(b"[" * 100_000), PlatformUnreachable),
        (refused(500, status=500), PlatformUnreachable),
        (refused(230049), PlatformUnreachable),
        (refused(230002), ChatUnavailable),
        (refused(232009), ChatUnavailable),
        (refused(230011), MessageWithdrawn),
        (refused(99991672), RequestRejected),
        (refused(1, status=200), RequestRejected),
    ],
    ids=[
        *("502", "403", "reset", "half", "hang", "no JSON", "no object", "deep", "500", "busy"),
        *("out", "dissolved", "withdrawn", "scope", "code"),
    ],
)
async def test_what_goes_wrong_is_one_of_a_few_errors(fault: Fault, kind: type[Exception]) -> None:
    async with calling() as (platform, api):
        await api.call("GET", route("im", "v1", "chats", platform.private()))
        platform.next("bot", fault)
        with pytest.raises(kind):
            await api.call("GET", BOT)
        assert (await api.call("GET", BOT))["bot"]["app_name"] == "小祥"


async def test_an_app_that_lark_does_not_know_is_refused() -> None:
    async with calling("wrong secret") as (_, api):
        with pytest.raises(TokenRefused):
            await api.call("GET", BOT)


async def test_neither_secrets_nor_words_are_told(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    tokens: list[str] = []
    with caplog.at_level(logging.DEBUG):
        for secret in (APP_SECRET, "wrong-secret-of-nobody"):
            async with calling(secret) as (platform, api):
                platform.always("bot", refused(230001, WORDS))
                try:
                    await api.call("GET", BOT)
                except RequestRejected as error:
                    said.append(repr(error))
                except TokenRefused as error:
                    said.append(repr(error))
                tokens += platform.app.tokens
    told = caplog.text + "".join(capfd.readouterr()) + "".join(said)

    assert len(said) == 2
    for hidden in (APP_SECRET, "wrong-secret-of-nobody", WORDS, "Bearer", *tokens):
        assert hidden not in told


async def test_pictures_and_files_are_uploaded_and_come_back() -> None:
    picture = b"\x89PNG" + bytes(range(256))
    async with calling() as (platform, api):
        key = await api.upload_picture(picture)
        name = await api.upload_file("备份 1.json", b'{"code": 7}')

        assert platform.world.files[key] == picture
        assert platform.world.files[name] == b'{"code": 7}'
        asked = platform.say(kind="image", content={"image_key": key})
        path = route("im", "v1", "messages", asked, "resources", key)
        got = await api.download(path, query={"type": "image"}, limit=1_000)
        assert got == picture
        assert await api.download(path, query={"type": "image"}, limit=10) is None


async def test_an_answer_without_an_end_is_not_read_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calls, "LARGEST_FILE", 10_000)
    async with calling() as (platform, api):
        await api.call("GET", BOT)
        platform.next("bot", answers(b'{"code": 0, "data": "' + b"x" * 20_000 + b'"}'))
        with pytest.raises(PlatformUnreachable):
            await api.call("GET", BOT)


@pytest.mark.parametrize("part", ["../../x", "a/b", "a?b=c", "a#b", "好"])
def test_a_part_of_a_path_is_one_step_of_it(part: str) -> None:
    assert route("im", part).count("/") == 3
    assert not set(route("im", part)) & set("?#")


async def test_two_apps_in_one_program_do_not_mix_their_connections() -> None:
    async with calling() as (one, first), calling() as (two, second):
        await asyncio.gather(*(api.call("GET", BOT) for api in (first, second) * 5))

        assert len(one.made("bot")) == len(two.made("bot")) == 5
