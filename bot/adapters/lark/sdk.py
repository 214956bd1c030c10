"""The only access to ``lark_oapi``: imported late, in a thread, and made to keep its connections.

Importing it takes 2–3 s and 180 MB, so only who uses Lark pays for it, and the event loop never
waits for it.
"""

import asyncio
import gc
import logging
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from io import BytesIO
from threading import Lock
from types import ModuleType
from typing import Any, Final

import httpx

from bot.adapters.calls import PlatformUnreachable
from bot.adapters.http_client import bounded_client_options

MAX_CONNECTIONS: Final = 64

LARGE_TIMEOUT_FACTOR: Final = 6
"""How many times longer than any other call one with a file may take."""

_LOGGING_LIBRARIES: Final = ("Lark", "httpx", "httpcore", "urllib3", "websockets")

# Two threads that import the package at once would each run its module code and its patch.
_IMPORT_LOCK: Final = Lock()

_current_client: ContextVar[httpx.AsyncClient | None] = ContextVar("kept", default=None)


@dataclass(frozen=True, slots=True)
class AppCredentials:
    """The id and the secret of an app."""

    app_id: str
    app_secret: str


@dataclass(frozen=True, slots=True)
class SdkResponse:
    """What the server answered; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkRequest:
    """One request, with the ``token`` of the app unless it needs none.

    ``body`` is sent as JSON; if a value in it is bytes, that is uploaded as a file. ``large``: the
    request or its answer holds a file and may take longer.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    token: str = ""
    large: bool = False


class SdkTransport:
    """The SDK's client of one app, on connections that are kept.

    The SDK makes a new HTTP client for every call: 21 ms of the event loop for its TLS context,
    and no keep-alive. It looks the client's class up in its transport module, where
    :class:`_HttpxModule` now stands and returns the client of the present call.
    """

    def __init__(self, credentials: AppCredentials, domain: str, *, seconds: float) -> None:
        self.credentials: Final = credentials
        self._domain = domain
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._clients: tuple[Any, httpx.AsyncClient] | None = None

    async def send(self, request: SdkRequest) -> SdkResponse:
        """Send a request and return the answer, a refusal too.

        Raises :class:`PlatformUnreachable`.
        """
        lark, http = await self._open_clients()
        previous = _current_client.set(http)
        try:
            async with asyncio.timeout(
                self._seconds * (LARGE_TIMEOUT_FACTOR if request.large else 1)
            ):
                answer = await lark.arequest(*_sdk_arguments(request))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            # Without the cause: its text holds the address, which may hold a ticket.
            raise PlatformUnreachable(type(error).__name__) from None
        finally:
            _current_client.reset(previous)
        raw = answer.raw
        headers = {name.lower(): value for name, value in raw.headers.items()}
        return SdkResponse(raw.status_code, headers, raw.content or b"")

    async def close(self) -> None:
        """Close every connection; another request would open new ones."""
        async with self._lock:
            if self._clients is not None:
                await self._clients[1].aclose()
                self._clients = None

    async def _open_clients(self) -> tuple[Any, httpx.AsyncClient]:
        async with self._lock:
            if self._clients is None:
                sdk = await load_sdk()
                # In a thread: the TLS context is built here.
                self._clients = await asyncio.to_thread(self._build_clients, sdk)
            return self._clients

    def _build_clients(self, sdk: Any) -> tuple[Any, httpx.AsyncClient]:
        app = self.credentials
        builder = sdk.Client.builder().app_id(app.app_id).app_secret(app.app_secret)
        # The SDK would fetch the token with blocking calls, on the event loop: enable_set_token
        # lets every call bring its own.
        builder = builder.domain(self._domain).timeout(self._seconds).enable_set_token(True)
        lark = builder.log_level(sdk.LogLevel.CRITICAL).build()
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        bounds = bounded_client_options()
        return lark, httpx.AsyncClient(limits=limits, timeout=self._seconds, **bounds)


async def load_sdk() -> ModuleType:
    """Return ``lark_oapi``, imported in a thread the first time."""
    return await asyncio.to_thread(_import_locked)


def _import_locked() -> ModuleType:
    with _IMPORT_LOCK:
        return _import_and_patch()


@cache
def _import_and_patch() -> ModuleType:
    with _without_garbage_collection():
        sdk = import_module("lark_oapi")
        transport: Any = import_module("lark_oapi.core.http.transport")
        client: Any = import_module("lark_oapi.ws.client")
    transport.httpx = _HttpxModule()
    if not client.loop.is_running():
        # Made by the import, for a thread that will never run it.
        client.loop.close()
    _silence_libraries()
    return sdk


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Run an import whose many objects stay, without the garbage collector looking at them.

    Each collection would stop every thread for 0.3–0.5 s, here and later; so the objects are also
    frozen, which takes them out of every full collection to come.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _sdk_arguments(request: SdkRequest) -> tuple[Any, Any]:
    """Return a request as the SDK takes it, and the option that holds its token."""
    sdk: Any = import_module("lark_oapi")
    kinds: Any = import_module("lark_oapi.core.enum")
    # The SDK uploads what is an open file. It is made here, for each attempt: one that was read
    # stands at its end and would be sent empty.
    body = None if request.body is None else {k: _as_file(v) for k, v in request.body.items()}
    base = (
        sdk.BaseRequest.builder()
        .http_method(kinds.HttpMethod[request.method])
        .uri(request.path)
        .queries(list(request.query.items()))
        .token_types({kinds.AccessTokenType.TENANT} if request.token else set())
        .body(body)
        .build()
    )
    option = sdk.RequestOption.builder().tenant_access_token(request.token or None).build()
    return base, option


def _as_file(value: object) -> object:
    return BytesIO(value) if isinstance(value, bytes) else value


def _silence_libraries() -> None:
    """Keep the libraries quiet: they would log identities, addresses and answers."""
    for name in _LOGGING_LIBRARIES:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    own = logging.getLogger("Lark")
    for handler in list(own.handlers):
        # It writes to standard output, which belongs to the program.
        own.removeHandler(handler)


class _HttpxModule:
    """Stands in the SDK's transport module where it expects the module ``httpx``."""

    def AsyncClient(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:  # noqa: N802
        """Return the client the present call is made with; it outlives the call."""
        client = _current_client.get()
        return httpx.AsyncClient() if client is None else nullcontext(client)
