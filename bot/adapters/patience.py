"""How long to wait after hearing failed, and how hearing goes: the same for every platform."""

import logging
from typing import Final

from bot.adapters.calls import PollingConflict, RateLimited, Timer, TokenRefused
from bot.conversation.channel import ChannelHealth
from bot.conversation.messages import Platform

FIRST_RECONNECT_PAUSE: Final = 1.0
LONGEST_RECONNECT_PAUSE: Final = 15.0
CONFLICT_PAUSE: Final = 10.0
"""Whoever else hears may be this program's own predecessor, about to end."""

TOKEN_GRACE_SECONDS: Final = 45.0
"""The platform itself has refused the token for so long: it is revoked."""

log = logging.getLogger(__name__)


class ReconnectBackoff:
    """Decide how long to wait after a failure, and remember how things stand."""

    def __init__(self, timer: Timer, platform: Platform) -> None:
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
