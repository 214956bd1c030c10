"""An answer that is seen to grow, in one card after another."""

from typing import Final

from bot.adapters.calls import Timer, Trouble
from bot.adapters.lark.formatting import parts, sent_bytes
from bot.adapters.lark.pieces import Pieces
from bot.conversation.graphemes import visible
from bot.conversation.splitting import SMALLEST_LIMIT, split

WORTH: Final = 40
"""Characters an answer has before it is worth a card; a short one is a bubble like any other."""

ROTATION_SECONDS: Final = 540.0
"""So old a card grows no more; Lark closes it at ten minutes."""


class _BegunAnew(Trouble):
    """The answer no longer begins with what a closed card says of it."""


class Stream:
    """Show a growing text: closed cards hold its beginning, ``cuts`` are where they end."""

    def __init__(self, pieces: Pieces, timer: Timer) -> None:
        self._pieces = pieces
        self._timer = timer
        self._cuts: tuple[int, ...] = ()
        self._closed = ""
        self._said = ""
        self._since: float | None = None

    def cuts_of(self, text: str) -> tuple[int, ...]:
        """Return where a final text is cut because its beginning is shown already."""
        return self._cuts if text.startswith(self._closed) else ()

    async def show(self, text: str) -> None:
        """Show the text so far, if there is enough of it; raises :class:`Trouble`."""
        if self._since is None and (len(text) < WORTH or not visible(text)):
            return
        if not text.startswith(self._closed):
            raise _BegunAnew
        while cut := self._full(text) or self._old(text):
            await self._turn_over(text, cut)
        found = parts(text, cuts=self._cuts)
        if len(found) > self._number:
            await self._say(found[self._number].text)

    @property
    def _number(self) -> int:
        return len(self._cuts)

    async def _say(self, text: str) -> None:
        if self._since is None:
            self._since = self._timer.now()
            await self._pieces.open(self._number, text)
        elif text != self._said:
            await self._pieces.write(self._number, text)
        self._said = text

    async def _turn_over(self, text: str, cut: int) -> None:
        """Close the present card with what it says up to a place; the rest goes on in another."""
        cuts = (*self._cuts, cut)
        part = parts(text, cuts=cuts)[self._number].text
        if self._since is None:
            await self._say(part)
        await self._pieces.settle(self._number, part, "interactive")
        self._cuts, self._closed = cuts, text[:cut]
        self._since = None

    def _full(self, text: str) -> int:
        """Return where the present card has no more room; 0 if it has."""
        found = parts(text, cuts=self._cuts)
        if len(found) <= self._number + 1:
            return 0
        return len(self._closed) + len(found[self._number].body)

    def _old(self, text: str) -> int:
        """Return a good place to go on from in another card, if the present one is too old."""
        if self._since is None or self._timer.now() - self._since < ROTATION_SECONDS:
            return 0
        rest = text[len(self._closed) :]
        room = sent_bytes(rest) - 1
        if room < SMALLEST_LIMIT:
            return 0
        return len(self._closed) + len(split(rest, limit=room, measure=sent_bytes)[0].body)
