"""A message or a text whose clauses are read once, however many rules ask for them.

A room of its own because the same words are asked about at every step of a judgement: who said
it, what it is about, which memory it concerns, whether it is known already.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.passed_on import own_words_of
from memory.model import Message
from memory.text.calendars import Days
from memory.text.dates import date_mentions

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

    @cached_property
    def days(self) -> tuple[Days, ...]:
        """Return the days it names, seen from when it was said."""
        named = date_mentions(self.message.text, self.message.at, self.zone)
        return tuple(each.days for each in named)


def clauses_together(*parsed: Iterable[wording.Clause]) -> tuple[wording.Clause, ...]:
    """Return the clauses of several texts as of one, no more than of one text."""
    return tuple(islice(chain.from_iterable(parsed), wording.MOST_CLAUSES))


def dates_were_meant(text: str, said: Sequence[ParsedMessage], own: str) -> bool:
    """Tell whether every date of ``text`` is one that was named, or holds the day of speaking.

    What was named is seen from when it was said; a date in the very words of ``own``, which hold
    what was said and what the memory says already, is fine.
    """
    spoken_on = {each.message.at.astimezone(each.zone).date() for each in said}
    named = [days for each in said for days in each.days]
    return all(
        text[each.start : each.end] in own
        or any(each.days.first <= day <= each.days.last for day in spoken_on)
        or any(d.first <= each.days.last and each.days.first <= d.last for d in named)
        for first in said[:1]
        for each in date_mentions(text, first.message.at, first.zone)
    )
