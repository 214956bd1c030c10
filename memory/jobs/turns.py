"""Judging finished turns: the rules learn first, and the model that is asked then can only add."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory.changes import Change, Drop, Put, Turn
from memory.jobs.parts import AgentParts
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import AgentTools, Judgement
from memory.learning import monitor
from memory.learning.consolidation import NOTHING_COUNTS
from memory.learning.outcomes import (
    learnt_notice,
    receipt_with_learnt,
    turn_failure_changes,
    unreadable_outcome,
)
from memory.offline.model import OFFLINE_NAME, OfflineModel
from memory.ports import Replied, Unavailable
from memory.privacy.vault import Vault
from memory.state import MemoryState
from memory.writer import Plan, StateWriter
from prompts import WrongLine

UNREADABLE: Final = (WrongLine(number=0, fault="unreadable"),)
"""What a model is told whose answer could not be read at all."""


class TurnJudge:
    """Judges finished turns: first the rules, then the model, which can only add to them."""

    def __init__(self, writer: StateWriter, parts: AgentParts) -> None:
        self._writer = writer
        self._clock = parts.clock
        self._vault = parts.vault
        self._on_learnt = parts.on_learnt
        self._model = parts.working_model
        self._rules = OfflineModel()
        # What a model is told when it is asked again; it may hold private words, so it lives here.
        self._wrong: dict[str, tuple[WrongLine, ...]] = {}

    async def learn_by_rule(self, turn: Turn) -> bool:
        """Let the rules judge a turn; a model that is asked afterwards can only add to it."""
        tools = await tools_of(self._writer, self._vault)
        asked = monitor.turn_question(turn, self._writer.state, tools)
        answer = (await self._rules.complete(asked.prompt)).text
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
        prompt = replace(asked.prompt, wrong=self._wrong.get(turn.id, ()))
        outcome = await self._model.complete(prompt)
        if isinstance(outcome, Unavailable):
            return False
        wrong: tuple[WrongLine, ...] = ()
        by_model = type(self._model) is not OfflineModel

        def plan(state: MemoryState) -> Sequence[Change]:
            nonlocal wrong
            judged = unreadable_outcome(outcome)
            if isinstance(outcome, Replied):
                now, answer = self._clock.now(), outcome.text
                judged = monitor.judge(asked, answer, state, now, model=outcome.model)
            if isinstance(judged, Unreadable):
                wrong = UNREADABLE
                return turn_failure_changes(turn, judged.why, state)
            if judged.wrong and not turn.attempts:
                wrong = judged.wrong
                return turn_failure_changes(turn, NOTHING_COUNTS.why, state)
            return (
                *judged.changes,
                Drop(Turn, turn.id),
                *receipt_with_learnt(turn.id, judged, state, by_model=by_model),
            )

        await self._write_learnt(turn, plan)
        self._wrong.pop(turn.id, None)
        if wrong and not turn.attempts:
            self._wrong[turn.id] = wrong
        return True

    async def _write_learnt(self, turn: Turn, plan: Plan) -> None:
        """Write what was learnt from a turn, and tell it once it is durable."""
        # Not before, so that a notice never speaks of what a crash undid.
        learnt = learnt_notice(turn, await self._writer.write_in_turn(plan))
        if learnt is not None:
            self._on_learnt(learnt)


async def tools_of(writer: StateWriter, vault: Vault | None = None) -> AgentTools:
    """Return what a plan may use; the indexes follow every change that is written."""
    indexes = await writer.indexes()
    return AgentTools(index=indexes.network, slots=indexes.slots, vault=vault)
