"""What can go wrong between the bot and Telegram, as behaviours of the fake server."""

import asyncio

from aiohttp import web

from tests.fakes.telegram_server import Fault, refusal


def refused(status: int, description: str = "no", **parameters: int) -> Fault:
    """Answer as the Bot API refuses."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return refusal(status, description, **parameters)

    return answer


def flooded(seconds: int) -> Fault:
    return refused(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def page(status: int) -> Fault:
    """Answer as a proxy does: HTML."""

    async def answer(request: web.Request) -> web.StreamResponse:
        body = "<html>gateway</html>"
        return web.Response(status=status, text=body, content_type="text/html")

    return answer


def says(body: bytes) -> Fault:
    """Answer 200 with anything."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type="application/json")

    return answer


async def reset(request: web.Request) -> web.StreamResponse | None:
    """Tear the connection down without a word."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def half(request: web.Request) -> web.StreamResponse | None:
    """Send the beginning of an answer, then tear the connection down."""
    response = web.StreamResponse(headers={"Content-Length": "500"})
    await response.prepare(request)
    await response.write(b'{"ok": true, "resu')
    if request.transport is not None:
        request.transport.abort()
    return response


async def hang(request: web.Request) -> web.StreamResponse | None:
    """Say nothing, as a half-open connection."""
    await asyncio.sleep(3600)
    return web.Response()


async def drip(request: web.Request) -> web.StreamResponse | None:
    """Send a byte now and then, for ever."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.05)


def late(seconds: float) -> Fault:
    """Let the server answer, but later."""

    async def answer(request: web.Request) -> web.StreamResponse | None:
        await asyncio.sleep(seconds)
        return None

    return answer
