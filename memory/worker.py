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
from memory.filing import plan_remember
from memory.meaning import PassageVectors
from memory.model import Message
from memory.offline import OfflineModel
from memory.ports import Clock, LanguageModel
from memory.slices import CompressionSlices
from memory.state import MemoryState
from memory.vault import Vault
from memory.work import due_work, needs_model
from memory.workbench import WorkRunner
from memory.writer import StateWriter

FIRST_RETRY_SECONDS: Final = 15.0
LONGEST_RETRY_SECONDS: Final = 600.0
"""How long a model that is away, or a disk that refuses, is left alone: doubling up to this.

Also how often it looks for what became due only by the passing of time.
"""


class Worker:
    """Do what is due until stopped. Between two pieces of work it sleeps until stirred."""

    def __init__(  # noqa: PLR0913 - everything the background is made of, by name
        self,
        writer: StateWriter,
        *,
        clock: Clock,
        random: Random,
        model: LanguageModel | None,
        fairness: Fairness,
        on_learnt: OnLearnt,
        vault: Vault | None = None,
        vectors: PassageVectors | None = None,
    ) -> None:
        self._writer = writer
        self._clock = clock
        self._fairness = fairness
        self._vault = vault
        self._vectors = vectors
        self._runner = WorkRunner(
            writer,
            clock=clock,
            random=random,
            model=model,
            fairness=fairness,
            on_learnt=on_learnt,
            vault=vault,
        )
        self._slices = CompressionSlices(
            writer, clock=clock, model=model or OfflineModel(), fairness=fairness
        )
        self._queued: list[tuple[tuple[Message, ...], bool]] = []
        self._notified = asyncio.Event()
        self._idle = asyncio.Event()
        self._wait = FIRST_RETRY_SECONDS
        self._unavailable_until = 0.0
        self._store_error: StoreError | None = None
        self._task: asyncio.Task[None] | None = None
        self._pause_lock = asyncio.Lock()

    @property
    def model_is_unavailable(self) -> bool:
        """Whether the model was not there when it was last asked."""
        return asyncio.get_running_loop().time() < self._unavailable_until

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
        await self._store_queued()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Stand still for the length of a block, whatever was under way; one block at a time."""
        async with self._pause_lock:
            await self.stop()
            try:
                yield
            finally:
                self.start()

    def enqueue(self, messages: Sequence[Message], *, explicit: bool) -> None:
        """Take messages to be remembered; returns at once."""
        if messages:
            self._queued.append((tuple(messages), explicit))
            self.notify()

    def notify(self) -> None:
        """Say that there may be something to do."""
        self._idle.clear()
        self._notified.set()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is left that can be done now; what waits for a model is left.

        Raises :class:`StoreError` if the disk refuses, or whatever ended the worker.
        """
        while task := self._task:
            self.notify()
            idle = asyncio.get_running_loop().create_task(self._idle.wait())
            await asyncio.wait({idle, task}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if task.done() and not await self._resumes_after(task):
                task.result()
            if not task.done():
                break
        if self._store_error is not None:
            raise self._store_error

    async def _resumes_after(self, task: asyncio.Task[None]) -> bool:
        """Wait out a rest; False if the task ended for another reason."""
        if not self._pause_lock.locked() and self._task is task:
            return False
        async with self._pause_lock:
            return True

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._slices.run(), name="slices")
            if self._vectors is not None:
                tasks.create_task(self._vectors.run(), name="meaning")
            await self._run_work()

    async def _run_work(self) -> None:
        while True:
            self._notified.clear()
            try:
                await self._store_queued()
                await self._do_due_work()
                self._store_error = None
            except StoreError as error:
                self._store_error = error
                self._back_off()
            self._slices.notify()
            if self._vectors is not None:
                self._vectors.notify()
            if not self._notified.is_set():
                self._idle.set()
            try:
                async with asyncio.timeout(self._wait):
                    await self._notified.wait()
            except TimeoutError:
                pass

    async def _store_queued(self) -> None:
        """Make durable, as tasks, what was given since."""
        while self._queued:
            messages, explicit = self._queued[0]

            def plan(
                state: MemoryState,
                messages: Sequence[Message] = messages,
                explicit: bool = explicit,  # noqa: FBT001 - bound here, never passed
            ) -> Sequence[Change]:
                now = self._clock.now()
                return plan_remember(messages, state, now, explicit=explicit, vault=self._vault)

            async with self._fairness.step():
                await self._writer.write(plan)
            self._queued.pop(0)

    async def _do_due_work(self) -> None:
        """Do what is due, until nothing is or the model is away."""
        while True:
            can = not self.model_is_unavailable
            now = self._clock.now()
            works = (w for w in due_work(self._writer.state, now) if can or not needs_model(w))
            work = next(works, None)
            if work is None:
                return
            if await self._runner.do(work):
                self._wait = FIRST_RETRY_SECONDS
            else:
                self._back_off()
                self._unavailable_until = asyncio.get_running_loop().time() + self._wait

    def _back_off(self) -> None:
        self._wait = min(self._wait * 2, LONGEST_RETRY_SECONDS)
