"""The one module that asks the operating system what time it is."""

from datetime import UTC, datetime


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        return datetime.now(UTC)
