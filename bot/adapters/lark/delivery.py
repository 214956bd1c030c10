"""One answer on its way to a Lark chat: a reaction, cards that grow, the final text."""

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
)
from bot.adapters.lark.formatting import answer_parts, message_kind, message_texts, sent_bytes
from bot.adapters.lark.placed_messages import PLACEHOLDER, PlacedMessages, ReplacementTexts
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.writer import LarkMessageWriter
from bot.adapters.streaming import StreamUpdater
from bot.conversation.delivery import NotDelivered, RecordPiece, Target, Undeliverable
from bot.conversation.splitting import SMALLEST_LIMIT, has_visible_text, split
from bot.supervise import Supervisor
from bot.texts import lark as texts
from bot.texts import say
from bot.timing import Timer, wait_for_event
from memory.model import Language
from memory.ports import Clock

WORTH: Final = 40
"""Characters an answer has before it is worth a card; a short one is a bubble like any other."""

ROTATION_SECONDS: Final = 540.0
"""So old a card grows no more; Lark closes it at ten minutes."""


class _AnswerRestarted(PlatformError):
    """The answer no longer begins with what a closed card says of it."""


class CardStream:
    """Show a growing text: closed cards hold its beginning, ``cuts`` are where they end."""

    def __init__(self, messages: PlacedMessages, timer: Timer) -> None:
        self._messages = messages
        self._timer = timer
        self._cuts: tuple[int, ...] = ()
        self._closed_text = ""
        self._shown_text = ""
        self._opened_at: float | None = None

    def cuts_of(self, text: str) -> tuple[int, ...]:
        """Return where a final text is cut because its beginning is shown already."""
        return self._cuts if text.startswith(self._closed_text) else ()

    async def show(self, text: str) -> None:
        """Show the text so far, if there is enough of it; raises :class:`Trouble`."""
        if self._opened_at is None and (len(text) < WORTH or not has_visible_text(text)):
            return
        if not text.startswith(self._closed_text):
            raise _AnswerRestarted
        while cut := self._full_card_cut(text) or self._old_card_cut(text):
            await self._continue_in_next_card(text, cut)
        found = answer_parts(text, cuts=self._cuts)
        if len(found) > self._card_number:
            await self._show_in_card(found[self._card_number].text)

    @property
    def _card_number(self) -> int:
        return len(self._cuts)

    async def _show_in_card(self, text: str) -> None:
        if self._opened_at is None:
            self._opened_at = self._timer.now()
            await self._messages.open_card(self._card_number, text)
        elif text != self._shown_text:
            await self._messages.write_card(self._card_number, text)
        self._shown_text = text

    async def _continue_in_next_card(self, text: str, cut: int) -> None:
        """Close the present card with what it says up to a place; the rest goes on in another."""
        cuts = (*self._cuts, cut)
        part = answer_parts(text, cuts=cuts)[self._card_number].text
        if self._opened_at is None:
            await self._show_in_card(part)
        await self._messages.finalize(self._card_number, part, "interactive")
        self._cuts, self._closed_text = cuts, text[:cut]
        self._opened_at = None

    def _full_card_cut(self, text: str) -> int:
        """Return where the present card has no more room; 0 if it has."""
        found = answer_parts(text, cuts=self._cuts)
        if len(found) <= self._card_number + 1:
            return 0
        return len(self._closed_text) + len(found[self._card_number].body)

    def _old_card_cut(self, text: str) -> int:
        """Return a good place to go on from in another card, if the present one is too old."""
        if self._opened_at is None or self._timer.now() - self._opened_at < ROTATION_SECONDS:
            return 0
        rest = text[len(self._closed_text) :]
        room = sent_bytes(rest) - 1
        if room < SMALLEST_LIMIT:
            return 0
        return len(self._closed_text) + len(split(rest, limit=room, measure=sent_bytes)[0].body)


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
