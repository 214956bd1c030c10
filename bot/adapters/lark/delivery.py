"""Delivering one answer to a Lark chat: a reaction, cards that grow, the final text.

What is placed in the chat, and how that survives a crash, is the business of ``placed_messages``;
here is what is shown when, and where a growing answer goes on in another card.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final, TypeAlias

from bot.adapters import calls
from bot.adapters.calls import StreamUpdater
from bot.adapters.lark import NAME
from bot.adapters.lark.api import message_of, place_of
from bot.adapters.lark.formatting import (
    CardElement,
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
from bot.adapters.markdown import SMALLEST_LIMIT, Part, split
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.ledger import SIGN_MAY_STAND, SIGN_PLACE, TurnEntry
from bot.conversation.ledger.ledger import MessageHistory
from bot.tasks import Supervisor, Timer, wait_for_event
from bot.texts import lark as texts
from bot.texts import say
from memory.model import Language
from memory.ports import Clock
from memory.text.segmentation import has_visible_text

WORTH: Final = 40
"""Characters of an answer before it gets a card; a shorter one stays an ordinary bubble."""

ROTATION_SECONDS: Final = 540.0
"""The age at which a card stops growing; Lark itself closes it after ten minutes."""


class _AnswerRestarted(calls.PlatformError):
    """The model began again: the answer no longer begins with what a closed card shows."""


class _CardNotOpened(calls.PlatformError):
    """A card may be there and is not known to be: nothing more grows in it."""


class CardStream:
    """Show a growing text in cards; closed ones hold its beginning, up to the last cut.

    Below the one that grows stands the ``button``.
    """

    def __init__(
        self, messages: PlacedMessages, timer: Timer, button: CardElement | None = None
    ) -> None:
        self._messages = messages
        self._timer = timer
        self._button = button
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
                await self._messages.open_card(self._card_number, text, self._button)
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


StopButton: TypeAlias = Callable[[str], CardElement | None]
"""Return the button that stops an answer growing in a chat; None for none."""


def no_stop_button(chat: str) -> None:
    """Return no button."""
    del chat


class LarkChannel:
    """Lark's :class:`~bot.conversation.delivery.Channel`.

    ``streaming``: long answers are shown growing, on cards with the chat's ``stop_button``.
    """

    def __init__(
        self,
        writer: LarkMessageWriter,
        tasks: Supervisor,
        clock: Clock,
        *,
        streaming: bool = False,
        language: Language = "zh",
        stop_button: StopButton = no_stop_button,
    ) -> None:
        self._stop_button = stop_button
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
        sign = QuestionSign(self._writer, target, record_piece)
        button = self._stop_button(target.conversation.chat)
        stream = CardStream(messages, self._writer.timer, button)
        growing = self._streaming and not target.piece_ids
        return LarkDelivery(self._tasks, messages, stream, sign, streaming=growing)

    def _is_key_expired(self, target: Target) -> bool:
        """Whether an earlier run may have sent it so long ago that Lark forgot the key."""
        if not target.in_doubt or target.tried_since is None:
            return False
        return self._clock.now() - target.tried_since > KEY_LIFE


class QuestionSign:
    """The sign on the question that an answer is being written.

    Recorded before it is put there, so that one that a crash left is found and taken off.
    """

    def __init__(
        self, writer: LarkMessageWriter, target: Target, record_piece: RecordPiece
    ) -> None:
        self._writer = writer
        self._place = place_of(target.conversation)
        self._question_id = message_of(target.reply_to)
        self._record_piece = record_piece
        self._known = target.sign

    @property
    def is_possible(self) -> bool:
        """Whether there is a question to put it on."""
        return bool(self._question_id)

    @property
    def may_stand(self) -> bool:
        """Whether it was put there and is not known to be gone."""
        return bool(self._known)

    async def show(self) -> None:
        """Put it on the question; raises :class:`PlatformError`."""
        await self._note(SIGN_MAY_STAND)
        # After a failure it may be there all the same: then its id stays unknown.
        with suppress(calls.PlatformUnreachable):
            await self._note(await self._writer.add_reaction(self._question_id) or SIGN_MAY_STAND)

    async def take_off(self) -> None:
        """Take it off the question; raises :class:`PlatformError` if it may still be there."""
        known = "" if self._known == SIGN_MAY_STAND else self._known
        # Refused for good: the sign is gone already, or the question is.
        with suppress(calls.RequestRejected, calls.ChatUnavailable):
            await self._writer.remove_reaction(self._place, self._question_id, known)
        await self._note("")

    async def forget(self) -> None:
        """Note that it is certainly not there."""
        await self._note("")

    async def _note(self, known: str) -> None:
        self._known = known
        await self._record_piece(SIGN_PLACE, known)


class LarkDelivery:
    """Show a growing answer in tasks of its own, so that the model never waits for Lark.

    Messages of an earlier attempt do not grow again: they only get the final text.
    """

    def __init__(
        self,
        tasks: Supervisor,
        messages: PlacedMessages,
        stream: CardStream,
        sign: QuestionSign,
        *,
        streaming: bool,
    ) -> None:
        self._tasks = tasks
        self._messages = messages
        self._stream = stream
        self._sign = sign
        self._updater = StreamUpdater(tasks, self._show_progress, muted=not streaming)
        self._is_signing = False
        self._text = ""
        self._turn_ended = asyncio.Event()

    async def show_thinking(self) -> None:
        """Put a sign on the question until the turn ends."""
        if self._sign.is_possible and not self._is_signing:
            self._is_signing = True
            self._tasks.start("showing a sign", self._show_sign())

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._updater.request_update()

    async def finish(self, text: str, *, plain: bool = False) -> None:
        """Deliver the final text, in the cards that showed it growing if there are any."""
        await self._updater.stop()
        with calls.delivery_errors():
            await self._deliver_final(text, "text" if plain else message_kind(text))

    async def withdraw(self) -> None:
        """Withdraw everything that was sent."""
        await self._updater.stop()
        await self._messages.withdraw_from(0)

    async def stop_showing(self) -> None:
        """Show nothing more; a change under way gets a moment to end."""
        self._turn_ended.set()
        if self._sign.may_stand and not self._is_signing:
            # Left by an earlier run of the program.
            self._is_signing = True
            self._tasks.start("taking a sign off", self._take_sign_off())
        await self._updater.stop_soon()

    async def _deliver_final(self, text: str, kind: MessageKind) -> None:
        # Cards hold less than a bubble: what began on cards is split as cards are.
        shown_as = "interactive" if self._messages.has_cards else kind
        parts = message_texts(text, shown_as, self._stream.cuts_of(text)) or (PLACEHOLDER,)
        for number, part in enumerate(parts):
            await self._messages.finalize(number, part, kind)
        await self._messages.withdraw_from(len(parts))

    async def _show_sign(self) -> None:
        """Put the sign on the question and take it off when the turn ends; an extra."""
        try:
            await self._sign.show()
        except calls.PlatformError:
            # Refused: it is not there, and asking again would be refused as well.
            await self._sign.forget()
            return
        await self._turn_ended.wait()
        await self._take_sign_off()

    async def _take_sign_off(self) -> None:
        # What fails is found again at the next start.
        with suppress(calls.PlatformError):
            await self._sign.take_off()

    async def _show_progress(self) -> None:
        """Show the text so far, then wait until more may be shown."""
        await self._stream.show(self._text)
        await wait_for_event(self._updater.stopped, GAP)
        await self._updater.changed.wait()


async def take_signs_off(writer: LarkMessageWriter, history: MessageHistory) -> None:
    """Take off the signs that an earlier run left on questions of turns that are over."""

    async def record(turn: TurnEntry, place: int, known: str) -> None:
        if place == SIGN_PLACE and not known:
            await history.forget_sign(turn)

    for turn in await history.signs_left(NAME):
        target = Target(
            turn_id=turn.id,
            conversation=turn.conversation,
            private=turn.private,
            reply_to=turn.reply_to,
            sign=turn.sign,
        )
        # One that cannot be taken off now is found again at the next start.
        with suppress(calls.PlatformError):
            await QuestionSign(writer, target, partial(record, turn)).take_off()
