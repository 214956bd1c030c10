"""How much of an answer from outside is read, whoever sent it.

An answer is measured as it is used, not as it is sent: what unpacks to more than it looks like, by
an encoding nobody asked for or by JSON of many small values, would fill the memory.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

PLAIN_ONLY: Final[Mapping[str, str]] = {"Accept-Encoding": "identity"}
"""The header of a request whose answer must come as it is."""

LARGEST_FILE: Final = 24 * 1024 * 1024
"""The most bytes of any answer that are read: a little more than the largest file we take."""

LARGEST_JSON: Final = 4 * 1024 * 1024
"""The most bytes of JSON that are parsed; as text they take up to four times the room."""

LARGEST_PARSED: Final = 40 * 1024 * 1024
"""The most memory, in bytes, that the values of a JSON text may take."""

# Measured: what one more of each costs in lists, objects and numbers, at most.
_COST_OF_SIGN: Final[Mapping[bytes, int]] = {b",": 32, b":": 130, b"[": 90, b"{": 90}


def is_plain(headers: Mapping[str, str]) -> bool:
    """Whether an answer or request comes as it is; ``headers`` are looked up in lower case."""
    return headers.get("content-encoding", "").strip().lower() in {"", "identity"}


def parsed_bytes(text: bytes) -> int:
    """Return at least the memory that the values of a JSON text take, strings left out."""
    return sum(cost * text.count(sign) for sign, cost in _COST_OF_SIGN.items())


def may_be_parsed(text: bytes) -> bool:
    """Whether parsing a JSON text is sure to take little memory.

    Counted by signs, those within strings too: an honest answer has a hundredth of the limit.

    >>> may_be_parsed(b'{"ok": true}'), may_be_parsed(b"[" + b"[]," * 1_000_000)
    (True, False)
    """
    return len(text) <= LARGEST_JSON and parsed_bytes(text) <= LARGEST_PARSED


async def limited_stream(
    parts: AsyncIterator[bytes], limit: int, too_large: Callable[[], Exception]
) -> AsyncIterator[bytes]:
    """Yield the parts of a body; raise ``too_large()`` once they exceed ``limit`` bytes.

    The part that crosses the limit is not yielded, so a reader never holds more than ``limit``.
    """
    left = limit
    async for part in parts:
        left -= len(part)
        if left < 0:
            raise too_large()
        yield part
