"""Every way a server was seen to fail, against a real one on loopback, asked in both ways."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from bot.llm.pace import ServerPace
from bot.llm.provider import ChatCompletions, Provider
from memory.ports import (
    Invalid,
    Outcome,
    Piece,
    Refused,
    Replied,
    Streamed,
    TooLong,
    Truncated,
    Unavailable,
)
from tests.fakes.openai_answers import (
    DONE,
    Behaviour,
    Event,
    chunk,
    completion,
    cut,
    document,
    drip,
    encoded,
    error,
    events,
    hang,
    huge,
    raw,
    stall,
    trickle,
)
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.prompts import reply_prompt

PLANTED = "sk-planted-8f3a"
KEY = "sk-key-of-the-partner"
SILENCE, DEADLINE, GRACE = 0.3, 0.8, 1.0
LARGEST = 200_000
LONGEST = 300
HALF = (chunk("半"), chunk("句"))

FAULTS: dict[str, tuple[Behaviour, Outcome]] = {
    "500": (error(500, PLANTED), Unavailable("server_error")),
    "502 with a web page": (
        raw(f"<html>{PLANTED}</html>", "text/html", 502),
        Unavailable("server_error"),
    ),
    "503": (error(503, PLANTED), Unavailable("overloaded")),
    "429": (error(429, PLANTED), Unavailable("overloaded")),
    "429 with seconds to wait": (
        error(429, PLANTED, retry_after="7"),
        Unavailable("overloaded", retry_after=7.0),
    ),
    "429 with milliseconds to wait": (
        error(429, PLANTED, retry_after_ms="1500"),
        Unavailable("overloaded", retry_after=1.5),
    ),
    "429 without money": (error(429, PLANTED, "insufficient_quota"), Unavailable("quota")),
    "401": (error(401, f"Incorrect API key {PLANTED}"), Unavailable("refused_key")),
    "403": (error(403, PLANTED), Unavailable("refused_key")),
    "404 of a model": (
        error(404, f"The model {PLANTED} does not exist", "model_not_found"),
        Unavailable("unknown_model"),
    ),
    "404 of an address": (raw(PLANTED, "text/html", 404), Unavailable("unknown_address")),
    "a redirect": (raw(PLANTED, "text/html", 302), Unavailable("unknown_address")),
    "400 context length": (
        error(400, f"maximum context length is 8192 {PLANTED}", "context_length_exceeded"),
        TooLong(),
    ),
    "413": (error(413, PLANTED), TooLong()),
    "400 content filter": (error(400, PLANTED, "content_filter"), Refused()),
    "200 with a web page": (raw(f"<html>{PLANTED}</html>", "text/html"), Invalid("not_an_answer")),
    "200 with nothing": (raw("", "text/event-stream"), Invalid("not_an_answer")),
    "truncated JSON": (raw('{"choices": [{"message": {"conte'), Invalid("unreadable")),
    "JSON too deep": (raw("[" * 100_000), Invalid("unreadable")),
    "a number too long": (raw("1" * 5_000), Invalid("unreadable")),
    "null": (document(None), Invalid("no_choices")),
    "no choices": (document({"choices": []}), Invalid("no_choices")),
    "choices null": (document({"choices": None}), Invalid("no_choices")),
    "choices of the wrong kind": (document({"choices": [7]}), Invalid("no_choices")),
    "an error with 200": (
        document({"error": {"message": PLANTED}}),
        Unavailable("server_error"),
    ),
    "a relayed status with 200": (
        document({"error": {"message": PLANTED, "code": 429}}),
        Unavailable("overloaded"),
    ),
    "an error text with 200": (document({"error": PLANTED}), Unavailable("server_error")),
    "content null": (document(completion(None)), Invalid("empty")),
    "content blank": (document(completion(" \n")), Invalid("empty")),
    "content of the wrong kind": (document(completion({"a": PLANTED})), Invalid("empty")),
    "a refusal": (document(completion(None, refusal=PLANTED)), Refused()),
    "a filter": (document(completion("", "content_filter")), Refused()),
    "the length limit": (document(completion("半句", "length")), Truncated("半句", at_limit=True)),
    "no choices in the stream": (events({"choices": []}, DONE), Invalid("no_choices")),
    "nothing in the stream": (events(chunk(finish="stop"), DONE), Invalid("empty")),
    "a refusal in the stream": (
        events(chunk(refusal=PLANTED), chunk(finish="stop"), DONE),
        Refused(),
    ),
    "a filter in the stream": (events(*HALF, chunk(finish="content_filter")), Refused()),
    "the length limit in the stream": (
        events(*HALF, chunk(finish="length"), DONE),
        Truncated("半句", at_limit=True),
    ),
    "only thoughts until the limit": (
        events(chunk("<think>半句"), chunk(finish="length")),
        Truncated("", at_limit=True),
    ),
    "only thoughts": (
        events(chunk(reasoning_content=PLANTED), chunk(finish="stop"), DONE),
        Invalid("only_thoughts"),
    ),
    "the call of a tool": (
        events(
            chunk(tool_calls=[{"function": {"name": "remember", "arguments": PLANTED}}]),
            chunk(finish="tool_calls"),
            DONE,
        ),
        Invalid("tool_call"),
    ),
    "no finish reason": (events(*HALF, DONE), Truncated("半句")),
    "a silent end": (events(*HALF), Truncated("半句")),
    "an end within a character": (
        events(*HALF, encoded(chunk("话")).split("话".encode())[0] + "话".encode()[:2]),
        Unavailable("connection"),
    ),
    "an error event": (
        events(*HALF, {"error": {"message": PLANTED}}),
        Unavailable("server_error"),
    ),
    "an overload event": (
        events(*HALF, {"error": {"message": PLANTED, "code": "rate_limit_exceeded"}}),
        Unavailable("overloaded"),
    ),
    "a broken event": (events(*HALF, b'data: {"choi\n\n'), Invalid("unreadable")),
    "a reset before the stream": (cut(), Unavailable("connection")),
    "a reset in the stream": (cut(*HALF), Unavailable("connection")),
    "a stall before the stream": (stall(), Unavailable("timeout")),
    "a stall in the stream": (stall(*HALF), Unavailable("timeout")),
    "a drip without end": (drip(0.001), Truncated("滴" * LONGEST, at_limit=True)),
    "nothing, again and again": (
        trickle({"choices": []}, every=0.05),
        Unavailable("timeout"),
    ),
    "no answer": (hang(), Unavailable("timeout")),
    "a line without end": (huge(2 * LARGEST), Invalid("too_large")),
    "a body without end": (huge(2 * LARGEST, "application/json"), Invalid("too_large")),
}


# One server and one client for all, since a client takes longer to make than a fault to happen.
pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("bot.llm.openai_client.LARGEST_BODY", LARGEST)
    monkeypatch.setattr("bot.llm.provider.LONGEST_ANSWER", LONGEST - 1)
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
