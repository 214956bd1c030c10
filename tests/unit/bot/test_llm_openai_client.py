"""Events of a stream: the same however their lines end, and wherever the network cuts them."""

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.openai_client import _event_data

STREAM = (
    ": a comment\nevent: message\nid: 7\ndata: 一\n\n"
    "data:two\ndata: lines\nretry: 5\n\n\n"
    "\ndata:  a blank before\n\nevent: nothing\n\ndata: [DONE]\n\ndata: after the end\n\n"
)
EVENTS = ["一", "two\nlines", " a blank before"]


async def events_of(parts: list[bytes]) -> list[str]:
    async def sent() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    return [event async for event in _event_data(sent())]


@given(cuts=st.lists(st.integers(0, 200)), end=st.sampled_from(["\n", "\r\n", "\r"]))
async def test_events_are_the_same_wherever_they_are_cut(cuts: list[int], end: str) -> None:
    sent = STREAM.replace("\n", end).encode()
    places = sorted({0, len(sent), *(cut % len(sent) for cut in cuts)})
    parts = [sent[a:b] for a, b in pairwise(places)]

    assert await events_of(parts) == EVENTS


async def test_an_event_that_breaks_off_is_left_out() -> None:
    assert await events_of([b"data: 1\n\ndata: 2\n"]) == ["1"]


async def test_an_end_within_a_character_is_told() -> None:
    with pytest.raises(UnicodeDecodeError):
        await events_of([b"data: 1\n\ndata: \xe4\xbd"])
