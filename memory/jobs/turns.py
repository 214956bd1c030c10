"""Judging finished turns: the rules learn first, and a model that is asked then can only add.

A model is asked only about what the rules left open, and seldom twice: on a small computer each
question takes a minute, from a hosted server it costs money.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from memory.changes import Change, Drop, Put, Turn
from memory.jobs.steps import AgentParts, tools_of
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import Judgement
from memory.learning import monitor
from memory.learning.consolidation import NOTHING_COUNTS
from memory.learning.outcomes import (
    doubt_of,
    judging,
    learnt_notice,
    receipt_with_learnt,
    turn_failure_changes,
    unreadable_outcome,
)
from memory.offline import OFFLINE_NAME, OfflineModel
from memory.ports import Outcome, Replied, Unavailable
from memory.state import MemoryState
from memory.writer import Plan, StateWriter
from prompts import WrongLine

UNREADABLE: Final = (WrongLine(number=0, fault="unreadable"),)
"""What a model is told whose answer could not be read at all."""


class SecondQuestions:
    """How often a model may be asked a second time: at most three times in twenty turns.

    With one question about a turn, and one about every stretch that left the window, no model
    costs more than 1.3 questions a turn on average, however badly it answers.
    """

    _A_QUESTION: Final = 20
    _A_TURN: Final = 3
    _MOST: Final = 60

    def __init__(self) -> None:
        self._earned = self._A_QUESTION

    @property
    def may_ask(self) -> bool:
        """Whether a second question is left."""
        return self._earned >= self._A_QUESTION

    def count_turn(self) -> None:
        """Note a turn that was judged, by whomever."""
        self._earned = min(self._earned + self._A_TURN, self._MOST)

    def count_question(self) -> None:
        """Note that a model is asked a second time."""
        self._earned -= self._A_QUESTION


class TurnJudge:
    """Judges finished turns: first the rules, then the model, which can only add to them.

    A model is asked only where it could add anything, and a second time only as often as
    :class:`SecondQuestions` lets it.
    """

    def __init__(
        self, writer: StateWriter, parts: AgentParts, second_questions: SecondQuestions
    ) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._vault = parts.vault
        self._on_learnt = parts.on_learnt
        self._model = parts.working_model
        self._rules = OfflineModel()
        # What a model is told when it is asked again, and what it answered; both may hold private
        # words, so they live here.
        self._wrong: dict[str, tuple[WrongLine, ...]] = {}
        self._first: dict[str, Replied] = {}
        self._second_questions = second_questions

    async def learn_by_rule(self, turn: Turn) -> bool:
        """Let the rules judge a turn; a model that is asked afterwards can only add to it."""
        self._second_questions.count_turn()
        tools = await tools_of(self._writer, self._vault)
        asked = monitor.turn_question(turn, self._writer.state, tools)
        learns = not monitor.only_times_reminders(turn, self._writer.state)
        answer = (await self._rules.complete(asked.prompt)).text if learns else "[SKIP]"
        alone = type(self._model) is OfflineModel

        def plan(state: MemoryState) -> Sequence[Change]:
            known = state.turns.get(turn.id)
            if known is None:
                return ()
            judged = monitor.judge(asked, answer, state, self._clock.now(), model=OFFLINE_NAME)
            done = Put(replace(known, learnt_by_rule=True))
            # What the rules wrote themselves is always readable; if not, there is nothing.
            if isinstance(judged, Unreadable):
                judged = Judgement()
            return (
                *judged.changes,
                Drop(Turn, turn.id) if alone else done,
                *receipt_with_learnt(turn.id, judged, state, waiting=not alone),
            )

        await self._write_learnt(turn, plan)
        return True

    async def judge(self, turn: Turn) -> bool:
        """Let the model judge a turn; what it cannot read is retried once, then set aside."""
        tools = await tools_of(self._writer, self._vault)
        asked = monitor.turn_question(turn, self._writer.state, tools)
        timed = monitor.only_times_reminders(turn, self._writer.state)
        if timed or monitor.is_settled_by_rule(asked):
            await self._write_learnt(turn, partial(_settled_changes, turn.id))
            return True
        prompt = replace(asked.prompt, wrong=self._wrong.get(turn.id, ()))
        outcome = await self._model.complete(prompt)
        if isinstance(outcome, Unavailable):
            return False
        again = not turn.attempts and self._second_questions.may_ask
        told: tuple[WrongLine, ...] = ()

        def plan(state: MemoryState) -> Sequence[Change]:
            nonlocal told
            changes, told = self._judged(turn, asked, outcome, state, again=again)
            return changes

        await self._write_learnt(turn, plan)
        self._wrong.pop(turn.id, None)
        self._first.pop(turn.id, None)
        if told:
            self._second_questions.count_question()
            self._wrong[turn.id] = told
            if isinstance(outcome, Replied):
                self._first[turn.id] = outcome
        return True

    def _judged(
        self,
        turn: Turn,
        asked: monitor.TurnQuestion,
        outcome: Outcome,
        state: MemoryState,
        *,
        again: bool,
    ) -> tuple[Sequence[Change], tuple[WrongLine, ...]]:
        """Return what an answer changes, and what to tell a model that is asked ``again``."""
        judged = self._read(asked, outcome, state)
        first = self._first.get(turn.id)
        if first is not None and (isinstance(judged, Unreadable) or not judged.learnt):
            # Told what was wrong it said less: what it meant first stands in the person's words.
            meant = self._read(asked, first, state)
            judged = meant if isinstance(meant, Judgement) and meant.learnt else judged
        told: tuple[WrongLine, ...] = ()
        changes: Sequence[Change]
        if isinstance(judged, Unreadable):
            told = UNREADABLE
            changes = turn_failure_changes(turn, judged.why, state, again=again)
        elif judged.wrong and again:
            return turn_failure_changes(turn, NOTHING_COUNTS.why, state), judged.wrong
        else:
            by_model = type(self._model) is not OfflineModel
            receipt = receipt_with_learnt(turn.id, judged, state, by_model=by_model)
            changes = (*judged.changes, Drop(Turn, turn.id), *receipt)
        return (*changes, *doubt_of(turn, changes, state)), told if again else ()

    def _read(
        self, asked: monitor.TurnQuestion, outcome: Outcome, state: MemoryState
    ) -> Judgement | Unreadable:
        if not isinstance(outcome, Replied):
            return unreadable_outcome(outcome)
        now = self._clock.now()
        return monitor.judge(asked, outcome.text, state, now, model=outcome.model)

    async def _write_learnt(self, turn: Turn, plan: Plan) -> None:
        """Write what was learnt from a turn, and tell it once it is durable."""
        # Not before, so that a notice never speaks of what a crash undid.
        before = self._writer.state.agent_info.model_doubted
        changes = await self._writer.write_in_turn(plan)
        after = self._writer.state
        newly = after.agent_info.model_doubted and not before
        learnt = learnt_notice(turn, changes, judging(after) if newly else None)
        if learnt is not None:
            self._on_learnt(learnt)


def _settled_changes(turn_id: str, state: MemoryState) -> Sequence[Change]:
    """Return that nothing is left to be asked about a turn."""
    if turn_id not in state.turns:
        return ()
    return (Drop(Turn, turn_id), *receipt_with_learnt(turn_id, Judgement(), state))
