"""One of several workers: it answers the agents it owns, and calls the owners of the others.

Any worker accepts any message; whoever owns its agent answers it, and an agent that nobody owns
goes to whoever takes it first. Workers call each other through the database (``NOTIFY``), and
look for themselves every two seconds for what no call told. What a lane writes proves the lease
under which it began: a worker that lost an agent without knowing it cannot answer for it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Never

from bot.conversation.lanes import Batch, Bell, CommandBatch, Lanes, LaneWork
from bot.conversation.ledger import Received
from bot.conversation.ledger.ownership import Ownership, agent_of_lease
from bot.conversation.ledger.server_database import proving
from bot.conversation.messages import ConversationKey
from bot.dispatch.intake import Intake
from bot.dispatch.owned_agents import OwnedAgents
from bot.dispatch.workers import OnLook, WorkerNumbers
from bot.identity import Access, share_owner
from bot.tasks import Done, Failed, Supervisor, attempt, wait_for_event
from memory.stores.leases import Lease
from memory.stores.server import Ear, Server, WorkerCall

LOOK_SECONDS: Final = 2.0
"""How often a worker looks whether it is alive and what nobody does, without being called."""

PRUNE_LOOKS: Final = 1_800
"""An hour of such looks: how often one of the workers lets the ledger forget what is settled."""

FIRST_PRUNING: Final = 30
"""Not at once: workers that start together have better to do than to wait for it."""

NEWS_LOOKS: Final = 8
"""How often, in looks, it is read whom an owner let in, at another worker perhaps."""

NIGHT_LOOKS: Final = 300
"""How often, in looks, agents are found that began since and have no night planned."""

NIGHTS_AT_ONCE: Final = 2
"""So many agents are owned at a time of which only the night is due."""

CHORES: Final = "chores"
"""What is done by one worker for all: the ledger is tidied."""


@dataclass(slots=True, kw_only=True)
class Fleet:
    """A worker among others."""

    server: Server
    ownership: Ownership
    owned: OwnedAgents
    supervisor: Supervisor
    platforms: Collection[str]
    _on_look: OnLook | None = None
    _called: asyncio.Event = field(default_factory=asyncio.Event)
    _bells: tuple["_CallingBell", "_CallingBell"] | None = None
    _alone: dict[str, asyncio.Task[Done[object] | Failed]] = field(default_factory=dict)

    def follow(self, on_look: OnLook) -> None:
        """Do this at every look."""
        self._on_look = on_look

    async def leave(self, agent_id: str) -> None:
        """Let go of an agent that was needed for its night only."""
        await self.owned.leave_at_rest(agent_id)

    def bells(self, lanes: Lanes, urgent: Lanes) -> tuple[Bell, Bell]:
        """Return what wakes lanes here, or calls the worker that has them."""
        self._bells = _CallingBell(self, lanes, "said"), _CallingBell(self, urgent, "urgent")
        return self._bells

    def work(self, inner: LaneWork) -> LaneWork:
        """Return the work of lanes, done under the lease of its agent while that is ours."""
        return _OwnedWork(inner, self)

    async def keep_waking(self, intake: Intake, platforms: Collection[str]) -> None:
        """Look for what nobody does, wake what is due, and hear calls, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._keep_listening())
            looks = 0
            while True:
                if looks % NIGHT_LOOKS == 0:
                    await attempt("planning nights", self.plan_nights)
                await attempt("looking for what nobody does", partial(self._look, looks))
                await attempt("waking what is due", lambda: intake.wake_due(platforms))
                if looks % PRUNE_LOOKS == FIRST_PRUNING and await self._has_chores():
                    await attempt("pruning", intake.prune)
                looks += 1
                await wait_for_event(self._called, LOOK_SECONDS)
                self._called.clear()

    async def alone_in(
        self, name: str, work: Callable[[], Awaitable[object]], waiting: Callable[[], object]
    ) -> None:
        """Do what only one worker may do at a time, once it is this one's turn.

        It is cut short if another takes over, and done again when that one ends; ``waiting`` is
        called meanwhile. Ends when the work does.
        """
        while True:
            if await self._take(name):
                try:
                    async with asyncio.TaskGroup() as group:
                        task = group.create_task(attempt(name, work))
                        self._alone[name] = task
                        await asyncio.wait((task,))
                finally:
                    del self._alone[name]
                    await attempt("giving up what one does alone", partial(self._give_up, name))
                if not task.cancelled():
                    if isinstance(step := task.result(), Failed):
                        raise step.error
                    return
            waiting()
            await asyncio.sleep(LOOK_SECONDS / 2)

    @asynccontextmanager
    async def sole(self, name: str) -> AsyncIterator[bool]:
        """Do something nobody else does meanwhile; False if somebody does."""
        mine = await self._take(name)
        try:
            yield mine
        finally:
            if mine:
                await self._give_up(name)

    async def share_owners(self, access: Access, home: Path, *, tell: bool = False) -> None:
        """Let all of them know who paired, and this one know it; kept in each one's ``home``.

        ``tell`` lets the others read at once who may talk.
        """
        for platform in self.platforms:
            await asyncio.to_thread(share_owner, self.server, home, platform)
            for owner in access.identities.paired_owner(home, platform):
                access.add_owner(owner)
        if tell:
            await self.ownership.tell(0, "news")

    def numbers(self) -> WorkerNumbers:
        """Return what this worker counts."""
        owned = self.owned
        return WorkerNumbers(
            worker=self.ownership.worker,
            agents=len(self.ownership.kept()),
            took=owned.took,
            handed=owned.handed,
            lost=owned.lost,
            alone_in=tuple(sorted(self._alone)),
        )

    def in_short(self) -> tuple[int, int]:
        """Return its number and how many agents it owns."""
        return self.ownership.worker, len(self.ownership.kept())

    def pass_on(self, conversation: ConversationKey) -> None:
        """Call whoever answers a conversation that was ours."""
        for bell in self._bells or ():
            bell.wake(conversation)

    async def _look(self, looks: int) -> None:
        for name in await self.owned.drop_lost():
            if (task := self._alone.get(name)) is not None:
                task.cancel()
        await self.owned.let_idle_go()
        on_look = self._on_look
        nights = NIGHTS_AT_ONCE - on_look.nights() if on_look is not None else 0
        taken = await self.owned.keep_owed(self.platforms, nights)
        if on_look is not None and taken:
            await on_look.look()
        if on_look is not None and looks % NEWS_LOOKS == 0:
            await on_look.news()

    async def plan_nights(self) -> None:
        """Let agents that never had a night by the ledger have one now, new ones among them."""
        await self.ownership.plan_first_nights(self.owned.clock.now())

    async def _has_chores(self) -> bool:
        step = await attempt("asking whose the chores are", lambda: self.ownership.take(CHORES))
        return isinstance(step, Done) and bool(step.value)

    async def _take(self, name: str) -> bool:
        # One that this worker does already is somebody's.
        if name in self._alone:
            return False
        step = await attempt("asking whose turn it is", partial(self.ownership.take, name))
        return isinstance(step, Done) and bool(step.value)

    async def _give_up(self, name: str) -> None:
        await self.ownership.give_up(name)

    async def _keep_listening(self) -> Never:
        while True:
            await attempt("listening to the other workers", self._listen)
            # What was said meanwhile is found by looking.
            self._called.set()
            await asyncio.sleep(LOOK_SECONDS / 4)

    async def _listen(self) -> None:
        """Hear calls until the connection is over; raises :class:`DatabaseAway` then."""
        said, loop = asyncio.Event(), asyncio.get_running_loop()
        making = loop.run_in_executor(None, self.server.listen)
        try:
            ear = await asyncio.shield(making)
        except asyncio.CancelledError:
            # The program ends, and nobody would close what the thread still makes.
            making.add_done_callback(_close_made)
            raise
        number = ear.fileno()
        loop.add_reader(number, said.set)
        self._called.set()
        try:
            while True:
                await said.wait()
                said.clear()
                for call in ear.heard():
                    self._obey(call)
        finally:
            loop.remove_reader(number)
            ear.close()

    def _obey(self, call: WorkerCall) -> None:
        match call.kind.split(), call.about:
            case [("said" | "urgent") as kind, *arrived], about if self._bells is not None:
                place = ConversationKey(**json.loads(about))
                if place.platform in self.platforms:
                    self._bells[kind == "urgent"].here(place, arrived=bool(arrived))
            case ["wanted"], folder:
                handing = self.owned.hand_over(agent_of_lease(folder))
                self.supervisor.start("handing an agent over", handing)
            case ["news"], _ if self._on_look is not None:
                reading = attempt("reading who may talk", self._on_look.news)
                self.supervisor.start("reading who may talk", reading)
            case _:
                self._called.set()


def _close_made(made: "asyncio.Future[Ear]") -> None:
    if not made.cancelled() and made.exception() is None:
        made.result().close()


@dataclass(slots=True)
class _CallingBell:
    """Wakes the lanes of one kind, here or at the worker that has the conversation."""

    fleet: Fleet
    lanes: Lanes
    kind: str

    def notify_arrival(self, conversation: ConversationKey) -> None:
        """Tell the lane of a new message in the ledger."""
        if conversation in self.fleet.owned.known:
            self.lanes.notify_arrival(conversation)
        else:
            self._find(conversation, f"{self.kind} arrived")

    def wake(self, conversation: ConversationKey) -> None:
        """Let the lane look into the ledger."""
        if conversation in self.fleet.owned.known:
            self.lanes.wake(conversation)
        else:
            self._find(conversation, self.kind)

    def here(self, conversation: ConversationKey, *, arrived: bool) -> None:
        """Wake the lane in this worker, which looks whether the conversation is its own."""
        (self.lanes.notify_arrival if arrived else self.lanes.wake)(conversation)

    def _find(self, conversation: ConversationKey, kind: str) -> None:
        self.fleet.supervisor.start("finding who answers", self._ring(conversation, kind))

    async def _ring(self, conversation: ConversationKey, kind: str) -> None:
        """Let whoever owns the conversation look; if nobody does, everybody."""
        ownership = self.fleet.ownership
        owner = await ownership.owner(conversation)
        if owner.worker == ownership.worker:
            self.here(conversation, arrived=kind != self.kind)
        elif owner.agent_id:
            await ownership.tell(owner.worker, kind, json.dumps(asdict(conversation)))


class _OwnedWork:
    """The work of lanes, done under the lease of the conversation's agent."""

    def __init__(self, inner: LaneWork, fleet: Fleet) -> None:
        self._inner = inner
        self._fleet = fleet
        self._leases: dict[ConversationKey, Lease] = {}

    async def resume(self, conversation: ConversationKey) -> Sequence[Received] | None:
        """Finish what is owed, return what waits; None if another worker answers here."""
        known = conversation in self._fleet.owned.known
        lease = await self._fleet.owned.own(conversation)
        if lease is None:
            self._leases.pop(conversation, None)
            if known:
                # What came for us is by now another worker's to answer.
                self._fleet.pass_on(conversation)
            return None
        self._leases[conversation] = lease
        with proving(lease):
            async with self._fleet.owned.busy(conversation):
                return await self._inner.resume(conversation)

    async def waiting(self, conversation: ConversationKey) -> Sequence[Received]:
        """Return the messages that wait, oldest first; none where another worker answers."""
        lease = self._leases.get(conversation)
        if lease is None:
            return ()
        with proving(lease):
            return await self._inner.waiting(conversation)

    async def handle(self, batch: Batch) -> bool:
        """Do a batch; False if nothing new may begin until later."""
        first = batch.message if isinstance(batch, CommandBatch) else batch.messages[0]
        lease = self._leases.get(first.conversation)
        if lease is None:
            return False
        with proving(lease):
            async with self._fleet.owned.busy(first.conversation):
                return await self._inner.handle(batch)
