"""Every fault of a server at every place that asks a model: nothing lost, shown or made up."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.llm.provider import Provider
from tests.fakes.cost import share
from tests.fakes.model_faults import Place, Trial, trials, tried
from tests.fakes.openai_server import OpenAIServer

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("quick_time"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    """One server and one client for all: a client takes longer to make than a fault to happen."""
    async with OpenAIServer() as server:
        provider = Provider(server.base_url, "sk-key-of-the-partner")
        await provider.open()
        yield Place(server, provider, Path(tmp_path_factory.mktemp("faults")))
        await provider.close()


PLACES: dict[str, list[str]] = {}
for _where, _fault in trials():
    PLACES.setdefault(_fault, []).append(_where)
# Every fault at one place, and so some at every place. `benchmarks.model_faults` tries them all.
ONCE = [
    (places[number // 2 % len(places)], fault)
    for number, (fault, places) in enumerate(PLACES.items())
]
# What each fault becomes is tried where the server is asked: tests/unit/bot/test_llm_provider….
TRIED = share(ONCE, of=2)


async def test_what_is_tried_is_met_at_every_place() -> None:
    assert {where for where, _ in TRIED} == {where for where, _ in trials()}


@pytest.mark.hunted
@pytest.mark.parametrize(("where", "fault"), TRIED)
async def test_a_fault_costs_the_partner_no_word_and_memory_no_fact(
    where: str, fault: str, place: Place
) -> None:
    assert await tried(where, fault, place) == Trial()
