"""The whole program on the real library, talking with a Bot API server of our own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.adapters.telegram.adapter import TelegramAdapter, TelegramOptions
from bot.adapters.telegram.updates import TelegramWebhookOptions
from bot.app import App, running
from bot.identity import Access
from bot.sections import SecretStr
from bot.settings import Settings
from bot.tasks import Timer, attempt
from memory.ports import SystemClock
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import until

FRIEND = 88
GROUP = -100500
PLACEHOLDER = "…"


@dataclass
class OnTelegram:
    """One run of the program. ``announced`` is what the operator saw."""

    server: TelegramServer
    app: App
    adapter: TelegramAdapter
    announced: list[str] = field(default_factory=list)

    async def answers(self, count: int, chat: int = ANN) -> list[str]:
        """Wait for so many finished answers in a chat, and return them all."""

        def finished() -> list[str]:
            return [text for text in self.server.texts(chat) if text != PLACEHOLDER]

        await until(lambda: len(finished()) >= count)
        await self.settled()
        return finished()

    async def settled(self) -> None:
        """Wait until nothing is under way and Telegram was told so."""
        await until(lambda: not self.server.waiting)
        await until_nothing_is_owed(self.app.intake, ["telegram"])


@asynccontextmanager
async def on_telegram(
    data: Path,
    server: TelegramServer,
    *,
    model: OpenAIServer | None = None,
    owners: str = f"telegram:{ANN}",
    allowed: str = f"telegram:{FRIEND},telegram:{GROUP}",
    timer: Timer | None = None,
    quiet_seconds: float = 0.0,
    hook: TelegramWebhookOptions | None = None,
    perceiving: bool = False,
    notices: bool = False,
) -> AsyncIterator[OnTelegram]:
    """Run her; she says what she learnt only where that is asked for."""
    settings = Settings(
        data_dir=data,
        llm_base_url=model.base_url if model else "",
        llm_model="test-model" if model else "",
        llm_api_key=SecretStr("sk-none"),
        vision_model="eyes" if perceiving else "",
        transcription_base_url=model.base_url if perceiving and model else "",
        transcription_model="ears" if perceiving else "",
        capture_notice=notices,
    )
    access = Access(IDENTITIES.parsed_ids(owners), IDENTITIES.parsed_ids(allowed), IDENTITIES)
    options = TelegramOptions(
        token=TOKEN,
        api_base=server.api_base,
        data_dir=data,
        webhook=hook,
        poll_seconds=1.0,
        call_seconds=5.0,
    )
    announced: list[str] = []
    adapter = TelegramAdapter(
        options, access, SystemClock(), announce=announced.append, timer=timer
    )
    async with (
        adapter,
        running(
            settings, {"telegram": adapter}, quiet_seconds=quiet_seconds, access=access
        ) as app,
        asyncio.TaskGroup() as group,
    ):
        serving = group.create_task(attempt("serving", lambda: adapter.serve(app)))
        yield OnTelegram(server, app, adapter, announced)
        serving.cancel()


def press_in(server: TelegramServer, data: str, *, chat: int, sender: int, message: int) -> None:
    """Let somebody press a button under a message."""
    person = {"id": sender, "is_bot": False, "first_name": "a"}
    kind = {"type": "supergroup", "title": "g"} if chat < 0 else {"type": "private"}
    under = {"message_id": message, "date": 1, "chat": {"id": chat, **kind}}
    query = {"id": f"q{data[:8]}", "from": person, "chat_instance": "1", "data": data}
    server.push({"callback_query": {**query, "message": under}})
