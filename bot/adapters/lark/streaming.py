"""An answer that is seen to grow, in one card after another."""

from typing import Final

from bot.adapters.calls import PlatformError, Timer
from bot.adapters.lark.formatting import answer_parts, sent_bytes
from bot.adapters.lark.pieces import PlacedMessages
from bot.conversation.graphemes import has_visible_text
from bot.conversation.splitting import SMALLEST_LIMIT, split

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
