"""Which memory an operation may touch, and under whose name a new one is written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory.background.doubt import Doubt
from memory.background.evidence import (
    ENOUGH,
    LABELS,
    Evidence,
    Support,
    is_same_subject,
    who_speaks_of,
)
from memory.background.exactness import links_were_said, numbers_were_said
from memory.background.wording import Clause, begins_with, clauses, covers, statements, substance
from memory.manager.own_words import is_someone_elses, people_of
from memory.model import Memory, Tier
from memory.state import MemoryState
from memory.text.tokens import is_dense

_JUDGED: Final = frozenset({Tier.FACT, Tier.CORE})
_TAKES_BACK: Final = re.compile(
    r"忘掉|忘了|忘记|删|不对|说错|记错|错了|更正|纠正|别记|不用记"
    r"|\b(?:wrong|incorrect|mistaken|forget|delete|remove|correction)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one operation is not carried out, in our own short words."""

    why: str


def unchanged_memory(shown: Memory, state: MemoryState) -> Memory | Refusal:
    """Return the memory as it stands now, if it is still what was shown."""
    memory = state.memories.get(shown.id)
    if memory is None:
        return Refusal("gone meanwhile")
    if (memory.words, memory.standing, memory.nature) != (
        shown.words,
        shown.standing,
        shown.nature,
    ):
        return Refusal("changed meanwhile")
    return memory


def replaceable_memory(
    shown: Memory, text: str, support: Support, evidence: Evidence, state: MemoryState
) -> Memory | Refusal:
    """Return the memory if what was said concerns it and the speaker may speak for it.

    Only facts are replaced, never ``system`` memories, the log of what happened, or what somebody
    else who is here said.
    """
    memory = unchanged_memory(shown, state)
    if isinstance(memory, Refusal):
        return memory
    if memory.nature.tier not in _JUDGED:
        return Refusal("no fact")
    somebody_else = memory.origin.speaker in evidence.others - {support.speaker}
    if somebody_else or is_someone_elses(memory, support.messages):
        return Refusal("said by someone else")
    labels = LABELS | {evidence.partner, support.speaker}
    about = substance(memory.words.text, labels)
    near = clauses("\n".join((text, *(message.text for message in support.messages))))
    if not any(
        is_same_subject(term, about) and covers(term, each) for term in about for each in near
    ):
        return Refusal("about something else")
    return memory


def who_takes_back(text: str, evidence: Evidence) -> str | None:
    """Return who in the turn takes back, in one clause, just what a memory's ``text`` says."""
    for speaker in evidence.speakers:
        labels = LABELS | {evidence.partner, speaker}
        held = clauses(text, labels)
        said = [c for message in evidence.by(speaker) for c in statements(message.text)]
        if any(_takes_back(clause, each) for clause in said for each in held if each.terms):
            return speaker
    return None


def _takes_back(said: Clause, held: Clause) -> bool:
    covered = [term for term in held.terms if covers(term, said)]
    if _TAKES_BACK.search(said.text):
        return any(is_same_subject(term, held.about) for term in covered)
    return said.negative != held.negative and len(covered) >= ENOUGH * len(held.terms)


def may_choose(memories: Sequence[Memory], evidence: Evidence, doubt: Doubt) -> bool:
    """Tell whether firmness and merging are left to a judge who may only be obeying."""
    if doubt is Doubt.MUCH:
        return False
    return not doubt or all(who_speaks_of(memory.words.text, evidence) for memory in memories)


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
    if any(memory.nature.tier not in _JUDGED for memory in shown):
        return Refusal("no fact")
    speakers = {memory.origin.speaker for memory in shown}
    people = frozenset().union(*map(people_of, shown))
    absent = speakers & (evidence.others - set(evidence.speakers))
    if len(speakers) > 1 or len(people) > 1 or absent:
        return Refusal("said by several people")
    return None if _is_combination(text, shown, evidence) else Refusal("not what they say")


def with_attribution(text: str, speaker: str, evidence: Evidence) -> str:
    """Return ``text`` under the name of who said it, where several people talk (DESIGN §8).

    In a group a person's own facts begin with their name; everything else is told as "B says".
    """
    if not evidence.others - {speaker}:
        return text
    own = _with_speaker_name(text, speaker, evidence.partner)
    if begins_with(own, speaker):
        return own
    return f"{speaker}说：{text}" if is_dense(text) else f"{speaker} says: {text}"


def _with_speaker_name(text: str, speaker: str, partner: str) -> str:
    """Return the text with the speaker's name where it begins with a word for the partner."""
    for label in sorted(LABELS | {partner}, key=len, reverse=True):
        if begins_with(text, label):
            return speaker + text[len(label) :]
    return text


def _is_combination(text: str, shown: Sequence[Memory], evidence: Evidence) -> bool:
    """Tell whether the memories share a subject and the text says nothing they do not say."""
    labels = LABELS | {evidence.partner, *(memory.origin.speaker for memory in shown)}
    abouts = [substance(memory.words.text, labels) for memory in shown]
    shared = frozenset.intersection(*abouts)
    if not any(is_same_subject(term, about) for term in shared for about in abouts):
        return False
    material = "\n".join(memory.words.text for memory in shown)
    known = clauses(material, labels)
    wanted = clauses(text, labels)
    terms = [(term, each.negative) for each in wanted for term in each.terms]
    said = [t for t, no in terms if any(covers(t, c) and c.negative == no for c in known)]
    exact = numbers_were_said(text, material) and links_were_said(text, material)
    return bool(terms) and len(said) >= ENOUGH * len(terms) and exact
