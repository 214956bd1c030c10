"""Showing a document of the desk in a Telegram chat: messages, buttons and files.

A phone is narrow and Telegram knows no tables, so most of this module is about what becomes of
columns, trees and bars.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, assert_never

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity
from telegramify_markdown import MessageEntity as FoundEntity
from telegramify_markdown import split_entities

from bot.adapters.calls import RequestRejected, delivery_errors
from bot.adapters.markdown import utf16_units
from bot.adapters.telegram.api import TelegramPlace, message_of, place_of, pressed_message
from bot.adapters.telegram.delivery import TelegramMessages
from bot.adapters.telegram.formatting import LIMIT, FormattedMessage, aligned_columns, fits_phone
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey
from bot.desk import documents
from bot.desk.answers import LIGHTS, table_items
from bot.desk.caller import SIGNATURE_LENGTH, ButtonSigner, load_signer
from bot.desk.graph import to_png
from bot.tasks import Done, attempt
from bot.texts import dialogue, say
from memory.model import Language
from memory.ports import Clock
from memory.text.segmentation import has_visible_text

KEY_FILE: Final = "telegram.key"

BUTTON_BYTES: Final = 64
"""The most bytes a button may carry: Telegram's limit."""


def button_signer(data_dir: Path) -> ButtonSigner:
    """Return the signer of a data folder's buttons; raises :class:`StoreUnwritable`."""
    return load_signer(data_dir / KEY_FILE, limit=BUTTON_BYTES)


def stop_keyboard(
    signer: ButtonSigner, clock: Clock, language: Language, chat: int
) -> InlineKeyboardMarkup | None:
    """Return the button that stops the answer growing in a chat."""
    data = signer.sign("/stop", str(chat), clock.now())
    button = InlineKeyboardButton(say(language, dialogue.STOP), callback_data=data)
    return InlineKeyboardMarkup([[button]])


def is_too_long_for_button(command: str) -> bool:
    """Whether a button has no room for a command beside its signature."""
    return len(command.encode()) > BUTTON_BYTES - SIGNATURE_LENGTH


BAR_WIDTH: Final = 10
"""Characters of the longest bar."""

TWO_COLUMNS: Final = 2


def document_messages(document: documents.Document) -> tuple[FormattedMessage, ...]:
    """Return a document as messages of legal length; buttons appear only below, not as text."""
    text = ""
    entities: list[FoundEntity] = []
    for block in documents.harmless_document(document).blocks:
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


def _styled_pieces(block: documents.Block) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a block, each with its kind of entity; empty for plain text."""
    match block:
        case documents.Text(text, title):
            yield text, MessageEntity.BOLD if title else ""
        case documents.Facts(entries):
            for number, (_, name, value) in enumerate(entries):
                yield "\n" if number else "", ""
                yield f"{name}：", MessageEntity.BOLD
                yield documents.display_text(value), ""
        case documents.File(alt=alt):
            yield alt, ""
        case documents.Buttons(buttons):
            yield from _long_button_text(buttons)
        case documents.Table():
            yield from _table_pieces(block)
        case documents.Tree() | documents.Bars() | documents.Picture():
            yield _monospaced_text(block), MessageEntity.PRE
        case never:
            assert_never(never)


def _table_pieces(table: documents.Table) -> Iterator[tuple[str, str]]:
    """Yield a table as aligned columns if a phone has room for them, else row by row as text.

    As text, a row begins with its first cell and its longest one; the rest is on a line below,
    numbers with the name of their column.
    """
    rows = [tuple(map(documents.display_text, row)) for row in table.rows]
    aligned = aligned_columns([table.columns, *rows])
    if fits_phone(aligned):
        yield aligned, MessageEntity.PRE
        return
    if len(table.columns) == TWO_COLUMNS:
        yield f"{table.columns[0]}\n", MessageEntity.BOLD
    for number, item in enumerate(table_items(table)):
        yield "\n" if number else "", ""
        yield item.first, MessageEntity.BOLD
        yield "\n   ".join(filter(None, (f"  {item.main}", " · ".join(item.rest)))), ""


def _monospaced_text(block: documents.Tree | documents.Bars | documents.Picture) -> str:
    match block:
        case documents.Tree(root=root):
            return "\n".join((root.label, *_branch_lines(root, "")))
        case documents.Bars(bars=bars):
            rows = [_bar_row(bar) for bar in bars]
            aligned = aligned_columns(rows)
            if fits_phone(aligned):
                return aligned
            return "\n".join(f"{label}\n  {line} {value}" for label, line, value in rows)
        case documents.Picture(alt=alt):
            return alt
        case never:
            assert_never(never)


def _long_button_text(buttons: Sequence[documents.Button]) -> Iterator[tuple[str, str]]:
    """Yield as text the commands that are too long for a button."""
    long = [button for button in buttons if is_too_long_for_button(button.command)]
    if long:
        yield "\n".join(f"{button.label}：{button.command}" for button in long), ""


def _bar_row(bar: documents.Bar) -> tuple[str, str, str]:
    filled = round(max(0.0, min(bar.share, 1.0)) * BAR_WIDTH)
    line = "█" * filled + "░" * (BAR_WIDTH - filled)
    return f"{LIGHTS[bar.colour]}{documents.display_text(bar.label)}", line, bar.value


def _branch_lines(branch: documents.Branch, indent: str) -> Iterator[str]:
    for each in branch.branches:
        last = each is branch.branches[-1]
        yield f"{indent}{'└ ' if last else '├ '}{each.label}"
        yield from _branch_lines(each, indent + ("  " if last else "│ "))


BUTTONS_IN_A_ROW: Final = 3
"""Buttons beside one another."""


class TelegramPresenter:
    """Send documents to chats, in groups as a reply; a failure is logged and not raised."""

    def __init__(self, writer: TelegramMessageWriter, signer: ButtonSigner, clock: Clock) -> None:
        self._writer = writer
        self.signer: Final = signer
        self._clock = clock

    async def present(
        self, conversation: ConversationKey, document: documents.Document, *, reply_to: str
    ) -> None:
        """Show a document in as many messages as it needs, its buttons under the last."""
        # A notice nobody asked for may rather be missing than come twice: nothing is found again.
        place = place_of(conversation)
        target = Target(
            turn_id="",
            conversation=conversation,
            private=place.private,
            reply_to=reply_to,
        )
        await attempt("showing a document", lambda: self._show(document, target))

    async def _show(self, document: documents.Document, target: Target) -> None:
        place, question = place_of(target.conversation), None
        if not target.private:
            question = message_of(target.reply_to)
        rest = await self._without_files(document, partial(self._send_file, place, question))
        if await self._is_shown_in_place(document, rest, target):
            return
        pages = document_messages(rest)
        for page in pages:
            keyboard = self._keyboard(document, place) if page is pages[-1] else None
            await self._writer.send(
                place, page, reply_to=question, keyboard=keyboard, silent=document.quiet
            )

    async def deliver(
        self, document: documents.Document, target: Target, record_piece: RecordPiece
    ) -> None:
        """Show the answer of a command; each message is placed before it says anything."""
        messages = TelegramMessages(self._writer, target, record_piece)
        numbers = count()

        async def send(block: documents.Picture | documents.File) -> bool:
            return await messages.put_file(
                next(numbers), partial(self._send_data, messages.place, block)
            )

        with delivery_errors():
            rest = await self._without_files(document, send)
            first = next(numbers)
            if messages.count <= first and await self._is_shown_in_place(document, rest, target):
                return
            pages = document_messages(rest)
            for number, page in enumerate(pages):
                keyboard = self._keyboard(document, messages.place) if page is pages[-1] else None
                await messages.put_final(first + number, page, keyboard)
            await messages.erase_from(first + len(pages))

    async def _without_files(
        self,
        document: documents.Document,
        send: Callable[[documents.Picture | documents.File], Awaitable[bool]],
    ) -> documents.Document:
        """Send the files of a document; return what is left, which says what could not be sent."""
        # Files first: one that cannot be sent is described in the text instead.
        rest = [
            block
            for block in document.blocks
            if not isinstance(block, documents.Picture | documents.File) or not await send(block)
        ]
        return replace(document, blocks=tuple(rest))

    async def _is_shown_in_place(
        self, document: documents.Document, rest: documents.Document, target: Target
    ) -> bool:
        """Show a document in place of the message whose button was pressed, where it fits."""
        pages = document_messages(rest)
        # A page that is turned replaces the last one; a file could not be put in its place.
        has_files = len(rest.blocks) < len(document.blocks)
        pressed = pressed_message(target.reply_to) if document.in_place and not has_files else None
        if not pressed or len(pages) != 1:
            return False
        place = place_of(target.conversation)
        return await self._replace_pressed_message(place, pressed, pages[0], rest)

    async def _replace_pressed_message(
        self,
        place: TelegramPlace,
        message: int,
        page: FormattedMessage,
        document: documents.Document,
    ) -> bool:
        """Edit the message whose button was pressed; return whether that was possible."""
        keyboard = self._keyboard(document, place)
        try:
            await self._writer.edit(place, message, page, keyboard=keyboard)
        except RequestRejected:
            # Deleted meanwhile, or too old: a new message shows the page.
            return False
        return True

    async def _send_file(
        self,
        place: TelegramPlace,
        reply_to: int | None,
        block: documents.Picture | documents.File,
    ) -> bool:
        """Send a picture or a file; return whether that worked."""

        async def send() -> None:
            await self._send_data(place, block, reply_to)

        return isinstance(await attempt("sending a file", send), Done)

    async def _send_data(
        self,
        place: TelegramPlace,
        block: documents.Picture | documents.File,
        reply_to: int | None,
    ) -> int:
        if isinstance(block, documents.File):
            return await self._writer.send_file(place, block.name, block.data, reply_to)
        # Drawing takes long enough to hold the event loop up.
        drawn = await attempt("drawing", lambda: asyncio.to_thread(to_png, block.svg))
        if not isinstance(drawn, Done):
            raise RequestRejected("a picture that cannot be drawn")
        return await self._writer.send_picture(place, drawn.value, reply_to)

    def _keyboard(
        self, document: documents.Document, place: TelegramPlace
    ) -> InlineKeyboardMarkup | None:
        signed = documents.signed_buttons(
            document, self.signer, str(place.chat), self._clock.now()
        )
        # One whose command is too long is left out: the text spells it out.
        buttons = [
            InlineKeyboardButton(button.label, callback_data=data)
            for button, data in signed.items()
        ]
        rows = [
            buttons[start : start + BUTTONS_IN_A_ROW]
            for start in range(0, len(buttons), BUTTONS_IN_A_ROW)
        ]
        return InlineKeyboardMarkup(rows) if rows else None
