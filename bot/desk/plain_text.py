"""Blocks as text: plain lines for every kind of block, and tables that fit on a phone.

Every platform falls back to these lines for what it cannot render natively.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from bot.desk import documents

BAR_WIDTH: Final = 10

LIGHTS: Final = {
    documents.Colour.GREEN: "🟢 ",
    documents.Colour.YELLOW: "🟡 ",
    documents.Colour.RED: "🔴 ",
    documents.Colour.PLAIN: "",
}


def document_text(document: documents.Document) -> str:
    """Return a document as plain lines, its blocks apart."""
    return "\n\n".join(filter(None, map(as_text, document.blocks)))


def as_text(block: documents.Block) -> str:
    """Return a block as lines that any platform can show, also in a proportional font."""
    match block:
        case documents.Text(text):
            return text
        case documents.Picture(alt=alt):
            return alt
        case documents.File(alt=alt, path=path):
            return f"📎 {path}" if path else alt
        case listed:
            return "\n".join(_lines_of(listed))


def _lines_of(
    block: documents.Table | documents.Facts | documents.Tree | documents.Bars | documents.Buttons,
) -> Iterator[str]:
    """Yield one line for each row, fact, branch, bar or button."""
    match block:
        case documents.Table(rows=rows):
            yield from (" · ".join(filter(None, map(documents.display_text, row))) for row in rows)
        case documents.Facts(entries):
            yield from (f"{name}: {documents.display_text(value)}" for _, name, value in entries)
        case documents.Tree(root):
            yield root.label
            yield from _tree_lines(root)
        case documents.Bars(bars):
            yield from map(_bar_line, bars)
        case documents.Buttons(buttons):
            yield from (f"▸ {button.label}: {button.command}" for button in buttons)
        case never:
            assert_never(never)


def bar_text(bar: documents.Bar, width: int = BAR_WIDTH) -> str:
    """Return a bar of ``width`` letters; anything above 0 fills at least one of them."""
    share = min(max(bar.share, 0.0), 1.0)
    filled = max(round(share * width), 1 if share > 0 else 0)
    return "█" * filled + "░" * (width - filled)


def _bar_line(bar: documents.Bar) -> str:
    label = f"{LIGHTS[bar.colour]}{documents.display_text(bar.label)}"
    return f"{label} {bar_text(bar)} {bar.value}".rstrip()


def _tree_lines(branch: documents.Branch, before: str = "") -> Iterator[str]:
    last = len(branch.branches) - 1
    for number, each in enumerate(branch.branches):
        yield f"{before}{'└' if number == last else '├'} {each.label}"
        yield from _tree_lines(each, before + ("  " if number == last else "│ "))


# Measured on a telephone 390 points wide; a wider table is wrapped and cannot be read.
PHONE_COLUMNS: Final = 38
"""How many columns of a monospaced font a phone shows in one line."""


@dataclass(frozen=True, slots=True)
class TableItem:
    """A row of a table as an item of a list: its first cell, its longest one, and the others."""

    first: str
    main: str
    rest: tuple[str, ...]


def display_width(text: str) -> int:
    """Return how many columns a text takes in a monospaced font: two for a Chinese character.

    >>> display_width("猫 cat")
    6
    """
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def table_items(table: documents.Table) -> tuple[TableItem, ...]:
    """Return the rows of a table as items; the main cell is the same column in each."""
    rows = [tuple(map(documents.display_text, row)) for row in table.rows]
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
    """Return a cell as it stands without its column: a bare number needs the column's name."""
    return f"{column} {cell}" if cell.replace(".", "").isdigit() else cell
