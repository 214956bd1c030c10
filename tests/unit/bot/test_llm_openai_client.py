"""Reading a stream of events, however it is cut and whichever line ends a server writes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.openai_client import _BoundedResponse, events_of

SAID = ['{"a": "你好"}', "二", "3\n4"]
STREAM = 'data: {"a": "你好"}\n\n: alive\n\nevent: message\ndata:二\nid: 7\n\ndata: 3\ndata: 4\n\n'


async def parts_of(parts: Sequence[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def read(*parts: bytes) -> list[str]:
    return [data async for data in events_of(parts_of(parts))]


@given(
    places=st.lists(st.integers(0, len(STREAM.encode())), max_size=6),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
async def test_events_are_read_however_the_stream_is_cut(places: list[int], line_end: str) -> None:
    text = STREAM.replace("\n", line_end).encode()
    cuts = [0, *sorted(places), len(text)]
    parts = [text[begin:end] for begin, end in pairwise(cuts)]

    assert await read(*parts) == SAID


async def test_carriage_returns_alone_end_lines_as_well() -> None:
    assert await read(STREAM.replace("\n", "\r").encode(), b"data: 5\r") == SAID


async def test_an_event_without_data_says_nothing() -> None:
    assert await read(b"event: ping\n\ndata: 1\n\n") == ["1"]


async def test_nothing_is_said_after_the_stream_is_done_and_its_end_is_read() -> None:
    body = parts_of([b"data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", b"data: 3\n\n"])

    assert [data async for data in events_of(body)] == ["1"]
    assert [part async for part in body] == []


async def test_an_end_of_a_stream_that_does_not_come_is_not_waited_for() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"data: 1\n\ndata: [DONE]\n\n"
        await asyncio.Event().wait()

    assert [data async for data in events_of(body())] == ["1"]


async def test_an_end_of_a_stream_that_fails_costs_nothing_that_was_said() -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"data: 1\n\ndata: [DONE]\n\n"
        raise httpx2.ReadError("gone")

    assert [data async for data in events_of(body())] == ["1"]


async def test_an_event_in_which_the_stream_breaks_off_is_none() -> None:
    assert await read(b"data: 1\n\ndata: 2") == ["1"]


async def test_a_stream_that_breaks_off_within_a_character_says_so() -> None:
    with pytest.raises(UnicodeDecodeError):
        await read(b"data: 1\n\ndata: " + "二".encode()[:2])


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
