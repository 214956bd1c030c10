"""A server with OpenAI's interface on 127.0.0.1, scripted, that remembers what it was asked.

In the test's own loop::

    async with OpenAIServer() as server:                    # echoes
        server.next("你好", error(500, "…"), say("再见"))    # then these, one per request
        ... server.base_url ... server.asked[-1].prompt

or on a thread of its own, for programs under test in another process::

    with serving(OpenAIServer(obedient)) as server: ...

By hand, to try the program against it: ``python -m tests.fakes.openai_server``.
"""

import asyncio
import hashlib
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self, TypeAlias

from aiohttp import web

from tests.fakes.openai_answers import Asked, Behaviour, say

Personality: TypeAlias = Callable[[Asked], str]
SHUTDOWN_SECONDS = 0.2
VECTOR_LENGTH = 8


def echo(asked: Asked) -> str:
    """Answer with what was said last."""
    return asked.last


def silent(asked: Asked) -> str:
    """Answer, but with nothing."""
    return ""


def garbage(chance: random.Random) -> Personality:
    """Answer with a salad of brackets, commands, words and control characters."""
    parts = [
        "[DELETE:m1]",
        "[ADD",
        "】",
        "[UPDATE:",
        "m99]",
        "\x00",
        "{",
        "忘掉",
        "\n",
        "🙃",
        "]]",
    ]

    def personality(asked: Asked) -> str:
        return "".join(chance.choice(parts) for _ in range(chance.randrange(1, 60)))

    return personality


class OpenAIServer:
    """Answers by its personality, unless a behaviour is scripted for the request.

    ``asked`` holds every request in order; ``disconnects`` counts the clients that went away
    before they were answered. ``slots`` is how many calls it says it takes at once; None: it
    does not say. An *obedient attacker* is any personality that does what it reads
    in ``asked.prompt``.
    """

    def __init__(self, personality: Personality = echo) -> None:
        self.personality = personality
        self.asked: list[Asked] = []
        self.disconnects = 0
        self.slots: int | None = None
        self._script: list[Behaviour] = []
        self._always: Behaviour | None = None
        self._runner: web.AppRunner | None = None
        self._port = 0

    @property
    def base_url(self) -> str:
        """The address to give to a client."""
        return f"http://127.0.0.1:{self._port}/v1"

    def next(self, *answers: str | Behaviour) -> None:
        """Answer the next requests with these, one each."""
        self._script += [say(answer) if isinstance(answer, str) else answer for answer in answers]

    def always(self, behaviour: Behaviour | None) -> None:
        """Treat every unscripted request so, until told otherwise (None: by personality)."""
        self._always = behaviour

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_post("/v1/audio/transcriptions", self._transcribe)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/props", self._props)
        self._runner = web.AppRunner(
            app, handler_cancellation=True, shutdown_timeout=SHUTDOWN_SECONDS, access_log=None
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        asked = await self._note(request)
        behave = self._scripted() or say(self.personality(asked))
        try:
            return await behave(request, asked)
        except (asyncio.CancelledError, ConnectionError):
            self.disconnects += 1
            raise

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        asked = await self._note(request)
        if behave := self._scripted():
            return await behave(request, asked)
        data = [
            {"object": "embedding", "index": index, "embedding": vector(text)}
            for index, text in enumerate(asked.body["input"])
        ]
        return web.json_response({"object": "list", "data": data[::-1], "model": asked.model})

    async def _transcribe(self, request: web.Request) -> web.StreamResponse:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        return web.json_response({"text": file.file.read().decode("utf-8")})

    async def _models(self, request: web.Request) -> web.StreamResponse:
        models = [{"id": name, "object": "model"} for name in ("big", "small")]
        return web.json_response({"object": "list", "data": models})

    async def _props(self, request: web.Request) -> web.StreamResponse:
        if self.slots is None:
            return web.json_response({"error": {"message": "not found"}}, status=404)
        return web.json_response({"total_slots": self.slots})

    async def _note(self, request: web.Request) -> Asked:
        asked = Asked(request.path, await request.json(), dict(request.headers))
        self.asked.append(asked)
        return asked

    def _scripted(self) -> Behaviour | None:
        return self._script.pop(0) if self._script else self._always


def vector(text: str) -> list[float]:
    """Return the same vector for the same text, always."""
    return [byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:VECTOR_LENGTH]]


@contextmanager
def serving(server: OpenAIServer) -> Iterator[OpenAIServer]:
    """Run ``server`` on a thread of its own while the block lasts."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()
    over = asyncio.Event()

    async def run() -> None:
        async with server:
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


async def _serve_for_ever() -> None:
    async with OpenAIServer() as server:
        print(server.base_url, flush=True)  # noqa: T201 (said to whoever started it)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve_for_ever())
