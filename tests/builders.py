"""Values for tests: a test states only what it is about."""

from datetime import datetime, timedelta

from memory.model import (
    Kind,
    Memory,
    Message,
    Nature,
    Origin,
    Passage,
    Role,
    Source,
    Tier,
    Trace,
    Words,
)
from tests.fakes.clock import NOON


def a_memory(
    memory_id: int = 1,
    text: str = "主人喜欢拉面",
    *,
    tier: Tier = Tier.FACT,
    kind: Kind = Kind.FACT,
    at: datetime = NOON,
    keywords: tuple[str, ...] = (),
) -> Memory:
    """Return an active memory that began at ``at`` and rests on one message."""
    return Memory(
        id=memory_id,
        words=Words(text=text, phrase=text[:12], keywords=keywords),
        nature=Nature(tier=tier, kind=kind),
        trace=Trace.starting_at(at),
        origin=Origin(source=Source.BACKGROUND, at=at, speaker="主人"),
        passages=(Passage(text=text, source_ids=(f"s{memory_id}",), at=at, speaker="主人"),),
    )


def a_message(
    message_id: str = "1",
    text: str = "我喜欢拉面",
    *,
    at: datetime = NOON,
    speaker: str = "主人",
    role: Role = "user",
) -> Message:
    """Return one message said at ``at``."""
    return Message(id=message_id, at=at, speaker=speaker, role=role, text=text)


def a_stretch(*texts: str, start: datetime = NOON, first: int = 1) -> list[Message]:
    """Return messages a minute apart, the partner and 小祥 taking turns."""
    said: list[Message] = []
    for index, text in enumerate(texts):
        partner = index % 2 == 0
        said.append(
            a_message(
                str(first + index),
                text,
                at=start + timedelta(minutes=index),
                speaker="主人" if partner else "小祥",
                role="user" if partner else "assistant",
            )
        )
    return said
