"""Finding the sentence that answers a question, among what was said and what is known.

Every whole sentence at hand is weighed by the words it shares with the question, itself or in what
stands before it, and by whether it holds the kind of thing that is asked for.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Final, Literal

from memory.offline.questions import OF_ME, Question, is_of_another
from memory.offline.vocabulary import EN, ZH, is_question, one_form
from memory.text.dates import Span, date_spans
from memory.text.requests import asks_for_reminder
from memory.text.tokens import tokens
from prompts import PromptLine, PromptMemory

_I: Final = re.IGNORECASE

FADED: Final = "[曾记得]"
"""How the words of what is forgotten begin, but for a trace."""

ENOUGH: Final = 0.3
"""How likely a line must be to answer a question for it to be told as the answer."""

ENOUGH_OF_WORLD: Final = 0.6
"""The same where nothing says that the question is about what was lived or said."""

ENOUGH_SHARED: Final = 0.34
"""The share of a question's words that a fact must hold to answer it."""

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
    """One sentence that may be an answer: who said it and when, and its place in the line."""

    text: str
    role: Literal["user", "assistant"]
    at: datetime
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line that may hold an answer: how early recall had it, and how good its words were there.

    ``rank`` is 1 for the first memory recalled, ``found`` 1 for the first words it was found by.
    """

    said: PromptLine = field(kw_only=False)
    rank: float
    found: float
    past: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The best answer to a question, or the nearest thing to one.

    ``enough`` says which of the two it is, ``trust`` how likely, 0–1. ``second`` continues it. ``checks``: the question asks
    to have something confirmed; ``denies``: that it is not so.
    """

    best: Told
    enough: bool
    trust: float
    second: Told | None = None
    denies: bool = False
    checks: bool = False


def best_answer(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Answer | None:
    """Return what answers a question best; None if there is nothing near it at all."""
    lines = list(_lines(question, before, memories))
    if not lines:
        return None
    weighing = _Weighing(question, lines)
    place, sure = weighing.best_line()
    weighed = sorted(weighing.sentences(place), key=lambda each: -each[1])
    best, worth = weighed[0]
    kind = question.kinds[0] if question.kinds else None
    second = None
    if kind is not None and kind.whole:
        best = replace(best, text=lines[place].said.text)
    else:
        near = (told for told, other in weighed[1:] if other >= _SECOND * worth)
        second = next((told for told in near if kind is None or kind.holds.search(told.text)), None)
    fits = not question.kinds or question.checks or _fits(question, best, second)
    around = lines[max(place - 2, 0) : place + 1]
    if not any(question.may_be_of(each.said.text) for each in around):
        fits = False
    trust = weighing.trust(place, sure, fits=fits)
    if fits and not question.terms and question.kinds:
        # 我几岁: all that is asked for is the kind of thing.
        trust = max(trust, ENOUGH)
    return Answer(best, trust >= ENOUGH, trust, second, question.denies, question.checks)


def _fits(question: Question, best: Told, second: Told | None) -> bool:
    holds = question.kinds[0].holds
    if best.role == "user" and OF_ME.search(question.text) and not question.kin:
        clauses = [part for part in _CLAUSE_END.split(best.text) if holds.search(part)]
        # 我住哪 is not answered by 她住在绍兴.
        if clauses and all(map(is_of_another, clauses)):
            return False
    return holds.search(best.text + (second.text if second else "")) is not None


_SECOND: Final = 0.85
"""How good the next sentence of the same line must be, beside the best, to be told as well."""


def _lines(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[_Line]:
    """Yield the lines an answer may stand in, in the order of time."""
    seen: dict[tuple[datetime, str], _Line] = {}
    for line in before:
        seen[line.at, line.text] = _Line(line, rank=1.0, found=0.5)
    for place, memory in enumerate(memories):
        rank = 1 - place / max(len(memories), 1)
        quotes = [quote[:_TELLS_A_QUOTE] for quote in memory.quote.split(" … ") if quote]
        for line in memory.said or _quoted(memory):
            found = next((1 / (1 + n) for n, quote in enumerate(quotes) if quote in line.text), 0.0)
            held = _Line(line, rank=rank, found=found, past=memory.past)
            seen.setdefault((line.at, line.text), held)
    for each in sorted(seen.values(), key=lambda each: each.said.at):
        # What asks for a reminder tells her what to do, and nothing of what was asked.
        if (
            asks_for_reminder(each.said.text)
            and each.said.role == "user"
            and not _ASKS_DUTY.search(question.text)
        ):
            continue
        if not question.spans or _is_of(each.said, question, question.spans):
            yield each


def _is_of(line: PromptLine, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a line was said on a day that is asked about, or tells of it."""
    if any(span.start <= line.at < span.end for span in spans):
        return True
    return line.role == "user" and any(
        span.start < told.end and told.start < span.end
        for told in date_spans(line.text, line.at, question.zone)
        for span in spans
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
    """The weights of some lines, and of their sentences, as answers to one question."""

    def __init__(self, question: Question, lines: Sequence[_Line]) -> None:
        self._question = question
        self._lines = lines
        self._terms = one_form(question.terms)
        self._held = [one_form(tokens(each.said.text)) for each in lines]
        counts = Counter(term for held in self._held for term in held & self._terms)
        total = len(lines) + 1
        weights = {term: math.log(1 + total / (0.5 + counts[term])) for term in self._terms}
        known = [weights[term] for term in counts] or [1.0]
        usual = sum(known) / len(known)
        # A pair of characters across two words means nothing unless somebody wrote it so.
        self._meant = one_form(question.words)
        for term in self._terms - counts.keys():
            weights[term] = usual * _UNKNOWN if term in self._meant else 0.0
        whole = sum(weights.values()) or 1.0
        self._weights = {term: weight / whole for term, weight in weights.items()}
        self._unseen = len(self._meant - counts.keys()) / max(len(self._meant), 1)

    def _share(self, held: frozenset[str]) -> float:
        """Return the share of the question's words, by weight, that some words account for."""
        return sum(self._weights[term] for term in held & self._terms)

    def _near(self, place: int, *steps: int) -> frozenset[str]:
        """Return the words of the lines so many steps away that belong to the same talk."""
        at = self._lines[place].said.at
        others = (place + step for step in steps if 0 <= place + step < len(self._lines))
        return frozenset().union(
            *(self._held[x] for x in others if abs(self._lines[x].said.at - at) < _SAME_TALK)
        )

    def _shares(self, place: int) -> tuple[float, float, float]:
        """Return the share of a line itself, of what led to it, and of what came of it."""
        own = self._held[place]
        if self._question.checks:
            return self._share(own), 0.0, 0.0
        led = self._near(place, -2, -1)
        return (
            self._share(own),
            self._share(led - own),
            self._share(self._near(place, 1) - led - own),
        )

    def best_line(self) -> tuple[int, float]:
        """Return the place of the line that answers best, and how far it is before all others."""
        worth = [self._worth(place) for place in range(len(self._lines))]
        best = max(range(len(worth)), key=worth.__getitem__)
        rivals = sum(math.exp(_SHARPNESS * (each - worth[best])) for each in worth)
        return best, 1 / rivals

    def _worth(self, place: int) -> float:
        line = self._lines[place]
        own, led, after = self._shares(place)
        worth = own + _LED * led + _AFTER * after + _RANK * line.rank + _FOUND * line.found
        worth += _KIND * self._kind_worth(line.said.text)
        worth += _ROLE * self._role(line.said)
        worth += _NEW * min(len(self._held[place] - self._terms) / _TELLING, 1.0)
        if self._question.months:
            of_it = _is_of(line.said, self._question, self._question.months)
            worth += _MONTH if of_it else -_MONTH
        parts = sentences_of(line.said.text)
        if not any(map(states, parts)) or all(map(_ASIDE.search, parts)):
            worth -= _ASIDE_COSTS
        return worth - (_PAST if line.past else 0.0)

    def _kind_worth(self, text: str) -> float:
        """Return what it counts that a text holds the kinds of thing asked for."""
        kinds = enumerate(self._question.kinds[:_MOST_KINDS])
        return sum(kind.worth / (1 + n) for n, kind in kinds if kind.holds.search(text))

    def _role(self, line: PromptLine) -> float:
        """Return 1 if the question is after the words of who said a line, -1 if of the other's."""
        after = self._question.after
        return 0.0 if not after else 1.0 if line.role == after else -1.0

    def sentences(self, place: int) -> Iterator[tuple[Told, float]]:
        """Yield every sentence of a line with its weight."""
        line = self._lines[place].said
        for number, text in enumerate(sentences_of(line.text)):
            held = one_form(tokens(text))
            worth = self._share(held) + _KIND * self._kind_worth(text)
            worth += 0.2 * min(len(held - self._terms) / _TELLING, 1.0)
            if self._question.checks and OF_ME.search(text):
                worth += 0.2
            if not states(text):
                worth -= 0.4
            if _ASIDE.search(text):
                worth -= 0.55
            yield Told(text, line.role, line.at, number), worth

    def trust(self, place: int, sure: float, *, fits: bool) -> float:
        """Return how likely a line is to answer the question, from what speaks for it."""
        own, led, _ = self._shares(place)
        return sure


_SAME_TALK: Final = timedelta(hours=2)
"""Lines further apart than that do not belong together."""

_TELLS_A_QUOTE: Final = 30
"""So many characters tell whether a quotation is of a line."""

# What speaks for a line as an answer, in shares of the question's words. Fitted as a conditional
# logit on LoCoMo's first five people and the open ones of MemoryBank and LifeBench; rounded.
_SHARPNESS: Final = 3.6
_LED: Final = 0.8
_AFTER: Final = 0.35
_RANK: Final = 0.65
_FOUND: Final = 0.4
_KIND: Final = 1.15
_ROLE: Final = 0.43
_NEW: Final = 0.24
_MONTH: Final = 0.43
_ASIDE_COSTS: Final = 0.3
_PAST: Final = 0.15

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
