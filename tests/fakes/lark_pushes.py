"""How events leave the platform: at once, until acknowledged in time, then by a ladder."""

import asyncio
import base64
import itertools
import json
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from tests.fakes.lark_frames import CONTROL, DATA, Frame, decode, encode, parts
from tests.fakes.lark_signing import request
from tests.fakes.lark_world import ENCRYPT_KEY, LarkClock

ACK_SECONDS = 3.0
LADDER = (15.0, 300.0, 3600.0, 21600.0)
"""Seconds until an event that was not acknowledged is pushed again, and again."""

BEAT = 0.02


class Unanswered(Exception):
    """Whoever was pushed to did not acknowledge in time, or refused."""


@dataclass(eq=False)
class Push:
    """One event on its way.

    ``codes`` is how each attempt ended, after so many ``seconds``; 0 is not at all, or too late.
    """

    document: dict[str, Any]
    ladder: tuple[float, ...]
    due: float
    sent: float | None = None
    key: str = ""
    socket: "Socket | None" = None
    attempts: int = 0
    codes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    answer: Any = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def accepted(self) -> bool:
        return 200 in self.codes


@dataclass
class Webhook:
    """Where events are posted: to each of the addresses in turn, as a load balancer would."""

    urls: Sequence[str]
    key: str = ENCRYPT_KEY
    posted: int = 0

    def next_url(self) -> str:
        self.posted += 1
        return self.urls[self.posted % len(self.urls)]


@dataclass(eq=False)
class Socket:
    """One long connection and what it came by."""

    request: web.Request
    answer: web.WebSocketResponse

    def cut(self) -> None:
        """Tear it down without a word."""
        if self.request.transport is not None:
            self.request.transport.abort()


class Pushes:
    """``open`` waits for an acknowledgement; ``lost`` had their last attempt.

    ``acks`` are the code of every attempt and the seconds it took; 0 is not at all, or too late.
    """

    def __init__(self, clock: LarkClock) -> None:
        self.webhook: Webhook | None = None
        self.ladder: tuple[float, ...] = LADDER
        self.parts = 1
        self.silent = False
        self.fresh_ids = True
        self.pings = 0
        self.acks: list[tuple[int, float]] = []
        self.open: list[Push] = []
        self.lost: list[Push] = []
        self.sockets: list[Socket] = []
        self.config: dict[str, int] = {}
        self.beat = BEAT
        self._clock = clock
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)
        self._keys: dict[str, Push] = {}

    def push(self, document: dict[str, Any], *, again: bool = True) -> Push:
        """Queue an event; ``again`` is whether it is pushed more than once."""
        push = Push(document, self.ladder if again else (), self._clock.now())
        self.open.append(push)
        self._news.set()
        return push

    async def run(self) -> None:
        """Push what is due, for ever."""
        try:
            while True:
                for push in list(self.open):
                    await self._turn(push, self._clock.now())
                    await asyncio.sleep(0)
                self._news.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), self.beat)
        finally:
            for task in self._tasks:
                task.cancel()

    def tick(self) -> None:
        self._news.set()

    async def _turn(self, push: Push, now: float) -> None:
        if push.sent is not None and now - push.sent > ACK_SECONDS:
            self.settle(push, 0)
        if push.sent is None and push.due <= now and push in self.open:
            await self._send(push, now)

    async def _send(self, push: Push, now: float) -> None:
        if push.attempts and self.fresh_ids and "message" in push.document["event"]:
            push.document = deepcopy(push.document)
            push.document["header"]["event_id"] = self._next()
        push.attempts += 1
        push.sent = now
        push.key = self._next()
        self._keys[push.key] = push
        if self.webhook is not None:
            self._start(self._post(push, self.webhook))
        elif self.sockets:
            push.socket = self.sockets[-1]
            await self._write(push, push.socket.answer)
        else:
            self.settle(push, 0)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _post(self, push: Push, hook: Webhook) -> None:
        seconds = str(int(self._clock.now()))
        body, headers = request(push.document, hook.key, timestamp=seconds, nonce=push.key)
        try:
            async with (
                ClientSession(timeout=ClientTimeout(total=ACK_SECONDS)) as session,
                session.post(hook.next_url(), data=body, headers=headers) as answer,
            ):
                text = await answer.text()
        except (ClientError, TimeoutError, OSError):
            self.settle(push, 0)
        else:
            self.settle(push, answer.status, _json(text))

    async def _write(self, push: Push, socket: web.WebSocketResponse) -> None:
        frame = Frame(
            sequence=push.attempts,
            log=push.attempts,
            service=7,
            method=DATA,
            headers={"type": "event", "message_id": push.key, "trace_id": push.key},
            payload=json.dumps(push.document, ensure_ascii=False).encode(),
        )
        if self.silent:
            return
        for part in parts(frame, self.parts):
            with suppress(ConnectionError, RuntimeError):
                await socket.send_bytes(encode(part))

    def settle(self, push: Push, code: int, answer: Any = None) -> None:
        """End an attempt: done, or again later, or given up."""
        if push not in self.open or push.sent is None:
            return
        push.seconds.append(self._clock.now() - push.sent)
        self.acks.append((code, push.seconds[-1]))
        push.codes.append(code)
        if code == 200:
            push.answer = answer
            self._done(push)
        elif push.attempts <= len(push.ladder):
            push.due = push.sent + push.ladder[push.attempts - 1]
            push.sent = push.socket = None
        else:
            self.lost.append(push)
            self._done(push)

    def _done(self, push: Push) -> None:
        self.open.remove(push)
        push.over.set()

    async def talk(self, request: web.Request) -> web.StreamResponse:
        """Hold one long connection until it ends."""
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        socket = Socket(request, answer)
        self.sockets.append(socket)
        self._news.set()
        try:
            async for message in answer:
                await self._heard(decode(message.data), answer)
            return answer
        finally:
            self.sockets.remove(socket)
            for push in [each for each in self.open if each.socket is socket]:
                self.settle(push, 0)

    async def _heard(self, frame: Frame, socket: web.WebSocketResponse) -> None:
        if self.silent:
            return
        if frame.method == CONTROL:
            assert frame.headers.get("type") == "ping", frame
            self.pings += 1
            pong = Frame(
                service=frame.service,
                headers={"type": "pong"},
                payload=json.dumps(self.config).encode(),
            )
            await socket.send_bytes(encode(pong))
            return
        answer = json.loads(frame.payload)
        data = answer.get("data")
        told = json.loads(base64.b64decode(data)) if data else None
        push = self._keys.pop(frame.headers["message_id"])
        if push.key == frame.headers["message_id"]:
            self.settle(push, int(answer["code"]), told)

    def _next(self) -> str:
        return f"a{next(self._numbers):031x}"


def _json(text: str) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text
