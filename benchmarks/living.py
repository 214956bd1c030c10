"""Living through a data set's life as a user of ``open_memory`` would."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zoneinfo import ZoneInfo

from benchmarks.datasets import Life
from memory.api import OpenMemory, open_memory
from memory.model import AgentSettings, Message
from memory.ports import Embedder

NIGHT: Final = time(4)
"""When the nights of a life are lived, by the clock of its zone."""


PARTNER: Final = AgentSettings().partner


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
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        async with lived_in(Path(folder), life) as mem:
            yield mem


@asynccontextmanager
async def lived_in(
    folder: Path, life: Life, *, law: str | None = None, nights: bool = False
) -> AsyncIterator[OpenMemory]:
    """Live as :func:`lived` does in a folder that stays; with ``nights``, every one in between.

    The last night is the one after the last message, so that all of it was slept over.
    """
    clock = MovingClock(life.sittings[0][0].at)
    settings = AgentSettings(time_zone=life.zone.key, partner=life.partner or PARTNER)
    async with open_memory(folder, clock=clock, settings=settings, law=law) as mem:
        for sitting in life.sittings:
            if nights:
                await _sleep_until(mem, clock, sitting[0].at, life.zone)
            clock.at = max(clock.at, sitting[-1].at + timedelta(minutes=1))
            mem.remember(sitting)
            await mem.settled()
        if nights:
            await _sleep_until(mem, clock, clock.at + timedelta(days=1), life.zone)
        yield mem


async def sitting_by_sitting(
    life: Life, embedder: Embedder | None = None
) -> AsyncIterator[tuple[int, OpenMemory]]:
    """Yield the memory before each sitting is remembered, and at last after all of them.

    The number says how many sittings it remembers. Until the end the clock stands at the first
    message of the next one, then a minute after the last message. With an ``embedder`` every
    passage has its vector by then.
    """
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        clock = MovingClock(life.sittings[0][0].at)
        settings = AgentSettings(time_zone=life.zone.key, partner=life.partner or PARTNER)
        async with open_memory(
            Path(folder), clock=clock, settings=settings, embedder=embedder
        ) as mem:
            for number, sitting in enumerate(life.sittings):
                clock.at = max(clock.at, sitting[0].at)
                yield number, mem
                clock.at = max(clock.at, sitting[-1].at + timedelta(minutes=1))
                mem.remember(sitting)
                await mem.settled()
                if mem._agent._vectors is not None:
                    await mem._agent._vectors.wait_until_filled()
            yield len(life.sittings), mem


async def live_on(
    folder: Path, life: Life, *, law: str | None = None
) -> AsyncIterator[tuple[OpenMemory, Message]]:
    """Yield every message before it is remembered, with a memory of all before it, and its nights.

    What was said in the same sitting is in the memory already.
    """
    clock = MovingClock(life.sittings[0][0].at)
    settings = AgentSettings(time_zone=life.zone.key, partner=life.partner or PARTNER)
    async with open_memory(folder, clock=clock, settings=settings, law=law) as mem:
        for sitting in life.sittings:
            await _sleep_until(mem, clock, sitting[0].at, life.zone)
            waiting: list[Message] = []
            for message in sitting:
                clock.at = max(clock.at, message.at)
                if message.role == "user" and waiting:
                    mem.remember(waiting)
                    await mem.settled()
                    waiting = []
                yield mem, message
                waiting.append(message)
            mem.remember(waiting)
            await mem.settled()


async def _sleep_until(
    mem: OpenMemory, clock: MovingClock, until: datetime, zone: ZoneInfo
) -> None:
    """Live every night that lies before an instant."""
    day = clock.at.astimezone(zone).date()
    night = datetime.combine(day, NIGHT, zone)
    while night < until:
        if night > clock.at:
            clock.at = night
            await mem.nightly()
        night += timedelta(days=1)
