"""Kill the whole program with SIGKILL while messages arrive, and see what people saw."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

from pydantic import SecretStr

from bot.adapters import read_all_settings
from bot.settings import Settings
from tests.fakes.kills import LATENCY, LONGEST_LIFE, MARK, Life, Nursery, Verdict, marks
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.telegram_server import TOKEN, TelegramServer
from tests.fakes.waiting import unless_it_hangs, until

CHATS = tuple(range(101, 107))
PLACEHOLDER = "…"


class Slaughter:
    """Send messages and kill, so often; then let the program finish and look at the screens."""

    def __init__(self, data: Path, *, kills: int, seed: int) -> None:
        self._kills = kills
        self._chance = Random(seed)
        self._data = data
        self._sent = 0
        self._amid = 0
        self._server = TelegramServer(latency=LATENCY)
        self._nursery = Nursery("bot.adapters.telegram.adapter")

    async def run(self, *, each_kill: int = 3, drain_seconds: float = 60.0) -> Verdict:
        """Return the verdict after so many kills, with ``each_kill`` messages to each."""
        async with self._server, OpenAIServer(marks) as model:
            settings = self._settings(model)
            strays = 0
            for _ in range(self._kills):
                process = self._nursery.born(settings)
                await self._lives(process, each_kill)
                await self._nursery.killed(process)
                self._amid += self._placeholders() > strays
                strays = self._placeholders()
            process = self._nursery.born(settings)
            await self._drained(drain_seconds)
            await self._nursery.killed(process, signal.SIGTERM)
        return self._verdict()

    def _settings(self, model: OpenAIServer) -> Settings:
        return read_all_settings(
            _env_file=None,
            data_dir=self._data,
            telegram_bot_token=TOKEN,
            telegram_api_base=self._server.api_base,
            allowed_ids=",".join(f"telegram:{chat}" for chat in CHATS),
            owner_ids="telegram:1",
            llm_base_url=model.base_url,
            llm_model="marks",
            llm_api_key=SecretStr("sk-none"),
            capture_notice=False,
        )

    async def _lives(self, process: Life, messages: int) -> None:
        """Let it begin, speak to it meanwhile, and stop at a random moment."""
        calls = len(self._server.calls)
        for _ in range(messages):
            self._sent += 1
            self._server.says(f"m-{self._sent}", sender=self._chance.choice(CHATS))
        async with unless_it_hangs():
            while len(self._server.calls) == calls:
                assert process.is_alive(), "the program ended by itself"
                await asyncio.sleep(0.005)
        await asyncio.sleep(self._chance.random() * LONGEST_LIFE)

    async def _drained(self, seconds: float) -> None:
        """Wait until everything is answered, or long enough."""
        try:
            await until(lambda: len(set(self._answered())) >= self._sent)
        except TimeoutError:
            return
        await asyncio.sleep(0.5)

    def _answered(self) -> Iterator[str]:
        for message in self._server.messages.values():
            yield from MARK.findall(message.text)

    def _placeholders(self) -> int:
        return sum(each.text == PLACEHOLDER for each in self._server.messages.values())

    def _verdict(self) -> Verdict:
        verdict = Verdict(
            self._sent, self._kills, strays=self._placeholders(), amid_an_answer=self._amid
        )
        verdict.told(self._server.texts(chat) for chat in CHATS)
        return verdict
