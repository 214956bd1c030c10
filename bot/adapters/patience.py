"""How long to wait after hearing failed, and how hearing goes: the same for every platform."""

import logging
from typing import Final

from bot.adapters.calls import Contested, Flooded, Timer, TokenRefused
from bot.conversation.channel import Health
from bot.conversation.messages import Platform

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 15.0
CONTEST_PAUSE: Final = 10.0
"""Whoever else hears may be this program's own predecessor, about to end."""

TOKEN_PATIENCE: Final = 45.0
"""The platform itself has refused the token for so long: it is revoked."""

log = logging.getLogger(__name__)


class Patience:
    """Decide how long to wait after a failure, and remember how things stand."""

    def __init__(self, timer: Timer, platform: Platform) -> None:
        self._timer = timer
        self._platform = platform
        self._pause = FIRST_PAUSE
        self._refused_since: float | None = None
        self.health = Health("starting", timer.now())

    def well(self) -> None:
        """Note that a call did what it should."""
        self._pause = FIRST_PAUSE
        self._refused_since = None
        if self.health.state != "well":
            log.info("%s: hearing", self._platform)
            self.health = Health("well", self._timer.now())

    def after(self, error: Exception) -> float:
        """Return how many seconds to wait; raises :class:`TokenRefused` if it is hopeless."""
        now = self._timer.now()
        reason = type(error).__name__
        if self.health.state != "troubled" or self.health.reason != reason:
            log.warning("%s: not hearing (%s)", self._platform, reason)
            self.health = Health("troubled", now, reason)
        match error:
            case Flooded(seconds=seconds):
                return seconds
            case Contested():
                return CONTEST_PAUSE
            case TokenRefused():
                return self._after_refusal(now, error)
            case _:
                pause, self._pause = self._pause, min(self._pause * 2, LONGEST_PAUSE)
                return pause

    def _after_refusal(self, now: float, error: TokenRefused) -> float:
        if self._refused_since is None:
            self._refused_since = now
        if now - self._refused_since >= TOKEN_PATIENCE:
            self.health = Health("stopped", now, type(error).__name__)
            raise error
        return CONTEST_PAUSE
