"""Showing a document of the desk in a Lark chat: its files, its pictures, its cards."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from bot.adapters.calls import RequestRejected, Retry, delivery_errors
from bot.adapters.lark import formatting
from bot.adapters.lark.api import LarkPlace, is_press, message_of, place_of
from bot.adapters.lark.cards import document_cards, plain_text
from bot.adapters.lark.placed_messages import LarkMessageWriter
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.messages import ConversationKey
from bot.desk.caller import ButtonSigner
from bot.desk.documents import (
    Button,
    Document,
    File,
    Picture,
    harmless_document,
    signed_buttons,
)
from bot.desk.graph import to_png
from bot.tasks import Done, attempt
from memory.ports import Clock

IsPrivate: TypeAlias = Callable[[str], Awaitable[bool | None]]
"""Say whether a chat is with one person; None if that is not known."""


NOT_SHOWN: Final = ""
"""Recorded in place of the id of a file that Lark does not take."""


class LarkPresenter:
    """Send documents to chats; a failure is logged and not raised.

    The answer to a pressed button replaces the card the button was on.
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
        """Show a document on as many cards as it needs, its buttons on the last."""
        await attempt(
            "showing a document", lambda: self._show_document(conversation, document, reply_to)
        )

    async def _show_document(
        self, conversation: ConversationKey, document: Document, reply_to: str
    ) -> None:
        place = place_of(conversation)
        sending = _SendOnce(self._writer, place, reply_to, quiet=document.quiet)
        # With one person a quotation of the question is noise; in a thread only replies stay.
        if not place.thread and await self._is_private(place.chat):
            sending.is_reply = False
        await self._show_parts(document, _DocumentDelivery(self._writer, sending))

    async def deliver(self, document: Document, target: Target, record_piece: RecordPiece) -> None:
        """Show the answer of a command; what an earlier attempt has sent is not sent again."""
        place = place_of(target.conversation)
        sending = _SendRecorded(self._writer, place, target, record_piece)
        sending.is_reply = bool(place.thread) or not target.private
        with delivery_errors():
            await self._show_parts(document, _DocumentDelivery(self._writer, sending))

    async def _show_parts(self, document: Document, delivery: "_DocumentDelivery") -> None:
        document = harmless_document(document)
        # Files first: one that cannot be sent stays in the document and is described on a card.
        blocks = [
            block
            for block in document.blocks
            if not isinstance(block, File) or not await delivery.send_file(block)
        ]
        rest = Document(tuple(blocks))
        await delivery.send_cards(
            rest,
            signed_buttons(rest, self._signer, delivery.place.chat, self._clock.now()),
            await delivery.upload_pictures(rest),
        )


class _SendOnce:
    """Sends the messages of a document; ``is_reply`` says whether as replies."""

    def __init__(
        self, writer: LarkMessageWriter, place: LarkPlace, reply_to: str, *, quiet: bool = False
    ) -> None:
        self.place: Final = place
        self.reply_key: Final = reply_to
        self.is_reply = True
        self._writer = writer
        # A notice nobody asked for may rather be missing than come twice.
        self._retry = Retry.IF_NOT_DONE if quiet else Retry.ALWAYS

    async def send(self, payload: formatting.LarkPayload) -> None:
        """Send the next message."""
        await self._send(
            payload, formatting.send_uuid(self.place.chat, self.reply_key, payload.content)
        )

    async def send_file(self, upload: Callable[[], Awaitable[formatting.LarkPayload]]) -> bool:
        """Upload and send a file as the next message; return whether that worked."""

        async def send() -> None:
            await self.send(await upload())

        return isinstance(await attempt("sending a file", send), Done)

    async def _send(self, payload: formatting.LarkPayload, uuid: str) -> str:
        return await self._writer.send(
            self.place,
            payload,
            uuid=uuid,
            reply_to=message_of(self.reply_key) if self.is_reply else "",
            retry=self._retry,
        )


class _SendRecorded(_SendOnce):
    """Sends messages under keys made of the turn, and leaves out those of earlier attempts."""

    def __init__(
        self,
        writer: LarkMessageWriter,
        place: LarkPlace,
        target: Target,
        record_piece: RecordPiece,
    ) -> None:
        super().__init__(writer, place, target.reply_to)
        self._turn_id = target.turn_id
        self._record_piece = record_piece
        self._pieces = list(target.piece_ids)
        self._number = 0

    async def send(self, payload: formatting.LarkPayload) -> None:
        """Send the next message unless that was done."""
        number, self._number = self._number, self._number + 1
        if number < len(self._pieces):
            return
        # Not of the content: buttons are signed anew at each attempt.
        uuid = formatting.send_uuid(self._turn_id, number, payload.kind)
        await self._record_piece(number, await self._send(payload, uuid))

    async def send_file(self, upload: Callable[[], Awaitable[formatting.LarkPayload]]) -> bool:
        """Upload and send a file unless that was done; raises :class:`PlatformError`."""
        number = self._number
        if number < len(self._pieces):
            self._number += 1
            return self._pieces[number] != NOT_SHOWN
        try:
            await self.send(await upload())
        except RequestRejected:
            self._number = number + 1
            await self._record_piece(number, NOT_SHOWN)
            return False
        return True


class _DocumentDelivery:
    """Shows one document in a chat."""

    def __init__(self, writer: LarkMessageWriter, sending: _SendOnce) -> None:
        self.place: Final = sending.place
        self._writer = writer
        self._sending = sending

    async def send_file(self, file: File) -> bool:
        """Send a file; return whether that worked."""

        async def upload() -> formatting.LarkPayload:
            key = await self._writer.api.upload_file(file.name, file.data)
            return formatting.LarkPayload("file", formatting.compact_json({"file_key": key}))

        return await self._sending.send_file(upload)

    async def upload_pictures(self, document: Document) -> dict[Picture, str]:
        """Upload the pictures of a document; return the keys of those that worked."""
        keys: dict[Picture, str] = {}
        for block in document.blocks:
            if isinstance(block, Picture):
                step = await attempt("sending a picture", partial(self._upload_picture, block))
                if isinstance(step, Done):
                    keys[block] = step.value
        return keys

    async def send_cards(
        self, document: Document, signed: Mapping[Button, str], pictures: Mapping[Picture, str]
    ) -> None:
        """Show a document on cards, or as plain text where Lark refuses them."""
        cards = document_cards(document, signed, pictures)
        try:
            for number, card in enumerate(cards):
                if number or not await self._replace_pressed_card(formatting.card_payload(card)):
                    await self._sending.send(formatting.card_payload(card))
        except RequestRejected:
            for text in formatting.message_texts(plain_text(document), "text"):
                await self._sending.send(formatting.answer_payload("text", text))

    async def _upload_picture(self, picture: Picture) -> str:
        # Drawing takes long enough to hold the event loop up.
        png = await asyncio.to_thread(to_png, picture.svg)
        return await self._writer.upload_picture(self.place, png)

    async def _replace_pressed_card(self, card: formatting.LarkPayload) -> bool:
        """Replace the card whose button was pressed; return whether that was possible."""
        if not is_press(self._sending.reply_key):
            return False
        try:
            await self._writer.edit_card(self.place, message_of(self._sending.reply_key), card)
        except RequestRejected:
            # Withdrawn meanwhile, or too old to be changed: a new card shows the answer.
            return False
        return True
