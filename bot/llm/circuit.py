"""A circuit breaker: a model that keeps failing is left in peace, and tried again soon."""

from collections.abc import Callable
from typing import Final

OPENS_AFTER: Final = 5  # failures in a row
REST_SECONDS: Final = 8.0


class CircuitBreaker:
    """Closed while the model answers; open after ``OPENS_AFTER`` failures in a row.

    While it is open, one call every ``REST_SECONDS`` is let through as a probe, whether or not
    the former probe has come back (it may hang); the first success closes the circuit. So it is
    closed again within one rest and one answer of the model's recovery.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._next_probe = 0.0
        self.reason = ""

    @property
    def is_open(self) -> bool:
        """Whether the model counts as down."""
        return self._failures >= OPENS_AFTER

    @property
    def seconds_to_probe(self) -> float:
        """How long no call is let through; 0 if one is."""
        return max(0.0, self._next_probe - self._monotonic()) if self.is_open else 0.0

    def admit(self) -> bool:
        """Whether a call may be made now; while open, a yes uses up the probe."""
        if self.seconds_to_probe > 0:
            return False
        if self.is_open:
            self._next_probe = self._monotonic() + REST_SECONDS
        return True

    def record_success(self) -> None:
        """Close the circuit: the model is alive."""
        self._failures = 0

    def record_failure(self, reason: str) -> None:
        """Count a failure; ``reason`` is kept for whoever is turned away."""
        self.reason = reason
        self._failures += 1
        if self._failures == OPENS_AFTER:
            self._next_probe = self._monotonic() + REST_SECONDS
