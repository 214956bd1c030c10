"""Working memory: the last 30 to 46 messages of a conversation, verbatim, and the tail before.

The window grows to 46 and is then cut to 30 in one step: a prompt that only grows at its end is
one that a model's server need not read again from the start. What left the window waits in its
tail until it is cut into episodes.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from memory.changes import Window
from memory.model import Message
from memory.state import MemoryState

# 15 rounds of one message and one reply: the first tier of source document 003.
WINDOW_MESSAGES: Final = 30
"""Messages in a window that was just cut; it never holds fewer if more were said."""

LARGEST_WINDOW: Final = 46
"""Messages a window may grow to: of nine prompts in a row eight begin like the one before."""

TAIL_MESSAGES: Final = 30
"""Messages in the tail that are worth a summary."""

# 80 % of what one summary call is given; characters are a safe stand-in for tokens everywhere.
TAIL_CHARACTERS: Final = 12_000
"""Characters in the tail that are worth a summary, however few messages they are."""

TAIL_SILENCE: Final = timedelta(hours=6)
"""After so long a silence the tail is summarised, however short."""


def window_after(window: Window, messages: Sequence[Message]) -> Window:
    """Return the window after ``messages``: beyond 46 lines all but 30 move to the tail.

    A message with a known id is ignored. ``tail + lines`` is everything said and not yet
    summarised, in order.
    """
    known = {line.id for line in (*window.lines, *window.tail)}
    fresh = [message for message in messages if message.id not in known]
    lines = (*window.lines, *fresh)
    spilled = len(lines) - WINDOW_MESSAGES if len(lines) > LARGEST_WINDOW else 0
    return replace(window, lines=lines[spilled:], tail=(*window.tail, *lines[:spilled]))


def window_lines(conversation: str, state: MemoryState) -> tuple[Message, ...]:
    """Return what was said in a conversation and is not yet an episode, oldest first."""
    window = state.windows.get(conversation)
    return (*window.tail, *window.lines) if window else ()


def tail_is_due(window: Window, now: datetime) -> bool:
    """Whether the tail is worth a summary: 30 messages, 12,000 characters, or 6 h of silence."""
    if not window.tail:
        return False
    if len(window.tail) >= TAIL_MESSAGES:
        return True
    if sum(len(line.text) + len(line.quoted) for line in window.tail) >= TAIL_CHARACTERS:
        return True
    last = window.lines[-1] if window.lines else window.tail[-1]
    return now - last.at >= TAIL_SILENCE


def emptied_window(window: Window) -> Window:
    """Return the window of a conversation that begins anew: its lines wait in the tail."""
    return replace(window, lines=(), tail=(*window.tail, *window.lines))


def resumed_window(window: Window, before: Window) -> Window:
    """Return the window with the lines it had ``before`` it began anew, and what was said since.

    Lines that became an episode meanwhile stay there; nothing is lost and nothing is there twice.
    """
    lines = {line.id for line in before.lines}
    said = (*window.tail, *window.lines)
    first = next((place for place, line in enumerate(said) if line.id in lines), len(said))
    # Never a line said since moved into the tail, and never more lines than a window has.
    first = min(first, len(window.tail))
    if len(said) - first > LARGEST_WINDOW:
        first = len(said) - WINDOW_MESSAGES
    return replace(window, tail=said[:first], lines=said[first:])


def without_tail(window: Window, taken: Sequence[Message]) -> Window:
    """Return the window after the messages ``taken`` from its tail became episodes."""
    gone = {message.id for message in taken}
    return replace(window, tail=tuple(line for line in window.tail if line.id not in gone))


LONGEST_STRETCH: Final = 60
"""The most messages one segmentation is given."""


def stretches_of(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Cut messages to be remembered into stretches short enough for one segmentation.

    A stretch ends at 6 h of silence, at 60 messages or at 12,000 characters; the stretches joined
    are the messages, in order.
    """
    cut: list[tuple[Message, ...]] = []
    current: list[Message] = []
    size = 0
    for message in messages:
        length = len(message.text) + len(message.quoted)
        # abs(): messages may be given out of their order in time.
        silent = bool(current) and abs(message.at - current[-1].at) >= TAIL_SILENCE
        full = len(current) >= LONGEST_STRETCH or size + length > TAIL_CHARACTERS
        if current and (silent or full):
            cut.append(tuple(current))
            current, size = [], 0
        current.append(message)
        size += length
    return [*cut, tuple(current)] if current else cut
