"""A document of the desk as messages: what fits a phone in columns, the rest as text."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from telegram import MessageEntity
from telegramify_markdown import MessageEntity as FoundEntity
from telegramify_markdown import split_entities

from bot.adapters.telegram.buttons import is_too_long_for_button
from bot.adapters.telegram.formatting import LIMIT, FormattedMessage
from bot.conversation.graphemes import has_visible_text
from bot.conversation.splitting import utf16_units
from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Branch,
    Button,
    Buttons,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    display_text,
)
from bot.desk.narrow import PHONE_COLUMNS, display_width, table_items
from bot.desk.plain import LIGHTS

BAR_WIDTH: Final = 10
"""Characters of the longest bar."""

TWO_COLUMNS: Final = 2


def document_messages(document: Document) -> tuple[FormattedMessage, ...]:
    """Return a document as messages of legal length; the words of buttons are not repeated."""
    text = ""
    entities: list[FoundEntity] = []
    for block in document.blocks:
        for number, (piece, kind) in enumerate(_styled_pieces(block)):
            text += "\n\n" if text and number == 0 else ""
            if kind and piece.strip():
                entities.append(FoundEntity(kind, utf16_units(text), utf16_units(piece)))
            text += piece
    return tuple(
        FormattedMessage(
            part, tuple(MessageEntity(each.type, each.offset, each.length) for each in cut)
        )
        for part, cut in split_entities(text, entities, LIMIT)
        if has_visible_text(part)
    )


def _styled_pieces(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the stretches of a block, each with the kind of entity it is."""
    match block:
        case Text(text, title):
            yield text, MessageEntity.BOLD if title else ""
        case Facts(entries):
            for number, (_, name, value) in enumerate(entries):
                yield "\n" if number else "", ""
                yield f"{name}：", MessageEntity.BOLD
                yield display_text(value), ""
        case File(alt=alt):
            yield alt, ""
        case Buttons(buttons):
            yield from _long_button_text(buttons)
        case Table():
            yield from _table_pieces(block)
        case Tree() | Bars() | Picture():
            yield _monospaced_text(block), MessageEntity.PRE
        case never:
            assert_never(never)


def _table_pieces(table: Table) -> Iterator[tuple[str, str]]:
    """Yield a table as columns if a phone has room for them, else row after row as text.

    There a row begins with its first cell and goes on with the one that says most; what is left
    stands on a line below, numbers with their names.
    """
    rows = [tuple(map(display_text, row)) for row in table.rows]
    aligned = _aligned_columns([table.columns, *rows])
    if _fits_phone(aligned):
        yield aligned, MessageEntity.PRE
        return
    if len(table.columns) == TWO_COLUMNS:
        yield f"{table.columns[0]}\n", MessageEntity.BOLD
    for number, item in enumerate(table_items(table)):
        yield "\n" if number else "", ""
        yield item.first, MessageEntity.BOLD
        yield "\n   ".join(filter(None, (f"  {item.main}", " · ".join(item.rest)))), ""


def _monospaced_text(block: Tree | Bars | Picture) -> str:
    match block:
        case Tree(root=root):
            return "\n".join((root.label, *_branch_lines(root, "")))
        case Bars(bars=bars):
            drawn = [_bar_row(bar) for bar in bars]
            aligned = _aligned_columns(drawn)
            if _fits_phone(aligned):
                return aligned
            return "\n".join(f"{label}\n  {line} {value}" for label, line, value in drawn)
        case Picture(alt=alt):
            return alt
        case never:
            assert_never(never)


def _long_button_text(buttons: Sequence[Button]) -> Iterator[tuple[str, str]]:
    """Yield as text the buttons whose commands are too long for Telegram."""
    long = [button for button in buttons if is_too_long_for_button(button.command)]
    if long:
        yield "\n".join(f"{button.label}：{button.command}" for button in long), ""


def _bar_row(bar: Bar) -> tuple[str, str, str]:
    filled = round(max(0.0, min(bar.share, 1.0)) * BAR_WIDTH)
    line = "█" * filled + "░" * (BAR_WIDTH - filled)
    return f"{LIGHTS[bar.colour]}{display_text(bar.label)}", line, bar.value


def _aligned_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines whose columns stand under each other in a monospaced font."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (widest - display_width(cell))
            for cell, widest in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _fits_phone(text: str) -> bool:
    """Tell whether a phone shows lines in a monospaced font without breaking them."""
    return max(map(display_width, text.splitlines()), default=0) <= PHONE_COLUMNS


def _branch_lines(branch: Branch, indent: str) -> Iterator[str]:
    for each in branch.branches:
        last = each is branch.branches[-1]
        yield f"{indent}{'└ ' if last else '├ '}{each.label}"
        yield from _branch_lines(each, indent + ("  " if last else "│ "))
