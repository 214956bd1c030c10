"""Whatever a platform or a model server answers, little memory is taken and nobody waits long."""

import tracemalloc
from importlib import import_module

import pytest
import pytest_asyncio

from bot.adapters.lark.sdk import load_sdk
from tests.fakes.cost import share
from tests.fakes.hostile_asks import ASKERS
from tests.fakes.hostile_bodies import (
    HOSTILE,
    MEGABYTE,
    many_keys,
    packed_twice,
    serving_hostile,
)

MOST = 60 * MEGABYTE
# Each body goes to one who asks, and whoever asks gets a sixth of the bodies.
TRIED = [
    (body, asker)
    for number, body in enumerate(HOSTILE)
    for asker in share(list(ASKERS), of=len(ASKERS), first=number % len(ASKERS))
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _imported() -> None:
    """Import and pack before anything is measured: both take more than any answer may."""
    packed_twice()
    many_keys()
    await load_sdk()
    import_module("bot.llm.openai_client")


@pytest.mark.hunted
@pytest.mark.parametrize(("body", "asker"), TRIED)
async def test_a_hostile_answer_takes_little_memory(body: str, asker: str) -> None:
    async with serving_hostile(HOSTILE[body]) as url:
        tracemalloc.start()
        try:
            answered = await ASKERS[asker](url)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert not answered or body == "a wide text"
    assert peak <= MOST
