"""The models beside the language model: vectors for texts, words for pictures and recordings.

The program works without any of them, so a failure is None and never an error.
"""

import asyncio
import logging
from base64 import b64encode
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final, cast

from bot.llm.pace import Precedence, ServerPace
from bot.llm.provider import COMPLETIONS_PATH, Provider, answer_events
from bot.llm.streams import ServerDocument, closing, last_outcome, next_within
from memory.ports import Replied

EMBEDDINGS_PATH: Final = "/embeddings"

BATCH: Final = 64  # texts in one request

EMBEDDING_SECONDS: Final = 30.0

Vector = list[float]

log = logging.getLogger(__name__)


class OpenAIEmbedder:
    """One embedding model of one server, asked for ``batch`` texts at a time.

    A batch takes at most ``deadline_seconds``. The vectors are returned only if every one came
    and all have the same length.
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
            answer = await next_within(documents, self._deadline_seconds)
        vectors = _vectors_by_index(answer.content) if isinstance(answer, ServerDocument) else {}
        # Half of the vectors under the wrong texts would make wrong memories come up for ever.
        if sorted(vectors) != list(range(len(texts))):
            log.warning("embeddings of %s failed", self.name)
            return None
        return [vectors[index] for index in range(len(texts))]


def _vectors_by_index(content: object) -> dict[int, Vector]:
    """Return the vectors of an answer by their index: a server may send them in any order."""
    data = content.get("data") if isinstance(content, dict) else None
    vectors: dict[int, Vector] = {}
    for item in data if isinstance(data, list) else []:
        entry = cast("Mapping[str, object]", item) if isinstance(item, dict) else {}
        index, vector = entry.get("index"), _finite_vector(entry.get("embedding"))
        if isinstance(index, int) and vector:
            vectors[index] = vector
    return vectors


def _finite_vector(value: object) -> Vector | None:
    """Return ``value`` as a vector, None unless it is a list of finite numbers."""
    try:
        vector = [float(number) for number in value] if isinstance(value, list) else []
    except (TypeError, ValueError):
        return None
    return vector if all(map(isfinite, vector)) else None


MEDIA_SECONDS: Final = 60.0

PICTURE_TOKENS: Final = 1_500
"""What a picture and the question about it are taken to be, where a first word is waited for."""


class OpenAIImageReader:
    """A model that describes pictures; the partner waits for it as for an answer."""

    def __init__(
        self,
        provider: Provider,
        model: str,
        pace: ServerPace | None = None,
        precedence: Precedence | None = None,
    ) -> None:
        self._provider = provider
        self._model = model
        self._pace = pace or ServerPace()
        self._precedence = precedence or Precedence()

    async def describe(self, picture: bytes, question: str) -> str | None:
        """Return the model's answer to a question about a JPEG, None if there is none."""
        encoded = b64encode(picture).decode("ascii")
        shown = {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{encoded}"}}
        content = [{"type": "text", "text": question}, shown]
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "stream": True,
        }
        # Streamed like a reply, so that a silent server is noticed long before the deadline.
        documents = self._provider.documents(COMPLETIONS_PATH, body)
        events = answer_events(documents, self._model, self._pace, PICTURE_TOKENS)
        async with self._precedence.answering():
            outcome = await last_outcome(events)
        return outcome.text.strip() or None if isinstance(outcome, Replied) else None


class OpenAITranscriber:
    """A model that writes down recordings."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self._model = model

    async def transcribe(self, name: str, voice: bytes) -> str | None:
        """Return the words of a recording with the file name ``name``, None if there are none."""
        try:
            async with asyncio.timeout(MEDIA_SECONDS):
                return await self._provider.transcribe(self._model, name, voice)
        except TimeoutError:
            return None
