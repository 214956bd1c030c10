"""Telegram and Lark in one program, on their real libraries: one person, two chats, one memory."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.adapters.lark.adapter import LarkAdapter, LarkOptions
from bot.adapters.lark.sdk import load_sdk
from bot.adapters.telegram.adapter import TelegramAdapter, TelegramOptions
from bot.app import running
from bot.desk.documents import Adapters
from bot.identity import Access
from bot.settings import Settings
from bot.tasks import Supervisor, attempt
from memory.agents import agent_ids
from memory.ports import SystemClock
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_program import PACE, Hasty, OnLark
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.platforms import IDENTITIES
from tests.fakes.telegram_program import OnTelegram
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer
from tests.fakes.waiting import until


@dataclass(frozen=True)
class Both:
    telegram: OnTelegram
    lark: OnLark

    async def on_telegram(self, text: str) -> str:
        """Write on Telegram and return the answer."""
        before = len(self.telegram.server.texts(ANN))
        self.telegram.server.says(text)
        return (await self.telegram.answers(before + 1))[-1]

    async def on_lark(self, text: str) -> str:
        """Write on Lark and return the answer."""
        before = len(self.lark.answers_now())
        self.lark.platform.say(text)
        return (await self.lark.answers(before + 1))[-1]

    async def tap(self, number: int) -> str:
        """Press a button under the newest message on Telegram and return what comes of it."""
        *_, message = [m for m in self.telegram.server.messages.values() if m.chat == ANN]
        data = [each["callback_data"] for row in message.keyboard for each in row][number]
        before = self.telegram.server.texts(ANN)
        under = {"message_id": message.id, "date": 1, "chat": {"id": ANN, "type": "private"}}
        person = {"id": ANN, "is_bot": False, "first_name": "安"}
        query = {"id": f"q{data[:8]}", "from": person, "chat_instance": "1", "data": data}
        self.telegram.server.push({"callback_query": {**query, "message": under}})
        await until(lambda: self.telegram.server.texts(ANN) != before)
        await self.telegram.settled()
        return self.telegram.server.texts(ANN)[-1]

    async def press(self, number: int) -> None:
        """Press a button of the newest card on Lark."""
        card = self.lark.answers_now()[-1]
        await self.lark.platform.press(card.id, card.buttons[number], LARK_ANN)
        await until(lambda: self.lark.answers_now()[-1].text != card.text)
        await self.lark.settled()


@asynccontextmanager
async def both(data: Path) -> AsyncIterator[Both]:
    await load_sdk()
    settings = Settings(data_dir=data, capture_notice=False)
    access = Access(IDENTITIES.parsed_ids(f"telegram:{ANN},lark:{LARK_ANN}"), (), IDENTITIES)
    announced: list[str] = []
    async with AsyncExitStack() as open_:
        server = await open_.enter_async_context(TelegramServer())
        platform = await open_.enter_async_context(LarkPlatform())
        telegram = TelegramAdapter(
            TelegramOptions(
                token=TOKEN,
                api_base=server.api_base,
                data_dir=data,
                webhook=None,
                poll_seconds=1.0,
                call_seconds=5.0,
            ),
            access,
            SystemClock(),
            announce=announced.append,
        )
        lark = LarkAdapter(
            LarkOptions(
                app_id=APP_ID,
                app_secret=APP_SECRET,
                domain=platform.url,
                data_dir=data,
                webhook=None,
                streaming=True,
                timeouts=PACE,
                call_seconds=5.0,
            ),
            access,
            SystemClock(),
            announce=announced.append,
            timer=Hasty(),
        )
        await open_.enter_async_context(telegram)
        await open_.enter_async_context(lark)
        adapters: Adapters = {"telegram": telegram, "lark": lark}
        app = await open_.enter_async_context(
            running(settings, adapters, quiet_seconds=0.0, access=access)
        )
        serving = Supervisor()
        open_.push_async_callback(serving.stop, 0.0)
        serving.start("telegram", attempt("serving", lambda: telegram.serve(app)))
        serving.start("lark", attempt("serving", lambda: lark.serve(app)))
        she = Both(OnTelegram(server, app, telegram), OnLark(platform, app, lark))
        await until(lambda: lark.health.state == "well")
        yield she


async def test_what_is_told_on_telegram_is_known_on_lark_once_both_agreed(tmp_path: Path) -> None:
    async with both(tmp_path) as she:
        await she.on_telegram("记住：我对花生过敏")
        await she.on_lark("记住：我养了一只猫叫团子")
        code = (await she.on_telegram("/link")).split("：")[1].split()[0]
        asked = await she.on_lark(f"/关联 {code}")
        before = len(she.telegram.server.texts(ANN))
        await she.press(0)
        shown = (await she.telegram.answers(before + 1))[-1]
        done = await she.tap(0)
        known = [await she.on_lark("我对什么过敏？"), await she.on_telegram("我的猫叫什么？")]
        agents = agent_ids(tmp_path)
        await she.on_telegram("/unlink")
        parted = await she.tap(0)
        empty = await she.on_lark("我对什么过敏？")

    assert f"({ANN})" in asked
    assert "花生" not in asked
    assert f"({LARK_ANN})" in shown
    assert done.startswith("接好了")
    assert "花生" in known[0]
    assert "团子" in known[1]
    assert agents == [f"tg-p-{ANN}"]
    assert parted.startswith("分开了")
    assert "花生" not in empty
