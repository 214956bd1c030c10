"""Reading how a model cut a stretch of conversation: ``[SEGMENT:1-6 phrase=…] gist``."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memory.background.grammar import Bracket, Unreadable, brackets, comma_separated

NAMES: Final = frozenset({"SEGMENT"})
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
    found = brackets(answer, NAMES)
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
