"""When to ask again, whom, how long to wait, and when to leave a model in peace."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.resilient import OPENS_AFTER, REST_SECONDS, ResilientModel, RetryPolicy
from memory.ports import (
    Invalid,
    Outcome,
    Piece,
    Refused,
    Replied,
    StartAgain,
    Streamed,
    TooLong,
    Truncated,
    Unavailable,
)
from prompts import Prompt
from tests.fakes.prompts import reply_prompt
from tests.fakes.waiting import unless_it_hangs

OVERLOADED = Unavailable("overloaded")
BROKE: list[Streamed] = [Piece("半"), Piece("句"), Unavailable("connection")]


def saying(text: str) -> list[Streamed]:
    return [Piece(text), Replied(text)]


class Playing:
    """A model that plays back one list of events per call; the last one for ever."""

    def __init__(self, *plays: Iterable[Streamed] | Outcome, name: str = "playing") -> None:
        self.name = name
        self.calls = 0
        self._plays = [[*play] if isinstance(play, Iterable) else [play] for play in plays]

    async def complete(self, prompt: Prompt) -> Outcome:
        raise AssertionError("the wrapper streams")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self.calls += 1
        for event in self._plays[0] if len(self._plays) == 1 else self._plays.pop(0):
            yield event


class Stuck(Playing):
    """A model that hangs, and notes how it was let go."""

    cancelled = False

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        self.calls += 1
        yield Piece("嗯")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise


class Time:
    """A monotonic clock that sleeping moves on; ``slept`` holds the pauses."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


def resilient(
    primary: Playing,
    fallback: Playing | None = None,
    *,
    time: Time | None = None,
    patience: RetryPolicy | None = None,
) -> ResilientModel:
    time = time or Time()
    return ResilientModel(
        primary,
        fallback,
        chance=random.Random(7),
        policy=patience or RetryPolicy(),
        sleep=time.sleep,
        monotonic=time.monotonic,
    )


async def events_of(model: ResilientModel) -> list[Streamed]:
    return [event async for event in model.stream(reply_prompt())]


@pytest.mark.parametrize("reason", ["overloaded", "timeout", "connection", "server_error"])
async def test_what_may_pass_is_asked_again(reason: str) -> None:
    model = Playing(Unavailable(reason), Unavailable(reason), saying("好"))

    assert await events_of(resilient(model)) == saying("好")


async def test_three_attempts_are_all() -> None:
    model = Playing(OVERLOADED)

    assert await resilient(model).complete(reply_prompt()) == OVERLOADED
    assert model.calls == 3


@pytest.mark.parametrize(
    "final",
    [
        Refused(),
        TooLong(),
        Truncated("半句", at_limit=True),
        Unavailable("refused_key"),
        Unavailable("quota"),
        Unavailable("unknown_model"),
        Unavailable("budget"),
        Invalid("rejected"),
    ],
    ids=repr,
)
async def test_what_cannot_pass_is_not_asked_again(final: Outcome) -> None:
    model = Playing(final)

    assert await resilient(model).complete(reply_prompt()) == final
    assert model.calls == 1


async def test_what_is_no_answer_is_asked_again_once() -> None:
    model = Playing(Invalid("not_an_answer"))

    assert await resilient(model).complete(reply_prompt()) == Invalid("not_an_answer")
    assert model.calls == 2


async def test_an_answer_gone_wrong_once_does_not_end_the_patience_with_an_outage() -> None:
    model = Playing(Invalid("unreadable"), OVERLOADED, saying("好"))

    assert await resilient(model).complete(reply_prompt()) == Replied("好")


async def test_a_stream_that_broke_starts_again() -> None:
    model = Playing(BROKE, saying("整句"))

    assert await events_of(resilient(model)) == [*BROKE[:2], StartAgain(), *saying("整句")]


async def test_a_stream_that_just_ends_starts_again() -> None:
    model = Playing([Piece("半"), Truncated("半")], saying("整句"))

    assert await events_of(resilient(model)) == [Piece("半"), StartAgain(), *saying("整句")]


async def test_nothing_is_taken_back_when_nothing_was_shown() -> None:
    model = Playing(OVERLOADED, saying("好"))

    assert StartAgain() not in await events_of(resilient(model))


async def test_a_stream_starts_again_only_once_but_a_whole_answer_may_be_tried_thrice() -> None:
    streamed, asked = Playing(BROKE, BROKE, saying("好")), Playing(BROKE, BROKE, saying("好"))

    events = await events_of(resilient(streamed))
    outcome = await resilient(asked).complete(reply_prompt())

    assert events == [*BROKE[:2], StartAgain(), *BROKE]
    assert outcome == Replied("好")


async def test_pauses_grow_with_full_jitter() -> None:
    pauses = [(await slept(seed)) for seed in range(200)]

    assert {pause[0] for pause in pauses} == {0}
    assert 0.45 < max(pause[1] for pause in pauses) <= 0.5
    assert 0.9 < max(pause[2] for pause in pauses) <= 1.0
    assert min(pause[2] for pause in pauses) < 0.1


async def slept(seed: int) -> list[float]:
    time = Time()
    chance = random.Random(seed)
    model = ResilientModel(
        Playing(OVERLOADED), chance=chance, sleep=time.sleep, monotonic=time.monotonic
    )
    await model.complete(reply_prompt())
    return time.slept


async def test_a_pause_is_as_long_as_the_server_asks() -> None:
    time = Time()
    model = Playing(Unavailable("overloaded", retry_after=7.0), saying("好"))

    await resilient(model, time=time).complete(reply_prompt())

    assert time.slept == [0, 7.0]


@pytest.mark.parametrize("seconds", [60.0, 300.0])
async def test_a_pause_that_would_use_up_the_time_is_not_begun(seconds: float) -> None:
    time = Time()
    asked_too_much = Unavailable("overloaded", retry_after=seconds)
    model = Playing(asked_too_much, saying("好"))

    outcome = await resilient(model, time=time).complete(reply_prompt())

    assert outcome == asked_too_much
    assert time.seconds == 0


async def test_the_fallback_gets_the_last_attempt() -> None:
    primary, fallback = Playing(OVERLOADED), Playing(saying("备用"))

    assert await events_of(resilient(primary, fallback)) == saying("备用")
    assert (primary.calls, fallback.calls) == (2, 1)


@pytest.mark.parametrize(
    "failure",
    [
        Unavailable("refused_key"),
        Unavailable("timeout"),
        Unavailable("overloaded", retry_after=300.0),
    ],
    ids=["will not pass", "kept silent", "will take too long"],
)
async def test_the_fallback_is_asked_at_once_when_waiting_is_no_use(failure: Outcome) -> None:
    time = Time()
    primary, fallback = Playing(failure), Playing(saying("备用"))

    assert await events_of(resilient(primary, fallback, time=time)) == saying("备用")
    assert (primary.calls, time.seconds) == (1, 0)


@pytest.mark.parametrize("settled", [Refused(), TooLong(), Truncated("半", at_limit=True)])
async def test_the_fallback_is_spared_what_it_would_not_do_better(settled: Outcome) -> None:
    fallback = Playing(saying("备用"))

    assert await resilient(Playing(settled), fallback).complete(reply_prompt()) == settled
    assert fallback.calls == 0


async def test_a_model_without_deadlines_of_its_own_that_hangs_is_given_up() -> None:
    stuck, policy = Stuck(), RetryPolicy(total_seconds=0.1, silence_seconds=0.1)
    model = ResilientModel(stuck, chance=random.Random(1), policy=policy)

    async with unless_it_hangs():
        events = await events_of(model)

    assert events == [Piece("嗯"), Unavailable("timeout")]
    assert stuck.cancelled


async def test_cancelling_passes_through_to_the_model() -> None:
    stuck = Stuck()
    stream = ResilientModel(stuck, chance=random.Random(1)).stream(reply_prompt())
    await anext(stream)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await anext(stream)

    assert stuck.cancelled


async def test_an_outage_opens_the_circuit_and_then_costs_one_call_per_rest() -> None:
    time = Time()
    model = Playing(OVERLOADED)
    bot = resilient(model, time=time)
    while (await bot.complete(reply_prompt())) == OVERLOADED:
        pass
    assert model.calls <= 10
    before, start = model.calls, time.seconds

    for _ in range(5 * 60):  # five messages a second for a minute
        await bot.complete(reply_prompt())
        time.seconds += 0.2

    assert model.calls - before <= (time.seconds - start) / REST_SECONDS + 1


async def test_an_open_circuit_says_why_and_when_to_come_back() -> None:
    time = Time()
    model = Playing(Unavailable("refused_key"))
    bot = resilient(model, time=time)
    for _ in range(OPENS_AFTER):
        time.seconds += 2
        await bot.complete(reply_prompt())
    time.seconds += REST_SECONDS - 0.5

    outcome = await bot.complete(reply_prompt())

    assert outcome == Unavailable("refused_key", retry_after=0.5)
    assert model.calls == OPENS_AFTER


async def test_the_circuit_closes_within_15_seconds_of_recovery() -> None:
    time = Time()
    model = Playing(*[OVERLOADED] * OPENS_AFTER, saying("好"))
    bot = resilient(model, time=time)
    while model.calls < OPENS_AFTER:
        await bot.complete(reply_prompt())
    recovered = time.seconds

    while not isinstance(await bot.complete(reply_prompt()), Replied):
        time.seconds += 0.2

    assert time.seconds - recovered <= 15
    assert isinstance(await bot.complete(reply_prompt()), Replied)


async def test_while_the_circuit_is_open_the_fallback_answers_and_gets_every_attempt() -> None:
    time = Time()
    primary = Playing(Unavailable("refused_key"))
    fallback = Playing(*[saying("备用")] * OPENS_AFTER, OVERLOADED, saying("又好了"))
    bot = resilient(primary, fallback, time=time)
    for _ in range(OPENS_AFTER):
        await bot.complete(reply_prompt())

    assert await bot.complete(reply_prompt()) == Replied("又好了")
    assert primary.calls == OPENS_AFTER


@pytest.mark.parametrize(
    "harmless", [Unavailable("budget"), Invalid("rejected"), Refused(), TooLong()], ids=repr
)
async def test_what_is_not_the_models_fault_opens_no_circuit(harmless: Outcome) -> None:
    model = Playing(harmless)
    bot = resilient(model)

    for _ in range(2 * OPENS_AFTER):
        assert await bot.complete(reply_prompt()) == harmless

    assert model.calls == 2 * OPENS_AFTER


PLAYS = st.lists(
    st.tuples(
        st.lists(st.just(Piece("字")) | st.just(StartAgain()), max_size=3),
        st.sampled_from(
            [OVERLOADED, Unavailable("quota"), Invalid("empty"), Truncated(""), Refused(), None]
        ),
    ).map(lambda play: [*play[0], *([play[1]] if play[1] else [])])
    | st.just(saying("好")),
    min_size=1,
    max_size=6,
)


@given(PLAYS, PLAYS)
async def test_whatever_models_do_a_stream_keeps_its_promise(
    one: list[list[Streamed]], other: list[list[Streamed]]
) -> None:
    events = await events_of(resilient(Playing(*one), Playing(*other)))

    *before, outcome = events
    assert not isinstance(outcome, Piece | StartAgain)
    assert all(isinstance(event, Piece | StartAgain) for event in before)
    assert before.count(StartAgain()) <= 1
    if isinstance(outcome, Replied):
        shown = before[before.index(StartAgain()) + 1 :] if StartAgain() in before else before
        assert outcome.text == "".join(event.text for event in shown if isinstance(event, Piece))
