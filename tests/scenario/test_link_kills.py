"""Whatever step of joining or parting a crash hits, the next start makes it whole or undoes it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import TypeVar

import pytest
import pytest_asyncio

from bot.conversation.ledger import Ledger
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.tables import Connection
from bot.conversation.linking import Linking, StillBusy
from memory.agents import AgentResources, Agents, agent_ids
from memory.changes import Change
from memory.model import AgentSettings, Memory
from memory.privacy.vault import Keys
from memory.state import MemoryState
from memory.stores.file_store import FileStore
from tests.fakes.chat import Killed, Tripwire
from tests.fakes.clock import FakeClock
from tests.fakes.cost import share
from tests.fakes.platforms import IDENTITIES
from tests.fakes.stolen_folder import found_under
from tests.fakes.two_chats import LARK, TELEGRAM, two_chats
from tests.scenario.test_link_story import SECRET, lived

T = TypeVar("T")

STEPS_OF_A_JOIN = 18
STEPS_OF_A_PARTING = 18


def wired(monkeypatch: pytest.MonkeyPatch, wire: Tripwire) -> None:
    """Let every write to the ledger, a memory or a folder be a step that may be the last."""
    run, append, discard = Database.run, FileStore.append, Agents.discard

    async def ran(self: Database, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        wire.step()
        done = await run(self, work, synced=synced)
        wire.step()
        return done

    async def appended(self: FileStore, changes: Sequence[Change], state: MemoryState) -> None:
        wire.step()
        await append(self, changes, state)
        wire.step()

    async def discarded(self: Agents, agent_id: str) -> None:
        wire.step()
        await discard(self, agent_id)
        wire.step()

    monkeypatch.setattr(Database, "run", ran)
    monkeypatch.setattr(FileStore, "append", appended)
    monkeypatch.setattr(Agents, "discard", discarded)


@asynccontextmanager
async def hands(data: Path, clock: FakeClock, key: Path) -> AsyncIterator[Linking]:
    """Only what joins and parts, without lanes: every conversation is at rest."""
    ledger = await Ledger.open(data, IDENTITIES)
    keys = Keys.read(key, data=data)
    agents = Agents(
        data, AgentResources(clock=clock, model=None, defaults=AgentSettings(), keys=keys)
    )
    yield Linking(ledger, agents, clock)
    await agents.close()
    await ledger.close()


async def prepared(data: Path, key: Path) -> None:
    async with two_chats(data, FakeClock(), key=key) as ann:
        await lived(ann)
        await ann.says(LARK, f"记住我的银行卡密码是{SECRET}")
        await ann.agent(LARK)


async def secrets_of(data: Path, key: Path, clock: FakeClock) -> tuple[set[str], set[str], int]:
    """Start again, and return what both chats know and how many secrets open."""
    async with two_chats(data, clock, key=key) as ann:
        one, other = await ann.knows(TELEGRAM), await ann.knows(LARK)
        agent = await ann.agent(LARK)
        sealed = [agent.unsealed(m.id) for m in agent.state.memories.values() if m.sealed]
        assert all(isinstance(m, Memory) and SECRET in m.words.text for m in sealed)
        return one, other, len(sealed)


@dataclass(frozen=True)
class Lived:
    """A folder in which a life was lived, of which each test takes a copy, and what is known."""

    folder: Path
    known: tuple[set[str], set[str]]

    def copied(self, to: Path) -> tuple[Path, Path, FakeClock]:
        """Return the data and the key in a copy, and the time at which it was closed."""
        copytree(self.folder, to, dirs_exist_ok=True)
        return to / "data", to / "key", FakeClock()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def apart(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """Two chats of one person, each with a memory of its own."""
    folder = tmp_path_factory.mktemp("apart")
    await prepared(folder / "data", folder / "key")
    one, other, _ = await secrets_of(folder / "data", folder / "key", FakeClock())
    return Lived(folder, (one, other))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def joined(tmp_path_factory: pytest.TempPathFactory, apart: Lived) -> Lived:
    """The same two chats with one memory."""
    folder = tmp_path_factory.mktemp("joined")
    data, key, clock = apart.copied(folder)
    async with two_chats(data, clock, key=key) as ann:
        await ann.link(TELEGRAM, LARK)
        return Lived(folder, (await ann.knows(TELEGRAM), await ann.knows(LARK)))


PARTINGS = [
    (step, copy)
    for step in range(1, STEPS_OF_A_PARTING + 1)
    for copy in share([True, False], of=2, first=step % 2)
]
"""A crash at every step, with a copy and without one in turn; both at each step in a hunt."""


@pytest.mark.parametrize("step", range(1, STEPS_OF_A_JOIN + 1))
async def test_a_join_that_is_cut_short_is_whole_or_did_not_happen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: Lived, step: int
) -> None:
    data, key, clock = apart.copied(tmp_path)
    before = apart.known
    with monkeypatch.context() as patched:
        async with hands(data, clock, key) as linking:
            wire = Tripwire()
            elder, younger = await linking.agents_of(TELEGRAM, LARK)
            wired(patched, wire)
            wire.at = step
            try:
                await linking.join(elder, younger, TELEGRAM)
                finished = True
            except Killed:
                finished = False
            wire.at = None
    assert finished or step < STEPS_OF_A_JOIN
    one, other, sealed = await secrets_of(data, key, clock)

    assert sealed == 1
    if one != other:
        assert not finished
        assert (one, other) == before
        assert len(agent_ids(data)) == 2
    else:
        assert {"我对花生过敏", "我住在上海", "我养了一只猫"} <= one
        assert agent_ids(data) == ["tg-p-42"]
    assert found_under(data, SECRET) == []


@pytest.mark.hunted
@pytest.mark.parametrize(("step", "copy"), PARTINGS)
async def test_a_parting_that_is_cut_short_happened_or_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, joined: Lived, step: int, *, copy: bool
) -> None:
    data, key, clock = joined.copied(tmp_path)
    known = joined.known[0]
    with monkeypatch.context() as patched:
        async with hands(data, clock, key) as linking:
            wire = Tripwire()
            wired(patched, wire)
            wire.at = step
            try:
                await linking.separate(LARK, "tg-p-42", TELEGRAM, copy=copy)
                finished = True
            except Killed:
                finished = False
            wire.at = None
    assert finished or step < STEPS_OF_A_PARTING
    async with two_chats(data, clock, key=key) as ann:
        names = {await ann.app.bindings.agent_id(each, private=True) for each in (TELEGRAM, LARK)}
        orphans = set(agent_ids(data)) - names
        assert not orphans
        assert await ann.knows(TELEGRAM) == known
        there = await ann.knows(LARK)
        assert there == (known if copy or len(names) == 1 else set())
        assert len(names) == 2 or not finished
    assert found_under(data, SECRET) == []


@pytest.mark.parametrize("copy", [True, False])
async def test_what_is_asked_twice_at_once_happens_once(
    tmp_path: Path, apart: Lived, *, copy: bool
) -> None:
    data, key, clock = apart.copied(tmp_path)
    async with hands(data, clock, key) as linking:
        elder, younger = await linking.agents_of(TELEGRAM, LARK)
        await linking.join(elder, younger, TELEGRAM)
        for pair in ((elder, younger), (elder, elder)):
            with pytest.raises(StillBusy):
                await linking.join(*pair, TELEGRAM)
        await linking.separate(LARK, elder, TELEGRAM, copy=copy)
        with pytest.raises(StillBusy):
            await linking.separate(LARK, elder, TELEGRAM, copy=copy)
        with pytest.raises(StillBusy):
            await linking.separate(TELEGRAM, elder, TELEGRAM, copy=copy)
    async with two_chats(data, clock, key=key) as ann:
        assert "我养了一只猫" in await ann.knows(TELEGRAM)
        assert ("我养了一只猫" in await ann.knows(LARK)) is copy
