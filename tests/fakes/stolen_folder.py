"""Whoever takes the data folder away, and looks in it for one text in every way it may stand."""

import gzip
import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, quote_plus


def spellings(text: str) -> dict[str, list[bytes]]:
    """Return the eight ways a text is looked for, as bytes; the last one is of unpacked files."""
    plain = text.encode()
    escaped = json.dumps(text)[1:-1]
    return {
        "utf-8": [plain],
        "utf-16-le": [text.encode("utf-16-le")],
        "utf-16-be": [text.encode("utf-16-be")],
        "escaped": [escaped.encode(), escaped.upper().replace("\\U", "\\u").encode()],
        "base64": list(_base64(plain)),
        "hex": [plain.hex().encode(), plain.hex().upper().encode()],
        "quoted": [quote(text).encode(), quote_plus(text).encode(), quote(text).lower().encode()],
        "gzip": [plain],
    }


def found_in(data: bytes, text: str) -> list[str]:
    """Return in which spellings ``text`` stands in ``data``."""
    found = [
        name
        for name, ways in spellings(text).items()
        if name != "gzip" and any(way in data for way in ways)
    ]
    if any(text.encode() in unpacked for unpacked in _unpacked(data)):
        found.append("gzip")
    return found


def found_under(folder: Path, text: str) -> list[str]:
    """Return every place in a folder, names of files included, where ``text`` stands."""
    places = []
    for path in sorted(folder.rglob("*")):
        held = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
        places += [f"{path.relative_to(folder)}: {way}" for way in found_in(held, text)]
    return places


def _base64(plain: bytes) -> Iterator[bytes]:
    """Yield what base64 makes of a text wherever in a longer one it begins."""
    for shift in range(3):
        coded = b64encode(b"\0" * shift + plain)
        whole = (shift + len(plain)) // 3 * 4
        yield coded[-(-shift * 4 // 3) if shift else 0 : whole].rstrip(b"=")


def _unpacked(data: bytes) -> Iterator[bytes]:
    start = data.find(b"\x1f\x8b")
    while start >= 0:
        with suppress(zlib.error):
            yield zlib.decompressobj(wbits=31).decompress(data[start:])
        start = data.find(b"\x1f\x8b", start + 1)


def packed(text: str) -> bytes:
    """Return a text as gzip writes it, to try the search on."""
    return gzip.compress(text.encode())
