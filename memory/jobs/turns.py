"""Turns: kept at once with what the rules learn, and judged later; and what is kept without one.

A model is asked only about what the rules left open, and seldom twice: on a small computer each
question takes a minute, from a hosted server it costs money. It can only add.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from memory.changes import Change, Drop, Put, Receipt, RememberedId, Task, Turn
from memory.diary import is_unkept, line_changes, window_changes, window_lines
from memory.initiative.steps import plan_due
from memory.jobs.edits import plan_correction, plan_edited, plan_unkept
from memory.jobs.steps import AgentParts, tools_of
from memory.judgement.brackets import Unreadable
from memory.judgement.draft import AgentTools, Draft, Judgement
from memory.laws.law import Event
from memory.laws.settings import UNNAMED
from memory.learning import monitor
from memory.learning.consolidation import NOTHING_COUNTS
from memory.learning.outcomes import (
    RECEIPTS_KEPT,
    doubt_of,
    judging,
    learnt_notice,
    memories_in_reply,
    plan_revival,
    receipt_with_learnt,
    turn_failure_changes,
    unreadable_outcome,
)
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
from memory.model import Message
from memory.network.links import links_used_together
from memory.offline import OFFLINE_NAME, OfflineModel
from memory.ports import Outcome, Replied, Unavailable
from memory.privacy.redaction import is_secret, known_secrets, without_unkept
from memory.privacy.sealing import earlier_redactions
from memory.privacy.vault import Vault
from memory.state import MemoryState
from memory.text.late_pattern import LatePattern
from memory.writer import Plan, StateWriter
from prompts import WrongLine


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
        back = plan_revival(turn, draft.state, now, tools)
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


def language_of_talk(messages: Sequence[Message], state: MemoryState) -> tuple[Change, ...]:
    """Return the change by which an agent that holds nothing yet takes the language it hears.

    Whom nobody named is called in that language too: no English is told of 主人.
    """
    info = state.agent_info
    said = " ".join(each.text for each in messages if each.role == "user")
    heard = state.diary or state.memories or state.remembered_ids
    if heard or info.settings.language == "en" or _HAN.search(said) or not _WORDS.search(said):
        return ()
    unnamed = info.settings.partner == UNNAMED["zh"]
    named = replace(info.settings, partner=UNNAMED["en"]) if unnamed else info.settings
    return (Put(replace(info, settings=replace(named, language="en"))),)


_HAN: Final = LatePattern("[一-鿿]")
_WORDS: Final = LatePattern(r"[A-Za-z]{2,}\W+[A-Za-z]{2,}")


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
        # 帮我把豆包那条删了吧 tells of no dog that was given away.
        silent = monitor.states_nothing(asked.evidence)
        learns = not (silent or monitor.only_times_reminders(turn, self._writer.state))
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
