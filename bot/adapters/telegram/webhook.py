"""Hearing by webhook: one route, one secret, and 200 only for what is kept.

A server of its own of a hundred lines: it answers one request per connection, so there is nothing
to pipeline, to upgrade or to keep alive. TLS is the business of the proxy in front of it.
"""

import asyncio
import hmac
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Never
from urllib.parse import urlsplit

import h11

from bot.adapters.telegram.polling import Take
from bot.supervise import Stumbled, attempt
from memory.errors import InputRefused, StoreError

BODY_BYTES: Final = 1024 * 1024
"""An update is far smaller."""

REQUEST_SECONDS: Final = 10.0
CONNECTIONS: Final = 64
"""More at once are sent away unheard."""

SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"
_CHUNK: Final = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Where Telegram pushes to, what it proves itself with, and where we listen for it."""

    url: str
    secret: str
    bind: str

    @property
    def path(self) -> str:
        """Return the one path there is."""
        return urlsplit(self.url).path or "/"

    @property
    def address(self) -> tuple[str, int]:
        """Return the host and the port to listen at."""
        host, _, port = self.bind.rpartition(":")
        return host.strip("[]"), int(port)


class WebhookServer:
    """Take what is pushed. ``skipped`` counts updates nobody could read."""

    def __init__(self, hook: Hook, take: Take) -> None:
        self.skipped = 0
        self._hook = hook
        self._take = take
        self._open = 0

    async def run(self) -> Never:
        """Listen until cancelled; raises :class:`InputRefused` for an address that is taken."""
        host, port = self._hook.address
        try:
            server = await asyncio.start_server(self._connected, host, port)
        except OSError as error:
            raise InputRefused(
                f"WEBHOOK_BIND {self._hook.bind} cannot be listened at: {error.strerror}"
            ) from error
        async with server:
            await server.serve_forever()
        raise asyncio.CancelledError

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= CONNECTIONS:
                await attempt("a webhook request", lambda: self._answered(reader, writer))
        finally:
            self._open -= 1
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                status = await self._status(connection, reader)
                if status is not None:
                    await _say(connection, writer, status)
        except (TimeoutError, ConnectionError):
            return

    async def _status(
        self, connection: h11.Connection, reader: asyncio.StreamReader
    ) -> HTTPStatus | None:
        """Read a request and do what it asks; None if the other side left without asking.

        A stranger learns nothing but that it failed.
        """
        try:
            request = await _next(connection, reader)
            if not isinstance(request, h11.Request):
                return None
            refusal = self._refusal(request)
            if refusal is not None:
                return refusal
            body = await _body(connection, reader)
        except h11.RemoteProtocolError:
            return HTTPStatus.BAD_REQUEST
        if body is None:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return await self._kept(body)

    def _refusal(self, request: h11.Request) -> HTTPStatus | None:
        if request.target.partition(b"?")[0] != self._hook.path.encode():
            return HTTPStatus.NOT_FOUND
        if request.method != b"POST":
            return HTTPStatus.METHOD_NOT_ALLOWED
        offered = [value for name, value in request.headers if name == SECRET_HEADER]
        is_telegram = len(offered) == 1 and hmac.compare_digest(
            offered[0], self._hook.secret.encode()
        )
        return None if is_telegram else HTTPStatus.FORBIDDEN

    async def _kept(self, body: bytes) -> HTTPStatus:
        """Have the update taken; Telegram repeats what was not kept, and never what is broken."""
        step = await attempt("taking an update", lambda: self._take(json.loads(body)))
        if isinstance(step, Stumbled):
            if isinstance(step.error, StoreError):
                return HTTPStatus.SERVICE_UNAVAILABLE
            self.skipped += 1
        return HTTPStatus.OK


async def _next(connection: h11.Connection, reader: asyncio.StreamReader) -> object:
    while True:
        event = connection.next_event()
        if event is not h11.NEED_DATA:
            return event
        connection.receive_data(await reader.read(_CHUNK))


async def _body(connection: h11.Connection, reader: asyncio.StreamReader) -> bytes | None:
    """Return the body, or None for one that is too long."""
    body = b""
    while len(body) <= BODY_BYTES:
        match await _next(connection, reader):
            case h11.Data(data=data):
                body += data
            case _:
                return body
    return None


async def _say(
    connection: h11.Connection, writer: asyncio.StreamWriter, status: HTTPStatus
) -> None:
    headers = [("Content-Length", "0"), ("Connection", "close")]
    response = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
    for event in (response, h11.EndOfMessage()):
        said = connection.send(event)
        if said:
            writer.write(said)
    await writer.drain()
