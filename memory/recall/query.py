"""What a question asks: its weighted terms, the times it means, the speakers it names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from memory.recall.index import PassageIndex, speaks
from memory.recall.query_terms import (
    meaningful_characters,
    near_words,
    share_listed,
    term_weights,
    without_everyday_words,
)
from memory.text.bm25 import Bm25
from memory.text.dates import Span, date_spans
from memory.text.matters import ASKED, likely_matters
from memory.text.tokens import (
    as_mandarin,
    ends_as_question,
    is_atomic,
    is_dense,
    normalized,
    single_words,
    tokens,
)

_EARLIER_LINE_WEIGHT: Final = 0.6
"""How much each earlier line of a question counts beside the line after it."""

_ESSAY_CHARACTERS: Final = 400
"""A message that long is about all of its lines; a shorter one is the less."""

_ASSISTANT_LINE_WEIGHT: Final = 0.5  # in a question that is itself a dialogue
_BY_CHARACTER_WEIGHT: Final = 0.3
"""How much a term counts that shares no more than a character with the question."""
_MOST_BY_CHARACTER: Final = 64

_ASSISTANT_PREFIX: Final = re.compile(r"^\s*(?:assistant|ai|bot|小祥)\s*[:：]\s*", re.IGNORECASE)

_VAGUE_DATE: Final = re.compile(
    "(?:周|星期|礼拜)[一二三四五六日天末]|最近|近期|近来|这阵子|这段时间|前段时间|前阵子"
)

_CURRENT_PERIOD: Final = re.compile("[今本这当]|this", re.IGNORECASE)

_TERMS_TOLD: Final = 6.0
"""A line of fewer terms is, by their share, something looked for: a name, a keyword."""

_ONE_WEEK: Final = timedelta(days=7)
_ONE_SECOND: Final = timedelta(seconds=1)

_BEGUN_SHARE: Final = 0.25
"""Share of a month or a season that must have gone by before its name surely means this year's."""


_TIME_QUESTION: Final = re.compile(
    r"\bwhen\b|\bwhat (?:time|date|day|year|month)|\bhow long|\bwhich (?:year|month|day)"
    r"|什么时候|哪一?[天年月日]|几[月号点]|何时|多久|日期|时间",
    re.IGNORECASE,
)
_NUMBER_QUESTION: Final = re.compile(
    r"\bhow (?:many|much|often|old)\b|多少|几[个次只天年月家本位条岁]", re.IGNORECASE
)
_NAME_QUESTION: Final = re.compile(
    r"\b(?:who|where|which|whose|name|what (?:book|movie|city|country|place|game|song|band"
    r"|company))\b|谁|哪[里儿个家些位本部座种]|什么名|叫什么|名字|书名",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as search sees it. ``dense`` tells whether it is written without spaces.

    ``asking`` is how much of it asks or only names what is looked for, 0 (all is told) to 1;
    ``broad`` is how much it speaks of a matter of many words without asking, 0 to 1.
    ``pieces`` are its smallest parts: characters, stems; ``matters`` what it may be about.
    """

    text: str
    now: datetime
    terms: Mapping[str, float]
    pieces: Mapping[str, float]
    spans: tuple[Span, ...]
    speakers: tuple[str, ...]
    dense: bool
    asking: float
    broad: float
    wants_time: bool
    wants_number: bool
    wants_name: bool
    matters: Mapping[int, float]

    @property
    def times_asked_about(self) -> tuple[Span, ...]:
        """Return the times that what is looked for was told at.

        A line that only tells says when something happens: what it reminds of has other dates.
        """
        return self.spans if self.asking > 0.0 else ()


class TalkLine(NamedTuple):
    """A line of the talk so far, and whether the assistant said it."""

    text: str
    assistant: bool = False


def parse_query(
    text: str, index: PassageIndex, now: datetime, context: Sequence[TalkLine] = ()
) -> Query:
    """Read a question or a statement, seen from ``now``; ``context`` was said just before.

    The names of speakers are taken out of the terms, in Chinese the dates instead: they say who or
    when, and are searched as that. Of a dialogue the last lines and the partner's count most.
    """
    dense = is_dense(text)
    plain, read = normalized(text), as_mandarin(text)
    named = tuple(n for n in sorted(index.speakers) if _is_named(n, plain) and speaks(n, index))
    spans = _spans_asked_about(text, now, index)
    ignored = set() if dense else {token for name in named for token in tokens(name)}
    asked_for = _without_dates(text, spans) if dense else text  # "a year ago" may be what was said
    asked = _weighted_terms(asked_for, ignored) or _weighted_terms(text, ignored)
    asks = share_asked(text)
    broad = (1.0 - asks) * min(len(asked) / _TERMS_TOLD, 1.0)
    told = broad * (1.0 - share_listed(text, index.words))
    asked = _most_telling(without_everyday_words(asked, told), index.words, MOST_TERMS)
    near = _near_terms(asked, index)
    around = near | _terms_of_context(context, asked, index, told)
    return Query(
        text=text,
        now=now,
        terms=around
        | (
            asked
            if _has_known_term(asked | around, index)
            else asked | _known_terms_by_character(text, index)
        ),
        pieces=_pieces_of_context(context, index)
        | {term: much for term, much in around.items() if is_atomic(term)}
        | _weighted_pieces(asked_for, asked),
        spans=spans,
        speakers=tuple(name for name in named if not _is_addressed(name, plain)),
        dense=dense,
        asking=1.0 - told,
        broad=broad,
        wants_time=asks_when(read),
        wants_number=asks_how_many(read),
        wants_name=asks_name(read),
        matters=likely_matters(text, ASKED) if asks > 0.0 else {},
    )


CONTEXT_DECAY: Final = 0.9
"""How much less each line of the talk counts than the line after it."""

CONTEXT_ASSISTANT: Final = 0.6
"""How much a line of the assistant counts in the talk beside one of the partner."""

MOST_TERMS: Final = 48
"""How many terms of a line are searched at most: the most telling of an essay say what it says."""

CONTEXT_TERMS: Final = 16
"""How many terms the talk adds at most to those of the line: the most telling."""

_CONTEXT_CHARACTERS: Final = 64  # each tells less than a word, and costs less

_CONTEXT_CHARACTER_SHARE: Final = 0.5
"""How much a character of the talk counts beside one of the line: its word counts already."""

_CONTEXT_LINES: Final = 8


def _lines_of_context(context: Sequence[TalkLine]) -> Iterator[tuple[str, float]]:
    """Yield the last lines of the talk, last first, and how much each counts."""
    weight = 1.0
    for line in reversed(context[-_CONTEXT_LINES:]):
        weight *= CONTEXT_DECAY
        yield line.text[:_LONGEST_LINE], weight * (CONTEXT_ASSISTANT if line.assistant else 1.0)


_LONGEST_LINE: Final = 1_000


def _terms_of_context(
    context: Sequence[TalkLine], asked: Mapping[str, float], index: PassageIndex, told: float
) -> dict[str, float]:
    """Return the most telling terms of the talk that the line does not have itself.

    ``told`` is how much of the line tells and does not ask.
    """
    found: dict[str, float] = {}
    for said, share in _lines_of_context(context):
        for term, much in _terms_of_line(said).items():
            if term not in asked:
                found[term] = _said_again(found.get(term, 0.0), share * much)
    return _most_telling(without_everyday_words(found, told), index.words, CONTEXT_TERMS)


# Of the lines a turn looks back at, all but two were looked at by the turn before.
_terms_of_line: Final = lru_cache(maxsize=64)(term_weights)
_characters_of_line: Final = lru_cache(maxsize=64)(meaningful_characters)


NEAR_SHARE: Final = 0.4
"""How much a word counts that people say for one that is asked for, and no more than that one
tells: a rare word beside a common one is another matter."""

_UNSAID_SHARE: Final = 0.6
"""The same where the memory has the word that is asked for nowhere."""

_NEAR_TERMS: Final = 8
"""How many such words a line adds at most: the most telling."""


def _near_terms(asked: Mapping[str, float], index: PassageIndex) -> dict[str, float]:
    """Return what people say for the words that are asked for."""
    found: dict[str, float] = {}
    for term, much in asked.items():
        telling = index.words.idf(term)
        for other in near_words(term):
            rarity = index.words.idf(other)
            if other not in asked and rarity > 0.0:
                alike = NEAR_SHARE * min(telling / rarity, 1.0) if telling else _UNSAID_SHARE
                found[other] = max(found.get(other, 0.0), alike * much)
    return _most_telling(found, index.words, _NEAR_TERMS)


def _most_telling(found: Mapping[str, float], index: Bm25, most: int) -> dict[str, float]:
    """Return the terms that tell most in an index, by weight and rarity, if they are too many."""
    if len(found) <= most:
        return dict(found)
    rare = map(index.idf, found)
    telling = [(-much * idf, term) for (term, much), idf in zip(found.items(), rare, strict=True)]
    return {term: found[term] for much, term in sorted(telling)[:most] if much < 0.0}


def _pieces_of_context(context: Sequence[TalkLine], index: PassageIndex) -> dict[str, float]:
    found: dict[str, float] = {}
    for said, share in _lines_of_context(context):
        for one in () if said.isascii() else _characters_of_line(said):
            found[one] = _said_again(found.get(one, 0.0), share)
    kept = _most_telling(found, index.characters, _CONTEXT_CHARACTERS)
    return {one: _CONTEXT_CHARACTER_SHARE * much for one, much in kept.items()}


def _said_again(before: float, now: float) -> float:
    """Return how much counts what several lines say: more than in one, never more than 1."""
    return 1.0 - (1.0 - before) * (1.0 - now)


_SENTENCES: Final = re.compile(r"[^。！？!?\n.]+[。！？!?.\n]*")


@lru_cache(maxsize=256)  # of a line four rules ask it, of a passage each search that finds it
def share_asked(text: str) -> float:
    """Return the share of a text that stands in sentences that ask, 0..1, by its characters."""
    read = as_mandarin(text[:_LONGEST_LINE])
    sentences = [each for each in _SENTENCES.findall(read) if each.strip()]
    asked = sum(len(each) for each in sentences if ends_as_question(each) or asks_anything(each))
    return asked / max(sum(map(len, sentences)), 1)


_ASKS: Final = re.compile(
    r"^\W*(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|do|does|did|has|have|had"
    r"|can|could|would|will|tell me"
    r"|qué|quién|cómo|cuándo|cuánt[oa]s?|dónde|comment|pourquoi|quand|combien|où|wann|warum|wer|wo"
    r"|quando|quanto|dove|onde)\b|[¿谁啥咋哪]|什么|多少|几[个次天年月点]|怎[么样]|如何|为何"
    r"|何时|是否|是不是|有没有|请(?:问|描述|列举|说明|说出|回忆)",
    re.IGNORECASE,
)


def asks_anything(sentence: str) -> bool:
    """Tell whether a sentence is built like a question, whatever mark it ends with."""
    return _ASKS.search(sentence) is not None


def _is_named(name: str, plain: str) -> bool:
    """Tell whether a question names a speaker: whole, or a spaced name by its first word."""
    known = _normalized_name(name)
    if known.isascii():
        first = known.split(" ", 1)[0]
        return (
            first != ""
            and first in plain
            and re.search(rf"\b{re.escape(first)}\b", plain) is not None
        )
    return known in plain


@lru_cache(maxsize=1 << 12)
def _normalized_name(name: str) -> str:
    return normalized(name)


def _is_addressed(name: str, plain: str) -> bool:
    """Tell whether a question begins by calling someone: 小祥，… or Anna, …: it asks them."""
    called = re.escape(normalized(name))
    return (
        re.match(rf"\W*(?:hey|hi|嗨|喂)?\s*{called}\s*(?:[,，!！~:：、]|[你您])", plain)
        is not None
    )


def _weighted_terms(text: str, ignored: set[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for said, share in _weighted_lines(text):
        for term, much in term_weights(said, ignored).items():
            found[term] = max(found.get(term, 0.0), share * much)
    return found


def _weighted_pieces(text: str, asked: Mapping[str, float]) -> dict[str, float]:
    found = {term: much for term, much in asked.items() if is_atomic(term)}
    for said, share in _weighted_lines(text):
        for character in meaningful_characters(said):
            found[character] = max(found.get(character, 0.0), share)
    return found


def _weighted_lines(text: str) -> Iterator[tuple[str, float]]:
    """Yield the lines of a question, last first, and how much each counts."""
    weight = 1.0
    lines = [line for line in text.splitlines() if line.strip()]
    is_dialogue = any(map(_ASSISTANT_PREFIX.match, lines))
    least = 0.0 if is_dialogue else min(len(text) / _ESSAY_CHARACTERS, 1.0)
    for line in reversed(lines):
        said = _ASSISTANT_PREFIX.sub("", line)
        yield said, weight * (_ASSISTANT_LINE_WEIGHT if said != line else 1.0)
        weight = max(weight * _EARLIER_LINE_WEIGHT, least)


def _has_known_term(asked: Mapping[str, float], index: PassageIndex) -> bool:
    return any(index.words.idf(term) > 0.0 for term in asked)


def _known_terms_by_character(text: str, index: PassageIndex) -> dict[str, float]:
    """Return the known terms that hold a word of one character of the question: 猫叫 for 猫.

    Segmentation joins such words to their neighbours; so where no term of a question is known at
    all, they are looked for inside those that are.
    """
    found = index.words.tokens_with("".join(single_words(text)), _MOST_BY_CHARACTER)
    return dict.fromkeys(found, _BY_CHARACTER_WEIGHT)


def _without_dates(text: str, spans: Sequence[Span]) -> str:
    for span in spans:
        text = text.replace(span.words, " ", 1)
    return text


def _spans_asked_about(text: str, now: datetime, index: PassageIndex) -> tuple[Span, ...]:
    """Return the times a question can be about: what is yet to come was not told from there.

    Asked in the first days of what recurs every year, it may mean that or the one before.
    """
    named = [span for span in date_spans(text, now, index.zone) if span.start <= now]
    for span in tuple(named):
        begun = now - span.start < _BEGUN_SHARE * (span.end - span.start)
        if begun and span.end - span.start > _ONE_WEEK and not _CURRENT_PERIOD.search(span.words):
            before = date_spans(text, span.start - _ONE_SECOND, index.zone)
            named += [s for s in before if s.words == span.words and s.end <= span.start]
    return _narrowest_spans(named)


def _narrowest_spans(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans that say most: of two, one in the other, the inner; nothing loose.

    在2月份…情人节 means the 14th; 11月的周末 does not mean the coming weekend, nor does what 最近
    happened in 3月 mean the last weeks.
    """
    kept = [span for span in spans if not any(_is_inside(other, span) for other in spans)]
    return tuple([span for span in kept if not _VAGUE_DATE.fullmatch(span.words)] or kept)


def _is_inside(inner: Span, outer: Span) -> bool:
    shorter = inner.end - inner.start < outer.end - outer.start
    return shorter and outer.start <= inner.start and inner.end <= outer.end


def asks_when(text: str) -> bool:
    """Tell whether a question asks for a time."""
    return _TIME_QUESTION.search(text) is not None


def asks_how_many(text: str) -> bool:
    """Tell whether a question asks for a number."""
    return _NUMBER_QUESTION.search(text) is not None


def asks_name(text: str) -> bool:
    """Tell whether a question asks for the name of a person, a thing or a place."""
    return _NAME_QUESTION.search(text) is not None
