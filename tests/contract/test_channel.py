"""What every channel promises a turn, each platform and the fake alike.

The final text is seen once and whole, whatever was shown before; what shows it is recorded before
the delivery ends; nothing that is only an extra ever raises.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bot.adapters.console.delivery import ConsoleChannel
from bot.conversation.delivery import Channel, Delivery, Target
from bot.conversation.messages import ConversationKey
from tests.fakes.chat import FakeChat
from tests.fakes.lark_sender import sender as lark_sender
from tests.fakes.telegram_sender import sender as telegram_sender
from tests.fakes.telegram_server import ANN

LONG = "今天我们去了海边，看了很久的海，然后慢慢走回家，路上买了一点水果和花，晚上早早地睡了。"
"""Longer than what the shortest-spoken platform shows without letting it grow."""


@dataclass
class Stage:
    """A channel, what its user sees, and what was recorded of it.

    ``takes_back``: what was shown can be withdrawn and edited, as on no terminal.
    """

    channel: Channel
    conversation: ConversationKey
    texts: Callable[[], list[str]]
    takes_back: bool = True
    recorded: dict[int, str] = field(default_factory=dict)

    def delivery(self) -> Delivery:
        """Begin to deliver the answer of the one turn, again after a crash."""
        target = Target(
            turn_id="t",
            conversation=self.conversation,
            private=True,
            reply_to="",
            piece_ids=tuple(self.recorded[each] for each in sorted(self.recorded)),
        )
        return self.channel.delivery(target, self._record)

    async def _record(self, number: int, message: str) -> None:
        self.recorded[number] = message


@dataclass
class Paper:
    """A terminal's screen: what was written stays, an answer a line."""

    lines: list[str] = field(default_factory=list)

    def thinking(self) -> None:
        """Show nothing."""

    def begin(self) -> None:
        self.lines.append("")

    def write(self, text: str) -> None:
        self.lines[-1] += text

    def end(self) -> None:
        """The line is over."""


@asynccontextmanager
async def on_telegram() -> AsyncIterator[Stage]:
    async with telegram_sender() as she:
        place = ConversationKey(platform="telegram", account="1", chat=str(ANN))
        yield Stage(she.channel, place, she.server.texts)


@asynccontextmanager
async def on_lark() -> AsyncIterator[Stage]:
    async with lark_sender(streaming=True) as she:
        place = ConversationKey(platform="lark", account="a", chat=she.platform.private())
        yield Stage(she.channel, place, she.platform.texts)


@asynccontextmanager
async def on_console() -> AsyncIterator[Stage]:
    paper = Paper()
    place = ConversationKey(platform="console", account="", chat="local")
    yield Stage(
        ConsoleChannel(paper, streaming=True), place, lambda: paper.lines, takes_back=False
    )


@asynccontextmanager
async def on_fake() -> AsyncIterator[Stage]:
    chat = FakeChat()
    place = ConversationKey(platform="telegram", account="7", chat="42")
    yield Stage(chat, place, lambda: [each.text for each in chat.screen.values()])


STAGES: dict[str, Callable[[], AbstractAsyncContextManager[Stage]]] = {
    "telegram": on_telegram,
    "lark": on_lark,
    "console": on_console,
    "fake": on_fake,
}

every_channel = pytest.mark.parametrize("opened", STAGES.values(), ids=STAGES)


@every_channel
@pytest.mark.parametrize("shown", [(), (LONG[:30],), (LONG[:30], LONG)], ids=["0", "1", "2"])
async def test_the_final_text_is_seen_once_and_recorded(
    opened: Callable[[], AbstractAsyncContextManager[Stage]], shown: tuple[str, ...]
) -> None:
    async with opened() as stage:
        delivery = stage.delivery()
        await delivery.show_thinking()
        for text in shown:
            await delivery.show(text)
        await delivery.finish(LONG)
        await delivery.stop_showing()

        assert stage.texts() == [LONG]
        assert list(stage.recorded) == [0]


@every_channel
async def test_an_answer_that_began_again_ends_as_the_final_text(
    opened: Callable[[], AbstractAsyncContextManager[Stage]],
) -> None:
    async with opened() as stage:
        delivery = stage.delivery()
        await delivery.show(LONG)
        await delivery.show("换个说法：" + LONG[:20])
        await delivery.finish("换个说法：" + LONG)

        assert stage.texts()[-1] == "换个说法：" + LONG
        if stage.takes_back:
            assert len(stage.texts()) == 1


@every_channel
async def test_another_delivery_of_the_same_turn_shows_nothing_twice(
    opened: Callable[[], AbstractAsyncContextManager[Stage]],
) -> None:
    async with opened() as stage:
        if not stage.takes_back:
            pytest.skip("a terminal keeps what a run that died wrote on it")
        await stage.delivery().finish(LONG)
        await stage.delivery().finish(LONG)

        assert stage.texts() == [LONG]


def _extras(delivery: Delivery) -> list[Callable[[], Awaitable[None]]]:
    return [delivery.withdraw, delivery.stop_showing, delivery.stop_showing]


@every_channel
@pytest.mark.parametrize("begun", [False, True], ids=["nothing shown", "something shown"])
async def test_taking_back_and_stopping_never_raise(
    opened: Callable[[], AbstractAsyncContextManager[Stage]], *, begun: bool
) -> None:
    async with opened() as stage:
        delivery = stage.delivery()
        if begun:
            await delivery.show(LONG)
        for extra in _extras(delivery):
            await extra()

        if stage.takes_back:
            assert stage.texts() == []
