"""A message or a text whose clauses are read once, however many rules ask for them.

A room of its own because the same words are asked about at every step of a judgement: who said
it, what it is about, which memory it concerns, whether it is known already.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import chain, islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.model import Message
from memory.text.calendars import Days
from memory.text.passed_on import own_words_of

# What was read is kept in the value and goes with it at the end of the turn. A cache of the whole
# program would keep private words in memory for as long as it runs, sealed and erased ones too.


@dataclass(frozen=True, eq=False)
class ParsedText:
    """A text, and its clauses as they were read for each set of names."""

    text: str
    _read: dict[wording.Names, tuple[wording.Clause, ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def clauses(self, names: wording.Names = wording.NO_NAMES) -> tuple[wording.Clause, ...]:
        """Return the clauses; ``names``, which stand for the speaker, are no terms of them."""
        if names not in self._read:
            self._read[names] = wording.clauses(self.text, names)
        return self._read[names]

    def terms(self, names: wording.Names = wording.NO_NAMES) -> frozenset[str]:
        """Return the terms of the whole text."""
        return wording.terms_of(self.clauses(names))

    def rewritten(self, text: str) -> "ParsedText":
        """Return ``text`` parsed: this very value if a step before left the words as they were."""
        return self if text == self.text else ParsedText(text)


@dataclass(frozen=True, eq=False)
class ParsedMessage:
    """What one person said in a message, and how it reads. ``message`` holds no quotations."""

    message: Message
    zone: ZoneInfo

    @classmethod
    def all_of(
        cls, said: Sequence[Message], zone: ZoneInfo, before: Sequence[Message] = ()
    ) -> "tuple[ParsedMessage, ...]":
        """Return what people said, with what they only pass on set apart.

        ``before`` are the lines of the conversation that came before it, oldest first.
        """
        own = own_words_of(said, before)
        return tuple(cls(message, zone) for message in own if message.role == "user")

    @cached_property
    def clauses(self) -> tuple[wording.Clause, ...]:
        """Return every clause of it."""
        return wording.clauses(self.message.text)

    @cached_property
    def statements(self) -> tuple[wording.Clause, ...]:
        """Return the clauses in which the speaker states something to be true; none in jest."""
        if wording.is_play(self.message.text):
            return ()
        return tuple(clause for clause in self.clauses if clause.stated)


def clauses_together(*parsed: Iterable[wording.Clause]) -> tuple[wording.Clause, ...]:
    """Return the clauses of several texts as of one, no more than of one text."""
    return tuple(islice(chain.from_iterable(parsed), wording.MOST_CLAUSES))


_FIGURE: Final = re.compile(r"[0-9]|[一二三四五六七八九十]+[月号日號]")

_MONTH: Final = re.compile(
    r"[0-9一二三四五六七八九十]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)

_YEAR: Final = re.compile(r"[0-9]{4}")


def same_days(days: Days, written: str, *, relative: bool) -> Iterator[Days]:
    """Yield the days that a date may mean: a weekday of this week or next, a day of any year."""
    yield days
    if relative or _YEAR.search(written):
        return
    shifts = (-1, 1)
    if _MONTH.search(written):
        for shift in shifts:
            first, last = (_in_year(each, each.year + shift) for each in days)
            yield Days(first, last)
    elif days.first == days.last and not _FIGURE.search(written):
        for shift in shifts:
            yield Days(*(each + timedelta(weeks=shift) for each in days))


def _in_year(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:  # The 29th of February of a year without one.
        return day.replace(year=year, day=day.day - 1)
