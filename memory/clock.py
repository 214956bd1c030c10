"""The one module that asks the operating system what time it is."""

from datetime import UTC, datetime


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.now(UTC)


class ShiftedClock:
    """The time of this machine, as if it had been ``start`` when the clock was made."""

    def __init__(self, start: datetime) -> None:
        self._shift = start.astimezone(UTC) - datetime.now(UTC)

    def now(self) -> datetime:
        """Return the shifted instant, aware, in UTC."""
        return datetime.now(UTC) + self._shift
