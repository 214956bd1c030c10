"""Tables on a phone, which Telegram knows nothing of: columns of one font, or lines of text."""

import re
from collections.abc import Sequence
from typing import Final

from telegram import MessageEntity

from bot.adapters.markdown import JOINT, TablePart
from bot.conversation.splitting import utf16_units
from bot.desk.plain_text import PHONE_COLUMNS, display_width

_EMPHASIS: Final = re.compile(r"\*{1,3}(?=\S)([^*\n]+?)\*{1,3}|~~([^~\n]+)~~|`+([^`\n]+)`+")
_LINK: Final = re.compile(r"!?\[([^\]\n]*)\]\((\S+?)\)")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)


def aligned_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines whose columns align in a monospaced font."""
    # By display width and not by length: a Chinese character takes two columns.
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (widest - display_width(cell))
            for cell, widest in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def fits_phone(text: str) -> bool:
    """Whether a phone shows monospaced lines without breaking them."""
    return max(map(display_width, text.splitlines()), default=0) <= PHONE_COLUMNS


def table_text(table: TablePart) -> tuple[str, tuple[MessageEntity, ...]]:
    """Return a table as text: aligned if a phone has room for it, else row by row.

    Row by row, each cell follows the name of its column, and the first of them is bold.
    """
    head = [_plain_cell(each) for each in table.head]
    rows = [[_plain_cell(each) for each in row] for row in table.rows]
    aligned = aligned_columns([each for each in [head, *rows] if any(each)] or [[""]])
    if fits_phone(aligned):
        return aligned, (MessageEntity(MessageEntity.PRE, 0, utf16_units(aligned)),)
    text = ""
    entities = []
    for row in rows or [[""] * len(head)]:
        cells = [
            f"{name}：{cell}" if name else cell
            for name, cell in zip(head or ("",) * len(row), row, strict=True)
        ]
        text += "\n" if text else ""
        entities.append(
            MessageEntity(MessageEntity.BOLD, utf16_units(text), utf16_units(cells[0]))
        )
        text += "\n  ".join([cells[0], *filter(None, cells[1:])])
    return text, tuple(each for each in entities if each.length)


def _plain_cell(cell: str) -> str:
    """Return the words of a cell; of a link also its address."""
    text = _LINK.sub(lambda found: f"{found[1]} {found[2]}".strip(), cell)
    text = _EMPHASIS.sub(lambda found: next(filter(None, found.groups()), ""), text)
    return _BREAK.sub(" ", text).replace("\\|", "|").replace(JOINT, "").strip()
