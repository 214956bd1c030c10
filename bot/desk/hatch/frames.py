"""What goes through the hatch: one JSON object there and one back, each behind its length.

A frame is four bytes, the length of the JSON as a big-endian number, and then the JSON in UTF-8.
"""

import asyncio
from typing import Any, Final

import orjson

from memory.errors import XiaoxiangError

LARGEST_FRAME: Final = 96 * 1024 * 1024
"""Bytes of a frame: an export of the largest size that is taken in, and some room."""

_LENGTH_BYTES: Final = 4


class BadFrame(XiaoxiangError):
    """What came through is no frame, or came too slowly."""


def to_frame(body: dict[str, Any]) -> bytes:
    """Return a frame."""
    told = orjson.dumps(body)
    return len(told).to_bytes(_LENGTH_BYTES) + told


async def read_frame(reader: asyncio.StreamReader, seconds: float) -> dict[str, Any]:
    """Return the object of the next frame; raises :class:`BadFrame`."""
    try:
        async with asyncio.timeout(seconds):
            length = int.from_bytes(await reader.readexactly(_LENGTH_BYTES))
            if length > LARGEST_FRAME:
                raise BadFrame("the frame is too long")
            body = orjson.loads(await reader.readexactly(length))
    except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
        raise BadFrame("no whole frame came") from error
    except orjson.JSONDecodeError as error:
        raise BadFrame("the frame holds no JSON") from error
    if not isinstance(body, dict):
        raise BadFrame("the frame holds no object")
    return body
