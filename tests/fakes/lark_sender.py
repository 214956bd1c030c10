"""Deliveries to one Lark platform, and what was made durable of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from bot.adapters.lark.api import LarkApi, lark_api
from bot.adapters.lark.delivery import LarkChannel, LarkDelivery
from bot.adapters.lark.placed_messages import LarkMessageWriter
from bot.conversation.delivery import RecordPiece, Target
from bot.conversation.ledger import SIGN_PLACE
from bot.conversation.messages import ConversationKey
from bot.tasks import Supervisor
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.timer import FakeTimer


class Sender:
    """One run of the program after another, as far as sending goes. ``placed`` survives them."""

    def __init__(self, platform: LarkPlatform, *, streaming: bool) -> None:
        self.platform = platform
        self.streaming = streaming
        self.placed: dict[int, str] = {}
        self.sign = ""
        self.clock = FakeClock(NOON)
        self.timer = FakeTimer()
        self.tasks = Supervisor()
        self.api: LarkApi
        self.channel: LarkChannel
        self.begin()

    def begin(self) -> None:
        """Begin a run that knows nothing but what is durable."""
        self.timer = FakeTimer()
        self.tasks = Supervisor()
        self.api = lark_api(APP_ID, APP_SECRET, self.platform.url, seconds=1, timer=self.timer)
        self.writer = LarkMessageWriter(self.api, self.timer)
        self.channel = LarkChannel(self.writer, self.tasks, self.clock, streaming=self.streaming)

    async def crash(self) -> None:
        """End a run where it stands."""
        await self.tasks.stop(0)
        await self.api.disconnect()
        self.begin()

    def delivery(
        self,
        question: str = "",
        *,
        chat: str = "",
        thread: str = "",
        turn: str = "t",
        placed: RecordPiece | None = None,
        tried_since: datetime | None = None,
    ) -> LarkDelivery:
        place = chat or self.platform.private()
        target = Target(
            turn_id=turn,
            conversation=ConversationKey(
                platform="lark", account=APP_ID, chat=place, thread=thread
            ),
            private=not chat,
            reply_to=question,
            piece_ids=tuple(self.placed[each] for each in sorted(self.placed)),
            sign=self.sign,
            in_doubt=tried_since is not None,
            tried_since=tried_since,
        )
        return self.channel.delivery(target, placed or self.keep)

    async def keep(self, place: int, message: str) -> None:
        if place == SIGN_PLACE:
            self.sign = message
        else:
            self.placed[place] = message

    async def settled(self) -> None:
        """Wait until nothing is under way."""
        before = -1
        while before != len(self.platform.calls):
            before = len(self.platform.calls)
            await asyncio.sleep(0.01)


@asynccontextmanager
async def sender(*, streaming: bool = False) -> AsyncIterator[Sender]:
    async with LarkPlatform() as platform:
        made = Sender(platform, streaming=streaming)
        try:
            yield made
        finally:
            await made.tasks.stop(0.2)
            await made.api.disconnect()
