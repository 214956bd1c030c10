"""A clock that moves only when told."""

from datetime import UTC, datetime, timedelta

from memory.ports import SystemClock

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


class FakeClock:
    """Starts at ``at`` and stands still until ``tick`` or ``set`` is called."""

    def __init__(self, at: datetime = NOON) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def tick(self, **elapsed: float) -> datetime:
        """Move on by a timedelta given as its keywords: ``clock.tick(days=3)``."""
        self._at += timedelta(**elapsed)
        return self._at

    def set(self, at: datetime) -> None:
        self._at = at


class FakeMachineClock(SystemClock):
    """The clock of a machine: time passes for both its clocks, and somebody may set the one."""

    def __init__(self, at: datetime = NOON) -> None:
        self._at = at
        self._uptime = 5_000.0

    def now(self) -> datetime:
        return self._at

    def uptime(self) -> float:
        return self._uptime

    def tick(self, **elapsed: float) -> None:
        """Let time pass."""
        passed = timedelta(**elapsed)
        self._at += passed
        self._uptime += passed.total_seconds()

    def set(self, at: datetime) -> None:
        """Set the date; no time passes."""
        self._at = at

    def boot(self) -> None:
        """Start the machine anew: what was counted since the last start begins again."""
        self._uptime = 10.0
