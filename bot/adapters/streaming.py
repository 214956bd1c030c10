"""Showing an answer while it grows, in a task of its own: the model never waits for a platform.

What is shown differs between the platforms; when it may be shown, and that it ends before the
final text is written, is the same and lies here.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.adapters.calls import PlatformError, PlatformUnreachable, RateLimited
from bot.supervise import Supervisor
from bot.timing import wait_for_event

STOP_SECONDS: Final = 1.0
"""How long a change under way may take once its turn, or the whole adapter, is stopped."""

SHOW_FAILURES: Final = 3
"""So many failures in a row end the showing."""

FAILURE_PAUSE: Final = 1.0
"""Seconds before more is shown after a failure; one more with each in a row."""


class StreamUpdater:
    """Call ``show`` again and again until it is stopped, or until the platform refuses it.

    After a rate limit, or trouble on the way, it goes on later; the third time in a row is enough.

    ``show`` shows the text so far and returns when more may be shown. ``changed`` is set when
    there is more, ``stopped`` when there will be none. A failure ends at most the
    showing: the final text does not depend on it.
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
        """Begin to show, unless that is under way, stopped or has failed."""
        if self._idle.is_set() and not self.stopped.is_set() and not self._muted:
            self._idle.clear()
            self._tasks.start("showing an answer", self._run())

    def request_update(self) -> None:
        """Let ``show`` know that there is more."""
        self.changed.set()
        self.start()

    async def stop(self) -> None:
        """Stop showing, and wait for the change under way: it must not overwrite a later one."""
        self._signal_stop()
        await self._idle.wait()

    async def stop_soon(self) -> None:
        """Stop showing; a change under way gets ``STOP_SECONDS`` to end."""
        self._signal_stop()
        await wait_for_event(self._idle, STOP_SECONDS)

    def _signal_stop(self) -> None:
        self.stopped.set()
        # Else a ``show`` that waits for more text would wait for ever.
        self.changed.set()

    async def _run(self) -> None:
        failures = 0
        try:
            while not self.stopped.is_set() and failures < SHOW_FAILURES:
                self.changed.clear()
                try:
                    await self._show()
                    failures = 0
                except (PlatformUnreachable, RateLimited) as error:
                    failures += 1
                    asked = error.seconds if isinstance(error, RateLimited) else 0.0
                    await wait_for_event(self.stopped, max(asked, FAILURE_PAUSE * failures))
        except PlatformError:
            pass
        finally:
            # For the rest of the turn: what fails like this is not worth more calls.
            self._muted = True
            self._idle.set()
