"""Putting dates, quotations and memories into words."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.offline.choosing import MOST_MEMORIES_TOLD, best_quote
from memory.offline.clauses import zone_of
from memory.offline.person import to_second_person
from memory.offline.sayings import EN, Sayings
from memory.offline.segments import topic_words
from memory.offline.vocabulary import is_question
from memory.text.dates import Span
from prompts import PromptLine, PromptMemory, Reply
from prompts.plain import one_line

_QUOTE_CHARACTERS: Final = 48
_STAMP: Final = re.compile(r"^\[\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\]\s*")
_FADED: Final = "[曾记得]"


class Phrasing:
    """How this answer names days, quotes lines and repeats memories."""

    def __init__(self, prompt: Reply, say: Sayings) -> None:
        self._prompt = prompt
        self._sayings = say
        self.zone = zone_of(prompt.now)

    def day_name(self, at: datetime) -> str:
        """Name a day as people do: today, yesterday, March 4, with the year when it is another."""
        local, now = at.astimezone(self.zone), self._prompt.now.astimezone(self.zone)
        if local.date() == now.date():
            return self._sayings.today
        if local.date() == (now - timedelta(days=1)).date():
            return self._sayings.yesterday
        same_year = local.year == now.year
        return (self._sayings.month_day if same_year else self._sayings.full_date).format(at=local)

    def span_name(self, span: Span) -> str:
        """Name the time a question asks for, with its date unless it is several days."""
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
        return f"{at.astimezone(self.zone):%H:%M}"

    def time_range(self, start: datetime, end: datetime) -> str:
        """Name a stretch of one day by its times, or by the one time it lasts no minute."""
        first, last = self.clock_time(start), self.clock_time(end)
        return first if first == last else self._sayings.times.format(start=first, end=last)

    def topic_list(self, lines: Sequence[PromptLine]) -> str:
        """Name what lines were about; the first words of the first where no word stands out."""
        about = topic_words(lines, 3, ignored=self._prompt.partner)
        return self._sayings.between.join(about) if about else self.in_quotes(lines[0].text)

    def last_quotes(self, lines: Sequence[PromptLine]) -> str:
        """Quote the last two things the partner said in them, rather than what they asked."""
        own = [line for line in lines if line.role == "user"]
        said = [line for line in own if not is_question(line.text)][-2:] or own[-2:]
        told = (
            self._sayings.said_so.format(clock=self.clock_time(x.at), quote=self.in_quotes(x.text))
            for x in said
        )
        return "".join(("" if self._sayings is not EN else " ") + each for each in told)

    def in_quotes(self, text: str) -> str:
        words_said = one_line(text)
        cut = words_said[:_QUOTE_CHARACTERS] + ("…" if len(words_said) > _QUOTE_CHARACTERS else "")
        return f"{self._sayings.opening}{cut}{self._sayings.closing}"

    def told_memories(self, memories: Sequence[PromptMemory], *, gist: bool = False) -> str:
        """Repeat memories, each with its date; say so where only a trace is left."""
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
        """Repeat one memory: a fact as it stands, marked if past; an episode in its own words.

        With ``gist`` an episode says first what it was about.
        """
        text = _STAMP.sub("", one_line(memory.text)).removeprefix(_FADED).strip(" 。.")
        text = self.in_second_person(text)
        if memory.past:
            text = self._sayings.formerly.format(what=text)
        quote = best_quote(memory)
        if memory.tier == "episode" and quote:
            return (f"{text}{self._sayings.comma}" if gist else "") + self.in_quotes(quote)
        return text

    def in_second_person(self, text: str) -> str:
        """Speak to the partner: a Chinese name may stand for "you", an English one may not."""
        return to_second_person(text, self._prompt.partner) if self._sayings is EN else text
