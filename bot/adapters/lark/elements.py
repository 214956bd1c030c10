"""What the blocks of a document are on a card.

Most of it is plain text, in which nothing can be markup and nobody can be called.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.lark.buttons import value_of
from bot.adapters.lark.formatting import compact, sent_bytes, uncalled
from bot.conversation.graphemes import visible
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
    shown,
)
from bot.desk.narrow import PHONE, Item, items, width
from bot.desk.plain import LIGHTS, as_text, drawn_bar

Element: TypeAlias = dict[str, Any]

ROWS: Final = 10
"""So many rows of a table are seen at once."""

HELD: Final = 50
"""So many rows one table holds."""

BETWEEN: Final = 3
"""So much wider than its text is a column."""

LABEL: Final = 100
"""Characters a button may say."""

LARGEST: Final = 12 * 1024
"""So many bytes one element gets; a card has room for two."""

_MARKUP: Final = re.compile(r"[\\`*_~<>\[\]|&]|:(?=\w+:)")
_BEGINNING: Final = re.compile(r"(?<=\n)( {0,3})([\d#=+-])")
"""What Markdown on a card may take for its own, within a line and where one begins."""


def elements_of(block: Block, pictures: Mapping[Picture, str]) -> Iterator[Element]:
    """Yield what shows a block; buttons are put together by :func:`pressable`."""
    match block:
        case Text(text, title):
            yield from _said(text, letters="heading" if title else "normal")
        case Facts(entries):
            lines = [
                f"**{_escaped(name)}**：{_escaped(shown(value))}" for _, name, value in entries
            ]
            yield from _lines(lines, as_text(block))
        case Table():
            yield from _tables(block)
        case Bars(bars):
            yield from _said("\n".join(map(_drawn, bars)))
        case Picture() if block in pictures:
            yield _picture(block, pictures[block])
        case Tree() | Picture() | File():
            yield from _said(as_text(block))
        case Buttons():
            return
        case never:
            assert_never(never)


def _said(text: str, *, letters: str = "normal") -> Iterator[Element]:
    """Yield plain text, in which nothing is markup."""
    for part in split(text, limit=LARGEST, measure=sent_bytes):
        if visible(part.body):
            said = {"tag": "plain_text", "content": part.body.strip("\n"), "text_size": letters}
            yield {"tag": "div", "text": said}


def _lines(lines: Sequence[str], plain: str) -> Iterator[Element]:
    """Yield lines of Markdown, or all of it plainly if a line alone is too long."""
    if any(sent_bytes(line) > LARGEST for line in lines):
        yield from _said(plain)
        return
    for some in _packed(lines, LARGEST):
        yield {"tag": "markdown", "content": "\n".join(some)}


def _packed(lines: Sequence[str], limit: int) -> Iterator[list[str]]:
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


def _tables(table: Table) -> Iterator[Element]:
    """Yield a table in columns if a phone has room for them, else row after row."""
    cells = [table.columns, *(tuple(map(shown, row)) for row in table.rows)]
    widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
    if sum(widths) + BETWEEN * len(widths) <= PHONE:
        for start in range(0, max(len(table.rows), 1), HELD):
            yield _table(table.columns, cells[1:][start : start + HELD])
    else:
        yield from _lines([_row(item) for item in items(table)], _listed(table))


def _row(item: Item) -> str:
    first, main, *rest = map(_escaped, (item.first, item.main, *item.rest))
    below = f"\n<font color='grey'>{' · '.join(rest)}</font>" if rest else ""
    return f"**{first}**  {main}{below}"


def _listed(table: Table) -> str:
    """Return a table as plain text, for where a row alone is too much."""
    return "\n".join(
        "\n   ".join((f"{item.first}  {item.main}", *item.rest)) for item in items(table)
    )


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Element:
    names = [f"c{number}" for number in range(len(columns))]
    return {
        "tag": "table",
        "page_size": min(max(len(rows), 1), ROWS),
        "header_style": {"background_style": "grey", "bold": True, "text_size": "normal"},
        "columns": [
            {"name": name, "display_name": column, "data_type": "text", "width": "auto"}
            for name, column in zip(names, columns, strict=True)
        ],
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
    }


def _drawn(bar: Bar) -> str:
    """Return a bar as a line; the bars come first, so that they begin below one another."""
    lamp = LIGHTS[bar.colour] if bar.colour is not Colour.PLAIN else ""
    return f"{drawn_bar(bar)}  {lamp}{shown(bar.label)}  {bar.value}".rstrip()


def _picture(picture: Picture, key: str) -> Element:
    alt = {"tag": "plain_text", "content": picture.name}
    return {"tag": "img", "img_key": key, "alt": alt, "scale_type": "fit_horizontal"}


def pressable(blocks: Sequence[Block], sealed: Mapping[Button, str]) -> Iterator[Element]:
    """Yield the buttons in a row that breaks where the screen ends."""
    every = [each for block in blocks if isinstance(block, Buttons) for each in block.buttons]
    columns = [_column(each, sealed[each]) for each in every if each in sealed]
    spelled = [each for each in every if each not in sealed or len(each.label) > LABEL]
    if spelled:
        yield from _said("\n".join(f"{each.label}：{each.command}" for each in spelled))
    for start in range(0, len(columns), ROWS):
        some = columns[start : start + ROWS]
        yield {"tag": "column_set", "flex_mode": "flow", "columns": some}


def _column(button: Button, data: str) -> Element:
    element = {
        "tag": "button",
        "text": {"tag": "plain_text", "content": button.label[:LABEL]},
        "behaviors": [{"type": "callback", "value": value_of(data)}],
    }
    return {"tag": "column", "width": "auto", "elements": [element]}


def size(document: object) -> int:
    """Return how many bytes a part of a card takes where it is sent."""
    return len(compact(compact(document)).encode("utf-8", "replace"))


def _escaped(text: str) -> str:
    """Return text that Markdown on a card shows as typed."""
    text = _MARKUP.sub(lambda match: _entity(match[0]), uncalled(text))
    return _BEGINNING.sub(lambda match: match[1] + _entity(match[2]), text)


def _entity(character: str) -> str:
    return f"&#{ord(character)};"
