"""A new fact with everything it records about where it came from.

Whether memory already says it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement.evidence import LABELS, Support
from memory.judgement.operations import MemoryDetails
from memory.judgement.permission import is_someone_elses
from memory.judgement.wording import clauses, covers, is_class, substance
from memory.laws.law import Birth
from memory.lifecycle.effects import phrase_of
from memory.model import (
    AgentSettings,
    Kind,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Topic,
    Words,
    only_speaker,
)
from memory.privacy.redaction import masked, sensitivity_of
from memory.state import MemoryState
from memory.text.dates import absolute_dates
from memory.text.similarity import similarity
from memory.text.tokens import keywords, normalized
from prompts.plain import one_line


def zone_of(settings: AgentSettings) -> ZoneInfo:
    """Return the agent's time zone."""
    return ZoneInfo(settings.time_zone)


_HABIT: Final = re.compile(
    r"每|通常|一般|经常|常常|总是|往往|\b(?:every|each|usually|often|always|normally)\b",
    re.IGNORECASE,
)
"""Words under which a weekend is any weekend, and gets no date."""

_TOPICS: Final = {
    Kind.IDENTITY: Topic.PERSONAL,
    Kind.LASTING_PREFERENCE: Topic.PREFERENCE,
    Kind.PASSING_PREFERENCE: Topic.PREFERENCE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Through whom and where something enters: what every new memory records (DESIGN §8)."""

    source: Source
    conversation: str = ""
    turn_id: str = ""
    model: str = ""
    verified: bool = False


def with_absolute_dates(text: str, at: datetime, settings: AgentSettings) -> str:
    """Return a text said at ``at`` as it is kept: in one line, dates absolute but in a habit."""
    written = one_line(text)
    if _HABIT.search(written):
        return written
    return absolute_dates(written, at, zone_of(settings))


def new_fact(
    memory_id: int,
    text: str,
    support: Support,
    details: MemoryDetails,
    *,
    provenance: Provenance,
    state: MemoryState,
) -> Memory:
    """Return a new fact: its text with absolute dates, and everything about where it is from.

    It is dated by when it was said, not by when it was judged.
    """
    settings = state.agent_info.settings
    said = support.messages[0]
    at = said.at.astimezone(UTC)
    written = with_absolute_dates(text, said.at, settings)
    kind = details.kind or Kind.FACT
    rule = sensitivity_of(text)
    return Memory(
        id=memory_id,
        words=Words(text=written, phrase=phrase_of(text), keywords=_keywords_of(text, details)),
        nature=Nature(
            tier=Tier.FACT,
            kind=kind,
            topic=details.topic or _TOPICS.get(kind, Topic.MEMORY),
            sensitivity=max(rule, details.sensitivity or rule),
        ),
        trace=state.rules.new_trace(
            Birth(at=at), confidence=0.7 if details.confidence is None else details.confidence
        ),
        origin=Origin(
            source=provenance.source,
            at=at,
            speaker=support.speaker,
            conversation=provenance.conversation,
            turn_id=provenance.turn_id,
            model=provenance.model,
            quote=masked(support.quote),
            verified=provenance.verified,
            modalities=tuple(dict.fromkeys(m.modality for m in support.messages)),
        ),
        passages=(
            Passage(
                text=written,
                source_ids=tuple(message.id for message in support.messages),
                at=at,
                speaker=support.speaker,
                speaker_id=only_speaker(support.messages),
            ),
        ),
    )


def as_kept_from(memory: Memory, now: datetime) -> Memory:
    """Return the memory as one that is kept only from ``now`` on, long after it was said.

    It still begins when it was said; but nothing of it may have faded before it was there.
    """
    since = max(now.astimezone(UTC), memory.trace.created_at)
    trace = replace(
        memory.trace,
        updated_at=since,
        accessed_at=since,
        reinforced_at=since,
        importance_at=since,
    )
    return replace(memory, trace=trace)


def details_of_new_version(details: MemoryDetails, old: Memory) -> MemoryDetails:
    """Return the details of a new version: where the model says nothing, those of the old."""
    return MemoryDetails(
        kind=details.kind or old.nature.kind,
        topic=details.topic or old.nature.topic,
        confidence=details.confidence,
        sensitivity=max(details.sensitivity or old.nature.sensitivity, old.nature.sensitivity),
        keywords=details.keywords,
    )


def _keywords_of(text: str, details: MemoryDetails) -> tuple[str, ...]:
    """Return the model's keywords that really stand in the text, or the text's own.

    Predicates such as 喜欢 are left out: they would link everything to everything.
    """
    stated = tuple(word for word in details.keywords if word.lower() in text.lower())
    found = tuple(word for word in stated or keywords(text) if word not in LABELS)
    return tuple(word for word in found if not all(map(is_class, substance(word)))) or found


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
