"""Showing a document of the desk in a chat, on cards."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from bot.adapters.calls import Rejected
from bot.adapters.lark.cards import cards, plainly
from bot.adapters.lark.formatting import (
    Message,
    card_message,
    compact,
    message,
    stretches,
    uuid_of,
)
from bot.adapters.lark.places import Place, is_press, message_of, place_of
from bot.adapters.lark.writing import Pen
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Button, Buttons, Document, File, Picture
from bot.desk.graph import to_png
from bot.desk.seals import Seal
from bot.supervise import Done, attempt
from memory.ports import Clock

IsPrivate: TypeAlias = Callable[[str], Awaitable[bool | None]]
"""Say whether a chat is with one person; None while that is not known."""


class LarkPresenter:
    """Write documents into chats; what fails is logged and let go.

    What a pressed button brings takes the place of the card the button was on.
    """

    def __init__(self, pen: Pen, seal: Seal, clock: Clock, is_private: IsPrivate) -> None:
        self._pen = pen
        self._seal = seal
        self._clock = clock
        self._is_private = is_private

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document, on as many cards as it needs, its buttons on the last."""
        await attempt("showing a document", lambda: self._shown(conversation, document, reply_to))

    async def _shown(
        self, conversation: ConversationKey, document: Document, reply_to: str
    ) -> None:
        shown = _Showing(self._pen, place_of(conversation), reply_to, quiet=document.quiet)
        if not shown.place.thread and await self._is_private(shown.place.chat):
            shown.answers = False
        blocks = [
            block
            for block in document.blocks
            if not isinstance(block, File) or not await shown.handed(block)
        ]
        told = Document(tuple(blocks))
        await shown.told(told, self._sealed(told, shown.place), await shown.uploaded(told))

    def _sealed(self, document: Document, place: Place) -> dict[Button, str]:
        now = self._clock.now()
        sealed = {
            button: self._seal.sealed(button.command, place.chat, now)
            for block in document.blocks
            if isinstance(block, Buttons)
            for button in block.buttons
        }
        return {button: data for button, data in sealed.items() if data is not None}


class _Showing:
    """One document on its way into a chat."""

    def __init__(self, pen: Pen, place: Place, reply_to: str, *, quiet: bool) -> None:
        self.place = place
        self.answers = True
        self._pen = pen
        self._key = reply_to
        self._again = not quiet

    async def handed(self, file: File) -> bool:
        """Send a file; whether that worked, for otherwise its words are shown."""

        async def sent() -> None:
            key = await self._pen.api.upload_file(file.name, file.data)
            await self._sent(Message("file", compact({"file_key": key})))

        return isinstance(await attempt("sending a file", sent), Done)

    async def uploaded(self, document: Document) -> dict[Picture, str]:
        """Return the keys of the pictures that could be uploaded."""
        found: dict[Picture, str] = {}
        for block in document.blocks:
            if isinstance(block, Picture):
                step = await attempt("sending a picture", partial(self._uploaded, block))
                if isinstance(step, Done):
                    found[block] = step.value
        return found

    async def told(
        self, document: Document, sealed: Mapping[Button, str], pictures: Mapping[Picture, str]
    ) -> None:
        """Show a document on cards, or as text where they are not taken."""
        found = cards(document, sealed, pictures)
        try:
            for number, card in enumerate(found):
                if number or not await self._replaced(card_message(card)):
                    await self._sent(card_message(card))
        except Rejected:
            for text in stretches(plainly(document), "text"):
                await self._sent(message("text", text))

    async def _uploaded(self, picture: Picture) -> str:
        png = await asyncio.to_thread(to_png, picture.svg)
        return await self._pen.patiently(self.place, partial(self._pen.api.upload, png))

    async def _replaced(self, what: Message) -> bool:
        """Let the card whose button was pressed show something else; whether that worked."""
        if not is_press(self._key):
            return False
        edit = partial(self._pen.edit, message_of(self._key), what)
        try:
            await self._pen.patiently(self.place, edit)
        except Rejected:
            return False
        return True

    async def _sent(self, what: Message) -> None:
        send = partial(
            self._pen.send,
            self.place,
            what,
            uuid=uuid_of(self.place.chat, self._key, what.content),
            reply_to=message_of(self._key) if self.answers else "",
        )
        await self._pen.patiently(self.place, send, again=self._again)
