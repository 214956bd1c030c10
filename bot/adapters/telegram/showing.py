"""Showing a document of the desk in a chat."""

import asyncio
from functools import partial
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.adapters.calls import RequestRejected
from bot.adapters.telegram.formatting import FormattedMessage
from bot.adapters.telegram.layout import document_messages
from bot.adapters.telegram.places import TelegramPlace, message_of, place_of, pressed_message
from bot.adapters.telegram.writing import TelegramMessageWriter
from bot.conversation.messages import ConversationKey
from bot.desk.documents import (
    Button,
    Buttons,
    Document,
    File,
    Picture,
)
from bot.desk.graph import to_png
from bot.desk.seals import ButtonSigner
from bot.supervise import Done, attempt
from memory.ports import Clock

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
