"""Several workers of one database: each partner is answered once, by whoever owns their agent."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.adapters.incoming import ATTEMPTS, Pairing
from bot.conversation.ledger.ownership import Ownership
from bot.conversation.ledger.wakes import NIGHT
from bot.conversation.messages import Incoming, Sender
from bot.data_folder import open_storage, share_pairing
from bot.identity import Access, Author, PlatformId, pairing_code_file
from bot.initiative import Reminding
from bot.sections import SecretStr
from bot.settings import Settings
from memory.errors import StoreError, StoreLocked
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.group_program import ANN, BEN, CEM, GroupProgram, Screen, chat_of, group_program
from tests.fakes.platforms import IDENTITIES
from tests.fakes.waiting import unless_it_hangs, until

pytestmark = pytest.mark.usefixtures("quick_time")

pytest.importorskip("psycopg_pool")

AGENT = "tg-p-42"
STRANGER = Sender(id="99", name="Zoe")


@pytest.fixture(autouse=True)
def looking_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.dispatch.fleet.LOOK_SECONDS", 0.1)
    monkeypatch.setattr("bot.dispatch.owned_agents.HANDED_SECONDS", 0.3)


@asynccontextmanager
async def worker(home: Path, url: str, screen: Screen, name: str) -> AsyncIterator[GroupProgram]:
    """Run one more worker on the same platform, with a folder of its own."""
    clock = FakeClock(NOON)
    async with group_program(
        home / name, database=url, screen=screen, clock=clock, workers=True
    ) as one:
        yield one


@asynccontextmanager
async def two_workers(home: Path, url: str) -> AsyncIterator[tuple[GroupProgram, GroupProgram]]:
    screen = Screen()
    async with worker(home, url, screen, "a") as a, worker(home, url, screen, "b") as b:
        yield a, b


def owns(place: GroupProgram) -> int:
    counted = place.app.workers.numbers()
    assert counted is not None
    return counted.agents


async def test_what_one_worker_hears_is_answered_by_the_one_that_owns_the_agent(
    tmp_path: Path, url: str
) -> None:
    async with two_workers(tmp_path, url) as (a, b):
        await a.say(ANN, "我喜欢拉面")
        first = owns(a), owns(b)
        for number in range(4):
            answer = await (a, b)[number % 2].say(ANN, "我喜欢吃什么？")
            assert "拉面" in answer
        counted = owns(a), owns(b)
        finals = len(a.screen.finals(chat_of(ANN)))

    assert sorted(first) == [0, 1]
    assert counted == first
    assert finals == 5


async def test_many_partners_are_answered_once_each_and_in_order(tmp_path: Path, url: str) -> None:
    async with two_workers(tmp_path, url) as (a, b):
        for number in range(6):
            for who in (ANN, BEN, CEM):
                await (a, b)[number % 2].hear(who, f"/remember 我的第{number}件事是看书{number}")
        screen = a.screen
        await until(lambda: len(screen.documents) >= 18)
        shown = [
            [str(doc) for at, doc in screen.documents if at == chat_of(who)]
            for who in (ANN, BEN, CEM)
        ]
        together = owns(a) + owns(b)

    assert together == 3
    for documents in shown:
        assert len(documents) == 6
        assert all(f"看书{number}" in said for number, said in enumerate(documents))


async def test_who_ends_leaves_its_agents_to_the_others_and_they_know_what_was_told(
    tmp_path: Path, url: str
) -> None:
    screen = Screen()
    async with worker(tmp_path, url, screen, "a") as a:
        async with worker(tmp_path, url, screen, "b") as b:
            # Whoever owns it ends.
            await b.say(ANN, "I like ramen")
            stays = owns(b) == 0
        answer = await a.say(ANN, "What do I like to eat?")
        taken = owns(a)

    assert "ramen" in answer
    assert taken == 1 or stays


async def test_who_is_cut_off_sends_and_writes_nothing_once_another_took_over(
    tmp_path: Path, url: str
) -> None:
    async with two_workers(tmp_path, url) as (a, b):
        await a.say(ANN, "我喜欢拉面")
        old, new = (a, b) if owns(a) else (b, a)
        agent = await old.memory(AGENT)
        ownership: Ownership = new.app.workers.ownership  # type: ignore[attr-defined]
        lost: Any = old.app.workers
        # As after a machine that hung: its lease is another's by now.
        await ownership._run(
            lambda c: c.execute(
                "UPDATE leases SET worker = %s, fence = fence + 1 WHERE folder = %s",
                (ownership.worker, f"agents/{AGENT}"),
            )
        )
        with pytest.raises(StoreError):
            await agent.steer(lambda state, _: [*state_changes(state)])
        await until(lambda: lost.numbers().lost == 1)
        answer = await old.say(ANN, "我喜欢吃什么？")
        counted = owns(old), owns(new)
        finals = len(old.screen.finals(chat_of(ANN)))

    assert "拉面" in answer
    assert finals == 2
    assert counted == (0, 1)


def state_changes(state: Any) -> Any:
    from memory.changes import Put  # noqa: PLC0415

    info = state.agent_info
    return [Put(replace(info, settings=replace(info.settings, notices=False)))]


async def test_what_only_one_may_do_is_done_by_one_and_taken_over_when_it_ends(
    tmp_path: Path, url: str
) -> None:
    at_it: list[str] = []

    def polling(name: str) -> Callable[[], Any]:
        async def poll() -> None:
            at_it.append(name)
            try:
                await asyncio.Event().wait()
            finally:
                at_it.remove(name)

        return poll

    async with two_workers(tmp_path, url) as (a, b), asyncio.TaskGroup() as group:
        waited: list[str] = []
        tasks = {
            name: group.create_task(
                each.app.alone_in("telegram 7", polling(name), lambda: waited.append("waits"))
            )
            for name, each in (("a", a), ("b", b))
        }
        await until(lambda: at_it and waited)
        (first,) = at_it
        tasks.pop(first).cancel()
        await until(lambda: at_it and at_it != [first])
        assert len(at_it) == 1
        for task in tasks.values():
            task.cancel()


async def test_a_worker_hands_an_agent_to_whoever_asks_for_it(tmp_path: Path, url: str) -> None:
    async with two_workers(tmp_path, url) as (a, b):
        await a.say(ANN, "我喜欢拉面")
        holder, other = (a, b) if owns(a) else (b, a)
        # What was said is judged after it was answered; whoever takes over would judge it later.
        await (await holder.memory(AGENT)).background.wait_until_idle()
        agent = await other.memory(AGENT)
        assert "拉面" in str([each.words.text for each in agent.state.memories.values()])
        assert owns(holder) == 0
        answer = await holder.say(ANN, "我喜欢吃什么？")
        assert "拉面" in answer
        assert owns(other) == 1


async def test_one_program_and_several_workers_do_not_talk_from_one_database(
    tmp_path: Path, url: str
) -> None:
    async def begins(name: str, *, workers: bool) -> bool:
        try:
            async with AsyncExitStack() as opening:
                place = group_program(tmp_path / name, database=url, workers=workers)
                await opening.enter_async_context(place)
                return True
        except StoreLocked:
            return False

    async with group_program(tmp_path / "sole", database=url):
        assert not await begins("a", workers=True)
    async with group_program(tmp_path / "b", database=url, workers=True):
        assert not await begins("c", workers=False)
        assert await begins("d", workers=True)
    assert await begins("e", workers=False)


async def test_a_night_is_lived_through_by_one_worker_once(tmp_path: Path, url: str) -> None:
    async with two_workers(tmp_path, url) as (a, b):
        await a.say(ANN, "我喜欢拉面")
        await a.say(BEN, "I have a dog called Rex")
        # Both began to talk after the workers had planned the nights of everybody they knew.
        await a.app.workers.plan_nights()  # type: ignore[attr-defined] # Fleet's
        before = await with_nothing_due(a, b)
        for each in (a, b):
            each.clock.tick(hours=20)
        after = await with_nothing_due(a, b)
        coming = await all_nights(a)

    assert after == before + 2
    assert all(at > NOON + timedelta(hours=20) for at in coming)
    assert len(coming) == 2


async def with_nothing_due(a: GroupProgram, b: GroupProgram) -> int:
    """Let both look until no night is due or under way; return how many were lived through."""
    waits = True
    while waits:
        waits = False
        for each in (a, b):
            await each.app.reminding.look()
            # A worker sees what is due of its own agents.
            due = await each.app.reminding.ledger.wakes.due(each.clock.now())
            waits = waits or bool(due or each.app.nights.under_way)
        await asyncio.sleep(0.05)
    return nights(a) + nights(b)


def nights(place: GroupProgram) -> int:
    return place.app.health._nights.done


async def all_nights(place: GroupProgram) -> list[Any]:
    from datetime import datetime  # noqa: PLC0415

    ownership: Ownership = place.app.workers.ownership  # type: ignore[attr-defined]
    query = "SELECT at FROM wakes WHERE item = %s"
    found = await ownership._run(lambda c: c.execute(query, (NIGHT,)).fetchall())
    return [datetime.fromisoformat(at) for (at,) in found]


async def test_a_full_worker_leaves_what_is_new_to_others_and_makes_room_in_the_end(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.dispatch.owned_agents.SPARED_SECONDS", 0.2)
    screen = Screen()
    async with worker(tmp_path, url, screen, "a") as a:
        a.app.workers.owned.most = 1  # type: ignore[attr-defined]
        await a.say(ANN, "我喜欢拉面")
        answer = await a.say(BEN, "I like tea")
        alone = owns(a)
        async with worker(tmp_path, url, screen, "b") as b:
            await a.say(CEM, "我喜欢爬山")
            assert owns(a) + owns(b) >= 1

    assert answer
    assert alone == 1


async def test_who_was_let_in_at_one_worker_may_talk_to_all(tmp_path: Path, url: str) -> None:
    guest = PlatformId("telegram", "99")

    def level(place: GroupProgram) -> str:
        return place.app.intake._gate._access.level_of(Author("telegram", "99", "99")).name

    async with two_workers(tmp_path, url) as (a, b):
        await a.order(ANN, f"/people in telegram:{guest.id}")
        await until(lambda: level(a) == level(b) == "ALLOWED")
        await b.order(ANN, f"/people out telegram:{guest.id}")
        await until(lambda: level(a) == level(b) == "STRANGER")


async def begin_to_pair(home: Path, url: str) -> None:
    """Do what a worker does before its adapters ask for a code."""
    home.mkdir()
    async with open_storage(Settings(data_dir=home, database_url=SecretStr(url))) as storage:
        await share_pairing(storage, ["telegram"])


async def test_who_pairs_at_one_worker_by_the_code_of_another_owns_all(
    tmp_path: Path, url: str
) -> None:
    home = {name: tmp_path / name for name in ("a", "b")}
    for path in home.values():
        await begin_to_pair(path, url)
    asked = {name: Pairing(path, "telegram", wanted=True) for name, path in home.items()}
    code = asked["a"].code
    said = Incoming(
        dedupe_key="pair",
        conversation=chat_of(STRANGER),
        sender=STRANGER,
        at=NOON,
        text=code,
        private=True,
        addressed=True,
    )

    def access(place: GroupProgram) -> Access:
        return place.app.intake._gate._access

    async with two_workers(tmp_path, url) as (a, b):
        for _ in range(ATTEMPTS):  # b asks for the next one by now, a for the first
            asked["b"].accept_code(replace(said, text="AAAAAAA2"), access(b))
        paired = asked["a"].accept_code(replace(said, text=asked["b"].code), access(a))
        await until(lambda: STRANGER.id in access(b).owners("telegram"))
        again = asked["b"].accept_code(replace(said, text=asked["b"].code), access(b))

    assert asked["b"].code == ""
    assert (paired, again) == (True, False)
    await begin_to_pair(tmp_path / "c", url)
    owners = IDENTITIES.paired_owner(tmp_path / "c", "telegram")
    assert {each.id for each in owners} == {STRANGER.id}
    assert not pairing_code_file(tmp_path / "c", "telegram").exists()


async def test_a_reminder_rings_once_though_its_worker_is_gone(tmp_path: Path, url: str) -> None:
    screen = Screen()
    async with worker(tmp_path, url, screen, "a") as a:
        await a.say(ANN, "10分钟后提醒我关火 m-7")
        await a.settled()
        assert isinstance(a.app.reminding, Reminding)
    async with worker(tmp_path, url, screen, "b") as b, worker(tmp_path, url, screen, "c") as c:
        for each in (b, c):
            each.clock.tick(hours=1)
        async with unless_it_hangs():
            while not bells(screen):
                await asyncio.sleep(0.01)
        await asyncio.sleep(1.0)
        rung = bells(screen)

    assert rung == 1


def bells(screen: Screen) -> int:
    return sum("⏰" in str(document) for _, document in screen.documents)
