"""A small HTTP server for webhooks, with a platform's handler behind it.

It answers one request per connection, so there is nothing to pipeline, to upgrade or to keep
alive; TLS is left to the proxy in front of it.
"""

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Never, Protocol

import h11

from bot.tasks import attempt
from memory.errors import InputRefused

BODY_BYTES: Final = 1024 * 1024
"""The longest body that is read; what a platform pushes is far smaller."""

REQUEST_SECONDS: Final = 10.0
HEAD_SECONDS: Final = 3.0
"""How long the head of a request may take; it fits one packet."""

MAX_UNPROVEN: Final = 64
"""So many connections may be open that have not shown the platform's secret. One more closes the
oldest of them: who knows the secret shows it at once."""

UNPROVEN_PER_ADDRESS: Final = 16
"""The same for those of one address. What a proxy in front hands on is complete already."""

LINGER_SECONDS: Final = 2.0
"""How long the rest of a body that was refused is read and thrown away. Closed at once, the
connection would be reset, and the refusal lost on the way."""

_CHUNK: Final = 16_384

_SMALLEST_PIECE: Final = 256
"""What a piece of a body counts at least: a million pieces of one byte would hold everybody up."""


@dataclass(frozen=True, slots=True)
class RequestHead:
    """A request without its body; header names are in lower case."""

    target: bytes
    method: bytes
    headers: tuple[tuple[bytes, bytes], ...]

    def header(self, name: bytes) -> bytes | None:
        """Return the value of a header; None unless it was given exactly once."""
        # Given twice it is ambiguous: who checks a header and who uses it may take different ones.
        found = [value for each, value in self.headers if each == name]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class WebhookResponse:
    """The answer to a request; ``body`` is JSON or empty."""

    status: HTTPStatus
    body: bytes = b""


class WebhookHandler(Protocol):
    """A platform behind the server."""

    @property
    def path(self) -> str:
        """Return the only path that is answered."""

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Return the status that refuses a request before its body is read; None to read it."""

    async def handle(self, head: RequestHead, body: bytes) -> WebhookResponse:
        """Handle a request and return its answer."""


class WebhookServer:
    """Listen at ``bind`` (host:port), whose setting is called ``setting``."""

    def __init__(self, bind: str, handler: WebhookHandler, *, setting: str) -> None:
        self._bind = bind
        self._handler = handler
        self._setting = setting
        # In the order in which they were opened, with the address of each.
        self._unproven: dict[asyncio.StreamWriter, str] = {}

    async def run(self) -> Never:
        """Listen until cancelled; raises :class:`InputRefused` if the address cannot be used."""
        host, port = host_and_port(self._bind)
        try:
            server = await asyncio.start_server(self._serve_connection, host, port)
        except OSError as error:
            raise InputRefused(
                f"{self._setting} {self._bind} cannot be listened at: {error.strerror}"
            ) from error
        async with server:
            await server.serve_forever()
        # serve_forever returns when the server is closed, which only happens on the way out.
        raise asyncio.CancelledError

    async def _serve_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._make_room(writer)
        try:
            await attempt("a webhook request", lambda: self._respond(reader, writer))
        finally:
            self._unproven.pop(writer, None)
            writer.close()

    def _make_room(self, writer: asyncio.StreamWriter) -> None:
        """Note a new connection; the oldest unproven one makes room where there are too many."""
        peer = writer.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        same = [each for each, known in self._unproven.items() if known == address]
        crowd = same if len(same) >= UNPROVEN_PER_ADDRESS else [*self._unproven]
        if crowd and (crowd is same or len(crowd) >= MAX_UNPROVEN):
            del self._unproven[crowd[0]]
            crowd[0].transport.abort()
        self._unproven[writer] = address

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                answer = await self._handle_request(connection, reader, writer)
                if answer is not None:
                    await _send_response(connection, writer, answer)
            if connection.their_state is h11.SEND_BODY:
                await _read_to_the_end(reader, writer)
        except (TimeoutError, ConnectionError):
            return

    async def _handle_request(
        self,
        connection: h11.Connection,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> WebhookResponse | None:
        """Read a request and return the answer; None if the other side left without asking.

        The answers to strangers have no body: they learn nothing but that it failed.
        """
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                request = await _next_event(connection, reader)
            if not isinstance(request, h11.Request):
                return None
            head = RequestHead(request.target, request.method, tuple(request.headers))
            refusal = self._refusal(head)
            if refusal is not None:
                return WebhookResponse(refusal)
            self._unproven.pop(writer, None)
            body = await _read_body(connection, reader)
        except h11.RemoteProtocolError:
            return WebhookResponse(HTTPStatus.BAD_REQUEST)
        if body is None:
            return WebhookResponse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return await self._handler.handle(head, body)

    def _refusal(self, head: RequestHead) -> HTTPStatus | None:
        if head.target.partition(b"?")[0] != self._handler.path.encode():
            return HTTPStatus.NOT_FOUND
        if head.method != b"POST":
            return HTTPStatus.METHOD_NOT_ALLOWED
        if head.header(b"content-encoding") not in {None, b"identity"}:
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        return self._handler.refusal(head)


def host_and_port(bind: str) -> tuple[str, int]:
    """Return the host and the port of a ``host:port`` setting.

    >>> host_and_port("[::1]:8080")
    ('::1', 8080)
    """
    host, _, port = bind.rpartition(":")
    return host.strip("[]"), int(port)


async def _next_event(connection: h11.Connection, reader: asyncio.StreamReader) -> object:
    while True:
        event = connection.next_event()
        if event is not h11.NEED_DATA:
            return event
        connection.receive_data(await reader.read(_CHUNK))


async def _read_body(connection: h11.Connection, reader: asyncio.StreamReader) -> bytes | None:
    """Return the body, or None for one that is too long."""
    body, left = bytearray(), BODY_BYTES
    while left >= 0:
        match await _next_event(connection, reader):
            case h11.Data(data=data):
                body += data
                left -= max(len(data), _SMALLEST_PIECE)
            case _:
                return bytes(body)
    return None


async def _read_to_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say that nothing more is sent, and throw away what the other side still sends."""
    if writer.can_write_eof():
        writer.write_eof()
    async with asyncio.timeout(LINGER_SECONDS):
        while await reader.read(_CHUNK):
            pass


async def _send_response(
    connection: h11.Connection, writer: asyncio.StreamWriter, answer: WebhookResponse
) -> None:
    headers = [("Content-Length", str(len(answer.body))), ("Connection", "close")]
    if answer.body:
        headers.append(("Content-Type", "application/json; charset=utf-8"))
    status = answer.status
    response = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
    body = [h11.Data(answer.body)] if answer.body else []
    for event in (response, *body, h11.EndOfMessage()):
        data = connection.send(event)
        if data:
            writer.write(data)
    await writer.drain()
