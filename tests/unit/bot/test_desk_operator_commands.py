"""The operator's commands, and that nobody else hears from them."""

import asyncio
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from bot.adapters.console.presenter import document_data
from bot.conversation.delivery import ChannelHealth
from bot.conversation.ledger import Ledger
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.desk.services import DeskServices
from bot.identity import AccessLevel
from bot.llm.pace import ServerPace
from bot.llm.resilient import CallTally
from memory.agents import folder_of
from memory.model import AgentSettings, Language
from memory.ports import Usage
from memory.stores.file_store import FileStore
from tests.fakes.chat import FakeChat
from tests.fakes.clock import NOON
from tests.fakes.desk import DeskSession, lines
from tests.fakes.judging import a_turn
from tests.fakes.model import ScriptedModel
from tests.fakes.platforms import IDENTITIES, FakeAdapter

HOME = ConversationKey(platform="telegram", account="7", chat="42")


async def test_the_operator_sees_channels_agents_and_what_a_day_cost(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await ledger.spending.spend(NOON.date(), 850)
    await ledger.inbox.accept(
        Incoming(
            dedupe_key="1",
            conversation=HOME,
            sender=Sender(id="42", name="安"),
            at=NOON,
            text="你好",
        ),
        NOON,
    )
    services = DeskServices(ledger, tmp_path, model="qwen", daily_limit=1000)
    async with DeskSession(
        store=FileStore(folder_of(tmp_path, "a")), services=services
    ) as session:
        await session.ask("/remember 我对花生过敏")
        status = document_data(await session.ask("/status"))
        agents = document_data(await session.ask("/agents"))
        limits = document_data(await session.ask("/limits"))

    assert status["model"] == "qwen"
    assert status["tokens_today"] == "850"
    assert status["channels"][0]["platform"] == "telegram"
    assert status["channels"][0]["waiting"] == "1"
    assert agents["agents"][0]["agent"] == "a"
    assert agents["agents"][0]["memories"] == "1"
    assert date.fromisoformat(limits["days"][0]["key"]) == NOON.date()
    assert limits["days"][0]["colour"] == "yellow"
    assert "花生" not in str((status, agents, limits))
    await ledger.close()


async def test_the_operator_sees_how_judging_goes_and_what_came_from_the_cache(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    pace = ServerPace()
    pace.learn_usage(Usage(prompt_tokens=1_000, cached_tokens=800))
    answers = CallTally(calls=4, seconds=6.0, failures=Counter(timeout=1))
    calls = {"answer": answers, "background": CallTally()}
    services = DeskServices(ledger, tmp_path, model="qwen", pace=pace, calls=calls)
    model = ScriptedModel(["[ADD] 拉面是主人的命", "[SKIP]", *["[BOOST:m7]"] * 2, *["好"] * 2])
    async with DeskSession(services=services, model=model) as session:
        before = document_data(await session.ask("/status"))
        for number in range(1, 5):
            await session.agent.commit(a_turn("拉面是命", turn_id=f"t{number}"))
            await session.agent.background.wait_until_idle()
        status = document_data(await session.ask("/status"))
        told = await session.ask("/limits")

    limits = lines(told)
    assert document_data(told)["calls"] == [
        {"use": "回答", "calls": "4", "failed": "1", "took": "1.5 s"}
    ]
    assert "judging" not in before
    assert status["judging"] == "最近 50 轮：采纳 2，不能采纳 1，读不懂 1"
    assert "800 个 token（提示词的 80%）" in limits
    await ledger.close()


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_status_tells_how_hearing_goes_on_every_platform_that_is_on(
    tmp_path: Path, language: Language
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    now = asyncio.get_running_loop().time()
    services = DeskServices(
        ledger,
        tmp_path,
        platforms={
            "telegram": FakeAdapter(
                FakeChat(),
                FakeChat(),
                health=ChannelHealth("troubled", now - 3570, "conflict"),
            ),
            "lark": FakeAdapter(FakeChat(), FakeChat(), health=ChannelHealth("well", now)),
        },
    )
    settings = AgentSettings(language=language)
    async with DeskSession(settings=settings, services=services) as session:
        answer = await session.ask("/status")
    await ledger.close()

    lark, telegram = document_data(answer)["channels"]
    assert (lark["platform"], lark["hears"]) == ("lark", "well")
    assert (telegram["hears"], telegram["last_at"]) == ("troubled conflict", "–")
    assert {"zh": "另一个程序", "en": "another program"}[language] in lines(answer)
    assert "19:00" in lines(answer), "an hour before noon in UTC, as a clock in Shanghai shows it"


@pytest.mark.parametrize(
    "command", ["/status", "/agents", "/limits", "/backup", "/backup all", "/restore_backup 1"]
)
async def test_only_an_owner_in_private_operates(command: str) -> None:
    async with DeskSession() as session:
        for standing, private in [
            (AccessLevel.ALLOWED, True),
            (AccessLevel.ALLOWED, False),
            (AccessLevel.OWNER, False),
            (AccessLevel.STRANGER, True),
            (AccessLevel.MACHINE, True),
        ]:
            said = await session.says(command, standing=standing, private=private)

            assert "主人" in said
