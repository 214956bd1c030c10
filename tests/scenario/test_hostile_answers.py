"""Whatever a platform or a model server answers, little memory is taken and nobody waits long."""

import tracemalloc
from importlib import import_module

import pytest
import pytest_asyncio

from bot.adapters.lark.sdk import load_sdk
from tests.fakes.hostile_asks import ASKERS
from tests.fakes.hostile_bodies import HOSTILE, MEGABYTE, packed_twice, serving_hostile

MOST = 60 * MEGABYTE


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _imported() -> None:
    """Import and pack before anything is measured: both take more than any answer may."""
    packed_twice()
    await load_sdk()
    import_module("bot.llm.openai_client")


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("body", HOSTILE)
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
