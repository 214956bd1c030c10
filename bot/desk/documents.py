"""What a command answers: a few kinds of block, as values, as JSON.

The port that shows them.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Final, Protocol, TypeAlias

from bot.conversation.delivery import ConversationPlatform
from bot.conversation.messages import ConversationKey
from memory.errors import InputRefused


@dataclass(frozen=True, slots=True)
class Term:
    """A word of our own: one for people, in their language, and one for machines."""

    shown: str
    plain: str


Cell: TypeAlias = str | Term
"""What stands in a table or beside a name; a string means the same to everyone."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``title`` makes it a heading."""

    text: str
    title: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns. ``keys`` name the columns for machines, ``columns`` for people.

    ``name`` is what a program finds the rows under.
    """

    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = "rows"


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values of one thing: (key for machines, name for people, value)."""

    entries: tuple[tuple[str, str, Cell], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a tree and what hangs on it."""

    label: str
    branches: tuple["Branch", ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """Something and what it is tied to."""

    root: Branch
    name: str = "links"


class Colour(Enum):
    """How something is doing, as a colour says it."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: ``share`` of the whole length, 0 to 1, and the value written behind it."""

    key: str
    label: Cell
    share: float
    value: str
    colour: Colour = Colour.PLAIN


@dataclass(frozen=True, slots=True)
class Bars:
    """Amounts beside one another, longest possible at 1."""

    bars: tuple[Bar, ...]
    name: str = "bars"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG; ``alt`` says the same in letters, for whoever cannot show it."""

    svg: str
    alt: str
    name: str = "picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to take along. ``alt`` says in words what it was, where it could not be handed over.

    ``path`` is where it was put, on a platform that puts files somewhere.
    """

    name: str
    data: bytes
    alt: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press: ``command`` is what pressing it says, a whole command line."""

    label: str
    command: str


@dataclass(frozen=True, slots=True)
class Buttons:
    """What can be done next."""

    buttons: tuple[Button, ...]


Block: TypeAlias = Text | Table | Facts | Tree | Bars | Picture | File | Buttons


@dataclass(frozen=True, slots=True)
class Document:
    """A whole answer of the desk, free of any platform.

    One ``in_place`` goes on from what the pressed button stood under and, where a platform can,
    takes its place. A ``quiet`` one answers nothing that was asked: it disturbs nobody, and is
    shown once or, if that fails, not at all.
    """

    blocks: tuple[Block, ...]
    quiet: bool = False
    in_place: bool = False


def display_text(cell: Cell) -> str:
    """Return a cell as a person reads it."""
    return cell.shown if isinstance(cell, Term) else cell


def raw_text(cell: Cell) -> str:
    """Return a cell as a program reads it, the same in every language."""
    return cell.plain if isinstance(cell, Term) else cell


_KINDS: Final[Mapping[str, Any]] = {
    kind.__name__: kind
    for kind in (
        *(Bar, Bars, Branch, Button, Buttons, Colour, Document, Facts),
        *(File, Picture, Table, Term, Text, Tree),
    )
}

_KIND_KEY: Final = "is"


def to_data(value: object) -> Any:
    """Return a document, or anything in one, as JSON can say it."""
    if isinstance(value, Enum):
        return {_KIND_KEY: type(value).__name__, "value": value.value}
    if isinstance(value, bytes):
        return {_KIND_KEY: "bytes", "value": b64encode(value).decode("ascii")}
    if isinstance(value, tuple):
        return [to_data(each) for each in value]
    if is_dataclass(value):
        told = {each.name: to_data(getattr(value, each.name)) for each in fields(value)}
        return {_KIND_KEY: type(value).__name__, **told}
    return value


def document_from(data: object) -> Document:
    """Return the document in what :func:`to_data` made; raises :class:`InputRefused`."""
    try:
        document = _from_data(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputRefused("the running program answered what no document is") from error
    if not isinstance(document, Document):
        raise InputRefused("the running program answered what no document is")
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


class Presenter(Protocol):
    """A platform that can show documents."""

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document; what goes wrong with the platform is the presenter's own affair."""


class DocumentPlatform(ConversationPlatform, Protocol):
    """A platform that can show documents beside answers."""

    @property
    def presenter(self) -> Presenter:
        """How documents get there."""


Adapters: TypeAlias = Mapping[str, DocumentPlatform]
"""The platforms that take part in a running program, by their names."""
