"""How long a server is waited for, and who is answered first."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.llm.pace import (
    LOCAL_SECONDS,
    LONGEST_WAIT,
    MOST_ASKED,
    MOST_PUT_OFF,
    SHORTEST_WAIT,
    AnswerWait,
    GivesWay,
    PartnerFirst,
    Precedence,
    ServerPace,
    is_local_address,
)
from memory.ports import Outcome, Piece, Replied, Streamed, Unavailable, Usage
from prompts import Prompt
from tests.fakes.prompts import reply_prompt
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")


def test_a_hosted_server_has_a_minute_and_a_slow_one_of_ones_own_has_longer() -> None:
    assert ServerPace().first_word_seconds(3_000) == SHORTEST_WAIT
    assert ServerPace(assumed_seconds=LOCAL_SECONDS).first_word_seconds(2_000) == 800.0


def test_the_wait_follows_what_was_measured() -> None:
    pace = ServerPace(assumed_seconds=LOCAL_SECONDS)
    pace.learn_first_word(1_000, 20.0)

    assert pace.seconds_per_prompt_token == pytest.approx(0.02)
    assert pace.first_word_seconds(2_000) == pytest.approx(160.0)
    assert pace.first_word_seconds(200_000) == LONGEST_WAIT


def test_one_quick_call_does_not_make_a_slow_server_quick() -> None:
    pace = ServerPace()
    pace.learn_first_word(1_000, 100.0)
    pace.learn_first_word(1_000, 1.0)

    assert pace.first_word_seconds(1_000) > 300


def test_patience_multiplies_every_wait() -> None:
    calm, hasty = ServerPace(patience=3.0), ServerPace()

    assert calm.first_word_seconds(10) == 3 * hasty.first_word_seconds(10)
    assert calm.silence_seconds() == 3 * hasty.silence_seconds()


def test_a_first_word_that_did_not_come_in_time_is_waited_for_longer_next_time() -> None:
    pace = ServerPace()
    before = pace.first_word_seconds(1_000)
    pace.learn_timeout(1_000)

    assert pace.first_word_seconds(1_000) == 2 * before


def test_after_the_first_word_only_silence_ends_an_answer() -> None:
    pace, spent = ServerPace(assumed_seconds=0, shortest_wait=10, shortest_silence=2), 0.0
    wait = AnswerWait(pace, 100, lambda: spent)
    for characters in range(1, 60):
        spent += 1
        wait.learn(characters, whole=False)
        wait.go_on(None)
        assert wait.seconds_left >= 2
    assert pace.pieces_per_second == pytest.approx(1.0, rel=0.1)

    spent += 1
    wait.learn(59, whole=False)  # a document without a word
    wait.go_on(None)
    assert wait.seconds_left < pace.silence_seconds()


def test_what_a_server_had_read_before_is_counted() -> None:
    pace = ServerPace()
    pace.learn_usage(Usage(prompt_tokens=100))
    assert (pace.cached_tokens, pace.prompt_tokens) == (None, 0)
    pace.learn_usage(Usage(prompt_tokens=100, cached_tokens=64))
    pace.learn_usage(Usage(prompt_tokens=50, cached_tokens=0))

    assert [pace.cached_tokens, pace.prompt_tokens] == [64, 150]


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:8080", True),
        ("http://192.168.1.7/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://[::1]:1/v1", True),
        ("http://nas.local/v1", True),
        ("https://api.deepseek.com", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_a_server_of_ones_own_is_known_by_its_address(address: str, *, local: bool) -> None:
    assert is_local_address(address) == local


class Slow:
    """A server that takes ``seconds`` for an answer and counts what it is asked."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = self.busy = self.most = self.given_up = 0

    async def complete(self, prompt: Prompt) -> Outcome:
        self.calls += 1
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        finally:
            self.busy -= 1
        return Replied("好")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        outcome = await self.complete(prompt)
        yield Piece("好")
        yield outcome


async def test_the_background_is_put_off_while_somebody_is_answered_and_resumes() -> None:
    server, precedence = Slow(0.1), Precedence(slots=1)
    judge, reply = GivesWay(server, precedence), PartnerFirst(server, precedence)
    loop = asyncio.get_running_loop()

    judging = loop.create_task(judge.complete(reply_prompt()))
    await until(lambda: server.busy)
    begun = loop.time()
    assert await reply.complete(reply_prompt()) == Replied("好")
    waited = loop.time() - begun

    assert waited <= 0.1 + 0.5
    assert (server.given_up, precedence.put_off) == (1, 1)
    assert await judging == Replied("好")
    assert server.most == 1


async def test_a_background_call_that_gave_way_often_enough_is_finished() -> None:
    server, precedence = Slow(0.1), Precedence(slots=1)
    judge, reply = GivesWay(server, precedence), PartnerFirst(server, precedence)
    judging = asyncio.get_running_loop().create_task(judge.complete(reply_prompt()))

    for _ in range(MOST_PUT_OFF + 3):
        await asyncio.sleep(0.01)
        await reply.complete(reply_prompt())

    assert judging.done()
    assert judging.result() == Replied("好")
    assert precedence.put_off == MOST_PUT_OFF
    assert server.most == 1


async def test_a_server_that_takes_several_calls_is_asked_both_at_once() -> None:
    async def four() -> int:
        return 4

    server, precedence = Slow(0.1), Precedence(four)
    judge, reply = GivesWay(server, precedence), PartnerFirst(server, precedence)

    await asyncio.gather(judge.complete(reply_prompt()), reply.complete(reply_prompt()))

    assert (server.most, server.given_up) == (2, 0)


async def test_two_who_write_at_once_are_answered_one_after_the_other_by_one_slot() -> None:
    async def one() -> int:
        return 1

    server = Slow(0.1)
    reply = PartnerFirst(server, Precedence(one))

    await asyncio.gather(reply.complete(reply_prompt()), reply.complete(reply_prompt()))

    assert (server.calls, server.most) == (2, 1)


async def test_a_server_that_was_still_loading_is_asked_for_its_slots_again() -> None:
    told = iter([None, 1])

    async def later() -> int | None:
        return next(told)

    precedence = Precedence(later)
    for _ in range(3):
        await PartnerFirst(Slow(0), precedence).complete(reply_prompt())

    assert precedence.slots == 1


async def test_a_server_that_never_says_is_not_asked_for_ever() -> None:
    asked = 0

    async def silent() -> None:
        nonlocal asked
        asked += 1

    precedence = Precedence(silent)
    for _ in range(9):
        await GivesWay(Slow(0), precedence).complete(reply_prompt())

    assert (asked, precedence.is_needed) == (MOST_ASKED, True)


async def test_a_call_that_fails_is_no_reason_to_hold_anybody_up() -> None:
    class Away(Slow):
        async def complete(self, prompt: Prompt) -> Outcome:
            return Unavailable("connection")

    precedence = Precedence(slots=1)
    reply = PartnerFirst(Away(0), precedence)

    assert await reply.complete(reply_prompt()) == Unavailable("connection")
    assert not precedence.is_answering
    assert await GivesWay(Slow(0.01), precedence).complete(reply_prompt()) == Replied("好")
