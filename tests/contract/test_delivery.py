"""What every channel and every delivery promise, whatever the platform, the fake included."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import pytest

from bot.adapters.console.delivery import ConsoleChannel
from bot.adapters.lark.delivery import LarkChannel
from bot.adapters.telegram.api import bot_api
from bot.adapters.telegram.delivery import TelegramChannel
from bot.adapters.telegram.writer import TelegramMessageWriter
from bot.conversation.delivery import Channel, Delivery, Target
from bot.conversation.messages import ConversationKey
from bot.tasks import Supervisor
from memory import refusals
from memory.errors import StoreUnwritable
from tests.fakes.chat import FakeChat
from tests.fakes.lark_sender import sender as lark_sender
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.timer import FakeTimer
from tests.fakes.waiting import until

WHOLE = (
    "今天我们去了海边，看了很久的海，然后慢慢走回家，路上买了一点水果和花，心情很好。"
    "晚上她做了一碗面，我们看了一部老电影。"
)
BEGINNING = WHOLE[:45]
"""Long enough that a platform which only shows what is worth showing begins to show it."""


@dataclass
class Stage:
    """A channel on which one turn is delivered, and what its partner sees.

    ``pieces`` is what was made durable; ``erases`` says that what was shown can be taken back.
    """

    channel: Channel
    conversation: ConversationKey
    seen: Callable[[], list[str]]
    reply_to: str = ""
    erases: bool = True
    pieces: dict[int, str] = field(default_factory=dict)
    disk_is_full: bool = False

    def delivery(self) -> Delivery:
        """Begin a delivery of the turn, as after a restart if there was one before."""
        target = Target(
            turn_id="t",
            conversation=self.conversation,
            private=True,
            reply_to=self.reply_to,
            piece_ids=tuple(self.pieces[each] for each in sorted(self.pieces)),
        )
        return self.channel.delivery(target, self._record)

    async def _record(self, piece: int, message: str) -> None:
        if self.disk_is_full:
            raise StoreUnwritable(refusals.DISK_REFUSES)
        self.pieces[piece] = message


def _conversation(platform: str, chat: str) -> ConversationKey:
    return ConversationKey(platform=platform, account="1", chat=chat)


@asynccontextmanager
async def fake() -> AsyncIterator[Stage]:
    chat = FakeChat()

    def seen() -> list[str]:
        return [shown.text for shown in chat.screen.values()]

    yield Stage(chat, _conversation("fake", "1"), seen)


@asynccontextmanager
async def telegram() -> AsyncIterator[Stage]:
    async with TelegramServer() as server:
        timer, tasks = FakeTimer(), Supervisor()
        bot = bot_api(TOKEN, server.api_base, seconds=0.5)
        channel = TelegramChannel(TelegramMessageWriter(bot, timer), tasks)
        try:
            yield Stage(channel, _conversation("telegram", str(ANN)), server.texts, "77:5")
        finally:
            await tasks.stop(0.1)
            await bot.disconnect()


@asynccontextmanager
async def lark() -> AsyncIterator[Stage]:
    async with lark_sender(streaming=True) as she:
        question = she.platform.say("在吗")
        place = _conversation("lark", she.platform.private())
        channel: LarkChannel = she.channel
        yield Stage(channel, place, she.platform.texts, question)


class Paper:
    """A screen that keeps its lines; what is written on it stays."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def thinking(self) -> None:
        """A line of its own is only begun with the first word."""

    def begin(self) -> None:
        self.lines.append("")

    def write(self, text: str) -> None:
        self.lines[-1] += text

    def end(self) -> None:
        """The next answer begins a line anyway."""


@asynccontextmanager
async def console() -> AsyncIterator[Stage]:
    paper = Paper()
    channel = ConsoleChannel(paper, streaming=True)
    yield Stage(channel, _conversation("console", "a"), lambda: paper.lines, erases=False)


PLATFORMS = {each.__name__: each for each in (fake, telegram, lark, console)}
Name: TypeAlias = str
on_each_platform = pytest.mark.parametrize("platform", PLATFORMS)


@on_each_platform
async def test_a_finished_answer_is_seen_once_and_whole(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        delivery = stage.delivery()
        await delivery.show_thinking()
        await delivery.finish(WHOLE)
        await delivery.stop_showing()

        assert stage.seen() == [WHOLE]


@on_each_platform
async def test_what_grew_ends_as_the_final_text_and_nothing_else(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        delivery = stage.delivery()
        for end in (2, len(BEGINNING), len(WHOLE)):
            await delivery.show(WHOLE[:end])
        await delivery.finish(WHOLE)
        await delivery.stop_showing()

        assert stage.seen() == [WHOLE]


@on_each_platform
async def test_every_message_is_recorded(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        await stage.delivery().finish(WHOLE)

        assert sorted(stage.pieces) == list(range(len(stage.seen())))
        assert all(stage.pieces.values())


@on_each_platform
async def test_an_answer_that_could_not_be_recorded_is_seen_once_in_the_end(
    platform: Name,
) -> None:
    async with PLATFORMS[platform]() as stage:
        stage.disk_is_full = True
        with pytest.raises(StoreUnwritable):
            await stage.delivery().finish(WHOLE)
        stage.disk_is_full = False
        await stage.delivery().finish(WHOLE)

        assert stage.seen().count(WHOLE) == 1


@on_each_platform
async def test_what_is_withdrawn_is_gone_where_a_platform_can_do_that(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        delivery = stage.delivery()
        await delivery.show(WHOLE)
        await until(stage.seen)
        await delivery.withdraw()
        await delivery.stop_showing()

        assert (stage.seen() == []) is stage.erases


@on_each_platform
async def test_a_delivery_after_a_restart_goes_on_in_the_same_message(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        first = stage.delivery()
        await first.show(BEGINNING)
        await until(lambda: stage.pieces if stage.erases else stage.seen())
        await first.stop_showing()
        await stage.delivery().finish(WHOLE)

        # What stands on a terminal stays there, so the answer is printed once more, and whole.
        assert stage.seen() == [WHOLE] if stage.erases else stage.seen()[-1].endswith(WHOLE)


@on_each_platform
async def test_showing_never_raises_not_even_after_the_end(platform: Name) -> None:
    async with PLATFORMS[platform]() as stage:
        delivery = stage.delivery()
        await delivery.stop_showing()
        await delivery.finish(WHOLE)
        await delivery.stop_showing()
        await delivery.stop_showing()

        assert stage.seen() == [WHOLE]
