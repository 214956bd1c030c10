"""What a command answers: a document of a few kinds of block, free of any platform.

A document can be turned into JSON and back, to pass through the control socket. Each platform has
a :class:`Presenter` that shows it in its own way.
"""

import json
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

from bot.conversation.delivery import (
    ConversationPlatform,
    DocumentSender,
    RecordPiece,
    Target,
)
from bot.conversation.messages import ConversationKey
from bot.conversation.reply_text import without_controls
from bot.desk.caller import ButtonSigner, new_nonce
from bot.texts import refusals
from memory.errors import InputRefused


@dataclass(frozen=True, slots=True)
class Term:
    """A word with two forms: ``shown`` for people, in their language, ``plain`` for programs."""

    shown: str
    plain: str


Cell: TypeAlias = str | Term
"""A value in a table or beside a name; a plain string is the same for people and programs."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``title`` makes it a heading."""

    text: str
    title: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns: ``keys`` are the names for programs, ``columns`` those for people.

    A program finds the rows under ``name``.
    """

    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = "rows"


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values of one thing: (key for programs, name for people, value)."""

    entries: tuple[tuple[str, str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a tree and the branches below it."""

    label: str
    branches: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """Something and what it is linked to."""

    root: Branch
    name: str = "links"


class Colour(Enum):
    """How well something is doing."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: its ``share`` of the whole length, 0 to 1, and the value written behind it."""

    key: str
    label: Cell
    share: float
    value: str
    colour: Colour = Colour.PLAIN


@dataclass(frozen=True, slots=True)
class Bars:
    """Amounts to compare; a share of 1 is the longest bar."""

    bars: tuple[Bar, ...]
    name: str = "bars"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG; ``alt`` says the same in text, where no picture can be shown."""

    svg: str
    alt: str
    name: str = "picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to hand over; ``alt`` is the text where a platform cannot do so.

    ``path`` is where it was saved, on a platform that saves files.
    """

    name: str
    data: bytes
    alt: str
    path: str = ""


_LOCAL: Final = "local"
"""Marks a field that is of use within one program only, and left out of the JSON."""

_IF_SET: Final = "if set"
"""Marks a field that the JSON holds only if it is not empty: an older shell does not know it."""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press; ``command`` is the whole command line that pressing it gives.

    ``person`` is who alone may press it, by platform and id; empty if anybody in the chat may.
    ``or_admins``: who leads the group may as well.
    """

    label: str
    command: str
    person: str = field(default="", metadata={_IF_SET: True})
    or_admins: bool = field(default=False, metadata={_IF_SET: True})


@dataclass(frozen=True, slots=True)
class Buttons:
    """The buttons below an answer: what can be done next.

    ``choice``: they answer one question, so only the first press counts.
    """

    buttons: tuple[Button, ...]
    choice: bool = field(default=False, metadata={_IF_SET: True})


Block: TypeAlias = Text | Table | Facts | Tree | Bars | Picture | File | Buttons


@dataclass(frozen=True, slots=True)
class Document:
    """A whole answer of the desk.

    ``in_place``: it replaces the message under which the button was pressed, where a platform can
    do that. ``quiet``: it answers no question, so it notifies nobody, and is shown once or, if
    that fails, not at all. ``secret``: it, or the command it answers, says what is kept sealed,
    and is never written down.
    """

    blocks: tuple[Block, ...]
    quiet: bool = False
    in_place: bool = False
    secret: bool = field(default=False, metadata={_LOCAL: True})


def display_width(text: str) -> int:
    """Return how many columns a text takes in a monospaced font: two for a Chinese character.

    >>> display_width("猫 cat")
    6
    """
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def display_text(cell: Cell) -> str:
    """Return a cell as people read it."""
    return cell.shown if isinstance(cell, Term) else cell


def raw_text(cell: Cell) -> str:
    """Return a cell as programs read it, the same in every language."""
    return cell.plain if isinstance(cell, Term) else cell


# The names in the JSON are written out: a class that is renamed must not change what a running
# program and a shell of another version understand.
_KINDS: Final[Mapping[str, Any]] = {
    "Bar": Bar,
    "Bars": Bars,
    "Branch": Branch,
    "Button": Button,
    "Buttons": Buttons,
    "Colour": Colour,
    "Document": Document,
    "Facts": Facts,
    "File": File,
    "Picture": Picture,
    "Table": Table,
    "Term": Term,
    "Text": Text,
    "Tree": Tree,
}

_KIND_NAMES: Final = {kind: name for name, kind in _KINDS.items()}

_KIND_KEY: Final = "is"


def to_data(value: object) -> Any:
    """Return a document, or anything in one, as values that JSON can hold."""
    if isinstance(value, Enum):
        return {_KIND_KEY: _KIND_NAMES[type(value)], "value": value.value}
    if isinstance(value, bytes):
        return {_KIND_KEY: "bytes", "value": b64encode(value).decode("ascii")}
    if isinstance(value, tuple):
        return [to_data(each) for each in value]
    if is_dataclass(value):
        told = (
            each.name
            for each in fields(value)
            if _LOCAL not in each.metadata
            and (_IF_SET not in each.metadata or getattr(value, each.name))
        )
        members = {name: to_data(getattr(value, name)) for name in told}
        return {_KIND_KEY: _KIND_NAMES[type(value)], **members}
    return value


def document_from(data: object) -> Document:
    """Return the document that :func:`to_data` made. Raises :class:`InputRefused`."""
    try:
        document = _from_data(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputRefused(refusals.ANSWER_UNREADABLE) from error
    if not isinstance(document, Document):
        raise InputRefused(refusals.ANSWER_UNREADABLE)
    return document


def _from_data(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(map(_from_data, data))
    if not isinstance(data, dict):
        return data
    if data[_KIND_KEY] == "bytes":
        return b64decode(data["value"], validate=True)
    return _KINDS[data[_KIND_KEY]](
        **{name: _from_data(value) for name, value in data.items() if name != _KIND_KEY}
    )


def signed_buttons(
    document: Document, signer: ButtonSigner, chat: str, now: datetime
) -> dict[Button, str]:
    """Return the data of a document's buttons for a chat, without those it has no room for."""
    signed: dict[Button, str] = {}
    for block in document.blocks:
        if not isinstance(block, Buttons):
            continue
        choice = new_nonce() if block.choice else ""
        for each in block.buttons:
            data = signer.sign(
                each.command, chat, now, each.person, or_admins=each.or_admins, choice=choice
            )
            if data is not None:
                signed[each] = data
    return signed


class Presenter(Protocol):
    """A platform that can show documents."""

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document. Trouble with the platform is handled here and raises nothing."""

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        """Show the answer of a command so that a crash neither loses nor repeats it.

        Raises as :meth:`bot.conversation.delivery.Delivery.finish`. Each message is reported to
        ``record_piece`` before it shows anything, or is recognised by the platform.
        """


class DocumentPlatform(ConversationPlatform, Protocol):
    """A platform that can show documents beside answers."""

    @property
    def presenter(self) -> Presenter:
        """How documents get there."""


Adapters: TypeAlias = Mapping[str, DocumentPlatform]
"""The platforms that take part in a running program, by their names."""

_KEPT_AS_IS: Final = frozenset({"command", "svg", "key", "plain", "path"})
"""Fields that nobody reads: what a program acts upon."""


def harmless_document(document: Document) -> Document:
    """Return a document whose words hold nothing that steers whoever shows them."""
    found = _without_controls(document)
    return found if isinstance(found, Document) else document


def _without_controls(value: object) -> object:
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, tuple):
        return tuple(map(_without_controls, value))
    if is_dataclass(value) and not isinstance(value, type):
        words = {
            each.name: _without_controls(getattr(value, each.name))
            for each in fields(value)
            if each.name not in _KEPT_AS_IS
        }
        return replace(value, **words)
    return value


OWED_CHARACTERS: Final = 200_000
"""The longest JSON of a document that is kept until it is sent; of a longer one only the text."""


def owed_json(document: Document) -> str:
    """Return a document as the ledger keeps it until it is sent; empty if it is too long."""
    found = json.dumps(to_data(document), ensure_ascii=False)
    return found if len(found) <= OWED_CHARACTERS else ""


def document_sender(platforms: Adapters) -> DocumentSender:
    """Return what shows documents, given as such or as :func:`owed_json` made them."""

    async def send(document: object, target: Target, record_piece: RecordPiece) -> None:
        shown = document_from(json.loads(document)) if isinstance(document, str) else document
        if not isinstance(shown, Document):
            raise InputRefused(refusals.NO_DOCUMENT)
        presenter = platforms[target.conversation.platform].presenter
        await presenter.deliver(shown, target, record_piece)

    return send
