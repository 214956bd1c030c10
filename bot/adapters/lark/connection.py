"""The long connection Lark sends events over: where it is, one connection, and connecting again.

The SDK calls its handler on the loop it connects with and confirms an event once the handler
returns, so the handler waits there until the event is kept; the program's own loop never waits.
What else the SDK's client offers is not used, because it cannot be trusted with it
(libraries.md, 2.1): it is not asked where to connect, not to connect again, not to ping, and it
is not told which kinds of event there are, since it refuses to confirm every other kind.
"""

import asyncio
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Never, TypeAlias
from urllib.parse import parse_qs, urlsplit

from bot.adapters.calls import (
    PlatformError,
    PlatformUnreachable,
    PollingConflict,
    ReconnectBackoff,
)
from bot.adapters.incoming import Acknowledger, HandleEvent
from bot.adapters.lark.api import parse_json_object
from bot.adapters.lark.sdk import SdkRequest, SdkTransport
from bot.supervise import Done, Failed, attempt
from bot.timing import Timer, wait_for_event

ENDPOINT_PATH: Final = "/callback/ws/endpoint"

_BUSY_CODES: Final = frozenset({1, 1000040343})

_TOO_MANY_CONNECTIONS: Final = 1000040350


class EndpointRefused(PlatformError):
    """Lark does not open a connection to this app; the number says why."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to connect to. The address holds a ticket: it is shown to nobody."""

    url: str


async def discover_endpoint(transport: SdkTransport, app_id: str, app_secret: str) -> Endpoint:
    """Ask where the long connection is.

    Raises :class:`Away`, :class:`Contested` if there are too many, or :class:`Turned`.
    """
    body = {"AppID": app_id, "AppSecret": app_secret}
    answer = await transport.send(SdkRequest(method="POST", path=ENDPOINT_PATH, body=body))
    told = parse_json_object(answer)
    code = told.get("code")
    if not isinstance(code, int) or code in _BUSY_CODES:
        raise PlatformUnreachable(f"status {answer.status}")
    if code == _TOO_MANY_CONNECTIONS:
        raise PollingConflict("too many connections")
    if code:
        raise EndpointRefused(f"code {code}")
    data = told.get("data")
    url = data.get("URL") if isinstance(data, dict) else None
    if not isinstance(url, str) or not _is_complete_url(url):
        raise PlatformUnreachable("an answer without an address")
    return Endpoint(url)


def _is_complete_url(url: str) -> bool:
    """Say whether an address is one the SDK can connect to."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    service = asked.get("service_id", [""])[0]
    return parts.scheme in {"ws", "wss"} and "device_id" in asked and service.isdecimal()


log = logging.getLogger(__name__)

HandlePayload: TypeAlias = Callable[[bytes], Awaitable[object]]
"""Keep an event and return the answer to it, if it wants one; raises if it could not be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTimeouts:
    """How long each thing may take, in seconds.

    Lark waits 3 s for a confirmation and pushes the event again 15 s later. ``silent`` is without
    any frame, not even the answer to a ping.
    """

    connect: float = 15.0
    ping: float = 30.0
    silent: float = 120.0
    handle: float = 2.5
    stop: float = 3.0


class ConnectionAbandoned(ConnectionError):
    """The connection is over."""


class SdkConnection:
    """One connection, from its beginning to its end; it is never used twice."""

    def __init__(
        self,
        endpoint: Endpoint,
        handle: HandlePayload,
        timeouts: ConnectionTimeouts,
        on_connected: Callable[[], None],
    ) -> None:
        self._endpoint = endpoint
        self._handle_payload = handle
        self._timeouts = timeouts
        self._on_connected = on_connected
        self._main_loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[Done[None] | Failed] = self._main_loop.create_future()
        self._last_activity = self._main_loop.time()
        self._thread = threading.Thread(target=self._run_thread, name="lark", daemon=True)
        self._thread_loop: asyncio.AbstractEventLoop | None = None
        self._closing: asyncio.Event | None = None
        self._abandoned = False

    async def run(self) -> None:
        """Connect, say that it is ``up``, and hear until it ends; raises what went wrong."""
        self._thread.start()
        try:
            while True:
                left = self._last_activity + self._timeouts.silent - self._main_loop.time()
                if left <= 0:
                    raise TimeoutError("nothing heard, not even an answer")
                done, _ = await asyncio.wait((self._ended,), timeout=left)
                if done:
                    return _raise_failure(self._ended.result())
        finally:
            await self._close()

    async def _close(self) -> None:
        """End the connection; a thread that does not end by itself is left alone, unheard."""
        self._abandoned = True
        if self._thread_loop is not None and self._closing is not None:
            with suppress(RuntimeError):  # its loop has just ended
                self._thread_loop.call_soon_threadsafe(self._closing.set)
        done, _ = await asyncio.wait((self._ended,), timeout=self._timeouts.stop)
        if not done:
            log.warning("lark: a connection does not end and is left behind")

    def _run_thread(self) -> None:
        outcome = asyncio.run(self._run_supervised())
        with suppress(RuntimeError):  # the program has ended before its connection
            self._main_loop.call_soon_threadsafe(self._set_outcome, outcome)

    def _set_outcome(self, outcome: Done[None] | Failed) -> None:
        if not self._ended.done():
            self._ended.set_result(outcome)

    async def _run_supervised(self) -> Done[None] | Failed:
        over = asyncio.Event()
        self._thread_loop, self._closing = asyncio.get_running_loop(), over
        return await attempt("a long connection", lambda: self._connect_and_ping(over))

    async def _connect_and_ping(self, over: asyncio.Event) -> None:
        """Connect, and until either side has enough, ask now and then if anybody is there."""
        client = _build_client(
            self._endpoint.url, self._handle_in_thread, self._record_activity, over
        )
        try:
            async with asyncio.timeout(self._timeouts.connect):
                await client.connect()
            self._main_loop.call_soon_threadsafe(self._on_connected)
            while not (self._abandoned or await wait_for_event(over, self._timeouts.ping)):
                async with asyncio.timeout(self._timeouts.ping):
                    await client.ping()
        finally:
            async with asyncio.timeout(self._timeouts.stop):
                await client.close()

    def _record_activity(self) -> None:
        self._last_activity = self._main_loop.time()

    def _handle_in_thread(self, payload: bytes) -> object:
        """Wait in the connection's thread until an event is kept; raising refuses it."""
        if self._abandoned:
            raise ConnectionAbandoned
        kept = asyncio.run_coroutine_threadsafe(
            self._handle_on_main_loop(payload), self._main_loop
        )
        try:
            return kept.result(self._timeouts.handle)
        except TimeoutError:
            kept.cancel()
            raise

    async def _handle_on_main_loop(self, payload: bytes) -> object:
        return await self._handle_payload(payload)


def _raise_failure(outcome: Done[None] | Failed) -> None:
    if isinstance(outcome, Failed):
        raise outcome.error


def _build_client(
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
    sdk.loop = _RunningLoop()
    return Client(
        "", "", log_level=LogLevel.CRITICAL, event_handler=Handler(), auto_reconnect=False
    )


class _RunningLoop:
    """What the SDK's client takes for its loop: whichever it runs on."""

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)

    def is_running(self) -> bool:
        return True

    def close(self) -> None:
        """Close nothing: the loop belongs to whoever runs it."""


Discover: TypeAlias = Callable[[], Awaitable[Endpoint]]


class LarkConnection:
    """Keep one line open; cancel it to stop. Each line ends before the next one begins."""

    def __init__(
        self,
        discover: Discover,
        handle: HandleEvent,
        timer: Timer,
        backoff: ReconnectBackoff,
        timeouts: ConnectionTimeouts,
    ) -> None:
        self._discover = discover
        self.acknowledger: Final = Acknowledger()
        self._handle_event = handle
        self._timer = timer
        self._backoff = backoff
        self._timeouts = timeouts

    async def run(self) -> Never:
        """Hear until cancelled; raises :class:`TokenRefused` if the secret is revoked."""
        while True:
            step = await attempt("listening", self._connect_once)
            error = step.error if isinstance(step, Failed) else None
            trouble = (
                error
                if isinstance(error, PlatformError)
                else PlatformUnreachable("the connection is over")
            )
            await self._timer.sleep(self._backoff.record_failure(trouble))

    async def _connect_once(self) -> None:
        """Find out where to connect to, connect, and hear until that ends."""
        endpoint = await self._discover()
        await SdkConnection(
            endpoint, self._handle_payload, self._timeouts, self._backoff.record_success
        ).run()

    async def _handle_payload(self, payload: bytes) -> object:
        """Return the answer to an event once it is kept; None if it wants none."""
        return await self.acknowledger.handle_or_skip(
            "an event", lambda: self._handle_event(json.loads(payload))
        )
