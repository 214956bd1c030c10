"""A new fact, with everything it has to record about where it came from (DESIGN §8)."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from memory.background.evidence import LABELS, Support
from memory.background.material import zone_of
from memory.background.operations import MemoryDetails
from memory.background.privacy import masked, sensitivity_of
from memory.background.wording import is_class, substance
from memory.laws.law import new_trace
from memory.model import (
    Kind,
    Memory,
    Nature,
    Origin,
    Passage,
    Source,
    Tier,
    Topic,
    Words,
    only_speaker,
)
from memory.settings import AgentSettings
from memory.state import MemoryState
from memory.text.dates import absolute_dates
from memory.text.tokens import keywords
from prompts.plain import one_line

PHRASE_CHARACTERS: Final = 20

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
        trace=new_trace(
            at, settings, confidence=0.7 if details.confidence is None else details.confidence
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


def phrase_of(text: str) -> str:
    """Return the short name of a text: its first words, cut at ``PHRASE_CHARACTERS``."""
    line = one_line(text)
    if len(line) <= PHRASE_CHARACTERS:
        return line
    cut = line[:PHRASE_CHARACTERS]
    return cut.rsplit(" ", 1)[0] if " " in cut else cut


def _keywords_of(text: str, details: MemoryDetails) -> tuple[str, ...]:
    """Return the model's keywords that really stand in the text, or the text's own.

    Predicates such as 喜欢 are left out: they would link everything to everything.
    """
    stated = tuple(word for word in details.keywords if word.lower() in text.lower())
    found = tuple(word for word in stated or keywords(text) if word not in LABELS)
    return tuple(word for word in found if not all(map(is_class, substance(word)))) or found
