"""The one web server: webhooks of platforms and health, at whatever addresses are set.

What stands here is light. uvicorn and Starlette are imported when the first address is listened
at (:mod:`bot.web.server`), so that whoever sets none does not pay for them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final, Never, Protocol
from urllib.parse import urlsplit

from bot.texts import refusals
from memory.errors import InputRefused
from memory.refusals import said_by_system

BODY_BYTES: Final = 1024 * 1024
"""The longest body that is read of most sites; what a platform pushes is far smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebLimits:
    """What a connection may take.

    ``request_seconds`` is from the head of a request to its answer; the head itself fits one
    packet and has ``head_seconds``. What is left of a body that was refused is read and thrown
    away for ``linger_seconds``: closed at once, the connection would be reset, and the refusal
    lost on the way.

    ``unproven`` connections of one listening address may be open that have not shown the
    platform's secret, ``unproven_per_address`` of them from one address. One more closes the
    oldest of them: who knows the secret shows it at once, and what a proxy hands on is whole.
    """

    request_seconds: float = 10.0
    head_seconds: float = 3.0
    linger_seconds: float = 2.0
    unproven: int = 64
    unproven_per_address: int = 16


JSON: Final = "application/json; charset=utf-8"


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
class WebAnswer:
    """The answer to a request; ``body`` is empty or of the type ``kind``."""

    status: HTTPStatus
    body: bytes = b""
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


class WebSite(Protocol):
    """What is behind one path."""

    @property
    def path(self) -> str:
        """Return the path, as it is before percent signs are resolved.

        ``/{rest:path}`` is every path for which there is no other site.
        """

    @property
    def method(self) -> str:
        """Return the only method that is answered, or several apart by a space."""

    @property
    def proven_by_head(self) -> bool:
        """Whether who passes ``refusal`` has shown the secret, before any body."""

    def refusal(self, head: RequestHead) -> HTTPStatus | WebAnswer | None:
        """Return what refuses a request before its body is read; None to read it."""

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        """Handle a request and return its answer."""


class Listener(Protocol):
    """A server that listens at one address."""

    def add(self, site: WebSite, longest_body: int) -> None:
        """Answer for a site from now on, and read so many bytes of a body at most."""

    def remove(self, site: WebSite) -> None:
        """Answer for a site no more."""

    async def close(self) -> None:
        """Let what is under way finish for a second, and listen no more."""


@dataclass(slots=True)
class _Address:
    listener: Listener
    sites: int = 0


class WebServer:
    """Serve sites; those of one address share a server."""

    def __init__(self, limits: WebLimits | None = None) -> None:
        self._limits = limits or WebLimits()
        self._addresses: dict[str, _Address] = {}
        self._changing = asyncio.Lock()

    async def serve(
        self, bind: str, *sites: WebSite, setting: str, longest_body: int = BODY_BYTES
    ) -> Never:
        """Serve at ``bind`` (host:port) until cancelled.

        Raises :class:`InputRefused`, which names the ``setting``, if the address cannot be used.
        """
        async with self._listening(bind, setting) as listener:
            for site in sites:
                listener.add(site, longest_body)
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                for site in sites:
                    listener.remove(site)
        raise asyncio.CancelledError

    @asynccontextmanager
    async def _listening(self, bind: str, setting: str) -> AsyncIterator[Listener]:
        address = await self._enter(bind, setting)
        try:
            yield address.listener
        finally:
            address.sites -= 1
            if not address.sites:
                del self._addresses[bind]
                await address.listener.close()

    async def _enter(self, bind: str, setting: str) -> _Address:
        async with self._changing:
            if bind not in self._addresses:
                self._addresses[bind] = _Address(await self._open(bind, setting))
            self._addresses[bind].sites += 1
            return self._addresses[bind]

    async def _open(self, bind: str, setting: str) -> Listener:
        from bot.web.server import UvicornListener

        try:
            return await UvicornListener.open(*host_and_port(bind), self._limits)
        except OSError as error:
            raise InputRefused(
                refusals.CANNOT_LISTEN, key=setting, bind=bind, why=said_by_system(error)
            ) from error


def host_and_port(bind: str) -> tuple[str, int]:
    """Return the host and the port of a ``host:port`` setting.

    >>> host_and_port("[::1]:8080")
    ('::1', 8080)
    """
    host, _, port = bind.rpartition(":")
    return host.strip("[]"), int(port)


def page_address(bind: str, public: str = "") -> str:
    """Return what every address of the memory page begins with.

    Raises :class:`InputRefused` if others could reach it and no ``WEB_ADDRESS`` says by what
    name: names are checked, so that no other site can speak for the page.
    """
    host, port = host_and_port(bind)
    if public:
        return checked_address(public)
    if not is_loopback(host):
        raise InputRefused(refusals.OPEN_TO_OTHERS, bind=bind)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def checked_address(public: str) -> str:
    """Return a public address without a slash at its end; raises :class:`InputRefused`."""
    parts = urlsplit(public.strip())
    plain = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname))
    if not (plain and safe and parts.hostname):
        raise InputRefused(refusals.WEB_ADDRESS)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def is_loopback(host: str | None) -> bool:
    """Whether a host is this machine and cannot be reached from another one."""
    if host == "localhost":
        return True
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return False
