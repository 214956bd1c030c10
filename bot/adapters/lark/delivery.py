"""One answer on its way to a chat: a sign that she is at it, words as they come, the whole."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final

from bot.adapters.calls import (
    ChatUnavailable,
    PlatformError,
    PlatformUnreachable,
    RateLimited,
    TokenRefused,
    wait_for_event,
)
from bot.adapters.growing import StreamUpdater
from bot.adapters.lark.formatting import message_kind, message_texts
from bot.adapters.lark.pieces import PLACEHOLDER, PlacedMessages, ReplacementTexts
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.streaming import CardStream
from bot.adapters.lark.writing import LarkMessageWriter
from bot.conversation.channel import NotDelivered, RecordPiece, Target, Undeliverable
from bot.supervise import Supervisor
from bot.texts import lark as texts
from bot.texts import say
from memory.ports import Clock
from memory.settings import Language

KEY_LIFE: Final = timedelta(minutes=55)
"""So long Lark certainly knows the key of a send again; it forgets it after an hour."""

GAP: Final = 0.7
"""So far apart are the changes that show an answer growing."""


class LarkChannel:
    """Lark as a turn sees it. ``streaming``: answers are seen to grow, on cards."""

    def __init__(
        self,
        writer: LarkMessageWriter,
        tasks: Supervisor,
        clock: Clock,
        *,
        streaming: bool = False,
        language: Language = "zh",
    ) -> None:
        self._writer = writer
        self._tasks = tasks
        self._clock = clock
        self._streaming = streaming
        self._language = language

    def delivery(self, target: Target, record_piece: RecordPiece) -> "LarkDelivery":
        """Begin to deliver an answer, on from what an earlier attempt put there."""
        words = ReplacementTexts(
            forbidden=say(self._language, texts.FORBIDDEN),
            repeat_notice=say(self._language, texts.AGAIN) if self._is_key_expired(target) else "",
        )
        pieces = PlacedMessages(self._writer, target, record_piece, words)
        return LarkDelivery(self._writer, self._tasks, target, pieces, streaming=self._streaming)

    def _is_key_expired(self, target: Target) -> bool:
        """Whether it may have been sent by a run that died, and Lark would not know it again."""
        if not target.in_doubt or target.tried_since is None:
            return False
        return self._clock.now() - target.tried_since > KEY_LIFE


class LarkDelivery:
    """Shows in tasks of its own, so that the model never waits for Lark.

    What an earlier attempt began to show is not shown growing again: it gets the final text.
    """

    def __init__(
        self,
        writer: LarkMessageWriter,
        tasks: Supervisor,
        target: Target,
        messages: PlacedMessages,
        *,
        streaming: bool,
    ) -> None:
        self._writer = writer
        self._tasks = tasks
        self._place = place_of(target.conversation)
        self._question_id = message_of(target.reply_to)
        self._messages = messages
        self._stream = CardStream(self._messages, writer.timer)
        self._updater = StreamUpdater(
            tasks, self._show_progress, muted=not streaming or bool(target.piece_ids)
        )
        self._reaction_started = False
        self._text = ""
        self._turn_ended = asyncio.Event()

    async def show_thinking(self) -> None:
        """Show on the question that she is at it, until the turn ends."""
        if self._question_id and not self._reaction_started:
            self._reaction_started = True
            self._tasks.start("showing that she is at it", self._show_reaction())

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str) -> None:
        """Deliver the final text, in the cards that showed it growing if there are any."""
        await self._updater.stop()
        if not self._reaction_started:
            # An earlier run of the program may have left its sign on the question.
            await self.show_thinking()
        try:
            await self._deliver_final(text)
        except ChatUnavailable as error:
            raise Undeliverable("the chat does not take it") from error
        except (PlatformUnreachable, RateLimited, TokenRefused) as error:
            # Nothing is in doubt: the next attempt sends under the same keys.
            raise NotDelivered("Lark does not take it now") from error

    async def withdraw(self) -> None:
        """Take back everything that was put there."""
        await self._updater.stop()
        await self._messages.withdraw_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; a change under way is waited for, a little."""
        self._turn_ended.set()
        await self._updater.stop_soon()

    async def _deliver_final(self, text: str) -> None:
        kind = message_kind(text)
        shown = "interactive" if self._messages.has_cards else kind
        told = message_texts(text, shown, self._stream.cuts_of(text)) or (PLACEHOLDER,)
        for number, part in enumerate(told):
            await self._messages.finalize(number, part, kind)
        await self._messages.withdraw_from(len(told))

    async def _show_reaction(self) -> None:
        """Put a reaction on the question, and take it away at the end: an extra."""
        with suppress(PlatformError):
            try:
                reaction = await self._writer.add_reaction(self._question_id)
            except PlatformUnreachable:
                # It may stand there all the same.
                reaction = ""
            await self._turn_ended.wait()
            await self._writer.call_with_retries(
                self._place, partial(self._remove_reaction, reaction)
            )

    async def _remove_reaction(self, reaction: str) -> None:
        known = reaction or await self._writer.add_reaction(self._question_id)
        await self._writer.remove_reaction(self._question_id, known)

    async def _show_progress(self) -> None:
        """Show what there is, then wait until something else may be shown."""
        await self._stream.show(self._text)
        await wait_for_event(self._updater.stopped, GAP)
        await self._updater.changed.wait()
