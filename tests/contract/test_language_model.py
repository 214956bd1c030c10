"""What every language model promises, each implementation and the fake alike.

A stream ends with exactly one outcome; the pieces since the last "start again" are the text of
a reply; asking for the whole answer gives the same as streaming it; a failure is never raised.
"""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest

from bot.llm.provider import ChatCompletions, Provider
from bot.llm.resilient import ResilientModel
from bot.llm.tokens import DailyLimit, InMemoryTokenLedger, MeteredModel, TokenCounter
from memory.offline import OfflineModel
from memory.ports import (
    Invalid,
    LanguageModel,
    Outcome,
    Piece,
    Refused,
    Replied,
    StartAgain,
    TooLong,
    Truncated,
    Unavailable,
)
from prompts import (
    Compress,
    Consolidate,
    Monitor,
    Prompt,
    PromptLine,
    PromptMemory,
    Review,
    Summarize,
)
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.model import ScriptedModel
from tests.fakes.openai_server import OpenAIServer, Personality, echo, garbage, silent
from tests.fakes.prompts import reply_prompt

LINES = (
    PromptLine(role="user", speaker="主人", at=NOON, text="我明天面试，有点紧张 😖"),
    PromptLine(role="assistant", speaker="小祥", at=NOON, text="加油呀"),
    PromptLine(role="user", speaker="主人", at=NOON, text="记住 I like ramen"),
)
KNOWN = PromptMemory(handle="m1", text="主人喜欢拉面", when=NOON)
PROMPTS: dict[str, Prompt] = {
    "reply": reply_prompt("我叫阿明，今天吃什么？"),
    "monitor": Monitor(language="zh", partner="主人", now=NOON, turn=LINES, memories=(KNOWN,)),
    "summarize": Summarize(language="en", partner="主人", now=NOON, lines=LINES),
    "review": Review(language="zh", partner="主人", now=NOON, task="promotion", memory=KNOWN),
    "compress": Compress(
        language="zh", text="主人很喜欢拉面", phrase="拉面", keywords=("拉面",), characters="5"
    ),
    "consolidate": Consolidate(language="en", partner="主人", now=NOON, lines=LINES),
}


@dataclass(frozen=True)
class Room:
    """What an implementation under test is made from."""

    server: OpenAIServer
    provider: Provider

    def chat(self) -> ChatCompletions:
        return ChatCompletions(self.provider, "big")

    def metered(self) -> MeteredModel:
        return metered(self.chat())

    def resilient(self) -> ResilientModel:
        return resilient(self.metered())


def metered(model: LanguageModel) -> MeteredModel:
    limit = DailyLimit(10**6, InMemoryTokenLedger(), FakeClock(), ZoneInfo("Asia/Shanghai"))
    return MeteredModel(model, limit, TokenCounter())


def resilient(model: LanguageModel) -> ResilientModel:
    return ResilientModel(model, chance=random.Random(3))


MODELS: dict[str, Callable[[Room], LanguageModel]] = {
    "chat completions": Room.chat,
    "metered": Room.metered,
    "resilient": Room.resilient,
    "offline": lambda room: OfflineModel(),
    "scripted": lambda room: ScriptedModel(["好的，主人"] * 2),
}
SERVERS: dict[str, Callable[[], Personality]] = {
    "echoing": lambda: echo,
    "silent": lambda: silent,
    "garbling": lambda: garbage(random.Random(5)),
}
FAILURES: list[Outcome] = [
    Refused(),
    TooLong(),
    Truncated("半句", at_limit=True),
    Unavailable("quota"),
    Invalid("rejected"),
]


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(OpenAIServer())
        provider = Provider(server.base_url)
        stack.push_async_callback(provider.close)
        yield Room(server, provider)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("prompt", PROMPTS)
async def test_a_stream_is_pieces_and_then_one_outcome_and_the_whole_agrees(
    model: str, prompt: str, room: Room
) -> None:
    asked = MODELS[model](room)

    *said, outcome = [event async for event in asked.stream(PROMPTS[prompt])]
    whole = await asked.complete(PROMPTS[prompt])

    assert asked.name
    assert not isinstance(outcome, Piece | StartAgain)
    assert all(isinstance(event, Piece | StartAgain) for event in said)
    assert isinstance(outcome, Replied)
    assert outcome.text == since_last_start(said) != ""
    assert isinstance(whole, Replied)
    assert whole.text == outcome.text


@pytest.mark.parametrize("wrapped", [None, metered, resilient])
@pytest.mark.parametrize("failure", FAILURES, ids=repr)
async def test_a_failure_is_the_outcome_and_never_raised(
    failure: Outcome, wrapped: Callable[[LanguageModel], LanguageModel] | None
) -> None:
    model: LanguageModel = ScriptedModel([failure, failure])
    if wrapped:
        model = wrapped(model)

    assert [event async for event in model.stream(reply_prompt())] == [failure]
    assert await model.complete(reply_prompt()) == failure


@pytest.mark.parametrize("personality", SERVERS)
@pytest.mark.parametrize("model", ["chat completions", "metered", "resilient"])
async def test_whatever_a_server_says_the_promise_holds(
    model: str, personality: str, room: Room
) -> None:
    room.server.personality = SERVERS[personality]()
    asked = MODELS[model](room)

    for _ in range(5):
        *said, outcome = [event async for event in asked.stream(reply_prompt())]

        assert all(isinstance(event, Piece | StartAgain) for event in said)
        assert isinstance(outcome, Outcome)
        if isinstance(outcome, Replied):
            assert outcome.text == since_last_start(said)


def since_last_start(said: Sequence[object]) -> str:
    text = ""
    for event in said:
        text = text + event.text if isinstance(event, Piece) else ""
    return text
