"""The whole program, put together as it runs, against a model server of our own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app import App, running
from bot.conversation.ledger import Ledger
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.conversation.turn_ends import ATTEMPTS
from bot.sections import SecretStr
from bot.settings import Settings
from memory.changes import Put
from memory.laws.registry import LAWS
from memory.model import Tier
from memory.state import MemoryState
from memory.stores.backups import Backups
from memory.stores.codec import state_digest
from tests.fakes.chat import FakeChat
from tests.fakes.clock import FakeClock, FakeMachineClock
from tests.fakes.openai_answers import Behaviour, chunk, cut, error, events, raw, say
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.owed import until_nothing_is_owed
from tests.fakes.platforms import IDENTITIES, adapters_of, only_a_terminal
from tests.fakes.waiting import unless_it_hangs

pytestmark = pytest.mark.usefixtures("quick_time")

EVENING = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
PLANTED = "sk-planted-9f3e"
PLACE = ConversationKey(platform="console", account="local", chat="local")


def settings(data: Path, server: OpenAIServer | None = None) -> Settings:
    return Settings(
        capture_notice=False,
        data_dir=data,
        llm_base_url=server.base_url if server else "",
        llm_model="test-model" if server else "",
        llm_api_key=SecretStr(PLANTED),
    )


class Partner:
    """Someone who talks with 小祥 and waits for each answer."""

    def __init__(self, app: App, chat: FakeChat, clock: FakeClock | FakeMachineClock) -> None:
        self.app, self.chat, self.clock = app, chat, clock
        self._said = 0

    async def say(self, text: str, *, key: str = "") -> str:
        before = len(self.chat.finals())
        self._said += 1
        await self.app.intake.receive(
            Incoming(
                dedupe_key=key or f"{self.clock.now():%d%H%M}-{self._said}",
                conversation=PLACE,
                sender=Sender(id="local", name="主人"),
                at=self.clock.now(),
                text=text,
            )
        )
        return await self.hears(before + 1)

    async def hears(self, count: int) -> str:
        shown = asyncio.Event()
        self.chat.listeners.append(lambda _: shown.set())
        async with unless_it_hangs():
            while len(self.chat.finals()) < count:
                await shown.wait()
                shown.clear()
        return self.chat.finals()[-1]

    async def settled(self) -> None:
        """Wait until the turn is over and its background is done."""
        agent = await self.app.agents.get("local")
        await until_nothing_is_owed(self.app.intake, ["console"])
        await agent.background.wait_until_idle()


@asynccontextmanager
async def partner(
    data: Path, clock: FakeClock | FakeMachineClock, server: OpenAIServer | None = None
) -> AsyncIterator[Partner]:
    chat = FakeChat()
    platforms = adapters_of(chat, "console")
    async with running(
        settings(data, server),
        platforms,
        only_a_terminal(),
        clock=clock,
        quiet_seconds=0.0,
        offline=server is None,
    ) as app:
        yield Partner(app, chat, clock)


async def test_what_was_told_is_in_the_prompt_after_a_restart_with_its_date(
    tmp_path: Path,
) -> None:
    clock = FakeClock(EVENING)
    async with OpenAIServer(lambda asked: "好的") as server:
        async with partner(tmp_path, clock, server) as ann:
            server.next(say("记下啦"), say("[SKIP]"))
            await ann.say("记住：团子是三花猫，去年从楼下捡的")
            await ann.settled()
        clock.tick(days=3)
        server.asked.clear()

        async with partner(tmp_path, clock, server) as ann:
            await ann.say("团子是什么花色的猫？")
            asked = next(each for each in server.asked if "花色" in each.last)

    assert "团子是三花猫" in asked.prompt
    assert "2026-03-04" in asked.prompt or "3月4日" in asked.prompt


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(error(500, f"boom {PLANTED}"), id="500"),
        pytest.param(raw("<html>busy</html>", "text/html"), id="html with status 200"),
        pytest.param(cut(chunk("半句话就")), id="half a stream"),
        pytest.param(events(chunk("没有说完")), id="a stream without an end"),
        pytest.param(say(""), id="nothing"),
    ],
)
async def test_a_failing_server_costs_the_partner_nothing_but_time(
    tmp_path: Path, fault: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock(EVENING)
    async with OpenAIServer() as server, partner(tmp_path, clock, server) as ann:
        agent = await ann.app.agents.get("local")
        server.always(fault)

        apology = await ann.say("今天好累")

        assert PLANTED not in apology + caplog.text
        assert "boom" not in apology
        assert not agent.state.memories
        assert [line.message.text for line in agent.state.diary.values()] == ["今天好累"]
        server.always(None)
        server.personality = lambda asked: "辛苦啦，抱抱" if "今天好累" in asked.last else "[SKIP]"
        clock.tick(minutes=20)
        await ann.app.intake.wake_due(["console"])
        answer = await ann.hears(2)

    assert answer == "辛苦啦，抱抱"


async def test_a_page_where_the_model_was_is_an_outage_however_long_it_stands(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = FakeClock(EVENING)
    async with OpenAIServer() as server, partner(tmp_path, clock, server) as ann:
        server.always(raw(f"<html>{PLANTED}</html>", "text/html"))
        assert "网页" in await ann.say("周三我去厦门出差")
        for _ in range(1, ATTEMPTS):
            clock.tick(minutes=20)
            await ann.app.intake.wake_due(["console"])
            async with unless_it_hangs():
                while ann.app.supervisor.running:
                    await asyncio.sleep(0.002)

        server.always(None)
        server.personality = lambda asked: "好呀" if "厦门" in asked.last else "[SKIP]"
        clock.tick(minutes=20)
        await ann.app.intake.wake_due(["console"])
        await ann.hears(2)
        said = ann.chat.finals()

    assert "web_page" in caplog.text
    assert PLANTED not in caplog.text
    assert said[1:] == ["好呀"]


@pytest.mark.parametrize(
    ("told", "kept", "more"),
    [
        ("我对花生过敏。拉面救过我的命。", "主人对花生过敏", "拉面救过主人的命"),
        ("I'm allergic to peanuts.", "主人 is allergic to peanuts", ""),
    ],
    ids=["zh", "en"],
)
@pytest.mark.parametrize(
    ("fault", "away"),
    [(error(500, PLANTED), True), (error(401, PLANTED), True), (say(""), False)],
    ids=["500", "401", "empty"],
)
async def test_what_the_rules_learn_waits_for_no_model(
    tmp_path: Path, fault: Behaviour, told: str, kept: str, more: str, *, away: bool
) -> None:
    clock = FakeClock(EVENING)
    async with OpenAIServer() as server:
        server.always(fault)
        async with partner(tmp_path, clock, server) as ann:
            await ann.say(told)
            agent = await ann.app.agents.get("local")
            await agent.background.wait_until_idle()
            assert facts_in(agent.state) == [kept]
            clock.tick(minutes=1)
            await ann.app.intake.wake_due(["console"])

        # Started again while the server is still away, and once more when it answers.
        async with partner(tmp_path, clock, server) as ann:
            agent = await ann.app.agents.get("local")
            await agent.background.wait_until_idle()
            assert facts_in(agent.state) == [kept]

        server.always(None)
        judged = f"[ADD] {more}" if more else "[SKIP]"
        server.personality = lambda asked: judged if "[ADD" in asked.prompt else "Noted."
        async with partner(tmp_path, clock, server) as ann:
            agent = await ann.app.agents.get("local")
            clock.tick(minutes=20)
            await ann.app.intake.wake_due(["console"])
            await ann.hears(1)
            await ann.settled()
            lines = [line.message.text for line in agent.state.diary.values()]
            facts = facts_in(agent.state)

    assert lines == [told, "Noted."]
    # A model that was there, and answered nothing useful twice, is asked again at night.
    assert facts == [kept, *([more] if more and away else [])]


def facts_in(state: MemoryState) -> list[str]:
    return [each.words.text for each in state.memories.values() if each.is_living_fact]


async def test_garbage_from_the_background_leaves_what_the_rules_keep(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    async with OpenAIServer() as server, partner(tmp_path, clock, server) as ann:
        server.personality = lambda asked: "[DELETE:m1][ADD ] [UPDATE:m9"

        await ann.say("我喜欢拉面。拉面救过我的命。")
        await ann.settled()
        state = (await ann.app.agents.get("local")).state

    assert [memory.words.text for memory in state.memories.values()] == ["主人喜欢拉面"]
    assert [receipt.outcome for receipt in state.receipts.values()] == ["parked"]


async def test_forty_messages_over_two_days_are_told_with_their_dates(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    first_day = ["今天打了一下午塞尔达，卡在水神殿", "游戏里的谜题真难", "后来上网查了攻略"]
    second_day = ["今天去面试了，面试官问了很多算法题", "面试有点紧张", "希望能拿到录用通知"]
    async with partner(tmp_path, clock) as ann:
        for day in (first_day, second_day):
            for number in range(10):
                await ann.say(day[number % 3] + "。" * (number // 3))
                clock.tick(minutes=2)
            await ann.settled()
            if day is first_day:
                clock.tick(hours=23)

        just_now = await ann.say("刚才聊了什么？")
        yesterday = await ann.say("昨天聊了什么？")
        last_time = await ann.say("上次聊游戏是什么时候？")

    assert "面试" in just_now
    assert "塞尔达" not in just_now
    assert "游戏" in yesterday or "塞尔达" in yesterday
    assert "3月4日" in last_time or "昨天" in last_time


async def test_the_same_delivery_twice_is_answered_once(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    async with partner(tmp_path, clock) as ann:
        await ann.say("你好", key="same")
        message = Incoming(
            dedupe_key="same",
            conversation=PLACE,
            sender=Sender(id="local", name="主人"),
            at=clock.now(),
            text="你好",
        )
        await ann.app.intake.receive(message)
        await ann.settled()

        assert len(ann.chat.finals()) == 1


async def test_commands_are_answered_by_the_desk_and_never_remembered(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    async with partner(tmp_path, clock) as ann:
        await ann.say("记住：我对花生过敏")

        for command in ("/memory list", "/记忆", "/help", "/memory show #1", "/memory nonsense"):
            await ann.say(command)
        state = (await ann.app.agents.get("local")).state

    assert [m.words.text for m in state.memories.values() if m.nature.tier is Tier.FACT] == [
        "我对花生过敏"
    ]
    assert not any("/memory" in line.text for w in state.windows.values() for line in w.lines)


async def test_what_came_while_she_was_away_gets_one_answer_and_is_remembered(
    tmp_path: Path,
) -> None:
    clock = FakeClock(EVENING)
    texts = ("我到家啦", "今天路上堵了一小时", "你在吗？")
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    for number, text in enumerate(texts):
        message = Incoming(
            dedupe_key=f"away-{number}",
            conversation=PLACE,
            sender=Sender(id="local", name="主人"),
            at=clock.now(),
            text=text,
        )
        await ledger.inbox.accept(message, clock.now())
        clock.tick(minutes=1)
    await ledger.close()
    clock.tick(minutes=30)

    async with OpenAIServer(lambda asked: "我在，路上辛苦啦") as server:
        async with partner(tmp_path, clock, server) as ann:
            answer = await ann.hears(1)
            await ann.settled()
            window = (await ann.app.agents.get("local")).window(str(PLACE))

            assert answer == "我在，路上辛苦啦"
            assert len(ann.chat.finals()) == 1
        asked = server.asked[0].prompt

    assert all(text in asked for text in texts)
    assert [line.text for line in window if line.role == "user"] == list(texts)


@pytest.mark.parametrize("law", [each.name for each in LAWS])
async def test_a_clock_ten_years_ahead_makes_her_forget_nothing(tmp_path: Path, law: str) -> None:
    clock = FakeMachineClock(EVENING)
    async with partner(tmp_path, clock) as ann:
        await ann.say("我叫安，住在成都，喜欢爬山")
        await ann.settled()
        agent = await ann.app.agents.get("local")
        await agent.choose_law(law)
        before = set(agent.state.memories)
        clock.set(EVENING + timedelta(days=3650))  # while she runs
        await live_three_nights(ann.app, clock)
        assert {m.id for m in agent.state.memories.values() if m.is_active} == before
    clock.boot()
    async with partner(tmp_path, clock) as ann:  # and across a restart
        await live_three_nights(ann.app, clock)
        agent = await ann.app.agents.get("local")
        assert {m.id for m in agent.state.memories.values() if m.is_active} == before


async def live_three_nights(app: App, clock: FakeMachineClock) -> None:
    for _ in range(3):
        clock.tick(days=1)
        await app.nights.catch_up("local")
        async with unless_it_hangs():
            while app.supervisor.running:
                await asyncio.sleep(0)


async def test_the_night_takes_what_is_too_old_out_of_backups_as_well(tmp_path: Path) -> None:
    clock, words = FakeMachineClock(EVENING), "今天在琥珀街看见一只三花猫"
    async with partner(tmp_path, clock) as ann:
        await ann.say(words)
        await ann.settled()
        agent = await ann.app.agents.get("local")
        backups = Backups(tmp_path, "local")
        made = backups.write(agent.state, clock.now(), "hand")
        held = (backups.folder / made.name).read_bytes()
        kept = replace(agent.state.agent_info.settings, diary_days=1)
        info = replace(agent.state.agent_info, settings=kept)
        await agent.steer(lambda state, index: [Put(info)])
        await live_three_nights(ann.app, clock)
        left = [file.read_bytes() for file in backups.folder.iterdir()]

    assert words.encode() in held
    assert not any(words.encode() in each for each in left)
    assert not agent.state.diary


async def test_every_night_is_backed_up_by_itself(tmp_path: Path) -> None:
    clock = FakeMachineClock(EVENING)
    async with partner(tmp_path, clock) as ann:
        await ann.say("记住：我对花生过敏")
        await ann.settled()
        await live_three_nights(ann.app, clock)
        agent = await ann.app.agents.get("local")
        backups = Backups(tmp_path, "local")
        made = backups.list_all()
        held = await asyncio.to_thread(backups.read, made[0].name)

    assert [each.cause for each in made] == ["night"] * 3
    assert state_digest(held.state) == state_digest(agent.state)


async def test_after_a_gap_of_years_the_owner_is_asked_once_and_a_yes_ends_the_doubt(
    tmp_path: Path,
) -> None:
    clock = FakeMachineClock(EVENING)
    async with partner(tmp_path, clock) as ann:
        await ann.say("记住：我对花生过敏")
    clock.boot()
    clock.set(EVENING + timedelta(days=3652))
    async with partner(tmp_path, clock) as ann:
        await ann.say("你好")
        await ann.say("在吗")
        await ann.hears(3)  # two answers, and her question among them
        asked = [shown for shown in ann.chat.finals() if "真的是 2036 年吗" in shown]
        assert len(asked) == 1
        assert ann.app.clock_watch.check()
        assert "2036" in await ann.say("/clock right")
        assert not ann.app.clock_watch.check()
        await live_three_nights(ann.app, clock)
        state = (await ann.app.agents.get("local")).state
        assert state.agent_info.settled_at == clock.now()
