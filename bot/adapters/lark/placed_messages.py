"""Writing to Lark chats, and the messages and live cards that one answer has put into its chat.

Unlike Telegram, Lark recognises a repeated send by its ``uuid`` for an hour, so a send may be
repeated without showing anything twice. A plain message is sent whole, under a key made of the
turn and the message's number. A card is created first and its id recorded before it is sent, since
Lark sends a card only once, however much later; what was written into it last is what it shows.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self, TypeVar

from bot.adapters.calls import (
    PlatformError,
    PlatformUnreachable,
    RateLimits,
    RequestRejected,
    Retry,
)
from bot.adapters.lark import formatting
from bot.adapters.lark.api import LarkApi, LarkPlace, MessageWithdrawn, message_of, place_of, route
from bot.adapters.lark.formatting import LarkPayload
from bot.conversation.delivery import RecordPiece, Target
from bot.tasks import Timer

T = TypeVar("T")

WORKING_REACTION: Final = "Typing"
"""The reaction that says that an answer is being written."""

NO_THREAD_CODES: Final = frozenset({230071, 230072})
"""The message, or the chat it is in, cannot have a thread."""

_MESSAGES: Final = ("im", "v1", "messages")


class LarkMessageWriter:
    """Write to chats. Every method raises :class:`PlatformError`; see :class:`Retry`.

    ``note_sent`` is told the id of every message that was sent.
    """

    def __init__(
        self, api: LarkApi, timer: Timer, note_sent: Callable[[str], object] = str
    ) -> None:
        self._note_sent = note_sent
        self.timer: Final = timer
        self.api: Final = api
        self._rate_limits = RateLimits(timer)

    async def send(
        self,
        place: LarkPlace,
        message: LarkPayload,
        *,
        uuid: str,
        reply_to: str = "",
        retry: Retry = Retry.ALWAYS,
    ) -> str:
        """Send a message and return its id; the same ``uuid`` sends it once an hour.

        It is a reply if there is something to reply to, in the thread if there is one.
        """
        body = {"msg_type": message.kind, "content": message.content, "uuid": uuid}
        sent = await self.with_retries(
            place, partial(self._send_once, place, body, reply_to), retry
        )
        self._note_sent(sent)
        return sent

    async def edit_card(self, place: LarkPlace, message: str, card: LarkPayload) -> None:
        """Replace the card that a message shows."""
        path, body = route(*_MESSAGES, message), {"content": card.content}
        await self.with_retries(place, partial(self.api.call, "PATCH", path, body=body))

    async def erase(self, place: LarkPlace, message: str) -> None:
        """Withdraw a message; one that is gone already is no error."""
        with suppress(MessageWithdrawn):
            path = route(*_MESSAGES, message)
            await self.with_retries(place, partial(self.api.call, "DELETE", path))

    async def add_reaction(self, message: str) -> str:
        """Show on a message that an answer is being written; return the reaction's id."""
        body = {"reaction_type": {"emoji_type": WORKING_REACTION}}
        added = await self.api.call("POST", route(*_MESSAGES, message, "reactions"), body=body)
        return str(added.get("reaction_id", ""))

    async def remove_reaction(self, place: LarkPlace, message: str, reaction: str) -> None:
        """Remove a reaction; an empty id stands for one that nobody knows to be there."""

        async def remove() -> None:
            # Added again, a reaction that is there already tells its id.
            known = reaction or await self.add_reaction(message)
            await self.api.call("DELETE", route(*_MESSAGES, message, "reactions", known))

        await self.with_retries(place, remove)

    async def upload_picture(self, place: LarkPlace, png: bytes) -> str:
        """Upload a picture to be shown in a chat; return its key."""
        return await self.with_retries(place, partial(self.api.upload_picture, png))

    async def with_retries(
        self, place: LarkPlace, write: Callable[[], Awaitable[T]], retry: Retry = Retry.ALWAYS
    ) -> T:
        """Make calls that write to a chat, and make them again as ``retry`` allows."""
        return await self._rate_limits.call(place.chat, write, retry)

    async def _send_once(self, place: LarkPlace, body: dict[str, Any], reply_to: str) -> str:
        if reply_to:
            try:
                return await self._reply(reply_to, body, in_thread=bool(place.thread))
            except MessageWithdrawn:
                # The question is gone; the answer is still owed.
                pass
        return _message_id(
            await self.api.call(
                "POST",
                route(*_MESSAGES),
                query={"receive_id_type": "chat_id"},
                body={**body, "receive_id": place.chat},
            )
        )

    async def _reply(self, message: str, body: dict[str, Any], *, in_thread: bool) -> str:
        path = route(*_MESSAGES, message, "reply")
        try:
            return _message_id(
                await self.api.call("POST", path, body={**body, "reply_in_thread": in_thread})
            )
        except RequestRejected as error:
            if error.code not in NO_THREAD_CODES or not in_thread:
                raise
        return _message_id(
            await self.api.call("POST", path, body={**body, "reply_in_thread": False})
        )


def _message_id(sent: dict[str, Any]) -> str:
    if not (message_id := sent.get("message_id")):
        raise PlatformUnreachable("a message without an id")
    return str(message_id)


SEQUENCE_STRIDE: Final = 10_000
"""More changes than a card gets in the ten minutes that it streams."""

TRIES: Final = 20
"""How often a change is numbered higher: more often than one answer sees crashes."""

_SEQUENCE_TOO_LOW: Final = 300317

_CARDS_PATH: Final = ("cardkit", "v1", "cards")


class LiveCard:
    """A card and the number of its last change; each change needs a higher number.

    ``sequence`` is the number to begin after. It is not recorded: a later run of the program
    begins ``SEQUENCE_STRIDE`` higher, which is more than the run before can have used.
    """

    def __init__(self, api: LarkApi, card: str, *, sequence: int = SEQUENCE_STRIDE) -> None:
        self.id: Final = card
        self._api = api
        self._sequence = sequence

    @classmethod
    async def create(cls, api: LarkApi, card: formatting.Card) -> Self:
        """Create a card, which nobody sees before it is sent; raises :class:`PlatformError`."""
        body = {"type": "card_json", "data": formatting.compact_json(card)}
        created = await api.call("POST", route(*_CARDS_PATH), body=body)
        if not (card_id := created.get("card_id")):
            raise PlatformUnreachable("a card without an id")
        return cls(api, str(card_id), sequence=0)

    @property
    def payload(self) -> formatting.LarkPayload:
        """Return the message that shows the card. Lark sends each card once."""
        return formatting.LarkPayload(
            "interactive", formatting.compact_json({"type": "card", "data": {"card_id": self.id}})
        )

    async def write(self, element: str, text: str) -> None:
        """Replace the text of an element; only while the card streams."""
        path = route(*_CARDS_PATH, self.id, "elements", element, "content")
        await self._change("PUT", path, {"content": text})

    async def close(self, card: formatting.Card) -> None:
        """Replace the card by one that no longer streams; may be repeated."""
        path = route(*_CARDS_PATH, self.id)
        body = {"card": {"type": "card_json", "data": formatting.compact_json(card)}}
        await self._change("PUT", path, body)
        # The card says both already, but the list of chats takes its summary from this call.
        # What it refuses is only that: the card itself is complete.
        config = {key: card["config"][key] for key in ("streaming_mode", "summary")}
        settings = {"settings": formatting.compact_json({"config": config})}
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
                # Several runs died within this answer, or a lost answer hid a change that worked.
                self._sequence += SEQUENCE_STRIDE
            else:
                return
        raise PlatformUnreachable("the card is changed by somebody else")


PLACEHOLDER: Final = "…"

FORBIDDEN_CODES: Final = frozenset({230022, 230028})
"""The text holds something that the company's or the country's rules do not let pass."""


@dataclass(frozen=True, slots=True)
class ReplacementTexts:
    """What is sent instead of a forbidden text, and before one that may be a repetition."""

    forbidden: str
    repeat_notice: str = ""


@dataclass(frozen=True, slots=True)
class PlacedMessage:
    """One message, and the live card it shows; the card is recorded before its message is."""

    message_id: str = ""
    card_id: str = ""

    @classmethod
    def parse(cls, recorded: str) -> Self:
        """Return a message from its recorded form.

        >>> PlacedMessage.parse("om_1").message_id, PlacedMessage.parse("7/").card_id
        ('om_1', '7')
        """
        card, _, message = recorded.rpartition("/")
        return cls(message, card)

    def __str__(self) -> str:
        return f"{self.card_id}/{self.message_id}" if self.card_id else self.message_id


class PlacedMessages:
    """The messages of one answer, those of earlier attempts among them."""

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
        """Whether any of them is a card, which may still be changed."""
        return any(placed.card_id for placed in self._messages)

    async def open_card(
        self, number: int, text: str, button: formatting.CardElement | None = None
    ) -> None:
        """Show a text in a card that will grow; tried once, raises :class:`PlatformError`."""
        card = formatting.answer_card(text, streaming=True, button=button)
        try:
            live = await LiveCard.create(self._writer.api, card)
        except RequestRejected:
            if button is None:
                raise
            live = await LiveCard.create(
                self._writer.api, formatting.answer_card(text, streaming=True)
            )
        # Recorded before it is sent: the next run sends this card, or finds that it was sent.
        await self._record(number, PlacedMessage(card_id=live.id))
        self._live_cards[number] = live
        await self._send_card(number, live, Retry.NEVER)

    async def write_card(self, number: int, text: str) -> None:
        """Replace the text of a card of this run; raises :class:`PlatformError`."""
        await self._live_cards[number].write(
            formatting.ANSWER_ELEMENT, formatting.safe_markdown(text)
        )

    async def finalize(self, number: int, text: str, kind: formatting.MessageKind) -> None:
        """Show a part of the final answer in its message; raises :class:`PlatformError`.

        A plain message of an earlier attempt shows it already. A card that can no longer be
        changed is replaced by a plain message.
        """
        placed = self._messages[number] if number < len(self._messages) else PlacedMessage()
        if placed.card_id:
            live = self._live_cards.get(number) or LiveCard(self._writer.api, placed.card_id)
            try:
                await self._finish_card(number, live, text)
            except RequestRejected:
                # Closed by Lark after ten minutes, withdrawn, or its text is not let pass.
                await self._withdraw(placed, live)
                await self._send_plain(number, text, kind)
        elif not placed.message_id:
            await self._send_plain(number, text, kind)

    async def withdraw_from(self, since: int) -> None:
        """Withdraw the messages from a number on, as far as that is possible."""
        for placed in self._messages[since:]:
            with suppress(PlatformError):
                await self._withdraw(placed, LiveCard(self._writer.api, placed.card_id))

    async def _finish_card(self, number: int, live: LiveCard, text: str) -> None:
        if not self._messages[number].message_id:
            await self._send_card(number, live, Retry.ALWAYS)
        card = formatting.answer_card(text, streaming=False)
        await self._writer.with_retries(self._place, partial(live.close, card))

    async def _withdraw(self, placed: PlacedMessage, live: LiveCard) -> None:
        """Withdraw a message, or empty its card if the message's id was never recorded."""
        try:
            if placed.message_id:
                await self._writer.erase(self._place, placed.message_id)
            else:
                await live.close(formatting.answer_card(PLACEHOLDER, streaming=False))
        except RequestRejected:
            pass

    async def _send_card(self, number: int, live: LiveCard, retry: Retry) -> None:
        """Send a card that was created; one that was sent already is not sent again."""
        sent = await self._send(number, live.payload, live.id, retry)
        await self._record(number, PlacedMessage(sent, live.id))

    async def _send_plain(self, number: int, text: str, kind: formatting.MessageKind) -> None:
        """Send a part as a message of its kind, as plain text if Lark refuses that kind.

        A forbidden text is never sent; the partner is told so instead. A text that Lark would no
        longer recognise, had it been sent before, begins with a notice that it may be repeated.
        """
        text = self._texts.repeat_notice + text
        try:
            sent = await self._send_payload(number, formatting.answer_payload(kind, text))
        except RequestRejected as error:
            if error.code in FORBIDDEN_CODES:
                text = self._texts.forbidden
            elif kind == "text":
                raise
            sent = await self._send_payload(number, formatting.answer_payload("text", text))
        await self._record(number, PlacedMessage(sent))

    async def _send_payload(self, number: int, payload: formatting.LarkPayload) -> str:
        # The content is part of the key: another text under the same number is another message.
        return await self._send(number, payload, payload.content, Retry.ALWAYS)

    async def _send(
        self, number: int, payload: formatting.LarkPayload, mark: str, retry: Retry
    ) -> str:
        # In a thread only replies stay in it; elsewhere one is enough.
        replies = self._is_reply and (number == 0 or bool(self._place.thread))
        return await self._writer.send(
            self._place,
            payload,
            uuid=formatting.send_uuid(self._turn_id, number, mark),
            reply_to=self._reply_to if replies else "",
            retry=retry,
        )

    async def _record(self, number: int, placed: PlacedMessage) -> None:
        await self._record_piece(number, str(placed))
        self._messages[number:] = [placed, *self._messages[number + 1 :]]
