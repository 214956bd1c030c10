"""How a model of a compatible server is asked, and how it is let go."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from bot.llm.pace import ServerPace
from bot.llm.provider import ChatCompletions, Provider
from bot.llm.tokens import TokenCounter
from memory.errors import InputRefused
from memory.ports import Invalid, Piece, Replied, Truncated, Unavailable, Usage
from tests.fakes.openai_answers import (
    DONE,
    chunk,
    completion,
    cut,
    document,
    drip,
    error,
    events,
    stall,
    usage,
)
from tests.fakes.openai_server import OpenAIServer, echo, serving
from tests.fakes.prompts import reply_prompt
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

KEY = "sk-key"
BILLED = Usage(prompt_tokens=40, completion_tokens=10)


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def provider(server: OpenAIServer) -> AsyncIterator[Provider]:
    made = Provider(server.base_url, KEY)
    yield made
    await made.close()


async def test_the_prompt_arrives_as_it_is_and_the_answer_comes_back_with_its_bill(
    server: OpenAIServer, provider: Provider
) -> None:
    model = ChatCompletions(provider, "big")
    server.next("今天吃 ramen 🍜")

    outcome = await model.complete(reply_prompt("吃什么？"))

    assert outcome == Replied("今天吃 ramen 🍜", model="big", usage=BILLED)
    sent = [(message["role"], message["content"]) for message in server.asked[0].messages]
    assert sent == list(reply_prompt("吃什么？").messages())
    assert server.asked[0].model == "big"
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"


async def test_pieces_come_as_they_are_said(server: OpenAIServer, provider: Provider) -> None:
    server.next(stall(chunk("先"), chunk("说")))
    stream = ChatCompletions(provider, "big").stream(reply_prompt())

    first = [await anext(stream), await anext(stream)]

    await stream.aclose()
    assert first == [Piece("先"), Piece("说")]


async def test_a_server_that_knows_no_bills_is_asked_without_from_then_on(
    server: OpenAIServer, provider: Provider
) -> None:
    model = ChatCompletions(provider, "big")
    server.next(error(400, "Unrecognized request argument: stream_options"), "好", "再见")

    first, second = await model.complete(reply_prompt()), await model.complete(reply_prompt())

    assert [first, second] == [Replied("好", model="big"), Replied("再见", model="big")]
    assert ["stream_options" in asked.body for asked in server.asked] == [True, False, False]


async def test_a_server_that_took_one_request_is_not_asked_twice_when_it_rejects_another(
    server: OpenAIServer, provider: Provider
) -> None:
    model = ChatCompletions(provider, "big")
    server.next("好", error(400, "no"))
    await model.complete(reply_prompt())

    outcome = await model.complete(reply_prompt())

    assert outcome == Invalid("rejected")
    assert len(server.asked) == 2


async def test_a_server_that_does_not_stream_is_understood(
    server: OpenAIServer, provider: Provider
) -> None:
    server.next(document(completion("整段", finish=None)))

    seen = [event async for event in ChatCompletions(provider, "big").stream(reply_prompt())]

    assert seen == [Piece("整段"), Replied("整段", model="big", usage=BILLED)]


@pytest.mark.parametrize("gone", [cut, stall], ids=["reset", "stalled"])
async def test_after_the_last_word_nothing_can_spoil_the_answer(
    gone: type, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.llm.provider.BILL_SECONDS", 0.05)
    provider = Provider(server.base_url)
    server.next(gone(chunk("说完了"), chunk(finish="stop")))

    outcome = await ChatCompletions(provider, "big").complete(reply_prompt())

    await provider.close()
    assert outcome == Replied("说完了", model="big")


async def test_thoughts_are_not_part_of_the_answer(
    server: OpenAIServer, provider: Provider
) -> None:
    server.next(
        events(
            chunk(reasoning_content="她在问天气"),
            chunk("<thi"),
            chunk("nk>天气？</think>\n\n"),
            chunk("晴天"),
            chunk(finish="stop"),
            {"choices": [], "usage": usage()},
            DONE,
        )
    )

    seen = [event async for event in ChatCompletions(provider, "big").stream(reply_prompt())]

    assert seen == [Piece("晴天"), Replied("晴天", model="big", usage=BILLED)]


async def test_what_only_looked_like_a_thought_comes_at_the_end(
    server: OpenAIServer, provider: Provider
) -> None:
    server.next(events(chunk("<th"), chunk(finish="stop"), DONE))

    seen = [event async for event in ChatCompletions(provider, "big").stream(reply_prompt())]

    assert seen == [Piece("<th"), Replied("<th", model="big")]


async def test_the_deadline_strikes_the_model_and_never_its_reader(
    server: OpenAIServer, provider: Provider
) -> None:
    await provider.open()
    pace = ServerPace(assumed_seconds=0, shortest_wait=0.5, shortest_silence=0.5)
    model = ChatCompletions(provider, "big", pace=pace)
    server.next(events(chunk("一"), chunk("二"), pause=0.05))
    reading = model.stream(reply_prompt())

    first = await anext(reading)
    await asyncio.sleep(0.55)  # no limit may strike here, outside the model
    rest = [event async for event in reading]

    assert first == Piece("一")
    assert isinstance(rest[-1], Truncated | Unavailable)  # and not an error at the sleep


@pytest.mark.parametrize("way", ["complete", "stream"])
async def test_a_cancelled_call_hangs_up_at_once(
    way: str, server: OpenAIServer, provider: Provider
) -> None:
    server.next(drip(0.01))
    model = ChatCompletions(provider, "big")

    async def listen() -> None:
        if way == "complete":
            await model.complete(reply_prompt())
        async for _ in model.stream(reply_prompt()):
            pass

    call = asyncio.get_running_loop().create_task(listen())
    await until(lambda: server.asked)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    await until(lambda: server.disconnects)


async def test_a_stream_given_up_hangs_up(server: OpenAIServer, provider: Provider) -> None:
    server.next(drip(0.01))
    stream = ChatCompletions(provider, "big").stream(reply_prompt())
    await anext(stream)

    await stream.aclose()

    await until(lambda: server.disconnects)


async def test_the_counter_learns_from_the_bill(server: OpenAIServer, provider: Provider) -> None:
    tokens = TokenCounter()
    estimate = tokens.count_messages(reply_prompt().messages())

    await ChatCompletions(provider, "big", tokens=tokens).complete(reply_prompt())

    assert estimate > 40
    assert tokens.count_messages(reply_prompt().messages()) < estimate


async def test_models_of_one_provider_share_its_connection(
    server: OpenAIServer, provider: Provider
) -> None:
    big, small = ChatCompletions(provider, "big"), ChatCompletions(provider, "small")

    wires = {id(wire) for wire in await asyncio.gather(*(provider.open() for _ in range(5)))}
    await big.complete(reply_prompt())
    await small.complete(reply_prompt())

    assert len(wires) == 1
    assert [asked.model for asked in server.asked] == ["big", "small"]


async def test_nothing_of_the_environment_reaches_the_server(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = "planted-in-the-environment"
    for name in ("OPENAI_ADMIN_KEY", "OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, planted)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    provider = Provider(server.base_url)

    await ChatCompletions(provider, "big").complete(reply_prompt())

    await provider.close()
    assert planted not in repr(server.asked[0].headers)


async def test_what_the_partner_said_is_not_carried_to_where_a_redirect_points(
    server: OpenAIServer, provider: Provider
) -> None:
    async with OpenAIServer() as elsewhere:
        target = f"{elsewhere.base_url}/chat/completions"
        server.next(document({}, status=307, Location=target))

        await ChatCompletions(provider, "big").complete(reply_prompt())

        assert elsewhere.asked == []


@pytest.mark.parametrize("url", ["api.example.com/v1", "ftp://host", "http://", "https://a b"])
def test_an_address_that_cannot_work_is_refused_at_once(url: str) -> None:
    with pytest.raises(InputRefused, match="address"):
        Provider(url)


@pytest.mark.parametrize("key", ["sk-你好", "sk-a b", "sk-a\n"])
def test_a_key_that_cannot_work_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        Provider("https://host/v1", key)

    assert key not in str(refusal.value)


def test_the_openai_package_is_not_loaded_before_it_is_needed() -> None:
    script = (
        "import sys, bot.llm.provider, bot.llm.resilient, bot.llm.auxiliary_models;"
        "from bot.llm.provider import Provider; Provider('http://host/v1');"
        "print('openai' in sys.modules, 'httpx2' in sys.modules)"
    )

    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )

    assert said.stdout.split() == ["False", "False"]


async def test_the_fake_server_can_run_on_its_own_thread() -> None:
    with serving(OpenAIServer(echo)) as server:
        provider = Provider(server.base_url)

        outcome = await ChatCompletions(provider, "big").complete(reply_prompt("在吗"))

        await provider.close()
    assert isinstance(outcome, Replied)
    assert "在吗" in outcome.text


async def test_an_answer_without_end_is_ended_and_told_once() -> None:
    with serving(OpenAIServer(lambda _: "火锅好啊。" * 10_000)) as server:
        provider = Provider(server.base_url)

        events = [e async for e in ChatCompletions(provider, "big").stream(reply_prompt("饿了"))]

        await provider.close()
    *pieces, outcome = events
    assert outcome == Truncated("火锅好啊。", at_limit=True, endless=True)
    assert sum(len(each.text) for each in pieces if isinstance(each, Piece)) < 200


async def test_who_wants_a_line_a_hundred_times_gets_it() -> None:
    lines = "我错了。" * 100
    with serving(OpenAIServer(lambda _: lines)) as server:
        provider = Provider(server.base_url)

        outcome = await ChatCompletions(provider, "big").complete(reply_prompt("写一百遍我错了"))

        await provider.close()
    assert isinstance(outcome, Replied)
    assert outcome.text == lines
