"""Vectors for texts, from any server with OpenAI's embeddings interface."""

import logging
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final, cast

from bot.llm.answers import ServerDocument
from bot.llm.provider import Provider
from bot.llm.waiting import closing, next_within

EMBEDDINGS_PATH: Final = "/embeddings"
BATCH: Final = 64
EMBEDDING_SECONDS: Final = 30.0

Vector = list[float]

log = logging.getLogger(__name__)


class OpenAIEmbedder:
    """One embedding model of one server; asked for ``batch`` texts at a time.

    A batch takes at most ``deadline_seconds``. Unless every vector came, and all of one length,
    none is returned.
    """

    def __init__(
        self,
        provider: Provider,
        model: str,
        *,
        batch: int = BATCH,
        deadline_seconds: float = EMBEDDING_SECONDS,
    ) -> None:
        self.name = model
        self._provider = provider
        self._batch = batch
        self._deadline_seconds = deadline_seconds

    async def embed(self, texts: Sequence[str]) -> list[Vector] | None:
        """Return one vector per text, in order, or None while the service cannot answer."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), self._batch):
            part = await self._embed(texts[start : start + self._batch])
            if part is None:
                return None
            vectors += part
        if len({len(vector) for vector in vectors}) > 1:
            log.warning("embeddings of %s differ in length", self.name)
            return None
        return vectors

    async def _embed(self, texts: Sequence[str]) -> list[Vector] | None:
        body = {
            "model": self.name,
            "input": [text or " " for text in texts],  # an empty text is refused
            "encoding_format": "float",
        }
        async with closing(self._provider.documents(EMBEDDINGS_PATH, body)) as documents:
            heard = await next_within(documents, self._deadline_seconds)
        vectors = _vectors_by_index(heard.content) if isinstance(heard, ServerDocument) else {}
        if sorted(vectors) != list(range(len(texts))):
            log.warning("embeddings of %s failed", self.name)
            return None
        return [vectors[index] for index in range(len(texts))]


def _vectors_by_index(content: object) -> dict[int, Vector]:
    """Return the vectors of an answer by their index; the server may send them in any order."""
    data = content.get("data") if isinstance(content, dict) else None
    vectors: dict[int, Vector] = {}
    for item in data if isinstance(data, list) else []:
        entry = cast("Mapping[str, object]", item) if isinstance(item, dict) else {}
        index, vector = entry.get("index"), _finite_vector(entry.get("embedding"))
        if isinstance(index, int) and vector:
            vectors[index] = vector
    return vectors


def _finite_vector(value: object) -> Vector | None:
    """Return ``value`` if it is a list of finite numbers."""
    try:
        vector = [float(number) for number in value] if isinstance(value, list) else []
    except (TypeError, ValueError):
        return None
    return vector if all(map(isfinite, vector)) else None
