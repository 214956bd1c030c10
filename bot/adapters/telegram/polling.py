"""Fetching updates: durable here before Telegram lets go of them, whatever goes wrong between.

The stock updater confirms what nobody has kept, dies of one 404 and spins on one malformed update
(libraries.md, 1.4 and 1.5); this loop asks for the next updates only once the last are kept.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, Final, Never

from bot.adapters.calls import Away, Timer
from bot.adapters.patience import Patience
from bot.adapters.taking import Keeper, Take
from bot.adapters.telegram.api import MARGIN_SECONDS, POLL_SECONDS, BotApi, translated
from bot.supervise import Done, Stumbled, attempt

DEAF_SECONDS: Final = 120.0
"""Without any answer for so long, the connections are made anew."""

KEEPING_SECONDS: Final = 30.0
"""So long keeping one update may take before the poll counts as failed."""

log = logging.getLogger(__name__)


class Polling:
    """Fetch updates for ever and have each one taken; cancel it to stop.

    ``take`` returns once the update is durable.
    """

    def __init__(
        self,
        bot: BotApi,
        take: Take,
        timer: Timer,
        patience: Patience,
        *,
        poll_seconds: float = POLL_SECONDS,
        margin_seconds: float = MARGIN_SECONDS,
    ) -> None:
        self.keeper: Final = Keeper()
        self._patience = patience
        self._bot = bot
        self._take = take
        self._timer = timer
        self._poll_seconds = poll_seconds
        self._margin = margin_seconds
        self._offset: int | None = None
        self._progress = timer.now()

    async def run(self) -> Never:
        """Poll until cancelled; raises :class:`TokenRefused` if the token is revoked."""
        while True:
            step = await attempt("polling", self._poll_once)
            match step:
                case Done():
                    self._progress = self._timer.now()
                    self._patience.well()
                case Stumbled(error):
                    await self._recover(error)

    async def _recover(self, error: Exception) -> None:
        await self._timer.sleep(self._patience.after(error))
        if self._timer.now() - self._progress >= DEAF_SECONDS:
            log.warning("telegram: deaf for %.0f s, connecting anew", DEAF_SECONDS)
            self._progress = self._timer.now()
            await attempt("connecting anew", self._bot.reconnect)

    async def _poll_once(self) -> None:
        batch = await self._fetched()
        before = self._offset
        for raw in batch:
            await self._one(raw)
        if batch and self._offset == before:
            raise Away("an answer without update ids")

    async def _fetched(self) -> Sequence[Any]:
        try:
            async with asyncio.timeout(self._poll_seconds + 2 * self._margin):
                with translated():
                    return await self._bot.raw_updates(
                        self._offset, self._poll_seconds, self._margin
                    )
        except TimeoutError as error:
            raise Away("a poll without end") from error

    async def _one(self, raw: Any) -> None:
        """Have one update kept, then step over it; one that nobody can read is skipped."""
        await self.keeper.keep("an update", lambda: self._kept(raw))
        number = raw.get("update_id") if isinstance(raw, dict) else None
        if isinstance(number, int):
            self._offset = number + 1

    async def _kept(self, raw: Any) -> None:
        async with asyncio.timeout(KEEPING_SECONDS):
            await self._take(raw)
