"""One lane per conversation: its work is done in order, and none waits for another's.

A lane holds no messages. The ledger is the queue; a lane is only the one task that works it off,
so there is nothing to lose, nothing to bound and nothing to tell apart after a crash. It exists
while there is something to do and ends by itself.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import Final, Protocol, TypeAlias

from bot.conversation.batches import Batch, CommandBatch, Utterance, first_batch
from bot.conversation.ledger import Received
from bot.conversation.messages import ConversationKey
from bot.supervise import Supervisor

QUIET_SECONDS: Final = 0.6
"""Who writes again within this time is still at it (companion-bots.md, 4d)."""


COMMAND_SECONDS: Final = 5.0
"""So long a command under way may take before it is stopped like a turn."""

LateBefore: TypeAlias = Callable[[], datetime | None]
"""Says before which instant a message was written too long ago to be answered by itself."""


PauseConversations: TypeAlias = Callable[
    [Collection[ConversationKey]], AbstractAsyncContextManager[None]
]
"""Lets conversations stand still for the length of a block."""


@asynccontextmanager
async def pause_nothing(conversations: Collection[ConversationKey]) -> AsyncIterator[None]:
    """Hold nothing: where there are no lanes, all are at rest."""
    del conversations
    yield


class LaneWork(Protocol):
    """What is done in a lane."""

    async def resume(self, conversation: ConversationKey) -> bool:
        """Finish what is owed from before; False if nothing new may begin until later."""

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return what waits, oldest first."""

    async def handle(self, batch: Batch) -> bool:
        """Do it; its messages no longer wait. False if nothing new may begin until later."""


class Timer(Protocol):
    """Measure and wait, in seconds of an arbitrary origin."""

    def now(self) -> float: ...

    async def wait_for(self, event: asyncio.Event, seconds: float) -> None:
        """Wait until the time is over or the event is set, whichever comes first."""


class LoopTimer:
    """The time of the running event loop."""

    def now(self) -> float:
        """Return the loop's monotonic time."""
        return asyncio.get_running_loop().time()

    async def wait_for(self, event: asyncio.Event, seconds: float) -> None:
        """Wait for the event, at most ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            pass


@dataclass(slots=True)
class _Lane:
    """``task`` is what works it off, once that has begun; ``obeys`` while a command runs."""

    notified: asyncio.Event = field(default_factory=asyncio.Event)
    last_arrival: float = -inf
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[object] | None = None
    runs_command: bool = False


class Lanes:
    """Start, stir and let go of lanes. Messages that come while a turn runs form the next one."""

    def __init__(
        self,
        work: LaneWork,
        supervisor: Supervisor,
        *,
        quiet_seconds: float = QUIET_SECONDS,
        timer: Timer | None = None,
        late_before: LateBefore = lambda: None,
    ) -> None:
        self._work = work
        self._supervisor = supervisor
        self._quiet = quiet_seconds
        self._timer = timer or LoopTimer()
        self._late_before = late_before
        self._lanes: dict[ConversationKey, _Lane] = {}
        self._pause_counts: Counter[ConversationKey] = Counter()
        self._missed_while_paused: set[ConversationKey] = set()
        self._closing = False
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def open_count(self) -> int:
        """Return how many conversations have a lane at the moment."""
        return len(self._lanes)

    def notify_arrival(self, conversation: ConversationKey) -> None:
        """Let the lane take the new message in the ledger once its sender is quiet."""
        self._notify_lane(conversation).last_arrival = self._timer.now()

    def wake(self, conversation: ConversationKey) -> None:
        """Let the lane look: something is due in the conversation."""
        self._notify_lane(conversation)

    def close(self) -> None:
        """Begin nothing new; what runs goes on, and its supervisor decides for how long."""
        self._closing = True
        for lane in self._lanes.values():
            lane.notified.set()

    @asynccontextmanager
    async def paused(self, conversations: Collection[ConversationKey]) -> AsyncIterator[None]:
        """Let nothing be under way in these conversations until the end of the block.

        A turn is stopped where it stands, as a crash would stop it, and taken on afterwards from
        what the ledger then holds of it. A command under way may finish, within five seconds.
        """
        self._pause_counts.update(conversations)
        self._missed_while_paused.update(each for each in conversations if each in self._lanes)
        try:
            await self._stop_running(conversations)
            yield
        finally:
            self._pause_counts.subtract(conversations)
            for conversation in self._missed_while_paused.intersection(conversations):
                if not self._pause_counts[conversation]:
                    self._missed_while_paused.discard(conversation)
                    self.wake(conversation)

    async def _stop_running(self, conversations: Collection[ConversationKey]) -> None:
        """Stop whatever is under way there but the task that asks for it."""
        mine = asyncio.current_task()
        found = [self._lanes[each] for each in conversations if each in self._lanes]
        lanes = [lane for lane in found if lane.task is not mine]
        obeying = {lane.task for lane in lanes if lane.task and lane.runs_command}
        if obeying:
            await asyncio.wait(obeying, timeout=COMMAND_SECONDS)
        running = {lane.task for lane in lanes if lane.task and not lane.task.done()}
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    async def wait_until_idle(self) -> None:
        """Wait until no conversation has anything left that can be done now."""
        await self._idle.wait()

    async def wait_until_quiet(self, conversation: ConversationKey) -> None:
        """Wait until nothing is under way in one conversation."""
        while lane := self._lanes.get(conversation):
            await lane.ended.wait()

    def _notify_lane(self, conversation: ConversationKey) -> _Lane:
        lane = self._lanes.get(conversation)
        if lane is None:
            lane = _Lane()
            if self._pause_counts[conversation]:
                self._missed_while_paused.add(conversation)
            elif not self._closing:
                self._lanes[conversation] = lane
                self._idle.clear()
                self._supervisor.start(f"lane {conversation.platform}", self._run(conversation))
        lane.notified.set()
        return lane

    async def _run(self, conversation: ConversationKey) -> None:
        lane = self._lanes[conversation]
        lane.task = asyncio.current_task()
        try:
            while lane.notified.is_set() and self._may_begin(conversation):
                lane.notified.clear()
                while self._may_begin(conversation) and await self._step(conversation, lane):
                    pass
        finally:
            # No await since the last look at ``stirred``: whoever comes now starts a new lane.
            del self._lanes[conversation]
            lane.task = None
            lane.ended.set()
            if not self._lanes:
                self._idle.set()

    async def _step(self, conversation: ConversationKey, lane: _Lane) -> bool:
        """Do the next thing; False if there is none, or none that may begin."""
        if not await self._work.resume(conversation):
            return False
        batch = await self._next_batch(conversation, lane)
        if batch is None:
            return False
        lane.runs_command = isinstance(batch, CommandBatch)
        more = await self._work.handle(batch)
        lane.runs_command = False
        return more

    def _may_begin(self, conversation: ConversationKey) -> bool:
        return not self._closing and not self._pause_counts[conversation]

    async def _next_batch(self, conversation: ConversationKey, lane: _Lane) -> Batch | None:
        """Return the next batch once it is complete: closed by the next message, or by silence."""
        while not self._closing:
            lane.notified.clear()
            waiting = await self._work.waiting(conversation)
            if not waiting:
                return None
            batch = first_batch(waiting, self._late_before())
            left = lane.last_arrival + self._quiet - self._timer.now()
            if left <= 0 or not (isinstance(batch, Utterance) and batch.open):
                return batch
            await self._timer.wait_for(lane.notified, left)
        return None
