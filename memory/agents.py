"""The agents of one data folder: opened when needed, shared while used, closed when idle."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from memory.agent import AgentMemory
from memory.errors import InputRefused, UnknownAgent
from memory.jobs.vectors import VectorSource
from memory.laws.law import Law
from memory.laws.registry import LAWS, Laws
from memory.learning.outcomes import LearntNotice
from memory.merging.arrival import VaultPair, copy_changes
from memory.merging.union import UnionPlan, plan_union
from memory.model import AgentSettings
from memory.ports import Clock, Embedder, LanguageModel
from memory.privacy.vault import Keys, Vault
from memory.state import MemoryState
from memory.stores.backups import BACKUPS
from memory.stores.disk import remove_folder
from memory.stores.file_store import FileStore
from memory.stores.recovery import read_agent_state
from memory.stores.vectors import VectorFile
from memory.writer import Fairness

_ALL_LAWS: Final = Laws()
IDLE: Final = timedelta(minutes=30)
SAFE_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def folder_of(data: Path, agent_id: str) -> Path:
    """Return the folder of an agent; raises InputRefused for a name no folder may have."""
    if not SAFE_NAME.fullmatch(agent_id):
        raise InputRefused(
            f"{agent_id!r} is no agent name: use a-z, 0-9, - and _, at most 64 characters"
        )
    return data / "agents" / agent_id


def agent_ids(data: Path) -> list[str]:
    """Return the names of the agents that live in a data folder."""
    home = data / "agents"
    if not home.is_dir():
        return []
    return sorted(each.name for each in home.iterdir() if SAFE_NAME.fullmatch(each.name))


async def read_state(data: Path, agent_id: str, laws: Laws = _ALL_LAWS) -> MemoryState:
    """Return an agent's state beside whoever owns it; writes nothing.

    Raises :class:`UnknownAgent`, naming those there are, and InputRefused for an agent that lives
    by none of ``laws``.
    """
    folder = folder_of(data, agent_id)
    if not folder.is_dir():
        known = ", ".join(agent_ids(data)) or "none yet"
        raise UnknownAgent(f"no agent {agent_id!r} in {data} (there are: {known})")
    state = replace(await asyncio.to_thread(read_agent_state, folder), laws=laws)
    state.laws.check(state.agent_info.settings)
    return state


class Agents:
    """Hand out agents by id. Two callers who ask for one agent share it.

    An agent that was idle for half an hour is closed when ``age`` is called, and opened again
    when it is next asked for.
    """

    def __init__(  # noqa: PLR0913 - everything its agents are opened with, by name
        self,
        data: Path,
        *,
        clock: Clock,
        model: LanguageModel | None,
        defaults: AgentSettings,
        keys: Keys | None = None,
        embedder: Embedder | None = None,
        laws: Sequence[Law[Any]] = LAWS,
    ) -> None:
        self._data = data
        self._clock = clock
        self._model = model
        self._defaults = defaults
        self._keys = keys
        self._embedder = embedder
        self._laws = Laws(tuple(laws))
        self._on_learnt: Callable[[str, LearntNotice], None] = lambda *_: None
        self._fairness = Fairness()
        self._open: dict[str, AgentMemory] = {}
        self._used: dict[str, float] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def get(self, agent_id: str) -> AgentMemory:
        """Return the agent, opened; raises :class:`memory.errors.StoreError` if it cannot be."""
        self._used[agent_id] = asyncio.get_running_loop().time()
        async with self._lock_of(agent_id):
            return await self._open_agent(agent_id)

    async def preview_union(self, older_id: str, younger_id: str) -> UnionPlan:
        """Return what uniting two agents would do now; changes nothing. As :meth:`unite`."""
        elder, younger = await self.get(older_id), await self.get(younger_id)
        plan = self._union_plan(older_id, younger_id, younger.state, mark="")
        return await asyncio.to_thread(plan, elder.state)

    async def unite(self, older_id: str, younger_id: str, *, mark: str) -> None:
        """Let the elder agent take in all the younger one holds, in one commit, once per ``mark``.

        The younger one is closed then and stays as it is; nothing may live in it any more. Raises
        :class:`memory.merging.arrival.StaysShut` for secrets that no key opens, and
        :class:`memory.errors.StoreError`.
        """
        elder = await self.get(older_id)
        async with self._lock_of(younger_id):
            younger = await self._open_agent(younger_id)
            await self._open.pop(younger_id).close()
        plan = self._union_plan(older_id, younger_id, younger.state, mark=mark)
        seen = elder.state
        made = await asyncio.to_thread(plan, seen)
        await elder.steer(lambda state, _: (made if state is seen else plan(state)).changes)

    async def copy(self, agent_id: str, new_id: str) -> None:
        """Let a new agent hold what another one holds; raises as :meth:`unite`."""
        state = (await self.get(agent_id)).state
        vaults = VaultPair(previous=self._vault(agent_id), new=self._vault(new_id))
        changes = await asyncio.to_thread(lambda: tuple(copy_changes(state, vaults)))
        await (await self.get(new_id)).steer(lambda _state, _index: changes)

    async def discard(self, agent_id: str) -> None:
        """Let an agent go for good, with everything it holds and its backups."""
        async with self._lock_of(agent_id):
            if agent_id in self._open:
                await self._open.pop(agent_id).close()
            await asyncio.to_thread(remove_folder, folder_of(self._data, agent_id))
            await asyncio.to_thread(remove_folder, self._data / BACKUPS / agent_id)

    def _lock_of(self, agent_id: str) -> asyncio.Lock:
        return self._opening.setdefault(agent_id, asyncio.Lock())

    async def _open_agent(self, agent_id: str) -> AgentMemory:
        agent = self._open.get(agent_id)
        if agent is None:
            folder, embedder = folder_of(self._data, agent_id), self._embedder
            agent = await AgentMemory.open(
                FileStore(folder),
                clock=self._clock,
                model=self._model,
                choose_settings=lambda known: known or self._defaults,
                laws=self._laws,
                fairness=self._fairness,
                on_learnt=partial(self._report_learnt, agent_id),
                vault=self._vault(agent_id),
                embedding=VectorSource(embedder, VectorFile(folder)) if embedder else None,
            )
            self._open[agent_id] = agent
        return agent

    def _vault(self, agent_id: str) -> Vault | None:
        return Vault(self._keys, agent_id) if self._keys is not None else None

    def _union_plan(
        self, older_id: str, younger_id: str, younger: MemoryState, *, mark: str
    ) -> Callable[[MemoryState], UnionPlan]:
        vaults = VaultPair(previous=self._vault(younger_id), new=self._vault(older_id))
        now = self._clock.now()
        return lambda state: plan_union(state, younger, now, vaults=vaults, mark=mark)

    def set_on_learnt(self, on_learnt: Callable[[str, LearntNotice], None]) -> None:
        """Let ``hears`` be told, from now on, which agent just learnt what."""
        self._on_learnt = on_learnt

    def _report_learnt(self, agent_id: str, learnt: LearntNotice) -> None:
        self._on_learnt(agent_id, learnt)

    def known_ids(self) -> list[str]:
        """Return the names of every agent of the folder, open or not."""
        return agent_ids(self._data)

    async def close_idle(self) -> None:
        """Close the agents that have been idle, with everything they still had to do done."""
        now = asyncio.get_running_loop().time()
        for agent_id in list(self._open):
            if now - self._used.get(agent_id, now) >= IDLE.total_seconds():
                async with self._opening[agent_id]:
                    agent = self._open.get(agent_id)
                    if agent is not None and agent.worker.is_idle:
                        await self._open.pop(agent_id).close()

    async def close(self) -> None:
        """Close every agent; each folds its journal and frees its folder."""
        for agent_id in list(self._open):
            await self._open.pop(agent_id).close()
