"""Seeing and hearing through servers with OpenAI's interface. What fails is None."""

import asyncio
from base64 import b64encode
from typing import Final

from bot.llm.answers import AnswerReader, ServerDocument
from bot.llm.provider import Provider
from bot.llm.waiting import closing, next_within
from memory.ports import Replied

MEDIA_SECONDS: Final = 60.0
IMAGE_PATH: Final = "/chat/completions"


class OpenAIImageReader:
    """A model that looks at pictures."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self._model = model

    async def describe(self, picture: bytes, question: str) -> str | None:
        """Return what a JPEG shows, in words, or None while nobody can say."""
        encoded = b64encode(picture).decode("ascii")
        shown = {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{encoded}"}}
        content = [{"type": "text", "text": question}, shown]
        body = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "stream": True,
        }
        answer = AnswerReader()
        now = asyncio.get_running_loop().time
        until = now() + MEDIA_SECONDS
        async with closing(self._provider.documents(IMAGE_PATH, body)) as documents:
            while not answer.is_finished and (
                heard := await next_within(documents, until - now())
            ):
                if not isinstance(heard, ServerDocument):
                    return None
                answer.take(heard)
        answer.take_rest()
        outcome = answer.outcome(self._model)
        return outcome.text.strip() or None if isinstance(outcome, Replied) else None


class OpenAITranscriber:
    """A model that writes down what is said."""

    def __init__(self, provider: Provider, model: str) -> None:
        self._provider = provider
        self._model = model

    async def transcribe(self, name: str, voice: bytes) -> str | None:
        """Return the words of a recording whose file is called ``name``, None for no answer."""
        try:
            async with asyncio.timeout(MEDIA_SECONDS):
                return await self._provider.transcribe(self._model, name, voice)
        except TimeoutError:
            return None
