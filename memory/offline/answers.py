"""Finding the sentence that answers a question, among what was said and what is known.

Every whole sentence at hand is weighed by the words it shares with the question, itself or in what
stands before it, and by whether it holds the kind of thing that is asked for.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final, Literal

from memory.offline.questions import OF_ME, Question
from memory.offline.vocabulary import EN, ZH, is_question
from memory.text.dates import date_spans
from memory.text.requests import asks_for_reminder
from memory.text.tokens import tokens
from prompts import PromptLine, PromptMemory

_I: Final = re.IGNORECASE

FADED: Final = "[曾记得]"
"""How the words of what is forgotten begin, but for a trace."""

ENOUGH: Final = 0.34
"""The share of a question's words, by weight, that an answer must account for."""

ENOUGH_OF_WORLD: Final = 0.6
"""The same where nothing says that the question is about what was lived or said."""

_LONGEST: Final = 240
"""A longer sentence is a list or was pasted; it is told up to a clause."""

_SENTENCE: Final = re.compile(
    r"[^。！？!?\n]+?(?:[。！？!?]+[”’」』\"]?|(?<=[a-z0-9)\"'’”])\.(?=\s+[A-Z\"“])|$)", re.DOTALL
)

_ASIDE: Final = re.compile(
    r"\b(?:do|did|can|could|have|would) you\b.*\?|^(?:hi|hello|hey|sure|of course|thank|okay|ok)\b"
    r"|^(?:你好|您好|嗨|好的|不用谢|不客气|当然)[^《“]{0,14}$|^(?:嗯|恩|好的)?[，,]?谢谢|我会(?:去"
    r"|试着)?(?:尝试|试试|考虑)"
    r"|\bI(?:'ll| will) (?:try|consider|check|follow|take a look)\b|\bthank you for\b",
    _I,
)


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that may be an answer: who said it and when, and the line it stands in."""

    text: str
    role: Literal["user", "assistant"]
    at: datetime
    line: int
    past: bool = False
    rank: float = 0.0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The best answer to a question, or the nearest thing to one.

    ``enough`` says which of the two it is. ``second`` continues it. ``checks``: the question asks
    to have something confirmed; ``denies``: that it is not so.
    """

    best: Told
    enough: bool
    share: float
    second: Told | None = None
    denies: bool = False
    checks: bool = False


def best_answer(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Answer | None:
    """Return what answers a question best; None if there is nothing near it at all."""
    lines = list(_lines(question, before, memories))
    weighed = sorted(_Weighing(question, lines).all(), key=lambda each: -each[1])
    if not weighed:
        return None
    best, worth, share = weighed[0]
    if (not share or not question.terms) and question.kinds and _fits(question, best, None):
        # 我几岁: all that is asked for is the kind of thing.
        share = ENOUGH
    kind = question.kinds[0] if question.kinds else None
    if kind is not None and kind.whole:
        best, second = replace(best, text=lines[best.line][0].text), None
    else:
        near = (
            x for x, other, _ in weighed[1:] if x.line == best.line and other >= _SECOND * worth
        )
        second = next((x for x in near if kind is None or kind.holds.search(x.text)), None)
    around = lines[max(best.line - 2, 0) : best.line + 1]
    if not any(question.may_be_of(line.text) for line, _, _ in around):
        share = min(share, _NOT_THE_KIND)
    if question.kinds and not _fits(question, best, second) and not question.checks:
        # It is about the matter, and does not hold what was asked for.
        share = min(share, _NOT_THE_KIND)
    return Answer(best, share >= ENOUGH, share, second, question.denies, question.checks)


def _fits(question: Question, best: Told, second: Told | None) -> bool:
    text = best.text + (second.text if second else "")
    return question.kinds[0].holds.search(text) is not None


_NOT_THE_KIND: Final = 0.3
"""The most share a sentence may have that does not hold the kind of thing asked for."""


_SECOND: Final = 0.85
"""How good the next sentence of the same line must be, beside the best, to be told as well."""


def _lines(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[tuple[PromptLine, bool, float]]:
    """Yield the lines an answer may stand in, in the order of time, whether past, and a rank."""
    seen: dict[tuple[datetime, str], tuple[PromptLine, bool, float]] = {}
    for line in before:
        seen[line.at, line.text] = (line, False, 1.0)
    for place, memory in enumerate(memories):
        rank = 1 - place / max(len(memories), 1)
        for line in memory.said or _quoted(memory):
            seen.setdefault((line.at, line.text), (line, memory.past, rank))
    spans = question.spans
    for line, past, rank in sorted(seen.values(), key=lambda each: each[0].at):
        # What asks for a reminder tells her what to do, and nothing of what was asked.
        if (
            asks_for_reminder(line.text)
            and line.role == "user"
            and not _ASKS_DUTY.search(question.text)
        ):
            continue
        if not spans or _is_of(line, question):
            yield line, past, rank


def _is_of(line: PromptLine, question: Question) -> bool:
    """Whether a line was said on a day that is asked about, or tells of it."""
    if any(span.start <= line.at < span.end for span in question.spans):
        return True
    return line.role == "user" and any(
        span.start < told.end and told.start < span.end
        for told in date_spans(line.text, line.at, question.zone)
        for span in question.spans
    )


_ASKS_DUTY: Final = re.compile(
    r"提醒|安排|计划|要做|什么时候|几点|remind|plan|when|todo|to do|what time", re.IGNORECASE
)


def _quoted(memory: PromptMemory) -> Iterator[PromptLine]:
    """Yield what a prompt quotes of a memory whose lines are not at hand."""
    if memory.tier not in {"episode", "diary"} or memory.text.startswith(FADED):
        return
    for quote in (memory.text,) if memory.tier == "diary" else memory.quote.split(" … "):
        yield PromptLine("user", memory.speaker, memory.when, quote)


class _Weighing:
    """The weights of the sentences of some lines as answers to one question."""

    def __init__(
        self, question: Question, lines: Sequence[tuple[PromptLine, bool, float]]
    ) -> None:
        self._question = question
        self._lines = lines
        self._held = [frozenset(tokens(line.text)) for line, _, _ in lines]
        counts = Counter(term for held in self._held for term in held & question.terms)
        total = len(lines) + 1
        self._weights = {
            term: math.log(1 + total / (0.5 + counts[term])) for term in question.terms
        }
        known = [self._weights[term] for term in counts] or [1.0]
        usual = sum(known) / len(known)
        # A pair of characters across two words means nothing unless somebody wrote it so.
        meant = question.words
        for term in question.terms - counts.keys():
            self._weights[term] = usual * _UNKNOWN if term in meant else 0.0

    def _shares(self, place: int) -> Iterator[tuple[frozenset[str], float]]:
        """Yield what a line's surroundings hold, and how much of a share that counts.

        What answers a question stands right after it, and after what is spoken of.
        """
        if self._question.checks:
            return
        yield self._held[place], _SAME_LINE
        for back in (1, 2):
            if place >= back:
                asked = back == 1 and is_question(self._lines[place - 1][0].text)
                yield self._held[place - back], _ANSWERS if asked else _AFTER
        if place + 1 < len(self._held):
            yield self._held[place + 1], _BEFORE

    def all(self) -> Iterator[tuple[Told, float, float]]:
        """Yield every sentence with its weight and the share of the question it accounts for."""
        whole = sum(self._weights.values()) or 1.0
        for place, (line, past, rank) in enumerate(self._lines):
            around = list(self._shares(place))
            for number, text in enumerate(sentences_of(line.text)):
                told = Told(text, line.role, line.at, place, past, rank, number)
                own = frozenset(tokens(text))
                share = sum(
                    weight
                    * max((1.0 if term in own else 0.0, *(f for h, f in around if term in h)))
                    for term, weight in self._weights.items()
                )
                share = share / whole if self._weights else _NO_WORDS
                if self._question.spans:
                    share = min(share + _OF_THE_DAY, 1.0)
                yield told, share + self._fitness(told), share

    def _fitness(self, told: Told) -> float:
        """Return what speaks for and against a sentence besides the words it shares."""
        worth = 0.08 * told.rank
        for place, kind in enumerate(self._question.kinds[:_MOST_KINDS]):
            if kind.holds.search(told.text):
                worth += kind.worth / (1 + place)
        if self._question.after:
            worth += 0.3 if told.role == self._question.after else -0.3
        new = len(frozenset(tokens(told.text)) - self._question.terms)
        worth += 0.2 * min(new / _TELLING, 1.0)
        if self._question.checks and OF_ME.search(told.text):
            worth += 0.2
        if not states(told.text):
            worth -= 0.4
        if _ASIDE.search(told.text):
            worth -= 0.55
        return worth - (0.15 if told.past else 0.0)


_SAME_LINE: Final = 0.7
_ANSWERS: Final = 0.95
_AFTER: Final = 0.7
_BEFORE: Final = 0.45

_OF_THE_DAY: Final = 0.25
"""What it counts, as a share of the question, to be of the very day that is asked about."""

_NO_WORDS: Final = 0.3
"""The share where a question has no word of its own."""

_MOST_KINDS: Final = 3

_TELLING: Final = 8
"""So many words that the question has not got make a sentence tell as much as one can."""

_UNKNOWN: Final = 0.6
"""What a word that nobody said counts, beside the usual one: people ask in words of their own."""


def sentences_of(line: str) -> list[str]:
    """Return the whole sentences of a line."""
    found = [each.strip() for each in _SENTENCE.findall(line) if each.strip()]
    return found or [line]


_CLAUSE_END: Final = re.compile(r"(?<=[，。！？；,.!?;])")

_STATEMENT_CHARACTERS: Final = 5


def states(text: str) -> bool:
    """Whether words state something, though they may end in a question."""
    if not is_question(text):
        return True
    parts = _CLAUSE_END.split(text)
    return any(len(part) > _STATEMENT_CHARACTERS and not is_question(part) for part in parts)


_ASKS_BACK: Final = re.compile(
    r"还?记得|曾经|那天|告诉过|推荐过|(?<!听)说过|聊过|\b(?:remember|did (?:i|we|you)"
    r"|once|told)\b",
    _I,
)


def only_asks(line: str) -> bool:
    """Whether a line of the partner's asks for what was, or nothing but asks: it is no news."""
    return (is_question(line) and _ASKS_BACK.search(line) is not None) or not any(
        map(states, sentences_of(line))
    )


def told_whole(text: str) -> str:
    """Return a sentence as it is told: whole, unless it is very long, then up to a clause."""
    if len(text) <= _LONGEST:
        return text
    cut = max(text.rfind(mark, 0, _LONGEST) for mark in "，,；;、")
    return f"{text[: cut if cut > 0 else _LONGEST]}…"


def is_no_news(said: str) -> bool:
    """Whether a line of hers is an answer from memory, or one of the openings: no news."""
    if _FROM_MEMORY.match(said):
        return True
    return len(said) <= _LONGEST and any(fixed in said for fixed in _fixed_openings())


@cache
def _fixed_openings() -> tuple[str, ...]:
    own = ((say.notice, say.about, say.greeting, say.pleased, say.clock) for say in (ZH, EN))
    pools = (*own, *(pool for say in (ZH, EN) for pool in say.openings.values()))
    parts = (max(re.split(r"\{\w+\}", text), key=len) for pool in pools for text in pool)
    return tuple(part for part in parts if len(part) > _STATEMENT_CHARACTERS)


def _beginnings() -> Iterator[str]:
    for say in (ZH, EN):
        templates = (
            say.known, say.faded, say.nothing_known, say.nothing_then, say.nothing_yet, say.never,
            say.just_now, say.earlier, say.that_day, say.last_time, say.you_said, say.i_said,
            say.agrees, say.denies, say.not_known, say.let_go, say.cannot, say.reminded,
        )  # fmt: skip
        for template in templates:
            # What is filled in may be anything short: a day, a topic.
            yield re.sub(r"\\\{\w+\\\}", ".{0,40}?", re.escape(template.split("{what}")[0]))


_FROM_MEMORY: Final = re.compile(
    "|".join(each for each in _beginnings() if len(each.replace(".{0,40}?", "")) > 1), _I
)
