"""KnowledgeMonitor, the background 小祥: after every turn, what it means for memory.

It builds the question and hands the answer to the gate; :mod:`memory.jobs` asks the model, so that
a turn can be judged in a test with any answer (source document 003).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from memory.changes import Turn
from memory.diary import window_lines
from memory.judgement.answers import as_named_by_asked, told_with_question
from memory.judgement.assertions import ParsedMessage
from memory.judgement.brackets import Malformed, Unreadable
from memory.judgement.case import Case
from memory.judgement.draft import NO_TOOLS, AgentTools, Judgement
from memory.judgement.evidence import Evidence, is_told_by, takes_something_back
from memory.judgement.gate import admit
from memory.judgement.operations import Operation, meant_as_new, parse_operations
from memory.judgement.permission import Doubt, doubt_about, is_taken_back_in_jest
from memory.judgement.reminding import may_ask_for_reminder
from memory.judgement.slots import facts_to_compare
from memory.judgement.wording import is_play
from memory.model import Memory, Message
from memory.offline.harms import AWAITED
from memory.offline.vocabulary import content_words
from memory.recall.query import share_asked
from memory.recall.telling import is_blotted
from memory.state import MemoryState
from memory.text.correction_forms import takes_back_in_jest, tells_of_change
from memory.text.requests import asks_to_let_go
from memory.text.tokens import words
from memory.views import memories_by_handle, prompt_lines, prompt_memories, speakers_in
from prompts import Monitor, WrongLine
from prompts.notes import says_all_of

TALK_BEFORE: Final = 12
"""So many lines before a turn may hold her question, or whom a pronoun means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnQuestion:
    """One turn put before the model, and what its answer has to be judged by."""

    prompt: Monitor
    turn_id: str
    evidence: Evidence
    shown: Mapping[str, Memory]
    doubt: Doubt
    brought_by: Mapping[int, int]
    learnt: tuple[str, ...] = ()
    recalled: frozenset[int] = frozenset()
    tools: AgentTools = NO_TOOLS


def turn_question(turn: Turn, state: MemoryState, tools: AgentTools = NO_TOOLS) -> TurnQuestion:
    """Return what to ask about ``turn``: who said what and when, and what was recalled for it.

    ``now`` in the prompt is when the turn took place, so that "tomorrow" means the day it meant.
    What the model takes for a secret goes into the vault of ``tools``, if nobody but the partner
    heard it; without one it is refused.
    """
    settings, zone = state.agent_info.settings, state.agent_info.settings.zone
    can_seal = tools.vault is not None and tools.vault.can_seal and turn.private
    evidence = evidence_of(turn, state)
    # What was looked up and did not come back is out of reach.
    known = ((state.memories.get(used.memory_id), used.looked_up) for used in turn.used)
    recalled = [m for m, looked_up in known if m is not None and (m.is_active or not looked_up)]
    learnt = _learnt_already(turn, state)
    fresh = [state.memories[each] for each in _new_ids(learnt) if each in state.memories]
    # A change of life shares no word with what it changes, so word recall does not bring it.
    touched = facts_to_compare(_told_whole(turn, evidence, state), state, tools.slots)
    shown = (*recalled, *fresh, *touched, *_jested(evidence, state))
    handles = memories_by_handle({memory.id: memory for memory in shown}.values())
    prompt = Monitor(
        language=settings.language,
        partner=settings.partner,
        now=turn.at.astimezone(zone),
        turn=prompt_lines(turn.messages, zone),
        memories=prompt_memories(handles, zone),
        fresh=tuple(h for h, m in handles.items() if m in fresh and m.is_living_fact),
        before=tuple(_said_just_before(turn, state)),
        answered=_answered(turn, state),
    )
    return TurnQuestion(
        prompt=prompt,
        turn_id=turn.id,
        evidence=evidence,
        shown=handles,
        tools=tools if can_seal else replace(tools, vault=None),
        learnt=learnt,
        recalled=frozenset(each.id for each in recalled),
        brought_by={used.memory_id: used.path[0] for used in turn.used if used.path},
        doubt=doubt_about(
            evidence.messages, turn.reply, handles.values(), _window_before(turn, state)
        ),
    )


def _jested(evidence: Evidence, state: MemoryState) -> Iterator[Memory]:
    """Yield what a turn that only says "just kidding" takes back."""
    if any(takes_back_in_jest(each.text) for each in evidence.messages):
        facts = (each for each in state.memories.values() if each.is_living_fact)
        yield from (each for each in facts if is_taken_back_in_jest(each, evidence))


_NEW_ONLY: Final = ("ADD ", "MENTION ", "REMEMBER ", "BOOST ")
"""Labels of what changes no older memory."""

_FIGURES: Final = re.compile(r"[0-9０-９]{4}")
"""What may be a code, which only a model takes for one where no word says so."""

_DAY_MEANT: Final = re.compile(r"[（(][0-9]{4}(?:-[0-9]{2}){0,2}(?:~[0-9-]{4,10})?[）)]")
"""The day that a date meant, which the rules write behind it."""


def only_times_reminders(turn: Turn, state: MemoryState) -> bool:
    """Tell whether a turn only says when a reminder is to come: "sorry, 11" puts no fact right."""
    timed = {key for each in state.reminders.values() for key in each.message_ids[1:]}
    return bool(turn.said) and all(each.id in timed for each in turn.said)


def is_settled_by_rule(asked: TurnQuestion) -> bool:
    """Tell whether a model could add nothing, so that none needs to be asked.

    Everybody only asked; or nobody stated anything, or the rules keep all that was stated, and the
    reply says no word of an older memory. A model is asked all the same where it may know better
    than the rules: in play, where older memories were changed, may have been or something is
    taken back while they are shown, and of figures that may be a secret.
    """
    evidence = asked.evidence
    if may_ask_for_reminder(evidence):
        return False
    if only_asks(evidence):
        # Whether what was recalled for it was of use only a model can tell; else it adds nothing.
        return states_nothing(evidence) or not _may_have_used(asked, recalled=True)
    if _may_have_used(asked) or _may_have_changed(asked.prompt):
        return False
    if not any(evidence.states(speaker) for speaker in evidence.speakers):
        return True
    fresh = [asked.shown[handle] for handle in asked.prompt.fresh]
    texts = [_DAY_MEANT.sub("", memory.words.text) for memory in fresh]
    said = (*evidence.messages, *evidence.talk)
    if (
        any(not label.startswith(_NEW_ONLY) for label in asked.learnt)
        or any(is_play(message.text) for message in said)
        or any(_FIGURES.search(text) for text in texts)
        or (takes_something_back(evidence) and len(fresh) < len(asked.shown))
    ):
        return False
    return all(is_told_by(texts, speaker, evidence) for speaker in evidence.speakers)


_STATES_ON_THE_WAY: Final = re.compile(
    r"了.{0,3}(?:能|可以|可不可以|要不要|该|怎么|还|吃|喝)|不是.{1,20}[吗么嘛]|难道"
    r"|\b(?:because|since|now that|didn't|isn't|wasn't|don't|aren't|haven't)\b",
    re.IGNORECASE,
)
"""我怀孕了能喝咖啡吗？ states something, and so does who asks whether they had not said it."""


def states_nothing(evidence: Evidence) -> bool:
    """Tell whether nothing of a turn is anybody's statement: blotted, or to be forgotten."""
    return all(is_blotted(m.text) or asks_to_let_go(m.text) for m in evidence.messages)


def only_asks(evidence: Evidence) -> bool:
    """Tell whether a turn only asks, or wants something forgotten, or all of it is blotted."""
    if states_nothing(evidence):
        return True
    said = [
        m.text for m in evidence.messages if not (is_blotted(m.text) or asks_to_let_go(m.text))
    ]
    if any(share_asked(text) < 1.0 or _STATES_ON_THE_WAY.search(text) for text in said):
        return False
    return not any(evidence.states(speaker) for speaker in evidence.speakers)


def _may_have_changed(prompt: Monitor) -> bool:
    """Tell whether the rules learnt of a change that ended nothing, though older facts stand."""
    told = [each for each in prompt.memories if each.handle in prompt.fresh]
    stands = any(not m.past and m.handle not in prompt.fresh for m in prompt.memories)
    return stands and any(tells_of_change(each.text) for each in told)


def _may_have_used(asked: TurnQuestion, *, recalled: bool = False) -> bool:
    """Tell whether the reply says a word of a memory that the partner had not said.

    ``recalled``: only of what was recalled for the turn.
    """
    said, replied = (
        {word for line in asked.prompt.turn if line.role == role for word in words(line.text)}
        for role in ("user", "assistant")
    )
    older = (
        each
        for each in asked.prompt.memories
        if each.handle not in asked.prompt.fresh
        and (not recalled or asked.shown[each.handle].id in asked.recalled)
    )
    return any((replied - said).intersection(content_words(each.text)) for each in older)


def judge(
    asked: TurnQuestion,
    answer: str,
    state: MemoryState,
    now: datetime,
    *,
    model: str = "",
) -> Judgement | Unreadable:
    """Return what the answer changes in ``state``, as it is by now.

    Of a turn that was erased meanwhile nothing is learnt.
    """
    # Erased while the model was thinking: what was said in it must not come back as a fact.
    if asked.turn_id not in state.turns:
        return Judgement(refused=("turn gone",))
    operations = parse_operations(answer)
    if isinstance(operations, Unreadable):
        return operations
    case = Case(
        evidence=asked.evidence,
        shown=asked.shown,
        model=model,
        doubt=asked.doubt,
        brought_by=asked.brought_by,
        learnt=asked.learnt,
        tools=asked.tools,
    )
    judged = admit([meant_as_new(each) for each in operations], case, state, now)
    wrong = (_as_quoted(each, operations, asked.evidence) for each in judged.wrong)
    return replace(judged, wrong=tuple(wrong)) if judged.wrong else judged


def _as_quoted(
    each: WrongLine, operations: Sequence[Operation | Malformed], evidence: Evidence
) -> WrongLine:
    """Return what was wrong, but of words that somebody only passed on, whose words they are.

    To say which of them is not said would mislead: all of them stand in the message.
    """
    text = getattr(operations[each.number - 1], "text", "")
    shown = (said.message.quoted for said in evidence.said if said.message.quoted)
    if each.fault != "unsaid" or not text:
        return each
    quoted = any(says_all_of(quote, text, evidence.partner) for quote in shown)
    return replace(each, fault="quoted", detail="") if quoted else each


def evidence_of(turn: Turn, state: MemoryState) -> Evidence:
    """Return what people said in a turn; 小祥's own words are evidence for nothing."""
    settings = state.agent_info.settings
    zone = settings.zone
    return Evidence(
        turn_id=turn.id,
        conversation=turn.conversation,
        at=turn.at,
        zone=zone,
        partner=settings.partner,
        said=ParsedMessage.all_of(turn.said, zone, _lines_before(turn, state)),
        in_group=not turn.private,
        others=speakers_in(turn.conversation, state, turn.said),
        talk=(*_lines_before(turn, state)[-TALK_BEFORE:], *turn.said),
    )


_KEPT: Final = re.compile(r"(?:ADD|UPDATE|NEGATE|REMEMBER)\b.*#([0-9]+)")


def _new_ids(learnt: Iterable[str]) -> Iterator[int]:
    """Yield the ids of what a turn brought, read off the labels of its receipt."""
    for label in learnt:
        if found := _KEPT.fullmatch(label):
            yield int(found[1])


def _learnt_already(turn: Turn, state: MemoryState) -> tuple[str, ...]:
    receipt = state.receipts.get(turn.id)
    return receipt.learnt if receipt else ()


def _lines_before(turn: Turn, state: MemoryState) -> tuple[Message, ...]:
    """Return what was said before a turn, as far as working memory holds it."""
    begun = turn.said[0].at
    return tuple(line for line in _window_before(turn, state) if line.at <= begun)


_JUST_SAID: Final = timedelta(minutes=10)
_AWAITED: Final = timedelta(days=7)
"""So long results may be awaited, of whom was told when they were."""


def _said_just_before(turn: Turn, state: MemoryState) -> Iterator[str]:
    """Yield what was just said by the same person, the newest first: a pronoun may mean it.

    And whom of theirs she asked about: Rex, to what the dog is called, is told of the dog.
    """
    first = turn.said[0]
    since = first.at - (_AWAITED if AWAITED.match(first.text) else _JUST_SAID)
    for line in reversed(_lines_before(turn, state)):
        if line.at < since:
            continue
        if line.speaker == first.speaker:
            yield line.text
        elif line.role == "assistant" and (asked_about := as_named_by_asked(line.text)):
            yield asked_about


def _answered(turn: Turn, state: MemoryState) -> str:
    """Return what the first line of a turn says with the question of hers it answers, if any."""
    before, (first, *_) = _lines_before(turn, state), turn.said
    if not turn.private or not before or before[-1].role != "assistant":
        return ""
    soon = before[-1].at >= first.at - _JUST_SAID
    return told_with_question(before[-1].text, first.text) if soon else ""


def _told_whole(turn: Turn, evidence: Evidence, state: MemoryState) -> tuple[Message, ...]:
    """Return what people said, the first line with the question of hers that it answers."""
    first, *more = [each.message for each in evidence.said]
    return (replace(first, text=_answered(turn, state) or first.text), *more)


def _window_before(turn: Turn, state: MemoryState) -> tuple[Message, ...]:
    """Return the working memory the reply was made from, as far as it still stands."""
    # The window may have got this turn's lines already; they are judged as said, not as context.
    own_ids = {message.id for message in turn.messages}
    lines = window_lines(turn.conversation, state)
    return tuple(line for line in lines if line.id not in own_ids)
