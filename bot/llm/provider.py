"""One OpenAI-compatible server: OpenAI itself, a relay, or a model on this machine.

The ``openai`` package is imported at the first call, not at the start of the program.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from bot.llm.streams import ServerDocument
from memory.errors import InputRefused
from memory.ports import Outcome

if TYPE_CHECKING:
    from bot.llm.openai_client import OpenAIClient

OPENAI_URL: Final = "https://api.openai.com/v1"
SILENCE_SECONDS: Final = 3_600.0
"""Longer than any wait of :mod:`bot.llm.pace`, which ends a call that is silent."""


class Provider:
    """The one client of a server, shared by every model it serves.

    Without a ``base_url`` it is OpenAI itself; a server of one's own may need no ``api_key``.
    ``silence_seconds`` is how long the connection may be silent, whoever waits. Raises
    :class:`InputRefused` for an address or a key that can never work.
    """

    def __init__(
        self, base_url: str = "", api_key: str = "", *, silence_seconds: float = SILENCE_SECONDS
    ) -> None:
        base_url = base_url or OPENAI_URL
        if not _is_address(base_url):
            raise InputRefused(f"the model's address {base_url!r} is not like https://host/v1")
        if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
            raise InputRefused("the model's key holds characters that no key has: copy it again")
        self._base_url = base_url
        self._api_key = api_key
        self._silence_seconds = silence_seconds
        self._client: OpenAIClient | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> "OpenAIClient":
        """Return the client; the first time it is made in a thread, for half a second."""
        # Two first calls at once must not open two clients, of which one would never be closed.
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    async def close(self) -> None:
        """Close every connection; a later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def documents(
        self, path: str, body: Mapping[str, object]
    ) -> AsyncGenerator[ServerDocument | Outcome]:
        """Post ``body`` and yield the answer's documents, last an outcome if it went wrong."""
        client = await self.open()
        async with aclosing(client.documents(path, body)) as documents:
            async for document in documents:
                yield document

    async def slots(self) -> int | None:
        """Return how many calls the server says it takes at once, None if it does not say."""
        client = await self.open()
        return await client.slots()

    async def transcribe(self, model: str, name: str, voice: bytes) -> str | None:
        """Return the words of a recording, or None if the server does not give them."""
        client = await self.open()
        return await client.transcribe(model, name, voice)

    def _connect(self) -> "OpenAIClient":
        from bot.llm.openai_client import OpenAIClient  # noqa: PLC0415 (half a second, spared until needed)

        return OpenAIClient(self._base_url, self._api_key, self._silence_seconds)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return usable and parts.scheme in {"http", "https"} and url.isprintable() and " " not in url
