"""The web server: limits for strangers, and an end that is soon."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

import pytest

from bot.web import (
    BODY_BYTES,
    RequestHead,
    WebAnswer,
    WebLimits,
    WebServer,
    host_and_port,
)
from tests.fakes.ports import free_port
from tests.fakes.waiting import unless_it_hangs, until_listening

pytestmark = pytest.mark.usefixtures("quick_time")

SECRET = b"x-secret"
BRISK = WebLimits(request_seconds=0.2, head_seconds=0.1, linger_seconds=0.2)


@dataclass
class Site:
    path: str = "/hook"
    method: str = "POST"
    proven_by_head: bool = True
    taken: list[bytes] = field(default_factory=list)
    broken: bool = False
    hangs: bool = False

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        known = head.header(SECRET) == b"s" or not self.proven_by_head
        return None if known else HTTPStatus.FORBIDDEN

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        if self.hangs:
            await asyncio.Event().wait()
        if self.broken:
            raise KeyError("密码是 1234")
        self.taken.append(body)
        return WebAnswer(HTTPStatus.OK, b'{"ok": true}')


@asynccontextmanager
async def serving(
    *sites: Site, web: WebServer | None = None, bind: str = ""
) -> AsyncIterator[str]:
    bind = bind or f"127.0.0.1:{free_port()}"
    async with asyncio.TaskGroup() as group:
        task = group.create_task((web or WebServer(BRISK)).serve(bind, *sites, setting="BIND"))
        await until_listening(bind)
        yield bind
        task.cancel()


async def asked(bind: str, path: str = "/hook", body: bytes = b"{}") -> bytes:
    """Return the whole answer to who knows the secret."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nX-Secret: s\r\n"
    return await exchanged(bind, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)


async def exchanged(bind: str, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(*host_and_port(bind))
    writer.write(data)
    async with unless_it_hangs():
        said = await reader.read()
    writer.close()
    return said


def status(said: bytes) -> int:
    return int(said.split()[1]) if said else 0


async def test_sites_of_one_address_share_a_server_and_leave_one_by_one() -> None:
    web, one, other = WebServer(BRISK), Site("/one"), Site("/two")
    async with serving(one, web=web) as bind:
        async with serving(other, web=web, bind=bind):
            while status(await asked(bind, "/two")) != 200:
                await asyncio.sleep(0.001)
            assert status(await asked(bind, "/one")) == 200
        assert status(await asked(bind, "/two")) == 404
        assert status(await asked(bind, "/one")) == 200
    with pytest.raises(OSError, match="onnect"):
        await asyncio.open_connection(*host_and_port(bind))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"GET /hook HTTP/1.1\r\nHost: x\r\nX-Secret: s\r\n\r\n", 405),
        (b"POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 404),
        (b"POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 403),
        (b"\x16\x03\x01\x00 hello\r\n\r\n", 400),
        (b"POST /hook HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 400),
    ],
)
async def test_what_is_refused_is_refused_without_a_word(data: bytes, expected: int) -> None:
    site = Site()
    async with serving(site) as bind:
        said = await exchanged(bind, data)

    assert status(said) == expected
    assert said.partition(b"\r\n\r\n")[2] in {b"", b"0\r\n\r\n"}
    assert b"server" not in said.lower()
    assert not site.taken


@pytest.mark.parametrize("announced", ["its length", ""])
async def test_a_body_that_is_too_long_is_told_so_to_the_last_byte(announced: str) -> None:
    site = Site()
    head = b"POST /hook HTTP/1.1\r\nHost: x\r\nX-Secret: s\r\n"
    body = b"x" * (3 * BODY_BYTES)
    if announced:
        data = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    else:
        pieces = b"".join(b"10000\r\n" + b"x" * 65_536 + b"\r\n" for _ in range(40))
        data = head + b"Transfer-Encoding: chunked\r\n\r\n" + pieces
    async with serving(site) as bind:
        assert status(await exchanged(bind, data)) == 413
        assert status(await asked(bind)) == 200

    assert site.taken == [b"{}"]


async def test_whoever_proves_nothing_before_the_body_stays_among_strangers() -> None:
    site = Site(proven_by_head=False)
    async with serving(site, web=WebServer()) as bind:
        half = b"POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\nhalf"
        slow = []
        for _ in range(3 * BRISK.unproven_per_address):
            reader, writer = await asyncio.open_connection(*host_and_port(bind))
            writer.write(half)
            slow.append((reader, writer))
        assert status(await asked(bind)) == 200
        async with unless_it_hangs():
            assert await slow[0][0].read() == b""
        for _, writer in slow:
            writer.close()


async def test_a_slow_head_and_a_slow_body_end() -> None:
    async with serving(Site()) as bind:
        assert await exchanged(bind, b"POST /hook HTTP/1.1\r\n") == b""
        head = b"POST /hook HTTP/1.1\r\nHost: x\r\nX-Secret: s\r\nContent-Length: 9\r\n\r\nhalf"
        assert status(await exchanged(bind, head)) == 408


async def test_a_handler_that_fails_says_nothing_and_one_that_hangs_is_asked_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    site = Site(broken=True)
    async with serving(site) as bind:
        assert status(await asked(bind)) == 500
        site.hangs = True
        assert status(await asked(bind)) == 503

    assert "1234" not in caplog.text
    assert "KeyError" in caplog.text


async def test_it_takes_no_signal_of_the_program() -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    before = signal.getsignal(signal.SIGTERM)
    async with serving(Site()):
        assert signal.getsignal(signal.SIGTERM) is before
        signal.raise_signal(signal.SIGTERM)
        async with unless_it_hangs():
            await stop.wait()
    loop.remove_signal_handler(signal.SIGTERM)


async def test_it_ends_soon_while_somebody_is_still_served() -> None:
    site = Site(hangs=True)
    loop = asyncio.get_running_loop()
    async with serving(site, web=WebServer()) as bind:
        reader, writer = await asyncio.open_connection(*host_and_port(bind))
        writer.write(b"POST /hook HTTP/1.1\r\nHost: x\r\nX-Secret: s\r\nContent-Length: 0\r\n\r\n")
        _, idle = await asyncio.open_connection(*host_and_port(bind))
        await asyncio.sleep(0.1)
        begun = loop.time()
    assert loop.time() - begun < 3.0
    async with unless_it_hangs():
        assert status(await reader.read()) in {0, 500, 503}
    for each in (writer, idle):
        each.close()
