"""Living through a data set's life as a user of ``open_memory`` would."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.datasets import Life
from memory.api import OpenMemory, open_memory
from memory.model import AgentSettings


@dataclass
class MovingClock:
    """A clock that stands where it is put."""

    at: datetime

    def now(self) -> datetime:
        return self.at


@asynccontextmanager
async def lived(life: Life) -> AsyncIterator[OpenMemory]:
    """Remember every sitting at its own date, and stand a minute after the last message.

    No model, no night in between; the folder is gone afterwards.
    """
    clock = MovingClock(life.sittings[0][0].at)
    settings = AgentSettings(time_zone=life.zone.key)
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        async with open_memory(Path(folder), clock=clock, settings=settings) as mem:
            for sitting in life.sittings:
                clock.at = sitting[-1].at + timedelta(minutes=1)
                mem.remember(sitting)
                await mem.settled()
            yield mem
