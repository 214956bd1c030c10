"""What a command answers: a few kinds of block that every platform can show in its own way."""

from dataclasses import dataclass
from typing import TypeAlias


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
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Named values of one thing: (key for machines, name for people, value)."""

    entries: tuple[tuple[str, str, str], ...]


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
