"""What is told of a running program: whether it lives, whether it is ready, and its numbers."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.conversation.delivery import ChannelHealth
from bot.conversation.ledger import Accepted, Ledger, TurnAnswer
from bot.health import Health, Watched
from bot.llm.resilient import CallTally
from memory.agents import AgentResources, Agents
from memory.model import AgentSettings, Message
from memory.ports import Invalid, Replied, Truncated, Unavailable, Usage
from memory.stores.backups import BACKUPS
from tests.fakes.canaries import facts
from tests.fakes.clock import FakeClock
from tests.fakes.ledger import incoming
from tests.fakes.platforms import IDENTITIES

WELL = ChannelHealth("well", 0.0)
DEAF = ChannelHealth("troubled", 0.0, "unreachable")


@dataclass
class Watchable:
    health: ChannelHealth | None


@dataclass
class Running:
    ledger: Ledger
    agents: Agents
    clock: FakeClock
    platforms: dict[str, Watchable]
    calls: dict[str, CallTally]
    health: Health

    async def numbers(self) -> dict[str, float]:
        said = (await self.health.metrics()).body.decode()
        lines = [line.rsplit(" ", 1) for line in said.splitlines() if not line.startswith("#")]
        return {name: float(number) for name, number in lines}


@asynccontextmanager
async def running(data: Path) -> AsyncIterator[Running]:
    clock = FakeClock()
    ledger = await Ledger.open(data, IDENTITIES)
    agents = Agents(data, AgentResources(clock=clock, model=None, defaults=AgentSettings()))
    platforms, calls = {"telegram": Watchable(WELL)}, {"answer": CallTally()}
    health = Health(
        Watched(
            ledger=ledger,
            agents=agents,
            platforms=platforms,
            calls=calls,
            data=data,
            clock=clock,
        )
    )
    yield Running(ledger, agents, clock, platforms, calls, health)
    await agents.close()
    with suppress(RuntimeError):  # where a test has closed it
        await ledger.close()


async def test_whoever_is_answered_knows_that_she_lives(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        assert (await she.health.live()).status == 200


async def test_she_is_ready_while_every_platform_is_heard(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        well = await she.health.ready()
        she.platforms["lark"] = Watchable(DEAF)
        deaf = await she.health.ready()
        she.platforms["lark"] = Watchable(None)
        terminal = await she.health.ready()

    assert well.status == terminal.status == 200
    assert deaf.status == 503
    assert json.loads(deaf.body) == {
        "ready": False,
        "telegram": "well",
        "lark": "troubled",
        "ledger": "well",
    }


async def test_she_is_not_ready_without_her_ledger(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        await she.ledger.close()
        assert (await she.health.ready()).status == 503


async def test_a_full_disk_is_seen_before_and_after(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        before = await she.numbers()
        for _ in range(3):
            she.ledger.damage.note_unwritable(incoming().conversation, she.clock.now())
        after = await she.numbers()

    assert before["xiaoxiang_disk_free_bytes"] > 0
    assert before["xiaoxiang_messages_refused_total"] == 0
    assert after["xiaoxiang_messages_refused_total"] == 3


async def test_what_came_what_is_owed_and_for_how_long(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        first = await she.ledger.inbox.accept(incoming("1", "你好"), she.clock.now())
        await she.ledger.inbox.accept(incoming("1", "你好"), she.clock.now())
        she.clock.tick(seconds=40)
        await she.ledger.inbox.accept(incoming("2", "在吗"), she.clock.now())
        she.clock.tick(seconds=20)
        before = await she.numbers()
        assert isinstance(first, Accepted)
        turn = await she.ledger.turns.begin((first.message,), she.clock.now())
        answer = TurnAnswer("reply", "在", at=she.clock.now())
        turn = await she.ledger.turns.record_answer(turn, answer)
        turn = await she.ledger.turns.record_sent(turn)
        await she.ledger.turns.record_committed(turn)
        after = await she.numbers()

    assert before['xiaoxiang_messages_received_total{platform="telegram"}'] == 2
    assert before['xiaoxiang_messages_owed{platform="telegram"}'] == 2
    assert before['xiaoxiang_oldest_owed_seconds{platform="telegram"}'] == 60
    assert before['xiaoxiang_answers_sent_total{platform="telegram"}'] == 0
    assert after['xiaoxiang_messages_owed{platform="telegram"}'] == 1
    assert after['xiaoxiang_oldest_owed_seconds{platform="telegram"}'] == 20
    assert after['xiaoxiang_answers_sent_total{platform="telegram"}'] == 1


def test_calls_of_a_model_are_counted_without_what_they_say() -> None:
    tally = CallTally()
    tally.note(Replied("好", usage=Usage(prompt_tokens=100, completion_tokens=20)), 2.0, 0.5)
    tally.note(Unavailable("timeout"), 30.0, None)
    tally.note(Truncated("一半"), 1.0, 0.25)
    tally.note(Invalid("她说：密码是 1234"), 1.0, None)

    assert (tally.calls, tally.seconds, tally.first_word_seconds) == (4, 34.0, 0.75)
    assert (tally.prompt_tokens, tally.answer_tokens) == (100, 20)
    assert tally.failures == {"timeout": 1, "truncated": 1, "invalid": 1}


async def test_memory_nights_and_backups_are_numbers_too(tmp_path: Path) -> None:
    backups = tmp_path / "backups" / "ann"
    backups.mkdir(parents=True)
    async with running(tmp_path) as she:
        empty = await she.numbers()
        agent = await she.agents.get("ann")
        await agent.background.wait_until_idle()
        she.clock.set(datetime(2026, 11, 23, tzinfo=UTC))
        (backups / "20261122T000000000000Z-hand.json").write_text("{}")
        she.health.note_night()
        she.health.note_night(failed=True)
        full = await she.numbers()

    assert "xiaoxiang_last_backup_timestamp" not in empty
    assert (
        full["xiaoxiang_last_backup_timestamp"] == datetime(2026, 11, 22, tzinfo=UTC).timestamp()
    )
    assert (full["xiaoxiang_nights_total"], full["xiaoxiang_nights_failed_total"]) == (1, 1)
    assert full["xiaoxiang_last_night_timestamp"] == she.clock.now().timestamp()
    assert full["xiaoxiang_store_commits_total"] > 0


async def test_a_backup_of_the_future_silences_no_alarm(tmp_path: Path) -> None:
    backups = tmp_path / "backups" / "ann"
    backups.mkdir(parents=True)
    async with running(tmp_path) as she:
        she.clock.set(datetime(2026, 11, 23, tzinfo=UTC))
        (backups / "20350101T000000000000Z-night.json").write_text("{}")
        alone = await she.numbers()
        (backups / "20261122T000000000000Z-night.json").write_text("{}")
        both = await she.numbers()

    # No time at all would be no alarm either.
    assert alone["xiaoxiang_last_backup_timestamp"] == 0
    assert (
        both["xiaoxiang_last_backup_timestamp"] == datetime(2026, 11, 22, tzinfo=UTC).timestamp()
    )


async def test_what_was_erased_from_a_backup_makes_it_no_newer(tmp_path: Path) -> None:
    backups = tmp_path / "backups" / "ann"
    backups.mkdir(parents=True)
    async with running(tmp_path) as she:
        she.clock.set(datetime(2026, 11, 30, tzinfo=UTC))
        (backups / "20261122T000000000000Z-night.json").write_text("{}")  # written by this moment
        told = await she.numbers()

    assert (
        told["xiaoxiang_last_backup_timestamp"] == datetime(2026, 11, 22, tzinfo=UTC).timestamp()
    )


async def test_no_word_and_no_person_is_among_the_numbers(tmp_path: Path) -> None:
    async with running(tmp_path) as she:
        said = facts(3)
        for number, fact in enumerate(said):
            message = replace(incoming(f"m{number}", f"记住：{fact}"), quoted=fact)
            await she.ledger.inbox.accept(message, she.clock.now() + timedelta(seconds=number))
        agent = await she.agents.get("tg-88001")
        spoken = [
            Message(id=f"s{n}", at=she.clock.now(), speaker="安安", role="user", text=fact)
            for n, fact in enumerate(said)
        ]
        await agent.listen("telegram:1:88001:", spoken)
        she.calls["answer"].note(Invalid(said[0]), 1.0, None)
        answers = [await she.health.live(), await she.health.ready(), await she.health.metrics()]

    told = b"".join(each.body for each in answers).decode()
    names = ("88001", "安安", "tg-")
    assert not [fact for fact in (*said, *names) if fact in told]
    assert not re.search(r"[^\x00-\x7f]", told)


@pytest.mark.parametrize("name", ["xiaoxiang_messages_received", "xiaoxiang_store_commits"])
async def test_the_format_is_what_prometheus_reads(tmp_path: Path, name: str) -> None:
    async with running(tmp_path) as she:
        said = await she.health.metrics()

    found = {each.name: each for each in text_string_to_metric_families(said.body.decode())}
    assert found[name].type == "counter"
    assert found[name].documentation
    assert said.kind.startswith("text/plain")


async def test_the_dashboard_shows_numbers_that_she_tells_and_all_that_warn(
    tmp_path: Path,
) -> None:
    board = json.loads((Path(__file__).parents[3] / "deploy/grafana.json").read_text("utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    shown = set(re.findall(r"xiaoxiang_\w+", " ".join(asked)))
    async with running(tmp_path) as she:
        she.health.note_night()
        backup = tmp_path / BACKUPS / "a" / "20200101T000000000000Z-night.json"
        backup.parent.mkdir(parents=True)
        backup.write_text("{}")
        said = (await she.health.metrics()).body.decode()
    # Of each family also those that have no value yet, such as failures by their reason.
    families = re.findall(r"^# TYPE (\w+) ", said, re.MULTILINE)
    told = {*families, *(name + "_total" for name in families)}

    assert not shown - told
    assert {"xiaoxiang_platform_up", "xiaoxiang_disk_free_bytes"} <= shown
    assert {"xiaoxiang_messages_refused_total", "xiaoxiang_nights_failed_total"} <= shown
