"""Hearing by webhook: only Telegram is believed, and only what is kept is confirmed."""

import asyncio
import gzip
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession

from bot.adapters import read_all_settings
from bot.adapters.telegram.updates import TelegramWebhookOptions, serve_webhook
from bot.tasks import LoopTimer
from bot.web import BODY_BYTES, WebLimits, WebServer, host_and_port
from memory import refusals
from memory.errors import InputRefused, StoreUnwritable
from tests.fakes.lag import BLOCKED_SECONDS, lag
from tests.fakes.telegram_program import OnTelegram, on_telegram
from tests.fakes.telegram_server import TelegramServer
from tests.fakes.waiting import unless_it_hangs, until

pytestmark = pytest.mark.usefixtures("quick_time")

SECRET = "a-secret_of-ours-0123"  # noqa: S105 - nobody's
NAME = "X-Telegram-Bot-Api-Secret-Token"


def hook() -> TelegramWebhookOptions:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return TelegramWebhookOptions(
        url="https://example.com/tg/hook", secret=SECRET, bind=f"127.0.0.1:{port}"
    )


class Kept:
    """What was taken; ``refusals`` come first."""

    def __init__(self) -> None:
        self.taken: list[Any] = []
        self.refusals: list[Exception] = []

    async def take(self, raw: Any) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.taken.append(raw["update_id"])


@asynccontextmanager
async def serving(kept: Kept) -> AsyncIterator[str]:
    where = hook()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(serve_webhook(WebServer(), where, kept.take))
        await listening(where)
        yield f"http://{where.bind}{where.path}"
        task.cancel()


@asynccontextmanager
async def pushed(
    data: Path, server: TelegramServer
) -> AsyncIterator[tuple[OnTelegram, TelegramWebhookOptions]]:
    where = hook()
    async with on_telegram(data, server, hook=where) as she:
        yield she, where


async def listening(where: TelegramWebhookOptions) -> None:
    async with unless_it_hangs():
        while True:
            try:
                _, writer = await asyncio.open_connection(*host_and_port(where.bind))
            except ConnectionError:
                await asyncio.sleep(0.01)
            else:
                writer.close()
                return


async def post(url: str, body: bytes, *secrets: str, method: str = "POST") -> int:
    """Return the status, or 0 if the connection was dropped."""
    headers = [("Content-Type", "application/json"), *((NAME, each) for each in secrets)]
    async with ClientSession() as session:
        try:
            async with session.request(method, url, data=BytesIO(body), headers=headers) as answer:
                assert await answer.read() == b""
                return answer.status
        except ClientError:
            return 0


async def test_a_message_pushed_is_answered_and_pushed_again_is_not(tmp_path: Path) -> None:
    async with TelegramServer() as server, pushed(tmp_path, server) as (she, where):
        await until(lambda: server.webhook)
        await listening(where)
        server.says("记住：我喜欢冰茶")
        updates = list(server._updates)
        url = f"http://{where.bind}{where.path}"
        assert await server.deliver(url, SECRET) == [200]
        await she.answers(1)
        server._updates = updates
        assert await server.deliver(url, SECRET) == [200]
        await she.settled()

    assert server.webhook["secret_token"] == SECRET
    assert not server.made("getUpdates")
    assert len(server.messages) == 1


@pytest.mark.parametrize(
    "secrets",
    [
        (),
        ("",),
        (SECRET[:-1],),
        (SECRET + "0",),
        (SECRET.upper(),),
        (SECRET, SECRET),
        ("x", SECRET),
        ("é" * 10,),
    ],
)
async def test_whoever_does_not_know_the_secret_is_not_heard(secrets: tuple[str, ...]) -> None:
    kept = Kept()
    async with serving(kept) as url:
        assert await post(url, b'{"update_id": 1}', *secrets) == 403
        assert await post(url, b'{"update_id": 2}', SECRET) == 200

    assert kept.taken == [2]


async def test_what_could_not_be_kept_is_not_confirmed() -> None:
    kept = Kept()
    kept.refusals = [StoreUnwritable(refusals.DISK_REFUSES), KeyError("nobody can read it")]
    async with serving(kept) as url:
        statuses = [
            await post(url, json.dumps({"update_id": n}).encode(), SECRET) for n in (1, 1, 2)
        ]

    assert statuses == [503, 200, 200]
    assert kept.taken == [2]


@pytest.mark.parametrize(
    ("path", "method", "body", "status"),
    [
        pytest.param("", "GET", b"", {405}, id="another method"),
        pytest.param("/more", "POST", b"{}", {404}, id="another path"),
        pytest.param("", "POST", b"{" * (BODY_BYTES + 200_000), {413}, id="too long"),
        pytest.param("", "POST", b"\xff\xfe not json", {200}, id="no JSON"),
        pytest.param("", "POST", b"[1, 2]", {200}, id="no update"),
    ],
)
async def test_nonsense_is_answered_without_a_word(
    path: str, method: str, body: bytes, status: set[int]
) -> None:
    kept = Kept()
    async with serving(kept) as url:
        assert await post(url + path, body, SECRET, method=method) in status
        assert await post(url, b'{"update_id": 2}', SECRET) == 200

    assert kept.taken == [2]


async def test_a_packed_body_is_refused_before_it_is_read() -> None:
    kept = Kept()
    async with serving(kept) as url, ClientSession() as session:
        headers = {"Content-Encoding": "gzip", NAME: SECRET}
        packed = gzip.compress(b'{"update_id": 1}')
        async with session.post(url, data=packed, headers=headers) as answer:
            assert answer.status == 415

    assert kept.taken == []


async def test_a_body_of_countless_pieces_ends_at_the_limit() -> None:
    kept = Kept()
    with lag() as found:
        async with serving(kept) as url:
            host, port = url.removeprefix("http://").partition("/")[0].split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            head = f"POST /tg/hook HTTP/1.1\r\nHost: x\r\n{NAME}: {SECRET}\r\n"
            writer.write(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            writer.write(b"1\r\n{\r\n" * 50_000)
            async with unless_it_hangs():
                assert b"413" in await reader.readline()
            writer.close()

    assert kept.taken == []
    assert found.worst < BLOCKED_SECONDS


async def test_an_address_that_is_taken_is_refused_by_its_name() -> None:
    where = hook()
    with socket.socket() as taken:
        taken.bind(host_and_port(where.bind))
        taken.listen()
        with pytest.raises(InputRefused, match="WEBHOOK_BIND"):
            await serve_webhook(WebServer(), where, Kept().take)


async def test_garbage_and_silent_connections_stop_nobody() -> None:
    kept = Kept()
    async with serving(kept) as url:
        host, port = url.removeprefix("http://").partition("/")[0].split(":")
        silent = [await asyncio.open_connection(host, int(port)) for _ in range(20)]
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"\x16\x03\x01 hello \r\n\r\n")
        await writer.drain()
        assert await post(url, b'{"update_id": 2}', SECRET) == 200
        for _, each in (*silent, (None, writer)):
            each.close()

    assert kept.taken == [2]


async def test_idle_connections_however_many_shut_nobody_out() -> None:
    kept = Kept()
    async with serving(kept) as url:
        host, port = url.removeprefix("http://").partition("/")[0].split(":")
        idle = [await asyncio.open_connection(host, int(port)) for _ in range(200)]
        assert await post(url, b'{"update_id": 2}', SECRET) == 200
        async with unless_it_hangs():
            assert await idle[0][0].read() == b""
        for _, each in idle:
            each.close()

    assert kept.taken == [2]


async def test_the_head_of_a_request_has_to_come_soon() -> None:
    async with serving(Kept()) as url:
        host, port = url.removeprefix("http://").partition("/")[0].split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        began = asyncio.get_running_loop().time()
        writer.write(b"POST /tg/hook HTTP/1.1\r\n")
        async with unless_it_hangs():
            assert await reader.read() == b""
        writer.close()

    assert asyncio.get_running_loop().time() - began < WebLimits().request_seconds / 2


class Brisk(LoopTimer):
    """Waits a thousandth of what it is asked to."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 1000)


async def test_a_registration_that_was_lost_is_put_right(tmp_path: Path) -> None:
    where = hook()
    async with (
        TelegramServer() as server,
        on_telegram(tmp_path, server, hook=where, timer=Brisk()) as she,
    ):
        await listening(where)
        before = len(server.made("setWebhook"))
        server.webhook = {}
        await until(lambda: len(server.made("setWebhook")) > before)
        await until(lambda: she.adapter.health.state == "well")
        address = server.webhook["url"]

    assert address == where.url


@pytest.mark.parametrize(
    "given",
    [
        {"telegram_webhook_url": "https://example.com/x"},
        {"telegram_webhook_url": "https://example.com/x", "telegram_webhook_secret": "short"},
        {"telegram_webhook_url": "http://example.com/x", "telegram_webhook_secret": SECRET},
        {"webhook_bind": "8080"},
        {"telegram_api_base": "api.telegram.org"},
        {"telegram_bot_token": "no token"},
    ],
)
def test_an_unguarded_webhook_does_not_start(given: dict[str, Any]) -> None:
    with pytest.raises(InputRefused) as refused:
        read_all_settings(env_file=None, **given)

    assert "no token" not in str(refused.value)
