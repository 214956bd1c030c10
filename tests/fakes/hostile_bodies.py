"""Answers made to fill a memory, and a server that gives one of them to whoever asks."""

import asyncio
import gzip
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

MEGABYTE = 1024 * 1024
PART = 65_536
EVENTS = "text/event-stream"


@dataclass(frozen=True)
class HostileBody:
    """What is answered; ``parts`` may be without end."""

    parts: Callable[[], Iterator[bytes]]
    kind: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def _endless(text: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: itertools.repeat(text * (PART // len(text)))


def _framed(
    start: bytes, text: bytes, megabytes: float, end: bytes
) -> Callable[[], Iterator[bytes]]:
    part = text * (PART // len(text))
    parts = int(megabytes * MEGABYTE / len(part))
    return lambda: itertools.chain([start], itertools.repeat(part, parts), [end])


def _keys() -> Iterator[bytes]:
    return iter(many_keys())


@cache
def many_keys() -> tuple[bytes, ...]:
    """Return 4 MB of keys: once a process, and when asked for."""
    starts = range(0, 400_000, 4_000)
    parts = [[b'"%d":0,' % number for number in range(at, at + 4_000)] for at in starts]
    return (b"{", *map(b"".join, parts))


@cache
def packed_twice() -> bytes:
    """Return 200 MB of nothing, packed into almost nothing: once a process, and when asked for."""
    once = gzip.compress(bytes(200 * MEGABYTE), compresslevel=1)
    return gzip.compress(once)


HOSTILE: Mapping[str, HostileBody] = {
    "packed twice": HostileBody(
        lambda: iter([packed_twice()]), headers={"Content-Encoding": "gzip, gzip"}
    ),
    "packed once": HostileBody(
        lambda: iter([gzip.decompress(packed_twice())]), headers={"Content-Encoding": "gzip"}
    ),
    "packed, an error": HostileBody(
        lambda: iter([packed_twice()]), status=400, headers={"Content-Encoding": "deflate, gzip"}
    ),
    "packed in an unknown way": HostileBody(
        lambda: iter([packed_twice()]), headers={"Content-Encoding": "zstd"}
    ),
    "without end": HostileBody(_endless(b" ")),
    "an error without end": HostileBody(_endless(b"x"), status=500, kind="text/html"),
    "empty lists": HostileBody(_framed(b"[", b"[],", 3.9, b"[]]")),
    "empty objects": HostileBody(_framed(b'{"result":[', b"{},", 3.9, b"{}]}")),
    "an error of lists": HostileBody(_framed(b'{"error":[', b"[],", 3.9, b"[]]}"), status=400),
    "many keys": HostileBody(_keys),
    "nested": HostileBody(_framed(b"", b"[", 3.9, b"")),
    "a wide text": HostileBody(_framed('{"result": "🍜'.encode(), b"x", 3.8, b'"}')),
    "an event without end": HostileBody(
        lambda: itertools.chain([b"data: "], _endless(b"x")()), kind=EVENTS
    ),
    "an event of lists": HostileBody(_framed(b"data: [", b"[],", 7, b"[]]\n\n"), kind=EVENTS),
    "empty events": HostileBody(_endless(b"\n\n"), kind=EVENTS),
    "events of one line": HostileBody(_endless(b"data\n"), kind=EVENTS),
}


HARMLESS = HostileBody(lambda: iter([b'{"ok": false, "error_code": 400, "code": 1}']), status=400)
"""A refusal, which whoever asks reads to its end."""


@asynccontextmanager
async def serving_hostile(body: HostileBody) -> AsyncIterator[str]:
    """Yield the address of a server that answers everything with ``body``."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            lines = [
                f"HTTP/1.1 {body.status} X",
                f"Content-Type: {body.kind}",
                "Connection: close",
                *(f"{name}: {value}" for name, value in body.headers.items()),
            ]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            for part in body.parts():
                writer.write(part)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        host, port = server.sockets[0].getsockname()
        yield f"http://{host}:{port}"
