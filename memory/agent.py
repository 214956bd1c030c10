"""One agent's memory: what a conversation, the shell and the embedded surface talk to."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final, TypeAlias

from memory.background.judged import OnLearnt, ignore_learnt, learnt_notice
from memory.background.merging import plan_batch_merge
from memory.background.parked import retry_changes
from memory.changes import Change, Put, Turn
from memory.fairness import Fairness
from memory.filing import (
    ChooseSettings,
    plan_commit,
    window_changes,
    settings_changes,
    consolidation_tasks,
)
from memory.laws.law import Event
from memory.manager import FatePlan, ReviewerStatus, plan_events, plan_night
from memory.manager.burial import unfinished_erasures
from memory.manager.report import NightReport
from memory.meaning import VectorSource, PassageVectors
from memory.model import Message
from memory.network.index import NetworkIndex
from memory.ports import Clock, LanguageModel, MemoryStore
from memory.reader import MemoryReader
from memory.settings import LawName
from memory.state import MemoryState
from memory.vault import Vault
from memory.worker import Worker
from memory.writer import Plan, StateWriter

MOST_NIGHT_ROUNDS: Final = 3
"""Plan, consolidate and review, plan again: a third round finds what the second left behind."""

SteeringPlan: TypeAlias = Callable[[MemoryState, NetworkIndex], Sequence[Change]]
Erase: TypeAlias = Callable[[Plan], Awaitable[None]]


class AgentMemory(MemoryReader):
    """One isolated memory. Every change is durable when its call returns.

    What is given to ``worker`` is durable once the worker is ``settled``.
    """

    def __init__(  # noqa: PLR0913 - as ``open`` puts it together
        self,
        writer: StateWriter,
        *,
        clock: Clock,
        model: LanguageModel | None,
        fairness: Fairness,
        random: Random,
        on_learnt: OnLearnt,
        vault: Vault | None = None,
        embedding: VectorSource | None = None,
    ) -> None:
        meaning = PassageVectors(writer, embedding, fairness) if embedding else None
        super().__init__(writer, clock, vault, meaning)
        self._has_model = model is not None
        self._on_learnt = on_learnt
        self._worker = Worker(
            writer,
            clock=clock,
            random=random,
            model=model,
            fairness=fairness,
            on_learnt=on_learnt,
            vault=vault,
            vectors=meaning,
        )

    @classmethod
    async def open(  # noqa: PLR0913 - everything an agent is made of, by name
        cls,
        store: MemoryStore,
        *,
        clock: Clock,
        model: LanguageModel | None,
        choose_settings: ChooseSettings,
        fairness: Fairness | None = None,
        random: Random | None = None,
        on_learnt: OnLearnt = ignore_learnt,
        vault: Vault | None = None,
        embedding: VectorSource | None = None,
    ) -> "AgentMemory":
        """Open the memory of a store; a new one remembers nothing.

        ``chosen`` is given the settings the agent has, None if it is new, and returns those it
        shall live by. ``model`` None means that none is configured: the background works by rule.
        Agents of one process share their ``fairness``. ``hears`` is told what is learnt.
        Without a ``vault`` nothing is sealed,
        without an ``embedding`` search goes by words alone.
        """
        writer = StateWriter(store, await store.load())
        async with AsyncExitStack() as unless_it_opens:
            unless_it_opens.push_async_callback(writer.close)
            await writer.write(lambda state: settings_changes(state, choose_settings))
            await _finish_scrubbing(writer)
            unless_it_opens.pop_all()
        agent = cls(
            writer,
            clock=clock,
            model=model,
            fairness=fairness or Fairness(),
            chance=random or Random(),  # noqa: S311 - samples whom to forget, guards nothing
            hears=on_learnt,
            vault=vault,
            embedding=embedding,
        )
        agent._worker.start()
        return agent

    @property
    def worker(self) -> Worker:
        """Return the background, to give it messages, to wait for it, or to stir it."""
        return self._worker

    async def commit(self, turn: Turn) -> None:
        """Keep a finished turn: one record, idempotent by the turn's id.

        Working memory, what the partner asked outright to be remembered, the marks of use on what
        was in the prompt, the receipt, and the turn itself for the background to judge.
        """
        network = (await self._writer.indexes()).network
        now, vault = self._clock.now(), self._vault
        plan = partial(plan_commit, turn, now=now, index=network, vault=vault)
        learnt = learnt_notice(turn, await self._writer.write(plan))
        if learnt is not None:
            self._on_learnt(learnt)
        self._worker.notify()

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        """Keep what was said without an answer; idempotent by the ids of the messages."""
        await self._writer.write(
            lambda state: window_changes(conversation, messages, state, self._vault)
        )
        self._worker.notify()

    async def reinforce(self, memory_id: int, event: Event) -> None:
        """Let an event happen to a memory; raises :class:`memory.errors.UnknownMemory`."""
        now = self._clock.now()
        self.state.memory(memory_id)
        await self._writer.write(lambda state: plan_events(state, [(memory_id, event)], now))

    async def choose_law(self, law: LawName) -> None:
        """Let another law hold from now on; nothing else changes before the next night."""

        def plan(state: MemoryState) -> Sequence[Change]:
            settings = replace(state.agent_info.settings, law=law)
            return (Put(replace(state.agent_info, settings=settings)),)

        await self._writer.write(plan)

    async def steer(self, plan: SteeringPlan) -> tuple[Change, ...]:
        """Carry out what the partner decided, and return what changed."""
        network = (await self._writer.indexes()).network
        changes = await self._writer.write(lambda state: plan(state, network))
        self._worker.notify()
        return changes

    @asynccontextmanager
    async def erasing(self) -> AsyncIterator[Erase]:
        """Let the background stand still, and yield what carries an erasure out.

        When that returns, no file of the store holds what was dropped. Cut short, it is finished
        when the agent opens again. It raises :class:`StoreUnwritable`.
        """

        async def erase(plan: Plan) -> None:
            await self._writer.write(plan)
            await _finish_scrubbing(self._writer)
            if self._vectors is not None:
                await self._vectors.prune()

        async with self._worker.paused():
            yield erase

    async def nightly(self) -> NightReport:
        """Settle, consolidate, review, archive and purge; idempotent, however late it comes.

        Consolidation and reviews come before what waits for them, so a night has rounds.
        """
        report = NightReport()
        for _ in range(MOST_NIGHT_ROUNDS):
            await self._worker.wait_until_idle()
            night = await self._settle()
            report = report.after(night)
            if not night.consolidate and not night.reviews:
                break
        await self._worker.wait_until_idle()
        merged = await self._merge()
        await self._writer.fold()
        return replace(report, merged=merged)

    async def _settle(self) -> FatePlan:
        """Carry out one plan of the night, and make its consolidation due."""
        now, seen = self._clock.now(), self.state
        plan = partial(plan_night, now=now, reviewer=self._reviewer())
        night = await asyncio.to_thread(plan, seen)

        def changes(state: MemoryState) -> Sequence[Change]:
            nonlocal night
            if state is not seen:
                night = plan(state)
            chances = retry_changes(state, now)
            return (*night.changes, *chances, *consolidation_tasks(night, state, now))

        await self._writer.write(changes)
        return night

    async def _merge(self) -> int:
        """Make one of all that say one thing (seed 001), and return how many came of it.

        What was said while it was thought over waits for the next night.
        """
        now, seen = self._clock.now(), self.state
        judged = await asyncio.to_thread(plan_batch_merge, seen, now)
        made = await self._writer.write(lambda state: judged.changes if state is seen else ())
        return len(judged.learnt) if made else 0

    def _reviewer(self) -> ReviewerStatus:
        if not self._has_model:
            return "none"
        return "unavailable" if self._worker.model_is_unavailable else "ready"

    async def close(self) -> None:
        """Stop the background where it stands, make everything durable, free the folder."""
        await self._worker.stop()
        await self._writer.close()


async def _finish_scrubbing(writer: StateWriter) -> None:
    """Clean the files of what was erased, if that is not done yet, and note that it is."""
    tombstones = unfinished_erasures(writer.state)
    if tombstones:
        await writer.scrub()
        await writer.write(
            lambda _: [Put(replace(tombstone, scrubbed=True)) for tombstone in tombstones]
        )
