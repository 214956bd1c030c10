"""What a piece of work costs, in processor time, on a machine that is shared.

A suite must not go red because a machine is slow, so what it allows is ``SLACK`` times what is
promised: work that grows with the square of its input still goes far beyond. ``make lag`` holds
every promise to its word, on a machine at rest. What is tried as often as time allows is tried
a few times in the suite and often by ``make hunt``.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

T = TypeVar("T")

STRICT: Final = "STRICT_TIMES" in os.environ
SLACK: Final = 1.0 if STRICT else 20.0

_HUNTING: Final = os.environ.get("HYPOTHESIS_PROFILE") == "hunt"


def times(suite: int, *, hunting: int) -> int:
    """Return how often, or how much; a test that asks is marked ``hunted``."""
    return hunting if _HUNTING else suite


def share(rows: Sequence[T], *, of: int = 3, first: int = 0) -> Sequence[T]:
    """Return one row ``of`` so many, always the same; all of them in a hunt and in ``make lag``.

    A test that takes its share is marked ``hunted``.
    """
    return rows if _HUNTING or STRICT else rows[first::of]


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Let a block of work cost so much processor time, times the slack."""
    before = time.process_time()
    yield
    took = time.process_time() - before
    assert took <= seconds * SLACK, f"{took:.2f} s"
