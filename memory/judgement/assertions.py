"""One clause as it is compared: its units, the marks it stands under, its subject and its days.

A unit covers nothing by meaning: it was said if it, an inflection of it or a listed equivalent
stands in the clause. The same words are asked about at every step of a judgement (who said it,
what it is about, which memory it concerns), so the clauses of a message or a text are read once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import chain, islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement import wording
from memory.judgement.lexicon import ZH_FREE
from memory.judgement.marks import Sense
from memory.judgement.senses import marks_alone
from memory.judgement.subjects import NOBODY, Subject
from memory.judgement.units import (
    AGES,
    RELATED,
    ZH_EQUIVALENTS,
    Unit,
    has_verb,
    holds_word,
    numerals,
)
from memory.model import Message
from memory.text.calendars import Days
from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
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


_FIGURE: Final = LatePattern(r"[0-9]|[一二三四五六七八九十]+[月号日號]")

_MONTH: Final = LatePattern(
    r"[0-9一二三四五六七八九十]月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)

_YEAR: Final = LatePattern(r"[0-9]{4}")


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


IS_SAID: Final = LatePattern(
    r"[是係系叫当當为為属屬]|做(?![了过完])|[\u4e00-\u9fff]一[个枚名位](?:$|[,，])|[我俺][^，]{2,8}的$"
    r"|[我俺][\u4e00-\u9fff]{2,3}人|\b(?:am|is|are|was|were|be|been|being|im|turn(?:s|ed|ing)?|hes|shes|its|theyre|thats|whos"
    r"|as an?|becom\w+|became)\b"
    r"|['’](?:m|re|s)\b"
    # "retired bus driver me" tells what one is.
    r"|^(?:[a-z'-]+ ){1,5}(?:me|here)(?:,|$)|^retired \w+"
)

_HAVE_SAID: Final = LatePattern(
    r"[有养養]|[我俺](?=[爸妈哥姐弟妹爷奶舅姑姨叔伯嫂孙]|儿子|女儿|闺女|老[公婆]|媳妇)"
    r"|\bcan['’]?t sleep|[我俺咱](?:们|們)?(?:家|的|那|这|這)"
    r"|\b(?:have|has|had|having|ive|weve"
    r"|got|get|gets|getting|owns?|my|our|with"
    r"|^(?:[0-9]+|\w+) (?:grand)?(?:kids|children|sons|daughters|brothers|sisters)"
    r"|there['’]?s|there (?:is|are|was|were)|keeps?"
    r"|adopted|expecting|works?|run(?:s|ning)? (?:an?|my|our|the))\b|['’]ve\b"
)

_ENDS_AGE: Final = LatePattern(
    r"\s*(?:了|啦|多|$|[,，]|and\b|still\b|now\b|years|歲|岁|on\b|in\b|next\b|this\b)"
)

FUTURE: Final = LatePattern(
    r"要|将|請|请|叫|以后|\b(?:will|going to|gonna|can['’]?t wait|call me|next|tomorrow|off to)\b"
    r"|['’]ll\b|\w+ing\b"
)
"""What tells of something still to come, as a wish does."""


@dataclass(frozen=True, kw_only=True)
class Assertion:
    """One clause of a text, as it is compared. ``folded`` names the speaker 我 or "i"."""

    folded: str
    units: tuple[Unit, ...]
    senses: frozenset[Sense]
    subject: Subject
    stated: bool = True
    days: tuple[tuple[tuple[Days, ...], str], ...] = ()
    context: str = ""
    topic: Subject = NOBODY
    at: datetime | None = None
    zone: ZoneInfo | None = None
    bare: bool = field(default=False)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Return what may cover a unit of another clause."""
        return frozenset(unit.key for unit in self.units)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Return its numbers, in order."""
        return tuple(unit.key for unit in self.units if unit.kind == "number")

    @cached_property
    def tenses(self) -> Mapping[str, frozenset[bool]]:
        """Return for each word of English whether it stands in its past form, or in another."""
        found: dict[str, set[bool]] = {}
        for unit in self.units:
            if unit.past is not None:
                found.setdefault(unit.key, set()).add(unit.past)
        return {key: frozenset(each) for key, each in found.items()}

    @cached_property
    def has_verb(self) -> bool:
        """Tell whether it has a verb of its own; 苹果 and "every Wednesday" have none."""
        return has_verb(self.folded)

    @cached_property
    def named_days(self) -> tuple[Days, ...]:
        """Return the days it names, seen from when it was said."""
        if self.at is None or self.zone is None:
            return ()
        text = _WEEKDAY.sub(r"on \1", _TOMORROW.sub("明天", self.folded))
        return tuple(
            days
            for each in date_mentions(text, self.at, self.zone)
            for days in same_days(each.days, text[each.start : each.end], relative=each.relative)
        )

    def covers(self, unit: Unit) -> bool:
        """Tell whether it says a unit of another claim."""
        if unit.key in self.keys or RELATED.get(unit.key, frozenset()) & self.keys:
            return True
        if unit.key == "1" and unit.text in _ARTICLES:
            return True  # 一只 and "one" before a noun are an article; see _keeps_pairs.
        if unit.kind == "class":
            return self._says_class(unit)
        if (marks := marks_alone(unit.text) & _MARKED) and marks <= self.senses:
            return True
        if unit.key == "人":
            # 我是丹东的 says 我是丹东人.
            return "人" in self.folded or bool(re.search(r"是[\u4e00-\u9fff]{2,6}的", self.folded))
        return unit.kind == "han" and self._says_characters(unit)

    def _says_characters(self, unit: Unit) -> bool:
        # 要考 is cut as one word, and says 考.
        bare = unit.text[1:] if unit.text[0] in "要得去来" else ""
        return bare in self.keys or (holds_word(self.folded, unit.text) and not self._ends(unit))

    def _ends(self, unit: Unit) -> bool:
        """Tell whether a character only ends other words here: 考 in 备考 is not 考."""
        if len(unit.text) > 1:
            return False
        inside = [
            each.text for each in self.units if each.kind == "han" and unit.text in each.text
        ]
        if any(each in unit.run for each in inside):
            return False
        return len(inside) == self.folded.count(unit.text) and all(
            len(each) > 1 and each.endswith(unit.text) and each[0] not in ZH_FREE
            for each in inside
        )

    def _says_class(self, unit: Unit) -> bool:
        """Tell whether it says a class of words: by one of them, or by being what needs none."""
        words = ZH_EQUIVALENTS.get(unit.key) or _SAID_BY.get(unit.key)
        if words is not None and words.search(self.folded):
            return True
        if unit.key in _SAID_BY_SENSE:
            wished = unit.key == "en_wish" and FUTURE.search(self.folded)
            return bool(wished) or _SAID_BY_SENSE[unit.key] in self.senses
        if unit.key in {"is", "have"}:
            return not self.has_verb
        if unit.key == "zh_money":
            return bool(self.numbers)
        if unit.key in AGES:
            return any(_ENDS_AGE.match(self.folded, n.end) for n in numerals(self.folded))
        return not unit.text.isascii() and unit.text in self.folded


_ARTICLES: Final = frozenset({"一", "one", "壹"})

_MARKED: Final = frozenset({Sense.CONDITION, Sense.DOUBT, Sense.ALMOST, Sense.PAST, Sense.RARELY})
"""Marks of which one word may stand for another: 如果 for 要是."""

_CALLED: Final = LatePattern(r"[叫是係名姓称]|\b(?:am|is|was|im|goes by)\b|['’][ms]\b")

_SAID_BY: Final[Mapping[str, LatePattern]] = {
    "is": IS_SAID,
    "have": _HAVE_SAID,
    "zhc_name": _CALLED,
    "enc_name": _CALLED,
    "enc_work": LatePattern(
        r"\b(?:nights?|days|mornings?|evenings?|shifts?|hours) a week (?:at|in)\b"
    ),
    "zhc_study": LatePattern(r"[学學读讀念]"),
}

_SAID_BY_SENSE: Final[Mapping[str, Sense]] = {
    "en_wish": Sense.WISH,
    "en_doubt": Sense.DOUBT,
    "en_report": Sense.REPORT,
    "en_almost": Sense.ALMOST,
    "en_past": Sense.PAST,
}


_TOMORROW: Final = LatePattern(r"明[兒儿]个?")
_WEEKDAY: Final = LatePattern(
    r"(?<!on )(?<!next )(?<!last )(?<!this )\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
