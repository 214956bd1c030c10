"""One agent's memory: :class:`MemoryReader` answers, :class:`AgentMemory` alone also writes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from memory import refusals
from memory.changes import Change, Put, Turn
from memory.diary import crowded_window, shown_lines
from memory.erasing.erasure import finish_scrubbing
from memory.errors import InputRefused, StoreFromFuture
from memory.jobs.background import Background
from memory.jobs.steps import AgentParts
from memory.jobs.turns import plan_commit, plan_listening
from memory.jobs.vectors import PassageVectors
from memory.jobs.work import consolidation_tasks
from memory.judgement.draft import AgentTools, Judgement
from memory.judgement.news import plan_days_come
from memory.laws import network as network_law
from memory.laws.law import Event
from memory.learning.outcomes import learnt_notice, retry_changes
from memory.learning.remember_requests import redacted_messages, redacted_text
from memory.lifecycle.consequences import plan_events
from memory.lifecycle.night import FatePlan, NightReport, plan_night
from memory.lifecycle.partner_steps import ChooseSettings, settings_changes
from memory.merging.batch_merge import plan_batch_merge
from memory.model import AgentSettings, Memory, Message, Mode
from memory.network.index import NetworkIndex
from memory.network.walk import recall_text
from memory.ports import Clock, MemoryStore
from memory.privacy.redaction import known_secrets, sealed_notes
from memory.privacy.vault import UnsealFailure, Vault
from memory.recall import NOTHING_NEAR, DepthName, Hit, Reach, TalkLine, moment_text, once_known
from memory.recall.in_mind import may_come_to_mind, stays_unmentioned
from memory.recall.said_around import OF_NEWS, SAID_SINCE, may_ask
from memory.recall.search import asks_about_past
from memory.recall.slot_index import facts_asked
from memory.recall.telling import renamed_notes
from memory.state import MemoryState
from memory.stores.sidecars import IndexFile, VectorFile
from memory.text.matters import likely_asks
from memory.views import PromptMemories, memories_within_budget, prompt_memory
from memory.writer import Plan, StateWriter, takes_long
from prompts import PromptMemory


class MemoryReader:
    """Reads one agent's memory, always in its last durable state; writes nothing."""

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
        """Whether there is a key to seal with."""
        return self._vault is not None and self._vault.can_seal

    @property
    def vault(self) -> Vault | None:
        """The vault that seals and opens secrets, for plans that do; None without a key file."""
        return self._vault

    def redacted(
        self, messages: Sequence[Message], before: Sequence[Message] = ()
    ) -> tuple[Message, ...]:
        """Return messages as a model may see them, with what is secret in them redacted.

        ``before`` is what was said just before them.
        """
        return redacted_messages(messages, known_secrets(self.state, self._vault), before=before)

    def unsealed(self, memory_id: int) -> Memory | UnsealFailure:
        """Return a memory as it was before it was sealed, or why it cannot be opened.

        Only to be shown to its owner, in private: never for a prompt, an index, a log or a file.
        Raises :class:`memory.errors.UnknownMemory`.
        """
        memory = self.state.memory(memory_id)
        if self._vault is None:
            return memory if memory.sealed is None else UnsealFailure.NO_KEY
        return self._vault.open(memory)

    async def search(
        self,
        query: str,
        *,
        k: int = 12,
        mode: Mode = Mode.NORMAL,
        depth: DepthName = "auto",
        skip: AbstractSet[str] = frozenset(),
        context: Sequence[Message] = (),
    ) -> list[Hit]:
        """Return the at most ``k`` passages that fit best, best first.

        By ``depth`` what does not come to mind is looked up; messages to ``skip`` are not quoted.
        """
        recall, near = await self._writer.recall(), NOTHING_NEAR
        if self._vectors:  # redacted: an embedder is a service outside, words stay in here
            moment = redacted_text(moment_text(query, [line.text for line in context]))
            near = await self._vectors.find_near(moment)
        reach, now = Reach(mode=mode, depth=depth, skip=skip, near=near), self._clock.now()
        said = [TalkLine(line.text, line.role == "assistant") for line in context]
        return recall.search(query, self.state, now=now, k=k, reach=reach, context=said)

    async def recall(
        self, keywords: Sequence[str], relations: Sequence[str], depth: int | None = None
    ) -> str:
        """Return what can be reached from the focus within ``depth`` links, as text.

        Source document 002 §7.1. Without a ``depth``, ``network.default_search_depth`` holds.
        """
        if depth is None:
            depth = self.state.rules.parameters_of(network_law.LAW).default_search_depth
        network = (await self._writer.indexes()).network
        shows = may_come_to_mind(self.state, self._clock.now())
        return recall_text(keywords, relations, depth, self.state, index=network, may_show=shows)

    async def kept_in_mind(
        self, query: str, hits: Sequence[Hit], *, skip: Collection[str] = (), private: bool = True
    ) -> tuple[PromptMemory, ...]:
        """Return what a prompt is given besides what was found, no message of ``skip`` among it.

        What an owner laid down (the tier ``system``); in private, who the partner is, and of what
        is asked what they told last, or that it is sealed; of the past what was once known.
        """
        found, indexes = {hit.memory_id for hit in hits}, await self._writer.indexes()
        slots, state, now, zone = indexes.slots, self.state, self._clock.now(), self.settings.zone
        shows = may_come_to_mind(state, now)
        besides = [each for each in map(state.memories.get, slots.system) if each]
        if private:  # in a group nobody is the one partner
            besides += filter(shows, filter(None, map(state.memories.get, slots.by_heart())))
        shown = [prompt_memory("", each, zone) for each in besides if each.id not in found]
        if private and (may_ask(query) or likely_asks(query)):
            recall, reach = await self._writer.recall(), Reach(depth="deep", skip=frozenset(skip))
            since = recall.said_since(query, hits, state, now=now, reach=reach)
            news = self.memories_for_prompt(since, budget_tokens=OF_NEWS, count=len).shown
            told = (m for m in facts_asked(query, slots, state) if shows(m) and m not in besides)
            news += tuple(prompt_memory("", each, zone) for each in told if each.id not in found)
            shown += [each._replace(handle="", reason=SAID_SINCE) for each in news]
            shown += sealed_notes(query, state, self._vault, zone)
        if any(hit.looked_up for hit in hits) or asks_about_past(query, now, zone):
            for memory, text in once_known(query, hits, state, shows):
                known = prompt_memory("", memory, zone)  # of whose sources it says nothing
                shown.append(known._replace(text=text, quote="", sources=()))
        if not private:
            shown += renamed_notes(indexes.names, now.astimezone(zone), state)
        keeps_out = stays_unmentioned([query], state)
        return tuple(each for each in shown if not keeps_out(each.text))

    def memories_for_prompt(
        self, hits: Sequence[Hit], *, budget_tokens: int, count: Callable[[str], int]
    ) -> PromptMemories:
        """Return the part of ``hits`` that fits a prompt, within a budget of tokens."""
        state, zone = self.state, ZoneInfo(self.settings.time_zone)
        return memories_within_budget(
            hits, state, budget_tokens=budget_tokens, zone=zone, count=count
        )

    async def called(self, name: str, person: str) -> str:
        """Return what the person of that id is called here: 安, or 安（2） if another is 安."""
        return (await self._writer.indexes()).names.assign(name, person, self.settings)

    async def name_of_partner(self) -> str:
        """Return the name the partner goes by as of now, a nickname first; empty if unknown."""
        return (await self._writer.indexes()).slots.name()

    def window(self, conversation: str) -> tuple[Message, ...]:
        """Return the last messages of a conversation, oldest first, at most 46."""
        return shown_lines(conversation, self.state)


MOST_NIGHT_ROUNDS: Final = 3
"""Plan, consolidate and review, plan again: a third round finds what the second left behind."""

# The network index beside the state: what the partner merges or adds by hand is linked at once.
SteeringPlan: TypeAlias = Callable[[MemoryState, NetworkIndex], Sequence[Change]]

Erase: TypeAlias = Callable[[Plan], Awaitable[None]]


class AgentMemory(MemoryReader):
    """One isolated memory. Every change is durable when its call returns.

    What is given to ``background`` is durable once its ``wait_until_idle`` returned.
    """

    def __init__(
        self, writer: StateWriter, parts: AgentParts, vectors: PassageVectors | None
    ) -> None:
        super().__init__(writer, parts.clock, parts.vault, vectors)
        self._on_learnt = parts.on_learnt
        # The background: it takes messages to remember, and can be waited for.
        self.background: Final = Background(writer, parts, vectors)

    @classmethod
    async def open(
        cls,
        store: MemoryStore,
        parts: AgentParts,
        *,
        choose_settings: ChooseSettings,
        vector_file: VectorFile | None = None,
        index_file: IndexFile | None = None,
    ) -> "AgentMemory":
        """Open the memory of a store and start its background; a new one remembers nothing.

        ``choose_settings`` is given the settings the agent has, None if it is new, and returns
        those it lives by from now on. Vectors are kept in ``vector_file``; without a file or an
        embedder search goes by words alone. What the search index has read is kept in
        ``index_file``. Raises :class:`memory.errors.StoreError`.
        """
        loaded = replace(await store.load(), laws=parts.laws)
        writer = StateWriter(store, loaded, parts.fairness, index_file, parts.on_reminders)
        # The folder is owned now: whatever fails from here on must release it again.
        async with AsyncExitStack() as unless_it_opens:
            unless_it_opens.push_async_callback(writer.close)
            await writer.write(lambda state: _checked_settings_changes(state, choose_settings))
            # Before anybody can read: an erasure that a crash cut short is finished first.
            await finish_scrubbing(writer)
            unless_it_opens.pop_all()
        vectors = None
        if parts.embedder is not None and vector_file is not None:
            vectors = PassageVectors(writer, parts.embedder, vector_file, parts.fairness)
        agent = cls(writer, parts, vectors)
        agent.background.start()
        parts.on_reminders()
        return agent

    async def commit(self, turn: Turn) -> None:
        """Keep a finished turn: one commit, idempotent by the turn's id.

        It holds the window, what the partner explicitly asked to be remembered, the marks of use
        on what was in the prompt, the receipt, and the turn itself for the background to judge.
        """
        indexes = await self._writer.indexes()
        tools = AgentTools(index=indexes.network, slots=indexes.slots, vault=self._vault)
        plan = partial(plan_commit, turn, now=self._clock.now(), tools=tools)
        learnt = learnt_notice(turn, await self._writer.write(plan, aside=takes_long(turn.said)))
        if learnt is not None:
            self._on_learnt(learnt)
        self.background.notify()

    async def listen(self, conversation: str, messages: Sequence[Message]) -> None:
        """Keep messages that got no answer; idempotent by the ids of the messages."""
        now = self._clock.now()
        await self._writer.write(
            lambda state: plan_listening(conversation, messages, state, now, self._vault),
            aside=takes_long(messages),
        )
        self.background.notify()

    async def make_room(self, conversation: str, last: str) -> None:
        """Let the lines up to the message ``last``, which crowd a prompt, become episodes now."""

        def plan(state: MemoryState) -> Sequence[Change]:
            window = state.windows.get(conversation)
            after = crowded_window(window, last, state) if window else window
            return () if after is None or after is window else (Put(after),)

        await self._writer.write(plan)
        self.background.notify()

    async def reinforce(self, memory_id: int, event: Event) -> None:
        """Apply an event to a memory; raises :class:`memory.errors.UnknownMemory`."""
        now = self._clock.now()
        # Called for what it raises: the plan passes over events of memories that are gone.
        self.state.memory(memory_id)
        await self._writer.write(lambda state: plan_events(state, [(memory_id, event)], now))

    async def choose_law(self, law: str) -> None:
        """Switch to another law; nothing else changes before the next night."""

        def plan(state: MemoryState) -> Sequence[Change]:
            settings = replace(state.agent_info.settings, law=law)
            state.laws.check(settings)
            return (Put(replace(state.agent_info, settings=settings)),)

        await self._writer.write(plan)

    async def steer(self, plan: SteeringPlan) -> tuple[Change, ...]:
        """Carry out what the partner decided, and return what changed."""
        network = (await self._writer.indexes()).network
        changes = await self._writer.write(lambda state: plan(state, network))
        self.background.notify()
        return changes

    @asynccontextmanager
    async def erasing(self) -> AsyncIterator[Erase]:
        """Pause the background, and yield the function that carries an erasure out.

        When that function returns, no file of the store holds what was dropped. Cut short, it is
        finished when the agent opens again. It raises :class:`memory.errors.StoreUnwritable`.
        """

        async def erase(plan: Plan) -> None:
            await self._writer.write(plan)
            await finish_scrubbing(self._writer)
            if self._vectors is not None:
                await self._vectors.prune()

        # Paused: work under way holds words in its hands and would write them down afterwards.
        async with self.background.paused():
            yield erase

    async def nightly(self) -> NightReport:
        """Settle, consolidate, review, archive and purge; idempotent, however late it comes."""
        # In rounds, because an episode ends only after its consolidation and a memory is deleted
        # only after its review.
        report = NightReport()
        # What was announced for a day holds from then on, before it is let go as over.
        await self.background.wait_until_idle()
        await self._judge_by_rule(plan_days_come)
        for _ in range(MOST_NIGHT_ROUNDS):
            await self.background.wait_until_idle()
            night = await self._settle()
            report = report.after(night)
            if not night.consolidate and not night.reviews:
                break
        await self.background.wait_until_idle()
        merged = await self._judge_by_rule(plan_batch_merge)
        # What the disk refused to clean by day.
        await finish_scrubbing(self._writer)
        await self._writer.fold()
        return replace(report, merged=merged)

    async def _settle(self) -> FatePlan:
        """Carry out one plan of the night, and make its consolidations due."""
        # In a thread, for a night of a large memory takes seconds. If something was written in the
        # meantime the plan does not fit, and is made again, this time without giving way.
        now, seen = self._clock.now(), self.state
        plan = partial(plan_night, now=now)
        night = await asyncio.to_thread(plan, seen)

        def changes(state: MemoryState) -> Sequence[Change]:
            nonlocal night
            if state is not seen:
                night = plan(state)
            chances = retry_changes(state, now)
            return (*night.changes, *chances, *consolidation_tasks(night, state, now))

        await self._writer.write(changes)
        return night

    async def _judge_by_rule(self, plan: Callable[[MemoryState, datetime], Judgement]) -> int:
        """Carry out a plan of the night; if anything is written meanwhile it waits a night."""
        now, seen = self._clock.now(), self.state
        judged = await asyncio.to_thread(plan, seen, now)
        made = await self._writer.write(lambda state: judged.changes if state is seen else ())
        return len(judged.learnt) if made else 0

    async def close(self) -> None:
        """Stop the background, make everything durable, release the folder."""
        try:
            await self.background.stop()
        finally:
            await self._writer.close()


def _checked_settings_changes(
    state: MemoryState, choose_settings: ChooseSettings
) -> tuple[Change, ...]:
    """Return the settings to live by; raises InputRefused for new ones that no law allows.

    Raises StoreFromFuture for what an agent lives by already: a newer program wrote that.
    """
    changes = settings_changes(state, choose_settings)
    after, _ = state.apply(changes)
    try:
        after.laws.check(after.agent_info.settings)
    except InputRefused as error:
        if changes:
            raise
        raise StoreFromFuture(refusals.NEWER_SETTINGS, why=error) from error
    return changes
