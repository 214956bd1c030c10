"""Hearing by long connection: always one, built anew whatever ends it."""

import json
from collections.abc import Awaitable, Callable
from typing import Final, Never, TypeAlias

from bot.adapters.calls import PlatformError, PlatformUnreachable, Timer
from bot.adapters.lark.discovery import Endpoint
from bot.adapters.lark.line import ConnectionTimeouts, SdkConnection
from bot.adapters.patience import ReconnectBackoff
from bot.adapters.taking import Acknowledger, HandleEvent
from bot.supervise import Failed, attempt

Discover: TypeAlias = Callable[[], Awaitable[Endpoint]]


class LarkConnection:
    """Keep one line open; cancel it to stop. Each line ends before the next one begins."""

    def __init__(
        self,
        discover: Discover,
        handle: HandleEvent,
        timer: Timer,
        backoff: ReconnectBackoff,
        timeouts: ConnectionTimeouts,
    ) -> None:
        self._discover = discover
        self.acknowledger: Final = Acknowledger()
        self._handle_event = handle
        self._timer = timer
        self._backoff = backoff
        self._timeouts = timeouts

    async def run(self) -> Never:
        """Hear until cancelled; raises :class:`TokenRefused` if the secret is revoked."""
        while True:
            step = await attempt("listening", self._connect_once)
            error = step.error if isinstance(step, Failed) else None
            trouble = (
                error
                if isinstance(error, PlatformError)
                else PlatformUnreachable("the connection is over")
            )
            await self._timer.sleep(self._backoff.record_failure(trouble))

    async def _connect_once(self) -> None:
        """Find out where to connect to, connect, and hear until that ends."""
        endpoint = await self._discover()
        await SdkConnection(
            endpoint, self._handle_payload, self._timeouts, self._backoff.record_success
        ).run()

    async def _handle_payload(self, payload: bytes) -> object:
        """Return the answer to an event once it is kept; None if it wants none."""
        return await self.acknowledger.handle_or_skip(
            "an event", lambda: self._handle_event(json.loads(payload))
        )
