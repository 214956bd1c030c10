"""Facts nobody ever said, the forms a file may hold them in, and where they are found."""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

PEOPLE = "甲乙丙丁戊己庚辛壬癸"
THINGS = (
    "琥珀花生",
    "银杏风筝",
    "紫藤邮票",
    "松烟砚台",
    "青瓷口琴",
    "薄荷罗盘",
    "竹节陀螺",
    "玳瑁钢笔",
    "云母棋盘",
    "沉香灯笼",
    "Quixhampton kites",
    "Velmora lanterns",
    "Brindlewick clocks",
    "Ostrava teacups",
    "Thornhollow maps",
    "Winterbloom seeds",
    "Calderstone drums",
    "Fenwick marbles",
    "Larkspur compasses",
    "Ravenmoor stamps",
)


def facts(person: int) -> list[str]:
    """Return twenty facts of one person, none of which anybody else tells."""
    mark = PEOPLE[person % len(PEOPLE)] + str(1000 + 37 * person)
    return [f"{thing}{mark}号" if thing > "一" else f"{thing} {mark}" for thing in THINGS]


def spoken(fact: str, number: int) -> str:
    """Return a fact as somebody may write it: in plain words, or in one of seven disguises."""
    disguises = (
        fact,
        b64encode(fact.encode()).decode(),
        quote(fact),
        json.dumps(fact)[1:-1],
        fact.encode().hex(),
        fact[::-1],
        fact.encode("utf-16-le").hex(),
        fact.encode("gbk").hex(),
    )
    return disguises[number % len(disguises)]


def forms(text: str) -> Iterator[bytes]:
    """Yield the eight encodings in which a byte search looks for a text."""
    utf8 = text.encode()
    yield utf8
    yield text.encode("utf-16-le")
    yield text.encode("gbk")
    for shift in range(3):  # base64 of a text within another depends on where it begins
        coded = b64encode(b"\0" * shift + utf8)
        yield coded[4 if shift else 0 : -4]
    yield quote(text).encode()
    yield json.dumps(text)[1:-1].encode()
    yield utf8.hex().encode()
    yield text[::-1].encode()


def found(folder: Path, texts: list[str]) -> list[str]:
    """Return where any of the texts stands in a folder, in any of its forms."""
    sought = {form: text for text in texts for form in forms(text)}
    return [
        f"{path.relative_to(folder)}: {text}"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for data in [b"\0".join(everything_in(path.read_bytes()))]
        for form, text in sought.items()
        if form in data
    ]


def everything_in(data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a file, and whatever anywhere in it can be decompressed."""
    yield data
    # By itself and not as the program reads its pages: what nobody points at counts as well.
    for place in (each.start() for each in re.finditer(b"\x78[\x01\x5e\x9c\xda]", data)):
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(data[place:])


def fingerprint(*folders: Path) -> str:
    """Return what tells whether anything in the folders changed by a byte."""
    hashed = sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                hashed.update(path.name.encode() + path.read_bytes())
    return hashed.hexdigest()
