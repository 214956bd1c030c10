"""Tables on a phone: how wide a text is, and rows as a list for what has no room in columns."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from bot.desk.documents import Table, display_text

PHONE_COLUMNS: Final = 38
"""So many columns of a monospaced font a phone shows in a line."""


@dataclass(frozen=True, slots=True)
class TableItem:
    """A row: its first cell, the one that says most, the others as they can stand alone."""

    first: str
    main: str
    rest: tuple[str, ...]


def display_width(text: str) -> int:
    """Return how many columns a text takes: a Chinese character takes two.

    >>> width("猫 cat")
    6
    """
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def table_items(table: Table) -> tuple[TableItem, ...]:
    """Return the rows of a table as items; what says most is the same column in each."""
    rows = [tuple(map(display_text, row)) for row in table.rows]
    weight = [sum(display_width(row[n]) for row in rows) for n in range(len(table.columns))]
    main = max(range(1, len(weight)), key=weight.__getitem__, default=0)
    return tuple(
        TableItem(
            row[0],
            row[main] if main else "",
            tuple(
                named
                for n in range(1, len(row))
                if n != main and (named := _labelled_cell(table.columns[n], row[n]))
            ),
        )
        for row in rows
    )


def _labelled_cell(column: str, cell: str) -> str:
    """Return a cell as it can stand without its column: a bare number with the name of that."""
    return f"{column} {cell}" if cell.replace(".", "").isdigit() else cell
