"""The lines an answer may stand in: the present talk, and what the memories at hand hold."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Final, Literal

from memory.offline.questions import Question, asks_what_was_asked, only_asks
from memory.offline.statements import STATEMENT_CHARACTERS
from memory.offline.vocabulary import EN, ZH
from memory.recall.said_around import SAID_SINCE
from memory.text.dates import Span, date_spans
from memory.text.requests import asks_for_reminder
from prompts import PromptLine, PromptMemory

FADED: Final = "[曾记得]"
"""How the words of what is forgotten begin, but for a trace."""


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence that may be an answer: who said it and when, and its place in the line."""

    text: str
    role: Literal["user", "assistant"]
    at: datetime
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line that may hold an answer: how early recall had it, and how good its words were there.

    ``rank`` is 1 for the first memory recalled, ``found`` 1 for the first words it was found by.
    What ``only_asks`` answers nothing, and says what the lines around it are about.
    """

    said: PromptLine = field(kw_only=False)
    rank: float
    found: float
    past: bool = False
    only_asks: bool = False


def lines_at_hand(
    question: Question, before: Sequence[PromptLine], memories: Sequence[PromptMemory]
) -> Iterator[Line]:
    """Yield the lines an answer may stand in, in the order of time."""
    seen: dict[tuple[datetime, str], Line] = {}
    for line in before:
        seen[line.at, line.text] = Line(line, rank=1.0, found=0.5)
    # What was said since is no other answer: it is told beside the one it may have changed.
    memories = [each for each in memories if each.reason != SAID_SINCE]
    for place, memory in enumerate(memories):
        rank = 1 - place / max(len(memories), 1)
        quotes = [quote[:_TELLS_A_QUOTE] for quote in memory.quote.split(" … ") if quote]
        if memory.tier not in {"episode", "diary"}:
            continue
        for line in memory.said or _quoted(memory):
            hits = (1 / (1 + n) for n, quote in enumerate(quotes) if quote in line.text)
            held = Line(line, rank=rank, found=next(hits, 0.0), past=memory.past)
            seen.setdefault((line.at, line.text), held)
    told = asks_what_was_asked(question.text)
    for each in sorted(seen.values(), key=lambda each: each.said.at):
        # What asks for a reminder tells her what to do, and nothing of what was asked.
        if (
            asks_for_reminder(each.said.text)
            and each.said.role == "user"
            and not _ASKS_DUTY.search(question.text)
        ):
            continue
        if not question.spans or is_of_time(each.said, question, question.spans):
            asks = each.said.role == "user" and not told and only_asks(each.said.text)
            yield replace(each, only_asks=asks)


def is_of_time(line: PromptLine, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a line was said on a day that is asked about, or tells of it."""
    if any(span.start <= line.at < span.end for span in spans):
        return True
    return line.role == "user" and names_day(line, question, spans)


def names_day(line: PromptLine, question: Question, spans: Sequence[Span]) -> bool:
    """Whether a line tells of one of these times, and not of weeks in which they lie."""
    told = date_spans(line.text, line.at, question.zone)
    return any(
        x.start < y.end and y.start < x.end and x.end - x.start <= max(y.end - y.start, _FEW_DAYS)
        for x in told
        for y in spans
    )


_FEW_DAYS: Final = timedelta(days=3)
"""Last weekend is of the Sunday asked about; "these days" are not."""


_ASKS_DUTY: Final = re.compile(
    r"提醒|安排|计划|要做|什么时候|几点|remind|plan|when|todo|to do|what time", re.IGNORECASE
)


def _quoted(memory: PromptMemory) -> Iterator[PromptLine]:
    if memory.tier not in {"episode", "diary"} or memory.text.startswith(FADED):
        return
    for quote in (memory.text,) if memory.tier == "diary" else memory.quote.split(" … "):
        yield PromptLine("user", memory.speaker, memory.when, quote)


def told_in_two(lines: Sequence[Line], place: int, other: int) -> bool:
    """Whether of two lines the later is what its speaker answered, asked about the earlier."""
    said, *between, then = (x.said for x in lines[min(place, other) : max(place, other) + 1])
    return (
        len(between) == 1
        and said.role == then.role != between[0].role
        and then.at - said.at < SAME_TALK
        and re.search("[?？]", between[0].text) is not None
    )


SAME_TALK: Final = timedelta(hours=2)
"""Lines further apart than that do not belong together."""

_TELLS_A_QUOTE: Final = 30
"""So many characters tell whether a quotation is of a line."""


def is_no_news(said: str) -> bool:
    """Whether a line of hers is an answer from memory, or one of the openings: no news."""
    if _FROM_MEMORY.match(said) or _BY_RULE.search(said):
        return True
    # "Of course." begins one of the openings, and much that tells something.
    least = len(said) / 2
    return any(len(fixed) >= least and fixed in said for fixed in _fixed_openings())


_BY_RULE: Final = re.compile(
    r"/(?:forget|undo)\b|^好，.{1,40}，我可以再提了|^好，改过来了：|^是哪件事呢|^是我说错了哪一句"
    r"|^All right, I (?:may mention|will not bring up) |^Thank you, I have put that right: "
    r"|^Of what\? |^Which part did I get wrong"
)
"""What she answers where a matter is let go or put right (``bot.texts.dialogue``)."""


@cache
def _fixed_openings() -> tuple[str, ...]:
    own = ((say.notice, say.about, say.pleased, say.called, say.clock) for say in (ZH, EN))
    pools = (*own, *(pool for say in (ZH, EN) for pool in say.openings.values()))
    parts = (max(re.split(r"\{\w+\}", text), key=len) for pool in pools for text in pool)
    return tuple(part for part in parts if len(part) > STATEMENT_CHARACTERS)


def _beginnings() -> Iterator[str]:
    for say in (ZH, EN):
        templates = (
            say.known, say.faded, say.nothing_then, say.nothing_yet, say.never,
            say.just_now, say.earlier, say.that_day, say.last_time, say.you_said, say.i_said,
            say.agrees, say.denies, say.two, say.unsure, say.not_known, say.let_go,
            say.reminded,
        )  # fmt: skip
        for template in templates:
            # What is filled in may be anything short: a day, a topic.
            yield re.sub(
                r"\\\{\w+\\\}", ".{0,40}?", re.escape(re.split(r"\{(?:what|one)\}", template)[0])
            )


_FROM_MEMORY: Final = re.compile(
    "|".join(each for each in _beginnings() if len(each.replace(".{0,40}?", "")) > 1),
    re.IGNORECASE,
)
