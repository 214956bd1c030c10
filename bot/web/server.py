"""Listening by uvicorn and Starlette, with the limits that keep strangers from shutting a site.

One request per connection: there is nothing to pipeline, to upgrade or to keep alive. TLS is left
to the proxy in front.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Self
from urllib.parse import unquote

import h11
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import Server, ServerState

from bot.tasks import Done, attempt
from bot.web import BODY_BYTES, RequestHead, WebAnswer, WebLimits, WebSite

_SMALLEST_PIECE: Final = 256
"""What a piece of a body counts at least: a million pieces of one byte would hold everybody up."""

_AT_ONCE: Final = 4_096
"""So many bytes of a connection are read at once; then others have their turn."""

_MOST_RECEIVED: Final = 2
"""So many times the longest body is taken from one connection; what follows is thrown away."""

_VISIT: Final = "visit"


@dataclass(eq=False)
class _Visit:
    """What is known of a connection by its protocol and by the site it asks.

    ``weight`` is what its body counts, in bytes, of which ``longest`` are read. Once ``refused``,
    what comes is thrown away.
    """

    prove: Callable[[], object]
    weight: int = 0
    longest: int = BODY_BYTES
    refused: bool = False


class _WeighedConnection(h11.Connection):
    """Counts what the pieces of a body cost."""

    def __init__(self, visit: _Visit) -> None:
        super().__init__(h11.SERVER)
        self._visit = visit

    def next_event(self) -> Any:
        """Return what h11 reads next."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._visit.weight += max(len(event.data), _SMALLEST_PIECE)
        return event


class _Crowd:
    """The connections of one listening address that have not shown a secret, oldest first."""

    def __init__(self, limits: WebLimits) -> None:
        self._limits = limits
        self._unproven: dict[_GuardedProtocol, str] = {}

    def add(self, one: "_GuardedProtocol", address: str) -> None:
        """Note a new connection; the oldest one makes room where there are too many."""
        same = [each for each, known in self._unproven.items() if known == address]
        crowd = same if len(same) >= self._limits.unproven_per_address else [*self._unproven]
        if crowd and (crowd is same or len(crowd) >= self._limits.unproven):
            self.remove(crowd[0])
            crowd[0].transport.abort()
        self._unproven[one] = address

    def remove(self, one: "_GuardedProtocol") -> None:
        """Forget a connection: it has shown the secret, or ended."""
        self._unproven.pop(one, None)


class _GuardedProtocol(H11Protocol):
    """uvicorn's protocol, which itself sets no limit to what a connection may do."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        crowd: _Crowd,
        head_seconds: float,
    ) -> None:
        self._crowd = crowd
        self._head_seconds = head_seconds
        self._visit = _Visit(partial(crowd.remove, self))
        super().__init__(config, server_state, {**app_state, _VISIT: self._visit}, _loop)
        self.conn = _WeighedConnection(self._visit)
        self._unread = bytearray()
        self._received = 0
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Note a new connection, and end it unless the head of its request comes soon."""
        super().connection_made(transport)
        self._crowd.add(self, self.client[0] if self.client else "")
        self._late = self.loop.call_later(self._head_seconds, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that ended."""
        self._crowd.remove(self)
        self._head_is_here()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what comes, a little at a time, up to a limit."""
        if self._visit.refused:
            return
        self._received += len(data)
        most = _MOST_RECEIVED * self._visit.longest
        if self._received > most:
            self._visit.weight = most
            self._visit.refused = True
            self._wake_site()
            return
        waits = bool(self._unread)
        self._unread += data
        if not waits:
            self._read_on()

    def _read_on(self) -> None:
        if self.transport.is_closing() or self._visit.refused:
            self._unread.clear()
            return
        piece = bytes(self._unread[:_AT_ONCE])
        try:
            super().data_received(piece)
        except h11.ProtocolError:
            # Nonsense behind a request that was answered already.
            self.transport.abort()
            return
        # Only now: what comes meanwhile waits behind it.
        del self._unread[:_AT_ONCE]
        if self._has_request:
            self._head_is_here()
        if self._unread:
            self.loop.call_soon(self._read_on)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, without a word; one under way just ends."""
        del msg
        if self._has_request:
            self.transport.abort()
            return
        super().send_400_response("")

    @property
    def _has_request(self) -> bool:
        """Whether the head of a request has come."""
        return bool(self.cycle)

    def _wake_site(self) -> None:
        if self._has_request:
            self.cycle.message_event.set()

    def _head_is_here(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _SiteApp:
    """A site as an ASGI application. Strangers learn nothing but that it failed."""

    def __init__(self, site: WebSite, limits: WebLimits, longest_body: int = BODY_BYTES) -> None:
        self.site: Final = site
        self._limits = limits
        self._longest_body = longest_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit: _Visit = scope["state"][_VISIT]
        request = Request(scope, receive)
        answer, has_all = await self._answer(request, visit)
        response = _response_of(answer)
        if has_all:
            await response(scope, receive, send)
            return
        visit.refused = True
        head = {"status": answer.status, "headers": response.raw_headers}
        await send({"type": "http.response.start", **head})
        # Whatever it still sends is thrown away for a while.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.linger_seconds):
                while (await receive()).get("more_body"):
                    pass
        await send({"type": "http.response.body", "body": answer.body})

    async def _answer(self, request: Request, visit: _Visit) -> tuple[WebAnswer, bool]:
        """Return the answer, and whether the whole request was read for it."""
        head = _head_of(request)
        refusal = self._refusal(head)
        if isinstance(refusal, HTTPStatus):
            return WebAnswer(refusal), False
        if refusal is not None:
            return refusal, False
        # Only now: before its head was read nobody may send more than little.
        visit.longest = self._longest_body
        if self.site.proven_by_head:
            visit.prove()
        body: bytes | None = None
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                body = await _read_body(request, visit)
                if body is None:
                    return WebAnswer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE), False
                visit.prove()
                whole = body
                step = await attempt("a web request", lambda: self.site.handle(head, whole))
        except (TimeoutError, ClientDisconnect):
            # One that was read is asked again by whoever sent it.
            status = HTTPStatus.SERVICE_UNAVAILABLE if body is not None else _LATE
            return WebAnswer(status), body is not None
        failed = WebAnswer(HTTPStatus.INTERNAL_SERVER_ERROR)
        return (step.value if isinstance(step, Done) else failed), True

    def _refusal(self, head: RequestHead) -> HTTPStatus | WebAnswer | None:
        if head.method not in self.site.method.encode().split():
            return HTTPStatus.METHOD_NOT_ALLOWED
        if head.header(b"content-encoding") not in {None, b"identity"}:
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        return self.site.refusal(head)


_LATE: Final = HTTPStatus.REQUEST_TIMEOUT


def _response_of(answer: WebAnswer) -> Response:
    kind = answer.kind if answer.body else None
    headers = {**dict(answer.headers), "Connection": "close"}
    return Response(answer.body, answer.status, headers, media_type=kind)


def _head_of(request: Request) -> RequestHead:
    scope = request.scope
    query = b"?" + scope["query_string"] if scope["query_string"] else b""
    return RequestHead(
        scope["raw_path"] + query, scope["method"].encode(), tuple(scope["headers"])
    )


async def _read_body(request: Request, visit: _Visit) -> bytes | None:
    """Return the body; None for one that is too long, as soon as that is known."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:18]) > visit.longest:
        return None
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if visit.weight > visit.longest:
            return None
    return None if visit.weight > visit.longest else bytes(body)


class _NoSite:
    """Answers where there is nothing."""

    path: Final = ""
    method: Final = "GET"
    proven_by_head: Final = False

    def refusal(self, head: RequestHead) -> HTTPStatus | WebAnswer | None:
        del head
        return HTTPStatus.NOT_FOUND

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        del head, body
        return WebAnswer(HTTPStatus.NOT_FOUND)


class _NothingHere(_SiteApp):
    """Refuses whatever is asked."""

    def __init__(self, limits: WebLimits) -> None:
        super().__init__(_NoSite(), limits)

    def _refusal(self, head: RequestHead) -> HTTPStatus | WebAnswer | None:
        return self.site.refusal(head)


class UvicornListener:
    """A server of uvicorn at one address: without its signals, its log and its lifespan."""

    def __init__(
        self, server: Server, router: Router, sockets: list[socket.socket], limits: WebLimits
    ) -> None:
        self._server = server
        self._sockets = sockets
        self._limits = limits
        self._router = router

    @classmethod
    async def open(cls, host: str, port: int, limits: WebLimits) -> Self:
        """Listen; raises OSError if the address cannot be used."""
        sockets = await _sockets_at(host, port)
        router = Router(redirect_slashes=False, default=_NothingHere(limits))
        crowd = _Crowd(limits)
        # A class to uvicorn, which only calls it.
        protocol: Any = partial(_GuardedProtocol, crowd=crowd, head_seconds=limits.head_seconds)
        config = Config(
            router,
            http=protocol,
            ws="none",
            loop="none",
            lifespan="off",
            # What it would log holds addresses, and of an error the message. Ours are logged
            # by ``attempt``.
            log_config=None,
            log_level=logging.CRITICAL + 1,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
        )
        config.load()
        server = Server(config)
        # Not ``serve``: it would take the signals of the whole program.
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets)
        return cls(server, router, sockets, limits)

    def add(self, site: WebSite, longest_body: int) -> None:
        """Answer for a site from now on, and read so many bytes of a body at most."""
        app = _SiteApp(site, self._limits, longest_body)
        self._router.routes.append(Route(unquote(site.path), app))

    def remove(self, site: WebSite) -> None:
        """Answer for a site no more."""
        self._router.routes[:] = [
            each
            for each in self._router.routes
            if not (isinstance(each, Route) and getattr(each.app, "site", None) is site)
        ]

    async def close(self) -> None:
        """Let what is under way finish for a second, and listen no more."""
        await self._server.shutdown(self._sockets)
        for connection in [*self._server.server_state.connections]:
            connection.transport.abort()


async def _sockets_at(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets, one for each address of the host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    opened: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            opened.append(socket.create_server(address, family=family, backlog=128))
    except OSError:
        for each in opened:
            each.close()
        raise
    return opened
