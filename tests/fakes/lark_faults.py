"""What can go wrong between the program and the platform, as behaviours of our own platform."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from aiohttp import web

Fault: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse | None]]
"""Answers in the platform's place; None lets the platform answer after all."""

FREQUENCY = 99991400
REVOKED = 99991663
EXCEEDED_CONNECTIONS = 1000040350
"""A code on which the library's client gives up for ever."""


def refusal(
    code: int, words: str, *, status: int = 400, headers: dict[str, str] | None = None
) -> web.Response:
    """Return an error as the platform words it."""
    body = {"code": code, "msg": words, "error": {"log_id": "log-of-nobody"}}
    return web.json_response(body, status=status, headers=headers)


def refused(
    code: int, words: str = "no", *, status: int = 400, headers: dict[str, str] | None = None
) -> Fault:
    async def answer(request: web.Request) -> web.StreamResponse:
        return refusal(code, words, status=status, headers=headers)

    return answer


def flooded(seconds: int, *, status: int = 429) -> Fault:
    headers = {"x-ogw-ratelimit-limit": "50", "x-ogw-ratelimit-reset": str(seconds)}
    return refused(FREQUENCY, "request trigger frequency limit", status=status, headers=headers)


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
    await response.write(b'{"code": 0, "da')
    if request.transport is not None:
        request.transport.abort()
    return response


async def hang(request: web.Request) -> web.StreamResponse | None:
    """Say nothing, as a half-open connection."""
    await asyncio.sleep(3600)
    return web.Response()


def late(seconds: float) -> Fault:
    """Let the platform answer, but later."""

    async def answer(request: web.Request) -> web.StreamResponse | None:
        await asyncio.sleep(seconds)
        return None

    return answer


def handshake_refused(status: int = 403, words: str = "forbidden") -> Fault:
    """Refuse a websocket as the platform does, in headers."""

    async def answer(request: web.Request) -> web.StreamResponse:
        headers = {"handshake-status": str(status), "handshake-msg": words}
        return web.Response(status=403, headers=headers)

    return answer
