"""What a background prompt shows: what was said, without its secrets, and memories under handles.

What somebody asks to be kept and must be sealed is taken out of the talk as a whole; of anything
else only the secret values are masked, in every message of the talk (docs/decisions/secrets.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import Turn
from memory.learning.remember_requests import RememberRequest, explicit_requests
from memory.model import Memory, Message, Sensitivity
from memory.privacy.redaction import (
    REDACTED,
    is_secret,
    longest_first,
    masked,
    recognizable,
    redacted,
    without_places,
)
from memory.privacy.shapes import Place
from memory.privacy.talk import places_in, places_in_talk
from memory.state import MemoryState
from prompts import PromptLine, PromptMemory
from prompts.plain import one_line


def redacted_messages(
    messages: Sequence[Message], known: Iterable[str] = (), *, before: Sequence[Message] = ()
) -> tuple[Message, ...]:
    """Return the messages of one talk with every secret value masked in all of them.

    So is what is ``known`` to be secret already. ``before`` is what was said just before: an
    answer is a secret because of what was asked. Anything else comes back as it is; doing it twice
    changes nothing more.
    """
    near = before[-LINES_BEFORE:]
    places = places_in_talk((*near, *messages))
    earlier = [
        value
        for message, found in zip(near, places, strict=False)
        for value in recognizable(message.text, found)
    ]
    read = [
        _without_secrets(message, found)
        for message, found in zip(messages, places[len(near) :], strict=True)
    ]
    # Whoever is told a password may repeat it without the word that gave it away, so a value
    # found in one message is looked for in all of them.
    values = longest_first([*known, *earlier, *(value for _, found in read for value in found)])
    return tuple(
        replace(
            message,
            text=redacted(message.text, values),
            quoted=redacted(message.quoted, values),
        )
        for message, _ in read
    )


LINES_BEFORE: Final = 4
"""How many lines before a talk may tell what it answers."""


def redacted_window(
    window: Sequence[Message], messages: Sequence[Message]
) -> tuple[tuple[Message, ...], Mapping[str, tuple[str, ...]]]:
    """Return the lines before ``messages`` without what these show to be secret, and that by id.

    The lines were kept without what was secret in them by itself.
    """
    far, near = window[:-LINES_BEFORE], window[-LINES_BEFORE:]
    places = places_in_talk((*near, *messages))[: len(near)]
    lines = (*far, *map(_line_without, near, places))
    found = {
        line.id: tuple(line.text[a:b] for a, b in told)
        for line, told in zip(near, places, strict=True)
        if told
    }
    return lines, found


def _line_without(line: Message, places: Sequence[Place]) -> Message:
    return replace(line, text=without_places(line.text, places)) if places else line


def asks_to_keep_a_secret(said: Sequence[Message], before: Sequence[Message] = ()) -> bool:
    """Tell whether anybody asks outright for something to be kept that must be sealed."""
    return any(request.secret for request in requests_in_talk(said, before))


def requests_in_talk(
    said: Sequence[Message], before: Sequence[Message] = ()
) -> tuple[RememberRequest, ...]:
    """Return what people ask to be remembered, with what the talk ``before`` says is secret."""
    requests = explicit_requests(said, before)
    if not requests:
        return ()
    places = places_in_talk((*before[-LINES_BEFORE:], *said))[-len(said) :]
    told = {
        message.id: tuple(message.text[a:b] for a, b in found)
        for message, found in zip(said, places, strict=True)
    }
    return tuple(
        replace(
            request,
            secret=is_secret(request.text)
            or any(value in request.text for value in told[request.message.id]),
        )
        for request in requests
    )


def redacted_text(text: str) -> str:
    """Return something somebody said without what is secret in it."""
    # Masking reads neither the time nor the speaker, so any will do.
    at = datetime.fromtimestamp(0, UTC)
    (message,) = redacted_messages([Message(id="-", at=at, speaker="", role="user", text=text)])
    return message.text


def redacted_turn(
    turn: Turn, known: Iterable[str] = (), *, before: Sequence[Message] = ()
) -> Turn:
    """Return a turn without what is secret in it, in what was said and in the reply."""
    *said, reply = redacted_messages((*turn.said, turn.reply), known, before=before)
    return replace(turn, said=tuple(said), reply=reply)


def _without_secrets(message: Message, places: Sequence[Place]) -> tuple[Message, list[str]]:
    """Return a message without the secrets that show in it, and these."""
    quoted = places_in(message.quoted) if message.quoted else ()
    if not places and not quoted:
        return message, []
    values = [*recognizable(message.text, places), *recognizable(message.quoted, quoted)]
    shown = tuple(message.text[a:b] for a, b in places)
    requests = explicit_requests([message])
    asked = [each.text for each in requests if any(value in each.text for value in shown)]
    text = message.text
    if asked:
        text = masked(_without_requests(text, asked))
        # What the talk alone tells to be secret may stand beside the request.
        text = redacted(text, longest_first(recognizable(message.text, places)))
    else:
        text = without_places(text, places)
    cut = replace(message, text=text, quoted=without_places(message.quoted, quoted))
    return cut, [*asked, *values]


def _without_requests(text: str, asked: Iterable[str]) -> str:
    for request in asked:
        if request not in text:
            # The request was read across a quotation that was cut out: nothing to replace exactly.
            return REDACTED
        text = text.replace(request, REDACTED)
    return text


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
    # Short names instead of ids: an id that was never shown cannot be guessed into an operation.
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
        # The same words twice cost tokens and say nothing.
        quote="" if quote == text else quote,
    )


def speakers_in(conversation: str, state: MemoryState, said: Sequence[Message]) -> frozenset[str]:
    """Return every person who speaks in the conversation as far as working memory reaches."""
    window = state.windows.get(conversation)
    recent = (*window.tail, *window.lines) if window else ()
    return frozenset(m.speaker for m in (*recent, *said) if m.role == "user")
