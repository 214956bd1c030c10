"""What a background prompt shows: what was said, and memories under handles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Memory, Message, Sensitivity
from memory.settings import AgentSettings
from memory.state import MemoryState
from prompts import PromptLine, PromptMemory
from prompts.plain import one_line

MOST_SHOWN: Final = 24
"""More memories than this only distract a judge."""


def zone_of(settings: AgentSettings) -> ZoneInfo:
    """Return the agent's time zone."""
    return ZoneInfo(settings.time_zone)


def prompt_lines(said: Iterable[Message], zone: ZoneInfo) -> tuple[PromptLine, ...]:
    """Return messages as a prompt shows them; what was shown and not said stays apart."""
    return tuple(
        PromptLine(
            role=message.role,
            speaker=one_line(message.speaker),
            at=message.at.astimezone(zone),
            text=message.text,
            quoted=message.quoted,
        )
        for message in said
    )


def memories_by_handle(memories: Iterable[Memory]) -> dict[str, Memory]:
    """Return memories by the short names they have in one prompt; sealed ones are never shown."""
    open_ones = [m for m in memories if m.nature.sensitivity < Sensitivity.SECRET]
    return {f"m{n}": memory for n, memory in enumerate(open_ones[:MOST_SHOWN], start=1)}


def prompt_memories(handles: Mapping[str, Memory], zone: ZoneInfo) -> tuple[PromptMemory, ...]:
    """Return memories as a prompt shows them, under their handles."""
    return tuple(prompt_memory(handle, memory, zone) for handle, memory in handles.items())


def prompt_memory(handle: str, memory: Memory, zone: ZoneInfo) -> PromptMemory:
    """Return one memory as a prompt shows it."""
    text = one_line(memory.words.text)
    quote = one_line(memory.origin.quote)
    return PromptMemory(
        handle=handle,
        text=text,
        when=memory.origin.at.astimezone(zone),
        tier=memory.nature.tier.value,
        speaker=one_line(memory.origin.speaker),
        past=memory.is_past,
        quote="" if quote == text else quote,
    )


def speakers_in(conversation: str, state: MemoryState, said: Sequence[Message]) -> frozenset[str]:
    """Return every person who speaks in the conversation as far as working memory reaches."""
    window = state.windows.get(conversation)
    recent = (*window.tail, *window.lines) if window else ()
    return frozenset(m.speaker for m in (*recent, *said) if m.role == "user")
