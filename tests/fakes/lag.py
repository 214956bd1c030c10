"""How long single steps keep the event loop from everything else, on a machine that is shared.

A step is measured in processor time, so that other programs do not count. Where times are strict
(:mod:`tests.fakes.cost`), one that gave up the processor by itself (a lock, a file, a sleep, a
thread that holds the interpreter) is measured by the clock, for that is how it keeps the loop.
"""

import asyncio
import resource
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from tests.fakes.cost import STRICT

BLOCKED_SECONDS: Final = 0.05 if STRICT else 0.5
"""No step may keep the loop so long."""


@dataclass
class Lag:
    """``worst`` seconds, and by what."""

    worst: float = 0.0
    by: str = ""
    steps: int = 0


@contextmanager
def lag() -> Iterator[Lag]:
    """Watch every step of the loops in this thread."""
    found = Lag()
    mine = threading.get_ident()
    handle: Any = asyncio.Handle
    run = handle._run

    def watched(self: asyncio.Handle) -> None:
        if threading.get_ident() != mine:
            run(self)
            return
        before = _waits()
        wall, busy = time.perf_counter(), time.thread_time()
        run(self)
        busy, wall = time.thread_time() - busy, time.perf_counter() - wall
        seconds = wall if STRICT and _waits() > before else busy
        found.steps += 1
        if seconds > found.worst:
            found.worst, found.by = seconds, repr(self)

    handle._run = watched
    try:
        yield found
    finally:
        handle._run = run


def _waits() -> int:
    """Return how often this thread gave up the processor by itself."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
