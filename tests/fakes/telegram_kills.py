"""Kill the whole program with SIGKILL while messages arrive, and see what people saw.

The model answers with the marks of the messages it is asked about, so every answer tells which
messages it answers. The program under test is a real process, forked from one that has already
loaded the libraries.
"""

import asyncio
import multiprocessing
import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

from pydantic import SecretStr

from bot.cli.run import run_until_stopped
from bot.settings import Settings
from tests.fakes.openai_answers import Asked
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_server import TOKEN, TelegramServer

CHATS = tuple(range(101, 107))
MARK = re.compile(r"m-\d+")
LINE = re.compile(r"^\[[^\]]*\] (m-\d+)$", re.MULTILINE)
"""A message as the prompt shows it: its minute and its words, alone on their line."""
PLACEHOLDER = "…"
LATENCY = 0.03
"""Seconds a call takes: the window in which a kill meets an answer on its way."""

LONGEST_LIFE = 0.4
"""Seconds after its first call within which the program is killed."""


def marks(asked: Asked) -> str:
    """Answer with the marks of the messages since the last answer, not with what memory quotes."""
    told: list[str] = []
    for message in reversed(asked.messages):
        if message["role"] != "user":
            break
        told = LINE.findall(str(message["content"])) + told
    return " ".join(dict.fromkeys(told)) or "[SKIP]"


@dataclass
class Verdict:
    """What people saw in the end."""

    sent: int
    kills: int
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    inversions: int = 0
    strays: int = 0
    amid_an_answer: int = 0
    """Kills that met a message which was put there and said nothing yet."""


def serve(settings: Settings) -> None:
    """Be the program, in a process of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    asyncio.run(run_until_stopped(settings))


class Slaughter:
    """Send messages and kill, so often; then let the program finish and look at the screens."""

    def __init__(self, data: Path, *, kills: int, seed: int) -> None:
        self._kills = kills
        self._chance = Random(seed)
        self._data = data
        self._sent = 0
        self._amid = 0
        self._server = TelegramServer(latency=LATENCY)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.fakes.warm", "bot.adapters.telegram.adapter"])

    async def run(self, *, each_kill: int = 3, drain_seconds: float = 60.0) -> Verdict:
        """Return the verdict after so many kills, with ``each_kill`` messages to each."""
        async with self._server, OpenAIServer(marks) as model:
            settings = self._settings(model)
            strays = 0
            for _ in range(self._kills):
                process = self._started(settings)
                await self._lives(process, each_kill)
                os.kill(process.pid or 0, signal.SIGKILL)
                await self._ended(process)
                self._amid += self._placeholders() > strays
                strays = self._placeholders()
            process = self._started(settings)
            await self._drained(drain_seconds)
            os.kill(process.pid or 0, signal.SIGTERM)
            await self._ended(process)
        return self._verdict()

    def _settings(self, model: OpenAIServer) -> Settings:
        return Settings(
            _env_file=None,
            data_dir=self._data,
            telegram_bot_token=SecretStr(TOKEN),
            telegram_api_base=self._server.api_base,
            allowed_ids=",".join(f"telegram:{chat}" for chat in CHATS),
            owner_ids="telegram:1",
            llm_base_url=model.base_url,
            llm_model="marks",
            llm_api_key=SecretStr("sk-none"),
            capture_notice=False,
        )

    def _started(self, settings: Settings) -> BaseProcess:
        process = self._context.Process(target=serve, args=(settings,), daemon=True)
        process.start()
        return process

    async def _lives(self, process: BaseProcess, messages: int) -> None:
        """Let it begin, speak to it meanwhile, and stop at a random moment."""
        calls = len(self._server.calls)
        for _ in range(messages):
            self._sent += 1
            self._server.says(f"m-{self._sent}", sender=self._chance.choice(CHATS))
        async with asyncio.timeout(20):
            while len(self._server.calls) == calls:
                assert process.is_alive(), "the program ended by itself"
                await asyncio.sleep(0.005)
        await asyncio.sleep(self._chance.random() * LONGEST_LIFE)

    async def _ended(self, process: BaseProcess) -> None:
        async with asyncio.timeout(20):
            while process.is_alive():
                await asyncio.sleep(0.005)
        process.join()

    async def _drained(self, seconds: float) -> None:
        """Wait until everything is answered, or long enough."""
        try:
            async with asyncio.timeout(seconds):
                while len(set(self._answered())) < self._sent:
                    await asyncio.sleep(0.05)
        except TimeoutError:
            return
        await asyncio.sleep(0.5)

    def _answered(self) -> Iterator[str]:
        for message in self._server.messages.values():
            yield from MARK.findall(message.text)

    def _placeholders(self) -> int:
        return sum(each.text == PLACEHOLDER for each in self._server.messages.values())

    def _verdict(self) -> Verdict:
        told = Counter(self._answered())
        verdict = Verdict(
            self._sent,
            self._kills,
            lost=[f"m-{n}" for n in range(1, self._sent + 1) if not told[f"m-{n}"]],
            doubled=[mark for mark, count in told.items() if count > 1],
            strays=self._placeholders(),
            amid_an_answer=self._amid,
        )
        for chat in CHATS:
            order = [
                int(mark[2:]) for text in self._server.texts(chat) for mark in MARK.findall(text)
            ]
            verdict.inversions += sum(b < a for a, b in pairwise(order))
        return verdict
