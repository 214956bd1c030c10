"""Laying a document of the desk out on cards: elements, buttons, and cards within Lark's limits.

Most of a card is plain text, in which nothing can be markup and nobody can be mentioned. What is
too much for one card, in bytes, elements or tables, continues on the next.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, assert_never

from bot.adapters.lark import formatting
from bot.adapters.markdown import split
from bot.desk import documents
from bot.desk.answers import (
    LIGHTS,
    PHONE_COLUMNS,
    TableItem,
    as_text,
    bar_text,
    table_items,
)
from bot.desk.caller import ButtonSigner, load_signer
from bot.texts import dialogue, say
from memory.model import Language
from memory.ports import Clock
from memory.text.segmentation import has_visible_text

KEY_FILE: Final = "lark.key"

BUTTON_BYTES: Final = 4096
"""The most bytes of a button's signed command. Lark names no limit for it; a card has one."""

COMMAND_FIELD: Final = "command"

STOP_COMMAND: Final = "/stop"


def button_signer(data_dir: Path) -> ButtonSigner:
    """Return the signer of a data folder's buttons; raises :class:`StoreUnwritable`."""
    return load_signer(data_dir / KEY_FILE, limit=BUTTON_BYTES)


def button_value(data: str) -> dict[str, str]:
    """Return what a button carries."""
    return {COMMAND_FIELD: data}


def button_data(value: object) -> str:
    """Return the signed command of a pressed button; empty if it carries none."""
    data = value.get(COMMAND_FIELD) if isinstance(value, Mapping) else None
    return data if isinstance(data, str) else ""


Element: TypeAlias = dict[str, Any]

VISIBLE_ROWS: Final = 10
"""Rows of a table that are seen at once."""

TABLE_ROWS: Final = 50
"""Rows one table holds; the rest is another table."""

COLUMN_GAP: Final = 3
"""Columns of text that the space around a table's column takes."""

LABEL_CHARACTERS: Final = 100
"""Characters of a button's label."""

ELEMENT_BYTES: Final = 12 * 1024
"""Bytes of one element; a card has room for two."""

# What Markdown on a card may read as markup: within a line, and where a line begins.
_MARKUP: Final = re.compile(r"[\\`*_~<>\[\]|&]|:(?=\w+:)")

_LINE_START: Final = re.compile(r"(?<=\n)( {0,3})([\d#=+-])")


def block_elements(
    block: documents.Block, pictures: Mapping[documents.Picture, str]
) -> Iterator[Element]:
    """Yield the elements that show a block, except buttons: see :func:`button_elements`.

    ``pictures`` are the keys of uploaded pictures; one that is missing is described in words.
    """
    match block:
        case documents.Text(text, title):
            yield from _text_elements(text, letters="heading" if title else "normal")
        case documents.Facts(entries):
            lines = [
                f"**{_escaped(name)}**：{_escaped(documents.display_text(value))}"
                for _, name, value in entries
            ]
            yield from _markdown_elements(lines, as_text(block))
        case documents.Table():
            yield from _table_elements(block)
        case documents.Bars(bars):
            yield from _text_elements("\n".join(map(_bar_line, bars)))
        case documents.Picture() if block in pictures:
            yield _picture_element(block, pictures[block])
        case documents.Tree() | documents.Picture() | documents.File():
            yield from _text_elements(as_text(block))
        case documents.Buttons():
            return
        case never:
            assert_never(never)


def _text_elements(text: str, *, letters: str = "normal") -> Iterator[Element]:
    """Yield plain text, in which nothing is markup."""
    for part in split(text, limit=ELEMENT_BYTES, measure=formatting.sent_bytes):
        if has_visible_text(part.body):
            words = {"tag": "plain_text", "content": part.body.strip("\n"), "text_size": letters}
            yield {"tag": "div", "text": words}


def _markdown_elements(lines: Sequence[str], plain: str) -> Iterator[Element]:
    """Yield lines of Markdown; all of it as plain text if a single line is too long."""
    # A long line would have to be cut, perhaps in the middle of its markup.
    if any(formatting.sent_bytes(line) > ELEMENT_BYTES for line in lines):
        yield from _text_elements(plain)
        return
    for some in _grouped_lines(lines, ELEMENT_BYTES):
        yield {"tag": "markdown", "content": "\n".join(some)}


def _grouped_lines(lines: Sequence[str], limit: int) -> Iterator[list[str]]:
    some: list[str] = []
    room = limit
    for line in lines:
        needed = formatting.sent_bytes(line) + formatting.sent_bytes("\n")
        if some and needed > room:
            yield some
            some, room = [], limit
        some.append(line)
        room -= needed
    if some:
        yield some


def _table_elements(table: documents.Table) -> Iterator[Element]:
    """Yield a table in columns if a phone has room for them, else row by row."""
    cells = [table.columns, *(tuple(map(documents.display_text, row)) for row in table.rows)]
    widths = [max(map(documents.display_width, column)) for column in zip(*cells, strict=True)]
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


def _plain_table(table: documents.Table) -> str:
    """Return a table as plain text, for when a single row is too long."""
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


def _bar_line(bar: documents.Bar) -> str:
    """Return a bar as one line of text."""
    # The bar stands first: in a proportional font only what begins a line is aligned.
    lamp = LIGHTS[bar.colour] if bar.colour is not documents.Colour.PLAIN else ""
    return f"{bar_text(bar)}  {lamp}{documents.display_text(bar.label)}  {bar.value}".rstrip()


def _picture_element(picture: documents.Picture, key: str) -> Element:
    alt = {"tag": "plain_text", "content": picture.name}
    return {"tag": "img", "img_key": key, "alt": alt, "scale_type": "fit_horizontal"}


def button_elements(
    blocks: Sequence[documents.Block], signed: Mapping[documents.Button, str]
) -> Iterator[Element]:
    """Yield the buttons in rows that wrap at the edge of the screen.

    A button that is not ``signed``, or whose label is too long, is spelled out as text.
    """
    every = [
        each for block in blocks if isinstance(block, documents.Buttons) for each in block.buttons
    ]
    columns = [_button_column(each, signed[each]) for each in every if each in signed]
    spelled = [each for each in every if each not in signed or len(each.label) > LABEL_CHARACTERS]
    if spelled:
        yield from _text_elements("\n".join(f"{each.label}：{each.command}" for each in spelled))
    for start in range(0, len(columns), VISIBLE_ROWS):
        some = columns[start : start + VISIBLE_ROWS]
        yield {"tag": "column_set", "flex_mode": "flow", "columns": some}


def _button_column(button: documents.Button, data: str) -> Element:
    return {"tag": "column", "width": "auto", "elements": [_button(button.label, data)]}


def _button(label: str, data: str) -> Element:
    return {
        "tag": "button",
        "text": {"tag": "plain_text", "content": label[:LABEL_CHARACTERS]},
        "behaviors": [{"type": "callback", "value": button_value(data)}],
    }


def stop_button(
    signer: ButtonSigner, clock: Clock, language: Language, chat: str
) -> Element | None:
    """Return the button that stops the answer growing in a chat."""
    data = signer.sign(STOP_COMMAND, chat, clock.now())
    return _button(say(language, dialogue.STOP), data) if data is not None else None


def element_bytes(document: object) -> int:
    """Return how many bytes a part of a card takes in the request."""
    # Twice: a card is sent as a string of JSON within JSON.
    return len(
        formatting.compact_json(formatting.compact_json(document)).encode("utf-8", "replace")
    )


def _escaped(text: str) -> str:
    """Return text that Markdown on a card shows as typed."""
    text = _MARKUP.sub(lambda match: _entity(match[0]), formatting.without_mentions(text))
    return _LINE_START.sub(lambda match: match[1] + _entity(match[2]), text)


def _entity(character: str) -> str:
    return f"&#{ord(character)};"


CARD_ELEMENTS: Final = 180
"""Elements of a card. Lark allows 200, and counts each text and each column of a button."""

CARD_TABLES: Final = 5

HEADING_CHARACTERS: Final = 60
"""A longer title stands on the card and not above it."""


def document_cards(
    document: documents.Document,
    signed: Mapping[documents.Button, str],
    pictures: Mapping[documents.Picture, str],
) -> tuple[formatting.Card, ...]:
    """Return the cards that show a document, its buttons on the last; none if it is empty.

    ``signed`` is what its buttons carry; a button that is missing there is spelled out.
    ``pictures`` are the keys of uploaded pictures; one that is missing is described in words.
    """
    title, blocks = _split_heading(document.blocks)
    elements = [element for block in blocks for element in block_elements(block, pictures)]
    elements += button_elements(blocks, signed)
    stacks = list(_split_cards(elements)) or ([[]] if title else [])
    summary = _summary(title, document)
    return tuple(
        _card(stack, title if number == 0 else "", summary) for number, stack in enumerate(stacks)
    )


def plain_text(document: documents.Document) -> str:
    """Return a document as text, for when Lark refuses its cards."""
    return "\n\n".join(filter(None, map(as_text, document.blocks)))


def _split_heading(blocks: Sequence[documents.Block]) -> tuple[str, Sequence[documents.Block]]:
    """Return the title that stands above the card, and the other blocks."""
    match blocks:
        case [documents.Text(text, title=True), *rest] if len(
            text
        ) <= HEADING_CHARACTERS and has_visible_text(text):
            return text, rest
        case _:
            return "", blocks


def _split_cards(elements: Sequence[Element]) -> Iterator[list[Element]]:
    """Yield the elements of one card after the other."""
    stack: list[Element] = []
    room, left, tables = formatting.RICH_BYTES, CARD_ELEMENTS, CARD_TABLES
    for element in elements:
        bytes_, count, table = (
            element_bytes(element),
            _element_count(element),
            int(element["tag"] == "table"),
        )
        if stack and (bytes_ > room or count > left or table > tables):
            yield stack
            stack, room, left, tables = [], formatting.RICH_BYTES, CARD_ELEMENTS, CARD_TABLES
        stack.append(element)
        room, left, tables = room - bytes_, left - count, tables - table
    if stack:
        yield stack


def _card(elements: Sequence[Element], title: str, summary: str) -> formatting.Card:
    over = {"title": {"tag": "plain_text", "content": title}, "template": "wathet"}
    return {
        "schema": "2.0",
        "config": {
            "update_multi": True,
            "streaming_mode": False,
            "summary": {"content": summary},
        },
        **({"header": over} if title else {}),
        "body": {"vertical_spacing": "medium", "elements": list(elements)},
    }


def _summary(title: str, document: documents.Document) -> str:
    """Return what the list of chats shows of a card."""
    texts = (block.text for block in document.blocks if isinstance(block, documents.Text))
    return " ".join((title or next(texts, "")).split())[: formatting.SUMMARY_CHARACTERS]


def _element_count(element: object) -> int:
    """Return how many elements one contains, itself included."""
    if isinstance(element, dict):
        return ("tag" in element) + sum(map(_element_count, element.values()))
    return sum(map(_element_count, element)) if isinstance(element, list) else 0
