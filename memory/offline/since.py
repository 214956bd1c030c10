"""What the partner said since of the matter an answer is about, though no rule read it.

Where a change is told in words that no rule knows, what was known before stands as it is. An answer
from it alone would be false certainty. So the newer line is quoted first, and what was known is
told as from before: nothing is ended by it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from memory.offline.statements import sentences_of, states
from memory.offline.vocabulary import content_words, is_question
from memory.offline.weighing import Told
from memory.text.slot_changes import is_ended_by, tells_of_change
from memory.text.slot_cues import SINGLE_VALUED
from memory.text.slots import SlotClaim, slot_claims
from prompts import PromptLine, PromptMemory

_LONGEST: Final = 120
"""In characters: a longer sentence is a story, in which a matter is only touched on."""

_SHORTEST_WORD: Final = 2


def said_since(
    known: str, at: datetime, lines: Iterable[PromptLine], names: frozenset[str]
) -> Told | None:
    """Return the last sentence of the partner's that may have changed what was ``known`` ``at``.

    It is of one slot with it, or names what it names and tells of a change. ``names`` are those
    the partner goes by.
    """
    claims, words = slot_claims(known, names), _telling(known, names)
    later = sorted((each for each in lines if each.at > at), key=lambda each: each.at)
    for line in reversed(later):
        for sentence in reversed(sentences_of(line.text)):
            plain = len(sentence) <= _LONGEST and states(sentence) and not is_question(sentence)
            if plain and sentence not in known and _may_change(sentence, claims, words, known):
                return Told(sentence, "user", line.at)
    return None


def lines_of(
    speaker: str, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[PromptLine]:
    """Yield what that person said, as far as the talk and the memories at hand hold it."""
    yield from (line for line in before if line.role == "user" and line.speaker == speaker)
    for memory in memories:
        yield from (x for x in memory.said if x.role == "user" and x.speaker == speaker)
        if memory.speaker != speaker or memory.past or memory.tier == "episode":
            continue
        yield PromptLine("user", speaker, memory.when, memory.quote or memory.text)


def _may_change(
    sentence: str, claims: Sequence[SlotClaim], words: frozenset[str], known: str
) -> bool:
    told = slot_claims(sentence)
    if any(is_ended_by(old, new, known) for old in claims for new in told):
        return True
    if {c.slot for c in told if c.is_own} & {c.slot for c in claims} & SINGLE_VALUED:
        return True
    return tells_of_change(sentence) and bool(words & _telling(sentence, frozenset()))


def _telling(text: str, names: frozenset[str]) -> frozenset[str]:
    """Return the words that may name what a text is about."""
    return frozenset(
        word for word in content_words(text) if len(word) >= _SHORTEST_WORD and word not in names
    )
