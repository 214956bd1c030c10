"""A timer whose waits are over at once, and that remembers them."""

import asyncio


class FakeTimer:
    """Seconds pass only by ``sleep``; others get their turn meanwhile."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self._now = 1_000.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += seconds
        await asyncio.sleep(0)

    async def wait_for(self, event: asyncio.Event, seconds: float) -> bool:
        if not event.is_set():
            await self.sleep(seconds)
        return event.is_set()
