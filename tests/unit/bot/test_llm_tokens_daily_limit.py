"""What a day may cost, over restarts, midnights and many calls at once."""

import asyncio
from collections.abc import AsyncIterator
from zoneinfo import ZoneInfo

import pytest

from bot.llm.tokens import DailyLimit, InMemoryTokenLedger, MeteredModel, TokenCounter
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
    Usage,
)
from prompts import Prompt
from tests.fakes.clock import FakeClock
from tests.fakes.model import ScriptedModel
from tests.fakes.prompts import reply_prompt

SHANGHAI = ZoneInfo("Asia/Shanghai")
TOKENS = TokenCounter()
ASKED = TOKENS.count_messages(reply_prompt().messages())
OVER = Unavailable("budget")


def a_limit(
    tokens: int, ledger: InMemoryTokenLedger | None = None, clock: FakeClock | None = None
) -> DailyLimit:
    return DailyLimit(tokens, ledger or InMemoryTokenLedger(), clock or FakeClock(), SHANGHAI)


def answering(count: int, cost: int) -> ScriptedModel:
    usage = Usage(prompt_tokens=cost - 10, completion_tokens=10)
    return ScriptedModel([Replied("好", usage=usage)] * count)


@pytest.mark.parametrize("way", ["complete", "stream"])
async def test_beyond_the_limit_the_model_is_not_asked(way: str) -> None:
    model = answering(2, cost=ASKED + 50)
    metered = MeteredModel(model, a_limit(2 * ASKED + 49), TOKENS)

    outcomes: list[Streamed] = []
    for _ in range(3):
        if way == "complete":
            outcomes.append(await metered.complete(reply_prompt()))
        else:
            outcomes.append([event async for event in metered.stream(reply_prompt())][-1])

    assert [type(outcome) for outcome in outcomes] == [Replied, Unavailable, Unavailable]
    assert outcomes[-1] == OVER
    assert len(model.asked) == 1


async def test_without_a_limit_everything_is_counted_and_nothing_refused() -> None:
    ledger, clock = InMemoryTokenLedger(), FakeClock()
    metered = MeteredModel(answering(3, cost=500), a_limit(0, ledger, clock), TOKENS)

    outcomes = [await metered.complete(reply_prompt()) for _ in range(3)]

    assert all(isinstance(each, Replied) for each in outcomes)
    assert await ledger.spent(clock.now().astimezone(SHANGHAI).date()) == 1_500


async def test_the_events_of_the_model_pass_unchanged() -> None:
    metered = MeteredModel(ScriptedModel(["你好"]), a_limit(100_000), TOKENS)

    events = [event async for event in metered.stream(reply_prompt())]

    assert events == [Piece("你"), Piece("好"), Replied("你好", model="scripted")]


async def test_a_restart_does_not_lift_the_limit() -> None:
    ledger = InMemoryTokenLedger()
    limit = ASKED + 60
    await MeteredModel(answering(1, cost=ASKED), a_limit(limit, ledger), TOKENS).complete(
        reply_prompt()
    )

    again = MeteredModel(answering(1, cost=ASKED), a_limit(limit, ledger), TOKENS)

    assert await again.complete(reply_prompt()) == OVER


async def test_the_day_ends_at_the_local_midnight() -> None:
    clock = FakeClock()  # noon in London, eight in the evening in Shanghai
    metered = MeteredModel(answering(2, cost=ASKED), a_limit(ASKED + 9, clock=clock), TOKENS)
    await metered.complete(reply_prompt())

    clock.tick(hours=3, minutes=59)
    before = await metered.complete(reply_prompt())
    clock.tick(minutes=1)
    after = await metered.complete(reply_prompt())

    assert before == OVER
    assert isinstance(after, Replied)


@pytest.mark.parametrize(
    ("outcome", "cost"),
    [
        (Replied("好好好", usage=Usage(prompt_tokens=7, completion_tokens=2)), 9),
        (Replied("好好好"), ASKED + 3),
        (Truncated("好"), ASKED),
        (Refused(), ASKED),
        (Invalid("empty"), ASKED),
        (Unavailable("overloaded"), 0),
        (TooLong(), 0),
    ],
    ids=repr,
)
async def test_a_call_costs_its_bill_or_else_the_estimate(outcome: Outcome, cost: int) -> None:
    limit = a_limit(100_000)

    await MeteredModel(ScriptedModel([outcome]), limit, TOKENS).complete(reply_prompt())

    assert await limit.left() == 100_000 - cost


async def test_what_came_before_a_cancellation_is_paid_for() -> None:
    limit = a_limit(100_000)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await MeteredModel(Lingering(), limit, TOKENS).complete(reply_prompt())

    assert await limit.left() == 100_000 - ASKED - 2


async def test_many_calls_at_once_pass_the_limit_by_their_answers_at_most() -> None:
    model = Hesitant(answering(20, cost=ASKED + 100))
    limit = a_limit(3 * ASKED)
    metered = MeteredModel(model, limit, TOKENS)

    outcomes = await asyncio.gather(*(metered.complete(reply_prompt()) for _ in range(20)))

    assert sum(isinstance(outcome, Replied) for outcome in outcomes) == 3
    assert await limit.left() == -3 * 100


async def test_the_last_token_may_be_spent() -> None:
    metered = MeteredModel(answering(1, cost=ASKED), a_limit(ASKED), TOKENS)

    assert isinstance(await metered.complete(reply_prompt()), Replied)


class Hesitant:
    """A model that lets others go first before it answers."""

    name = "hesitant"

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    async def complete(self, prompt: Prompt) -> Outcome:
        raise AssertionError("the wrapper streams")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        await asyncio.sleep(0)
        async for event in self._model.stream(prompt):
            yield event


class Lingering:
    """A model that says two characters and then nothing."""

    name = "lingering"

    async def complete(self, prompt: Prompt) -> Outcome:
        raise AssertionError("the wrapper streams")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        yield Piece("你好")
        await asyncio.Event().wait()
