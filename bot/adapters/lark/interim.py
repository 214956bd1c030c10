"""Showing documents as plain text, until cards do."""

from functools import partial

from bot.adapters.lark.formatting import message, uuid_of
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.writing import Pen
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document
from bot.desk.plain import as_text
from bot.supervise import attempt


class PlainPresenter:
    """Write documents into chats as text."""

    def __init__(self, pen: Pen) -> None:
        self._pen = pen

    async def present(
        self, conversation: ConversationKey, document: Document, *, reply_to: str
    ) -> None:
        """Show a document."""
        place, words = (
            place_of(conversation),
            "\n\n".join(filter(None, map(as_text, document.blocks))),
        )
        send = partial(
            self._pen.send,
            place,
            message("text", words),
            uuid=uuid_of(reply_to, words),
            reply_to=message_of(reply_to),
        )
        await attempt("showing a document", lambda: self._pen.patiently(place, send))
