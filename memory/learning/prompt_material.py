"""What a background prompt shows: what was said, without its secrets, and memories under handles.

What somebody asks to be kept and must be sealed is taken out of the talk as a whole; of anything
else only the secret values are blotted out, and nobody repeats them either (DESIGN §8).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Turn
from memory.learning.remember_requests import explicit_requests
from memory.model import Memory, Message, Sensitivity
from memory.privacy.redaction import (
    REDACTED,
    is_secret,
    longest_first,
    masked,
    redacted,
    secrets_in,
)
from memory.state import MemoryState
from prompts import PromptLine, PromptMemory
from prompts.plain import one_line


def redacted_messages(
    messages: Sequence[Message], known: Iterable[str] = ()
) -> tuple[Message, ...]:
    """Return messages of one talk with what is secret in them blotted out, in all of them.

    Also what is ``known`` to be secret already. Anything else comes back as it is; doing it twice
    changes nothing more.
    """
    values = longest_first([*known, *(value for m in messages for value in _secret_values(m))])
    return tuple(
        replace(
            message,
            text=redacted(masked(_without_requested_secrets(message)), values),
            quoted=redacted(masked(message.quoted), values),
        )
        for message in messages
    )


def asks_to_keep_a_secret(said: Sequence[Message]) -> bool:
    """Tell whether anybody asks outright for something to be kept that must be sealed."""
    return any(is_secret(request.text) for request in explicit_requests(said))


def redacted_text(text: str) -> str:
    """Return something somebody said without what is secret in it."""
    at = datetime.fromtimestamp(0, UTC)
    (message,) = redacted_messages([Message(id="-", at=at, speaker="", role="user", text=text)])
    return message.text


def redacted_turn(turn: Turn, known: Iterable[str] = ()) -> Turn:
    """Return a turn with what is secret in it blotted out, in what was said and in the reply."""
    *said, reply = redacted_messages((*turn.said, turn.reply), known)
    return replace(turn, said=tuple(said), reply=reply)


def _without_requested_secrets(message: Message) -> str:
    """Return the text without the secrets somebody asks in it to be kept."""
    text = message.text
    if not is_secret(text):
        return text
    for request in explicit_requests([message]):
        if is_secret(request.text):
            if request.text not in text:
                return REDACTED
            text = text.replace(request.text, REDACTED)
    return text


def _secret_values(message: Message) -> Iterator[str]:
    if not is_secret(message.text) and not is_secret(message.quoted):
        return
    for request in explicit_requests([message]):
        if is_secret(request.text):
            yield request.text
    yield from secrets_in(message.text)
    yield from secrets_in(message.quoted)


MOST_SHOWN: Final = 24
"""More memories than this only distract a judge."""


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
