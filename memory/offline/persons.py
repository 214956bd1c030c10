"""Turning "I" into a name and back: an English clause as it is told of somebody, and to them."""

import re
from collections.abc import Callable
from typing import Final

from memory.offline.vocabulary import WORDS_EN
from memory.text.word_forms import first_person, third_person

HOW: Final = (
    rf"(?P<a>(?:(?:{WORDS_EN['HOW']}|no longer|never|often|sometimes|only|even|both|ever"
    r"|(?!(?:fly|rely|apply|reply|bully)\b)\w+ly) )*)"
)
"""How often or how much, between somebody and what they do."""


def to_third_person(clause: str, subject: str) -> str:
    """Return a first-person clause as one about ``subject``.

    >>> to_third_person("I really like my cat", "Anna")
    'Anna really likes their cat'
    >>> to_third_person("me and my wife run a pub", "Anna")
    'Anna and their wife run a pub'
    >>> to_third_person("the doc has me on iron for my blood", "Anna")
    'the doc has Anna on iron for their blood'
    """
    clause = _WITH_ME.sub(lambda m: f"¤ and their {m['one'] or m['other']}", clause)
    # The name goes in last, as a mark until then: it may itself hold "I", "me" or a verb. Short
    # forms go before the verb, or "I've" would leave "'ve" behind.
    for old, new in (
        (r"\bI(?:'?m| am)\b", "¤ is"),
        (r"\bI(?:'?ve| have)\b", "¤ has"),
        (r"\bI'll\b", "¤ will"),
        (r"\bI (?:don't|do not)\b", "¤ doesn't"),
        (r"\bI do\b", "¤ does"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    # The second "I" of a clause is "they": Anna works while they study.
    if first := re.search(r"¤|\bI\b", clause):
        rest = clause[first.end() :]
        rest = re.sub(r"(?<=\s)(?:I|¤ (?:is|has))\b", lambda m: _THEY[m[0]], rest)
        clause = clause[: first.end()] + rest
    clause = _conjugated(clause, "I", third_person)
    if not first:
        clause = re.sub(
            r"\bm([ey])\b", lambda m: _NAMED[m[1].lower()], clause, count=1, flags=re.IGNORECASE
        )
    for old, new in (
        (r"\bmyself\b", "themselves"),
        (r"\bmy\b", "their"),
        (r"\bI\b", "¤"),
        (r"\bme\b", "¤" if "call me" in clause.lower() else "them"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    return clause.replace("¤", subject)


_WITH_ME: Final = re.compile(
    r"^(?:(?:me|I) (?:and|n|&) my (?P<one>\w+)|my (?P<other>\w+) (?:and|n|&) (?:me|I))\b",
    re.IGNORECASE,
)

_NAMED: Final = {"e": "¤", "y": "¤'s"}
_THEY: Final = {"I": "they", "¤ is": "they are", "¤ has": "they have"}


def to_second_person(text: str, subject: str) -> str:
    """Return a stored clause about ``subject`` as it is said to them; other texts unchanged.

    >>> to_second_person("Anna really likes their cat", "Anna")
    'you really like your cat'
    >>> to_second_person("Sam and Anna broke up", "Anna")
    'Sam and you broke up'
    """
    if not text.startswith(subject):
        # Sam and Anna's mother may be that of both.
        text = re.sub(rf"(?<!\band )(?<!\w){re.escape(subject)}['’]s\b", "your", text)
        return re.sub(rf"(?<!\w){re.escape(subject)}(?!\w|['’])", "you", text)
    clause = _conjugated("¤" + text.removeprefix(subject), "¤", first_person)
    for old, new in (
        ("^¤'s", "your"),
        ("^¤ is ", "you are "),
        ("^¤ was ", "you were "),
        ("^¤ doesn't ", "you don't "),
        ("^¤", "you"),
        (r"\bthemselves\b", "yourself"),
        (r"\btheir\b", "your"),
        (r"\bthey\b", "you"),
    ):
        clause = re.sub(old, new, clause)
    return clause


def as_said_to(said: str) -> str:
    """Return a speaker's own words as they are said back to them: everyone calls you Ollie."""
    for old, new in (
        (r"\bI(?:'m| am)\b", "you are"),
        (r"\bI was\b", "you were"),
        (r"\b(?:I|we)\b", "you"),
        (r"\b(?:my|our)\b", "your"),
        (r"\b(?:my|our)sel(f|ves)\b", r"yoursel\1"),
        (r"\bme\b|(?-i:\bus\b)", "you"),  # and not the US
    ):
        said = re.sub(old, new, said, flags=re.IGNORECASE)
    return said


def _conjugated(clause: str, subject: str, form: Callable[[str], str | None]) -> str:
    """Return the clause with the verb after ``subject`` in its other form, the subject marked."""
    verb = re.compile(
        rf"(?:(?<=\W)|^)(?<!\band ){subject} {HOW}(?P<v>[a-z]{{2,}})\b", re.IGNORECASE
    )
    return verb.sub(
        lambda found: f"¤ {found['a']}{form(found['v'].lower()) or found['v']}", clause
    )
