"""What a question asks: its terms, the times it means, the speakers it names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memory.recall.index import PassageIndex
from memory.text.cues import asks_how_many, asks_name, asks_when
from memory.text.dates import Span, date_spans
from memory.text.terms import terms
from memory.text.tokens import is_dense, normalized, single_words, tokens

_EARLIER: Final = 0.6
"""How much each earlier line of a question counts beside the line after it."""

_REPLY: Final = 0.5
"""How much a line of the assistant counts in a question that is itself a dialogue."""

_BY_CHARACTER: Final = 0.3
"""How much a term counts that shares no more than a character with the question."""

_MOST_BY_CHARACTER: Final = 64
_ASSISTANT: Final = re.compile(r"^\s*(?:assistant|ai|bot|小祥)\s*[:：]\s*", re.IGNORECASE)
_LOOSE: Final = re.compile("(?:周|星期|礼拜)[一二三四五六日天末]$")
_LOOSE_LENGTH: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question as search sees it. ``dense`` tells whether it is written without spaces."""

    text: str
    terms: Mapping[str, float]
    spans: tuple[Span, ...]
    speakers: tuple[str, ...]
    dense: bool
    when: bool
    how_many: bool
    who: bool


def understand(text: str, index: PassageIndex, now: datetime) -> Query:
    """Read a question, seen from ``now``.

    The names of speakers are taken out of the terms, and in Chinese the dates as well: they say
    who and when, and are searched as that. Of a dialogue the last lines and the partner's count
    most.
    """
    plain = normalized(text)
    named = tuple(name for name in index.speakers if _is_named(name, plain))
    spans = date_spans(text, now, index.zone)
    ignored = {token for name in named for token in tokens(name)}
    asked = _terms(_undated(text, spans), ignored) or _terms(text, ignored)
    return Query(
        text=text,
        terms=asked if _is_known(asked, index) else asked | _by_character(text, index),
        spans=_narrowest(spans),
        speakers=tuple(name for name in named if not _is_addressed(name, plain)),
        dense=is_dense(text),
        when=asks_when(text),
        how_many=asks_how_many(text),
        who=asks_name(text),
    )


def _is_named(name: str, plain: str) -> bool:
    """Tell whether a question names a speaker: whole, or a spaced name by its first word."""
    known = normalized(name)
    if known.isascii():
        first = known.split(" ", 1)[0]
        return bool(first) and re.search(rf"\b{re.escape(first)}\b", plain) is not None
    return known in plain


def _is_addressed(name: str, plain: str) -> bool:
    """Tell whether a question begins by calling someone: 小祥，… or Anna, …: it asks them."""
    called = re.escape(normalized(name))
    return (
        re.match(rf"\W*(?:hey|hi|嗨|喂)?\s*{called}\s*(?:[,，!！~:：、]|[你您])", plain)
        is not None
    )


def _terms(text: str, ignored: set[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    weight = 1.0
    for line in reversed([line for line in text.splitlines() if line.strip()]):
        said = _ASSISTANT.sub("", line)
        share = weight * (_REPLY if said != line else 1.0)
        for term, much in terms(said, ignored).items():
            found[term] = max(found.get(term, 0.0), share * much)
        weight *= _EARLIER
    return found


def _is_known(asked: Mapping[str, float], index: PassageIndex) -> bool:
    return any(index.words.idf(term) > 0.0 for term in asked)


def _by_character(text: str, index: PassageIndex) -> dict[str, float]:
    """Return the known terms that hold a word of one character of the question: 猫叫 for 猫.

    Segmentation joins such words to their neighbours; so where no term of a question is known at
    all, they are looked for inside those that are.
    """
    found = index.words.holding("".join(single_words(text)), _MOST_BY_CHARACTER)
    return dict.fromkeys(found, _BY_CHARACTER)


def _undated(text: str, spans: Sequence[Span]) -> str:
    if not is_dense(text):
        return text  # "one year ago" may stand in the text that is sought
    for span in spans:
        text = text.replace(span.words, " ", 1)
    return text


def _narrowest(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans that say most: of two, one in the other, the inner; no loose weekday.

    在2月份…情人节 means the 14th; 11月的周末 does not mean the coming weekend.
    """
    kept = [span for span in spans if not any(_inside(other, span) for other in spans)]
    firm = [s for s in kept if len(s.words) > _LOOSE_LENGTH or not _LOOSE.search(s.words)]
    return tuple(firm or kept)


def _inside(inner: Span, outer: Span) -> bool:
    shorter = inner.end - inner.start < outer.end - outer.start
    return shorter and outer.start <= inner.start and inner.end <= outer.end
