"""What one answer has put into its chat, each piece made durable as it comes.

A plain message is sent whole, under a key of the turn and its place: sent again after a crash it
is the same message for an hour, which is as long as Lark remembers keys. A card is made first and
its id kept before it is sent, since Lark sends a card only once, however much later; whatever it
shows by then, the last thing written into it stays.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from bot.adapters.calls import PlatformError, RequestRejected
from bot.adapters.lark.formatting import (
    ANSWER_ELEMENT,
    LarkPayload,
    MessageKind,
    answer_card,
    answer_payload,
    safe_markdown,
    send_uuid,
)
from bot.adapters.lark.live import LiveCard
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.writing import LarkMessageWriter
from bot.conversation.channel import RecordPiece, Target

PLACEHOLDER: Final = "…"

FORBIDDEN_CODES: Final = frozenset({230022, 230028})
"""What was said holds something that the company or the country does not let pass."""


@dataclass(frozen=True, slots=True)
class ReplacementTexts:
    """What is said instead of what may not be said, and before what may come ``again``."""

    forbidden: str
    repeat_notice: str = ""


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """One message. ``card`` is the card it shows; a card may be kept before its message is."""

    message_id: str = ""
    card_id: str = ""

    @classmethod
    def parse(cls, kept: str) -> Self:
        """Return a piece as it was kept.

        >>> Piece.read("om_1"), Piece.read("7/")
        (Piece(message='om_1', card=''), Piece(message='', card='7'))
        """
        card, _, identity = kept.rpartition("/")
        return cls(identity, card)

    def __str__(self) -> str:
        return f"{self.card_id}/{self.message_id}" if self.card_id else self.message_id


class PlacedMessages:
    """The pieces of one answer, those of earlier attempts among them."""

    def __init__(
        self,
        writer: LarkMessageWriter,
        target: Target,
        record_piece: RecordPiece,
        texts: ReplacementTexts,
    ) -> None:
        self._writer = writer
        self._texts = texts
        self._turn_id = target.turn_id
        self._place = place_of(target.conversation)
        self._reply_to = message_of(target.reply_to)
        self._is_reply = not target.private or bool(self._place.thread)
        self._record_piece = record_piece
        self._messages = [PlacedMessage.parse(each) for each in target.piece_ids]
        self._live_cards: dict[int, LiveCard] = {}

    @property
    def has_cards(self) -> bool:
        """Whether any piece is a card that may be changed."""
        return any(piece.card_id for piece in self._messages)

    async def open_card(self, number: int, text: str) -> None:
        """Show a text in a card that is going to grow; raises :class:`Trouble`."""
        live = await LiveCard.create(self._writer.api, answer_card(text, streaming=True))
        await self._record(number, PlacedMessage(card_id=live.id))
        self._live_cards[number] = live
        await self._send_card(number, live)

    async def write_card(self, number: int, text: str) -> None:
        """Let the card of this run say the whole of a text; raises :class:`Trouble`."""
        await self._live_cards[number].write(ANSWER_ELEMENT, safe_markdown(text))

    async def finalize(self, number: int, text: str, kind: MessageKind) -> None:
        """Let a piece say its part of the final answer; raises :class:`Trouble`.

        A plain message that is there says it already. A card that takes nothing more is replaced.
        """
        piece = self._messages[number] if number < len(self._messages) else PlacedMessage()
        if piece.card_id:
            live = self._live_cards.get(number) or LiveCard(self._writer.api, piece.card_id)
            try:
                await self._finish_card(number, live, text)
            except RequestRejected:
                await self._withdraw(piece, live)
                await self._send_plain(number, text, kind)
        elif not piece.message_id:
            await self._send_plain(number, text, kind)

    async def withdraw_from(self, since: int) -> None:
        """Take back the pieces from a number on, as far as that is possible."""
        for piece in self._messages[since:]:
            with suppress(PlatformError):
                await self._withdraw(piece, LiveCard(self._writer.api, piece.card_id))

    async def _finish_card(self, number: int, live: LiveCard, text: str) -> None:
        if not self._messages[number].message_id:
            await self._writer.call_with_retries(
                self._place, partial(self._send_card, number, live)
            )
        card = answer_card(text, streaming=False)
        await self._writer.call_with_retries(self._place, partial(live.close, card))

    async def _withdraw(self, piece: PlacedMessage, live: LiveCard) -> None:
        """Take a piece back, or, if it is not known where it is, what it says."""
        try:
            if piece.message_id:
                erase = partial(self._writer.erase, piece.message_id)
                await self._writer.call_with_retries(self._place, erase)
            else:
                await live.close(answer_card(PLACEHOLDER, streaming=False))
        except RequestRejected:
            pass

    async def _send_card(self, number: int, live: LiveCard) -> None:
        """Send a card that was made; one that was sent already is not sent again."""
        sent = await self._send(number, live.payload, live.id)
        await self._record(number, PlacedMessage(sent, live.id))

    async def _send_plain(self, number: int, text: str, kind: MessageKind) -> None:
        """Send a part as a plain message, without any dress if Lark does not like that.

        What may not be said there is never sent; the partner is told so. What Lark would not
        recognise any more, had it been sent before, says that it may come again.
        """
        text = self._texts.repeat_notice + text
        try:
            sent = await self._send_with_retries(number, answer_payload(kind, text))
        except RequestRejected as error:
            if error.code in FORBIDDEN_CODES:
                text = self._texts.forbidden
            elif kind == "text":
                raise
            sent = await self._send_with_retries(number, answer_payload("text", text))
        await self._record(number, PlacedMessage(sent))

    async def _send_with_retries(self, number: int, what: LarkPayload) -> str:
        send = partial(self._send, number, what, what.content)
        return await self._writer.call_with_retries(self._place, send)

    async def _send(self, number: int, what: LarkPayload, mark: str) -> str:
        # In a thread only replies stay in it; elsewhere one is enough.
        answers = self._is_reply and (number == 0 or bool(self._place.thread))
        return await self._writer.send(
            self._place,
            what,
            uuid=send_uuid(self._turn_id, number, mark),
            reply_to=self._reply_to if answers else "",
        )

    async def _record(self, number: int, piece: PlacedMessage) -> None:
        await self._record_piece(number, str(piece))
        self._messages[number:] = [piece, *self._messages[number + 1 :]]
