"""What the blocks of a document are on a card.

Most of it is plain text, in which nothing can be markup and nobody can be called.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.lark.buttons import button_value
from bot.adapters.lark.formatting import compact_json, sent_bytes, without_mentions
from bot.conversation.graphemes import has_visible_text
from bot.conversation.splitting import split
from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Button,
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
from bot.desk.narrow import PHONE_COLUMNS, TableItem, display_width, table_items
from bot.desk.plain import LIGHTS, as_text, bar_text

Element: TypeAlias = dict[str, Any]

VISIBLE_ROWS: Final = 10
"""So many rows of a table are seen at once."""

TABLE_ROWS: Final = 50
"""So many rows one table holds."""

COLUMN_GAP: Final = 3
"""So much wider than its text is a column."""

LABEL_CHARACTERS: Final = 100
"""Characters a button may say."""

ELEMENT_BYTES: Final = 12 * 1024
"""So many bytes one element gets; a card has room for two."""

_MARKUP: Final = re.compile(r"[\\`*_~<>\[\]|&]|:(?=\w+:)")
_LINE_START: Final = re.compile(r"(?<=\n)( {0,3})([\d#=+-])")
"""What Markdown on a card may take for its own, within a line and where one begins."""


def block_elements(block: Block, pictures: Mapping[Picture, str]) -> Iterator[Element]:
    """Yield what shows a block; buttons are put together by :func:`pressable`."""
    match block:
        case Text(text, title):
            yield from _text_elements(text, letters="heading" if title else "normal")
        case Facts(entries):
            lines = [
                f"**{_escaped(name)}**：{_escaped(display_text(value))}"
                for _, name, value in entries
            ]
            yield from _markdown_elements(lines, as_text(block))
        case Table():
            yield from _table_elements(block)
        case Bars(bars):
            yield from _text_elements("\n".join(map(_bar_line, bars)))
        case Picture() if block in pictures:
            yield _picture_element(block, pictures[block])
        case Tree() | Picture() | File():
            yield from _text_elements(as_text(block))
        case Buttons():
            return
        case never:
            assert_never(never)


def _text_elements(text: str, *, letters: str = "normal") -> Iterator[Element]:
    """Yield plain text, in which nothing is markup."""
    for part in split(text, limit=ELEMENT_BYTES, measure=sent_bytes):
        if has_visible_text(part.body):
            said = {"tag": "plain_text", "content": part.body.strip("\n"), "text_size": letters}
            yield {"tag": "div", "text": said}


def _markdown_elements(lines: Sequence[str], plain: str) -> Iterator[Element]:
    """Yield lines of Markdown, or all of it plainly if a line alone is too long."""
    if any(sent_bytes(line) > ELEMENT_BYTES for line in lines):
        yield from _text_elements(plain)
        return
    for some in _grouped_lines(lines, ELEMENT_BYTES):
        yield {"tag": "markdown", "content": "\n".join(some)}


def _grouped_lines(lines: Sequence[str], limit: int) -> Iterator[list[str]]:
    some: list[str] = []
    room = limit
    for line in lines:
        needed = sent_bytes(line) + sent_bytes("\n")
        if some and needed > room:
            yield some
            some, room = [], limit
        some.append(line)
        room -= needed
    if some:
        yield some


def _table_elements(table: Table) -> Iterator[Element]:
    """Yield a table in columns if a phone has room for them, else row after row."""
    cells = [table.columns, *(tuple(map(display_text, row)) for row in table.rows)]
    widths = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    if sum(widths) + COLUMN_GAP * len(widths) <= PHONE_COLUMNS:
        for start in range(0, max(len(table.rows), 1), TABLE_ROWS):
            yield _table_element(table.columns, cells[1:][start : start + TABLE_ROWS])
    else:
        yield from _markdown_elements(
            [_table_row(item) for item in table_items(table)], _plain_table(table)
        )


def _table_row(item: TableItem) -> str:
    first, main, *rest = map(_escaped, (item.first, item.main, *item.rest))
    below = f"\n<font color='grey'>{' · '.join(rest)}</font>" if rest else ""
    return f"**{first}**  {main}{below}"


def _plain_table(table: Table) -> str:
    """Return a table as plain text, for where a row alone is too much."""
    return "\n".join(
        "\n   ".join((f"{item.first}  {item.main}", *item.rest)) for item in table_items(table)
    )


def _table_element(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Element:
    names = [f"c{number}" for number in range(len(columns))]
    return {
        "tag": "table",
        "page_size": min(max(len(rows), 1), VISIBLE_ROWS),
        "header_style": {"background_style": "grey", "bold": True, "text_size": "normal"},
        "columns": [
            {"name": name, "display_name": column, "data_type": "text", "width": "auto"}
            for name, column in zip(names, columns, strict=True)
        ],
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
    }


def _bar_line(bar: Bar) -> str:
    """Return a bar as a line; the bars come first, so that they begin below one another."""
    lamp = LIGHTS[bar.colour] if bar.colour is not Colour.PLAIN else ""
    return f"{bar_text(bar)}  {lamp}{display_text(bar.label)}  {bar.value}".rstrip()


def _picture_element(picture: Picture, key: str) -> Element:
    alt = {"tag": "plain_text", "content": picture.name}
    return {"tag": "img", "img_key": key, "alt": alt, "scale_type": "fit_horizontal"}


def button_elements(blocks: Sequence[Block], sealed: Mapping[Button, str]) -> Iterator[Element]:
    """Yield the buttons in a row that breaks where the screen ends."""
    every = [each for block in blocks if isinstance(block, Buttons) for each in block.buttons]
    columns = [_button_column(each, sealed[each]) for each in every if each in sealed]
    spelled = [each for each in every if each not in sealed or len(each.label) > LABEL_CHARACTERS]
    if spelled:
        yield from _text_elements("\n".join(f"{each.label}：{each.command}" for each in spelled))
    for start in range(0, len(columns), VISIBLE_ROWS):
        some = columns[start : start + VISIBLE_ROWS]
        yield {"tag": "column_set", "flex_mode": "flow", "columns": some}


def _button_column(button: Button, data: str) -> Element:
    element = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": button.label[:LABEL_CHARACTERS]},
        "behaviors": [{"type": "callback", "value": button_value(data)}],
    }
    return {"tag": "column", "width": "auto", "elements": [element]}


def element_bytes(document: object) -> int:
    """Return how many bytes a part of a card takes where it is sent."""
    return len(compact_json(compact_json(document)).encode("utf-8", "replace"))


def _escaped(text: str) -> str:
    """Return text that Markdown on a card shows as typed."""
    text = _MARKUP.sub(lambda match: _entity(match[0]), without_mentions(text))
    return _LINE_START.sub(lambda match: match[1] + _entity(match[2]), text)


def _entity(character: str) -> str:
    return f"&#{ord(character)};"
