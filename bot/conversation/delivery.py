"""Sending an answer to its platform so that a crash neither loses nor repeats it.

:class:`Channel` and :class:`Delivery` are what a platform implements; :class:`AnswerSender` uses
them and records each step in the ledger.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias, assert_never

from bot.conversation.ledger import SendState, TurnEntry
from bot.conversation.ledger.turns import Turns
from bot.conversation.messages import ConversationKey, Incoming
from bot.supervise import Done, Failed, attempt
from memory.errors import XiaoxiangError

RecordPiece: TypeAlias = Callable[[int, str], Awaitable[None]]
"""Make durable that piece ``n`` of the answer (from 0) is the platform's message of that id."""


class NotDelivered(XiaoxiangError):
    """Certainly nothing of this delivery was shown; a later attempt may work."""


class Undeliverable(XiaoxiangError):
    """The answer can never be delivered: the chat is gone, or the partner blocked the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where an answer goes.

    ``turn_id`` is the same at every attempt; idempotency keys are made of it. ``reply_to`` is the
    platform's own id (``dedupe_key``) of the last message that is answered. ``piece_ids`` are the
    platform's ids of the messages that earlier attempts made, piece by piece. ``in_doubt`` says
    that an earlier attempt may have delivered the answer: a platform that cannot recognise a
    repetition marks this one as such. ``tried_since`` is the earliest instant at which an attempt
    can have been made, None before the first.
    """

    turn_id: str
    conversation: ConversationKey
    private: bool
    reply_to: str
    piece_ids: tuple[str, ...] = ()
    in_doubt: bool = False
    tried_since: datetime | None = None


class Delivery(Protocol):
    """One answer on its way to the partner. Only ``finish`` must reach them; the rest may skip."""

    async def show_thinking(self) -> None:
        """Show that an answer is being prepared; returns at once, never raises."""

    async def show(self, text: str) -> None:
        """Show the whole answer so far; returns at once, never raises, may skip.

        A text that does not continue the last one means that the answer began again.
        """

    async def finish(self, text: str) -> None:
        """Deliver the final text, in place of whatever was shown.

        Raises :class:`NotDelivered` or :class:`Undeliverable`. Any other failure, also
        cancellation, leaves in doubt what the partner saw.
        """

    async def withdraw(self) -> None:
        """Take back what was shown, as far as the platform can; never raises."""

    async def stop_showing(self) -> None:
        """Show nothing more: the turn ended, or was stopped where it stands; never raises.

        Returns at once or nearly so. A turn that was stopped gets another delivery later.
        """


FailureReason: TypeAlias = Literal[
    "unreachable",
    "conflict",
    "rate_limited",
    "token_refused",
    "chat_unavailable",
    "rejected",
    "storage",
    "internal",
]
"""Why a channel fails. ``storage``: what came in could not be kept, so it was not confirmed.
``internal``: this program failed in another way, and not the platform."""


@dataclass(frozen=True, slots=True)
class ChannelHealth:
    """Whether messages arrive from a platform.

    ``since`` is in seconds of the running loop's clock; ``reason`` says why it is not well.
    """

    state: Literal["starting", "well", "troubled", "stopped"]
    since: float
    reason: FailureReason | None = None


class Channel(Protocol):
    """A platform, as far as turns need it."""

    def delivery(self, target: Target, record_piece: RecordPiece) -> Delivery:
        """Begin to deliver an answer.

        Each message that will show it is reported to ``record_piece`` before it shows any of it,
        so that a later attempt edits that message instead of adding another.
        """


class ConversationPlatform(Protocol):
    """A platform as the conversations see it."""

    @property
    def platform(self) -> str:
        """The name of the platform."""

    @property
    def channel(self) -> Channel:
        """How answers get there."""

    @property
    def health(self) -> ChannelHealth | None:
        """How listening goes; None where nothing can go wrong with it."""

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the file of a message; None if it is gone or too large."""

    async def complete(self, incoming: Incoming) -> Incoming:
        """Return a message with what was ``pending``, which its event did not hold.

        Raises :class:`XiaoxiangError` if the platform does not answer now and may do so later.
        """

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return an address that opens a message; empty if the platform has none for it."""


SEND_TIME_LIMIT: Final = timedelta(hours=24)
"""How long an answer is tried again; a day later nobody expects it any more."""

MAX_SENDS: Final = 3
"""How often a send may fail in an unforeseen way: one bad answer must not block its chat."""


class AnswerSender:
    """Send answers to their platform, recording each step before and after it is taken."""

    def __init__(self, turns: Turns, platforms: Mapping[str, ConversationPlatform]) -> None:
        self._turns = turns
        self._platforms = platforms

    def delivery(self, turn: TurnEntry) -> Delivery:
        """Begin the delivery of a turn, continuing where an earlier attempt ended."""
        target = Target(
            turn_id=turn.id,
            conversation=turn.conversation,
            private=turn.private,
            reply_to=turn.reply_to,
            piece_ids=turn.piece_ids,
            in_doubt=turn.send in {SendState.SENDING, SendState.IN_DOUBT},
            tried_since=turn.answer.at if turn.answer and turn.sends else None,
        )
        channel = self._platforms[turn.conversation.platform].channel
        return channel.delivery(target, partial(self._turns.record_piece, turn))

    async def send(self, turn: TurnEntry, delivery: Delivery, now: datetime) -> TurnEntry:
        """Send what the turn says; return the turn as sent, refused for good, or still owed."""
        answer = turn.answer
        if answer is None or turn.is_sent:
            return turn
        # Recorded first: after a crash between here and the end it is known to be in doubt.
        turn = await self._turns.record_sending(turn)
        step = await attempt("sending", lambda: delivery.finish(answer.text))
        match step:
            case Done():
                return await self._turns.record_sent(turn)
            case Failed(Undeliverable()):
                return await self._turns.record_refused(turn)
            case Failed(NotDelivered()) if now - answer.at <= SEND_TIME_LIMIT:
                return await self._turns.record_not_sent(turn)
            case Failed(NotDelivered()):
                return await self._turns.record_refused(turn)
            case Failed():
                # What the partner saw is unknown. The turn stays "sending", so the next attempt
                # counts as in doubt.
                return await self._turns.record_refused(turn) if turn.sends >= MAX_SENDS else turn
            case never:
                assert_never(never)
