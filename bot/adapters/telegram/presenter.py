"""A document of the desk in a chat: laid out as messages, with buttons and files."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, assert_never

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegramify_markdown import MessageEntity as FoundEntity
from telegramify_markdown import split_entities

from bot.adapters.calls import RequestRejected
from bot.adapters.telegram.api import TelegramPlace, message_of, place_of, pressed_message
from bot.adapters.telegram.formatting import LIMIT, FormattedMessage
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.messages import ConversationKey
from bot.conversation.splitting import has_visible_text, utf16_units
from bot.desk.button_signing import SIGNATURE_LENGTH, ButtonSigner, load_signer
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
from bot.desk.graph import to_png
from bot.desk.plain_text import LIGHTS, PHONE_COLUMNS, display_width, table_items
from bot.supervise import Done, attempt
from memory.ports import Clock

KEY_FILE: Final = "telegram.key"

BUTTON_BYTES: Final = 64
"""Telegram's limit."""


def button_signer(data_dir: Path) -> ButtonSigner:
    """Return the seal of a data folder; raises :class:`memory.errors.StoreUnwritable`."""
    return load_signer(data_dir / KEY_FILE, limit=BUTTON_BYTES)


def is_too_long_for_button(command: str) -> bool:
    """Say whether a command has no room in a button."""
    return len(command.encode()) > BUTTON_BYTES - SIGNATURE_LENGTH


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


BUTTONS_IN_A_ROW: Final = 3
"""Buttons beside one another."""


class TelegramPresenter:
    """Write documents into chats, as a reply in groups; what fails is logged and let go."""

    def __init__(self, pen: TelegramMessageWriter, signer: ButtonSigner, clock: Clock) -> None:
        self._pen = pen
        self.signer: Final = signer
        self._clock = clock

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document, in as many messages as it needs, its buttons under the last."""
        await attempt("showing a document", lambda: self._show(conversation, document, reply_to))

    async def _show(
        self, conversation: ConversationKey, document: Document, reply_to: str
    ) -> None:
        place = place_of(conversation)
        answered = None if place.private else message_of(reply_to)
        handed = [
            number
            for number, block in enumerate(document.blocks)
            if isinstance(block, Picture | File) and await self._send_file(place, block, answered)
        ]
        told = Document(
            tuple(each for number, each in enumerate(document.blocks) if number not in handed)
        )
        found = document_messages(told)
        pressed = pressed_message(reply_to) if document.in_place and not handed else None
        if (
            pressed
            and len(found) == 1
            and await self._replace_pressed_message(place, pressed, found[0], told)
        ):
            return
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
            await self._pen.call_with_retries(place, write, again=not document.quiet)

    async def _replace_pressed_message(
        self, place: TelegramPlace, message: int, page: FormattedMessage, document: Document
    ) -> bool:
        """Let the message whose button was pressed say something else; whether it could."""
        keyboard = self._keyboard(document, place)
        edit = partial(self._pen.edit, place, message, page, keyboard=keyboard)
        try:
            await self._pen.call_with_retries(place, edit)
        except RequestRejected:
            return False
        return True

    async def _send_file(
        self, place: TelegramPlace, block: Picture | File, reply_to: int | None
    ) -> bool:
        """Send a picture or a file; whether that worked, for otherwise its words are shown."""

        async def sent() -> None:
            if isinstance(block, File):
                send = partial(self._pen.send_file, place, block.name, block.data, reply_to)
            else:
                png = await asyncio.to_thread(to_png, block.svg)
                send = partial(self._pen.send_picture, place, png, reply_to)
            await self._pen.call_with_retries(place, send)

        return isinstance(await attempt("sending a file", sent), Done)

    def _keyboard(self, document: Document, place: TelegramPlace) -> InlineKeyboardMarkup | None:
        buttons = [
            made
            for block in document.blocks
            if isinstance(block, Buttons)
            for button in block.buttons
            if (made := self._button(button, place))
        ]
        rows = [
            buttons[start : start + BUTTONS_IN_A_ROW]
            for start in range(0, len(buttons), BUTTONS_IN_A_ROW)
        ]
        return InlineKeyboardMarkup(rows) if rows else None

    def _button(self, button: Button, place: TelegramPlace) -> InlineKeyboardButton | None:
        """Return a button; None for a command too long for one, which its text still names."""
        data = self.signer.sign(button.command, str(place.chat), self._clock.now())
        return InlineKeyboardButton(button.label, callback_data=data) if data else None
