"""Blocks in letters: plain lines for every kind, and tables as a phone can show them."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Branch,
    Buttons,
    Colour,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    display_text,
)

BAR_WIDTH: Final = 10

LIGHTS: Final = {Colour.GREEN: "🟢 ", Colour.YELLOW: "🟡 ", Colour.RED: "🔴 ", Colour.PLAIN: ""}


def as_text(block: Block) -> str:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    """Return the block as lines that any platform can show, in a font of any kind."""
    match block:
        case Text(text):
            return text
        case Table(rows=rows):
            return "\n".join(" · ".join(filter(None, map(display_text, row))) for row in rows)
        case Facts(entries):
            return "\n".join(f"{name}: {display_text(value)}" for _, name, value in entries)
        case Tree(root):
            return "\n".join((root.label, *_tree_lines(root)))
        case Bars(bars):
            return "\n".join(_bar_line(bar) for bar in bars)
        case Picture(alt=alt):
            return alt
        case File(alt=alt, path=path):
            return f"📎 {path}" if path else alt
        case Buttons(buttons):
            return "\n".join(f"▸ {button.label}: {button.command}" for button in buttons)
        case never:
            assert_never(never)


def bar_text(bar: Bar, width: int = BAR_WIDTH) -> str:
    """Return a bar in letters; whatever is not nothing shows at least one."""
    share = min(max(bar.share, 0.0), 1.0)
    filled = max(round(share * width), 1 if share > 0 else 0)
    return "█" * filled + "░" * (width - filled)


def _bar_line(bar: Bar) -> str:
    label = f"{LIGHTS[bar.colour]}{display_text(bar.label)}"
    return f"{label} {bar_text(bar)} {bar.value}".rstrip()


def _tree_lines(branch: Branch, before: str = "") -> Iterator[str]:
    last = len(branch.branches) - 1
    for number, each in enumerate(branch.branches):
        yield f"{before}{'└' if number == last else '├'} {each.label}"
        yield from _tree_lines(each, before + ("  " if number == last else "│ "))


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
