"""Cutting a stretch of conversation by rule: for when no model could, so that nothing is lost."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from memory.background.evidence import LABELS
from memory.background.privacy import masked
from memory.background.segments import Segment
from memory.model import Message
from memory.settings import Language
from memory.text.tokens import keywords

SEGMENT_PAUSE: Final = timedelta(minutes=30)
"""A silence this long ends what was being talked about."""

LONGEST_SEGMENT: Final = 12
"""The most messages of one segment; more than that is rarely one thing."""

_PHRASE_KEYWORDS: Final = 3


def segments_by_rule(messages: Sequence[Message], language: Language) -> tuple[Segment, ...]:
    """Return segments that cover every message: parted by silences, at most ``LONGEST`` each."""
    segments: list[Segment] = []
    start = 0
    for end in _segment_ends(messages):
        part = messages[start:end]
        told = gist_of(part, language)
        segments.append(
            Segment(
                first=start + 1,
                last=end,
                gist=told.gist,
                phrase=told.phrase,
                keywords=told.keywords,
            )
        )
        start = end
    return tuple(segments)


def gist_of(messages: Sequence[Message], language: Language) -> Segment:
    """Return one segment of all ``messages``, told by the words that carry them.

    Only what was said tells; what was quoted or forwarded does not.
    """
    names = LABELS | {message.speaker.lower() for message in messages}
    found = keywords(
        "\n".join(masked(message.text) for message in messages), 2 * _PHRASE_KEYWORDS + len(names)
    )
    telling = tuple(word for word in found if word not in names)[: 2 * _PHRASE_KEYWORDS]
    short = telling[:_PHRASE_KEYWORDS]
    if language == "zh":
        gist = f"聊了{'、'.join(short)}" if short else "聊了几句"
    else:
        gist = f"talked about {', '.join(short)}" if short else "had a short chat"
    return Segment(
        first=1, last=max(len(messages), 1), gist=gist, phrase=" ".join(short), keywords=telling
    )


def _segment_ends(messages: Sequence[Message]) -> Iterator[int]:
    """Yield where each segment ends (exclusive); an answer stays with its question."""
    start = 0
    for number in range(1, len(messages)):
        before, here = messages[number - 1], messages[number]
        long_enough = number - start >= LONGEST_SEGMENT and here.role == "user"
        if (
            here.at - before.at >= SEGMENT_PAUSE
            or long_enough
            or number - start >= 2 * LONGEST_SEGMENT
        ):
            yield number
            start = number
    if messages:
        yield len(messages)
