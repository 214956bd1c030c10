"""The token of an app: fetched once for everybody who asks, and in time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.adapters.calls import PlatformError, Timer

MARGIN_SECONDS: Final = 600.0
"""So long before its end a token is used no more; one of a shorter life, after half of it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and for how many ``seconds`` from now it is good."""

    value: str
    seconds: float


FetchToken: TypeAlias = Callable[[], Awaitable[Token]]


class TokenCache:
    """Keep a token; whoever waits while it is being fetched shares how that ends."""

    def __init__(self, fetch: FetchToken, timer: Timer) -> None:
        self._fetch = fetch
        self._timer = timer
        self._lock = asyncio.Lock()
        self._value = ""
        self._until = 0.0
        self._attempts = 0
        self._failure: PlatformError | None = None

    async def get(self) -> str:
        """Return a token that is good for a while; raises :class:`Trouble`."""
        if self._is_good():
            return self._value
        attempts = self._attempts
        async with self._lock:
            if not self._is_good():
                if self._failure is not None and self._attempts != attempts:
                    raise self._failure
                await self._renew()
            return self._value

    def discard(self, token: str) -> None:
        """Forget a token that the platform does not take, unless it was replaced already."""
        if token == self._value:
            self._value = ""

    def _is_good(self) -> bool:
        return bool(self._value) and self._timer.now() < self._until

    async def _renew(self) -> None:
        began = self._timer.now()
        try:
            fetched = await self._fetch()
        except PlatformError as error:
            self._failure = error
            raise
        else:
            self._failure = None
            margin = min(MARGIN_SECONDS, fetched.seconds / 2)
            self._value, self._until = fetched.value, began + fetched.seconds - margin
        finally:
            self._attempts += 1
