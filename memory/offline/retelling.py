"""Putting dates, quotations and memories into words."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.offline.choosing import MOST_TOLD, quote_of
from memory.offline.clauses import zone_of
from memory.offline.person import to_second_person
from memory.offline.sayings import EN, Sayings
from memory.offline.segments import topics
from memory.offline.vocabulary import asks
from memory.text.dates import Span
from prompts import PromptLine, PromptMemory, Reply
from prompts.plain import one_line

_QUOTE_CHARACTERS: Final = 48
_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")
_FADED: Final = "[曾记得]"


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

    def topics(self, lines: Sequence[PromptLine]) -> str:
        """Name what lines were about; the first words of the first where no word stands out."""
        about = topics(lines, 3, ignored=self._prompt.partner)
        return self._say.between.join(about) if about else self.quoted(lines[0].text)

    def quotes(self, lines: Sequence[PromptLine]) -> str:
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

    def known(self, memories: Sequence[PromptMemory], *, gist: bool = False) -> str:
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

    def plainly(self, memory: PromptMemory, *, gist: bool = False) -> str:
        """Repeat one memory: a fact as it stands, marked if past; an episode in its own words.

        With ``gist`` an episode says first what it was about.
        """
        text = _STAMP.sub("", one_line(memory.text)).removeprefix(_FADED).strip(" 。.")
        text = self.addressed(text)
        if memory.past:
            text = self._say.formerly.format(what=text)
        quote = quote_of(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self._say.comma}" if gist else "") + self.quoted(quote)
        return text

    def addressed(self, text: str) -> str:
        """Speak to the partner: a Chinese name may stand for "you", an English one may not."""
        return to_second_person(text, self._prompt.partner) if self._say is EN else text
