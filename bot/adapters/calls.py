"""What adapters share about calling a platform.

Errors, rate limits, and pauses before reconnecting.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.conversation.delivery import ChannelHealth
from bot.timing import Timer
from memory.errors import XiaoxiangError

T = TypeVar("T")

LONGEST_RATE_LIMIT_WAIT: Final = 60.0
"""So long a message waits for the platform's permission before it goes back to the ledger."""

RETRY_PAUSES: Final = (0.5, 2.0)
"""The pauses before a call that failed is made again."""


class PlatformError(XiaoxiangError):
    """A call to the platform did not do what it should."""


class PlatformUnreachable(PlatformError):
    """The network or the platform's server fails; the same call may work later."""


class PollingConflict(PlatformError):
    """Another program hears with the same identity, or too many do."""


class RateLimited(PlatformError):
    """Too much at once; nothing is taken for so many ``seconds``."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"asked to wait {seconds:.0f} s")
        self.seconds = seconds


class TokenRefused(PlatformError):
    """The platform itself, and not something in between, says that she is not who she says."""


class ChatUnavailable(PlatformError):
    """The chat does not exist, or she may not write there."""


class RequestRejected(PlatformError):
    """The call itself is wrong, in the platform's words or by its number."""

    def __init__(self, said: str, *, code: int = 0) -> None:
        super().__init__(said)
        self.code = code


class RateLimits:
    """What a platform asks to wait, kept per chat: no other one waits for it."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer
        self._not_before: dict[str, float] = {}

    def block_chat(self, chat: str, seconds: float) -> None:
        """Write nothing to the chat for so long."""
        self._not_before[chat] = self._timer.now() + seconds

    def seconds_left(self, chat: str) -> float:
        """Return for how many seconds nothing may be written to the chat."""
        left = self._not_before.get(chat, 0.0) - self._timer.now()
        if left <= 0:
            self._not_before.pop(chat, None)
        return max(left, 0.0)

    async def call_with_retries(
        self, chat: str, write: Callable[[], Awaitable[T]], *, again: bool = True
    ) -> T:
        """Do what writes, again after a short failure and when the waiting time is over.

        Without ``again`` a call that may have worked is not made a second time. Raises
        :class:`Flooded` if that is too long, and :class:`Away` if it goes on failing.
        """
        pauses = iter(RETRY_PAUSES)
        until = self._timer.now() + LONGEST_RATE_LIMIT_WAIT
        while True:
            await self._wait_until_allowed(chat, until)
            try:
                return await write()
            except RateLimited as flood:
                self.block_chat(chat, flood.seconds)
            except PlatformUnreachable:
                pause = next(pauses, None)
                if pause is None or not again:
                    raise
                await self._timer.sleep(pause)

    async def _wait_until_allowed(self, chat: str, until: float) -> None:
        wait = self.seconds_left(chat)
        if self._timer.now() + wait > until:
            raise RateLimited(wait)
        if wait:
            await self._timer.sleep(wait)


FIRST_RECONNECT_PAUSE: Final = 1.0

LONGEST_RECONNECT_PAUSE: Final = 15.0

CONFLICT_PAUSE: Final = 10.0
"""Whoever else hears may be this program's own predecessor, about to end."""

TOKEN_GRACE_SECONDS: Final = 45.0
"""The platform itself has refused the token for so long: it is revoked."""

log = logging.getLogger(__name__)


class ReconnectBackoff:
    """Decide how long to wait after a failure, and remember how things stand."""

    def __init__(self, timer: Timer, platform: str) -> None:
        self._timer = timer
        self._platform = platform
        self._pause = FIRST_RECONNECT_PAUSE
        self._refused_since: float | None = None
        self.health = ChannelHealth("starting", timer.now())

    def record_success(self) -> None:
        """Note that a call did what it should."""
        self._pause = FIRST_RECONNECT_PAUSE
        self._refused_since = None
        if self.health.state != "well":
            log.info("%s: hearing", self._platform)
            self.health = ChannelHealth("well", self._timer.now())

    def record_failure(self, error: Exception) -> float:
        """Return how many seconds to wait; raises :class:`TokenRefused` if it is hopeless."""
        now = self._timer.now()
        reason = type(error).__name__
        if self.health.state != "troubled" or self.health.reason != reason:
            log.warning("%s: not hearing (%s)", self._platform, reason)
            self.health = ChannelHealth("troubled", now, reason)
        match error:
            case RateLimited(seconds=seconds):
                return seconds
            case PollingConflict():
                return CONFLICT_PAUSE
            case TokenRefused():
                return self._record_refusal(now, error)
            case _:
                pause, self._pause = self._pause, min(self._pause * 2, LONGEST_RECONNECT_PAUSE)
                return pause

    def _record_refusal(self, now: float, error: TokenRefused) -> float:
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since >= TOKEN_GRACE_SECONDS:
            self.health = ChannelHealth("stopped", now, type(error).__name__)
            raise error
        return CONFLICT_PAUSE
