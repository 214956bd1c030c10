"""Summaries by rule: a stretch of talk cut into segments, a text in fewer characters."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from memory.offline.gists import (
    LONGEST_PHRASE,
    LONGEST_PHRASE_ZH,
    is_only_polite,
    telling_clause,
    topic_words,
)
from memory.offline.vocabulary import content_words
from memory.text.names import NO_NAMES, names_told
from memory.text.tokens import keywords, segmented_words, words
from prompts import Compress, PromptLine, Summarize
from prompts.rendering import one_line

SEGMENT_PAUSE: Final = timedelta(minutes=30)
"""After a longer silence a new segment begins."""

LONGEST_SEGMENT: Final = 12
"""The most lines of one segment, also if they are on one subject."""

# An aside of a line or two is not a new subject.
SHORTEST_SEGMENT: Final = 4
"""The fewest lines before a change of vocabulary begins a new segment."""

_MARKS: Final = re.compile(r"[\[\]［］【】〔〕=＝,，:：;；]")

_TITLE: Final = re.compile(r"《([^》]{1,20})》")

# Not at the beginning of a sentence, where every word has a capital.
_CAPITALISED: Final = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")


class _Segment(NamedTuple):
    first: int
    lines: tuple[PromptLine, ...]


def segment_lines(prompt: Summarize) -> str:
    """Return one SEGMENT line for each subject of a stretch; every line is in exactly one."""
    return "\n".join(_segment_line(segment, prompt) for segment in _segments_of(prompt.lines))


def _segments_of(lines: Sequence[PromptLine]) -> list[_Segment]:
    segments: list[_Segment] = []
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _starts_segment(lines, start, index):
            segments.append(_Segment(start + 1, tuple(lines[start:index])))
            start = index
    return segments


def _starts_segment(lines: Sequence[PromptLine], start: int, index: int) -> bool:
    """Whether a new segment begins at ``index``."""
    if lines[index].at - lines[index - 1].at > SEGMENT_PAUSE:
        return True
    if index - start >= LONGEST_SEGMENT:
        return True
    if index - start < SHORTEST_SEGMENT or lines[index].role != "user":
        return False
    # The line and its answer: a short line alone shares no word with anything.
    ahead = _vocabulary(lines[index : index + 2])
    return bool(ahead) and not ahead & _vocabulary(lines[start:index])


def _vocabulary(lines: Sequence[PromptLine]) -> set[str]:
    return {word for line in lines for word in content_words(line.text)}


def _segment_line(segment: _Segment, prompt: Summarize) -> str:
    last = segment.first + len(segment.lines) - 1
    # Who talks is named in every other line, and is not what they talk about.
    people = " ".join({prompt.partner, *(line.speaker for line in prompt.lines)})
    about = topic_words(segment.lines, ignored=people)
    chinese = any(re.search("[一-鿿]", line.text) for line in segment.lines)
    named = about or keywords(segment.lines[0].text, 3)
    if is_only_polite(segment.lines):
        named = ("道谢", "道别") if chinese else ("thanks", "goodbye")
    joined = ("、" if chinese else ", ").join(_attribute_text(each) for each in named[:3])
    opening = one_line(segment.lines[0].text)[:LONGEST_PHRASE_ZH]
    phrase = (
        _attribute_text(telling_clause(segment.lines, about))[:LONGEST_PHRASE]
        or ("、" if chinese else " and ").join(_attribute_text(each) for each in named[:2])
        or _attribute_text(opening)
    )
    # The clause names the episode only: in the gist it would be found beside its own message.
    gist = f"{'聊了' if chinese else 'talked about '}{joined or _attribute_text(opening)}"
    attributes = [f"phrase={phrase.strip()}"] if phrase else []
    if about:
        attributes.append("keywords=" + ",".join(_attribute_text(each) for each in about))
    if names := _entity_names(segment.lines, prompt.focus):
        relation = "涉及" if chinese else "involves"
        attributes.append(
            "entities=" + ",".join(f"{_attribute_text(name)}:{relation}" for name in names)
        )
    return f"[SEGMENT:{segment.first}-{last} {' '.join(attributes)}] {gist}"


def _entity_names(lines: Sequence[PromptLine], focus: Sequence[str]) -> tuple[str, ...]:
    """Return up to 4 names a segment speaks of: names in focus, titles, people and pets."""
    text = "\n".join(line.text for line in lines)
    own = "\n".join(line.text for line in lines if line.role == "user")
    found = [name for name in focus if name and name in text]
    found += _TITLE.findall(own)
    found += names_told(own)
    found += (name for name in _CAPITALISED.findall(own) if name.casefold() not in NO_NAMES)
    return tuple(dict.fromkeys(name for name in found if _attribute_text(name)))[:4]


def _attribute_text(text: str) -> str:
    """Return a text that fits into an attribute: without brackets, commas and equals signs."""
    return _MARKS.sub(" ", one_line(text)).strip()


_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+[。！？!?；;]*")

_CLAUSE: Final = re.compile(r"[^，,、]+[，,、]*")

_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")

_BRACKETS: Final = re.compile(r"[\[\]［］【】〔〕]")


def compressed_lines(prompt: Compress) -> str:
    """Return text, phrase and keywords, none longer than before; the text fits the target."""
    target = int(prompt.characters) if prompt.characters.isdecimal() else len(prompt.text)
    text = shorten(prompt.text, target)
    phrase = shorten(prompt.phrase, min(len(prompt.phrase), max(target, 1)))
    kept = [word for word in prompt.keywords if word.lower() in text.lower()]
    named = kept or list(prompt.keywords[: (len(prompt.keywords) + 1) // 2])
    return (
        f"[TEXT] {text}\n[PHRASE] {phrase}\n[KEYWORDS] {','.join(map(_without_brackets, named))}"
    )


def shorten(text: str, target: int) -> str:
    """Return at most ``target`` characters of ``text``: its most telling parts, in their order.

    The date at the beginning of an episode is kept if it takes at most half of the room.
    """
    text = _without_brackets_but_stamp(text)
    if len(text) <= target:
        return text
    stamp = found[0] if (found := _STAMP.match(text)) and 2 * len(found[0]) <= target else ""
    body = _STAMP.sub("", text)
    room = target - len(stamp)
    # Whole sentences if any fits, else whole clauses, else whole words.
    picked = _densest_parts(_SENTENCE.findall(body), room) or _densest_parts(
        _CLAUSE.findall(body), room
    )
    short = picked.strip().rstrip("，,、；;") or _clipped_at_word(body, room)
    return (stamp + short)[:target]


def _densest_parts(parts: list[str], room: int) -> str:
    """Return as many parts as fit, those with most content per character first, in order."""
    taken: set[int] = set()
    for index in sorted(range(len(parts)), key=lambda i: (-_density(parts[i]), i)):
        if sum(len(parts[i]) for i in taken) + len(parts[index]) <= room:
            taken.add(index)
    return "".join(parts[index] for index in sorted(taken))


def _density(part: str) -> float:
    # At most 4 characters a word count, so that a long address does not outweigh a sentence.
    return sum(min(len(word), 4) for word in words(part)) / max(len(part), 1)


def _clipped_at_word(text: str, room: int) -> str:
    """Return the whole words that fit, or the beginning of the first if not even that fits."""
    taken = ""
    for word in segmented_words(text):
        if len(taken) + len(word) > room:
            break
        taken += word
    return taken.strip() or text[:room].strip()


def _without_brackets(text: str) -> str:
    return _BRACKETS.sub("", one_line(text))


def _without_brackets_but_stamp(text: str) -> str:
    line = one_line(text)
    stamp = found[0] if (found := _STAMP.match(line)) else ""
    return stamp + _BRACKETS.sub("", line[len(stamp) :])
