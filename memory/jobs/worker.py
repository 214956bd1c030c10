"""The worker of one agent, and the plans that store what is given to it.

The plans turn a finished turn, heard messages and text to remember into records. The worker then
does what is due, one thing at a time. Nothing is done because it was queued: what is due is read
off the durable state, so after a restart, a crash or an outage the same things are due again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from memory.changes import AGENT_INFO_KEY, Change, Drop, Put, Receipt, RememberedId, Task, Turn
from memory.diary import is_unkept, line_changes, window_changes, window_lines
from memory.errors import StoreError
from memory.initiative.steps import plan_due
from memory.jobs.edits import plan_correction, plan_edited, plan_unkept
from memory.jobs.steps import AgentParts, CompressionSlices
from memory.jobs.vectors import PassageVectors
from memory.jobs.work import Work, WorkRunner, due_work, log_broken, needs_model
from memory.judgement.draft import AgentTools, Draft
from memory.laws.law import Event
from memory.learning.consolidation import episode_batches
from memory.learning.outcomes import RECEIPTS_KEPT, memories_in_reply, plan_revival
from memory.learning.remember_requests import (
    RememberRequest,
    plan_explicit_memories,
    plan_requests,
    redacted_messages,
    redacted_turn,
    redacted_window,
)
from memory.learning.segments import stretches_of
from memory.lifecycle.consequences import plan_events
from memory.lifecycle.night import FatePlan
from memory.model import AgentSettings, Message
from memory.network.links import links_used_together
from memory.privacy.redaction import is_secret, known_secrets, without_unkept
from memory.privacy.sealing import earlier_redactions
from memory.privacy.vault import Vault
from memory.state import MemoryState
from memory.writer import StateWriter, takes_long

ChooseSettings: TypeAlias = Callable[[AgentSettings | None], AgentSettings]
"""Given the settings an agent has, None if it is new, return those it lives by from now on."""


def plan_commit(
    turn: Turn, state: MemoryState, *, now: datetime, tools: AgentTools
) -> Sequence[Change]:
    """Return the changes that keep a finished turn.

    There are none for a turn that was kept before, which makes a commit idempotent, or erased.
    """
    if turn.id in state.receipts or state.is_turn_erased(turn):
        return ()
    if turn.edited:
        return plan_edited(turn, state, now=now, tools=tools)
    # Each step plans on the state that the steps before it leave.
    draft = Draft(state=state, now=now)
    if turn.used:
        draft = draft.then(*plan_events(state, use_events(turn), now))
        draft = draft.then(*links_used_together(memories_in_reply(turn, state), state))
    before = lines_before(turn.conversation, turn.said, state)
    draft = draft.then(*plan_unkept(turn, before, draft.state, now))
    turn = replace(turn, said=without_unkept(turn.said, before))
    shown = redacted_window(before, turn.said)[1]
    draft = draft.then(*earlier_redactions(shown, draft.state, now))
    learnt: tuple[str, ...] = ()
    learning = state.agent_info.settings.learning
    if turn.used and learning:
        back = plan_revival(turn, draft.state, now, tools.index)
        draft, learnt = draft.then(*back.changes), back.labels
    kept = plan_requests(turn, before, draft.state, now, tools=tools)
    draft, learnt = draft.then(*kept.changes), (*learnt, *kept.learnt)
    draft = draft.then(*plan_correction(turn, before, draft.state, now, tools))
    draft = draft.then(*plan_due(turn, before, draft.state, now))
    # Before any record is made of the words; by what was said before as it was then: blotted, it
    # would no longer tell what this turn tells.
    turn = redacted_turn(turn, known_secrets(draft.state, tools.vault), before=before)
    return (*draft.changes, *records_of_turn(turn, learnt, draft.state))


def use_events(turn: Turn) -> list[tuple[int, Event]]:
    """Return the events for memories that were in the prompt: one for each, once per turn."""
    return [
        (used.memory_id, Event.ASSOCIATION_HIT if used.associated else Event.ACCESS)
        for used in turn.used
    ]


def records_of_turn(turn: Turn, learnt: tuple[str, ...], state: MemoryState) -> list[Change]:
    """Return the records of a turn without secrets: window, receipt, and the turn itself."""
    unkept = any(is_unkept(each.id, state) for each in turn.said)
    learning = state.agent_info.settings.learning and not unkept
    receipt = Receipt(
        turn_id=turn.id,
        at=turn.at,
        used=turn.used,
        learnt=learnt,
        outcome="waiting" if learning and turn.said and not turn.replaces else "nothing",
    )
    said = turn.messages
    changes: list[Change] = [*window_changes(turn.conversation, said, state, turn.replaces)]
    changes.append(Put(receipt))
    # What stands in another reply's place, or what she began herself, says nothing to be judged.
    if learning and turn.said and not turn.replaces:
        changes.append(Put(turn))
    if len(state.receipts) >= RECEIPTS_KEPT:
        oldest = min(state.receipts.values(), key=lambda each: (each.at, each.turn_id))
        changes.append(Drop(Receipt, oldest.turn_id))
    return changes


def lines_before(
    conversation: str, messages: Sequence[Message], state: MemoryState
) -> tuple[Message, ...]:
    """Return what was said in a conversation before messages that it may hold already."""
    given = {message.id for message in messages}
    return tuple(line for line in window_lines(conversation, state) if line.id not in given)


def plan_listening(
    conversation: str,
    messages: Sequence[Message],
    state: MemoryState,
    now: datetime,
    vault: Vault | None,
) -> tuple[Change, ...]:
    """Return the changes that keep messages which get no answer, without their secrets."""
    before = lines_before(conversation, messages, state)
    heard = redacted_messages(messages, known_secrets(state, vault), before=before)
    draft = Draft(state=state, now=now)
    draft = draft.then(*earlier_redactions(redacted_window(before, messages)[1], state, now))
    return (*draft.changes, *window_changes(conversation, heard, draft.state))


def plan_remember(
    messages: Sequence[Message],
    state: MemoryState,
    now: datetime,
    *,
    explicit: bool,
    vault: Vault | None,
) -> list[Change]:
    """Return the lines and tasks that remember the new ones of ``messages``, known ids skipped.

    With ``explicit`` a secret is sealed at once; in everything else secrets are redacted.
    """
    # Tasks wait on the disk, maybe for days: a secret must not wait there in the clear.
    new = _new_messages(messages, state)
    secret = [message for message in new if explicit and is_secret(message.text)]
    changes: list[Change] = []
    if secret:
        requests = [RememberRequest(message.text, message) for message in secret]
        kept = plan_explicit_memories(requests, state, now, tools=AgentTools(vault=vault))
        changes += kept.changes
        changes += [Put(RememberedId(message_id=message.id)) for message in secret]
    after, _ = state.apply(changes)
    rest = redacted_messages([m for m in new if m not in secret], known_secrets(after, vault))
    changes += line_changes("", rest, state)
    for stretch in stretches_of(rest):
        task = Task(
            id=f"stretch-{stretch[0].id}",
            kind="segment",
            at=stretch[0].at,
            lines=tuple(message.id for message in stretch),
            explicit=explicit,
        )
        changes.append(Put(task))
    return changes


def _new_messages(messages: Sequence[Message], state: MemoryState) -> list[Message]:
    """Return the messages that were neither remembered nor said nor erased before, once each."""
    spoken = {m.id for w in state.windows.values() for m in (*w.tail, *w.lines)}
    new = {
        m.id: m
        for m in messages
        # What waits to be remembered stands in the diary.
        if not (m.id in state.remembered_ids or m.id in state.diary or m.id in spoken)
        and not state.is_erased(m.id)
    }
    return list(new.values())


def settings_changes(state: MemoryState, choose_settings: ChooseSettings) -> tuple[Change, ...]:
    """Return the change that gives an agent its settings; nothing if it has them already."""
    known = state.agent_infos.get(AGENT_INFO_KEY)
    settings = choose_settings(known.settings if known else None)
    if known and known.settings == settings:
        return ()
    return (Put(replace(state.agent_info, settings=settings)),)


def consolidation_tasks(night: FatePlan, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield one task for each batch of episodes to consolidate; tasks survive a restart."""
    for batch in episode_batches(night.consolidate, state):
        yield Put(Task(id=f"consolidate-{batch[0]}", kind="consolidate", at=now, memory_ids=batch))


FIRST_RETRY_SECONDS: Final = 15.0

LONGEST_RETRY_SECONDS: Final = 600.0
"""How long an unavailable model, or a disk that refuses, is not asked: doubling up to this.

Also how often the worker looks for what became due only by the passing of time.
"""


class Worker:
    """Does what is due until stopped; with nothing left to do it sleeps until notified."""

    def __init__(
        self, writer: StateWriter, parts: AgentParts, vectors: PassageVectors | None
    ) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._vault = parts.vault
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
        self._task = asyncio.get_running_loop().create_task(self._run(), name="memory worker")

    async def stop(self) -> None:
        """Stop at once, and make durable what was given and is not stored yet.

        Raises :class:`StoreError` if the disk refuses that; it is stopped nevertheless.
        """
        if self._task is None:
            return
        self._task.cancel()
        # wait(), not await: it neither raises what ended the worker nor takes our own
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
        disk refuses or the worker was stopped for good, and whatever else ended the worker.
        """
        # A loop, because an erasure may pause the worker meanwhile and start it as a new task.
        while task := self._task:
            self.notify()
            idle = asyncio.get_running_loop().create_task(self._is_done(meant=meant))
            await asyncio.wait({idle, task}, return_when=asyncio.FIRST_COMPLETED)
            idle.cancel()
            if task.done() and not await self._resumes_after(task):
                if task.cancelled():
                    raise StoreError("the background was stopped")
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
            await self._writer.write_in_turn(
                partial(self._remember_changes, messages, explicit=explicit),
                aside=takes_long(messages),
            )
            # Taken from the queue only now: what the disk refused is given to it again.
            self._queued.pop(0)

    def _remember_changes(
        self, messages: Sequence[Message], state: MemoryState, *, explicit: bool
    ) -> Sequence[Change]:
        now = self._clock.now()
        return plan_remember(messages, state, now, explicit=explicit, vault=self._vault)

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
