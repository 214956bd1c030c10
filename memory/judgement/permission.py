"""What a judge may decide: how far it is trusted, and which memory it may touch in whose name.

What a prompt shows can speak to the model. What it writes down has to be grounded in what was
said, so nothing of that enters memory; but which memories become firmer, are merged or deleted is
left to its choice, and that choice is taken from a judge who may only be obeying.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from memory.judgement import wording
from memory.judgement.assertions import ParsedText, clauses_together
from memory.judgement.brackets import Malformed
from memory.judgement.evidence import (
    LABELS,
    Evidence,
    Support,
    adds_nothing,
    is_same_subject,
    who_speaks_of,
)
from memory.judgement.operations import CAPS, PLACEHOLDER, Operation, handles_of
from memory.judgement.senses import begins_role, may_be_play
from memory.model import Memory, Message, Source
from memory.state import MemoryState
from memory.text.correction_forms import takes_back_in_jest
from memory.text.passed_on import own_words
from memory.text.tokens import normalized
from prompts import WrongLine
from prompts.rendering import plain

LONGEST_NAME: Final = 24
"""A display name longer than this is a message."""

SHORTEST_CLAIM: Final = 6
"""The fewest characters of a name that is read as a claim; a shorter one may well hold 爱."""

MOST: Final = 0.6
"""The share of a memory's terms that a clause must deny to take just that memory back."""

SHORTEST_ECHO: Final = 4
"""So many characters in a row of shown matter make a reply an echo of it."""

NO_FACT: Final = "no fact"
OTHER_MATTER: Final = "about something else"
STANDS_APART: Final = frozenset({NO_FACT, OTHER_MATTER})
"""Why a memory is not replaced though what was to replace it was said: it is kept beside it."""

NOT_SHOWN: Final = "a memory that was not shown"
NOT_OFFERED: Final = "not offered here"
TWICE: Final = "two operations on one handle"

_ADDRESSES_A_MODEL: Final = re.compile(
    r"\bm[1-9][0-9]{0,3}\b|指令|提示词"
    # In small letters these are words of every day: a money update.
    r"|\b(?-i:ADD|UPDATE|BOOST|DELETE|NEGATE|MERGE|PROMOTE|SEGMENT)\b"
    r"|[\[【［]\s*(?:add|update|boost|delete|negate|merge|promote|segment)\b"
    r"|加强|强化|巩固|system prompt|\b(?:ignore|instructions?|reinforce|strengthen)\b",
    re.IGNORECASE,
)

_CLAIMS: Final = frozenset({"zh:like", "zh:live", "zh:name", "en:like", "en:live", "en:name"})

_STOP: Final = re.compile(r"[，。！？；：!?;:\n]")

_SENTENCE: Final = re.compile(r"[^\n。！？!?；;，,：:]+")


class Doubt(IntEnum):
    """How much of a judgement may be somebody else's."""

    NONE = 0
    SOME = 1
    MUCH = 2


def doubt_about(
    said: Sequence[Message],
    reply: Message | None,
    known: Iterable[Memory],
    window: Iterable[Message] = (),
) -> Doubt:
    """Return how far the judge of a turn is to be doubted.

    MUCH if it, or the window the reply was made from, holds words that address a model or a name
    that is a message, or if the reply repeats what was shown. SOME while anything that was shown,
    not said, stands there, or a memory from outside.
    """
    memories = [*known]
    strange = [
        text for memory in memories if is_from_outside(memory) for text in _outside_texts(memory)
    ]
    # As a model reads it: invisible characters must not hide an order from this check.
    shown = [plain(each) for each in (*_shown_texts((*window, *said)), *strange)]
    words = [*(message.text for message in said), *([reply.text] if reply else [])]
    texts = [*shown, *map(plain, words), *(plain(memory.words.text) for memory in memories)]
    if any(map(_ADDRESSES_A_MODEL.search, texts)) or (reply and _repeats_shown(reply.text, shown)):
        return Doubt.MUCH
    if any(is_message_as_name(message.speaker) for message in said):
        return Doubt.MUCH
    return Doubt.SOME if shown else Doubt.NONE


def is_message_as_name(speaker: str) -> bool:
    """Tell whether a display name is really a message: too long, with stops in it, or a claim."""
    name = plain(speaker)
    if len(speaker) > LONGEST_NAME or _ADDRESSES_A_MODEL.search(name) or _STOP.search(name):
        return True
    if _BIDS.search(name):
        return True
    if name.isascii() and len(name.split()) < _WORDS_OF_A_CLAIM:
        return False
    return len(name) >= SHORTEST_CLAIM and bool(wording.substance(name) & _CLAIMS)


_WORDS_OF_A_CLAIM: Final = 3

_BIDS: Final = re.compile(
    r"请(?:你|您)?[记忘把给叫说]|记住|忘掉|忽略|转账|\b(?:remember|forget)\b", re.IGNORECASE
)
"""Nobody is called so: what bids somebody remember is a message."""


def is_from_outside(memory: Memory) -> bool:
    """Tell whether a memory may hold what neither a person here said nor the gate let in."""
    # Verbatim without a speaker is what was shown, not said: see the passages of an episode.
    unsaid = any(p.verbatim and not p.speaker for p in memory.passages)
    return unsaid or memory.origin.source is Source.IMPORT or addresses_a_model(memory)


def addresses_a_model(memory: Memory) -> bool:
    """Tell whether the text of a memory reads like an order to whoever judges memories."""
    return bool(_ADDRESSES_A_MODEL.search(plain(memory.words.text)))


def _outside_texts(memory: Memory) -> Iterator[str]:
    """Yield what a prompt may show of a memory that nobody here may have said."""
    yield memory.words.text
    yield from (p.text for p in memory.passages if p.verbatim and not p.speaker)


def _shown_texts(window: Iterable[Message]) -> Iterator[str]:
    """Yield what was shown, not said, in the last rounds; so is a name that is a message."""
    for message in window:
        if message.role == "user":
            if quoted := own_words(message).quoted:
                yield quoted
            if is_message_as_name(message.speaker):
                yield message.speaker


def _repeats_shown(reply: str, shown: Iterable[str]) -> bool:
    """Tell whether a reply repeats a sentence that was shown."""
    told = normalized(plain(reply))
    return any(
        len(sentence) >= SHORTEST_ECHO and sentence in told
        for matter in shown
        for sentence in (normalized(part[0]).strip() for part in _SENTENCE.finditer(matter))
    )


def people_of(memory: Memory) -> frozenset[str]:
    """Return the ids of those whose words a memory rests on, as far as they are known."""
    return frozenset(p.speaker_id for p in memory.passages if p.role == "user") - {""}


def is_someone_elses(memory: Memory, said: Iterable[Message]) -> bool:
    """Whether a memory is known to rest on the words of others than those who say this now.

    Judged by the ids of the platform: anyone in a group can take another's display name.
    """
    # Memories from before ids were kept know none; they are left to the name of their speaker.
    theirs = people_of(memory)
    return bool(theirs) and not {each.speaker_id for each in said} - {""} <= theirs


_TAKES_BACK: Final = re.compile(
    r"忘掉|忘了|忘记|删|不对|说错|记错|错了|更正|纠正|别记|不用记"
    r"|\b(?:wrong|incorrect|mistaken|forget|delete|remove|correction)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one operation is not carried out, in our own short words.

    ``unsaid`` is the word nobody said, as far as it is one. It is private text: a model that is
    asked again may be told it, but it is never stored.
    """

    why: str
    unsaid: str = ""


def formal_refusals(
    operations: Sequence[Operation | Malformed],
    shown: Mapping[str, Memory],
    allowed: AbstractSet[type],
) -> dict[int, Refusal]:
    """Return, by place, what is refused for its form alone, whatever was said.

    ``shown`` are the memories of the prompt by handle, ``allowed`` the operations it offers.
    """
    named = Counter(handle for each in operations for handle in handles_of(each))
    counts: Counter[type] = Counter()
    refused: dict[int, Refusal] = {}
    for n, each in enumerate(operations):
        if isinstance(each, Malformed):
            refused[n] = Refusal(each.why)
        elif not all(handle in shown for handle in handles_of(each)):
            refused[n] = Refusal(NOT_SHOWN)
        elif any(named[handle] > 1 for handle in handles_of(each)):
            # Which of them was meant nobody knows, so neither is done.
            refused[n] = Refusal(TWICE)
        elif type(each) not in allowed:
            refused[n] = Refusal(NOT_OFFERED)
        elif counts[type(each)] >= CAPS[type(each)]:
            refused[n] = Refusal("more than is allowed")
        else:
            counts[type(each)] += 1
    return refused


def lines_to_mend(
    operations: Sequence[Operation | Malformed], refused: Mapping[int, Refusal]
) -> tuple[WrongLine, ...]:
    """Return what a model can mend if it is told, of an answer of which nothing counted."""
    lines: list[WrongLine] = []
    for n, why in sorted(refused.items()):
        number, operation = n + 1, operations[n]
        if why.unsaid:
            lines.append(WrongLine(number=number, fault="unsaid", detail=why.unsaid))
        elif why.why == NOT_SHOWN:
            named = ", ".join(handles_of(operation))
            lines.append(WrongLine(number=number, fault="handle", detail=named))
        elif why.why == PLACEHOLDER:
            lines.append(WrongLine(number=number, fault="placeholder"))
        elif why.why in {TWICE, NOT_OFFERED} or isinstance(operation, Malformed):
            lines.append(WrongLine(number=number, fault="form"))
    return tuple(lines)


def unchanged_memory(shown: Memory, state: MemoryState) -> Memory | Refusal:
    """Return the memory as it stands now, if it is still what was shown."""
    memory = state.memories.get(shown.id)
    if memory is None:
        return Refusal("gone meanwhile")
    # Numbers may have moved since, by a mention say; what it says and whether it stands may not.
    if (memory.words, memory.standing, memory.nature) != (
        shown.words,
        shown.standing,
        shown.nature,
    ):
        return Refusal("changed meanwhile")
    return memory


def replaceable_memory(
    shown: Memory,
    held: ParsedText,
    text: ParsedText | None,
    support: Support,
    evidence: Evidence,
    state: MemoryState,
) -> Memory | Refusal:
    """Return the memory if what was said concerns it and the speaker may speak for it.

    ``held`` is what the memory says, ``text`` what would take its place; None where both are known
    to answer one question, though they may share no word.

    Only facts are replaced, never ``system`` memories, the log of what happened, or what somebody
    else who is here said.
    """
    memory = unchanged_memory(shown, state)
    if isinstance(memory, Refusal):
        return memory
    if not memory.is_fact:
        return Refusal(NO_FACT)
    somebody_else = memory.origin.speaker in evidence.others - {support.speaker}
    if somebody_else or is_someone_elses(memory, support.messages):
        return Refusal("said by someone else")
    about = held.terms(evidence.names[support.speaker])
    said = [each.clauses for each in evidence.said if each.message in support.messages]
    near = clauses_together(text.clauses(), *said) if text else ()
    if text is not None and not any(
        is_same_subject(term, about) and wording.covers(term, each)
        for term in about
        for each in near
    ):
        return Refusal(OTHER_MATTER)
    return memory


def who_takes_back(text: ParsedText, evidence: Evidence) -> str | None:
    """Return who in the turn takes back, in one clause, just what a memory's ``text`` says."""
    for speaker in evidence.speakers:
        held = text.clauses(evidence.names[speaker])
        said = [clause for each in evidence.by(speaker) for clause in each.statements]
        if any(_takes_back(clause, each) for clause in said for each in held if each.terms):
            return speaker
    return None


def _takes_back(said: wording.Clause, held: wording.Clause) -> bool:
    covered = [term for term in held.terms if wording.covers(term, said)]
    if _TAKES_BACK.search(said.text):
        return any(is_same_subject(term, held.about) for term in covered)
    return said.negative != held.negative and len(covered) >= MOST * len(held.terms)


def may_choose(memories: Sequence[Memory], evidence: Evidence, doubt: Doubt) -> bool:
    """Tell whether firmness and merging are left to a judge who may only be obeying."""
    if doubt is Doubt.MUCH:
        return False
    return not doubt or all(
        who_speaks_of(ParsedText(memory.words.text), evidence) for memory in memories
    )


def is_taken_back_in_jest(memory: Memory, evidence: Evidence) -> bool:
    """Tell whether a memory rests on the line before a turn that only says it was a jest.

    What was asked for outright stays, whatever is said of it afterwards.
    """
    if memory.origin.source is not Source.BACKGROUND or not evidence.messages:
        return False
    own = evidence.messages[0]
    if not all(takes_back_in_jest(each.text) for each in evidence.messages):
        return False
    before = [m for m in evidence.talk if m.role == "user" and m not in evidence.messages]
    return (
        bool(before) and before[-1].speaker == own.speaker and before[-1].id in memory.source_ids
    )


def may_be_unmeant(evidence: Evidence, memory: Memory, doubt: Doubt) -> bool:
    """Tell whether a turn shows by its own words that it may be a jest, a role or a quotation.

    A line that shows nothing of the kind is not lost to a judge who says so: a small model says so
    of any. A role may have been begun in the speaker's lines before.
    """
    if not may_choose((memory,), evidence, doubt):
        return False
    before = (e for e in evidence.talk if e.role == "user" and e.speaker in evidence.speakers)
    return any(each.quoted or may_be_play(each.text) for each in evidence.messages) or any(
        begins_role(each.text) for each in before
    )


def merge_refusal(
    shown: Sequence[Memory], text: str, evidence: Evidence, state: MemoryState
) -> Refusal | None:
    """Return why these memories may not become one of that text; None if they may.

    They must be one person's facts, share something, and hold everything the text says.
    """
    for memory in shown:
        usual = unchanged_memory(memory, state)
        if isinstance(usual, Refusal):
            return usual
    if not all(memory.is_fact for memory in shown):
        return Refusal(NO_FACT)
    speakers = {memory.origin.speaker for memory in shown}
    people = frozenset().union(*map(people_of, shown))
    absent = speakers & (evidence.others - set(evidence.speakers))
    if len(speakers) > 1 or len(people) > 1 or absent:
        return Refusal("said by several people")
    return None if _is_combination(text, shown, evidence) else Refusal("not what they say")


def _is_combination(text: str, shown: Sequence[Memory], evidence: Evidence) -> bool:
    """Tell whether the memories share a subject and the text says nothing they do not say."""
    speakers = (memory.origin.speaker for memory in shown)
    names = wording.Names.of({*LABELS, evidence.partner, *speakers})
    parsed = [wording.clauses(memory.words.text, names) for memory in shown]
    abouts = [wording.terms_of(each) for each in parsed]
    shared = frozenset.intersection(*abouts)
    if not any(is_same_subject(term, about) for term in shared for about in abouts):
        return False
    return adds_nothing(text, [memory.words.text for memory in shown], names, evidence)
