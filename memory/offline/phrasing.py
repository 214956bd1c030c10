"""Which memories a rule-based reply is about, and the wording of dates and quotations."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.offline.english import to_second_person
from memory.offline.statements import zone_of
from memory.offline.summaries import topic_words
from memory.offline.vocabulary import EN, Sayings, asked_words, is_question, match_terms
from memory.text.dates import Span
from prompts import PromptLine, PromptMemory, Reply
from prompts.rendering import one_line

MOST_MEMORIES_TOLD: Final = 3

_CLEARLY_RELATED: Final = 2
"""How many words a memory must share to be brought up unasked: one may be chance."""

_CLAUSE_END: Final = re.compile(r"(?<=[，。！？；,.!?;])")

_STATEMENT_CHARACTERS: Final = 8

# The usual questions and what an answer must contain: 我住在哪里 shares no word with 搬到上海.
_KINDS_OF_QUESTION: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(question, re.IGNORECASE), re.compile(answer, re.IGNORECASE))
    for question, answer in (
        (r"我(?:叫|的名字|姓)|我是谁|who am i|my name", r"叫|名字|姓|^.{0,4}是[一-鿿]{2,3}$|name"),
        (r"我.{0,6}住|where (?:do|did) i (?:use to )?live", r"住|搬|租|家在|liv|moved|house|flat"),
        (r"我.{0,4}(?:几岁|多大|年纪)|how old am i", r"岁|years old"),
        (
            r"我.{0,6}(?:工作|职业|做什么的|上班)|what do i do|my job|where (?:do|did) i work",
            r"工作|上班|职业|辞|离职|失业|是.*[师生员]|work|job|retired|laid off",
        ),
        (r"生日|birthday", r"生日|birthday"),
        (r"我.{0,6}(?:猫|狗|宠物)|my (?:cat|dog|pet)", r"猫|狗|养|cat|dog|pet"),
        (
            r"(?:不喜欢|讨厌)|(?:dislike|hate|don't like)",
            r"不喜欢|讨厌|不吃|不爱|dislike|hate|n't like",
        ),
        (
            r"喜欢|爱好|爱[吃喝听看玩]|what do i (?:like|love|enjoy)|hobb",
            r"喜欢|爱|like|love|enjoy|hobb",
        ),
        (r"过敏|allerg", r"过敏|allerg"),
    )
)


_ASKS_FORMER: Final = re.compile(
    r"以前|之前|从前|原来|used? to\b|\bdid i\b|formerly|before", re.IGNORECASE
)


def relevant_memories(prompt: Reply, asked: str) -> list[PromptMemory]:
    """Return up to three memories that answer a question, best first."""
    # The partner's name stands in nearly every memory and tells none from another.
    wanted = match_terms(asked) - {prompt.partner}
    answer = _answer_pattern(asked)
    facts = (m for m in prompt.memories if m.tier != "episode")
    fitting = [m for m in facts if answer and answer.search(m.text)]
    return _by_relevance(
        fitting or [m for m in prompt.memories if wanted & _memory_terms(m)],
        wanted,
        former=_ASKS_FORMER.search(asked) is not None,
    )


def may_answer(line: str, asked: str) -> bool:
    """Whether a line may answer a question: it fits the kind of question, or shares a word."""
    answer = _answer_pattern(asked)
    return bool(answer and answer.search(line)) or bool(asked_words(line) & asked_words(asked))


def related_memories(prompt: Reply, said: str) -> list[PromptMemory]:
    """Return up to three memories clearly related to what was said, best first."""
    wanted = asked_words(said) - {prompt.partner}
    close = [
        m
        for m in prompt.memories
        if len(wanted & asked_words(f"{m.text} {m.quote}")) >= _CLEARLY_RELATED
    ]
    return _by_relevance(close, wanted)


def _answer_pattern(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a usual question must contain; None for any other question."""
    return next((answer for kind, answer in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _by_relevance(
    memories: Sequence[PromptMemory], wanted: frozenset[str], *, former: bool = False
) -> list[PromptMemory]:
    """Return the best three: what holds, then statements, then most words shared, come first.

    Asked for ``former`` times, what no longer holds comes first.
    """
    return sorted(
        memories,
        key=lambda m: (
            m.past is not former,
            not _is_statement(best_quote(m)),
            -len(wanted & _memory_terms(m)),
        ),
    )[:MOST_MEMORIES_TOLD]


def best_quote(memory: PromptMemory) -> str:
    """Return the first quotation of a memory that states something, else the first."""
    # The injector joins them like this, the best first.
    quotes = memory.quote.split(" … ")
    return next((quote for quote in quotes if _is_statement(quote)), quotes[0])


def _is_statement(quote: str) -> bool:
    """Whether words state something, though they may end in a question."""
    parts = _CLAUSE_END.split(quote)
    return any(len(part) >= _STATEMENT_CHARACTERS and not is_question(part) for part in parts)


def _memory_terms(memory: PromptMemory) -> frozenset[str]:
    return match_terms(f"{memory.text} {memory.quote}")


_QUOTE_CHARACTERS: Final = 48

_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")

_FADED: Final = "[曾记得]"


class Phrasing:
    """The wording of one reply: days, quotations and memories, in one language."""

    def __init__(self, prompt: Reply, say: Sayings) -> None:
        self._prompt = prompt
        self._sayings = say
        self.zone = zone_of(prompt.now)

    def day_name(self, at: datetime) -> str:
        """Return a day as people name it: today, yesterday, March 4, with the year if not this."""
        local, now = at.astimezone(self.zone), self._prompt.now.astimezone(self.zone)
        if local.date() == now.date():
            return self._sayings.today
        if local.date() == (now - timedelta(days=1)).date():
            return self._sayings.yesterday
        same_year = local.year == now.year
        return (self._sayings.month_day if same_year else self._sayings.full_date).format(at=local)

    def span_name(self, span: Span) -> str:
        """Return the time a question asks for, with its date unless it is several days."""
        if span.end - span.start > timedelta(days=1):
            return span.words
        local = span.start.astimezone(self.zone)
        date = self._sayings.month_day.format(at=local)
        return (
            span.words
            if date in span.words
            else f"{span.words}（{date}）"
            if self._sayings is not EN
            else f"{span.words} ({date.removeprefix('on ')})"
        )

    def clock_time(self, at: datetime) -> str:
        """Return the time of day in the partner's zone, like 18:05."""
        return f"{at.astimezone(self.zone):%H:%M}"

    def time_range(self, start: datetime, end: datetime) -> str:
        """Return from when to when, or one time if both are in the same minute."""
        first, last = self.clock_time(start), self.clock_time(end)
        return first if first == last else self._sayings.times.format(start=first, end=last)

    def topic_list(self, lines: Sequence[PromptLine]) -> str:
        """Return what lines were about, or the beginning of the first if no word stands out."""
        about = topic_words(lines, 3, ignored=self._prompt.partner)
        return self._sayings.between.join(about) if about else self.in_quotes(lines[0].text)

    def last_quotes(self, lines: Sequence[PromptLine]) -> str:
        """Return quotations of the partner's last two lines, statements rather than questions."""
        own = [line for line in lines if line.role == "user"]
        said = [line for line in own if not is_question(line.text)][-2:] or own[-2:]
        told = (
            self._sayings.said_so.format(clock=self.clock_time(x.at), quote=self.in_quotes(x.text))
            for x in said
        )
        return "".join(("" if self._sayings is not EN else " ") + each for each in told)

    def in_quotes(self, text: str) -> str:
        """Return a text in quotation marks, cut after 48 characters."""
        words_said = one_line(text)
        cut = words_said[:_QUOTE_CHARACTERS] + ("…" if len(words_said) > _QUOTE_CHARACTERS else "")
        return f"{self._sayings.opening}{cut}{self._sayings.closing}"

    def told_memories(self, memories: Sequence[PromptMemory], *, gist: bool = False) -> str:
        """Return memories in words, each with its date; if only traces are left, say so."""
        traces = [m for m in memories if m.text.startswith(_FADED)]
        told = [
            self._sayings.dated.format(
                what=self.told_memory(m, gist=gist), when=self.day_name(m.when)
            )
            for m in memories[:MOST_MEMORIES_TOLD]
            if m not in traces
        ]
        if told:
            return self._sayings.known.format(what=self._sayings.stop.join(told))
        return self._sayings.faded.format(what=traces[0].text.removeprefix(_FADED).strip())

    def told_memory(self, memory: PromptMemory, *, gist: bool = False) -> str:
        """Return one memory: a fact as it is stored, marked if past; what was said as a quotation.

        With ``gist`` an episode says first what it was about.
        """
        if memory.tier == "diary":
            said = self.in_quotes(one_line(memory.text))
            return self._sayings.formerly.format(what=said) if memory.past else said
        text = _STAMP.sub("", one_line(memory.text)).removeprefix(_FADED).strip(" 。.")
        text = self.in_second_person(text)
        if memory.past:
            text = self._sayings.formerly.format(what=text)
        quote = best_quote(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self._sayings.comma}" if gist else "") + self.in_quotes(quote)
        return text

    def in_second_person(self, text: str) -> str:
        """Return a text about the partner as said to them.

        In Chinese the name may stand for "you", in English it may not.
        """
        return to_second_person(text, self._prompt.partner) if self._sayings is EN else text
