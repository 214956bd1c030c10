"""Whether memory already says it: same meaning is a mention, not a second memory (DESIGN §8)."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memory.background.birth import with_absolute_dates
from memory.background.evidence import LABELS
from memory.background.wording import clauses, covers, is_class, substance
from memory.manager.own_words import is_someone_elses
from memory.model import Memory, Message, Tier
from memory.state import MemoryState
from memory.text.similarity import similarity
from memory.text.tokens import normalized

SAME_FROM: Final = 0.85
"""The similarity from which two facts say the same."""

LEAST_REPEATED: Final = 0.6
"""The share of a known fact's terms that a shorter way of saying it must repeat."""

_LIGHT: Final = frozenset("吃喝看听玩读做打")
"""Verbs that add nothing to a liking: 喜欢拉面 and 喜欢吃拉面."""

_FIGURES: Final = re.compile(r"[0-9]+")


def known_fact(
    text: str,
    speaker: str,
    state: MemoryState,
    *,
    said: Sequence[Message] = (),
    verified: bool = False,
) -> Memory | None:
    """Return the living fact of that speaker that says what ``text`` says, the oldest if several.

    Past facts do not count: what held once and holds again is news. In a group somebody of the
    same name is another: ``said`` are the messages that say it now, from whose day 明天 counts.
    ``verified`` looks only among what the partner asked for or confirmed.
    """
    settings = state.agent_info.settings
    labels = LABELS | {speaker, settings.partner}
    if said:
        text = with_absolute_dates(text, said[0].at, settings)
    found = (
        memory
        for memory in _candidates(text, labels, state)
        if memory.origin.speaker in {speaker, ""}
        and not is_someone_elses(memory, said)
        and (memory.origin.verified or not verified)
        and says_the_same(text, memory.words.text, labels)
    )
    return min(found, key=lambda memory: memory.id, default=None)


def says_the_same(new: str, known: str, labels: frozenset[str] = LABELS) -> bool:
    """Tell whether ``new`` adds nothing to ``known``: same polarity, same figures, no new term."""
    if _figures(new) != _figures(known) or _meanings(new) != _meanings(known):
        return False
    fresh, old = substance(new, labels), clauses(known, labels)
    added = {term for term in fresh if not any(covers(term, clause) for clause in old)}
    if similarity(new, known) >= SAME_FROM:
        return added <= _LIGHT
    return (
        bool(fresh) and not added and len(fresh) >= LEAST_REPEATED * len(substance(known, labels))
    )


def _candidates(text: str, labels: frozenset[str], state: MemoryState) -> Iterator[Memory]:
    """Yield the facts that share a word with the text; comparing all would take too long."""
    words = [term for term in substance(text, labels) if not is_class(term)]
    shared = re.compile("|".join(map(re.escape, [*words, text])), re.IGNORECASE).search
    for memory in state.memories.values():
        if shared(memory.words.text) and _is_living_fact(memory):
            yield memory


def _is_living_fact(memory: Memory) -> bool:
    fact = memory.nature.tier in {Tier.FACT, Tier.CORE}
    return fact and memory.is_active and memory.sealed is None and not memory.is_past


def _figures(text: str) -> frozenset[str]:
    return frozenset(_FIGURES.findall(normalized(text)))


def _meanings(text: str) -> frozenset[tuple[bool, bool]]:
    return frozenset((clause.negative, clause.past) for clause in clauses(text) if clause.terms)
