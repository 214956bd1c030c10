"""How the terminal shows a document of the desk: to a person, or as JSON to a program."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, assert_never

import orjson
from rich.console import Console, RenderableType
from rich.style import Style
from rich.table import Table as RichTable
from rich.text import Text as RichText
from rich.tree import Tree as RichTree

from bot.adapters.console.terminal import harmless
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey
from bot.desk import documents
from bot.desk.answers import as_text, bar_text
from bot.texts import refusals
from memory.errors import InputRefused
from memory.model import Language
from memory.refusals import said_by_system
from memory.stores.disk import REAL_DISK, own_as_folder


def save_files(document: documents.Document, folder: Path) -> documents.Document:
    """Write the files of a document into a folder; return it with their paths. Blocks on the disk.

    Only their owner may read them. A file that had the name before is replaced. Raises
    :class:`InputRefused` if one cannot be written.
    """
    return documents.Document(
        tuple(
            replace(block, path=str(write_private_file(folder / block.name, block.data)))
            if isinstance(block, documents.File)
            else block
            for block in document.blocks
        )
    )


def write_private_file(file: Path, content: bytes) -> Path:
    """Write a file that only its owner may read, and return its whole path."""
    # O_NOFOLLOW: a link of that name must not send what she knows to another place.
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    try:
        _make_exports_folder(file.parent)
        descriptor = os.open(file, flags, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            # The mode above is for a new file only; one that is replaced keeps its old mode.
            os.fchmod(descriptor, 0o600)
            out.write(content)
        own_as_folder(file)
        return file.resolve()
    except OSError as error:
        raise InputRefused(refusals.UNWRITABLE, file=file, why=said_by_system(error)) from error


def _make_exports_folder(folder: Path) -> None:
    """Make a folder that nobody else may enter, and of which git keeps nothing."""
    if not folder.is_dir():
        REAL_DISK.make_folder(folder)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")


BAR_WIDTH: Final = 24

BAR_STYLES: Final[Mapping[documents.Colour, str]] = {
    documents.Colour.GREEN: "green",
    documents.Colour.YELLOW: "yellow",
    documents.Colour.RED: "red",
    documents.Colour.PLAIN: "cyan",
}


def print_document(document: documents.Document, *, as_json: bool = False) -> None:
    """Write the document to standard output, for a person or as one JSON object."""
    if as_json:
        sys.stdout.write(
            orjson.dumps(document_data(document), option=orjson.OPT_INDENT_2).decode() + "\n"
        )
        return
    show_document(document, Console(highlight=False))


def show_document(document: documents.Document, console: Console) -> None:
    """Write the document to a terminal; a title and what can be done stand apart.

    A quiet document is dimmed, on as few lines as possible.
    """
    if document.quiet:
        console.print(_safe_text(_quiet_text(document), style="dim"))
        return
    for number, block in enumerate(document.blocks):
        if number > 0 and _stands_apart(block, document.blocks[number - 1]):
            console.print()
        # A command broken in two could not be copied: the terminal itself folds what is too wide.
        console.print(_renderable(block), soft_wrap=isinstance(block, documents.Buttons))


def document_data(document: documents.Document) -> dict[str, Any]:
    """Return the document as a program reads it; values of one name are joined."""
    found: dict[str, Any] = {}
    for block in document.blocks:
        for name, value in _block_data(block).items():
            known = found.get(name)
            found[name] = _joined_values(known, value)
    return found


def _joined_values(known: Any, value: Any) -> Any:
    """Return paragraphs under one another, and lists behind one another."""
    if isinstance(known, str) and isinstance(value, str):
        return f"{known}\n{value}"
    return [*known, *value] if isinstance(known, list) and isinstance(value, list) else value


def _quiet_text(document: documents.Document) -> str:
    """Return what a quiet document says, with what can be done behind it."""
    texts = [block.text for block in document.blocks if isinstance(block, documents.Text)]
    buttons = [
        b
        for block in document.blocks
        if isinstance(block, documents.Buttons)
        for b in block.buttons
    ]
    steps = "  ".join(f"▸ {button.label} {button.command}" for button in buttons)
    said = "\n".join(texts)
    return f"{said}{chr(10) if chr(10) in said else ''}  {steps}"


def _stands_apart(block: documents.Block, before: documents.Block) -> bool:
    """Whether a line is left free above a block: above headings, and between two shapes."""
    if isinstance(block, documents.Text):
        return block.title
    return isinstance(block, documents.Buttons) or not isinstance(before, documents.Text)


def _renderable(block: documents.Block) -> RenderableType:
    match block:
        case documents.Text(text, title):
            return _safe_text(text, style="bold" if title else "")
        case documents.Buttons(buttons):
            return _buttons(buttons)
        case documents.Table() | documents.Facts() | documents.Bars():
            return _grid(block)
        case documents.Tree(root):
            tree = RichTree(_safe_text(root.label, style="dim"), guide_style="dim")
            return _add_branches(tree, root)
        case documents.Picture(alt=alt):
            return _safe_text(alt)
        case documents.File():
            return _safe_text(as_text(block), overflow="fold")
        case never:
            assert_never(never)


def _grid(block: documents.Table | documents.Facts | documents.Bars) -> RichTable:
    """Show what has columns."""
    match block:
        case documents.Table():
            return _table(block)
        case documents.Facts(entries):
            return _facts(entries)
        case documents.Bars():
            return _bars(block)
        case never:
            assert_never(never)


def _facts(entries: Sequence[tuple[str, str, documents.Cell]]) -> RichTable:
    grid = RichTable.grid(padding=(0, 2))
    for _, name, value in entries:
        shown = _safe_text(documents.display_text(value), overflow="fold")
        grid.add_row(_safe_text(name, style="dim"), shown)
    return grid


def _table(block: documents.Table) -> RichTable:
    """Show a table; a column that tells people nothing is only for programs."""
    shown = [
        any(documents.display_text(row[n]) for row in block.rows)
        for n in range(len(block.columns))
    ]
    columns = [harmless(name) for name, worth in zip(block.columns, shown, strict=True) if worth]
    table = RichTable(*columns, header_style="dim", box=None, pad_edge=False)
    for row in block.rows:
        cells = [
            documents.display_text(cell) for cell, worth in zip(row, shown, strict=True) if worth
        ]
        table.add_row(*(_safe_text(cell, overflow="fold") for cell in cells))
    return table


def _bars(block: documents.Bars) -> RichTable:
    grid = RichTable.grid(padding=(0, 2))
    for bar in block.bars:
        style = BAR_STYLES[bar.colour]
        grid.add_row(
            _safe_text(documents.display_text(bar.label), no_wrap=True, overflow="ellipsis"),
            _safe_text(bar_text(bar, BAR_WIDTH), style=style),
            _safe_text(bar.value, style="dim"),
        )
    return grid


def _buttons(buttons: Sequence[documents.Button]) -> RichText:
    """Show what to type; a terminal has nothing to press."""
    labels = [_safe_text(f"▸ {button.label}", style="bold magenta") for button in buttons]
    widest = max((label.cell_len for label in labels), default=0)
    for label in labels:
        label.pad_right(widest - label.cell_len + 2)
    steps = (_safe_text(button.command, style=Style(dim=True)) for button in buttons)
    lines = (label + step for label, step in zip(labels, steps, strict=True))
    return RichText("\n").join(lines)


def _add_branches(tree: RichTree, branch: documents.Branch) -> RichTree:
    for each in branch.branches:
        _add_branches(tree.add(_safe_text(each.label)), each)
    return tree


def _block_data(block: documents.Block) -> dict[str, Any]:
    match block:
        case documents.Text(text, title):
            return {"title" if title else "text": text}
        case documents.Table() | documents.Facts() | documents.Tree() | documents.Bars():
            return _entries_data(block)
        case documents.Picture(svg, _, name):
            return {name: svg}
        case documents.File(name=name, data=data, path=path):
            return {"files": [{"name": name, "bytes": len(data), "path": path}]}
        case documents.Buttons(buttons):
            return {"buttons": [{"label": b.label, "command": b.command} for b in buttons]}
        case never:
            assert_never(never)


def _entries_data(
    block: documents.Table | documents.Facts | documents.Tree | documents.Bars,
) -> dict[str, Any]:
    """Return what holds several values."""
    match block:
        case documents.Table(keys, _, rows, name):
            return {
                name: [dict(zip(keys, map(documents.raw_text, row), strict=True)) for row in rows]
            }
        case documents.Facts(entries):
            return {key: documents.raw_text(value) for key, _, value in entries}
        case documents.Tree(root, name):
            return {name: [_branch_data(branch) for branch in root.branches]}
        case documents.Bars(bars, name):
            return {name: [_bar_data(bar) for bar in bars]}
        case never:
            assert_never(never)


def _bar_data(bar: documents.Bar) -> dict[str, Any]:
    return {
        "key": bar.key,
        "label": documents.raw_text(bar.label),
        "share": round(bar.share, 4),
        "value": bar.value,
        "colour": bar.colour.value,
    }


def _branch_data(branch: documents.Branch) -> str | dict[str, Any]:
    if not branch.branches:
        return branch.label
    return {"label": branch.label, "links": [_branch_data(each) for each in branch.branches]}


def _safe_text(
    text: str,
    *,
    style: str | Style = "",
    overflow: Literal["fold", "ellipsis"] | None = None,
    no_wrap: bool | None = None,
) -> RichText:
    return RichText(harmless(text), style=style, overflow=overflow, no_wrap=no_wrap)


class ConsolePresenter:
    """Print documents and save their files; ``on_answered`` is called after each answer.

    ``asides`` says whether quiet documents are printed: a person reads along, but a program must
    get exactly one answer to each line.
    """

    def __init__(
        self,
        on_answered: Callable[[], None],
        folder: Path | None = None,
        *,
        language: Language = "zh",
        asides: bool = True,
    ) -> None:
        self._on_answered = on_answered
        self._folder = folder or Path()
        self._language = language
        self._asides = asides

    async def present(
        self, conversation: ConversationKey, document: documents.Document, *, reply_to: str
    ) -> None:
        """Show a document."""
        del conversation, reply_to  # a terminal has one place to show things
        if document.quiet:
            self._print_aside(document)
            return
        try:
            document = await asyncio.to_thread(save_files, document, self._folder)
        except InputRefused as error:
            # What stands beside the files says that they are here, and they are not.
            ways = (each.alt for each in document.blocks if isinstance(each, documents.File))
            document = documents.Document(
                tuple(map(documents.Text, (error.in_language(self._language), *ways)))
            )
        _print_to_stdout(document)
        self._on_answered()

    async def deliver(
        self, document: documents.Document, target: Target, record_piece: RecordPiece
    ) -> None:
        """Show the answer of a command; a terminal takes everything at once."""
        del record_piece
        await self.present(target.conversation, document, reply_to=target.reply_to)

    def _print_aside(self, document: documents.Document) -> None:
        if self._asides:
            _print_to_stdout(document)


def _print_to_stdout(document: documents.Document) -> None:
    print_document(document)
    if sys.stdout.isatty():
        sys.stdout.write("\n")
