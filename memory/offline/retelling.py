"""Putting dates, quotations and memories into words."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.offline.clauses import zone_of
from memory.offline.person import to_second_person
from memory.offline.sayings import EN, Sayings
from memory.offline.segments import topics
from memory.offline.vocabulary import asked_words, asks, terms
from memory.text.dates import Span
from prompts import Line, Reply, Shown
from prompts.plain import one_line

MOST_TOLD: Final = 3
_CLEARLY: Final = 2
"""So many words shared make a memory worth bringing up unasked."""

_QUOTE_CHARACTERS: Final = 48
_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")
_FADED: Final = "[曾记得]"
_KINDS_OF_QUESTION: Final[tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]] = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(told, re.IGNORECASE))
    for asked, told in (
        (r"我(?:叫|的名字|姓)|我是谁|who am i|my name", r"叫|名字|姓|^.{0,4}是[一-鿿]{2,3}$|name"),
        (r"我.{0,3}住|where do i live", r"住|搬到|家在|live|moved to"),
        (r"我.{0,4}(?:几岁|多大|年纪)|how old am i", r"岁|years old"),
        (
            r"我.{0,4}(?:工作|职业|做什么的)|what do i do|my job|where do i work",
            r"工作|上班|职业|是.*[师生员]|work|job",
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


class Retelling:
    """How this answer names days, quotes lines and repeats memories."""

    def __init__(self, prompt: Reply, say: Sayings) -> None:
        self._prompt = prompt
        self._say = say
        self.zone = zone_of(prompt.now)

    def day(self, at: datetime) -> str:
        """Name a day as people do: today, yesterday, March 4, with the year when it is another."""
        local, now = at.astimezone(self.zone), self._prompt.now.astimezone(self.zone)
        if local.date() == now.date():
            return self._say.today
        if local.date() == (now - timedelta(days=1)).date():
            return self._say.yesterday
        same_year = local.year == now.year
        return (self._say.month_day if same_year else self._say.full_date).format(at=local)

    def span(self, span: Span) -> str:
        """Name the time a question asks for, with its date unless it is several days."""
        if span.end - span.start > timedelta(days=1):
            return span.words
        local = span.start.astimezone(self.zone)
        date = self._say.month_day.format(at=local)
        return (
            span.words
            if date in span.words
            else f"{span.words}（{date}）"
            if self._say is not EN
            else f"{span.words} ({date.removeprefix('on ')})"
        )

    def clock(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%H:%M}"

    def between(self, start: datetime, end: datetime) -> str:
        """Name a stretch of one day by its times, or by the one time it lasts no minute."""
        first, last = self.clock(start), self.clock(end)
        return first if first == last else self._say.times.format(start=first, end=last)

    def topics(self, lines: Sequence[Line]) -> str:
        """Name what lines were about; the first words of the first where no word stands out."""
        about = topics(lines, 3, ignored=self._prompt.partner)
        return self._say.between.join(about) if about else self.quoted(lines[0].text)

    def quotes(self, lines: Sequence[Line]) -> str:
        """Quote the last two things the partner said in them, rather than what they asked."""
        own = [line for line in lines if line.role == "user"]
        said = [line for line in own if not asks(line.text)][-2:] or own[-2:]
        told = (
            self._say.said_so.format(clock=self.clock(x.at), quote=self.quoted(x.text))
            for x in said
        )
        return "".join(("" if self._say is not EN else " ") + each for each in told)

    def quoted(self, text: str) -> str:
        words_said = one_line(text)
        cut = words_said[:_QUOTE_CHARACTERS] + ("…" if len(words_said) > _QUOTE_CHARACTERS else "")
        return f"{self._say.opening}{cut}{self._say.closing}"

    def relevant(self, asked: str) -> list[Shown]:
        """Return up to three memories that answer a question, best first."""
        wanted = terms(asked) - {self._prompt.partner}
        told = _answers_to(asked)
        facts = (m for m in self._prompt.memories if m.tier != "episode")
        kind = [m for m in facts if told and told.search(m.text)]
        return _ranked(kind or [m for m in self._prompt.memories if wanted & _terms_of(m)], wanted)

    def answers(self, line: str, asked: str) -> bool:
        """Tell whether a line may answer a question: by its kind, or by sharing a word."""
        told = _answers_to(asked)
        return bool(told and told.search(line)) or bool(asked_words(line) & asked_words(asked))

    def alike(self, said: str) -> list[Shown]:
        """Return up to three memories that clearly have to do with what was said, best first."""
        wanted = asked_words(said) - {self._prompt.partner}
        close = [
            m
            for m in self._prompt.memories
            if len(wanted & asked_words(f"{m.text} {m.quote}")) >= _CLEARLY
        ]
        return _ranked(close, wanted)

    def known(self, memories: Sequence[Shown], *, gist: bool = False) -> str:
        """Repeat memories, each with its date; say so where only a trace is left."""
        traces = [m for m in memories if m.text.startswith(_FADED)]
        told = [
            self._say.dated.format(what=self.plainly(m, gist=gist), when=self.day(m.when))
            for m in memories[:MOST_TOLD]
            if m not in traces
        ]
        if told:
            return self._say.known.format(what=self._say.stop.join(told))
        return self._say.faded.format(what=traces[0].text.removeprefix(_FADED).strip())

    def plainly(self, memory: Shown, *, gist: bool = False) -> str:
        """Repeat one memory: a fact as it stands, marked if past; an episode in its own words.

        With ``gist`` an episode says first what it was about.
        """
        text = _STAMP.sub("", one_line(memory.text)).removeprefix(_FADED).strip(" 。.")
        text = self.addressed(text)
        if memory.past:
            text = self._say.formerly.format(what=text)
        quote = _quote_of(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self._say.comma}" if gist else "") + self.quoted(quote)
        return text

    def addressed(self, text: str) -> str:
        """Speak to the partner: a Chinese name may stand for "you", an English one may not."""
        return to_second_person(text, self._prompt.partner) if self._say is EN else text


def _answers_to(asked: str) -> re.Pattern[str] | None:
    """Return what an answer to a question of a usual kind must hold."""
    return next((told for kind, told in _KINDS_OF_QUESTION if kind.search(asked)), None)


def _ranked(memories: Sequence[Shown], wanted: frozenset[str]) -> list[Shown]:
    """Sort by what they share with the question; what is past, or only asks, comes last."""
    return sorted(
        memories,
        key=lambda m: (m.past, asks(_quote_of(m)), -len(wanted & _terms_of(m))),
    )[:MOST_TOLD]


def _quote_of(memory: Shown) -> str:
    """Return the first of the words a memory rests on that states something, else the first."""
    quotes = memory.quote.split(" … ")
    return next((quote for quote in quotes if not asks(quote)), quotes[0])


def _terms_of(memory: Shown) -> frozenset[str]:
    return terms(f"{memory.text} {memory.quote}")
