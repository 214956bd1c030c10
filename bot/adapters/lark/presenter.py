"""Showing a document of the desk in a chat, on cards."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from bot.adapters.calls import RequestRejected
from bot.adapters.lark.cards import document_cards, plain_text
from bot.adapters.lark.formatting import (
    LarkPayload,
    answer_payload,
    card_payload,
    compact_json,
    message_texts,
    send_uuid,
)
from bot.adapters.lark.places import LarkPlace, is_press, message_of, place_of
from bot.adapters.lark.writer import LarkMessageWriter
from bot.conversation.messages import ConversationKey
from bot.desk.button_signing import ButtonSigner
from bot.desk.documents import Button, Buttons, Document, File, Picture
from bot.desk.graph import to_png
from bot.supervise import Done, attempt
from memory.ports import Clock

IsPrivate: TypeAlias = Callable[[str], Awaitable[bool | None]]
"""Say whether a chat is with one person; None while that is not known."""


class LarkPresenter:
    """Write documents into chats; what fails is logged and let go.

    What a pressed button brings takes the place of the card the button was on.
    """

    def __init__(
        self, writer: LarkMessageWriter, signer: ButtonSigner, clock: Clock, is_private: IsPrivate
    ) -> None:
        self._writer = writer
        self._signer = signer
        self._clock = clock
        self._is_private = is_private

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document, on as many cards as it needs, its buttons on the last."""
        await attempt(
            "showing a document", lambda: self._show_document(conversation, document, reply_to)
        )

    async def _show_document(
        self, conversation: ConversationKey, document: Document, reply_to: str
    ) -> None:
        shown = _DocumentDelivery(
            self._writer, place_of(conversation), reply_to, quiet=document.quiet
        )
        if not shown.place.thread and await self._is_private(shown.place.chat):
            shown.is_reply = False
        blocks = [
            block
            for block in document.blocks
            if not isinstance(block, File) or not await shown.send_file(block)
        ]
        told = Document(tuple(blocks))
        await shown.send_cards(
            told, self._signed_buttons(told, shown.place), await shown.upload_pictures(told)
        )

    def _signed_buttons(self, document: Document, place: LarkPlace) -> dict[Button, str]:
        now = self._clock.now()
        sealed = {
            button: self._signer.sign(button.command, place.chat, now)
            for block in document.blocks
            if isinstance(block, Buttons)
            for button in block.buttons
        }
        return {button: data for button, data in sealed.items() if data is not None}


class _DocumentDelivery:
    """One document on its way into a chat."""

    def __init__(
        self, writer: LarkMessageWriter, place: LarkPlace, reply_to: str, *, quiet: bool
    ) -> None:
        self.place = place
        self.is_reply = True
        self._writer = writer
        self._reply_key = reply_to
        self._may_repeat = not quiet

    async def send_file(self, file: File) -> bool:
        """Send a file; whether that worked, for otherwise its words are shown."""

        async def sent() -> None:
            key = await self._writer.api.upload_file(file.name, file.data)
            await self._send(LarkPayload("file", compact_json({"file_key": key})))

        return isinstance(await attempt("sending a file", sent), Done)

    async def upload_pictures(self, document: Document) -> dict[Picture, str]:
        """Return the keys of the pictures that could be uploaded."""
        found: dict[Picture, str] = {}
        for block in document.blocks:
            if isinstance(block, Picture):
                step = await attempt("sending a picture", partial(self._upload_picture, block))
                if isinstance(step, Done):
                    found[block] = step.value
        return found

    async def send_cards(
        self, document: Document, sealed: Mapping[Button, str], pictures: Mapping[Picture, str]
    ) -> None:
        """Show a document on cards, or as text where they are not taken."""
        found = document_cards(document, sealed, pictures)
        try:
            for number, card in enumerate(found):
                if number or not await self._replace_pressed_card(card_payload(card)):
                    await self._send(card_payload(card))
        except RequestRejected:
            for text in message_texts(plain_text(document), "text"):
                await self._send(answer_payload("text", text))

    async def _upload_picture(self, picture: Picture) -> str:
        png = await asyncio.to_thread(to_png, picture.svg)
        return await self._writer.call_with_retries(
            self.place, partial(self._writer.api.upload_picture, png)
        )

    async def _replace_pressed_card(self, what: LarkPayload) -> bool:
        """Let the card whose button was pressed show something else; whether that worked."""
        if not is_press(self._reply_key):
            return False
        edit = partial(self._writer.edit, message_of(self._reply_key), what)
        try:
            await self._writer.call_with_retries(self.place, edit)
        except RequestRejected:
            return False
        return True

    async def _send(self, what: LarkPayload) -> None:
        send = partial(
            self._writer.send,
            self.place,
            what,
            uuid=send_uuid(self.place.chat, self._reply_key, what.content),
            reply_to=message_of(self._reply_key) if self.is_reply else "",
        )
        await self._writer.call_with_retries(self.place, send, again=self._may_repeat)
