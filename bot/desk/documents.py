"""What a command answers: a few kinds of block that every platform can show in its own way."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


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
