"""Kill the whole program with SIGKILL while messages arrive from Lark, and see what people saw.

Messages that were pushed to a program that died come again after newer ones, so the order of the
answers says something about Lark. What she decides is their order among those she has accepted,
which a database can tell (:mod:`tests.fakes.fences`).
"""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Literal

from aiohttp import web

from tests.fakes.kills import LATENCY, MARK, KillRun, Verdict, marks
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET, ENCRYPT_KEY, VERIFICATION_TOKEN
from tests.fakes.openai_answers import DONE, Asked, chunk, events, in_pieces, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.ports import free_port
from tests.fakes.processes import StartedProgram

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


class LarkKillRun(KillRun):
    """A kill comes after so many calls to the platform; ``whole`` starts programs from nothing."""

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
        super().__init__(data, kills=kills, seed=seed, whole=whole)
        self._mode = mode
        self._streaming = streaming
        self._last_call = 0
        self._binds: list[str] = []
        self._platform = LarkPlatform(latency=LATENCY)
        self._platform.pushes.ladder = (AGAIN_SECONDS,) * 10_000
        for number, person in enumerate(PEOPLE):
            self._platform.person(person, f"人{number}")

    async def run(self, *, each_kill: int = 3, reminders: bool = False) -> Verdict:
        verdict = await super().run(each_kill=each_kill, reminders=reminders)
        assert not self.is_busy(), "a card is never finished"
        return verdict

    async def behaviour(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        return await muse(request, asked)

    def platform(self) -> AbstractAsyncContextManager[object]:
        return self._platform

    def prepare(self, model: OpenAIServer) -> None:
        self._binds = [f"127.0.0.1:{free_port()}" for _ in range(self.workers)]
        if self._mode == "webhook":
            self._platform.push_to(*(f"http://{bind}/lark" for bind in self._binds))
        self.environment = {
            "DATA_DIR": str(self.data),
            "LARK_APP_ID": APP_ID,
            "LARK_APP_SECRET": APP_SECRET,
            "LARK_DOMAIN": self._platform.url,
            "LARK_MODE": self._mode,
            "LARK_ENCRYPT_KEY": ENCRYPT_KEY,
            "LARK_VERIFICATION_TOKEN": VERIFICATION_TOKEN,
            "LARK_STREAMING": str(self._streaming).lower(),
            "ALLOWED_IDS": ",".join(f"lark:{person}" for person in PEOPLE),
            "OWNER_IDS": "lark:ou_owner",
            "LLM_BASE_URL": model.base_url,
            "LLM_MODEL": "marks",
            "LLM_API_KEY": "sk-none",
        }

    def environment_of(self, place: int) -> dict[str, str]:
        return {"LARK_WEBHOOK_BIND": self._binds[place]}

    def start_program(self, place: int = 0) -> StartedProgram:
        self._last_call = len(self._platform.calls) + self.chance.randint(1, LONGEST_LIFE)
        return super().start_program(place)

    def send(self, text: str) -> None:
        self._platform.say(text, person=self.chance.choice(PEOPLE))

    async def live(self, program: StartedProgram) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_SECONDS):
                while len(self._platform.calls) < self._last_call:
                    assert program.poll() is None, "the program ended by itself"
                    await asyncio.sleep(0.002)
        await asyncio.sleep(self.chance.random() * LATENCY)

    def chats(self) -> Iterable[list[str]]:
        return [self._platform.texts(self._platform.private(person)) for person in PEOPLE]

    def is_busy(self) -> bool:
        """Whether a card still seems to be written to."""
        return any(card.streaming and card.message for card in self._platform.cards.all.values())

    def count_typing(self) -> int:
        """Return how many questions still show that they are being answered."""
        shown = (self._platform.shown(self._platform.private(person)) for person in PEOPLE)
        return sum("Typing" in each.reactions for chat in shown for each in chat)

    def count_unfinished(self) -> int:
        return sum(not MARK.search(text) for texts in self.chats() for text in texts)
