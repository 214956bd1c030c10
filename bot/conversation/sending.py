"""Sending the answer of a turn so that a crash neither loses nor repeats it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final, assert_never

from bot.conversation.channel import Channel, Delivery, NotDelivered, Target, Undeliverable
from bot.conversation.ledger import SendState, TurnEntry
from bot.conversation.ledger.turns import Turns
from bot.conversation.messages import Platform
from bot.supervise import Done, Failed, attempt

SEND_TIME_LIMIT: Final = timedelta(hours=24)
"""So long an answer that cannot be delivered is tried again."""

MAX_SENDS: Final = 3
"""So often a send may fail in a way nobody foresaw: one bad answer must not wedge a chat."""


class AnswerSender:
    """Bring answers to their platform, writing down each step before and after it is taken."""

    def __init__(self, turns: Turns, channels: Mapping[Platform, Channel]) -> None:
        self._turns = turns
        self._channels = channels

    def delivery(self, turn: TurnEntry) -> Delivery:
        """Begin the delivery of a turn, on from where an earlier attempt ended."""
        target = Target(
            turn_id=turn.id,
            conversation=turn.conversation,
            private=turn.private,
            reply_to=turn.reply_to,
            piece_ids=turn.piece_ids,
            in_doubt=turn.send in {SendState.SENDING, SendState.IN_DOUBT},
            tried_since=turn.answer.at if turn.answer and turn.sends else None,
        )
        channel = self._channels[turn.conversation.platform]
        return channel.delivery(target, partial(self._turns.record_piece, turn))

    async def send(self, turn: TurnEntry, delivery: Delivery, now: datetime) -> TurnEntry:
        """Send what the turn says; it comes back as sent, refused for good, or owed still."""
        answer = turn.answer
        if answer is None or turn.is_sent:
            return turn
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
                return await self._turns.record_refused(turn) if turn.sends >= MAX_SENDS else turn
            case never:
                assert_never(never)
