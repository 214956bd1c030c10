"""What a fake server can do with a request: answer it, or fail in every way seen in the wild.

Each function here returns a behaviour to hand to ``OpenAIServer``. ``text`` is what the server
says; what it was asked does not matter, except that it streams when asked to.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from aiohttp import web

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came in."""

    path: str
    body: Json
    headers: Mapping[str, str]

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def messages(self) -> Sequence[Json]:
        return list(self.body.get("messages", []))

    @property
    def prompt(self) -> str:
        """Every message, one below the other."""
        return "\n".join(str(message["content"]) for message in self.messages)

    @property
    def last(self) -> str:
        """The last message: what the partner just said."""
        return str(self.messages[-1]["content"])


Behaviour: TypeAlias = Callable[[web.Request, Asked], Awaitable[web.StreamResponse]]
Event: TypeAlias = Json | bytes
DONE = b"data: [DONE]\n\n"
MOST_PIECES = 12
"""So many pieces of an answer show all that can happen between two; each costs a millisecond."""


def chunk(text: str | None = None, finish: str | None = None, **delta: object) -> Json:
    """Return one event of a streamed answer."""
    said = {**delta, "content": text} if text is not None else delta
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": said, "finish_reason": finish}],
    }


def completion(content: object, finish: str | None = "stop", **message: object) -> Json:
    """Return a whole answer."""
    said = {"role": "assistant", "content": content, **message}
    return {
        "id": "c1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": usage(),
    }


def usage() -> Json:
    return {"prompt_tokens": 40, "completion_tokens": 10, "total_tokens": 50}


def in_pieces(text: str, size: int = 3) -> list[Json]:
    return [chunk(text[start : start + size]) for start in range(0, len(text), size)]


def encoded(event: Event) -> bytes:
    if isinstance(event, bytes):
        return event
    return b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\n\n"


def say(text: str) -> Behaviour:
    """Answer properly, with the bill at the end when it was asked for."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        if not asked.stream:
            return web.json_response(completion(text))
        bill: list[Event] = []
        if asked.body.get("stream_options", {}).get("include_usage"):
            bill = [{"id": "c1", "choices": [], "usage": usage()}]
        pieces = in_pieces(text, max(3, len(text) // MOST_PIECES))
        return await events(*pieces, chunk(finish="stop"), *bill, DONE)(request, asked)

    return behave


def events(*sent: Event, pause: float = 0.0) -> Behaviour:
    """Send these events, ``pause`` seconds apart, and end the stream in order."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        response = await _open_stream(request)
        for event in sent:
            await response.write(encoded(event))
            if pause:
                await asyncio.sleep(pause)
        await response.write_eof()
        return response

    return behave


def cut(*sent: Event) -> Behaviour:
    """Send these events and reset the connection."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        response = await _open_stream(request)
        for event in sent:
            await response.write(encoded(event))
        await asyncio.sleep(0.01)
        assert request.transport is not None
        request.transport.abort()
        return response

    return behave


def stall(*sent: Event) -> Behaviour:
    """Send these events and never say anything again."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        response = await _open_stream(request)
        for event in sent:
            await response.write(encoded(event))
        await asyncio.Event().wait()
        return response

    return behave


def drip(every: float) -> Behaviour:
    """Send a character now and then, for ever, so that no read ever times out."""
    return trickle(chunk("滴"), every=every)


def trickle(event: Event, *, every: float) -> Behaviour:
    """Send one event again and again, for ever."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        response = await _open_stream(request)
        while True:
            await response.write(encoded(event))
            await asyncio.sleep(every)

    return behave


def hang() -> Behaviour:
    """Take the request and never answer."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        await asyncio.Event().wait()
        return web.Response()

    return behave


def huge(size: int, content_type: str = "text/event-stream") -> Behaviour:
    """Send ``size`` bytes without an end of line."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": content_type})
        await response.prepare(request)
        await response.write(b'data: {"choices": "')
        part = b"x" * 65_536
        for _ in range(size // len(part)):
            await response.write(part)
        await response.write_eof()
        return response

    return behave


def raw(body: str, content_type: str = "application/json", status: int = 200) -> Behaviour:
    """Answer with exactly this body."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        return web.Response(text=body, content_type=content_type, status=status)

    return behave


def document(content: object, status: int = 200, **headers: str) -> Behaviour:
    """Answer with this JSON value, streaming or not; header names are given with ``_``."""

    async def behave(request: web.Request, asked: Asked) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.json_response(content, status=status, headers=named)

    return behave


def error(status: int, message: str, code: str | None = None, **headers: str) -> Behaviour:
    """Refuse with a status and an error document as OpenAI writes it."""
    detail = {"message": message, "type": "error", "param": None, "code": code}
    return document({"error": detail}, status=status, **headers)


async def _open_stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response
