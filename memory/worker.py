"""The background of one agent: one task that does what is due, one thing at a time.

Nothing is done because it was queued: what is due is read off the durable state, so after a
restart, a crash or an outage the same things are due again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from memory.background.judged import OnLearnt
from memory.changes import Change
from memory.errors import StoreError
from memory.fairness import Fairness
from memory.filing import taken_in
from memory.meaning import Meaning
from memory.model import Message
from memory.offline import OfflineModel
from memory.ports import Clock, LanguageModel
from memory.slices import Slices
from memory.state import MemoryState
from memory.vault import Vault
from memory.work import due, needs_model
from memory.workbench import Workbench
from memory.writer import Writer

FIRST_WAIT_SECONDS: Final = 15.0
LONGEST_WAIT_SECONDS: Final = 600.0
"""How long a model that is away, or a disk that refuses, is left alone: doubling up to this.

Also how often it looks for what became due only by the passing of time.
"""


class Worker:
    """Do what is due until stopped. Between two pieces of work it sleeps until stirred."""

    def __init__(  # noqa: PLR0913 - everything the background is made of, by name
        self,
        writer: Writer,
        *,
        clock: Clock,
        chance: Random,
        model: LanguageModel | None,
        fairness: Fairness,
        hears: OnLearnt,
        vault: Vault | None = None,
        meaning: Meaning | None = None,
    ) -> None:
        self._writer = writer
        self._clock = clock
        self._fairness = fairness
        self._vault = vault
        self._meaning = meaning
        self._bench = Workbench(
            writer,
            clock=clock,
            chance=chance,
            model=model,
            fairness=fairness,
            hears=hears,
            vault=vault,
        )
        self._slices = Slices(
            writer, clock=clock, model=model or OfflineModel(), fairness=fairness
        )
        self._given: list[tuple[tuple[Message, ...], bool]] = []
        self._stirred = asyncio.Event()
        self._idle = asyncio.Event()
        self._wait = FIRST_WAIT_SECONDS
        self._away_until = 0.0
        self._trouble: StoreError | None = None
        self._task: asyncio.Task[None] | None = None
        self._rest = asyncio.Lock()

    @property
    def model_is_away(self) -> bool:
        """Whether the model was not there when it was last asked."""
        return asyncio.get_running_loop().time() < self._away_until

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left that can be done now."""
        return self._idle.is_set()

    def start(self) -> None:
        """Begin to work; must be called inside the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="memory worker")

    async def stop(self) -> None:
        """Stop where it stands; what was given and not yet taken in is made durable first."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait({self._task})
        await self._take_in()

    @asynccontextmanager
    async def at_rest(self) -> AsyncIterator[None]:
        """Stand still for the length of a block, whatever was under way; one block at a time."""
        async with self._rest:
            await self.stop()
            try:
                yield
            finally:
                self.start()

    def give(self, messages: Sequence[Message], *, explicit: bool) -> None:
        """Take messages to be remembered; returns at once."""
        if messages:
            self._given.append((tuple(messages), explicit))
            self.stir()

    def stir(self) -> None:
        """Say that there may be something to do."""
        self._idle.clear()
        self._stirred.set()

    async def settled(self) -> None:
        """Wait until nothing is left that can be done now; what waits for a model is left.

        Raises :class:`StoreError` if the disk refuses, or whatever ended the worker.
        """
        while task := self._task:
            self.stir()
            idle = asyncio.get_running_loop().create_task(self._idle.wait())
            await asyncio.wait({idle, task}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if task.done() and not await self._goes_on_after(task):
                task.result()
            if not task.done():
                break
        if self._trouble is not None:
            raise self._trouble

    async def _goes_on_after(self, task: asyncio.Task[None]) -> bool:
        """Wait out a rest; False if the task ended for another reason."""
        if not self._rest.locked() and self._task is task:
            return False
        async with self._rest:
            return True

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._slices.run(), name="slices")
            if self._meaning is not None:
                tasks.create_task(self._meaning.run(), name="meaning")
            await self._work()

    async def _work(self) -> None:
        while True:
            self._stirred.clear()
            try:
                await self._take_in()
                await self._work_off()
                self._trouble = None
            except StoreError as error:
                self._trouble = error
                self._back_off()
            self._slices.call()
            if self._meaning is not None:
                self._meaning.call()
            if not self._stirred.is_set():
                self._idle.set()
            try:
                async with asyncio.timeout(self._wait):
                    await self._stirred.wait()
            except TimeoutError:
                pass

    async def _take_in(self) -> None:
        """Make durable, as tasks, what was given since."""
        while self._given:
            messages, explicit = self._given[0]

            def plan(
                state: MemoryState,
                messages: Sequence[Message] = messages,
                explicit: bool = explicit,  # noqa: FBT001 - bound here, never passed
            ) -> Sequence[Change]:
                now = self._clock.now()
                return taken_in(messages, state, now, explicit=explicit, vault=self._vault)

            async with self._fairness.step():
                await self._writer.write(plan)
            self._given.pop(0)

    async def _work_off(self) -> None:
        """Do what is due, until nothing is or the model is away."""
        while True:
            can = not self.model_is_away
            now = self._clock.now()
            works = (w for w in due(self._writer.state, now) if can or not needs_model(w))
            work = next(works, None)
            if work is None:
                return
            if await self._bench.do(work):
                self._wait = FIRST_WAIT_SECONDS
            else:
                self._back_off()
                self._away_until = asyncio.get_running_loop().time() + self._wait

    def _back_off(self) -> None:
        self._wait = min(self._wait * 2, LONGEST_WAIT_SECONDS)
