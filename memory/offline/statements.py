"""Which clauses of a text claim something, and the rules that read a statement out of a clause.

Shared by both languages; their patterns are in :mod:`memory.offline.chinese` and
:mod:`memory.offline.english`. Questions, hypotheticals, quotations, role-play and asides claim
nothing and are left out: a fact missed costs little, a fact invented costs trust.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Kind, Sensitivity, Topic
from memory.offline.vocabulary import is_question
from memory.text.slot_cues import Slot
from prompts.rendering import plain

# What is longer was pasted, not said; only its beginning is read.
_LONGEST_READ: Final = 2_000

# A character for private use, which no keyboard types; it is taken out of the text first.
_QUOTE_MARK: Final = "\ue000"

_PASTED: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*[>＞|].*$", re.DOTALL | re.MULTILINE)

_ASIDE: Final = re.compile(r"（[^（）]*）|\([^()]*\)|【[^【】]*】|\*[^*\n]+\*")

QUOTED: Final = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’|\"[^\"\n]*\"")

# A full stop ends a sentence only before a capital, and not after a title: "3.5" and "Dr. Lee"
# stay whole.
_STOP: Final = re.compile(
    r"(?<=[a-z0-9][.])(?<!\bSt\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)\s+(?=[A-Z])"
    r"|\n+|(?<=[。！？!?；;…])"
)

# Words that turn a whole sentence into something not claimed: conditions, role-play, dreams,
# jokes, and what somebody else said.
_UNREAL: Final = re.compile(
    r"如果|要是|假如|假设|假装|万一|倘若|若是|的话|比方说我|角色扮演|扮演|演的|台词|歌词|小说里"
    r"|剧本(?!杀(?!里|中))|梦见|梦到|做了?个?梦"
    r"|开玩笑|骗你|逗你|才怪|我说过|他说|她说|有人说|说我|以为我|好像我|仿佛"
    r"|\b(?:if|unless|suppose|imagine|pretend|role-?play|just kidding|jk|lyrics?|dreamt|dreamed"
    r"|he says|she says|he said|she said|they say|as though|would)\b",
    re.IGNORECASE,
)

# Tags ask for confirmation, so the sentence is a question whatever stands before them.
_TAG: Final = re.compile(
    r"(?:^|[，,\s])(?:对吗|对吧|对不对|是吗|是吧|是不是|不是吗|好吗|记得吗|知道吗)[?？]*$"
    r"|\b(?:right|correct|isn't it|is it|is that|(?:do|don't|am|aren't) (?:I|you))\s*\?$",
    re.IGNORECASE,
)

# Unlike in memory.offline.utterances this judges one clause: the next one may still claim.
_ASKS: Final = re.compile(
    r"[?？]|[吗么]$|什么|怎么|怎样|如何|哪[里儿个些种位一]?|谁|多少|为什么|为啥|是不是|能不能"
    r"|有没有"
    r"|会不会|要不要|该不该|好不好|可不可以|(?<!我)还是|是否|几[个只岁点号次]"
    r"|^(?:who|what|when|where|why|how|which|do|does|did|is|are|can|could|should|will|have|has)\b",
    re.IGNORECASE,
)

_COMMA: Final = re.compile(
    r"[，,]\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+(?=I\b|I'|my\b|(?:work|live|study|teach)\b)|\s+-+\s+|——"
)


@dataclass(frozen=True, slots=True)
class StatedClause:
    """One clause that claims something, and the clauses of its sentence around it."""

    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


_GREETING: Final = re.compile(
    r"你好|您好|大家好|嗨|哈喽|认识|第一次|初次|\b(?:hi|hello|hey|meet|greetings|introduce)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """Return the sentences of what was said, without code, quoted lines and asides."""
    said = _ASIDE.sub(" ", _PASTED.sub("\n", plain(text[:_LONGEST_READ]).replace(_QUOTE_MARK, "")))
    return [part.strip() for part in _STOP.split(said) if part.strip()]


def asks(clause: str) -> bool:
    """Whether a clause asks rather than claims, also without a mark."""
    return _ASKS.search(clause) is not None or is_question(clause)


def is_greeting(sentence: str) -> bool:
    """Whether people are getting acquainted in the sentence."""
    return _GREETING.search(sentence) is not None


def is_unreal(sentence: str) -> bool:
    """Whether a sentence claims nothing: a condition, a role, a jest, or somebody else's words."""
    return bool(_UNREAL.search(sentence) or _TAG.search(sentence))


def stated_clauses(sentence: str) -> Iterator[StatedClause]:
    """Yield every clause of a sentence that claims something, in order."""
    if is_unreal(sentence):
        return
    held, quotes = _without_quotes(sentence.rstrip("。.！!；;…~～ "))
    cut = (_with_quotes(part, quotes).strip() for part in _COMMA.split(held))
    parts = [part for part in cut if part]
    for index, part in enumerate(parts):
        if not asks(part):
            yield StatedClause(part, tuple(parts[:index]), tuple(parts[index + 1 :]))


def _without_quotes(sentence: str) -> tuple[str, list[str]]:
    """Return the sentence with a mark for each quotation, and the quotations."""
    # So that nothing in a quotation counts as said, and no comma in it cuts a clause.
    quotes = QUOTED.findall(sentence)
    return QUOTED.sub(_QUOTE_MARK, sentence), quotes


def _with_quotes(part: str, quotes: list[str]) -> str:
    while _QUOTE_MARK in part and quotes:
        part = part.replace(_QUOTE_MARK, quotes.pop(0), 1)
    return part


def zone_of(at: datetime) -> ZoneInfo:
    """Return the zone of an instant; UTC where it has a bare offset only."""
    return at.tzinfo if isinstance(at.tzinfo, ZoneInfo) else ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementSort:
    """What a rule knows of the statements it finds; fields as in :class:`Statement`.

    ``tail`` matches a following clause that belongs to it (…，叫团子; …, such as jazz).
    """

    slot: Slot | None = None
    kind: Kind = Kind.FACT
    topic: Topic = Topic.PERSONAL
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False
    tail: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing a speaker says of themselves, in their own words with their name for "I".

    ``value`` is what is new in it (拉面 of 主人喜欢拉面). ``stopped``: something no longer holds;
    ``moved``: one thing took the place of another. ``confidence`` is 0 to 1.
    """

    text: str
    value: str
    slot: Slot | None
    kind: Kind
    topic: Topic = Topic.PERSONAL
    confidence: float = 0.9
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    stopped: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A regular expression over one whole clause, and what sort of statement such a clause is."""

    pattern: str
    sort: StatementSort

    def fullmatch(self, clause: str) -> re.Match[str] | None:
        """Match a whole clause."""
        # Compiled when first needed: all rules at import would slow down every command's start.
        return _compiled(self.pattern).fullmatch(clause)


def rules(
    sort: StatementSort, patterns: str, words: Mapping[str, str], anything: str
) -> tuple[Rule, ...]:
    """Return one rule for each line of ``patterns``.

    A line is a regular expression with three abbreviations: ``<…>`` encloses the value, a word in
    capitals stands for the alternatives ``words`` has under it, a dot for ``anything``.
    """
    return tuple(
        Rule(_written_out(line.strip(), words, anything), sort)
        for line in patterns.splitlines()
        if line.strip()
    )


def statement_by(rule: Rule, value: str, text: str) -> Statement:
    """Return the statement ``text``, found by ``rule``, whose new part is ``value``."""
    sort = rule.sort
    return Statement(
        text=text,
        value=value.strip(),
        slot=sort.slot,
        kind=sort.kind,
        topic=sort.topic,
        sensitivity=sort.sensitivity,
        stopped=sort.stopped,
        moved=sort.moved,
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _written_out(line: str, words: Mapping[str, str], anything: str) -> str:
    line = re.sub(r"(?<!\\)\.", lambda _: anything, line)
    line = re.sub("[A-Z_]{2,}", lambda name: f"(?:{words[name[0]]})", line)
    return re.sub("[<>]", lambda mark: "(?P<v>" if mark[0] == "<" else ")", line)
