"""How the terminal shows a document, and how a program reads it."""

import sys
from collections.abc import Mapping
from typing import Any, Final, Literal, assert_never

import orjson
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text as RichText
from rich.tree import Tree as RichTree

from bot.adapters.console.letters import harmless
from bot.desk.documents import (
    Bars,
    Block,
    Branch,
    Buttons,
    Colour,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    plain,
    shown,
)
from bot.desk.plain import as_text, drawn_bar

BAR_WIDTH: Final = 24
STYLES: Final[Mapping[Colour, str]] = {
    Colour.GREEN: "green",
    Colour.YELLOW: "yellow",
    Colour.RED: "red",
    Colour.PLAIN: "cyan",
}


def print_document(document: Document, *, as_json: bool = False) -> None:
    """Write the document to standard output, for a person or as one JSON object."""
    if as_json:
        sys.stdout.write(
            orjson.dumps(as_data(document), option=orjson.OPT_INDENT_2).decode() + "\n"
        )
        return
    show(document, Console(highlight=False))


def show(document: Document, console: Console) -> None:
    """Write the document to a terminal; a title and what can be done stand apart.

    A quiet one is set back, and takes no more room than it must.
    """
    if document.quiet:
        console.print(_letters(_aside(document), style="dim"))
        return
    for number, block in enumerate(document.blocks):
        if number > 0 and _stands_apart(block, document.blocks[number - 1]):
            console.print()
        console.print(_rich(block))


def as_data(document: Document) -> dict[str, Any]:
    """Return the document as a program reads it; what has one name is joined."""
    found: dict[str, Any] = {}
    for block in document.blocks:
        for name, value in _plain(block).items():
            known = found.get(name)
            found[name] = _joined(known, value)
    return found


def _joined(known: Any, value: Any) -> Any:
    """Return paragraphs under one another, and lists behind one another."""
    if isinstance(known, str) and isinstance(value, str):
        return f"{known}\n{value}"
    return [*known, *value] if isinstance(known, list) and isinstance(value, list) else value


def _aside(document: Document) -> str:
    """Return what a quiet document says, with what can be done behind it."""
    texts = [block.text for block in document.blocks if isinstance(block, Text)]
    buttons = [b for block in document.blocks if isinstance(block, Buttons) for b in block.buttons]
    steps = "  ".join(f"▸ {button.label} {button.command}" for button in buttons)
    told = "\n".join(texts)
    return f"{told}{chr(10) if chr(10) in told else ''}  {steps}"


def _stands_apart(block: Block, before: Block) -> bool:
    """Tell whether a line is left free above a block: headings, and one shape after another."""
    if isinstance(block, Text):
        return block.title
    return isinstance(block, Buttons) or not isinstance(before, Text)


def _rich(block: Block) -> RenderableType:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    match block:
        case Text(text, title):
            return _letters(text, style="bold" if title else "")
        case Table():
            return _table(block)
        case Facts(entries):
            grid = RichTable.grid(padding=(0, 2))
            for _, name, value in entries:
                grid.add_row(_letters(name, style="dim"), _letters(shown(value), overflow="fold"))
            return grid
        case Tree(root):
            return _grown(RichTree(_letters(root.label, style="dim"), guide_style="dim"), root)
        case Bars():
            return _bars(block)
        case Picture(alt=alt):
            return _letters(alt)
        case File():
            return _letters(as_text(block), overflow="fold")
        case Buttons():
            return _buttons(block)
        case never:
            assert_never(never)


def _table(block: Table) -> RichTable:
    """Show a table; a column that tells people nothing is only for programs."""
    told = [any(shown(row[n]) for row in block.rows) for n in range(len(block.columns))]
    columns = [harmless(name) for name, worth in zip(block.columns, told, strict=True) if worth]
    table = RichTable(*columns, header_style="dim", box=None, pad_edge=False)
    for row in block.rows:
        cells = [shown(cell) for cell, worth in zip(row, told, strict=True) if worth]
        table.add_row(*(_letters(cell, overflow="fold") for cell in cells))
    return table


def _bars(block: Bars) -> RichTable:
    grid = RichTable.grid(padding=(0, 2))
    for bar in block.bars:
        style = STYLES[bar.colour]
        grid.add_row(
            _letters(shown(bar.label), no_wrap=True, overflow="ellipsis"),
            _letters(drawn_bar(bar, BAR_WIDTH), style=style),
            _letters(bar.value, style="dim"),
        )
    return grid


def _buttons(block: Buttons) -> RichTable:
    """Show what to type; a terminal has nothing to press."""
    grid = RichTable.grid(padding=(0, 2))
    for button in block.buttons:
        grid.add_row(
            _letters(f"▸ {button.label}", style="bold magenta"),
            _letters(button.command, style=Style(dim=True)),
        )
    return grid


def _grown(tree: RichTree, branch: Branch) -> RichTree:
    for each in branch.branches:
        _grown(tree.add(_letters(each.label)), each)
    return tree


def _plain(block: Block) -> dict[str, Any]:  # noqa: C901, PLR0911, PLR0912 - a case a kind
    match block:
        case Text(text, title):
            return {"title" if title else "text": text}
        case Table(keys, _, rows, name):
            return {name: [dict(zip(keys, map(plain, row), strict=True)) for row in rows]}
        case Facts(entries):
            return {key: plain(value) for key, _, value in entries}
        case Tree(root, name):
            return {name: [_branch(branch) for branch in root.branches]}
        case Bars(bars, name):
            return {
                name: [
                    {
                        "key": bar.key,
                        "label": plain(bar.label),
                        "share": round(bar.share, 4),
                        "value": bar.value,
                        "colour": bar.colour.value,
                    }
                    for bar in bars
                ]
            }
        case Picture(svg, _, name):
            return {name: svg}
        case File(name=name, data=data, path=path):
            return {"files": [{"name": name, "bytes": len(data), "path": path}]}
        case Buttons(buttons):
            return {"buttons": [{"label": b.label, "command": b.command} for b in buttons]}
        case never:
            assert_never(never)


def _branch(branch: Branch) -> str | dict[str, Any]:
    if not branch.branches:
        return branch.label
    return {"label": branch.label, "links": [_branch(each) for each in branch.branches]}


def _letters(
    text: str,
    *,
    style: str | Style = "",
    overflow: Literal["fold", "ellipsis"] | None = None,
    no_wrap: bool | None = None,
) -> RichText:
    return RichText(harmless(text), style=style, overflow=overflow, no_wrap=no_wrap)
