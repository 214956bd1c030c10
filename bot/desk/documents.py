"""What a command answers: a few kinds of block that every platform can show in its own way."""

from dataclasses import dataclass
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
    """Rows under named columns. ``keys`` name the columns for machines, ``columns`` for people."""

    keys: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


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


Block: TypeAlias = Text | Table | Facts | Tree


@dataclass(frozen=True, slots=True)
class Document:
    """A whole answer of the desk, free of any platform."""

    blocks: tuple[Block, ...]


def shown(cell: Cell) -> str:
    """Return a cell as a person reads it."""
    return cell.shown if isinstance(cell, Term) else cell


def plain(cell: Cell) -> str:
    """Return a cell as a program reads it, the same in every language."""
    return cell.plain if isinstance(cell, Term) else cell
