"""One long connection over the SDK's own client, in a thread and on an event loop of its own.

The SDK calls its handler on the loop it connects with and confirms an event once the handler
returns, so the handler waits there until the event is kept; the program's own loop never waits.
What else the SDK's client offers is not used, because it cannot be trusted with it
(libraries.md, 2.1): it is not asked where to connect, not to connect again, not to ping, and it
is not told which kinds of event there are, since it refuses to confirm every other kind.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.adapters.calls import set_within
from bot.adapters.lark.discovery import Endpoint
from bot.supervise import Done, Stumbled, attempt

log = logging.getLogger(__name__)

Keep: TypeAlias = Callable[[bytes], Awaitable[object]]
"""Keep an event and return the answer to it, if it wants one; raises if it could not be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long each thing may take, in seconds.

    Lark waits 3 s for a confirmation and pushes the event again 15 s later. ``silent`` is without
    any frame, not even the answer to a ping.
    """

    connect: float = 15.0
    ping: float = 30.0
    silent: float = 120.0
    keep: float = 2.5
    stop: float = 3.0


class Cut(ConnectionError):
    """The connection is over."""


class Line:
    """One connection, from its beginning to its end; it is never used twice."""

    def __init__(self, endpoint: Endpoint, keep: Keep, pace: Pace, up: Callable[[], None]) -> None:
        self._endpoint = endpoint
        self._keep = keep
        self._pace = pace
        self._up = up
        self._main = asyncio.get_running_loop()
        self._ended: asyncio.Future[Done[None] | Stumbled] = self._main.create_future()
        self._heard = self._main.time()
        self._thread = threading.Thread(target=self._run, name="lark", daemon=True)
        self._own: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None
        self._abandoned = False

    async def live(self) -> None:
        """Connect, say that it is ``up``, and hear until it ends; raises what went wrong."""
        self._thread.start()
        try:
            while True:
                left = self._heard + self._pace.silent - self._main.time()
                if left <= 0:
                    raise TimeoutError("nothing heard, not even an answer")
                done, _ = await asyncio.wait((self._ended,), timeout=left)
                if done:
                    return _checked(self._ended.result())
        finally:
            await self._hang_up()

    async def _hang_up(self) -> None:
        """End the connection; a thread that does not end by itself is left alone, unheard."""
        self._abandoned = True
        if self._own is not None and self._over is not None:
            with suppress(RuntimeError):  # its loop has just ended
                self._own.call_soon_threadsafe(self._over.set)
        done, _ = await asyncio.wait((self._ended,), timeout=self._pace.stop)
        if not done:
            log.warning("lark: a connection does not end and is left behind")

    def _run(self) -> None:
        outcome = asyncio.run(self._connected())
        with suppress(RuntimeError):  # the program has ended before its connection
            self._main.call_soon_threadsafe(self._settle, outcome)

    def _settle(self, outcome: Done[None] | Stumbled) -> None:
        if not self._ended.done():
            self._ended.set_result(outcome)

    async def _connected(self) -> Done[None] | Stumbled:
        over = asyncio.Event()
        self._own, self._over = asyncio.get_running_loop(), over
        return await attempt("a long connection", lambda: self._converse(over))

    async def _converse(self, over: asyncio.Event) -> None:
        """Connect, and until either side has enough, ask now and then if anybody is there."""
        client = _client(self._endpoint.url, self._handled, self._note, over)
        try:
            async with asyncio.timeout(self._pace.connect):
                await client.connect()
            self._main.call_soon_threadsafe(self._up)
            while not (self._abandoned or await set_within(over, self._pace.ping)):
                async with asyncio.timeout(self._pace.ping):
                    await client.ping()
        finally:
            async with asyncio.timeout(self._pace.stop):
                await client.close()

    def _note(self) -> None:
        self._heard = self._main.time()

    def _handled(self, payload: bytes) -> object:
        """Wait in the connection's thread until an event is kept; raising refuses it."""
        if self._abandoned:
            raise Cut
        kept = asyncio.run_coroutine_threadsafe(self._kept(payload), self._main)
        try:
            return kept.result(self._pace.keep)
        except TimeoutError:
            kept.cancel()
            raise

    async def _kept(self, payload: bytes) -> object:
        return await self._keep(payload)


def _checked(outcome: Done[None] | Stumbled) -> None:
    if isinstance(outcome, Stumbled):
        raise outcome.error


def _client(
    url: str,
    handle: Callable[[bytes], object],
    note: Callable[[], None],
    over: asyncio.Event,
) -> Any:
    """Return the SDK's client for one address, which tells when it hears and when it is over."""
    from lark_oapi.core.enum import LogLevel  # noqa: PLC0415 - imported by now, in a thread
    from lark_oapi.ws import client as sdk  # noqa: PLC0415

    class Handler:
        """What the SDK asks about every event."""

        def _do_without_validation(self, payload: bytes) -> object:
            return handle(payload)

    class Client(sdk.Client):  # type: ignore[misc]
        def _get_conn_url(self) -> str:
            return url

        async def _receive_message_loop(self) -> None:
            await attempt("hearing", super()._receive_message_loop)
            over.set()

        async def _handle_message(self, msg: bytes) -> None:
            note()
            await super()._handle_message(msg)

        async def connect(self) -> None:
            await self._connect()

        async def ping(self) -> None:
            frame = sdk._new_ping_frame(int(self._service_id))  # noqa: SLF001
            await self._write_message(frame.SerializeToString())

        async def close(self) -> None:
            await self._disconnect()

    # The SDK keeps the loop that was current when it was imported; it has to be the one it is on.
    sdk.loop = _PresentLoop()
    return Client(
        "", "", log_level=LogLevel.CRITICAL, event_handler=Handler(), auto_reconnect=False
    )


class _PresentLoop:
    """What the SDK's client takes for its loop: whichever it runs on."""

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)

    def is_running(self) -> bool:
        return True

    def close(self) -> None:
        """Close nothing: the loop belongs to whoever runs it."""
