"""How the terminal shows a document, and how a program reads it."""

import sys
from typing import Any, assert_never

import orjson
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text as RichText
from rich.tree import Tree as RichTree

from bot.desk.documents import (
    Block,
    Branch,
    Document,
    Facts,
    Table,
    Text,
    Tree,
    plain,
    shown,
)


def print_document(document: Document, *, as_json: bool = False) -> None:
    """Write the document to standard output, for a person or as one JSON object."""
    if as_json:
        told: dict[str, Any] = {}
        for block in document.blocks:
            told.update(_plain(block))
        sys.stdout.write(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    console = Console()
    for block in document.blocks:
        console.print(_rich(block))


def _rich(block: Block) -> RichTable | RichText | RichTree:
    match block:
        case Text(text, title):
            return RichText(text, style="bold" if title else "")
        case Table(_, columns, rows):
            table = RichTable(*columns, header_style="dim", box=None, pad_edge=False)
            for row in rows:
                table.add_row(*(RichText(shown(cell)) for cell in row))
            return table
        case Facts(entries):
            grid = RichTable.grid(padding=(0, 2))
            for _, name, value in entries:
                grid.add_row(RichText(name, style="dim"), RichText(shown(value)))
            return grid
        case Tree(root):
            return _grown(RichTree(RichText(root.label, style="dim")), root)
        case never:
            assert_never(never)


def _grown(tree: RichTree, branch: Branch) -> RichTree:
    for each in branch.branches:
        _grown(tree.add(RichText(each.label)), each)
    return tree


def _plain(block: Block) -> dict[str, Any]:
    match block:
        case Text(text, title):
            return {"title" if title else "text": text}
        case Table(keys, _, rows):
            return {"rows": [dict(zip(keys, map(plain, row), strict=True)) for row in rows]}
        case Facts(entries):
            return {key: plain(value) for key, _, value in entries}
        case Tree(root):
            return {"links": [branch.label for branch in root.branches]}
        case never:
            assert_never(never)
