"""Waiting with an end to it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from memory.ports import Outcome, Piece, StartAgain, Streamed, Truncated, Unavailable

TIMEOUT: Final = Unavailable("timeout")

T = TypeVar("T")


async def next_within(events: AsyncIterator[T], seconds: float) -> T | Unavailable | None:
    """Return the next event, ``Unavailable("timeout")`` after ``seconds``, or None at the end.

    A generator must not yield inside ``asyncio.timeout``: the limit would then strike whatever
    its consumer is doing. So each wait has its own.
    """
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            return await anext(events, None)
    except TimeoutError:
        return TIMEOUT


@asynccontextmanager
async def closing(events: AsyncIterator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """Close ``events`` on the way out, so that a stream given up stops at its source at once."""
    try:
        yield events
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def last_outcome(events: AsyncIterator[Streamed]) -> Outcome:
    """Return the outcome a stream ends with, letting the pieces go by."""
    async with closing(events):
        async for event in events:
            if not isinstance(event, Piece | StartAgain):
                return event
    return Truncated("")
