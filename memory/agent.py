"""One agent's memory: what can be asked of it, and everything that changes it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory.changes import Change, Put, Turn
from memory.erasing.erasure import unfinished_erasures
from memory.errors import InputRefused, StoreFromFuture
from memory.jobs.vectors import PassageVectors, VectorSource
from memory.jobs.worker import (
    ChooseSettings,
    Worker,
    consolidation_tasks,
    plan_commit,
    settings_changes,
    window_changes,
)
from memory.laws import network as network_law
from memory.laws.law import Event
from memory.laws.registry import Laws
from memory.learning.outcomes import OnLearnt, ignore_learnt, learnt_notice, retry_changes
from memory.learning.prompt_material import redacted_messages, redacted_text
from memory.lifecycle.consequences import plan_events
from memory.lifecycle.effects import ReviewerStatus
from memory.lifecycle.night import FatePlan, NightReport, plan_night
from memory.merging.batch_merge import plan_batch_merge
from memory.model import AgentSettings, Memory, Message, Mode
from memory.network.index import NetworkIndex
from memory.network.walk import is_everyday, recall_text
from memory.ports import Clock, LanguageModel, MemoryStore
from memory.privacy.redaction import known_secrets
from memory.privacy.vault import UnsealFailure, Vault
from memory.recall import Hit
from memory.state import MemoryState
from memory.views import PromptMemories, assessment, memories_within_budget
from memory.writer import Fairness, Plan, StateWriter

_ALL_LAWS: Final = Laws()


class MemoryReader:
    """Reads one agent's memory, as it is durable, at any moment."""

    def __init__(
        self,
        writer: StateWriter,
        clock: Clock,
        vault: Vault | None = None,
        vectors: PassageVectors | None = None,
    ) -> None:
        self._writer = writer
        self._clock = clock
        self._vault = vault
        self._vectors = vectors

    @property
    def state(self) -> MemoryState:
        """Return the last durable state: a value, safe to keep."""
        return self._writer.state

    @property
    def settings(self) -> AgentSettings:
        """Return the agent's settings."""
        return self.state.agent_info.settings

    @property
    def keeps_secrets(self) -> bool:
        """Return whether there is a key to seal with."""
        return self._vault is not None and self._vault.can_seal

    @property
    def vault(self) -> Vault | None:
        """Return what seals and opens secrets, for plans that do; None without any."""
        return self._vault

    def redacted(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return messages as a model may see them: what is secret in them is blotted out."""
        return redacted_messages(messages, known_secrets(self.state, self._vault))

    def unsealed(self, memory_id: int) -> Memory | UnsealFailure:
        """Return a memory as it was before it was sealed, or why it stays shut.

        For its owner's eyes, in private: never for a prompt, an index, a log or a file. Raises
        :class:`memory.errors.UnknownMemory`.
        """
        memory = self.state.memory(memory_id)
        if self._vault is None:
            return memory if memory.sealed is None else UnsealFailure.NO_KEY
        return self._vault.open(memory)

    async def search(self, query: str, *, k: int = 12, mode: Mode = Mode.NORMAL) -> list[Hit]:
        """Return the at most ``k`` passages that fit best, best first.

        With an embedder they may be found by their meaning too.
        """
        recall = (await self._writer.indexes()).recall
        near = await self._vectors.find_near(redacted_text(query)) if self._vectors else {}
        return recall.search(query, self.state, now=self._clock.now(), k=k, mode=mode, near=near)

    async def recall(
        self, keywords: Sequence[str], relations: Sequence[str], depth: int | None = None
    ) -> str:
        """Return what comes to mind from the focus within ``depth`` hops, as text (002 §7.1).

        Without a ``depth`` it goes as far as ``network.default_search_depth`` says.
        """
        if depth is None:
            depth = self.state.rules.parameters_of(network_law.LAW).default_search_depth
        network = (await self._writer.indexes()).network
        state, now = self.state, self._clock.now()

        def shows(memory: Memory) -> bool:
            found = assessment(memory, state, now)
            return is_everyday(memory) and state.rules.is_visible(memory, found, Mode.NORMAL)

        return recall_text(keywords, relations, depth, state, index=network, may_show=shows)

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        """Return what of ``hits`` a prompt shows within a budget of tokens."""
        zone = ZoneInfo(self.settings.time_zone)
        return memories_within_budget(
            hits, self.state, budget_tokens=budget_tokens, zone=zone, count=count
        )

    def window(self, conversation: str) -> tuple[Message, ...]:
        """Return the working memory of a conversation, oldest first, at most 30 messages."""
        window = self.state.windows.get(conversation)
        return window.lines if window else ()


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
        laws: Laws = _ALL_LAWS,
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
        writer = StateWriter(store, replace(await store.load(), laws=laws))
        async with AsyncExitStack() as unless_it_opens:
            unless_it_opens.push_async_callback(writer.close)
            await writer.write(lambda state: _checked_settings_changes(state, choose_settings))
            await _finish_scrubbing(writer)
            unless_it_opens.pop_all()
        agent = cls(
            writer,
            clock=clock,
            model=model,
            fairness=fairness or Fairness(),
            random=random or Random(),  # noqa: S311 - samples whom to forget, guards nothing
            on_learnt=on_learnt,
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

    async def choose_law(self, law: str) -> None:
        """Let another law hold from now on; nothing else changes before the next night."""

        def plan(state: MemoryState) -> Sequence[Change]:
            settings = replace(state.agent_info.settings, law=law)
            state.laws.check(settings)
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


def _checked_settings_changes(
    state: MemoryState, choose_settings: ChooseSettings
) -> tuple[Change, ...]:
    """Return the settings to live by; raises InputRefused for new ones that no law allows.

    What an agent lives by already and this program does not know, a newer program wrote: then it
    is :class:`memory.errors.StoreFromFuture`.
    """
    changes = settings_changes(state, choose_settings)
    after, _ = state.apply(changes)
    try:
        after.laws.check(after.agent_info.settings)
    except InputRefused as error:
        if changes:
            raise
        raise StoreFromFuture(f"the settings of this agent are unknown here: {error}") from error
    return changes
