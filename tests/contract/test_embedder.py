"""What every embedder promises, each implementation and the fake alike.

One vector per text, in order and of one length; the same text has the same vector; while the
service cannot answer the answer is None, and nothing is raised.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from math import isfinite

import pytest

from bot.llm.auxiliary_models import OpenAIEmbedder
from bot.llm.provider import Provider
from memory.ports import Embedder
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.openai_answers import error
from tests.fakes.openai_server import OpenAIServer

TEXTS = ("我家的猫叫团子", "I have an interview", "🍜", "", "مرحبا", "我家的猫叫团子")


@dataclass(frozen=True)
class Service:
    """An embedder under test, and how to take away what it stands on for one call."""

    embedder: Embedder
    fail_once: Callable[[], None]


def openai(server: OpenAIServer, provider: Provider, *, batch: int) -> Service:
    return Service(
        OpenAIEmbedder(provider, "vectors", batch=batch),
        lambda: server.next(error(503, "overloaded")),
    )


def fake() -> Service:
    embedder = FakeEmbedder()

    def fail_once() -> None:
        embedder.failures = 1

    return Service(embedder, fail_once)


SERVICES: dict[str, Callable[[OpenAIServer, Provider], Service]] = {
    "openai": lambda server, provider: openai(server, provider, batch=64),
    "openai in batches": lambda server, provider: openai(server, provider, batch=2),
    "fake": lambda server, provider: fake(),
}


@pytest.fixture(params=SERVICES)
async def service(request: pytest.FixtureRequest) -> AsyncIterator[Service]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(OpenAIServer())
        provider = Provider(server.base_url)
        stack.push_async_callback(provider.close)
        yield SERVICES[request.param](server, provider)


async def test_every_text_has_a_vector_and_all_are_of_one_length(service: Service) -> None:
    vectors = await service.embedder.embed(TEXTS)

    assert vectors is not None
    assert len(vectors) == len(TEXTS)
    assert len({len(vector) for vector in vectors}) == 1
    assert all(isfinite(number) for vector in vectors for number in vector)
    assert service.embedder.name


async def test_a_text_has_the_same_vector_wherever_it_stands(service: Service) -> None:
    together = await service.embedder.embed(TEXTS)
    alone = [await service.embedder.embed([text]) for text in TEXTS]

    assert together is not None
    assert alone == [[vector] for vector in together]
    assert together[0] == together[-1] != together[1]


async def test_nothing_has_no_vectors(service: Service) -> None:
    assert await service.embedder.embed([]) == []


async def test_a_service_that_is_away_is_none_and_then_answers_again(service: Service) -> None:
    service.fail_once()

    assert await service.embedder.embed(TEXTS[:2]) is None
    assert await service.embedder.embed(TEXTS[:2]) is not None
