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

from bot.adapters.calls import Rejected, Trouble
from bot.adapters.lark.formatting import (
    ANSWER,
    Kind,
    Message,
    answer_card,
    message,
    tamed,
    uuid_of,
)
from bot.adapters.lark.live import LiveCard
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.writing import Pen
from bot.conversation.channel import Placed, Target

NOTHING: Final = "…"

FORBIDDEN: Final = frozenset({230022, 230028})
"""What was said holds something that the company or the country does not let pass."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said instead of what may not be said, and before what may come ``again``."""

    forbidden: str
    again: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """One message. ``card`` is the card it shows; a card may be kept before its message is."""

    message: str = ""
    card: str = ""

    @classmethod
    def read(cls, kept: str) -> Self:
        """Return a piece as it was kept.

        >>> Piece.read("om_1"), Piece.read("7/")
        (Piece(message='om_1', card=''), Piece(message='', card='7'))
        """
        card, _, identity = kept.rpartition("/")
        return cls(identity, card)

    def __str__(self) -> str:
        return f"{self.card}/{self.message}" if self.card else self.message


class Pieces:
    """The pieces of one answer, those of earlier attempts among them."""

    def __init__(self, pen: Pen, target: Target, placed: Placed, words: Words) -> None:
        self._pen = pen
        self._words = words
        self._turn = target.turn_id
        self._place = place_of(target.conversation)
        self._reply_to = message_of(target.reply_to)
        self._replies = not target.private or bool(self._place.thread)
        self._report = placed
        self._all = [Piece.read(each) for each in target.placed]
        self._live: dict[int, LiveCard] = {}

    @property
    def has_cards(self) -> bool:
        """Whether any piece is a card that may be changed."""
        return any(piece.card for piece in self._all)

    async def open(self, number: int, text: str) -> None:
        """Show a text in a card that is going to grow; raises :class:`Trouble`."""
        live = await LiveCard.made(self._pen.api, answer_card(text, streaming=True))
        await self._keep(number, Piece(card=live.id))
        self._live[number] = live
        await self._shown(number, live)

    async def write(self, number: int, text: str) -> None:
        """Let the card of this run say the whole of a text; raises :class:`Trouble`."""
        await self._live[number].write(ANSWER, tamed(text))

    async def settle(self, number: int, text: str, kind: Kind) -> None:
        """Let a piece say its part of the final answer; raises :class:`Trouble`.

        A plain message that is there says it already. A card that takes nothing more is replaced.
        """
        piece = self._all[number] if number < len(self._all) else Piece()
        if piece.card:
            live = self._live.get(number) or LiveCard(self._pen.api, piece.card)
            try:
                await self._close(number, live, text)
            except Rejected:
                await self._abandon(piece, live)
                await self._post(number, text, kind)
        elif not piece.message:
            await self._post(number, text, kind)

    async def drop(self, since: int) -> None:
        """Take back the pieces from a number on, as far as that is possible."""
        for piece in self._all[since:]:
            with suppress(Trouble):
                await self._abandon(piece, LiveCard(self._pen.api, piece.card))

    async def _close(self, number: int, live: LiveCard, text: str) -> None:
        if not self._all[number].message:
            await self._pen.patiently(self._place, partial(self._shown, number, live))
        card = answer_card(text, streaming=False)
        await self._pen.patiently(self._place, partial(live.close, card))

    async def _abandon(self, piece: Piece, live: LiveCard) -> None:
        """Take a piece back, or, if it is not known where it is, what it says."""
        try:
            if piece.message:
                erase = partial(self._pen.erase, piece.message)
                await self._pen.patiently(self._place, erase)
            else:
                await live.close(answer_card(NOTHING, streaming=False))
        except Rejected:
            pass

    async def _shown(self, number: int, live: LiveCard) -> None:
        """Send a card that was made; one that was sent already is not sent again."""
        sent = await self._send(number, live.message, live.id)
        await self._keep(number, Piece(sent, live.id))

    async def _post(self, number: int, text: str, kind: Kind) -> None:
        """Send a part as a plain message, without any dress if Lark does not like that.

        What may not be said there is never sent; the partner is told so. What Lark would not
        recognise any more, had it been sent before, says that it may come again.
        """
        text = self._words.again + text
        try:
            sent = await self._posted(number, message(kind, text))
        except Rejected as error:
            if error.code in FORBIDDEN:
                text = self._words.forbidden
            elif kind == "text":
                raise
            sent = await self._posted(number, message("text", text))
        await self._keep(number, Piece(sent))

    async def _posted(self, number: int, what: Message) -> str:
        send = partial(self._send, number, what, what.content)
        return await self._pen.patiently(self._place, send)

    async def _send(self, number: int, what: Message, mark: str) -> str:
        # In a thread only replies stay in it; elsewhere one is enough.
        answers = self._replies and (number == 0 or bool(self._place.thread))
        return await self._pen.send(
            self._place,
            what,
            uuid=uuid_of(self._turn, number, mark),
            reply_to=self._reply_to if answers else "",
        )

    async def _keep(self, number: int, piece: Piece) -> None:
        await self._report(number, str(piece))
        self._all[number:] = [piece, *self._all[number + 1 :]]
