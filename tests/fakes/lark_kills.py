"""Kill the whole program with SIGKILL while messages arrive from Lark, and see what people saw.

Messages that were pushed to a program that died come again after newer ones, so the order of the
answers says something about Lark and nothing about her.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Literal

from aiohttp import web

from bot.adapters import read_all_settings
from tests.fakes.kills import LATENCY, MARK, Life, Nursery, Verdict, marks
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION_TOKEN
from tests.fakes.openai_answers import DONE, Asked, chunk, events, in_pieces, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.ports import free_port
from tests.fakes.waiting import until

PEOPLE = tuple(f"ou_{n:032x}" for n in range(101, 107))
LONGEST_LIFE = 20
"""Calls to the platform within which the program is killed: the first are of its beginning."""

LONGEST_SECONDS = 4.0

AGAIN_SECONDS = 0.2
"""What is not acknowledged comes again so soon: hours of the ladder would take hours."""


MUSING = "想一想，" * 30
"""Long enough to be seen growing."""


async def muse(request: web.Request, asked: Asked) -> web.StreamResponse:
    """Answer slowly and at some length; the marks come last."""
    told = marks(asked)
    if not asked.stream or told == "[SKIP]":
        return await say(told)(request, asked)
    pieces = in_pieces(MUSING + told, 10)
    return await events(*pieces, chunk(finish="stop"), DONE, pause=0.08)(request, asked)


class Slaughter:
    """Send messages and kill, so often; then let the program finish and look at the screens."""

    def __init__(
        self,
        data: Path,
        *,
        kills: int,
        seed: int,
        mode: Literal["websocket", "webhook"] = "websocket",
        streaming: bool = True,
        whole: bool = False,
    ) -> None:
        self._kills = kills
        self._chance = Random(seed)
        self._data = data
        self._sent = 0
        self._amid = 0
        self._mode = mode
        self._streaming = streaming
        self._whole = whole
        self._platform = LarkPlatform(latency=LATENCY)
        self._platform.pushes.ladder = (AGAIN_SECONDS,) * 10_000
        self._nursery = Nursery("tests.fakes.lark_preload")
        for number, person in enumerate(PEOPLE):
            self._platform.person(person, f"人{number}")

    async def run(self, *, each_kill: int = 3, drain_seconds: float = 60.0) -> Verdict:
        """Return the verdict after so many kills, with ``each_kill`` messages to each."""
        async with self._platform, OpenAIServer() as model:
            model.always(muse)
            environment = self._environment(model)
            strays = 0
            for _ in range(self._kills):
                program = self._born(environment)
                await self._lives(program, each_kill)
                await self._nursery.killed(program)
                self._amid += self._unsaid() > strays
                strays = self._unsaid()
            program = self._born(environment)
            await self._drained(drain_seconds)
            await self._nursery.killed(program, signal.SIGTERM)
        assert not self._streams(), "a card is never finished"
        return self._verdict()

    def _born(self, environment: dict[str, str]) -> Life:
        if self._whole:
            return self._nursery.started(environment)
        given: dict[str, Any] = {name.lower(): value for name, value in environment.items()}
        return self._nursery.born(read_all_settings(_env_file=None, **given))

    def _environment(self, model: OpenAIServer) -> dict[str, str]:
        bind = f"127.0.0.1:{free_port()}"
        if self._mode == "webhook":
            self._platform.push_to(f"http://{bind}/lark")
        return {
            "DATA_DIR": str(self._data),
            "LARK_APP_ID": APP_ID,
            "LARK_APP_SECRET": APP_SECRET,
            "LARK_DOMAIN": self._platform.url,
            "LARK_MODE": self._mode,
            "LARK_ENCRYPT_KEY": ENCRYPT_KEY,
            "LARK_VERIFICATION_TOKEN": VERIFICATION_TOKEN,
            "LARK_WEBHOOK_BIND": bind,
            "LARK_STREAMING": str(self._streaming).lower(),
            "ALLOWED_IDS": ",".join(f"lark:{person}" for person in PEOPLE),
            "OWNER_IDS": "lark:ou_owner",
            "LLM_BASE_URL": model.base_url,
            "LLM_MODEL": "marks",
            "LLM_API_KEY": "sk-none",
        }

    async def _lives(self, program: Life, messages: int) -> None:
        """Let it begin, speak to it meanwhile, and stop it somewhere in what it does."""
        calls = self._platform.calls
        end = len(calls) + self._chance.randint(1, LONGEST_LIFE)
        for _ in range(messages):
            self._sent += 1
            self._platform.say(f"m-{self._sent}", person=self._chance.choice(PEOPLE))
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_SECONDS):
                while len(calls) < end:
                    assert program.is_alive(), "the program ended by itself"
                    await asyncio.sleep(0.002)
        await asyncio.sleep(self._chance.random() * LATENCY)

    async def _drained(self, seconds: float) -> None:
        """Wait until everything is answered, or long enough."""
        try:
            await until(lambda: len(set(self._answered())) >= self._sent and not self._streams())
        except TimeoutError:
            return
        await asyncio.sleep(0.5)

    def _texts(self) -> Iterator[list[str]]:
        for person in PEOPLE:
            yield self._platform.texts(self._platform.private(person))

    def _answered(self) -> Iterator[str]:
        for texts in self._texts():
            for text in texts:
                yield from MARK.findall(text)

    def _streams(self) -> bool:
        """Say whether a card still seems to be written to."""
        return any(card.streaming and card.message for card in self._platform.cards.all.values())

    def _unsaid(self) -> int:
        return sum(not MARK.search(text) for texts in self._texts() for text in texts)

    def _verdict(self) -> Verdict:
        verdict = Verdict(
            self._sent, self._kills, strays=self._unsaid(), amid_an_answer=self._amid
        )
        verdict.told(self._texts())
        return verdict
