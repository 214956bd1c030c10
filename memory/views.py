"""What a surface shows of a memory: the stored values and the four quantities at an instant."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.laws.law import LawContext, is_fading, quantities, retention
from memory.model import Kind, Level, Memory, Sensitivity, Standing, Tier, Topic
from memory.network.linking import connectedness
from memory.state import MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """One memory as it is seen (DESIGN §5).

    ``retention`` is 0 to 1 and ``fading`` is judged under the agent's own law. ``past`` marks what
    no longer holds, because the partner negated it or something newer took its place: it is told
    as "以前：…", never as current.
    """

    id: int
    text: str
    phrase: str
    keywords: tuple[str, ...]
    tier: Tier
    kind: Kind
    topic: Topic
    level: Level
    standing: Standing
    sensitivity: Sensitivity
    pinned: bool
    source_ids: tuple[str, ...]
    speaker: str
    quote: str
    verified: bool
    created_at: datetime
    past: bool
    importance: float
    strength: int
    weight: float
    connectedness: float
    retention: float
    fading: bool


def view(memory: Memory, state: MemoryState, now: datetime) -> MemoryView:
    """Return ``memory`` of ``state`` as it is seen at ``now``; nothing is written."""
    settings = state.agent_info.settings
    context = law_context(memory.id, state, now)
    amounts = quantities(memory, context, settings)
    return MemoryView(
        id=memory.id,
        text=memory.words.text,
        phrase=memory.words.phrase,
        keywords=memory.words.keywords,
        tier=memory.nature.tier,
        kind=memory.nature.kind,
        topic=memory.nature.topic,
        level=memory.words.level,
        standing=memory.standing,
        sensitivity=memory.nature.sensitivity,
        pinned=memory.nature.pinned,
        source_ids=memory.source_ids,
        speaker=memory.origin.speaker,
        quote=memory.origin.quote,
        verified=memory.origin.verified,
        created_at=memory.trace.created_at,
        past=memory.is_past,
        importance=amounts.importance,
        strength=amounts.strength,
        weight=amounts.weight,
        connectedness=amounts.connectedness,
        retention=retention(memory, context, settings),
        fading=is_fading(memory, context, settings),
    )


def law_context(memory_id: int, state: MemoryState, now: datetime) -> LawContext:
    """Return the vantage from which a law sees that memory of ``state`` at ``now``."""
    zone = ZoneInfo(state.agent_info.settings.time_zone)
    return LawContext(now, zone, connectedness(memory_id, state))
