"""What one agent works with, and the work that goes on node by node.

The compression slices of the law ``network``, after every remember, node by node (source document
002 §11.2). One node is one commit, so a slice may stop after any of them, also by a crash: no node
is ever half done, and the scan counts say where the next slice goes on.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from random import Random
from typing import Final

from memory.changes import AgentInfo, Change, Put
from memory.errors import StoreError
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import AgentTools
from memory.laws import network as network_law
from memory.laws.contract import may_delete
from memory.laws.network import Forget, NetworkParameters, Shrink, Target, target_of
from memory.laws.registry import Laws
from memory.learning import consolidation
from memory.learning.consolidation import CompressionQuestion
from memory.learning.outcomes import (
    OnLearnt,
    ignore_learnt,
)
from memory.lifecycle.effects import previous_text
from memory.model import Deleted, DeletionPolicy, Memory, Tier
from memory.network.cycle import (
    ScannedNode,
    in_scan_order,
    is_unused_entity,
    nodes_over_capacity,
    original_length,
    scanned_node,
)
from memory.network.index import NetworkIndex
from memory.offline import OfflineModel
from memory.ports import Clock, Embedder, LanguageModel, Replied, Unavailable
from memory.privacy.vault import Vault
from memory.state import MemoryState
from memory.writer import Fairness, StateWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentParts:
    """Everything an agent works with besides its store.

    ``model`` None means that none is configured: the background judges by rule. Without an
    ``embedder`` search goes by words alone, without a ``vault`` nothing is sealed. Agents of one
    process share their ``fairness``. ``on_learnt`` is called with what a turn taught the agent,
    ``on_reminders`` when it is opened and whenever its reminders changed.
    ``laws`` are those the agent may live by. ``follows_language``: nobody said in which language
    a new agent is to be kept, so it is that of the first talk.
    """

    clock: Clock
    model: LanguageModel | None = None
    embedder: Embedder | None = None
    vault: Vault | None = None
    fairness: Fairness = field(default_factory=Fairness)
    # Draws which memories are compared when a fixed capacity makes room; it guards nothing, so
    # an unseeded generator is enough. Tests give a seeded one.
    random: Random = field(default_factory=Random)
    on_learnt: OnLearnt = ignore_learnt
    on_reminders: Callable[[], None] = lambda: None
    laws: Laws = field(default=Laws())
    follows_language: bool = False

    @property
    def working_model(self) -> LanguageModel:
        """Return the model that does the background work: the configured one, else the rules."""
        return self.model or OfflineModel()


RETRY_SECONDS: Final = 30.0
"""How long a slice waits after the disk refused."""


@dataclass(frozen=True, slots=True)
class CompressionAnswer:
    """The shorter text a model answered with, and what it was asked."""

    question: CompressionQuestion
    text: str

    def compressed_memory(self, state: MemoryState) -> Memory | None:
        """Return the memory with the shorter text; None if the answer no longer fits it."""
        read = consolidation.compressed_memory(self.question, self.text, state)
        return None if isinstance(read, Unreadable) else read


class CompressionSlices:
    """The compression slices of one agent.

    One agent at a time has a slice, in the order they asked (round robin, source document 002
    §11.2.3).
    """

    def __init__(self, writer: StateWriter, parts: AgentParts) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._model = parts.working_model
        self._fairness = parts.fairness
        self._notified = asyncio.Event()

    def notify(self) -> None:
        """Say that a slice may be due."""
        self._notified.set()

    async def run(self) -> None:
        """Do the slices that are due, until cancelled; what is left then stays due."""
        while True:
            await self._notified.wait()
            # Cleared before looking: what becomes due while a slice runs sets it again.
            self._notified.clear()
            while self._is_due():
                try:
                    async with self._fairness.slices:
                        await self._run_slice()
                except StoreError:
                    # The disk refuses: nothing was changed, and the slice is still due.
                    await asyncio.sleep(RETRY_SECONDS)

    def _is_due(self) -> bool:
        state = self._writer.state
        return state.rules.law.runs_slices and state.agent_info.slice_due

    async def _run_slice(self) -> None:
        """Go from node to node, scanned least first, to the end of the time or of the nodes."""
        # The loop's monotonic clock, not the agent's: a slice is measured in real time, also while
        # a conversation of last year is replayed.
        now = asyncio.get_running_loop().time
        until = now() + self._parameters(self._writer.state).time_slice / 1000
        info = self._writer.state.agent_info
        nodes = in_scan_order(self._writer.state, made_before=info.made_before)
        nodes = nodes[: info.slice_left or None]
        done = 0
        while done < len(nodes) and (not done or now() < until):
            await self._compress(nodes[done])
            done += 1
        await self._writer.write(partial(_slice_over, info, len(nodes) - done))

    async def _compress(self, node: int) -> None:
        """Run one cycle on a node: its links decay, then it stays, shrinks or goes."""
        network = (await self._writer.indexes()).network
        # Asked before the turn to compute is taken: no agent waits for another one's model. The
        # plan then judges the answer against the state it meets.
        answer = await self._ask_for_shorter(node)
        await self._writer.write_in_turn(partial(self._cycle_changes, node, answer, network))

    async def _ask_for_shorter(self, node: int) -> CompressionAnswer | None:
        """Return a shorter text that can be used, if one is wanted and the model finds one.

        After ``max_retries`` more attempts the text stays as it is (source document 002 §11.5).
        """
        # Asked again, the rules would say the same.
        by_rule = isinstance(self._model, OfflineModel)
        most = 0 if by_rule else self._parameters(self._writer.state).max_retries
        for _ in range(most + 1):
            state = self._writer.state
            target = self._target(node, state)
            if not isinstance(target, Shrink):
                return None
            asked = consolidation.compression_question(node, target.characters, state)
            outcome = await self._model.complete(asked.prompt) if asked else None
            # No retries while the model is unavailable: the next slice comes by again.
            if asked is None or isinstance(outcome, Unavailable):
                return None
            if isinstance(outcome, Replied):
                answer = CompressionAnswer(asked, outcome.text)
                if answer.compressed_memory(self._writer.state) is not None:
                    return answer
        return None

    def _cycle_changes(
        self,
        node: int,
        answer: CompressionAnswer | None,
        network: NetworkIndex,
        state: MemoryState,
    ) -> Sequence[Change]:
        """Return the changes of one cycle on one node, in the state as it is now."""
        target = self._target(node, state)
        if target is None:
            return ()
        now, memory = self._clock.now(), state.memory(node)
        scanned = self._scanned(node, state)
        if memory.nature.tier is Tier.ENTITY:
            return (
                scanned.forgotten(now)
                if is_unused_entity(memory, state, network)
                else scanned.unchanged()
            )
        if isinstance(target, Forget):
            return scanned.forgotten(now)
        shorter = (
            answer.compressed_memory(state) if answer and isinstance(target, Shrink) else None
        )
        if shorter is None:
            return scanned.unchanged()
        return (*scanned.shortened(shorter), Put(previous_text(memory, state, now)))

    def _target(self, node: int, state: MemoryState) -> Target | None:
        """Return what the law wants of a node; None if it is gone or came into focus."""
        memory = state.memories.get(node)
        if memory is None or not memory.is_active or node in state.agent_info.focus:
            return None
        connected = self._scanned(node, state).connectedness
        length = original_length(memory.words)
        return target_of(memory, connected, length, self._parameters(state))

    def _scanned(self, node: int, state: MemoryState) -> ScannedNode:
        chosen = self._parameters(state)
        return scanned_node(
            node, state, decay_rate=chosen.decay_rate, break_below=chosen.link_break_threshold
        )

    def _parameters(self, state: MemoryState) -> NetworkParameters:
        return state.rules.parameters_of(network_law.LAW)


def with_slice_due(
    changes: Sequence[Change], state: MemoryState, now: datetime, random: Random
) -> Sequence[Change]:
    """Return the changes of a remember with what the law ``network`` adds to them.

    A slice becomes due (source document 002 §11.2.1), which passes over what is new. Under scheme
    A the least connected nodes make room at once (§11.2.4).
    """
    if not state.rules.law.runs_slices:
        return changes
    after, _ = state.apply(changes)
    due = replace(after.agent_info, slice_due=True, slice_left=0, made_before=state.next_id)
    return (*changes, *_room_changes(after, state, now, random), Put(due))


def _room_changes(
    after: MemoryState, before: MemoryState, now: datetime, random: Random
) -> Iterator[Change]:
    """Yield the deletions that keep a fixed capacity; nothing new is taken for it."""
    chosen = after.rules.parameters_of(network_law.LAW)
    if chosen.scheme != "A":
        return
    going = nodes_over_capacity(
        0,
        after,
        random,
        capacity=chosen.capacity,
        sample=chosen.sample,
        may_go=lambda memory: memory.id < before.next_id and may_delete(memory),
    )
    for node in going:
        gone = Deleted(now, DeletionPolicy.AUTO_CLEANUP)
        yield Put(replace(after.memory(node), standing=gone))


def _slice_over(before: AgentInfo, left: int, state: MemoryState) -> Sequence[Change]:
    """Return that a slice is done, or that so many nodes are left for the next one.

    What was remembered meanwhile made a whole slice due, which is left as it is.
    """
    info = state.agent_info
    if info.made_before != before.made_before:
        return ()
    return (Put(replace(info, slice_due=left > 0, slice_left=left)),)


async def tools_of(writer: StateWriter, vault: Vault | None = None) -> AgentTools:
    """Return what a plan may use; the indexes follow every change that is written."""
    indexes = await writer.indexes()
    return AgentTools(index=indexes.network, slots=indexes.slots, vault=vault)
