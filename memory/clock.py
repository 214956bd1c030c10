"""The one module that asks the operating system what time it is."""

import time
from datetime import UTC, datetime
from typing import Final

# Counts the time a machine sleeps as well, so that a laptop that was shut for a holiday looks
# like one that ran. Only Linux names it so; elsewhere the monotonic clock is the nearest.
_NEVER_SET: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.now(UTC)

    def uptime(self) -> float:
        """Return seconds since some start that nobody can set, time asleep included."""
        return time.clock_gettime(_NEVER_SET)


class ShiftedClock:
    """The time of this machine, as if it had been ``start`` when the clock was made."""

    def __init__(self, start: datetime) -> None:
        self._shift = start.astimezone(UTC) - datetime.now(UTC)

    def now(self) -> datetime:
        """Return the shifted instant, aware, in UTC."""
        return datetime.now(UTC) + self._shift
