"""Showing an answer while it grows, in a task of its own: the model never waits for a platform."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.adapters.calls import PlatformError
from bot.supervise import Supervisor
from bot.timing import wait_for_event

STOP_SECONDS: Final = 1.0
"""So long a change under way may take when its turn is stopped."""


class StreamUpdater:
    """Show over and over, until it is over or something goes wrong: this is an extra.

    ``show`` shows what there is and returns when something else may be shown, ``grown`` or not;
    once it is ``over`` it is not called again.
    """

    def __init__(
        self, tasks: Supervisor, show: Callable[[], Awaitable[None]], *, muted: bool = False
    ) -> None:
        self.changed: Final = asyncio.Event()
        self.stopped: Final = asyncio.Event()
        self._tasks = tasks
        self._show = show
        self._muted = muted
        self._idle = asyncio.Event()
        self._idle.set()

    def start(self) -> None:
        """Begin to show, unless that is under way, over or hopeless."""
        if self._idle.is_set() and not self.stopped.is_set() and not self._muted:
            self._idle.clear()
            self._tasks.start("showing an answer", self._run())

    def request_update(self) -> None:
        """Show that there is more, soon."""
        self.changed.set()
        self.start()

    async def stop(self) -> None:
        """Show nothing more, once the change under way is over: it must not come after."""
        self._signal_stop()
        await self._idle.wait()

    async def stop_soon(self) -> None:
        """Show nothing more; a change under way is waited for, a little."""
        self._signal_stop()
        await wait_for_event(self._idle, STOP_SECONDS)

    def _signal_stop(self) -> None:
        self.stopped.set()
        self.changed.set()

    async def _run(self) -> None:
        try:
            while not self.stopped.is_set():
                self.changed.clear()
                await self._show()
        except PlatformError:
            pass
        finally:
            self._muted = True
            self._idle.set()
