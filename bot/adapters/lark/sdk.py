"""The only access to ``lark_oapi``: imported late, in a thread, and made to keep its connections.

Only who uses Lark pays for it, and the event loop never waits for it.

``import lark_oapi`` runs star imports of every interface of the platform: ten thousand modules,
seconds of processor time and over 100 MB. They are asked for by the ``__init__`` of a package and
by the dispatcher of events, neither of which is used. So modules that run nothing stand in their
places when ``core`` and ``ws`` are imported: docs/decisions/lark-sdk.md.
"""

import asyncio
import gc
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Final, TypeAlias

import httpx

from bot.adapters.calls import PlatformUnreachable, bounded_client_options

log = logging.getLogger(__name__)

KNOWN_VERSION: Final = "1.7.5"
"""The version whose parts are known to work without the rest; of any other all is imported."""

USED_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "core.enum": ("AccessTokenType", "HttpMethod", "LogLevel"),
    "core.model": ("BaseRequest", "Config", "RequestOption"),
    "core.utils": ("Files",),
    "core.http.transport": ("Transport", "httpx"),
    "ws.client": ("Client", "_new_ping_frame", "loop"),
}
"""What is used, by the module it is in."""

_PACKAGE: Final = "lark_oapi"

_BARE_PACKAGES: Final = ("", "ws", "ws/pb/google")
"""The packages, as folders of the SDK, whose ``__init__`` imports much and brings nothing."""

_EMPTY_MODULES: Final[Mapping[str, Mapping[str, object]]] = {
    # Only the annotation of a parameter names it: events are handled by our own handler.
    "event.dispatcher_handler": {"EventDispatcherHandler": object},
    # It decrypts what a webhook is sent, by another library; bot.adapters.lark.webhook does so.
    "core.utils.decryptor": {"__all__": []},
}
"""The modules that would import much for what is not used, and the names they are asked for."""


@dataclass(frozen=True, slots=True)
class LarkSdk:
    """The parts of the SDK. ``whole`` is the package, if all of it was imported."""

    enums: Any
    model: Any
    utils: Any
    transport: Any
    connection: Any
    whole: Any = None


def import_sdk(known_version: str = KNOWN_VERSION) -> LarkSdk:
    """Import the parts, or the whole SDK if it is another version or a used name is missing.

    Also the whole if it is imported already, by whomever: then nothing can be saved.
    """
    if _PACKAGE in sys.modules:
        return _import_whole()
    try:
        return _import_parts(known_version)
    except (ImportError, AttributeError) as error:
        log.warning("lark: all of lark-oapi is imported, which takes seconds: %s", error)
    _forget_modules()
    return _import_whole()


def _import_parts(known_version: str) -> LarkSdk:
    installed = version("lark-oapi")
    if installed != known_version:
        raise ImportError(f"version {installed}, and only {known_version} is known by its parts")
    _place_stand_ins()
    for module, names in USED_NAMES.items():
        part = import_module(f"{_PACKAGE}.{module}")
        for name in names:
            getattr(part, name)
    return _imported_parts()


def _place_stand_ins() -> None:
    """Place packages that find their modules and run nothing, and modules that hold nothing."""
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("lark-oapi is not installed")
    root = Path(spec.submodule_search_locations[0])
    for folder in _BARE_PACKAGES:
        package = ModuleType(".".join((_PACKAGE, *Path(folder).parts)))
        package.__path__ = [str(root / folder)]
        sys.modules[package.__name__] = package
    for below, names in _EMPTY_MODULES.items():
        module = ModuleType(f"{_PACKAGE}.{below}")
        vars(module).update(names)
        sys.modules[module.__name__] = module


def _import_whole() -> LarkSdk:
    with _without_garbage_collection():
        return _imported_parts(import_module(_PACKAGE))


def _imported_parts(whole: ModuleType | None = None) -> LarkSdk:
    enums, model, utils, transport, connection = (
        import_module(f"{_PACKAGE}.{module}") for module in USED_NAMES
    )
    return LarkSdk(enums, model, utils, transport, connection, whole)


def _forget_modules() -> None:
    """Take out the stand-ins and what was imported beside them: the whole has its own."""
    for name in list(sys.modules):
        if name == _PACKAGE or name.startswith(f"{_PACKAGE}."):
            del sys.modules[name]


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


SendRaw: TypeAlias = Callable[[Any, Any], Awaitable[Any]]
"""Sends a request of the SDK's with its option, and returns the SDK's raw response."""


async def load_sdk() -> LarkSdk:
    """Return the SDK, imported in a thread the first time."""
    return await asyncio.to_thread(loaded_sdk)


def loaded_sdk() -> LarkSdk:
    """Return the SDK; whoever asks first waits until it is imported."""
    with _IMPORT_LOCK:
        return _import_once()


@cache
def _import_once() -> LarkSdk:
    return prepare_sdk(import_sdk())


def prepare_sdk(sdk: LarkSdk) -> LarkSdk:
    """Have the SDK use our connections, own no event loop, and write no log."""
    sdk.transport.httpx = _HttpxModule()
    if not sdk.connection.loop.is_running():
        # Made by the import, for a thread that will never run it.
        sdk.connection.loop.close()
    _silence_libraries()
    return sdk


@dataclass(frozen=True, slots=True)
class _Clients:
    """The SDK, the client of its that calls for an app, and the client with the connections."""

    sdk: LarkSdk
    send: SendRaw
    http: httpx.AsyncClient


class SdkTransport:
    """The SDK's client of one app, on connections that are kept.

    The SDK makes a new HTTP client for every call: 21 ms of the event loop for its TLS context,
    and no keep-alive. It looks the client's class up in its transport module, where
    :class:`_HttpxModule` now stands and returns the client of the present call.
    """

    def __init__(
        self,
        credentials: AppCredentials,
        domain: str,
        *,
        seconds: float,
        load: Callable[[], Awaitable[LarkSdk]] = load_sdk,
    ) -> None:
        self.credentials: Final = credentials
        self._domain = domain
        self._seconds = seconds
        self._load_sdk = load
        self._lock = asyncio.Lock()
        self._clients: _Clients | None = None

    async def send(self, request: SdkRequest) -> SdkResponse:
        """Send a request and return the answer, a refusal too.

        Raises :class:`PlatformUnreachable`.
        """
        clients = await self._open_clients()
        previous = _current_client.set(clients.http)
        try:
            async with asyncio.timeout(
                self._seconds * (LARGE_TIMEOUT_FACTOR if request.large else 1)
            ):
                raw = await clients.send(*_sdk_arguments(clients.sdk, request))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
            # Without the cause: its text holds the address, which may hold a ticket.
            raise PlatformUnreachable(type(error).__name__) from None
        finally:
            _current_client.reset(previous)
        headers = {name.lower(): value for name, value in raw.headers.items()}
        return SdkResponse(raw.status_code, headers, raw.content or b"")

    async def close(self) -> None:
        """Close every connection; another request would open new ones."""
        async with self._lock:
            if self._clients is not None:
                await self._clients.http.aclose()
                self._clients = None

    async def _open_clients(self) -> _Clients:
        async with self._lock:
            if self._clients is None:
                sdk = await self._load_sdk()
                # In a thread: the TLS context is built here.
                self._clients = await asyncio.to_thread(self._build_clients, sdk)
            return self._clients

    def _build_clients(self, sdk: LarkSdk) -> _Clients:
        send = _client_of_parts if sdk.whole is None else _client_of_whole
        limits = httpx.Limits(max_connections=MAX_CONNECTIONS)
        bounds = bounded_client_options()
        http = httpx.AsyncClient(limits=limits, timeout=self._seconds, **bounds)
        return _Clients(sdk, send(sdk, self.credentials, self._domain, self._seconds), http)


def _client_of_parts(sdk: LarkSdk, app: AppCredentials, domain: str, seconds: float) -> SendRaw:
    """Return what the SDK's client does with a request that brings its token, and no more.

    The client itself is in a module that imports every interface.
    """
    config = sdk.model.Config()
    config.app_id, config.app_secret = app.app_id, app.app_secret
    config.domain, config.timeout = domain, seconds

    async def send(request: Any, option: Any) -> Any:
        request.files = sdk.utils.Files.extract_files(request.body)
        return await sdk.transport.Transport.aexecute(config, request, option)

    return send


def _client_of_whole(sdk: LarkSdk, app: AppCredentials, domain: str, seconds: float) -> SendRaw:
    builder = sdk.whole.Client.builder().app_id(app.app_id).app_secret(app.app_secret)
    # The SDK would fetch the token with blocking calls, on the event loop: enable_set_token
    # lets every call bring its own.
    builder = builder.domain(domain).timeout(seconds).enable_set_token(True)
    client = builder.log_level(sdk.enums.LogLevel.CRITICAL).build()

    async def send(request: Any, option: Any) -> Any:
        return (await client.arequest(request, option)).raw

    return send


def _sdk_arguments(sdk: LarkSdk, request: SdkRequest) -> tuple[Any, Any]:
    """Return a request as the SDK takes it, and the option that holds its token."""
    kinds = sdk.enums
    # The SDK uploads what is an open file. It is made here, for each attempt: one that was read
    # stands at its end and would be sent empty.
    body = None if request.body is None else {k: _as_file(v) for k, v in request.body.items()}
    base = (
        sdk.model.BaseRequest.builder()
        .http_method(kinds.HttpMethod[request.method])
        .uri(request.path)
        .queries(list(request.query.items()))
        .token_types({kinds.AccessTokenType.TENANT} if request.token else set())
        .body(body)
        .build()
    )
    option = sdk.model.RequestOption.builder().tenant_access_token(request.token or None).build()
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
