"""Reading one English clause: taking off what leads in, and matching the rules."""

import re
from datetime import datetime
from typing import Final

from memory.model import Kind
from memory.offline.clauses import StatedClause, zone_of
from memory.offline.english import DATED_PLAN, INTRODUCTION, OPEN_PLAN, RULES
from memory.offline.person import to_third_person
from memory.offline.statements import Rule, Statement, statement_by
from memory.text.dates import date_mentions

_LEAD: Final = re.compile(
    r"^(?:well|so|actually|by the way|btw|hi|hello|hey|also|and|but|yes|yeah|yep|no|nope|oh"
    r"|honestly|to be honest|you know|okay|ok|sure"
    r"|anyway|of course|besides|in fact|because|though|there|lately|recently|these days"
    r"|personally|xiaoxiang)\b[,!.\s]*",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"(?:,?\s*\b(?:too|as well|though|actually|haha|lol|by the way|btw|very much|so much|a lot"
    r"|these days|nowadays|now|right now)\b)?"
    r"[\s.!~☀-➿️\U0001f000-\U0001faff]*$",
    re.IGNORECASE,
)
_BIRTHDAY: Final = re.compile(
    r"(?:(?P<when>today|tomorrow) is my birthday|(?:it's|it is) my birthday (?P<w>today"
    r"|tomorrow)|my birthday is (?P<x>today|tomorrow))",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"(?!(?:I|you|it|that|this|what|how|so|but|which|thanks|please|he|she|they|we|because)\b)"
    r"[\w'-]+(?: [\w'-]+){0,4}",
    re.IGNORECASE,
)
_CARRIED: Final = re.compile(
    r"(?:live|work|love|hate|enjoy|have (?:an?|two|three)|am|come from)\b.+", re.IGNORECASE
)


def read_clause(
    clause: StatedClause, subject: str, at: datetime, *, carried: bool, greets: bool
) -> Statement | None:
    """Return what a clause says of its speaker, whom ``subject`` names, or None.

    ``at``, ``carried`` and ``greets`` are as in :mod:`memory.offline.speaking_zh`.
    """
    words = _END.sub("", _without_lead(clause.text.replace("’", "'")))
    if day := _BIRTHDAY.fullmatch(words):
        return _birthday_statement(day["when"] or day["w"] or day["x"], subject, at)
    if carried and _CARRIED.fullmatch(words):
        words = f"I {words}"
    ahead = any(day.days.first > at.date() for day in date_mentions(words, at, zone_of(at)))
    plans = DATED_PLAN if ahead else OPEN_PLAN
    for rule in (*(INTRODUCTION if greets else ()), *RULES, *plans):
        if found := rule.fullmatch(words):
            text = to_third_person(found[0], subject) + _continued(rule, clause.after)
            return statement_by(rule, found["v"], text)
    return None


def _continued(rule: Rule, after: tuple[str, ...]) -> str:
    """Return the following clauses that belong to the statement: a list going on, an example."""
    parts = [_END.sub("", part) for part in after]
    if rule.sort.tail is None or not parts:
        return ""
    if rule.sort.tail.fullmatch(parts[0]):
        return ", " + parts[0]
    if rule.sort.kind is not Kind.LASTING_PREFERENCE or not all(
        _LISTED.fullmatch(p) for p in parts
    ):
        return ""
    return "".join(", " + part for part in parts)


def _birthday_statement(when: str, subject: str, at: datetime) -> Statement | None:
    """Name the day by its date; a day to come with its year, or it would mean the last one."""
    for day in date_mentions(when, at, zone_of(at)):
        first = day.days.first
        date = f"{first:%B} {first.day}"
        coming = f"{when} ({first}) is {subject}'s birthday"
        text = coming if first > at.date() else f"{subject}'s birthday is {date}"
        return Statement(text=text, value=date, slot="birthday", kind=Kind.IDENTITY)
    return None


def _without_lead(text: str) -> str:
    while (shorter := _LEAD.sub("", text, count=1)) != text and shorter:
        text = shorter
    return text
