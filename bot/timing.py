"""Time as the running event loop measures it, for whoever waits.

It is a port of its own, apart from the clock that tells dates, so that tests can let hours of
waiting pass at once.
"""

import asyncio
from contextlib import suppress
from typing import Protocol


class Timer(Protocol):
    """Measures and waits. Its seconds count from an arbitrary origin and never go back."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...

    async def wait_for(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait until the event is set or the time is over; return whether it is set."""


class LoopTimer:
    """The time of the running event loop."""

    def now(self) -> float:
        """Return the loop's monotonic time."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""
        await asyncio.sleep(seconds)

    async def wait_for(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for the event, at most ``seconds``; return whether it is set."""
        return await wait_for_event(event, seconds)


async def wait_for_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most ``seconds`` of the running loop; return whether it is set."""
    with suppress(TimeoutError):
        # Not asyncio.wait_for: on Python 3.11 it may swallow a cancellation that comes just then.
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
