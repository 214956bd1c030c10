"""Hearing by long connection: always one, built anew whatever ends it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, Never, TypeAlias

from bot.adapters.calls import Away, Timer, Trouble
from bot.adapters.lark.discovery import Endpoint
from bot.adapters.lark.line import Line, Pace
from bot.adapters.patience import Patience
from bot.supervise import Stumbled, attempt
from memory.errors import StoreError

Take: TypeAlias = Callable[[Any], Awaitable[object]]
"""Have an event kept; what it returns is the answer to it. Raises if it could not be kept."""

Discover: TypeAlias = Callable[[], Awaitable[Endpoint]]


class Keeper:
    """Have events kept. ``skipped`` counts those nobody could read: they are not asked for again.

    Raises :class:`StoreError` or :class:`TimeoutError` for one that has to come again.
    """

    def __init__(self, take: Take) -> None:
        self.skipped = 0
        self._take = take

    async def keep(self, payload: bytes) -> object:
        """Return the answer to an event once it is kept; None if it wants none."""
        step = await attempt("taking an event", lambda: self._take(json.loads(payload)))
        if not isinstance(step, Stumbled):
            return step.value
        if isinstance(step.error, StoreError | TimeoutError):
            raise step.error
        self.skipped += 1
        return None


class Connection:
    """Keep one line open; cancel it to stop. Each line ends before the next one begins."""

    def __init__(
        self,
        discover: Discover,
        keeper: Keeper,
        timer: Timer,
        patience: Patience,
        pace: Pace,
    ) -> None:
        self._discover = discover
        self._keeper: Final = keeper
        self._timer = timer
        self._patience = patience
        self._pace = pace

    async def run(self) -> Never:
        """Hear until cancelled; raises :class:`TokenRefused` if the secret is revoked."""
        while True:
            step = await attempt("listening", self._once)
            error = step.error if isinstance(step, Stumbled) else None
            trouble = error if isinstance(error, Trouble) else Away("the connection is over")
            await self._timer.sleep(self._patience.after(trouble))

    async def _once(self) -> None:
        """Find out where to connect to, connect, and hear until that ends."""
        endpoint = await self._discover()
        await Line(endpoint, self._keeper.keep, self._pace, self._patience.well).live()
