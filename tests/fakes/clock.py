"""A clock that moves only when told."""

from datetime import UTC, datetime, timedelta

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
