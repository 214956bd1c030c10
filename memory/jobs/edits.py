"""What an edited message changes: its author gave it other words, and the last ones hold.

The message is one and stays one: its line gets the new words wherever it stands. What was learnt
from the former words alone, and the new ones do not say, is taken back; the new ones are judged as
any turn is, though nobody answers them. Beside it what a message puts right that was said before:
不对，是第三个抽屉, "that's wrong, it's 20 an hour".
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Final

from memory.changes import Change, DiaryLine, Drop, Put, Turn
from memory.diary import is_unkept, window_changes, window_lines
from memory.erasing.scope import orphaned_names, without_subject
from memory.initiative.intentions import plan_turn
from memory.initiative.reminders import plan_ended
from memory.initiative.reminders_meant import moving_asked
from memory.initiative.steps import plan_put_right, plan_reminding
from memory.judgement.assertions import ParsedText
from memory.judgement.draft import AgentTools, Draft, Judgement, with_unsaid
from memory.judgement.evidence import Support, support_for
from memory.judgement.new_facts import with_absolute_dates
from memory.learning.monitor import evidence_of
from memory.learning.outcomes import receipt_with_learnt
from memory.learning.remember_requests import (
    RememberRequest,
    plan_explicit_memories,
    plan_requests,
    redacted_turn,
    redacted_window,
)
from memory.lifecycle.effects import taken_back
from memory.lifecycle.partner_steps import plan_edit
from memory.lifecycle.undo import with_undo
from memory.model import Deleted, DeletionPolicy, Memory, Message, Passage
from memory.offline.vocabulary import content_words, is_question
from memory.privacy.redaction import REDACTED, known_secrets, lines_not_kept, without_unkept
from memory.privacy.sealing import earlier_redactions
from memory.reminder import Intention
from memory.state import MemoryState
from memory.text.corrections import corrected, says_what_is_right, wrong_word
from memory.text.salience import STANDS
from memory.text.slots import slot_claims
from memory.text.tokens import tokens
from memory.text.word_forms import last_with_number, whole_places


def plan_edited(
    turn: Turn, state: MemoryState, *, now: datetime, tools: AgentTools
) -> Sequence[Change]:
    """Return the changes after a message got other words; none if they are those it has.

    A message that was never heard is heard now. In a group only what had been learnt from is
    judged again: the rest was merely heard.
    """
    (message,), settings = turn.said, state.agent_info.settings
    known = _known_line(message.id, turn.conversation, state)
    if known is not None:
        if known.text == message.text:
            return ()
        # When it was said, and by whom, does not change.
        turn = replace(turn, said=(replace(known, text=message.text),))
    turn = replace(turn, said=without_unkept(turn.said))
    was_judged = any(message.id in each.source_ids for each in state.memories.values())
    draft = _without_former_words(turn, Draft(state=state, now=now))
    lines = window_lines(turn.conversation, state)
    before = tuple(each for each in lines if each.id != message.id and each.at <= turn.said[0].at)
    shown = redacted_window(before, turn.said)[1]
    draft = draft.then(*earlier_redactions(shown, draft.state, now))
    draft = draft.then(*plan_requests(turn, before, draft.state, now, tools=tools).changes)
    if turn.private or any(message.id in e.message_ids for e in state.reminders.values()):
        draft = draft.then(*plan_reminding(turn, before, draft.state, now))
    draft = draft.then(*plan_turn(turn, before, draft.state))
    turn = redacted_turn(turn, known_secrets(draft.state, tools.vault), before=before)
    if known is not None:
        draft = draft.then(*_with_new_words(turn.said[0], draft.state))
    elif turn.private or settings.listening:
        draft = draft.then(*window_changes(turn.conversation, turn.said, draft.state))
    if settings.learning and (was_judged or (turn.private and not is_unkept(message.id, state))):
        draft = draft.then(Put(turn))
    return draft.changes


def plan_unkept(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime
) -> Sequence[Change]:
    """Return the changes that take back the lines before a turn that it asks not to keep.

    What was learnt from them alone goes, and the words of them and of the answer, in files too.
    """
    meant = lines_not_kept(turn.said, before) if turn.said else ()
    if all(each.text == REDACTED for each in meant):
        return ()
    blotted = replace(turn, said=tuple(replace(x, text=REDACTED, quoted="") for x in meant))
    draft = _without_former_words(blotted, Draft(state=state, now=now))
    known, left = state.memories, draft.state.memories
    links = [each.links for each in state.links.values() if each.source not in left]
    named = {each.target for each in chain.from_iterable(links) if each.target in known}
    near = tuple(known[each].words.text for each in named)
    draft = draft.then(*taken_back(orphaned_names(draft.state, set(), near), draft.state))
    answers = [each for each in before[before.index(meant[0]) :] if each.role == "assistant"]
    for line in (*blotted.said, *(replace(each, text=REDACTED) for each in answers)):
        draft = draft.then(*_with_new_words(line, draft.state))
    draft = draft.then(*earlier_redactions({x.id: (x.text,) for x in meant}, draft.state, now))
    return draft.changes


def _known_line(message_id: str, conversation: str, state: MemoryState) -> Message | None:
    """Return a message as it is known; what is said in a pause stands in the window only."""
    if (line := state.diary.get(message_id)) is not None:
        return line.message
    return next((e for e in window_lines(conversation, state) if e.id == message_id), None)


def _without_former_words(turn: Turn, draft: Draft) -> Draft:
    """Return the draft without what only the former words of messages say.

    That is facts, which are gone and not merely put away, for nobody says them any more; open
    reminders; and turns that wait to be judged by these words.
    """
    ids, before = {each.id for each in turn.said}, draft.state
    gone = Draft(state=before, now=draft.now)
    for memory in _no_longer_said(turn, before):
        other = _said_elsewhere(memory, turn, before)
        if other is not None:
            gone = gone.then(Put(_resting_on(other, memory)))
            continue
        # What is past has made way itself: what it had replaced does not hold again.
        if not memory.is_past:
            gone = with_unsaid(gone, gone.state.memories[memory.id], f"UNSAID #{memory.id}")
        gone = gone.then(*taken_back([memory.id], gone.state))
    draft = draft.then(
        *with_undo(before, gone.changes, draft.now, actor="background", label="edit")
    )
    open_ones = (each for each in before.reminders.values() if each.is_open)
    asked = [each.id for each in open_ones if _rests_on(each.message_ids, ids)]
    draft = draft.then(*plan_ended(draft.state, asked, "stopped", draft.now))
    meant = [e for e in before.intentions.values() if _rests_on(e.message_ids, ids)]
    draft = draft.then(*(Drop(Intention, each.id) for each in meant if each.is_open))
    return draft.then(*_turns_without(ids, draft.state))


def _rests_on(message_ids: Sequence[str], ids: AbstractSet[str]) -> bool:
    """Tell whether something rests on some messages, and on no other."""
    return bool(message_ids) and ids >= set(message_ids)


def _no_longer_said(turn: Turn, state: MemoryState) -> Iterator[Memory]:
    """Yield the facts that rest on messages alone whose words do not say them any more."""
    ids = {each.id for each in turn.said}
    evidence = evidence_of(turn, state)
    for memory in state.memories.values():
        if not memory.is_fact or not memory.is_active or not _rests_on(memory.source_ids, ids):
            continue
        # What is sealed cannot be read here, and stood in the former words.
        if memory.sealed is not None or not isinstance(
            support_for(ParsedText(memory.words.text), evidence), Support
        ):
            yield memory


def _said_elsewhere(memory: Memory, turn: Turn, state: MemoryState) -> Message | None:
    """Return the newest other line of the talk that says a fact: a mention, when it was said."""
    ids, speaker = {each.id for each in turn.said}, turn.said[0].speaker
    if memory.sealed is not None:
        return None
    telling = set(content_words(memory.words.text))
    for line in reversed(window_lines(turn.conversation, state)):
        other = line.id not in ids and line.speaker == speaker
        # A line is read only if it has most of the words: reading takes a millisecond or two.
        if not other or 2 * len(telling & set(content_words(line.text))) < len(telling):
            continue
        evidence = evidence_of(replace(turn, said=(line,)), state)
        if isinstance(support_for(ParsedText(memory.words.text), evidence), Support):
            return line
    return None


def _resting_on(line: Message, memory: Memory) -> Memory:
    """Return a fact that rests on another message than before."""
    passages = tuple(replace(each, source_ids=(line.id,)) for each in memory.passages)
    return replace(memory, passages=passages, origin=replace(memory.origin, quote=line.text))


def _turns_without(ids: AbstractSet[str], state: MemoryState) -> Iterator[Change]:
    """Yield the turns that wait to be judged without messages; one of nothing else is over."""
    for turn in state.turns.values():
        said = tuple(each for each in turn.said if each.id not in ids)
        if said and said != turn.said:
            yield Put(replace(turn, said=said))
        elif said != turn.said:
            yield Drop(Turn, turn.id)
            yield from receipt_with_learnt(turn.id, Judgement(), state)


def _with_new_words(message: Message, state: MemoryState) -> Iterator[Change]:
    """Yield every record that holds a message, with the words it has now."""
    for window in state.windows.values():
        lines, tail = _put(message, window.lines), _put(message, window.tail)
        if (lines, tail) != (window.lines, window.tail):
            yield Put(replace(window, lines=lines, tail=tail))
    for task in state.tasks.values():
        messages = _put(message, task.messages)
        if messages != task.messages:
            yield Put(replace(task, messages=messages))
    if (line := state.diary.get(message.id)) is not None:
        yield Put(replace(line, message=message))
    for memory in state.memories.values():
        passages = tuple(_passages_with(message, memory))
        if passages != memory.passages:
            yield Put(replace(memory, passages=passages))


def _put(message: Message, lines: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(message if each.id == message.id else each for each in lines)


def _passages_with(message: Message, memory: Memory) -> Iterator[Passage]:
    """Yield the passages of a memory; the first that quotes the message says its new words."""
    is_put = False
    for passage in memory.passages:
        if not passage.verbatim or passage.source_ids != (message.id,) or not passage.speaker:
            yield passage
        elif not is_put:
            is_put = True
            yield replace(passage, text=message.text)


_JUST_SAID: Final = timedelta(minutes=30)
_LINES_BEFORE: Final = 8
_SHORTEST_WRONG: Final = 2


@dataclass(frozen=True, slots=True)
class CorrectionMade:
    """What a message puts right: a fact, or else lines that no fact was learnt from.

    ``text`` says what holds now, as it is to be remembered; ``lines`` come with what they should
    have said.
    """

    text: str
    memory: Memory | None
    lines: tuple[tuple[DiaryLine, str], ...]
    twins: tuple[Memory, ...] = ()
    """Other facts that tell the same wrong thing of the same line."""


def correction_made(
    said: Sequence[Message], before: Sequence[Message], state: MemoryState
) -> CorrectionMade | None:
    """Return what a message puts right of what she just told or was just told; else None.

    What her last line tells comes first, or the one before where she only asked what is right,
    then what was said last. What is past or sealed is not touched.
    """
    if len(said) != 1 or said[0].role != "user" or not says_what_is_right(said[0].text):
        return None
    (message,), settings = said, state.agent_info.settings
    lately = [m for m in before[-_LINES_BEFORE:] if message.at - m.at <= _JUST_SAID]
    hers = _told_by_her(lately, state)
    own = [m for m in reversed(lately) if m.role == "user" and m.speaker == message.speaker]

    def put_right(text: str) -> str | None:
        values = [claim.value for claim in slot_claims(text, {settings.partner, *STANDS})]
        right = corrected(message.text, text, values, message.at, settings.zone)
        # Who says what the wrong word means as well (是16，17是虚岁) states two things.
        gone = set(tokens(text)) - set(tokens(right or text))
        return None if gone & stated and not wrong_word(message.text) else right

    stated = set(tokens(message.text))
    meant = None if hers else last_with_number(message.text, [m.text for m in own])
    own = [m for m in own if meant in {None, m.text}]
    for told in _facts_meant(message.text, hers, [m.id for m in own], state):
        found = [(m, text) for m in told if (text := put_right(m.words.text))]
        if not found:
            continue
        memory, text = found[0]
        lines = (state.diary[each] for each in memory.source_ids if each in state.diary)
        wrong = tuple((x, rightly) for x in lines if (rightly := put_right(x.message.text)))
        twins = tuple(_twins_of(memory, state))
        # Of several she asks which.
        others = [m for m, _ in found if m is not memory and m not in twins]
        return None if others else CorrectionMade(text, memory, wrong, twins)
    quoted = _lines_quoted(hers, state) if hers else ()
    heard = [state.diary[each.id] for each in own if each.id in state.diary]
    for line in (*quoted, *heard, *_lines_with(wrong_word(message.text), message, state)):
        # 不对 alone puts nothing right that was itself said to put something right.
        if not says_what_is_right(line.message.text) and (text := put_right(line.message.text)):
            return CorrectionMade(text, None, ((line, text),))
    return None


def _facts_meant(
    text: str, hers: Message | None, heard: Sequence[str], state: MemoryState
) -> Iterator[list[Memory]]:
    """Yield the facts a message may put right, those that may be meant alike together.

    Told by her, or heard just now of each line, the newest first, or named at any time.
    """
    facts = [m for m in state.memories.values() if m.is_living_fact]
    yield list(_told_in(hers, state)) if hers else []
    for line in heard:
        yield [m for m in facts if line in m.source_ids]
    if named := wrong_word(text):
        yield [m for m in facts if whole_places(named, m.words.text)]


def _twins_of(memory: Memory, state: MemoryState) -> Iterator[Memory]:
    facts = (m for m in state.memories.values() if m.is_living_fact and m.id != memory.id)
    same = (m for m in facts if m.source_ids == memory.source_ids)
    yield from (m for m in same if _tells_the_same(m, memory, state))


def _lines_with(wrong: str, message: Message, state: MemoryState) -> Iterator[DiaryLine]:
    """Yield what was told of the wrong word a message names, the newest first."""
    lines = state.diary.values() if len(wrong) >= _SHORTEST_WRONG else ()
    told = [x for x in lines if x.key != message.id and not x.hidden]
    told = [x for x in told if wrong in x.message.text and whole_places(wrong, x.message.text)]
    own = (x for x in told if x.message.role == "user" and not is_question(x.message.text))
    yield from sorted(own, key=lambda each: each.message.at, reverse=True)


def _tells_the_same(one: Memory, other: Memory, state: MemoryState) -> bool:
    """Whether of two facts from one line each says nothing that the other does not."""
    names, both = {state.agent_info.settings.partner, *STANDS}, (one, other)
    slots, words = (
        [{(c.slot, bool(c.whose)) for c in slot_claims(m.words.text, names)} for m in both],
        [set(content_words(without_subject(m.words.text, state))) for m in both],
    )
    # A number is no word: 17 and 高二 are two things.
    within = all(words) and (words[0] <= words[1] or words[1] <= words[0])
    return within or bool(slots[0] & slots[1])


def _told_in(hers: Message, state: MemoryState) -> Iterator[Memory]:
    """Yield the facts that a line of hers tells, the longest first."""
    said = set(tokens(hers.text))
    facts = (m for m in state.memories.values() if m.is_living_fact)
    telling = ((set(content_words(without_subject(m.words.text, state))), m) for m in facts)
    found = [(len(w), m) for w, m in telling if w and set(tokens(" ".join(w))) <= said]
    yield from (m for _, m in sorted(found, key=lambda each: -each[0]))


def _told_by_her(lately: Sequence[Message], state: MemoryState) -> Message | None:
    """Return which of her last two lines tells a fact or quotes a line: 是哪里不对呢 does not."""
    hers = [each for each in reversed(lately) if each.role == "assistant"][:2]
    return next((m for m in hers if any(_told_in(m, state)) or _lines_quoted(m, state)), None)


def _lines_quoted(hers: Message, state: MemoryState) -> list[DiaryLine]:
    return [line for line in _lines_used(hers, state) if line.message.text in hers.text]


def _lines_used(hers: Message, state: MemoryState) -> Iterator[DiaryLine]:
    """Yield the lines of talk that a reply of hers had before it."""
    receipt = state.receipts.get(hers.id.removesuffix("-reply"))
    for used in receipt.used if receipt else ():
        known = state.memories.get(used.memory_id)
        for source in dict.fromkeys((*used.source_ids, *(known.source_ids if known else ()))):
            line = state.diary.get(source)
            if line is not None and line.message.role == "user":
                yield line


def plan_correction(
    turn: Turn, before: Sequence[Message], state: MemoryState, now: datetime, tools: AgentTools
) -> Sequence[Change]:
    """Return the changes by which what a turn puts right is remembered so, as one step.

    The wrong line is hidden: nobody is told what was a slip. It stands in the history of the fact.
    """
    learning = state.agent_info.settings.learning and turn.private and not turn.replaces
    # "Sorry, 11" after a reminder was set is of that.
    if not learning or moving_asked(turn.said, before, state, conversation=turn.conversation):
        return ()
    made = correction_made(turn.said, before, state)
    if made is None:
        return ()
    rightly = [replace(line.message, text=said) for line, said in made.lines]
    hidden = (
        *(Put(replace(line, hidden=True)) for line, _ in made.lines),
        *plan_put_right(state, [line.message for line, _ in made.lines], rightly),
    )
    if made.memory is not None:
        gone = Deleted(now, DeletionPolicy.USER_DELETE)
        twins = tuple(Put(replace(each, standing=gone)) for each in made.twins)
        also = (*hidden, *twins)
        # 下周三 counts from the day it was told on.
        text = with_absolute_dates(made.text, made.memory.origin.at, state.agent_info.settings)
        return plan_edit(state, made.memory.id, text, now, by=turn.said[0], also=also)
    request = RememberRequest(made.text, turn.said[0])
    place = {"conversation": turn.conversation, "turn_id": turn.id}
    kept = plan_explicit_memories([request], state, now, tools=tools, **place)
    after, _ = state.apply(kept.changes)
    return (*kept.changes, *with_undo(after, hidden, now, actor="partner", label="edit"))
