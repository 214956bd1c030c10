"""Hearing by long connection: always one, built anew whatever ends it."""

import json
from collections.abc import Awaitable, Callable
from typing import Final, Never, TypeAlias

from bot.adapters.calls import Away, Timer, Trouble
from bot.adapters.lark.discovery import Endpoint
from bot.adapters.lark.line import Line, Pace
from bot.adapters.patience import Patience
from bot.adapters.taking import Keeper, Take
from bot.supervise import Stumbled, attempt

Discover: TypeAlias = Callable[[], Awaitable[Endpoint]]


class Connection:
    """Keep one line open; cancel it to stop. Each line ends before the next one begins."""

    def __init__(
        self,
        discover: Discover,
        take: Take,
        timer: Timer,
        patience: Patience,
        pace: Pace,
    ) -> None:
        self._discover = discover
        self.keeper: Final = Keeper()
        self._take = take
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
        await Line(endpoint, self._keep, self._pace, self._patience.well).live()

    async def _keep(self, payload: bytes) -> object:
        """Return the answer to an event once it is kept; None if it wants none."""
        return await self.keeper.keep("an event", lambda: self._take(json.loads(payload)))
