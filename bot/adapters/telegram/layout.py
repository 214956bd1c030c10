"""A document of the desk as messages: what fits a phone in columns, the rest as text."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from telegram import MessageEntity
from telegramify_markdown import MessageEntity as FoundEntity
from telegramify_markdown import split_entities

from bot.adapters.telegram.buttons import is_too_long
from bot.adapters.telegram.formatting import LIMIT, Formatted
from bot.conversation.graphemes import visible
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
    shown,
)
from bot.desk.narrow import PHONE, items, width
from bot.desk.plain import LIGHTS

BAR: Final = 10
"""Characters of the longest bar."""

PAIR: Final = 2


def pages(document: Document) -> tuple[Formatted, ...]:
    """Return a document as messages of legal length; the words of buttons are not repeated."""
    text = ""
    entities: list[FoundEntity] = []
    for block in document.blocks:
        for number, (piece, kind) in enumerate(_pieces(block)):
            text += "\n\n" if text and number == 0 else ""
            if kind and piece.strip():
                entities.append(FoundEntity(kind, utf16_units(text), utf16_units(piece)))
            text += piece
    return tuple(
        Formatted(part, tuple(MessageEntity(each.type, each.offset, each.length) for each in cut))
        for part, cut in split_entities(text, entities, LIMIT)
        if visible(part)
    )


def _pieces(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the stretches of a block, each with the kind of entity it is."""
    match block:
        case Text(text, title):
            yield text, MessageEntity.BOLD if title else ""
        case Facts(entries):
            for number, (_, name, value) in enumerate(entries):
                yield "\n" if number else "", ""
                yield f"{name}：", MessageEntity.BOLD
                yield shown(value), ""
        case File(alt=alt):
            yield alt, ""
        case Buttons(buttons):
            yield from _spelled(buttons)
        case Table():
            yield from _tabled(block)
        case Tree() | Bars() | Picture():
            yield _monospaced(block), MessageEntity.PRE
        case never:
            assert_never(never)


def _tabled(table: Table) -> Iterator[tuple[str, str]]:
    """Yield a table as columns if a phone has room for them, else row after row as text.

    There a row begins with its first cell and goes on with the one that says most; what is left
    stands on a line below, numbers with their names.
    """
    rows = [tuple(map(shown, row)) for row in table.rows]
    aligned = _aligned([table.columns, *rows])
    if _fits(aligned):
        yield aligned, MessageEntity.PRE
        return
    if len(table.columns) == PAIR:
        yield f"{table.columns[0]}\n", MessageEntity.BOLD
    for number, item in enumerate(items(table)):
        yield "\n" if number else "", ""
        yield item.first, MessageEntity.BOLD
        yield "\n   ".join(filter(None, (f"  {item.main}", " · ".join(item.rest)))), ""


def _monospaced(block: Tree | Bars | Picture) -> str:
    match block:
        case Tree(root=root):
            return "\n".join((root.label, *_grown(root, "")))
        case Bars(bars=bars):
            drawn = [_drawn(bar) for bar in bars]
            aligned = _aligned(drawn)
            if _fits(aligned):
                return aligned
            return "\n".join(f"{label}\n  {line} {value}" for label, line, value in drawn)
        case Picture(alt=alt):
            return alt
        case never:
            assert_never(never)


def _spelled(buttons: Sequence[Button]) -> Iterator[tuple[str, str]]:
    """Yield as text the buttons whose commands are too long for Telegram."""
    long = [button for button in buttons if is_too_long(button.command)]
    if long:
        yield "\n".join(f"{button.label}：{button.command}" for button in long), ""


def _drawn(bar: Bar) -> tuple[str, str, str]:
    filled = round(max(0.0, min(bar.share, 1.0)) * BAR)
    line = "█" * filled + "░" * (BAR - filled)
    return f"{LIGHTS[bar.colour]}{shown(bar.label)}", line, bar.value


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines whose columns stand under each other in a monospaced font."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (widest - width(cell)) for cell, widest in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _fits(text: str) -> bool:
    """Tell whether a phone shows lines in a monospaced font without breaking them."""
    return max(map(width, text.splitlines()), default=0) <= PHONE


def _grown(branch: Branch, indent: str) -> Iterator[str]:
    for each in branch.branches:
        last = each is branch.branches[-1]
        yield f"{indent}{'└ ' if last else '├ '}{each.label}"
        yield from _grown(each, indent + ("  " if last else "│ "))
