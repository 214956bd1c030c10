"""Reading character cards V2 and V3, as PNG or JSON, and world books.

A card comes from a stranger: sizes are limited before anything is unpacked, and it is read whole
or refused. The formats: https://github.com/malfoyslastname/character-card-spec-v2 and
https://github.com/kwaroran/character-card-spec-v3.
"""

import binascii
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, Final

import orjson

from bot.conversation.recordings import LONGEST_NAME, LONGEST_TEXT
from bot.texts.bring import BringFlaw
from memory.errors import InputRefused

LARGEST_CARD: Final = 16 * 1024 * 1024  # bytes of JSON, unpacked
MOST_BOOK_ENTRIES: Final = 1000
PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
MOST_NAMED_PARTS: Final = 10_000

_CONTROL_CHARACTERS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_DIRECTION_MARKS: Final = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_SPECS: Final = frozenset({"chara_card_v2", "chara_card_v3"})


class CannotBring(InputRefused):
    """A file that ``bring`` refuses: ``flaw`` says why, ``place`` where, ``limit`` how far."""

    def __init__(self, flaw: BringFlaw, *, place: str = "", limit: str = "") -> None:
        super().__init__(flaw.value, place=place, limit=limit)
        self.flaw = flaw
        self.place = place
        self.limit = limit


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """One entry of a world book: the words that call it up, and what it says."""

    keys: tuple[str, ...]
    text: str

    @property
    def written(self) -> str:
        """The entry as one text, its keys first, so that they find it."""
        return f"{' / '.join(self.keys)}: {self.text}" if self.keys else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A character: who it is, and its world book. ``skipped`` entries are off or empty."""

    kind: str
    name: str
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    greeting: str = ""
    examples: str = ""
    notes: str = ""
    book: tuple[BookEntry, ...] = ()
    skipped: int = 0


def clean_text(given: object, place: str) -> str:
    """Return a text without what acts in a terminal; raises :class:`CannotBring`."""
    if given is None:
        return ""
    if not isinstance(given, str):
        raise CannotBring(BringFlaw.BROKEN, place=place)
    if len(given) > LONGEST_TEXT:
        raise CannotBring(BringFlaw.TOO_LARGE, limit=f"{LONGEST_TEXT} · {place}")
    text = given.replace("\r\n", "\n").replace("\r", "\n")
    return _DIRECTION_MARKS.sub("", _CONTROL_CHARACTERS.sub("", text)).strip()


def clean_name(given: object, place: str) -> str:
    """Return a name as it is shown; raises :class:`CannotBring` for one no person has."""
    name = _DIRECTION_MARKS.sub("", given).strip() if isinstance(given, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise CannotBring(BringFlaw.NAME, place=place)
    return name


def card_of_png(data: bytes) -> Card:
    """Return the card in a picture, the newer one where there are two."""
    found: dict[str, bytes] = {}
    for kind, body in _chunks(data):
        named = _named_text(kind, body)
        if named is not None and named[0] in {"chara", "ccv3"}:
            found.setdefault(*named)
    written = found.get("ccv3", found.get("chara"))
    if written is None:
        raise CannotBring(BringFlaw.FOREIGN)
    try:
        body = orjson.loads(b64decode(written, validate=True))
    except (ValueError, binascii.Error) as error:
        raise CannotBring(BringFlaw.BROKEN, place="PNG: chara") from error
    card = card_of(body)
    if card is None:
        raise CannotBring(BringFlaw.FOREIGN)
    return card


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at, count = len(PNG_SIGNATURE), 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        crc = data[at + 8 + length : at + 12 + length]
        count += 1
        if len(crc) < len(b"crc!") or count > MOST_NAMED_PARTS:
            raise CannotBring(BringFlaw.BROKEN, place="PNG")
        if kind in {b"tEXt", b"zTXt", b"iTXt"}:
            if zlib.crc32(kind + body) != int.from_bytes(crc, "big"):
                raise CannotBring(BringFlaw.BROKEN, place="PNG: CRC")
            yield kind, body
        if kind == b"IEND":
            return
        at += 12 + length
    raise CannotBring(BringFlaw.BROKEN, place="PNG: IEND")


def _named_text(kind: bytes, body: bytes) -> tuple[str, bytes] | None:
    """Return the keyword of a text chunk and its text, unpacked as far as the limit."""
    keyword, _, rest = body.partition(b"\0")
    if keyword not in {b"chara", b"ccv3"}:
        return None
    packed = kind == b"zTXt"
    if kind == b"zTXt":
        rest = rest[1:]
    elif kind == b"iTXt":
        packed = rest[:1] == b"\x01"
        # Two flags, then the language and the translated keyword, each ended by a zero.
        rest = rest[2:].partition(b"\0")[2].partition(b"\0")[2]
    if packed:
        rest = _unpacked(rest)
    if len(rest) > LARGEST_CARD:
        raise CannotBring(BringFlaw.TOO_LARGE, limit=f"{LARGEST_CARD // 1024**2} MB")
    return keyword.decode("ascii"), rest


def _unpacked(data: bytes) -> bytes:
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(data, LARGEST_CARD)
    except zlib.error as error:
        raise CannotBring(BringFlaw.BROKEN, place="PNG: zlib") from error
    if opened.unconsumed_tail:
        raise CannotBring(BringFlaw.TOO_LARGE, limit=f"{LARGEST_CARD // 1024**2} MB")
    if not opened.eof:
        raise CannotBring(BringFlaw.BROKEN, place="PNG: zlib")
    return text


def card_of(body: object) -> Card | None:
    """Return the card or world book in a parsed file, None if it is neither."""
    if not isinstance(body, dict):
        return None
    if str(body.get("spec")) in _SPECS:
        return _character(json_object(body.get("data"), "data"))
    book = body.get("data") if body.get("spec") == "lorebook_v3" else body
    listed = book.get("entries") if isinstance(book, dict) else None
    each = list(listed.values()) if isinstance(listed, dict) else listed
    if isinstance(book, dict) and isinstance(each, list) and _are_book_entries(each):
        entries, skipped = _book(each)
        name = clean_name(book.get("name") or "world book", "name")
        return Card(kind="lorebook", name=name, book=entries, skipped=skipped)
    return None


def _are_book_entries(listed: list[Any]) -> bool:
    """Whether entries have keys and a content; a memory's entries have none of the keys."""
    return bool(listed) and all(
        isinstance(e, dict) and "content" in e and ("keys" in e or "key" in e) for e in listed
    )


def _character(data: Mapping[str, Any]) -> Card:
    name = clean_name(data.get("name"), "data.name")

    def text(key: str) -> str:
        return clean_text(data.get(key), f"data.{key}")

    book = data.get("character_book")
    listed = [] if book is None else json_object(book, "character_book").get("entries", [])
    entries, skipped = _book(listed)
    return Card(
        kind="card",
        name=name,
        nickname=clean_name(data["nickname"], "data.nickname") if data.get("nickname") else "",
        description=text("description"),
        personality=text("personality"),
        scenario=text("scenario"),
        greeting=text("first_mes"),
        examples=text("mes_example"),
        notes="\n\n".join(
            filter(None, (text("system_prompt"), text("post_history_instructions")))
        ),
        book=entries,
        skipped=skipped,
    )


def _book(listed: object) -> tuple[tuple[BookEntry, ...], int]:
    if not isinstance(listed, list):
        raise CannotBring(BringFlaw.BROKEN, place="entries")
    if len(listed) > MOST_BOOK_ENTRIES:
        raise CannotBring(BringFlaw.TOO_LARGE, limit=f"{MOST_BOOK_ENTRIES} entries")
    read = [
        _book_entry(json_object(each, f"entries {number}"), f"entries {number}")
        for number, each in enumerate(listed, start=1)
    ]
    kept = tuple(entry for entry in read if entry is not None)
    return kept, len(read) - len(kept)


def _book_entry(given: Mapping[str, Any], place: str) -> BookEntry | None:
    keys = given.get("keys", given.get("key", []))
    if not isinstance(keys, list) or len(keys) > MOST_BOOK_ENTRIES:
        raise CannotBring(BringFlaw.BROKEN, place=f"{place}: keys")
    shown = tuple(word for key in keys for word in _key_words(clean_text(key, f"{place}: keys")))
    lines = clean_text(given.get("content"), f"{place}: content").split("\n")
    # V3 writes orders to the program, like "@@depth 4", before the text itself, and only there.
    text = "\n".join(dropwhile(lambda line: line.startswith("@@"), lines)).strip()
    off = given.get("enabled") is False or given.get("disable") is True
    return None if off or not text else BookEntry(keys=shown, text=text)


def _key_words(key: str) -> Iterator[str]:
    """Yield the words of a key; of a pattern its plain alternatives, for it stands in the text.

    >>> [*_key_words("green tea")], [*_key_words("/(tea|红茶|hi+ll)/i")]
    (['green tea'], ['tea', '红茶'])
    """
    pattern = _PATTERN.fullmatch(key)
    if pattern is None:
        yield from filter(None, [key])
        return
    words = (each.strip("()^$").strip() for each in pattern[1].split("|"))
    yield from (each for each in words if each and not _SYNTAX.search(each))


_PATTERN: Final = re.compile(r"/(.+)/[a-z]*", re.DOTALL)
_SYNTAX: Final = re.compile(r"[\\()\[\]{}*+?.^$]")


def json_object(given: object, place: str) -> Mapping[str, Any]:
    """Return what must be an object; raises :class:`CannotBring` naming the place."""
    if not isinstance(given, dict):
        raise CannotBring(BringFlaw.BROKEN, place=place)
    return given


_PLACEHOLDER: Final = re.compile(r"\{\{(char|user)\}\}|<(BOT|CHAR|USER)>", re.IGNORECASE)
_NOTE: Final = re.compile(
    r"\{\{(?://|comment:|hidden_key:)[^{}]*\}\}|\{\{original\}\}|^[ \t]*<START>[ \t]*\n?"
    r"|[\[(（【][ \t]*OOC[ \t]*[:：][^\[\](（）)【】]*[\])）】]"
    r"|^[ \t]*Write [^.\n]{1,60}['’]s next (?:reply|response|message)\b[^.\n]*\.?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_CHOICE: Final = re.compile(r"\{\{(?:random|pick):{1,2}([^{},:]+)[^{}]*\}\}", re.IGNORECASE)
"""What the author wrote for programs: notes, the program's own prompt, one of several words."""


def filled(text: str, card: Card, partner: str) -> str:
    """Return a text of a card with both names in their places, as V3 asks for it.

    Notes to programs go; of words to choose from the first one is taken, since a persona is read
    and changed by its partner before it is used.

    >>> filled("{{char}} waits for {{User}}{{// why?}}", Card(kind="card", name="Aki"), "you")
    'Aki waits for you'
    """

    def name(found: re.Match[str]) -> str:
        word = (found[1] or found[2]).lower()
        return partner if word == "user" else card.nickname or card.name

    plain = _CHOICE.sub(lambda found: found[1].strip(), _NOTE.sub("", text))
    return _PLACEHOLDER.sub(name, plain).strip()
