"""Every way a server was seen to fail, against a real one on loopback, asked in both ways."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from bot.llm.pace import ServerPace
from bot.llm.provider import ChatCompletions, Provider
from memory.ports import Piece, Replied, Streamed, Unavailable
from tests.fakes.model_faults import FAULTS, PLANTED, SILENCE
from tests.fakes.openai_answers import DONE, Behaviour, Event, chunk, cut, encoded, events
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.prompts import reply_prompt

KEY = "sk-key-of-the-partner"
DEADLINE, GRACE = 0.8, 1.0


# One server and one client for all, since a client takes longer to make than a fault to happen.
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("quick_time"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def provider(server: OpenAIServer) -> AsyncIterator[Provider]:
    made = Provider(server.base_url, KEY)
    await made.open()
    yield made
    await made.close()


@pytest.fixture
def model(provider: Provider) -> ChatCompletions:
    pace = ServerPace(assumed_seconds=0, shortest_wait=SILENCE, shortest_silence=SILENCE)
    return ChatCompletions(provider, "big", pace=pace)


@pytest.mark.parametrize("way", ["complete", "stream"])
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_becomes_its_outcome_in_time_and_nothing_of_it_leaks(
    fault: str,
    way: str,
    server: OpenAIServer,
    model: ChatCompletions,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    behaviour, expected = FAULTS[fault]
    server.always(behaviour)

    async with asyncio.timeout(DEADLINE + GRACE):
        if way == "stream":
            seen: list[Streamed] = [event async for event in model.stream(reply_prompt())]
        else:
            seen = [await model.complete(reply_prompt())]

    assert seen[-1] == expected
    assert all(isinstance(event, Piece) for event in seen[:-1])
    assert PLANTED not in caplog.text + repr(seen)
    assert KEY not in caplog.text + repr(seen)


async def test_nobody_there_is_unavailable() -> None:
    async with OpenAIServer() as gone:
        provider = Provider(gone.base_url, KEY)

    outcome = await ChatCompletions(provider, "big").complete(reply_prompt())

    await provider.close()
    assert outcome == Unavailable("connection")


@pytest.mark.parametrize("way", [events, cut], ids=["ended", "reset"])
async def test_a_stream_cut_at_any_byte_is_never_taken_for_a_whole_answer(
    way: Callable[[bytes], Behaviour], server: OpenAIServer, model: ChatCompletions
) -> None:
    sent: list[Event] = [chunk("半句"), chunk(" half 🍜"), chunk(finish="stop"), DONE]
    whole = b"".join(encoded(event) for event in sent)
    finished = len(whole) - len(DONE)

    for length in range(0, len(whole) + 1, 5):
        server.next(way(whole[:length]))
        outcome = await model.complete(reply_prompt())

        assert isinstance(outcome, Replied) == (length >= finished), (length, outcome)
