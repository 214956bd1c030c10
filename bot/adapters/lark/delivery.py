"""Delivering one answer to a Lark chat: a reaction, cards that grow, the final text.

What is placed in the chat, and how that survives a crash, is the business of ``placed_messages``;
here is what is shown when, and where a growing answer goes on in another card.
"""

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Final

from bot.adapters import calls
from bot.adapters.calls import StreamUpdater
from bot.adapters.lark.api import message_of, place_of
from bot.adapters.lark.formatting import (
    MessageKind,
    answer_parts,
    message_kind,
    message_texts,
    sent_bytes,
)
from bot.adapters.lark.placed_messages import (
    PLACEHOLDER,
    LarkMessageWriter,
    PlacedMessages,
    ReplacementTexts,
)
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.splitting import SMALLEST_LIMIT, Part, has_visible_text, split
from bot.tasks import Supervisor, Timer, wait_for_event
from bot.texts import lark as texts
from bot.texts import say
from memory.model import Language
from memory.ports import Clock

WORTH: Final = 40
"""Characters of an answer before it gets a card; a shorter one stays an ordinary bubble."""

ROTATION_SECONDS: Final = 540.0
"""The age at which a card stops growing; Lark itself closes it after ten minutes."""


class _AnswerRestarted(calls.PlatformError):
    """The model began again: the answer no longer begins with what a closed card shows."""


class _CardNotOpened(calls.PlatformError):
    """A card may be there and is not known to be: nothing more grows in it."""


class CardStream:
    """Show a growing text in cards; closed ones hold its beginning, up to the last cut."""

    def __init__(self, messages: PlacedMessages, timer: Timer) -> None:
        self._messages = messages
        self._timer = timer
        self._cuts: tuple[int, ...] = ()
        self._closed_text = ""
        self._shown_text = ""
        self._opened_at: float | None = None

    def cuts_of(self, text: str) -> tuple[int, ...]:
        """Return where a final text is cut because closed cards show its beginning already."""
        return self._cuts if text.startswith(self._closed_text) else ()

    async def show(self, text: str) -> None:
        """Show the text so far, if there is enough of it; raises :class:`PlatformError`."""
        if self._opened_at is None and (len(text) < WORTH or not has_visible_text(text)):
            return
        if not text.startswith(self._closed_text):
            raise _AnswerRestarted
        parts = answer_parts(text, cuts=self._cuts)
        while cut := self._full_card_cut(parts) or self._old_card_cut(text):
            parts = await self._continue_in_next_card(text, cut)
        if len(parts) > self._card_number:
            await self._show_in_card(parts[self._card_number].text)

    @property
    def _card_number(self) -> int:
        return len(self._cuts)

    async def _show_in_card(self, text: str) -> None:
        if self._opened_at is None:
            self._opened_at = self._timer.now()
            try:
                await self._messages.open_card(self._card_number, text)
            except calls.PlatformError as error:
                raise _CardNotOpened from error
        elif text != self._shown_text:
            await self._messages.write_card(self._card_number, text)
        self._shown_text = text

    async def _continue_in_next_card(self, text: str, cut: int) -> tuple[Part, ...]:
        """Close the present card at ``cut``; return the text's parts with that cut."""
        cuts = (*self._cuts, cut)
        parts = answer_parts(text, cuts=cuts)
        part = parts[self._card_number].text
        if self._opened_at is None:
            await self._show_in_card(part)
        await self._messages.finalize(self._card_number, part, "interactive")
        self._cuts, self._closed_text = cuts, text[:cut]
        self._opened_at = None
        return parts

    def _full_card_cut(self, parts: tuple[Part, ...]) -> int:
        """Return where the present card is full; 0 if it still has room."""
        if len(parts) <= self._card_number + 1:
            return 0
        return len(self._closed_text) + len(parts[self._card_number].body)

    def _old_card_cut(self, text: str) -> int:
        """Return a good place to continue in another card if the present one is old; 0 if not."""
        if self._opened_at is None or self._timer.now() - self._opened_at < ROTATION_SECONDS:
            return 0
        rest = text[len(self._closed_text) :]
        # One byte short of all of it: splitting then finds the last good place, as a line's end.
        room = sent_bytes(rest) - 1
        if room < SMALLEST_LIMIT:
            return 0
        return len(self._closed_text) + len(split(rest, limit=room, measure=sent_bytes)[0].body)


KEY_LIFE: Final = timedelta(minutes=55)
"""How long Lark certainly recognises the key of a send; it forgets keys after an hour."""

GAP: Final = 0.7
"""Seconds between two changes of a growing answer."""


class LarkChannel:
    """Lark's :class:`~bot.conversation.delivery.Channel`.

    ``streaming``: long answers are shown growing, on cards.
    """

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
        """Begin to deliver an answer, continuing what an earlier attempt sent."""
        replacements = ReplacementTexts(
            forbidden=say(self._language, texts.FORBIDDEN),
            repeat_notice=say(self._language, texts.AGAIN) if self._is_key_expired(target) else "",
        )
        messages = PlacedMessages(self._writer, target, record_piece, replacements)
        return LarkDelivery(self._writer, self._tasks, target, messages, streaming=self._streaming)

    def _is_key_expired(self, target: Target) -> bool:
        """Whether an earlier run may have sent it so long ago that Lark forgot the key."""
        if not target.in_doubt or target.tried_since is None:
            return False
        return self._clock.now() - target.tried_since > KEY_LIFE


class LarkDelivery:
    """Show a growing answer in tasks of its own, so that the model never waits for Lark.

    Messages of an earlier attempt do not grow again: they only get the final text.
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
        """Put a reaction on the question until the turn ends."""
        if self._question_id and not self._reaction_started:
            self._reaction_started = True
            self._tasks.start("showing a reaction", self._show_reaction())

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str, *, plain: bool = False) -> None:
        """Deliver the final text, in the cards that showed it growing if there are any."""
        await self._updater.stop()
        if not self._reaction_started:
            # An earlier run of the program may have left its reaction on the question.
            await self.show_thinking()
        with calls.delivery_errors():
            await self._deliver_final(text, "text" if plain else message_kind(text))

    async def withdraw(self) -> None:
        """Withdraw everything that was sent."""
        await self._updater.stop()
        await self._messages.withdraw_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; a change under way gets a moment to end."""
        self._turn_ended.set()
        await self._updater.stop_soon()

    async def _deliver_final(self, text: str, kind: MessageKind) -> None:
        # Cards hold less than a bubble: what began on cards is split as cards are.
        shown_as = "interactive" if self._messages.has_cards else kind
        parts = message_texts(text, shown_as, self._stream.cuts_of(text)) or (PLACEHOLDER,)
        for number, part in enumerate(parts):
            await self._messages.finalize(number, part, kind)
        await self._messages.withdraw_from(len(parts))

    async def _show_reaction(self) -> None:
        """Put a reaction on the question and remove it when the turn ends; an extra."""
        with suppress(calls.PlatformError):
            try:
                reaction = await self._writer.add_reaction(self._question_id)
            except calls.PlatformUnreachable:
                # It may be there all the same.
                reaction = ""
            await self._turn_ended.wait()
            await self._writer.remove_reaction(self._place, self._question_id, reaction)

    async def _show_progress(self) -> None:
        """Show the text so far, then wait until more may be shown."""
        await self._stream.show(self._text)
        await wait_for_event(self._updater.stopped, GAP)
        await self._updater.changed.wait()
