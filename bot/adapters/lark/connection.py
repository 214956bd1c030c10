"""The long connection Lark sends events over: where it is, one connection, and reconnecting.

The SDK calls its handler on the loop it connects with and confirms an event once the handler
returns, so each connection has a thread and a loop of its own, and its handler waits there until
the event is kept; the program's own loop never waits.

Of the SDK's client only the connection itself is used. It asks for the address without a timeout;
it can stop reconnecting for ever without an error; it has no way to be stopped; and it refuses
every kind of event it was not told of.
"""

import asyncio
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, Never, TypeAlias
from urllib.parse import parse_qs, urlsplit

from bot.adapters import calls
from bot.adapters.incoming import Acknowledger, HandleEvent
from bot.adapters.lark.api import parse_json_object
from bot.adapters.lark.sdk import SdkRequest, SdkTransport, loaded_sdk
from bot.conversation.delivery import FailureReason
from bot.tasks import Done, Failed, Timer, attempt, wait_for_event

ENDPOINT_PATH: Final = "/callback/ws/endpoint"

_BUSY_CODES: Final = frozenset({1, 1000040343})

_TOO_MANY_CONNECTIONS: Final = 1000040350


class EndpointRefused(calls.PlatformError):
    """Lark opens no connection for this app; the number in the text says why."""

    reason: ClassVar[FailureReason] = "rejected"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to connect to. The address holds a ticket, so it must not be logged."""

    url: str


async def discover_endpoint(transport: SdkTransport) -> Endpoint:
    """Ask Lark for the address of the long connection.

    Raises :class:`PlatformUnreachable`, :class:`ConnectionConflict` if there are too many
    connections, or :class:`EndpointRefused`.
    """
    app = transport.credentials
    body = {"AppID": app.app_id, "AppSecret": app.app_secret}
    answer = await transport.send(SdkRequest(method="POST", path=ENDPOINT_PATH, body=body))
    document = parse_json_object(answer)
    code = document.get("code")
    if not isinstance(code, int) or code in _BUSY_CODES:
        raise calls.PlatformUnreachable(f"status {answer.status}")
    if code == _TOO_MANY_CONNECTIONS:
        raise calls.ConnectionConflict("too many connections")
    if code:
        raise EndpointRefused(f"code {code}")
    data = document.get("data")
    url = data.get("URL") if isinstance(data, dict) else None
    if not isinstance(url, str) or not _is_complete_url(url):
        raise calls.PlatformUnreachable("an answer without an address")
    return Endpoint(url)


def _is_complete_url(url: str) -> bool:
    """Whether an address has all that the SDK reads from it; it would fail in the middle else."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    service = query.get("service_id", [""])[0]
    return parts.scheme in {"ws", "wss"} and "device_id" in query and service.isdecimal()


log = logging.getLogger(__name__)

HandlePayload: TypeAlias = Callable[[bytes], Awaitable[object]]
"""Keep an event and return the answer it wants, or None; raises if it could not be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTimeouts:
    """How long each thing may take, in seconds.

    ``silent``: without any frame, not even the answer to a ping. ``handle`` stays below the 3 s
    that Lark waits for a confirmation before it pushes the event again.
    """

    connect: float = 15.0
    ping: float = 30.0
    silent: float = 120.0
    handle: float = 2.5
    stop: float = 1.0


class ConnectionAbandoned(ConnectionError):
    """An event arrived on a connection that is being closed; Lark must push it again."""


class SdkConnection:
    """One connection, from its beginning to its end; it is never reused.

    ``_ended`` and ``_last_activity`` belong to the main loop's side, the rest to the thread's.
    """

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
        """Connect and receive until the connection ends; raises what went wrong."""
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
        """End the connection; a thread that does not end in time is abandoned."""
        self._abandoned = True
        if self._thread_loop is not None and self._closing is not None:
            # Its loop may have ended between the check and the call.
            with suppress(RuntimeError):
                self._thread_loop.call_soon_threadsafe(self._closing.set)
        done, _ = await asyncio.wait((self._ended,), timeout=self._timeouts.stop)
        if not done:
            log.warning("lark: a connection does not end and is left behind")

    def _run_thread(self) -> None:
        outcome = asyncio.run(self._run_supervised())
        # The program may have ended before its connection.
        with suppress(RuntimeError):
            self._main_loop.call_soon_threadsafe(self._set_outcome, outcome)

    def _set_outcome(self, outcome: Done[None] | Failed) -> None:
        if not self._ended.done():
            self._ended.set_result(outcome)

    async def _run_supervised(self) -> Done[None] | Failed:
        # An event belongs to the loop that waits for it: this one is made in the thread.
        closing = asyncio.Event()
        self._thread_loop, self._closing = asyncio.get_running_loop(), closing
        return await attempt("a long connection", lambda: self._connect_and_ping(closing))

    async def _connect_and_ping(self, closing: asyncio.Event) -> None:
        """Connect, and ping until either side closes the connection."""
        client = _build_client(
            self._endpoint.url, self._handle_in_thread, self._record_activity, closing
        )
        try:
            async with asyncio.timeout(self._timeouts.connect):
                await client.connect()
            self._main_loop.call_soon_threadsafe(self._on_connected)
            # A ping that is answered is activity: without it a silent network would look like a
            # silent chat.
            while not (self._abandoned or await wait_for_event(closing, self._timeouts.ping)):
                async with asyncio.timeout(self._timeouts.ping):
                    await client.ping()
        finally:
            async with asyncio.timeout(self._timeouts.stop):
                await client.close()

    def _record_activity(self) -> None:
        # Called in the thread; assigning a number needs no lock.
        self._last_activity = self._main_loop.time()

    def _handle_in_thread(self, payload: bytes) -> object:
        """Block the connection's thread until an event is kept; raising makes Lark push again."""
        if self._abandoned:
            raise ConnectionAbandoned
        handled = asyncio.run_coroutine_threadsafe(
            self._handle_on_main_loop(payload), self._main_loop
        )
        try:
            return handled.result(self._timeouts.handle)
        except TimeoutError:
            # Else it would go on while Lark's next push of the same event is handled.
            handled.cancel()
            raise

    async def _handle_on_main_loop(self, payload: bytes) -> object:
        return await self._handle_payload(payload)


def _raise_failure(outcome: Done[None] | Failed) -> None:
    if isinstance(outcome, Failed):
        raise outcome.error


def _build_client(
    url: str,
    handle: Callable[[bytes], object],
    record_activity: Callable[[], None],
    closing: asyncio.Event,
) -> Any:
    """Return the SDK's client for one address; it sets ``closing`` when the connection ends."""
    # Imported by now, in a thread; this only looks it up.
    sdk = loaded_sdk()
    connection: Any = sdk.connection

    class Client(connection.Client):  # type: ignore[misc]
        def _get_conn_url(self) -> str:
            return url

        async def _receive_message_loop(self) -> None:
            # The SDK starts this as a task and looks at nobody's outcome: it could end unnoticed.
            await attempt("hearing", partial(_hear, super()._receive_message_loop, connection))
            closing.set()

        async def _handle_message(self, msg: bytes) -> None:
            record_activity()
            await super()._handle_message(msg)

        async def connect(self) -> None:
            await self._connect()

        async def ping(self) -> None:
            frame = connection._new_ping_frame(int(self._service_id))  # noqa: SLF001
            await self._write_message(frame.SerializeToString())

        async def close(self) -> None:
            await self._disconnect()

    # The SDK keeps the loop that was current when it was imported, in a variable of the module;
    # each connection has a loop of its own.
    connection.loop = _RunningLoop()
    return Client(
        "",
        "",
        log_level=sdk.enums.LogLevel.CRITICAL,
        event_handler=_EventHandler(handle),
        auto_reconnect=False,
    )


async def _hear(receive: Callable[[], Awaitable[None]], connection: Any) -> None:
    """Receive until the connection is closed: that is no fault, it is opened again, or was us."""
    with suppress(connection.websockets.ConnectionClosed):
        await receive()


class _EventHandler:
    """What the SDK calls for every event, of whichever kind."""

    def __init__(self, handle: Callable[[bytes], object]) -> None:
        self._do_without_validation = handle


class _RunningLoop:
    """Stands for the SDK's loop: whichever loop the caller runs on."""

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)

    def is_running(self) -> bool:
        return True

    def close(self) -> None:
        """Do nothing: the loop belongs to whoever runs it."""


Discover: TypeAlias = Callable[[], Awaitable[Endpoint]]


class LarkConnection:
    """Keep one connection open; cancel it to stop. Each ends before the next one begins."""

    def __init__(
        self,
        discover: Discover,
        handle: HandleEvent,
        timer: Timer,
        backoff: calls.ReconnectBackoff,
        timeouts: ConnectionTimeouts,
    ) -> None:
        self._discover = discover
        self.acknowledger: Final = Acknowledger()
        self._handle_event = handle
        self._timer = timer
        self._backoff = backoff
        self._timeouts = timeouts

    async def run(self) -> Never:
        """Receive until cancelled; raises :class:`TokenRefused` if the secret is revoked."""
        while True:
            step = await attempt("listening", self._connect_once, told=calls.PlatformError)
            error = step.error if isinstance(step, Failed) else None
            # Also an end without an error is one: Lark closes connections as it likes.
            failure = (
                error
                if isinstance(error, calls.PlatformError)
                else calls.PlatformUnreachable("the connection is over")
            )
            await self._timer.sleep(self._backoff.record_failure(failure))

    async def _connect_once(self) -> None:
        """Find the address, connect, and receive until the connection ends."""
        # Asked every time: an address holds a ticket.
        endpoint = await self._discover()
        await SdkConnection(
            endpoint, self._handle_payload, self._timeouts, self._backoff.record_success
        ).run()

    async def _handle_payload(self, payload: bytes) -> object:
        """Have an event kept; return the answer it wants, or None."""
        return await self.acknowledger.handle_or_skip(
            "an event", lambda: self._handle_event(json.loads(payload))
        )
