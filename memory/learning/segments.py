"""A stretch of conversation cut into segments, as a model answered or by rule.

Both cuts cover every line exactly once, so that nothing of a talk is lost or told twice.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Final

from memory.diary import TAIL_CHARACTERS, TAIL_SILENCE
from memory.judgement.brackets import Bracket, Unreadable, brackets, comma_separated
from memory.judgement.evidence import LABELS
from memory.model import Language, Message
from memory.privacy.redaction import masked
from memory.text.passed_on import own_words_of
from memory.text.tokens import is_dense, keywords
from prompts import EPISODE_NAMES

_RANGE: Final = re.compile(r"([1-9][0-9]{0,4})(?:\s*[-–—－~～]\s*([1-9][0-9]{0,4}))?")

_ATTRIBUTES: Final = frozenset({"phrase", "keywords", "entities"})

_MOST_ENTITIES: Final = 5

_MOST_KEYWORDS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Lines ``first`` to ``last`` (from 1, both included) and what they were about.

    ``entities`` are (name, relation), the relation possibly empty.
    """

    first: int
    last: int
    gist: str
    phrase: str = ""
    keywords: tuple[str, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()


def parse_segments(answer: str, lines: int) -> tuple[Segment, ...] | Unreadable:
    """Return the segments of an answer about ``lines`` lines, in order of the lines.

    Total and linear. Each line belongs to exactly one segment: lines that were left out join the
    segment before them (the first segment, at the beginning), so nothing is lost; a line in two
    segments or beyond the end makes the answer unreadable.
    """
    found = brackets(answer, frozenset(EPISODE_NAMES))
    if isinstance(found, Unreadable):
        return found
    segments: list[Segment] = []
    for bracket in found:
        read = _segment(bracket)
        if isinstance(read, Unreadable):
            return read
        segments.append(read)
    segments.sort(key=lambda segment: segment.first)
    if segments[-1].last > lines:
        return Unreadable("a segment beyond the last line")
    if any(one.last >= other.first for one, other in pairwise(segments)):
        return Unreadable("a line in two segments")
    return _covering_all_lines(segments, lines)


def _segment(bracket: Bracket) -> Segment | Unreadable:
    written = _RANGE.fullmatch(bracket.target)
    if written is None:
        return Unreadable("a segment without its lines")
    if any(key not in _ATTRIBUTES for key, _ in bracket.attributes):
        return Unreadable("a segment with an unknown attribute")
    first = int(written[1])
    last = int(written[2] or first)
    if last < first or not bracket.text:
        return Unreadable("a segment that runs backwards or says nothing")
    return Segment(
        first=first,
        last=last,
        gist=bracket.text,
        phrase=bracket.attribute("phrase"),
        keywords=comma_separated(bracket.attribute("keywords"))[:_MOST_KEYWORDS],
        entities=_entities(bracket.attribute("entities")),
    )


def _entities(value: str) -> tuple[tuple[str, str], ...]:
    """Return the (name, relation) pairs of an attribute; each name once."""
    pairs: dict[str, str] = {}
    for item in comma_separated(value):
        name, _, relation = item.replace("：", ":").partition(":")
        if name.strip():
            pairs.setdefault(name.strip(), relation.strip())
    return tuple(pairs.items())[:_MOST_ENTITIES]


def _covering_all_lines(segments: list[Segment], lines: int) -> tuple[Segment, ...]:
    """Return the segments stretched so that they cover every line."""
    starts = [1, *(segment.first for segment in segments[1:])]
    ends = [*(start - 1 for start in starts[1:]), lines]
    return tuple(
        Segment(
            first=start,
            last=end,
            gist=segment.gist,
            phrase=segment.phrase,
            keywords=segment.keywords,
            entities=segment.entities,
        )
        for segment, start, end in zip(segments, starts, ends, strict=True)
    )


SEGMENT_PAUSE: Final = timedelta(minutes=30)
"""A silence this long ends what was being talked about."""

LONGEST_SEGMENT: Final = 12
"""The most messages of one segment; more than that is rarely one thing."""

_PHRASE_KEYWORDS: Final = 3


def segments_by_rule(messages: Sequence[Message], language: Language) -> tuple[Segment, ...]:
    """Return segments that cover every message: silences part them, and none grows too long."""
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
    """Return one segment of all ``messages``, told by the words that carry what people said.

    What was quoted, forwarded or pasted does not tell, nor do her own lines: she may have said
    words of it again.
    """
    # Everybody in the talk would be its most frequent word and tell nothing about it.
    names = LABELS | {message.speaker.lower() for message in messages}
    own = (message for message in own_words_of(messages) if message.role == "user")
    said = "\n".join(masked(message.text) for message in own)
    found = keywords(said, 2 * _PHRASE_KEYWORDS + len(names))
    telling = tuple(word for word in found if word not in names)[: 2 * _PHRASE_KEYWORDS]
    short = telling[:_PHRASE_KEYWORDS]
    # In the language that was spoken, whatever the agent's is.
    if is_dense(said) or (language == "zh" and not short):
        phrase = "、".join(short)
        gist = f"聊了{phrase or '几句'}"
    else:
        phrase = ", ".join(short)
        gist = f"talked about {phrase}" if short else "had a short chat"
    return Segment(first=1, last=max(len(messages), 1), gist=gist, phrase=phrase, keywords=telling)


def _segment_ends(messages: Sequence[Message]) -> Iterator[int]:
    """Yield where each segment ends (exclusive); an answer stays with its question."""
    start = 0
    for number in range(1, len(messages)):
        before, here = messages[number - 1], messages[number]
        # A question and its answer stay together, so a cut waits for the next message of a person;
        # twice the length is cut anyway, lest a monologue of replies never ends.
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
