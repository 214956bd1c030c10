"""Showing an answer while it grows, in a task of its own: the model never waits for a platform."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.adapters.calls import Trouble, set_within
from bot.supervise import Supervisor

LEAVING_SECONDS: Final = 1.0
"""So long a change under way may take when its turn is stopped."""


class Growing:
    """Show over and over, until it is over or something goes wrong: this is an extra.

    ``show`` shows what there is and returns when something else may be shown, ``grown`` or not;
    once it is ``over`` it is not called again.
    """

    def __init__(
        self, tasks: Supervisor, show: Callable[[], Awaitable[None]], *, muted: bool = False
    ) -> None:
        self.grown: Final = asyncio.Event()
        self.over: Final = asyncio.Event()
        self._tasks = tasks
        self._show = show
        self._muted = muted
        self._idle = asyncio.Event()
        self._idle.set()

    def begin(self) -> None:
        """Begin to show, unless that is under way, over or hopeless."""
        if self._idle.is_set() and not self.over.is_set() and not self._muted:
            self._idle.clear()
            self._tasks.start("showing an answer", self._showing())

    def grow(self) -> None:
        """Show that there is more, soon."""
        self.grown.set()
        self.begin()

    async def stop(self) -> None:
        """Show nothing more, once the change under way is over: it must not come after."""
        self._end()
        await self._idle.wait()

    async def leave(self) -> None:
        """Show nothing more; a change under way is waited for, a little."""
        self._end()
        await set_within(self._idle, LEAVING_SECONDS)

    def _end(self) -> None:
        self.over.set()
        self.grown.set()

    async def _showing(self) -> None:
        try:
            while not self.over.is_set():
                self.grown.clear()
                await self._show()
        except Trouble:
            pass
        finally:
            self._muted = True
            self._idle.set()
