"""The agents of one data folder: opened when needed, shared while used, closed when idle."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from memory import refusals
from memory.agent import AgentMemory
from memory.changes import Change, Put
from memory.errors import InputRefused, UnknownAgent
from memory.jobs.steps import AgentParts
from memory.laws.registry import Laws
from memory.learning.outcomes import LearntNotice
from memory.lifecycle.effects import kept_since, without_words_before
from memory.lifecycle.partner_steps import ChooseSettings
from memory.merging.arrival import VaultPair, copy_changes
from memory.merging.union import UnionPlan, plan_union
from memory.model import AgentSettings
from memory.ports import Clock, CommitTimes, Embedder, LanguageModel
from memory.privacy.vault import Keys, Vault
from memory.state import MemoryState, is_hidden
from memory.stores.backups import USUAL_RULE, BackupRule, Backups
from memory.stores.disk import REAL_DISK, Disk, remove_folder
from memory.stores.file_store import FileStore
from memory.stores.pages import numbers_of
from memory.stores.recovery import StoreDamage, read_agent_state
from memory.stores.sidecars import IndexFile, VectorFile
from memory.writer import Plan

_ALL_LAWS: Final = Laws()

IDLE: Final = timedelta(minutes=30)
"""How long an agent stays open after it was last asked for."""

# Safe as the name of a folder on every file system, also where upper and lower case are one.
SAFE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def folder_of(data: Path, agent_id: str) -> Path:
    """Return the folder of an agent; raises InputRefused for a name no folder may have."""
    if not SAFE_NAME.fullmatch(agent_id):
        raise InputRefused(refusals.NO_AGENT_NAME, given=repr(agent_id))
    return data / "agents" / agent_id


def agent_ids(data: Path, disk: Disk = REAL_DISK) -> list[str]:
    """Return the names of the agents of a data folder, sorted."""
    return sorted(filter(SAFE_NAME.fullmatch, disk.names(data / "agents")))


async def read_state(
    data: Path, agent_id: str, laws: Laws = _ALL_LAWS, disk: Disk = REAL_DISK
) -> MemoryState:
    """Return an agent's state without owning its folder; writes nothing.

    Raises :class:`UnknownAgent`, which names the agents there are, and InputRefused for an agent
    that lives by none of ``laws``.
    """
    folder = folder_of(data, agent_id)
    if not await asyncio.to_thread(disk.is_folder, folder):
        known = ", ".join(agent_ids(data, disk)) or refusals.NO_AGENTS
        raise UnknownAgent(refusals.NO_SUCH_AGENT, agent=repr(agent_id), folder=data, agents=known)
    state = replace(
        await asyncio.to_thread(partial(read_agent_state, folder, disk=disk)), laws=laws
    )
    state.laws.check(state.agent_info.settings)
    return state


def ignore_what_was_learnt(agent_id: str, learnt: LearntNotice) -> None:
    """Tell nobody."""


def ignore_damage(agent_id: str, damage: StoreDamage) -> None:
    """Tell nobody; the log says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResources:
    """What every agent of a data folder is opened with.

    ``model`` is the one that judges, None for the built-in rules. ``defaults`` are the settings of
    a new agent. ``keys`` seal secrets; None keeps none. ``on_learnt`` is called with the agent's
    id once something that was learnt is durable, ``on_damage`` once files that were not as they
    were written have been opened. ``laws`` are those the agents may live by, ``backup_rule``
    says which of their backups are kept, ``disk`` is what their folders are on.
    """

    clock: Clock
    model: LanguageModel | None
    defaults: AgentSettings
    keys: Keys | None = None
    embedder: Embedder | None = None
    on_learnt: Callable[[str, LearntNotice], None] = ignore_what_was_learnt
    on_reminders: Callable[[str], None] = lambda _: None
    on_damage: Callable[[str, StoreDamage], None] = ignore_damage
    laws: Laws = _ALL_LAWS
    backup_rule: BackupRule = USUAL_RULE
    disk: Disk = REAL_DISK


async def open_agent(
    folder: Path,
    parts: AgentParts,
    *,
    choose_settings: ChooseSettings,
    on_damage: Callable[[StoreDamage], None] | None = None,
    disk: Disk = REAL_DISK,
) -> AgentMemory:
    """Open the agent of a folder; arguments and errors as :meth:`AgentMemory.open`.

    ``on_damage`` is called if its files were not as they were written.
    """
    store = FileStore(folder, disk=disk)
    backups = Backups(folder.parent.parent, folder.name, disk=disk)
    agent = await AgentMemory.open(
        store,
        parts,
        choose_settings=choose_settings,
        vector_file=VectorFile(folder, disk),
        index_file=IndexFile(folder, disk),
    )
    damage = store.damage
    if damage.pages:
        plan = await asyncio.to_thread(lines_back, backups, damage.pages, parts.clock.now())
        returned = await agent.steer(lambda state, _: plan(state))
        damage = replace(damage, returned=len(returned))
    if on_damage is not None and damage:
        on_damage(damage)
    return agent


def lines_back(backups: Backups, pages: Sequence[str], now: datetime) -> Plan:
    """Return the plan that brings the lines of lost pages back from the newest backup.

    What was erased since, or is older than words are kept by now, stays gone; what the partner
    hid stays hidden.
    """
    former = next(backups.readable(now), MemoryState())
    numbers = [numbers_of(page) for page in pages]
    hiding = [memory for memory in former.memories.values() if is_hidden(memory)]

    def plan(state: MemoryState) -> Sequence[Change]:
        since = kept_since(now, state.agent_info.settings.diary_days)
        # Of a memory that is there by now itself says whether it is hidden.
        gone = (memory for memory in hiding if memory.id not in state.memories)
        hidden = {source for memory in gone for source in memory.source_ids}
        return [
            Put(replace(line, hidden=line.hidden or key in hidden))
            for key, line in former.diary.items()
            if any(line.number in each for each in numbers)
            and key not in state.diary
            and not state.is_erased(key)
            and (since is None or line.message.at >= since)
        ]

    return plan


def _memories_by_tier(agents: Mapping[str, AgentMemory]) -> Counter[str]:
    states = [agent.state for agent in [*agents.values()]]
    memories = (each for state in states for each in state.memories.values())
    return Counter(each.nature.tier.value for each in memories if each.is_active)


class Agents:
    """Hand out agents by id. Two callers who ask for one agent share it.

    An agent that was idle for half an hour is closed by :meth:`close_idle`, and opened again when
    it is next asked for.
    """

    def __init__(self, data: Path, resources: AgentResources) -> None:
        self._data = data
        self._resources = resources
        self._parts = AgentParts(
            clock=resources.clock,
            model=resources.model,
            embedder=resources.embedder,
            laws=resources.laws,
        )
        # What the commits of all agents take, from now on.
        self.commits: Final[CommitTimes] = self._parts.fairness.commits
        self._open: dict[str, AgentMemory] = {}
        # How many memories the agents that are open hold in each tier.
        self.tiers: Final = partial(_memories_by_tier, self._open)
        self._used: dict[str, float] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def get(self, agent_id: str) -> AgentMemory:
        """Return the agent, opened; raises :class:`memory.errors.StoreError` if it cannot be."""
        self._used[agent_id] = asyncio.get_running_loop().time()
        async with self._lock_of(agent_id):
            return await self._open_agent(agent_id)

    async def preview_union(self, older_id: str, younger_id: str) -> UnionPlan:
        """Return what :meth:`unite` would do now; changes nothing and raises as it does."""
        older, younger = await self.get(older_id), await self.get(younger_id)
        plan = self._union_plan(older_id, younger_id, younger.state, mark="")
        return await asyncio.to_thread(plan, older.state)

    async def unite(self, older_id: str, younger_id: str, *, mark: str) -> None:
        """Bring all the younger agent holds into the older, in one commit, once per ``mark``.

        The younger one is closed and its folder stays as it is; nothing may use it any more.
        Raises :class:`memory.merging.arrival.CannotReseal` for secrets that no key opens, and
        :class:`memory.errors.StoreError`.
        """
        older = await self.get(older_id)
        async with self._lock_of(younger_id):
            younger = await self._open_agent(younger_id)
            await self._open.pop(younger_id).close()
        plan = self._union_plan(older_id, younger_id, younger.state, mark=mark)
        # Planned in a thread; if the older one was written to meanwhile, it is planned again.
        seen = older.state
        made = await asyncio.to_thread(plan, seen)
        await older.steer(lambda state, _: (made if state is seen else plan(state)).changes)

    async def copy(self, agent_id: str, new_id: str) -> None:
        """Copy what one agent holds into a new one; raises as :meth:`unite`."""
        state = (await self.get(agent_id)).state
        vaults = VaultPair(previous=self._vault(agent_id), new=self._vault(new_id))
        changes = await asyncio.to_thread(lambda: tuple(copy_changes(state, vaults)))
        await (await self.get(new_id)).steer(lambda _state, _index: changes)

    async def discard(self, agent_id: str) -> None:
        """Delete an agent for good, with everything it holds and its backups."""
        async with self._lock_of(agent_id):
            if agent_id in self._open:
                await self._open.pop(agent_id).close()
            disk = self._resources.disk
            await asyncio.to_thread(remove_folder, folder_of(self._data, agent_id), disk)
            await asyncio.to_thread(self._backups(agent_id).discard)

    async def back_up(self, agent_id: str) -> Path | None:
        """Back an agent up if a night has passed since the last time; return the new file.

        Nothing is written for an agent that holds nothing. Raises
        :class:`memory.errors.StoreUnwritable`; every earlier backup is still there then.
        """
        agent, now = await self.get(agent_id), self._resources.clock.now()
        backups = self._backups(agent_id)
        # Paused as for an erasure: a state from before it must not be written after it.
        async with agent.background.paused():
            state = agent.state
            holds = state.memories or state.windows or state.diary
            if not holds or not await asyncio.to_thread(backups.is_night_due, now):
                return None
            made = await asyncio.to_thread(backups.write, state, now, "night")
            return backups.folder / made.name

    async def shorten_backups(self, agent_id: str) -> int:
        """Let no backup keep words longer than the agent does; return how many were rewritten.

        Raises :class:`memory.errors.StoreUnwritable`; what is left is done by the next night.
        """
        agent = await self.get(agent_id)
        before = kept_since(self._resources.clock.now(), agent.settings.diary_days)
        if before is None:
            return 0
        clean = partial(
            self._backups(agent_id).clean,
            partial(without_words_before, before=before),
            carry_out=True,
            unread_before=before,
        )
        # Paused as for an erasure: of two that rewrite one file, one would bring back what the
        # other took out of it.
        async with agent.background.paused():
            return await asyncio.to_thread(clean)

    def _lock_of(self, agent_id: str) -> asyncio.Lock:
        return self._opening.setdefault(agent_id, asyncio.Lock())

    async def _open_agent(self, agent_id: str) -> AgentMemory:
        agent = self._open.get(agent_id)
        if agent is None:
            given = self._resources
            agent = await open_agent(
                folder_of(self._data, agent_id),
                replace(
                    self._parts,
                    vault=self._vault(agent_id),
                    on_learnt=partial(given.on_learnt, agent_id),
                    on_reminders=partial(given.on_reminders, agent_id),
                ),
                choose_settings=lambda known: known or given.defaults,
                on_damage=partial(given.on_damage, agent_id),
                disk=given.disk,
            )
            self._open[agent_id] = agent
        return agent

    def _backups(self, agent_id: str) -> Backups:
        given = self._resources
        return Backups(self._data, agent_id, rule=given.backup_rule, disk=given.disk)

    def _vault(self, agent_id: str) -> Vault | None:
        keys = self._resources.keys
        return Vault(keys, agent_id) if keys is not None else None

    def _union_plan(
        self, older_id: str, younger_id: str, younger: MemoryState, *, mark: str
    ) -> Callable[[MemoryState], UnionPlan]:
        vaults = VaultPair(previous=self._vault(younger_id), new=self._vault(older_id))
        now = self._resources.clock.now()
        return lambda state: plan_union(state, younger, now, vaults=vaults, mark=mark)

    async def knows(self, agent_id: str) -> bool:
        """Whether there is an agent of that name, open or not."""
        folder = folder_of(self._data, agent_id)
        return await asyncio.to_thread(self._resources.disk.is_folder, folder)

    def known_ids(self) -> list[str]:
        """Return the names of every agent of the folder, open or not."""
        return agent_ids(self._data, self._resources.disk)

    async def close_idle(self) -> None:
        """Close the agents that have been idle for half an hour and have no work left."""
        now = asyncio.get_running_loop().time()
        for agent_id in list(self._open):
            if now - self._used.get(agent_id, now) >= IDLE.total_seconds():
                async with self._opening[agent_id]:
                    # Looked up again: it may have been closed while this waited for the lock.
                    agent = self._open.get(agent_id)
                    if agent is not None and agent.background.is_idle:
                        await self._open.pop(agent_id).close()

    async def close(self, *agent_ids: str) -> None:
        """Close these agents, or else every one; each folds its journal and frees its folder."""
        # A stack: where the disk refuses one of them, the others are closed before it is told.
        async with AsyncExitStack() as closing:
            for agent_id in agent_ids or [*self._open]:
                closing.push_async_callback(self._close, agent_id)

    async def _close(self, agent_id: str) -> None:
        async with self._lock_of(agent_id):
            if agent_id in self._open:
                await self._open.pop(agent_id).close()
