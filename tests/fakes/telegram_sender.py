"""Deliveries to our own Bot API server, by the real channel and writer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.adapters.telegram.api import bot_api
from bot.adapters.telegram.delivery import TelegramChannel, TelegramDelivery
from bot.adapters.telegram.writer import IsOurs, TelegramMessageWriter, nothing_is_ours
from bot.conversation.delivery import Target
from bot.conversation.messages import ConversationKey
from bot.tasks import Supervisor
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.timer import FakeTimer


class Sender:
    """Deliveries to one server, and what was made durable of them."""

    def __init__(
        self, server: TelegramServer, seconds: float, is_ours: IsOurs = nothing_is_ours
    ) -> None:
        self.server = server
        self.timer = FakeTimer()
        self.bot = bot_api(TOKEN, server.api_base, seconds=seconds)
        self.tasks = Supervisor()
        self.placed: dict[int, str] = {}
        self.writer = TelegramMessageWriter(self.bot, self.timer, is_ours)
        self.channel = TelegramChannel(self.writer, self.tasks)

    def delivery(self, chat: int = ANN, reply_to: str = "77:5") -> TelegramDelivery:
        place = ConversationKey(platform="telegram", account="1", chat=str(chat))
        target = Target(
            turn_id="t",
            conversation=place,
            private=chat > 0,
            reply_to=reply_to,
            piece_ids=tuple(self.placed[each] for each in sorted(self.placed)),
        )
        return self.channel.delivery(target, self.keep)

    async def keep(self, place: int, message: str) -> None:
        self.placed[place] = message


@asynccontextmanager
async def sender(seconds: float = 0.5) -> AsyncIterator[Sender]:
    """``seconds`` is how long the program waits at first for an answer of the server."""
    async with TelegramServer() as server:
        made = Sender(server, seconds)
        try:
            yield made
        finally:
            await made.tasks.stop(0.1)
            await made.bot.disconnect()


@asynccontextmanager
async def another_run(earlier: Sender, is_ours: IsOurs = nothing_is_ours) -> AsyncIterator[Sender]:
    """Deliver on as a program that was started anew: it knows what was made durable."""
    made = Sender(earlier.server, 0.5, is_ours)
    made.placed = earlier.placed
    try:
        yield made
    finally:
        await made.tasks.stop(0.1)
        await made.bot.disconnect()
