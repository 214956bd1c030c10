"""The one door to ``lark_oapi``: imported late, in a thread, and made to keep its connections.

Importing it takes 2–3 s and 180 MB, so only who calls Lark pays, and the event loop never waits
for it. For every call it makes a new HTTP client, with a TLS context of its own (21 ms of the
loop's time) and without keep-alive; it looks that client up by name in its transport module, and
there it finds the one of ours that the call is made with.
"""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from types import ModuleType
from typing import Any, Final

import httpx

from bot.adapters.calls import PlatformUnreachable

MAX_CONNECTIONS: Final = 64
LARGE_TIMEOUT_FACTOR: Final = 6
"""So many times longer than any other call one with a file may take."""

LARGEST_BODY: Final = 32 * 1024 * 1024
"""No answer is larger; a file that is will not be read to its end."""

_LOGGING_LIBRARIES: Final = ("Lark", "httpx", "httpcore", "urllib3", "websockets")

_IMPORT_LOCK: Final = Lock()

_current_client: ContextVar[httpx.AsyncClient | None] = ContextVar("kept", default=None)


@dataclass(frozen=True, slots=True)
class SdkResponse:
    """What the server answered; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkRequest:
    """One request; what ``body`` holds as open files is uploaded. ``token`` says who asks.

    A ``large`` one, or its answer, may take longer.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    token: str = ""
    large: bool = False


class SdkTransport:
    """The SDK's client of one app, on connections that are kept."""

    def __init__(self, app_id: str, app_secret: str, domain: str, *, seconds: float) -> None:
        self._app_id = app_id
        self._app_secret = app_secret
        self._domain = domain
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._clients: tuple[Any, httpx.AsyncClient] | None = None

    async def send(self, request: SdkRequest) -> SdkResponse:
        """Ask and return the answer, whatever it says; raises :class:`Away`."""
        lark, kept = await self._open_clients()
        borrowed = _current_client.set(kept)
        try:
            async with asyncio.timeout(
                self._seconds * (LARGE_TIMEOUT_FACTOR if request.large else 1)
            ):
                answered = await lark.arequest(*_sdk_arguments(request))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            raise PlatformUnreachable(type(error).__name__) from None
        finally:
            _current_client.reset(borrowed)
        raw = answered.raw
        headers = {name.lower(): value for name, value in raw.headers.items()}
        return SdkResponse(raw.status_code, headers, raw.content or b"")

    async def close(self) -> None:
        """Let every connection go; another question would open new ones."""
        async with self._lock:
            if self._clients is not None:
                await self._clients[1].aclose()
                self._clients = None

    async def _open_clients(self) -> tuple[Any, httpx.AsyncClient]:
        async with self._lock:
            if self._clients is None:
                sdk = await load_sdk()
                self._clients = await asyncio.to_thread(self._build_clients, sdk)
            return self._clients

    def _build_clients(self, sdk: Any) -> tuple[Any, httpx.AsyncClient]:
        builder = sdk.Client.builder().app_id(self._app_id).app_secret(self._app_secret)
        builder = builder.domain(self._domain).timeout(self._seconds).enable_set_token(True)
        lark = builder.log_level(sdk.LogLevel.CRITICAL).build()
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        hooks = {"response": [_limit_body]}
        return lark, httpx.AsyncClient(limits=limits, timeout=self._seconds, event_hooks=hooks)


async def load_sdk() -> ModuleType:
    """Return ``lark_oapi``, imported in a thread the first time."""
    return await asyncio.to_thread(_import_locked)


def _import_locked() -> ModuleType:
    with _IMPORT_LOCK:
        return _import_and_patch()


@cache
def _import_and_patch() -> ModuleType:
    with _without_garbage_collection():
        import lark_oapi  # noqa: PLC0415 - nobody but who uses Lark pays for it
        from lark_oapi.core.http import transport  # noqa: PLC0415
        from lark_oapi.ws import client  # noqa: PLC0415

    transport.httpx = _HttpxModule()
    if not client.loop.is_running():
        # Made by the import, for a thread that will never run it.
        client.loop.close()
    _silence_libraries()
    return lark_oapi  # type: ignore[no-any-return]


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Make many objects that stay, without the garbage collector looking through them.

    Each look would stop every thread for 0.3-0.5 s, here and at every full collection later.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _sdk_arguments(question: SdkRequest) -> tuple[Any, Any]:
    """Return a question as the SDK takes it: a request, and the token to make it with."""
    import lark_oapi  # noqa: PLC0415 - imported by now
    from lark_oapi.core.enum import AccessTokenType, HttpMethod  # noqa: PLC0415

    request = (
        lark_oapi.BaseRequest.builder()
        .http_method(HttpMethod[question.method])
        .uri(question.path)
        .queries(list(question.query.items()))
        .token_types({AccessTokenType.TENANT} if question.token else set())
        .body(None if question.body is None else dict(question.body))
        .build()
    )
    option = lark_oapi.RequestOption.builder().tenant_access_token(question.token or None).build()
    return request, option


def _silence_libraries() -> None:
    """Let the libraries say nothing: with it would go identities, addresses and answers."""
    for name in _LOGGING_LIBRARIES:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    own = logging.getLogger("Lark")
    for handler in list(own.handlers):
        # It writes to the standard output, which belongs to the program.
        own.removeHandler(handler)


class _HttpxModule:
    """What the SDK's transport takes for the module ``httpx``."""

    def AsyncClient(self) -> AbstractAsyncContextManager[httpx.AsyncClient]:  # noqa: N802
        """Return the client the present call is made with; it outlives the call."""
        kept = _current_client.get()
        return httpx.AsyncClient() if kept is None else nullcontext(kept)


async def _limit_body(response: httpx.Response) -> None:
    """Give up on an answer of more than ``LARGEST_BODY`` bytes while it is read."""
    if isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _LimitedSdkStream(response.stream)


class _LimitedSdkStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = LARGEST_BODY
        async for part in self._stream:
            left -= len(part)
            if left < 0:
                raise httpx.ReadError("the body is too large")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
