"""Showing a document of the desk in a chat."""

import asyncio
import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, assert_never

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegramify_markdown import MessageEntity as FoundEntity
from telegramify_markdown import split_entities

from bot.adapters.telegram.buttons import is_too_long
from bot.adapters.telegram.formatting import LIMIT, Formatted
from bot.adapters.telegram.places import Place, message_of, place_of
from bot.adapters.telegram.writing import Pen
from bot.conversation.graphemes import visible
from bot.conversation.messages import ConversationKey
from bot.conversation.splitting import utf16_units
from bot.desk.documents import (
    Bar,
    Bars,
    Block,
    Branch,
    Button,
    Buttons,
    Colour,
    Document,
    Facts,
    File,
    Picture,
    Table,
    Text,
    Tree,
    shown,
)
from bot.desk.graph import to_png
from bot.desk.seals import Seal
from bot.supervise import Done, attempt
from memory.ports import Clock

BAR: Final = 10
"""Characters of the longest bar."""

IN_A_ROW: Final = 3
"""Buttons beside one another."""

_LAMPS: Final = {
    Colour.GREEN: "🟢 ",
    Colour.YELLOW: "🟡 ",
    Colour.RED: "🔴 ",
    Colour.PLAIN: "",
}


class TelegramPresenter:
    """Write documents into chats, as a reply in groups; what fails is logged and let go."""

    def __init__(self, pen: Pen, seal: Seal, clock: Clock) -> None:
        self._pen = pen
        self.seal: Final = seal
        self._clock = clock

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document, in as many messages as it needs, its buttons under the last."""
        await attempt("showing a document", lambda: self._shown(conversation, document, reply_to))

    async def _shown(
        self, conversation: ConversationKey, document: Document, reply_to: str
    ) -> None:
        place = place_of(conversation)
        answered = None if place.private else message_of(reply_to)
        handed = [
            number
            for number, block in enumerate(document.blocks)
            if isinstance(block, Picture | File) and await self._handed(place, block, answered)
        ]
        told = Document(
            tuple(each for number, each in enumerate(document.blocks) if number not in handed)
        )
        found = pages(told)
        for page in found:
            keyboard = self._keyboard(document, place) if page is found[-1] else None
            write = partial(
                self._pen.send,
                place,
                page,
                reply_to=answered,
                keyboard=keyboard,
                silent=document.quiet,
            )
            await self._pen.patiently(place, write, again=not document.quiet)

    async def _handed(self, place: Place, thing: Picture | File, reply_to: int | None) -> bool:
        """Send a picture or a file; whether that worked, for otherwise its words are shown."""

        async def sent() -> None:
            if isinstance(thing, File):
                send = partial(self._pen.file, place, thing.name, thing.data, reply_to)
            else:
                png = await asyncio.to_thread(to_png, thing.svg)
                send = partial(self._pen.picture, place, png, reply_to)
            await self._pen.patiently(place, send)

        return isinstance(await attempt("sending a file", sent), Done)

    def _keyboard(self, document: Document, place: Place) -> InlineKeyboardMarkup | None:
        buttons = [
            made
            for block in document.blocks
            if isinstance(block, Buttons)
            for button in block.buttons
            if (made := self._button(button, place))
        ]
        rows = [buttons[start : start + IN_A_ROW] for start in range(0, len(buttons), IN_A_ROW)]
        return InlineKeyboardMarkup(rows) if rows else None

    def _button(self, button: Button, place: Place) -> InlineKeyboardButton | None:
        """Return a button; None for a command too long for one, which its text still names."""
        data = self.seal.sealed(button.command, str(place.chat), self._clock.now())
        return InlineKeyboardButton(button.label, callback_data=data) if data else None


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
        case Table() | Tree() | Bars() | Picture():
            yield _monospaced(block), MessageEntity.PRE
        case never:
            assert_never(never)


def _monospaced(block: Table | Tree | Bars | Picture) -> str:
    match block:
        case Table(columns=columns, rows=rows):
            return _aligned([columns, *[tuple(map(shown, row)) for row in rows]])
        case Tree(root=root):
            return "\n".join((root.label, *_grown(root, "")))
        case Bars(bars=bars):
            return _aligned([_drawn(bar) for bar in bars])
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
    return f"{_LAMPS[bar.colour]}{shown(bar.label)}", line, bar.value


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines whose columns stand under each other in a monospaced font."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _width(text: str) -> int:
    """Return how many columns a text takes: a Chinese character takes two."""
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def _grown(branch: Branch, indent: str) -> Iterator[str]:
    for each in branch.branches:
        last = each is branch.branches[-1]
        yield f"{indent}{'└ ' if last else '├ '}{each.label}"
        yield from _grown(each, indent + ("  " if last else "│ "))
