"""How the terminal shows an answer: a spinner at first, then the words as they come."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from bot.conversation.delivery import RecordPiece, Target


class Screen(Protocol):
    """Where an answer appears."""

    def thinking(self) -> None:
        """Show that an answer is on its way."""

    def begin(self) -> None:
        """Begin a new answer."""

    def write(self, text: str) -> None:
        """Write the next words of it."""

    def end(self) -> None:
        """End the answer."""


class PipeScreen:
    """A pipe, with a program or a file at its other end: nothing but the words.

    ``gone``: the program has ended, as ``head -3`` does, and reads no more.
    """

    def __init__(self) -> None:
        self.gone = False

    def thinking(self) -> None:
        """Show nothing."""

    def begin(self) -> None:
        """Show nothing."""

    def write(self, text: str) -> None:
        """Write the words."""
        self._hand_over(text)

    def end(self) -> None:
        """End the line and hand it over."""
        self._hand_over("\n", at_once=True)

    def _hand_over(self, text: str, *, at_once: bool = False) -> None:
        try:
            sys.stdout.write(text)
            if at_once:
                # A program at the other end waits for this line before it writes its next one.
                sys.stdout.flush()
        except BrokenPipeError:
            # What is left in the buffer would fail again at the end of the program.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
            self.gone = True


class ConsoleChannel:
    """The console as a turn sees it. ``answered`` is set whenever an answer was shown whole."""

    def __init__(self, screen: Screen, *, streaming: bool) -> None:
        self.answered: Final = asyncio.Event()
        self._screen = screen
        self._streaming = streaming

    def delivery(self, target: Target, record_piece: RecordPiece) -> "ConsoleDelivery":
        """Begin to deliver an answer."""

        async def begin() -> None:
            # Before anything is shown, as a channel must.
            await record_piece(0, f"console-{target.turn_id}")
            self._screen.begin()

        return ConsoleDelivery(self._screen, begin, self.answered.set, streaming=self._streaming)


class ConsoleDelivery:
    """One answer on its way to the screen."""

    def __init__(
        self,
        screen: Screen,
        begin: Callable[[], Awaitable[None]],
        on_finished: Callable[[], None],
        *,
        streaming: bool,
    ) -> None:
        self._screen = screen
        self._begin = begin
        self._on_finished = on_finished
        self._streaming = streaming
        self._shown = ""
        self._begun = False

    async def show_thinking(self) -> None:
        """Show that an answer is on its way."""
        if not self._begun:
            self._screen.thinking()

    async def show(self, text: str) -> None:
        """Show the words that are new."""
        if self._streaming:
            await self._continue(text)

    async def finish(self, text: str, *, plain: bool = False) -> None:
        """Show what is missing of the final text, and end it."""
        del plain  # a terminal shows every answer as it was written
        await self._continue(text)
        self._screen.end()
        self._on_finished()

    async def withdraw(self) -> None:
        """End what was begun: what stands on a terminal stays there."""
        if self._begun:
            self._screen.end()

    async def stop_showing(self) -> None:
        """Show nothing more: what stands there stays."""

    async def _continue(self, text: str) -> None:
        # Until its end an answer is drawn anew: one that began again takes the place of the first.
        if not self._begun or not text.startswith(self._shown):
            await self._begin()
            self._begun, self._shown = True, ""
        self._screen.write(text[len(self._shown) :])
        self._shown = text
