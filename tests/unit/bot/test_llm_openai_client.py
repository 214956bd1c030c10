"""Reading the body of an answer, however much of it came at once."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest

from bot.llm.openai_client import _BoundedResponse


@pytest.mark.parametrize("part", [b"data: 1\n\n", bytes(8192)])
async def test_others_are_let_in_while_a_body_that_came_at_once_is_read(part: bytes) -> None:
    class Body(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            for _ in range(64):
                yield part

    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    async for _ in _BoundedResponse(Body(), is_stream=False):
        pass
    beside.cancel()

    assert turns >= 4
