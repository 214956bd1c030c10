"""The background of one agent: it does what is due, one thing at a time.

Nothing is done because it was queued: what is due is read off the durable state, so after a
restart, a crash or an outage the same things are due again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final, TypeVar, get_args

import numpy as np

from memory import refusals
from memory.changes import Change
from memory.errors import StoreError
from memory.jobs.steps import AgentParts, CompressionSlices
from memory.jobs.turns import language_of_talk, plan_remember
from memory.jobs.vectors import PassageVectors
from memory.jobs.work import Work, WorkRunner, due_work, log_broken, needs_model
from memory.model import Message
from memory.ports import Embedder, Invalid, LanguageModel, Outcome, Streamed, Unavailable
from memory.state import MemoryState
from memory.writer import StateWriter, takes_long
from prompts import Prompt

log = logging.getLogger(__name__)

T = TypeVar("T")

FIRST_RETRY_SECONDS: Final = 15.0

LONGEST_RETRY_SECONDS: Final = 600.0
"""How long an unavailable model, or a disk that refuses, is not asked: doubling up to this.

Also how often the background looks for what became due only by the passing of time.
"""


class SteadyModel:
    """Another program's model: whatever it raises, or returns, is an outcome."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Return what the model is called, or else its class."""
        return str(getattr(self._model, "name", type(self._model).__name__))

    async def complete(self, prompt: Prompt) -> Outcome:
        """Return the outcome of the model: unavailable if it raised, invalid if it is none."""
        outcome = await _made_by(self._model, lambda: self._model.complete(prompt))
        return outcome if isinstance(outcome, get_args(Outcome)) else Invalid("no outcome")

    def stream(self, prompt: Prompt) -> AsyncIterator[Streamed]:
        """Return the model's own stream; nothing here listens to it."""
        return self._model.stream(prompt)


class SteadyEmbedder:
    """Another program's embedder: what raises, or is no row of numbers a text, is no answer."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """Return what the embedder is called, or else its class."""
        return str(getattr(self._embedder, "name", type(self._embedder).__name__))

    async def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        """Return a vector per text, as lists of numbers whatever they were; None if it failed."""

        async def rows() -> list[list[float]] | None:
            made = await self._embedder.embed(texts)
            return None if made is None else _rows(made, len(texts))

        made = await _made_by(self._embedder, rows)
        return None if isinstance(made, Unavailable) else made


def _rows(made: object, count: int) -> list[list[float]]:
    """Return vectors as lists; raises ValueError or TypeError for what is none for each text."""
    rows = np.asarray(made, np.float32)
    if rows.ndim != _MATRIX or len(rows) != count or not np.isfinite(rows).all():
        raise ValueError("no row of numbers for each text")
    found: list[list[float]] = rows.tolist()
    return found


_MATRIX: Final = 2
"""The dimensions of what has a row for each text."""


async def _made_by(part: object, call: Callable[[], Awaitable[T]]) -> T | Unavailable:
    """Return what a part of another program makes; logged by class, for it may quote words."""
    try:
        return await call()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Not ours: what was called let a cancellation of its own out.
        failed = "CancelledError"
    except Exception as error:
        # Whatever it is: it is not our code, and what raises counts as being away.
        failed = type(error).__name__
    log.warning("%s failed: %s; it is asked again later", type(part).__name__, failed)
    return Unavailable("raised")


class Background:
    """Does what is due until stopped; with nothing left to do it sleeps until notified."""

    def __init__(
        self, writer: StateWriter, parts: AgentParts, vectors: PassageVectors | None
    ) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._vault = parts.vault
        self._follows_language = parts.follows_language
        self._vectors = vectors
        self._runner = WorkRunner(writer, parts)
        self._slices = CompressionSlices(writer, parts)
        self._queued: list[tuple[tuple[Message, ...], bool]] = []
        self._notified = asyncio.Event()
        self._idle = asyncio.Event()
        self._wait = FIRST_RETRY_SECONDS
        self._unavailable_until = 0.0
        self._store_error: StoreError | None = None
        self._task: asyncio.Task[None] | None = None
        self._pause_lock = asyncio.Lock()
        self._broken: list[Work] = []

    @property
    def model_is_unavailable(self) -> bool:
        """Whether the model did not answer when last asked, and is not asked again yet."""
        return asyncio.get_running_loop().time() < self._unavailable_until

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left that can be done now."""
        return self._idle.is_set()

    def start(self) -> None:
        """Begin to work; must be called inside the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="memory background")

    async def stop(self) -> None:
        """Stop at once, and make durable what was given and is not stored yet.

        Raises :class:`StoreError` if the disk refuses that; it is stopped nevertheless.
        """
        if self._task is None:
            return
        self._task.cancel()
        # wait(), not await: it neither raises what ended the background nor takes our own
        # cancellation for the task's.
        try:
            await asyncio.wait({self._task})
        finally:
            # Also when cancelled: whoever starts it again must not find it still at work.
            await asyncio.wait({self._task})
        await self._store_queued()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Stop for the length of a block, whatever is under way; one block at a time."""
        async with self._pause_lock:
            try:
                await self.stop()
                yield
            finally:
                self.start()

    def enqueue(self, messages: Sequence[Message], *, explicit: bool) -> None:
        """Take messages to be remembered; returns at once, before they are durable."""
        if messages:
            self._queued.append((tuple(messages), explicit))
            self.notify()

    def notify(self) -> None:
        """Say that there may be something to do."""
        self._idle.clear()
        self._notified.set()

    async def wait_until_idle(self, *, meant: bool = False) -> None:
        """Wait until nothing is left that can be done now; work that waits for a model stays.

        With ``meant`` also for the vectors that can be made now. Raises :class:`StoreError` if the
        disk refuses or the background was stopped for good, and whatever else ended it.
        """
        # A loop, because an erasure may pause the background meanwhile and start it as a new task.
        while task := self._task:
            self.notify()
            idle = asyncio.get_running_loop().create_task(self._is_done(meant=meant))
            await asyncio.wait({idle, task}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if task.done() and not await self._resumes_after(task):
                if task.cancelled():
                    raise StoreError(refusals.STOPPED)
                task.result()
            if not task.done():
                break
        if self._store_error is not None:
            raise self._store_error

    async def _is_done(self, *, meant: bool) -> None:
        await self._idle.wait()
        if meant and self._vectors is not None:
            await self._vectors.wait_until_tried()

    async def _resumes_after(self, task: asyncio.Task[None]) -> bool:
        """Wait for the end of a pause; False if the task ended for another reason."""
        if not self._pause_lock.locked() and self._task is task:
            return False
        async with self._pause_lock:
            return True

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._slices.run(), name="slices")
            tasks.create_task(self._writer.build_ahead(), name="indexes")
            if self._vectors is not None:
                tasks.create_task(self._vectors.run(), name="meaning")
            await self._run_work()

    async def _run_work(self) -> None:
        while True:
            # Cleared before the work, so that a notice given during it is not lost.
            self._notified.clear()
            try:
                await self._store_queued()
                await self._do_due_work()
                self._store_error = None
            except StoreError as error:
                self._store_error = error
                self._back_off()
            # After the work, which is what makes slices due and passages new.
            if self._writer.state.agent_info.slice_due:
                self._slices.notify()
            if self._vectors is not None:
                self._vectors.notify()
            if not self._notified.is_set():
                # Now, while nobody waits for an answer.
                self._writer.lay_out()
                self._idle.set()
            try:
                async with asyncio.timeout(self._wait):
                    await self._notified.wait()
            except TimeoutError:
                pass

    async def _store_queued(self) -> None:
        """Make the queued messages durable, as tasks."""
        while self._queued:
            messages, explicit = self._queued[0]
            apart: list[tuple[tuple[Message, ...], bool]] = []
            try:
                await self._writer.write_in_turn(
                    partial(self._remember_changes, messages, explicit=explicit),
                    aside=takes_long(messages),
                )
            except StoreError:
                raise
            except Exception as error:
                # Whatever it was (`remember` refuses all that is known): it would be tried again
                # for ever. What cannot be kept must not cost what was given with it, or after it.
                apart = [((each,), explicit) for each in messages if len(messages) > 1]
                what = f"{type(error).__name__}, messages: {len(messages)}"
                log.warning("what was to be remembered cannot be kept: %s", what)
            # Taken from the queue only now: what the disk refused is given to it again.
            self._queued[:1] = apart

    def _remember_changes(
        self, messages: Sequence[Message], state: MemoryState, *, explicit: bool
    ) -> Sequence[Change]:
        now, spoken = self._clock.now(), language_of_talk(messages, state)
        changes = plan_remember(messages, state, now, explicit=explicit, vault=self._vault)
        return [*(spoken if self._follows_language else ()), *changes]

    async def _do_due_work(self) -> None:
        """Do what is due, until nothing is left that can be done now."""
        while True:
            # Read anew after every piece: what it did may have made something more urgent due.
            can = not self.model_is_unavailable
            now = self._clock.now()
            due = due_work(self._writer.state, now)
            unbroken = (each for each in due if each not in self._broken)
            work = next((each for each in unbroken if can or not needs_model(each, now)), None)
            if work is None:
                return
            try:
                done = await self._runner.do(work, away=not can)
            except StoreError:
                raise
            except Exception as error:
                # Whatever it was: it would end all learning, and again after every start. What is
                # left lies in the store, and the next start tries it once more.
                log_broken(work, error)
                self._broken.append(work)
                continue
            if done:
                self._wait = FIRST_RETRY_SECONDS
            else:
                self._back_off()
                self._unavailable_until = asyncio.get_running_loop().time() + self._wait

    def _back_off(self) -> None:
        self._wait = min(self._wait * 2, LONGEST_RETRY_SECONDS)
