"""One clause as it is compared: its units, the marks it stands under, its subject and its days.

A unit covers nothing by meaning: it was said if it, an inflection of it or a listed equivalent
stands in the clause.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement.lexicon import ZH_FREE
from memory.judgement.parsed import same_days
from memory.judgement.senses import Sense, senses_of
from memory.judgement.subjects import NOBODY, Subject
from memory.judgement.units import RELATED, ZH_EQUIVALENTS, Unit, has_verb, holds_word
from memory.text.calendars import Days
from memory.text.dates import date_mentions
from memory.text.numerals import numerals

IS_SAID: Final = re.compile(
    r"[是係系叫当當做为為属屬]|\b(?:am|is|are|was|were|be|been|being|im|turn(?:s|ed|ing)?|hes|shes|its|theyre|thats|whos"
    r"|as an?|becom\w+|became)\b"
    r"|['’](?:m|re|s)\b"
)

_HAVE_SAID: Final = re.compile(
    r"[有养養]|\bcan['’]?t sleep|[我俺咱](?:们|們)?(?:家|的|那|这|這)"
    r"|\b(?:have|has|had|having|ive|weve"
    r"|got|get|gets|getting|owns?|my|our|with|there['’]?s|there (?:is|are|was|were)|keeps?"
    r"|adopted|expecting|works?)\b|['’]ve\b"
)

_ENDS_AGE: Final = re.compile(
    r"\s*(?:了|啦|多|$|[,，]|and\b|still\b|now\b|years|歲|岁|on\b|in\b|next\b|this\b)"
)

_TO_COME: Final = re.compile(
    r"要|将|請|请|叫|以后|\b(?:will|going to|gonna|can['’]?t wait|call me|next|tomorrow|off to)\b"
    r"|['’]ll\b|\w+ing\b"
)


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
        if unit.key == "1" and not unit.text.isdigit():
            return True  # 一只 and "one" before a noun are an article; see _keeps_pairs.
        if unit.kind == "class":
            return self._says_class(unit)
        if _MARKED & senses_of(unit.text) and senses_of(unit.text) <= self.senses:
            return True
        if unit.key == "人":
            # 我是丹东的 says 我是丹东人.
            return "人" in self.folded or bool(re.search(r"是[\u4e00-\u9fff]{2,6}的", self.folded))
        return unit.kind == "han" and holds_word(self.folded, unit.text) and not self._ends(unit)

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
            wished = unit.key == "en_wish" and _TO_COME.search(self.folded)
            return bool(wished) or _SAID_BY_SENSE[unit.key] in self.senses
        if unit.key in {"is", "have"}:
            return not self.has_verb
        if unit.key == "zh_money":
            return bool(self.numbers)
        if unit.key in _AGES:
            return any(_ENDS_AGE.match(self.folded, n.end) for n in numerals(self.folded))
        return not unit.text.isascii() and unit.text in self.folded


_MARKED: Final = frozenset({Sense.CONDITION, Sense.DOUBT, Sense.ALMOST, Sense.PAST})
"""Marks of which one word may stand for another: 如果 for 要是."""

_AGES: Final = frozenset({"zhc_age", "en_years", "enc_age"})

_CALLED: Final = re.compile(r"[叫是係名姓称]|\b(?:am|is|was|im|goes by)\b|['’][ms]\b")

_SAID_BY: Final[Mapping[str, re.Pattern[str]]] = {
    "is": IS_SAID,
    "have": _HAVE_SAID,
    "zhc_name": _CALLED,
    "enc_name": _CALLED,
    "zhc_study": re.compile(r"[学學读讀念]"),
}

_SAID_BY_SENSE: Final[Mapping[str, Sense]] = {
    "en_wish": Sense.WISH,
    "en_doubt": Sense.DOUBT,
    "en_report": Sense.REPORT,
    "en_almost": Sense.ALMOST,
    "en_past": Sense.PAST,
}


_TOMORROW: Final = re.compile(r"明[兒儿]个?")
_WEEKDAY: Final = re.compile(
    r"(?<!on )(?<!next )(?<!last )(?<!this )\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
