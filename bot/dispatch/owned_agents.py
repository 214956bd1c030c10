"""The agents that one of several workers owns: taken when something is owed, and let go.

What a lane does for a conversation it does under the lease of its agent, as it was when the lane
began the step. An agent leaves in order, when another worker asks for it, when it makes room or
has been idle; or it is lost, to a worker that thought this one dead, and then nothing of it is
written any more.
"""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from bot.conversation.lanes import ConversationPauses
from bot.conversation.ledger.inbox import Bindings
from bot.conversation.ledger.ownership import Ownership, agent_of_lease
from bot.conversation.messages import ConversationKey
from bot.tasks import attempt, next_night, wait_for_event
from memory.agents import IDLE, Agents
from memory.ports import Clock
from memory.stores.leases import Lease

SPARED_SECONDS: Final = 10.0
"""An agent that was used within this time does not make room for another."""

HANDED_SECONDS: Final = 2.0
"""So long whoever asked for an agent may take to own it, before it is anybody's."""

BUSY_SECONDS: Final = 5.0
"""So long an urgent command may take to end, before its agent is handed over all the same."""

MOST_AT_ONCE: Final = 16
"""So many agents are taken by one look at what is owed."""


@dataclass(slots=True)
class _Steps:
    """The steps under way in the lanes of an agent."""

    count: int = 0
    ended: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True, kw_only=True)
class OwnedAgents:
    """The agents of this worker: ``most`` at the most; ``zone`` is that of a new one."""

    ownership: Ownership
    agents: Agents
    bindings: Bindings
    pauses: ConversationPauses
    clock: Clock
    most: int
    zone: str
    took: int = 0
    handed: int = 0
    lost: int = 0
    known: dict[ConversationKey, str] = field(default_factory=dict)
    _used: dict[str, float] = field(default_factory=dict)
    _steps: dict[str, "_Steps"] = field(default_factory=dict)
    _leaving: set[str] = field(default_factory=set)

    @property
    def room(self) -> int:
        """Return how many agents more there is room for."""
        return max(self.most - len(self.ownership.kept()), 0)

    async def own(self, conversation: ConversationKey) -> Lease | None:
        """Return the lease under which a conversation is answered; None if it is not ours to do.

        One that nobody owns is taken, if there is room.
        """
        owner = await self.ownership.owner(conversation)
        agent_id = owner.agent_id
        mine = owner.worker == self.ownership.worker
        free = owner.worker == 0 and self.room > 0
        if not agent_id or agent_id in self._leaving or not (mine or free):
            self.known.pop(conversation, None)
            return None
        night = next_night(self.clock.now(), self.zone)
        if mine:
            lease = self.ownership.keep_as(owner)
        else:
            lease = await self.ownership.keep(agent_id, night)
        if lease is None:
            self.known.pop(conversation, None)
            return None
        self.took += not mine
        self.known[conversation] = agent_id
        self._used[agent_id] = asyncio.get_running_loop().time()
        return lease

    async def keep_owed(self, platforms: Collection[str], nights: int) -> frozenset[str]:
        """Take agents that owe something and nobody owns; return those taken."""
        now = asyncio.get_running_loop().time()
        most = min(self.room, MOST_AT_ONCE)
        took = await self.ownership.keep_owed(platforms, self.clock.now(), most, nights)
        self._used.update(dict.fromkeys(took, now))
        self.took += len(took)
        return took

    @asynccontextmanager
    async def busy(self, conversation: ConversationKey) -> AsyncIterator[None]:
        """Do a step for a conversation inside the block: its agent is not let go meanwhile."""
        agent_id = self.known.get(conversation, "")
        steps = self._steps.setdefault(agent_id, _Steps())
        steps.count += 1
        try:
            yield
        finally:
            steps.count -= 1
            if not steps.count:
                del self._steps[agent_id]
                steps.ended.set()
            self._used[agent_id] = asyncio.get_running_loop().time()

    async def hand_over(self, agent_id: str) -> None:
        """Give an agent to whoever asked for it: what is under way stops as a crash stops it."""
        if agent_id in self._leaving:
            return
        self._leaving.add(agent_id)
        try:
            await self._leave(agent_id)
            self.handed += 1
            # What stopped begins anew at once, here; it must not take the agent back.
            await asyncio.sleep(HANDED_SECONDS)
        finally:
            self._leaving.discard(agent_id)

    async def drop_lost(self) -> frozenset[str]:
        """Look whether we still own what we think; forget what another has taken, return it."""
        lost = await self.ownership.lost()
        for folder in lost:
            agent_id = agent_of_lease(folder)
            if agent_id != folder:
                self.lost += 1
                await self._leave(agent_id, wait=0)
        return lost

    async def let_idle_go(self) -> None:
        """Let go of what was not used for half an hour, and of what makes room for others."""
        now = asyncio.get_running_loop().time()
        kept = sorted(self.ownership.kept(), key=lambda each: self._used.get(each, 0.0))
        over = len(kept) - self.most + 1
        for place, agent_id in enumerate(kept):
            unused = now - self._used.get(agent_id, 0.0)
            in_hand = agent_id in self._leaving or agent_id in self._steps
            wanted = unused > IDLE.total_seconds() or (place < over and unused > SPARED_SECONDS)
            if wanted and not in_hand:
                await self._leave(agent_id)

    async def leave_at_rest(self, agent_id: str) -> None:
        """Let go of an agent of which only its night was due."""
        unused = asyncio.get_running_loop().time() - self._used.get(agent_id, 0.0)
        in_hand = agent_id in self._leaving or agent_id in self._steps
        if not in_hand and agent_id not in self.known.values() and unused > SPARED_SECONDS / 10:
            await self._leave(agent_id)

    async def _leave(self, agent_id: str, wait: float = BUSY_SECONDS) -> None:
        """Close an agent and own it no more, with nothing under way in its conversations."""
        places = await self.bindings.conversations(agent_id)
        async with self.pauses.paused(places):
            # Urgent commands are not paused.
            if (steps := self._steps.get(agent_id)) is not None:
                await wait_for_event(steps.ended, wait)
            await attempt("closing an agent", lambda: self.agents.close(agent_id))
            await self.ownership.let_go(agent_id)
        for place in [place for place, agent in self.known.items() if agent == agent_id]:
            del self.known[place]
        self._used.pop(agent_id, None)
