"""The work that is due, read off the durable state, and doing one piece of it.

No queue is held in memory, so a restart simply goes on: stretches not yet cut into episodes, full
tails, turns not yet judged, episodes to consolidate, memories that wait for a verdict.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from traceback import extract_tb
from typing import Final, TypeAlias, assert_never

from memory.changes import Change, Drop, PendingReview, Put, RememberedId, Task, Turn, Window
from memory.diary import scene_changes, tail_is_due, waiting_messages, without_tail
from memory.jobs.steps import AgentParts, tools_of, with_slice_due
from memory.jobs.turns import SecondQuestions, TurnJudge
from memory.judgement.brackets import Unreadable
from memory.learning import consolidation, reviewer, summarizer
from memory.learning.consolidation import episode_batches
from memory.learning.outcomes import (
    task_after_failure,
    turn_has_failed,
    unreadable_outcome,
)
from memory.learning.remember_requests import RememberRequest, plan_explicit_memories
from memory.learning.summarizer import StretchQuestion
from memory.lifecycle.night import FatePlan
from memory.model import Memory, Message
from memory.network.index import NetworkIndex
from memory.offline import OfflineModel
from memory.ports import Outcome, Replied, Unavailable
from memory.recall import Reach
from memory.state import MemoryState
from memory.writer import Plan, StateWriter, takes_long

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LearnByRule:
    """Learn from a finished turn what the rules find in it, whether or not there is a model."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class JudgeTurn:
    """Ask the monitor what a finished turn means for memory."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class CutStretch:
    """Turn a stretch that was given to ``remember`` into episodes."""

    task: Task


@dataclass(frozen=True, slots=True)
class CutTail:
    """Turn what left a conversation's window into episodes."""

    window: Window


@dataclass(frozen=True, slots=True)
class ConsolidateEpisodes:
    """Find the lasting facts in episodes that are about to end."""

    task: Task


@dataclass(frozen=True, slots=True)
class ReviewMemory:
    """Ask for the verdict on a memory that crossed a threshold."""

    review: PendingReview


Work: TypeAlias = (
    LearnByRule | JudgeTurn | CutStretch | CutTail | ConsolidateEpisodes | ReviewMemory
)


PATIENCE: Final = timedelta(days=3)
"""How long a review waits for a model that is away; then the rules answer it."""

REVIEWS_AT_ONCE: Final = 500
"""Reviews the rules answer in one commit, which one undo takes back."""


def needs_model(work: Work, now: datetime) -> bool:
    """Whether the work waits while the model is unavailable.

    Stretches can be cut by rule, the rules consolidate before a model is asked, and they answer a
    review that waited for three nights.
    """
    match work:
        case JudgeTurn():
            return True
        case ConsolidateEpisodes(task):
            return task.learnt_by_rule
        case ReviewMemory(review):
            return now - review.since <= PATIENCE
        case LearnByRule() | CutStretch() | CutTail():
            return False


def due_work(state: MemoryState, now: datetime) -> Iterable[Work]:
    """Yield what is due, in the order it should be done; work that failed too often is not."""
    # What was said comes before what is thought about it, and the oldest first, so that a later
    # turn is always judged against what an earlier one left behind.
    tasks = sorted(state.tasks.values(), key=lambda task: (task.at, task.id))
    waiting = [task for task in tasks if not task.parked]
    yield from (CutStretch(task) for task in waiting if task.kind == "segment")
    yield from (
        CutTail(window) for _, window in sorted(state.windows.items()) if tail_is_due(window, now)
    )
    turns = sorted(state.turns.values(), key=lambda turn: (turn.at, turn.id))
    yield from (LearnByRule(turn) for turn in turns if not turn.learnt_by_rule)
    yield from (JudgeTurn(turn) for turn in turns if not turn_has_failed(turn))
    yield from (ConsolidateEpisodes(task) for task in waiting if task.kind == "consolidate")
    reviews = sorted(state.reviews.values(), key=lambda review: (review.since, review.memory_id))
    yield from (ReviewMemory(review) for review in reviews)


def log_broken(work: Work, error: Exception) -> None:
    """Log that a piece of work raised, by class and place: a message may hold private words."""
    place = extract_tb(error.__traceback__)[-1]
    where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
    log.error("%s failed: %s at %s", type(work).__name__, type(error).__name__, where)


SEGMENTATION_ATTEMPTS: Final = 2
"""How often a model is asked to cut a stretch before a rule cuts it."""


class WorkRunner:
    """Does the work of one agent, one piece at a time.

    A configured model that is unavailable leaves its work waiting, except stretches: those are
    cut by rule at once, so that what was said can be found.
    """

    def __init__(self, writer: StateWriter, parts: AgentParts) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._random = parts.random
        self._model = parts.working_model
        self._has_model = parts.model is not None and type(parts.model) is not OfflineModel
        self._second_questions = SecondQuestions()
        self._turns = TurnJudge(writer, parts, self._second_questions)

    async def do(self, work: Work, *, away: bool = False) -> bool:
        """Do one piece; False if the model is unavailable and the work has to wait.

        ``away``: it is known to be unavailable, and is not asked.
        """
        match work:
            case LearnByRule(turn):
                return await self._turns.learn_by_rule(turn)
            case JudgeTurn(turn):
                return await self._turns.judge(turn)
            case CutStretch(task):
                return await (self._keep(task) if task.explicit else self._cut_stretch(task))
            case CutTail(window):
                return await self._cut_tail(window)
            case ConsolidateEpisodes(task):
                return await self._consolidate(task)
            case ReviewMemory(review):
                by_rule = away or not self._has_model
                return await (self._review_by_rule() if by_rule else self._review(review))
            case never:
                assert_never(never)

    async def _cut_stretch(self, task: Task) -> bool:
        messages = waiting_messages(task, self._writer.state)
        if not messages:
            await self._writer.write_in_turn(lambda _: (Drop(Task, task.id),))
            return True
        asked = await self._stretch_question(messages, task.id, task.conversation)
        return await self._cut(asked, lambda _: (Drop(Task, task.id),))

    async def _cut_tail(self, window: Window) -> bool:
        name = f"tail-{window.tail[0].id}"
        asked = await self._stretch_question(window.tail, name, window.conversation)

        def over(state: MemoryState) -> Sequence[Change]:
            now = state.windows.get(window.conversation)
            return (Put(without_tail(now, window.tail)),) if now else ()

        return await self._cut(asked, over)

    async def _stretch_question(
        self, messages: Sequence[Message], name: str, conversation: str
    ) -> StretchQuestion:
        return summarizer.stretch_question(
            messages,
            self._writer.state,
            self._clock.now(),
            stretch=name,
            conversation=conversation,
            index=await self._network(),
        )

    async def _cut(self, asked: StretchQuestion, over: Plan) -> bool:
        """Turn a stretch into episodes, by the model or else by rule.

        ``over`` returns the changes that mark the stretch as done, in the same commit.
        """
        for attempt in range(SEGMENTATION_ATTEMPTS):
            if attempt:
                if not self._second_questions.may_ask:
                    break
                self._second_questions.count_question()
            outcome = await self._model.complete(asked.prompt)
            if isinstance(outcome, Unavailable):
                break
            if await self._cut_by_answer(asked, outcome, over):
                return True

        def plan(state: MemoryState) -> Sequence[Change]:
            now = self._clock.now()
            judged = summarizer.episodes_by_rule(asked, state, now)
            return with_slice_due((*judged.changes, *over(state)), state, now, self._random)

        await self._writer.write_in_turn(plan, aside=takes_long(asked.messages))
        return True

    async def _cut_by_answer(self, asked: StretchQuestion, outcome: Outcome, over: Plan) -> bool:
        """Cut a stretch as the model answered; False if the answer cannot be read."""
        if not isinstance(outcome, Replied):
            return False

        def plan(state: MemoryState) -> Sequence[Change]:
            now = self._clock.now()
            judged = summarizer.judge(asked, outcome.text, state, now, model=outcome.model)
            # No changes at all: the stretch stays due, and the caller goes on to the rule.
            if isinstance(judged, Unreadable):
                return ()
            return with_slice_due((*judged.changes, *over(state)), state, now, self._random)

        return bool(await self._writer.write_in_turn(plan, aside=takes_long(asked.messages)))

    async def _keep(self, task: Task) -> bool:
        """Keep each message of a task as one fact, word for word; no model is asked."""
        tools = await tools_of(self._writer)
        messages = waiting_messages(task, self._writer.state)
        requests = [RememberRequest(message.text, message) for message in messages]

        def plan(state: MemoryState) -> Sequence[Change]:
            now, where = self._clock.now(), task.conversation
            kept = plan_explicit_memories(requests, state, now, conversation=where, tools=tools)
            seen = (Put(RememberedId(message_id=message.id)) for message in messages)
            lines = _lines_told_by(kept.changes, messages, state)
            return (*kept.changes, *lines, *seen, Drop(Task, task.id))

        await self._writer.write_in_turn(plan)
        return True

    async def _consolidate(self, task: Task) -> bool:
        """Take the lasting facts out of episodes; the unreadable is retried, then set aside."""
        tools = await tools_of(self._writer)
        asked = consolidation.episodes_question(
            task.memory_ids, self._writer.state, self._clock.now(), tools
        )
        if not asked.episodes:
            await self._writer.write_in_turn(lambda _: (Drop(Task, task.id),))
            return True
        # A model can only add: the rules come first, whatever it will answer, and if it ever does.
        first = self._has_model and not task.learnt_by_rule
        model = OfflineModel() if first else self._model
        outcome = await model.complete(asked.prompt)
        if isinstance(outcome, Unavailable):
            return False

        def plan(state: MemoryState) -> Sequence[Change]:
            now = self._clock.now()
            return _consolidation_changes(task, asked, outcome, state, now, first=first)

        await self._writer.write_in_turn(plan)
        return True

    async def _review_by_rule(self) -> bool:
        """Let the rules answer what waits for a review, where a model is away what waited long."""

        def plan(state: MemoryState) -> Sequence[Change]:
            now = self._clock.now()
            waiting = [
                work.review
                for work in due_work(state, now)
                if isinstance(work, ReviewMemory)
                and not (self._has_model and needs_model(work, now))
            ]
            return reviewer.verdicts_by_rule(waiting[:REVIEWS_AT_ONCE], state, now)

        await self._writer.write_in_turn(plan, aside=True)
        return True

    async def _review(self, review: PendingReview) -> bool:
        """Ask for a verdict, in up to three rounds; without a readable one it is KEEP."""
        found: reviewer.EarlierRounds = ()
        for _ in range(reviewer.ROUNDS):
            # Looked up in each round: a model call may take minutes, and the memory may be gone.
            memory = self._writer.state.memories.get(review.memory_id)
            near = await self._find_relatives(memory.words.text) if memory else ()
            asked = reviewer.review_question(
                review, self._writer.state, self._clock.now(), relatives=near, found=found
            )
            if asked is None:
                break
            outcome = await self._model.complete(asked.prompt)
            if isinstance(outcome, Unavailable):
                return False
            answer = outcome.text if isinstance(outcome, Replied) else ""
            judged = reviewer.judge(asked, answer, self._writer.state, self._clock.now())
            if isinstance(judged, reviewer.SearchRequest):
                found = (*found, (judged.query, await self._find_relatives(judged.query)))
                continue
            now = self._clock.now()
            by = outcome.model if isinstance(outcome, Replied) else ""
            await self._writer.write_in_turn(partial(_verdict_changes, asked, answer, now, by))
            return True
        await self._writer.write_in_turn(lambda _: (Drop(PendingReview, review.memory_id),))
        return True

    async def _network(self) -> NetworkIndex:
        """Return the network index; it follows every change that is written."""
        return (await self._writer.indexes()).network

    async def _find_relatives(self, text: str) -> tuple[int, ...]:
        """Return the memories nearest to a text, best first."""
        # Three times as many, because hits are passages and several may be of one memory.
        state, recall = self._writer.state, await self._writer.recall()
        now, most = self._clock.now(), 3 * reviewer.RELATIVES
        hits = recall.search(text, state, now=now, k=most, reach=_WHAT_COMES_TO_MIND)
        return tuple(dict.fromkeys(hit.memory_id for hit in hits if hit.memory_id))


def _consolidation_changes(
    task: Task,
    asked: consolidation.EpisodesQuestion,
    outcome: Outcome,
    state: MemoryState,
    now: datetime,
    *,
    first: bool,
) -> Sequence[Change]:
    """Return what an answer about episodes changes; ``first``: a model is asked after it."""
    judged = unreadable_outcome(outcome)
    if isinstance(outcome, Replied):
        answer, by = outcome.text, outcome.model
        judged = consolidation.judge(asked, answer, state, now, model=by, last=not first)
    if first:
        changes = () if isinstance(judged, Unreadable) else judged.changes
        return (*changes, Put(replace(task, learnt_by_rule=True)))
    if isinstance(judged, Unreadable):
        return (Put(task_after_failure(task, judged.why)),)
    return (*judged.changes, Drop(Task, task.id))


_WHAT_COMES_TO_MIND: Final = Reach(depth="everyday")


def _lines_told_by(
    changes: Sequence[Change], messages: Sequence[Message], state: MemoryState
) -> Iterator[Change]:
    """Yield the lines of messages with the fact that was made of each."""
    after, _ = state.apply(changes)
    facts = [change.record for change in changes if isinstance(change, Put)]
    for message in messages:
        for fact in facts:
            told = isinstance(fact, Memory) and message.id in fact.source_ids
            if isinstance(fact, Memory) and (told or fact.words.text == message.text):
                yield from scene_changes(fact.id, [message], after)
                break


def _verdict_changes(
    asked: reviewer.ReviewQuestion, answer: str, now: datetime, by: str, state: MemoryState
) -> Sequence[Change]:
    return reviewer.judge_finally(asked, answer, state, now, by=by).changes


def consolidation_tasks(night: FatePlan, state: MemoryState, now: datetime) -> Iterator[Change]:
    """Yield one task for each batch of episodes to consolidate; tasks survive a restart."""
    for batch in episode_batches(night.consolidate, state):
        yield Put(Task(id=f"consolidate-{batch[0]}", kind="consolidate", at=now, memory_ids=batch))
