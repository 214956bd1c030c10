"""The whole program on the real library, talking with an open platform of our own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.adapters.lark.adapter import LarkAdapter, LarkOptions
from bot.adapters.lark.connection import ConnectionTimeouts
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.lark.webhook import LarkWebhook
from bot.app import App, running
from bot.identity import Access
from bot.sections import SecretStr
from bot.settings import Settings
from bot.tasks import Done, Failed, LoopTimer, Timer, attempt
from memory.ports import Clock, SystemClock
from tests.fakes.lark_platform import LarkPlatform, Shown
from tests.fakes.lark_world import (
    ANN,
    APP_ID,
    APP_SECRET,
    BOT,
    ENCRYPT_KEY,
    VERIFICATION_TOKEN,
    LarkClock,
)
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES
from tests.fakes.ports import free_port
from tests.fakes.waiting import HANG_SECONDS, until

BOB = "ou_b0b00000000000000000000000000002"
EVE = "ou_e0e00000000000000000000000000003"
PACE = ConnectionTimeouts(connect=2.0, ping=0.5, silent=3.0, handle=HANG_SECONDS, stop=2.0)


class Hasty(LoopTimer):
    """Waits a tenth of what it is asked to."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 10)


class PlatformClock:
    """The platform's own time, so that time passes for both at once."""

    def __init__(self, clock: LarkClock) -> None:
        self._clock = clock

    def now(self) -> datetime:
        return SystemClock().now() + timedelta(seconds=self._clock.added)


@dataclass
class OnLark:
    """One run of the program. ``announced`` is what the operator saw, ``over`` how it ended."""

    platform: LarkPlatform
    app: App
    adapter: LarkAdapter
    announced: list[str] = field(default_factory=list)
    over: Done[Any] | Failed | None = None

    def answers_now(self, chat: str = "") -> list[Shown]:
        """Return her finished messages in a chat."""
        shown = self.platform.shown(chat or self.platform.private())
        return [each for each in shown if each.sender == BOT and not each.streaming]

    async def answers(self, count: int, chat: str = "") -> list[str]:
        """Wait for so many finished answers in a chat, and return them all."""
        await until(lambda: len(self.answers_now(chat)) >= count)
        await self.settled()
        return [each.text for each in self.answers_now(chat)]

    async def settled(self) -> None:
        """Wait until nothing is under way and Lark was told so."""
        await until(lambda: not self.platform.pushes.open)
        await until_nothing_is_owed(self.app.intake, ["lark"])


def hook() -> LarkWebhook:
    return LarkWebhook(
        path="/lark",
        bind=f"127.0.0.1:{free_port()}",
        encrypt_key=ENCRYPT_KEY,
        verification_token=VERIFICATION_TOKEN,
    )


@asynccontextmanager
async def on_lark(
    data: Path,
    platform: LarkPlatform,
    *,
    model: OpenAIServer | None = None,
    owners: str = f"lark:{ANN}",
    allowed: str = f"lark:{BOB}",
    webhook: LarkWebhook | None = None,
    streaming: bool = True,
    quiet_seconds: float = 0.0,
    perceiving: bool = False,
    notices: bool = False,
    secret: str = APP_SECRET,
    timer: Timer | None = None,
    clock: Clock | None = None,
    pace: ConnectionTimeouts = PACE,
    call_seconds: float = 5.0,
) -> AsyncIterator[OnLark]:
    """Run the program until the caller is done."""
    await load_sdk()
    settings = Settings(
        data_dir=data,
        llm_base_url=model.base_url if model else "",
        llm_model="test-model" if model else "",
        llm_api_key=SecretStr("sk-none"),
        capture_notice=notices,
        vision_model="eyes" if perceiving else "",
        transcription_base_url=model.base_url if perceiving and model else "",
        transcription_model="ears" if perceiving else "",
    )
    access = Access(IDENTITIES.parsed_ids(owners), IDENTITIES.parsed_ids(allowed), IDENTITIES)
    options = LarkOptions(
        app_id=APP_ID,
        app_secret=secret,
        domain=platform.url,
        data_dir=data,
        webhook=webhook,
        streaming=streaming,
        timeouts=pace,
        call_seconds=call_seconds,
    )
    announced: list[str] = []
    time = clock or PlatformClock(platform.clock)
    adapter = LarkAdapter(options, access, time, announce=announced.append, timer=timer or Hasty())
    if webhook is not None:
        platform.push_to(f"http://{webhook.bind}{webhook.path}")
    async with (
        adapter,
        running(settings, {"lark": adapter}, quiet_seconds=quiet_seconds, access=access) as app,
        asyncio.TaskGroup() as group,
    ):
        she = OnLark(platform, app, adapter, announced)

        async def serve() -> None:
            she.over = await attempt("serving", lambda: adapter.serve(app))

        serving = group.create_task(serve())
        if secret == APP_SECRET:
            await until(lambda: adapter.health.state == "well" or she.over)
        yield she
        serving.cancel()
