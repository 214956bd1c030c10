"""The messages and live cards that one answer has put into its chat, each recorded as it is sent.

A plain message is sent whole, under a key of the turn and its place: sent again after a crash it
is the same message for an hour, which is as long as Lark remembers keys. A card is made first and
its id kept before it is sent, since Lark sends a card only once, however much later; whatever it
shows by then, the last thing written into it stays.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

from bot.adapters.calls import PlatformError, PlatformUnreachable, RequestRejected
from bot.adapters.lark.api import LarkApi, route
from bot.adapters.lark.formatting import (
    ANSWER_ELEMENT,
    Card,
    LarkPayload,
    MessageKind,
    answer_card,
    answer_payload,
    compact_json,
    safe_markdown,
    send_uuid,
)
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.writer import LarkMessageWriter
from bot.conversation.delivery import RecordPiece, Target

SEQUENCE_STRIDE: Final = 10_000
"""More changes than a card sees in the ten minutes that it streams."""

TRIES: Final = 20
"""So often a change is numbered higher: more than there are crashes within one answer."""

_SEQUENCE_TOO_LOW: Final = 300317

_CARDS_PATH: Final = ("cardkit", "v1", "cards")


class LiveCard:
    """A card and the number of its last change: each change's must be higher than the last.

    ``sequence`` is where to begin; a card made by an earlier run of the program has seen fewer
    changes than ``STRIDE`` since the run before that.
    """

    def __init__(self, api: LarkApi, card: str, *, sequence: int = SEQUENCE_STRIDE) -> None:
        self.id: Final = card
        self._api = api
        self._sequence = sequence

    @classmethod
    async def create(cls, api: LarkApi, card: Card) -> Self:
        """Make a card, which nobody sees before it is sent; raises :class:`Trouble`."""
        body = {"type": "card_json", "data": compact_json(card)}
        told = await api.call("POST", route(*_CARDS_PATH), body=body)
        if not (identity := told.get("card_id")):
            raise PlatformUnreachable("a card without an id")
        return cls(api, str(identity), sequence=0)

    @property
    def payload(self) -> LarkPayload:
        """Return the message that shows the card. Lark sends each card once."""
        return LarkPayload(
            "interactive", compact_json({"type": "card", "data": {"card_id": self.id}})
        )

    async def write(self, element: str, text: str) -> None:
        """Let an element say the whole of a text; only while the card streams."""
        path = route(*_CARDS_PATH, self.id, "elements", element, "content")
        await self._change("PUT", path, {"content": text})

    async def close(self, card: Card) -> None:
        """Let the card be another one, which streams no more; may be done again."""
        path = route(*_CARDS_PATH, self.id)
        body = {"card": {"type": "card_json", "data": compact_json(card)}}
        await self._change("PUT", path, body)
        # The whole card says so already; the list of chats may want to hear it by itself.
        config = {key: card["config"][key] for key in ("streaming_mode", "summary")}
        settings = {"settings": compact_json({"config": config})}
        with suppress(RequestRejected):
            await self._change("PATCH", route(*_CARDS_PATH, self.id, "settings"), settings)

    async def _change(self, method: str, path: str, body: dict[str, Any]) -> None:
        for _ in range(TRIES):
            self._sequence += 1
            try:
                await self._api.call(method, path, body={**body, "sequence": self._sequence})
            except RequestRejected as error:
                if error.code != _SEQUENCE_TOO_LOW:
                    raise
                self._sequence += SEQUENCE_STRIDE
            else:
                return
        raise PlatformUnreachable("the card is changed by somebody else")


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
