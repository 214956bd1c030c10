"""Kill the whole program with SIGKILL while messages arrive from Telegram."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Literal

from aiohttp import ClientError

from tests.fakes.kills import LATENCY, KillRun
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.ports import free_port
from tests.fakes.processes import StartedProgram
from tests.fakes.telegram_server import TOKEN, TelegramServer

CHATS = tuple(range(101, 107))
PLACEHOLDER = "…"
SECRET = "s" * 32

LONGEST_LIFE = 10
"""Calls that answer somebody within which the program is killed: two or three messages' worth."""

LONGEST_SECONDS = 4.0

ANSWERING = {"sendChatAction", "sendMessage", "editMessageText"}


class TelegramKillRun(KillRun):
    """A kill comes after so many of the calls that answer somebody, amid the last of them.

    Counted in calls, so that a slow machine dies at the same steps as a quick one.
    """

    def __init__(
        self,
        data: Path,
        *,
        kills: int,
        seed: int,
        mode: Literal["polling", "webhook"] = "polling",
    ) -> None:
        super().__init__(data, kills=kills, seed=seed)
        self._webhook = mode == "webhook"
        self._binds: list[str] = []
        self._server = TelegramServer(latency=LATENCY)
        self._last_call = 0

    def platform(self) -> AbstractAsyncContextManager[object]:
        return self._pushing() if self._webhook else self._server

    @asynccontextmanager
    async def _pushing(self) -> AsyncIterator[object]:
        """Push what waits to any worker, again and again, until it is confirmed."""
        self._binds = [f"127.0.0.1:{free_port()}" for _ in range(self.workers)]

        async def push() -> None:
            for bind in cycle(self._binds):
                with suppress(ClientError, TimeoutError):
                    await self._server.deliver(f"http://{bind}/hook", SECRET)
                await asyncio.sleep(0.02)

        async with self._server, asyncio.TaskGroup() as group:
            pushing = group.create_task(push())
            yield self._server
            pushing.cancel()

    def prepare(self, model: OpenAIServer) -> None:
        self.environment = {
            "DATA_DIR": str(self.data),
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": self._server.api_base,
            "ALLOWED_IDS": ",".join(f"telegram:{chat}" for chat in CHATS),
            "OWNER_IDS": "telegram:1",
            "LLM_BASE_URL": model.base_url,
            "LLM_MODEL": "marks",
            "LLM_API_KEY": "sk-none",
            "CAPTURE_NOTICE": "false",
        }
        if self._webhook:
            self.environment |= {
                "TELEGRAM_WEBHOOK_URL": "https://example.com/hook",
                "TELEGRAM_WEBHOOK_SECRET": SECRET,
            }

    def environment_of(self, place: int) -> dict[str, str]:
        return {"WEBHOOK_BIND": self._binds[place]} if self._webhook else {}

    def start_program(self, place: int = 0) -> StartedProgram:
        self._last_call = self._count_calls() + self.chance.randint(1, LONGEST_LIFE)
        return super().start_program(place)

    def send(self, text: str) -> None:
        self._server.says(text, sender=self.chance.choice(CHATS))

    async def live(self, program: StartedProgram) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_SECONDS):
                while self._count_calls() < self._last_call:
                    assert program.poll() is None, "the program ended by itself"
                    await asyncio.sleep(0.002)
        await asyncio.sleep(self.chance.random() * LATENCY)

    def _count_calls(self) -> int:
        return sum(each.method in ANSWERING for each in self._server.calls)

    def chats(self) -> Iterable[list[str]]:
        return [self._server.texts(chat) for chat in CHATS]

    def count_unfinished(self) -> int:
        return sum(each.text == PLACEHOLDER for each in self._server.messages.values())
