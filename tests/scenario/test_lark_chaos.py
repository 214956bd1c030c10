"""Lark may answer anything, at any time: nothing is lost and nothing is said twice."""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.fakes.faults import Fault, answers, half, late, page, reset
from tests.fakes.kills import MARK
from tests.fakes.lark_app import ROUTES
from tests.fakes.lark_faults import flooded, refused
from tests.fakes.lark_kills import muse
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import hook, on_lark
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.waiting import until

pytestmark = pytest.mark.usefixtures("quick_time")

PEOPLE = tuple(f"ou_{n:032x}" for n in range(4))
ROUNDS = 8
INSTEAD: tuple[Fault, ...] = (
    page(502),
    reset,
    half,
    late(0.2),
    flooded(1),
    flooded(2, status=400),
    answers(b"{}"),
    answers(b"[]"),
    refused(99991663, "the token is over"),
    refused(230049, "it is being sent"),
    refused(1, status=500),
)
"""The platform does nothing of what was asked, and answers so."""

AFTERWARDS: tuple[Fault, ...] = (reset, page(502), half)
"""The platform does it, and the answer is lost."""


def disturb(platform: LarkPlatform, chance: Random) -> None:
    for name in chance.sample(sorted(ROUTES.keys() - {"ws"}), 4):
        if chance.random() < 0.5:
            platform.next(name, chance.choice(INSTEAD))
        else:
            platform.then(name, chance.choice(AFTERWARDS))
    if chance.random() < 0.3:
        platform.cut()
    if chance.random() < 0.2:
        platform.revoke()


def told(platform: LarkPlatform) -> Counter[str]:
    """Return how often each message is answered on people's screens."""
    texts = [text for each in PEOPLE for text in platform.texts(platform.private(each))]
    return Counter(mark for text in texts for mark in MARK.findall(text))


@pytest.mark.parametrize(("webhook", "streaming"), [(False, True), (True, False)])
async def test_whatever_lark_answers_everybody_is_answered_once(
    tmp_path: Path, *, webhook: bool, streaming: bool
) -> None:
    chance = Random(11)
    allowed = ",".join(f"lark:{each}" for each in PEOPLE)
    async with LarkPlatform() as platform, OpenAIServer() as model:
        model.always(muse)
        platform.pushes.ladder = (0.2,) * 1_000
        platform.interface.each_second = 5
        for number, each in enumerate(PEOPLE):
            platform.person(each, f"人{number}")
        async with on_lark(
            tmp_path,
            platform,
            model=model,
            allowed=allowed,
            streaming=streaming,
            webhook=hook() if webhook else None,
            call_seconds=1.0,
        ) as she:
            for number in range(ROUNDS):
                disturb(platform, chance)
                platform.say(f"m-{2 * number}", person=chance.choice(PEOPLE))
                platform.say(f"m-{2 * number + 1}", person=chance.choice(PEOPLE))
                await asyncio.sleep(0.3 * chance.random())
            platform.calm()
            await until(lambda: len(told(platform)) == 2 * ROUNDS)
            await she.settled()

    assert set(told(platform).values()) == {1}
    assert not any(e.streaming for each in PEOPLE for e in platform.shown(platform.private(each)))
