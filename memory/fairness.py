"""How the agents of one process share it: nobody's background delays anybody's answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fairness:
    """Shared by all agents of a process; both hand on in the order they were asked.

    ``slices`` lets one agent at a time have its compression slice (round robin, 002 §11.2.3).
    ``steps`` lets the background of one agent at a time compute, a few milliseconds each, so that
    an answer waits for one such step at most, however many agents are busy. Calls of a model are
    made outside of it.
    """

    slices: asyncio.Lock = field(default_factory=asyncio.Lock)
    steps: asyncio.Lock = field(default_factory=asyncio.Lock)

    @asynccontextmanager
    async def step(self) -> AsyncIterator[None]:
        """Compute for a moment; whoever else is ready goes first."""
        async with self.steps:
            await asyncio.sleep(0)
            yield
