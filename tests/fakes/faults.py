"""What can go wrong between the program and a platform, as behaviours of our own servers.

Each platform's own module adds how that platform words a refusal.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web

Fault: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse | None]]
"""Answers in the platform's place; None lets the platform answer after all."""


def page(status: int) -> Fault:
    """Answer as a proxy does: HTML."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, text="<html>gateway</html>", content_type="text/html")

    return answer


def answers(body: bytes, status: int = 200) -> Fault:
    """Answer with anything."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, status=status, content_type="application/json")

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
    await response.write(b'{"ok": true, "code": 0, "da')
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
    """Let the platform answer, but later."""

    async def answer(request: web.Request) -> web.StreamResponse | None:
        await asyncio.sleep(seconds)
        return None

    return answer
