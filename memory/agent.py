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
from memory.filing import Choose, committed, heard, settled_in, to_consolidate
from memory.laws.law import Event
from memory.manager import FatePlan, ReviewerStatus, plan_events, plan_night
from memory.manager.burial import unfinished_erasures
from memory.manager.report import NightReport
from memory.meaning import Embedding, Meaning
from memory.model import Message
from memory.network.index import NetworkIndex
from memory.ports import Clock, LanguageModel, MemoryStore
from memory.reader import Reader
from memory.settings import LawName
from memory.state import MemoryState
from memory.vault import Vault
from memory.worker import Worker
from memory.writer import Plan, Writer

ROUNDS_OF_A_NIGHT: Final = 3
"""Plan, consolidate and review, plan again: a third round finds what the second left behind."""

Steering: TypeAlias = Callable[[MemoryState, NetworkIndex], Sequence[Change]]
Erase: TypeAlias = Callable[[Plan], Awaitable[None]]


class AgentMemory(Reader):
    """One isolated memory. Every change is durable when its call returns.

    What is given to ``worker`` is durable once the worker is ``settled``.
    """

    def __init__(  # noqa: PLR0913 - as ``open`` puts it together
        self,
        writer: Writer,
        *,
        clock: Clock,
        model: LanguageModel | None,
        fairness: Fairness,
        chance: Random,
        hears: OnLearnt,
        vault: Vault | None = None,
        embedding: Embedding | None = None,
    ) -> None:
        meaning = Meaning(writer, embedding, fairness) if embedding else None
        super().__init__(writer, clock, vault, meaning)
        self._has_model = model is not None
        self._hears = hears
        self._worker = Worker(
            writer,
            clock=clock,
            chance=chance,
            model=model,
            fairness=fairness,
            hears=hears,
            vault=vault,
            meaning=meaning,
        )

    @classmethod
    async def open(  # noqa: PLR0913 - everything an agent is made of, by name
        cls,
        store: MemoryStore,
        *,
        clock: Clock,
        model: LanguageModel | None,
        chosen: Choose,
        fairness: Fairness | None = None,
        chance: Random | None = None,
        hears: OnLearnt = ignore_learnt,
        vault: Vault | None = None,
        embedding: Embedding | None = None,
    ) -> "AgentMemory":
        """Open the memory of a store; a new one remembers nothing.

        ``chosen`` is given the settings the agent has, None if it is new, and returns those it
        shall live by. ``model`` None means that none is configured: the background works by rule.
        Agents of one process share their ``fairness``. ``hears`` is told what is learnt.
        Without a ``vault`` nothing is sealed,
        without an ``embedding`` search goes by words alone.
        """
        writer = Writer(store, await store.load())
        async with AsyncExitStack() as unless_it_opens:
            unless_it_opens.push_async_callback(writer.close)
            await writer.write(lambda state: settled_in(state, chosen))
            await _scrubbed(writer)
            unless_it_opens.pop_all()
        agent = cls(
            writer,
            clock=clock,
            model=model,
            fairness=fairness or Fairness(),
            chance=chance or Random(),  # noqa: S311 - samples whom to forget, guards nothing
            hears=hears,
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
        plan = partial(committed, turn, now=now, index=network, vault=vault)
        learnt = learnt_notice(turn, await self._writer.write(plan))
        if learnt is not None:
            self._hears(learnt)
        self._worker.stir()

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        """Keep what was said without an answer; idempotent by the ids of the messages."""
        await self._writer.write(lambda state: heard(conversation, messages, state, self._vault))
        self._worker.stir()

    async def reinforce(self, memory_id: int, event: Event) -> None:
        """Let an event happen to a memory; raises :class:`memory.errors.UnknownMemory`."""
        now = self._clock.now()
        self.state.memory(memory_id)
        await self._writer.write(lambda state: plan_events(state, [(memory_id, event)], now))

    async def live_by(self, law: LawName) -> None:
        """Let another law hold from now on; nothing else changes before the next night."""

        def plan(state: MemoryState) -> Sequence[Change]:
            settings = replace(state.household.settings, law=law)
            return (Put(replace(state.household, settings=settings)),)

        await self._writer.write(plan)

    async def steer(self, plan: Steering) -> tuple[Change, ...]:
        """Carry out what the partner decided, and return what changed."""
        network = (await self._writer.indexes()).network
        changes = await self._writer.write(lambda state: plan(state, network))
        self._worker.stir()
        return changes

    @asynccontextmanager
    async def erasing(self) -> AsyncIterator[Erase]:
        """Let the background stand still, and yield what carries an erasure out.

        When that returns, no file of the store holds what was dropped. Cut short, it is finished
        when the agent opens again. It raises :class:`StoreUnwritable`.
        """

        async def erase(plan: Plan) -> None:
            await self._writer.write(plan)
            await _scrubbed(self._writer)
            if self._meaning is not None:
                await self._meaning.prune()

        async with self._worker.at_rest():
            yield erase

    async def nightly(self) -> NightReport:
        """Settle, consolidate, review, archive and purge; idempotent, however late it comes.

        Consolidation and reviews come before what waits for them, so a night has rounds.
        """
        report = NightReport()
        for _ in range(ROUNDS_OF_A_NIGHT):
            await self._worker.settled()
            night = await self._settle()
            report = report.after(night)
            if not night.consolidate and not night.reviews:
                break
        await self._worker.settled()
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
            return (*night.changes, *chances, *to_consolidate(night, state, now))

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
        return "unavailable" if self._worker.model_is_away else "ready"

    async def close(self) -> None:
        """Stop the background where it stands, make everything durable, free the folder."""
        await self._worker.stop()
        await self._writer.close()


async def _scrubbed(writer: Writer) -> None:
    """Clean the files of what was erased, if that is not done yet, and note that it is."""
    tombstones = unfinished_erasures(writer.state)
    if tombstones:
        await writer.scrub()
        await writer.write(
            lambda _: [Put(replace(tombstone, scrubbed=True)) for tombstone in tombstones]
        )
