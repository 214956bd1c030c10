"""Sending an answer to its platform so that a crash neither loses nor repeats it.

:class:`Channel` and :class:`Delivery` are what a platform implements; :class:`AnswerSender` uses
them and records each step in the ledger.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias, assert_never

from bot.conversation.ledger import SendState, TurnAnswer, TurnEntry
from bot.conversation.ledger.turns import Turns
from bot.conversation.messages import ConversationKey, Incoming
from bot.tasks import Done, Failed, attempt
from memory.errors import XiaoxiangError

RecordPiece: TypeAlias = Callable[[int, str], Awaitable[None]]
"""Make durable that piece ``n`` of the answer (from 0) is the platform's message of that id; under
:data:`SIGN_PLACE` what is known of a sign on the question."""


class NotDelivered(XiaoxiangError):
    """Certainly nothing of this delivery was shown; a later attempt may work."""


class AnswerRefused(NotDelivered):
    """The platform takes no such message at the moment, though it takes others."""


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
    can have been made, None before the first. ``sign`` is what an earlier attempt recorded of the
    sign that it put on the question.
    """

    turn_id: str
    conversation: ConversationKey
    private: bool
    reply_to: str
    piece_ids: tuple[str, ...] = ()
    in_doubt: bool = False
    tried_since: datetime | None = None
    sign: str = ""


class Delivery(Protocol):
    """One answer on its way to the partner. Only ``finish`` must reach them; the rest may skip."""

    async def show_thinking(self) -> None:
        """Show that an answer is being prepared; returns at once, never raises."""

    async def show(self, text: str) -> None:
        """Show the whole answer so far; returns at once, never raises, may skip.

        A text that does not continue the last one means that the answer began again.
        """

    async def finish(self, text: str, *, plain: bool = False) -> None:
        """Deliver the final text, in place of whatever was shown; ``plain``: without formatting.

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

    def shows(self, conversation: ConversationKey) -> bool:
        """Whether what is said there is seen there; a terminal shows one chat alone."""


SEND_TIME_LIMIT: Final = timedelta(hours=24)
"""How long an answer is tried again; a day later nobody expects it any more, and a line says so.
After another day without success, that line is given up too."""

FIRST_PAUSE: Final = timedelta(seconds=15)

LONGEST_PAUSE: Final = timedelta(minutes=30)
"""The pauses before a refused answer is tried again; each is twice the one before."""


class DocumentSender(Protocol):
    """Shows documents of the desk; see :func:`bot.desk.documents.document_sender`."""

    async def __call__(self, document: object, target: Target, record_piece: RecordPiece) -> None:
        """Show a document. Raises as :meth:`Delivery.finish`."""


class AnswerSender:
    """Send answers to their platform, recording each step before and after it is taken.

    ``given_up`` is what the partner is told of an answer that could not be sent for a day.
    """

    def __init__(
        self,
        turns: Turns,
        platforms: Mapping[str, ConversationPlatform],
        documents: DocumentSender,
        *,
        given_up: str,
    ) -> None:
        self._turns = turns
        self._platforms = platforms
        self._send_document = documents
        self._given_up = given_up
        self._in_hand: set[str] = set()
        self._postponed: dict[str, _Postponed] = {}

    def delivery(self, turn: TurnEntry) -> Delivery:
        """Begin the delivery of a turn, continuing where an earlier attempt ended."""
        channel = self._platforms[turn.conversation.platform].channel
        return channel.delivery(_target_of(turn), partial(self._turns.record_piece, turn))

    def may_wait(self, turn: TurnEntry, now: datetime) -> bool:
        """Whether nothing need be done about a turn now, and others may go before it.

        Another task is sending it, or its platform refused it and it is not due yet.
        """
        postponed = self._postponed.get(turn.id)
        return turn.id in self._in_hand or (postponed is not None and now < postponed.until)

    def lets_others_pass(self, turn: TurnEntry, now: datetime) -> bool:
        """Whether the answers behind this one may be sent: it is, or its platform refused it."""
        return turn.is_sent or self.may_wait(turn, now)

    async def send_in_order(self, turn: TurnEntry, delivery: Delivery, now: datetime) -> bool:
        """Send what the turn says; return whether the answers behind it may be sent."""
        return self.lets_others_pass(await self.send(turn, delivery, now), now)

    async def send(self, turn: TurnEntry, delivery: Delivery, now: datetime) -> TurnEntry:
        """Send what the turn says; return the turn as sent, refused for good, or still owed."""
        if turn.answer is None or turn.is_sent or self.may_wait(turn, now):
            return turn
        self._in_hand.add(turn.id)
        try:
            return await self._send_claimed(turn, turn.answer, delivery, now)
        finally:
            self._in_hand.discard(turn.id)

    async def _send_claimed(
        self, turn: TurnEntry, answer: TurnAnswer, delivery: Delivery, now: datetime
    ) -> TurnEntry:
        # Recorded first: after a crash between here and the end it is known to be in doubt.
        claimed = turn if turn.claimed else await self._turns.record_sending(turn)
        if claimed is None:
            return await self._current(turn) or replace(turn, send=SendState.SENT)
        age = now - answer.at
        if age <= SEND_TIME_LIMIT:
            step = await self._show(turn, answer, delivery)
        else:
            step = await attempt("sending", lambda: delivery.finish(self._given_up, plain=True))
        return await self._conclude(claimed, step, age, now)

    async def _conclude(
        self, turn: TurnEntry, step: Done[None] | Failed, age: timedelta, now: datetime
    ) -> TurnEntry:
        """Record what came of an attempt to send an answer that is so old."""
        match step:
            case Done() if age <= SEND_TIME_LIMIT:
                record = self._turns.record_sent
            case Done() | Failed(Undeliverable()):
                record = self._turns.record_refused
            case Failed() if age > 2 * SEND_TIME_LIMIT:
                record = self._turns.record_refused
            case Failed(error):
                if _may_pass_in_plain_words(step):
                    self._postpone(turn, now)
                # After any other failure it is unknown what the partner saw. The turn stays
                # "sending", so that the next attempt counts as in doubt.
                known = isinstance(error, NotDelivered)
                return await self._turns.record_not_sent(turn) if known else turn
            case never:
                assert_never(never)
        self._postponed.pop(turn.id, None)
        return await record(turn)

    async def _show(
        self, turn: TurnEntry, answer: TurnAnswer, delivery: Delivery
    ) -> Done[None] | Failed:
        """Show an answer as it is meant, or else in plain words."""
        if answer.document is None:
            step = await attempt("sending", lambda: delivery.finish(answer.text))
        else:
            send = partial(self._send_document, answer.document, _target_of(turn))
            record = partial(self._turns.record_piece, turn)
            step = await attempt("showing a document", lambda: send(record))
        if not _may_pass_in_plain_words(step):
            return step
        if answer.document is not None:
            # Begun anew: the document put messages there of which this delivery knows nothing.
            delivery = self.delivery(await self._current(turn) or turn)
        return await attempt("sending plainly", lambda: delivery.finish(answer.text, plain=True))

    async def _current(self, turn: TurnEntry) -> TurnEntry | None:
        """Return a turn as the ledger has it now; None if nothing of it is owed any more."""
        found = await self._turns.unfinished(turn.conversation)
        return next((each for each in found if each.id == turn.id), None)

    def _postpone(self, turn: TurnEntry, now: datetime) -> None:
        """Let a refused answer wait; it must not keep the ones behind it from being sent."""
        before = self._postponed.get(turn.id)
        pause = min(before.pause * 2, LONGEST_PAUSE) if before else FIRST_PAUSE
        self._postponed[turn.id] = _Postponed(now + pause, pause)


@dataclass(frozen=True, slots=True)
class _Postponed:
    """A refused answer is not tried before ``until``, which is ``pause`` after it was refused."""

    until: datetime
    pause: timedelta


def _may_pass_in_plain_words(step: Done[None] | Failed) -> bool:
    """Whether an answer failed by what it is: neither the chat nor the way to it is at fault."""
    match step:
        case Done() | Failed(Undeliverable()):
            return False
        case Failed(error):
            return isinstance(error, AnswerRefused) or not isinstance(error, NotDelivered)
        case never:
            assert_never(never)


def _target_of(turn: TurnEntry) -> Target:
    return Target(
        turn_id=turn.id,
        conversation=turn.conversation,
        private=turn.private,
        reply_to=turn.reply_to,
        piece_ids=turn.piece_ids,
        in_doubt=turn.send in {SendState.SENDING, SendState.IN_DOUBT},
        tried_since=turn.answer.at if turn.answer and turn.sends else None,
        sign=turn.sign,
    )
