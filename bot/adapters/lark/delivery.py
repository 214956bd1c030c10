"""One answer on its way to a chat: a sign that she is at it, words as they come, the whole."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final

from bot.adapters.calls import Away, Flooded, Gone, TokenRefused, Trouble, set_within
from bot.adapters.growing import Growing
from bot.adapters.lark.formatting import kind_of, stretches
from bot.adapters.lark.pieces import NOTHING, Pieces, Words
from bot.adapters.lark.places import message_of, place_of
from bot.adapters.lark.streaming import Stream
from bot.adapters.lark.writing import Pen
from bot.conversation.channel import NotDelivered, Placed, Target, Undeliverable
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
        pen: Pen,
        tasks: Supervisor,
        clock: Clock,
        *,
        streaming: bool = False,
        language: Language = "zh",
    ) -> None:
        self._pen = pen
        self._tasks = tasks
        self._clock = clock
        self._streaming = streaming
        self._language = language

    def delivery(self, target: Target, placed: Placed) -> "LarkDelivery":
        """Begin to deliver an answer, on from what an earlier attempt put there."""
        words = Words(
            forbidden=say(self._language, texts.FORBIDDEN),
            again=say(self._language, texts.AGAIN) if self._is_unknown(target) else "",
        )
        pieces = Pieces(self._pen, target, placed, words)
        return LarkDelivery(self._pen, self._tasks, target, pieces, streaming=self._streaming)

    def _is_unknown(self, target: Target) -> bool:
        """Whether it may have been sent by a run that died, and Lark would not know it again."""
        if not target.in_doubt or target.tried_since is None:
            return False
        return self._clock.now() - target.tried_since > KEY_LIFE


class LarkDelivery:
    """Shows in tasks of its own, so that the model never waits for Lark.

    What an earlier attempt began to show is not shown growing again: it gets the final text.
    """

    def __init__(
        self, pen: Pen, tasks: Supervisor, target: Target, pieces: Pieces, *, streaming: bool
    ) -> None:
        self._pen = pen
        self._tasks = tasks
        self._place = place_of(target.conversation)
        self._question = message_of(target.reply_to)
        self._pieces = pieces
        self._stream = Stream(self._pieces, pen.timer)
        self._growing = Growing(tasks, self._shown, muted=not streaming or bool(target.placed))
        self._signed = False
        self._text = ""
        self._left = asyncio.Event()

    async def thinking(self) -> None:
        """Show on the question that she is at it, until the turn ends."""
        if self._question and not self._signed:
            self._signed = True
            self._tasks.start("showing that she is at it", self._signing())

    async def show(self, text: str) -> None:
        """Show the answer so far, soon."""
        self._text = text
        self._growing.grow()

    async def finish(self, text: str) -> None:
        """Deliver the final text, in the cards that showed it growing if there are any."""
        await self._growing.stop()
        if not self._signed:
            # An earlier run of the program may have left its sign on the question.
            await self.thinking()
        try:
            await self._settled(text)
        except Gone as error:
            raise Undeliverable("the chat does not take it") from error
        except (Away, Flooded, TokenRefused) as error:
            # Nothing is in doubt: the next attempt sends under the same keys.
            raise NotDelivered("Lark does not take it now") from error

    async def withdraw(self) -> None:
        """Take back everything that was put there."""
        await self._growing.stop()
        await self._pieces.drop(0)

    async def leave(self) -> None:
        """Show nothing more; a change under way is waited for, a little."""
        self._left.set()
        await self._growing.leave()

    async def _settled(self, text: str) -> None:
        kind = kind_of(text)
        shown = "interactive" if self._pieces.has_cards else kind
        told = stretches(text, shown, self._stream.cuts_of(text)) or (NOTHING,)
        for number, part in enumerate(told):
            await self._pieces.settle(number, part, kind)
        await self._pieces.drop(len(told))

    async def _signing(self) -> None:
        """Put a reaction on the question, and take it away at the end: an extra."""
        with suppress(Trouble):
            try:
                reaction = await self._pen.react(self._question)
            except Away:
                # It may stand there all the same.
                reaction = ""
            await self._left.wait()
            await self._pen.patiently(self._place, partial(self._unsigned, reaction))

    async def _unsigned(self, reaction: str) -> None:
        known = reaction or await self._pen.react(self._question)
        await self._pen.unreact(self._question, known)

    async def _shown(self) -> None:
        """Show what there is, then wait until something else may be shown."""
        await self._stream.show(self._text)
        await set_within(self._growing.over, GAP)
        await self._growing.grown.wait()
