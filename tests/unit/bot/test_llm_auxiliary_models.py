"""Vectors come whole and in order, or not at all."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.llm.auxiliary_models import OpenAIEmbedder, OpenAIImageReader
from bot.llm.pace import Precedence
from bot.llm.provider import Provider
from tests.fakes.openai_answers import Behaviour, document, error, hang, raw
from tests.fakes.openai_server import OpenAIServer, vector
from tests.fakes.waiting import until


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as running:
        yield running


@pytest.fixture
async def provider(server: OpenAIServer) -> AsyncIterator[Provider]:
    made = Provider(server.base_url)
    await made.open()
    yield made
    await made.close()


def entry(index: object, embedding: object) -> dict[str, object]:
    return {"index": index, "embedding": embedding}


async def test_vectors_come_in_the_order_of_the_texts_over_batches(
    server: OpenAIServer, provider: Provider
) -> None:
    texts = ["拉面", "ramen", "🍜", "", "مرحبا"]

    vectors = await OpenAIEmbedder(provider, "e", batch=2).embed(texts)

    assert vectors == [vector(text or " ") for text in texts]
    assert [len(asked.body["input"]) for asked in server.asked] == [2, 2, 1]


async def test_nothing_is_asked_for_nothing(server: OpenAIServer, provider: Provider) -> None:
    assert await OpenAIEmbedder(provider, "e").embed([]) == []
    assert server.asked == []


FAULTS: dict[str, Behaviour] = {
    "500": error(500, "…"),
    "401": error(401, "…"),
    "a web page": raw("<html>", "text/html"),
    "truncated": raw('{"data": [{"ind'),
    "null": document(None),
    "no data": document({"data": []}),
    "one too few": document({"data": [entry(0, [0.5])]}),
    "one too many": document({"data": [entry(i, [0.5]) for i in range(3)]}),
    "the same twice": document({"data": [entry(0, [0.5]), entry(0, [0.5])]}),
    "different lengths": document({"data": [entry(0, [0.5]), entry(1, [0.5, 0.5])]}),
    "no numbers": document({"data": [entry(0, ["a"]), entry(1, [None])]}),
    "not a number": raw('{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1}]}'),
    "empty vectors": document({"data": [entry(0, []), entry(1, [])]}),
    "wrong kinds": document({"data": [7, entry("0", {})]}),
    "no answer": hang(),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_anything_else_is_none_rather_than_wrong(
    fault: str, server: OpenAIServer, provider: Provider
) -> None:
    server.next(FAULTS[fault])
    embedder = OpenAIEmbedder(provider, "e", deadline_seconds=0.3)

    assert await embedder.embed(["一", "二"]) is None


async def test_half_of_the_batches_is_none(server: OpenAIServer, provider: Provider) -> None:
    server.next(document({"data": [entry(0, [0.5])]}), error(500, "…"))

    assert await OpenAIEmbedder(provider, "e", batch=1).embed(["一", "二"]) is None


async def test_a_picture_is_looked_at_while_nothing_else_takes_the_only_slot(
    server: OpenAIServer, provider: Provider
) -> None:
    precedence = Precedence(slots=1)
    reader = OpenAIImageReader(provider, "sees", precedence=precedence)
    server.next("两只猫。")

    async with precedence.background(gives_way=False):
        looking = asyncio.ensure_future(reader.describe(b"jpeg", "这是什么？"))
        await until(lambda: precedence.is_answering)
        asked = len(server.asked)

    assert await looking == "两只猫。"
    assert (asked, len(server.asked)) == (0, 1)
