"""The agents of one data folder: isolated, shared while used, closed when idle."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory import refusals
from memory.agents import IDLE, AgentResources, Agents, agent_ids, folder_of, read_state
from memory.changes import AgentInfo, DiaryLine, Put
from memory.errors import InputRefused, StoreLocked, StoreUnwritable, UnknownAgent
from memory.model import AgentSettings
from memory.stores.backups import Backups
from memory.stores.file_store import FileStore
from tests.builders import a_message, a_stretch
from tests.fakes.clock import NOON, FakeClock


@pytest.fixture
async def agents(tmp_path: Path) -> AsyncIterator[Agents]:
    opened = Agents(
        tmp_path, AgentResources(clock=FakeClock(), model=None, defaults=AgentSettings())
    )
    yield opened
    await opened.close()


async def test_callers_at_once_share_one_agent(agents: Agents) -> None:
    found = await asyncio.gather(*(agents.get("ann") for _ in range(20)))

    assert len({id(agent) for agent in found}) == 1


async def test_agents_know_nothing_of_one_another(agents: Agents) -> None:
    ann, bob = await agents.get("ann"), await agents.get("bob")
    ann.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await ann.background.wait_until_idle()

    assert await ann.search("团子")
    assert await bob.search("团子") == []
    assert agents.known_ids() == ["ann", "bob"]


async def test_an_idle_agent_is_closed_and_comes_back_as_it_was(
    agents: Agents, tmp_path: Path
) -> None:
    ann = await agents.get("ann")
    ann.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await ann.background.wait_until_idle()
    before = ann.state

    await agents.close_idle()
    still = await agents.get("ann")
    agents._used["ann"] -= IDLE.total_seconds()
    await agents.close_idle()
    store = FileStore(folder_of(tmp_path, "ann"))
    free = await store.load()
    await store.close()
    again = await agents.get("ann")

    assert still is ann
    assert again is not ann
    assert free == before == again.state
    assert (await again.search("团子"))[0].source_ids in {("1",), ("2",)}


async def test_a_disk_that_refuses_one_agent_keeps_no_other_open(
    agents: Agents, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await agents.get("ann")
    await agents.get("bob")

    async def refuse(*given: object) -> None:
        raise StoreUnwritable(refusals.DISK_REFUSES)

    ann.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    with monkeypatch.context() as disk:
        disk.setattr(FileStore, "append", refuse)
        with pytest.raises(StoreUnwritable):
            await agents.close()

    for each in ("ann", "bob"):
        freed = FileStore(folder_of(tmp_path, each))
        await freed.load()
        await freed.close()


async def test_a_folder_in_use_is_looked_at_without_being_owned(
    agents: Agents, tmp_path: Path
) -> None:
    ann = await agents.get("ann")
    ann.background.enqueue(a_stretch("我家的猫叫团子", "好可爱"), explicit=False)
    await ann.background.wait_until_idle()

    assert await read_state(tmp_path, "ann") == ann.state
    with pytest.raises(StoreLocked):
        await FileStore(folder_of(tmp_path, "ann")).load()


async def test_an_unknown_agent_is_refused_with_those_there_are(
    agents: Agents, tmp_path: Path
) -> None:
    await agents.get("ann")

    with pytest.raises(UnknownAgent, match=r"'bob'.*ann"):
        await read_state(tmp_path, "bob")


@pytest.mark.parametrize("name", ["", "..", "a/b", "A", "团子", "-a", "x" * 65, "a\x00"])
def test_a_name_no_folder_may_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputRefused, match="agent name"):
        folder_of(tmp_path, name)


def test_a_data_folder_that_is_not_there_has_no_agents(tmp_path: Path) -> None:
    assert agent_ids(tmp_path / "nowhere") == []


@pytest.mark.parametrize(("days", "rewritten", "left"), [(None, 0, 2), (30, 1, 1)])
async def test_backups_keep_words_no_longer_than_the_agent_does(
    agents: Agents, tmp_path: Path, days: int | None, rewritten: int, left: int
) -> None:
    ann = await agents.get("ann")
    ages = {"早": timedelta(days=60), "晚": timedelta(days=1)}
    lines = [
        DiaryLine(message=replace(a_message(text, text), at=NOON - age), number=n)
        for n, (text, age) in enumerate(ages.items(), start=1)
    ]
    await ann.steer(lambda state, index: [Put(line) for line in lines])
    backups = Backups(tmp_path, "ann")
    made = backups.write(ann.state, NOON, "hand")
    info = AgentInfo(settings=AgentSettings(diary_days=days))
    await ann.steer(lambda state, index: [Put(info)])

    assert await agents.shorten_backups("ann") == rewritten
    assert len(backups.read(made.name).state.diary) == left
    assert await agents.shorten_backups("ann") == 0
