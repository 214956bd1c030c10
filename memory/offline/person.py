"""Turning an English clause from I to the name of the speaker, and from that name to you."""

import re
from collections.abc import Mapping
from typing import Final

from memory.offline.lexicon_en import WORDS_EN

_HOW: Final = rf"(?P<a>(?:(?:{WORDS_EN['HOW']}|no longer) )*)"
_IRREGULAR: Final[Mapping[str, str]] = {
    "go": "goes",
    "do": "does",
    "watch": "watches",
    "teach": "teaches",
    "study": "studies",
    "have": "has",
}
_REGULAR: Final = """
like love enjoy adore prefer hate dislike despise live work speak play want need plan suffer own
eat drink come run read walk swim cook bake write draw paint practice meditate travel sleep
"""
_THIRD: Final = {**{verb: f"{verb}s" for verb in _REGULAR.split()}, **_IRREGULAR}
_SECOND: Final = {third: verb for verb, third in _THIRD.items()}
_PAST: Final = "always|just|finally|recently|been|got|given|had|quit|[a-z]+ed"


def to_third_person(clause: str, subject: str) -> str:
    """Return a first-person clause as one about ``subject``.

    >>> to_third_person("I really like my cat", "Anna")
    'Anna really likes their cat'
    """
    for old, new in (
        (r"\bI(?:'m| am)\b", "¤ is"),
        (rf"\bI(?:'ve| have)\b(?= (?:{_PAST})\b)", "¤ has"),
        (r"\bI'll\b", "¤ will"),
        (r"\bI (?:don't|do not)\b", "¤ doesn't"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    clause = _conjugated(clause, "I", _THIRD)
    for old, new in (
        (r"\bmyself\b", "themselves"),
        (r"^my\b", "¤'s"),
        (r"\bmy\b", "their"),
        (r"\bI\b", "¤"),
        (r"\bme\b", "¤" if "call me" in clause.lower() else "them"),
    ):
        clause = re.sub(old, new, clause, flags=re.IGNORECASE)
    return clause.replace("¤", subject)


def to_second_person(text: str, subject: str) -> str:
    """Return what is kept of ``subject`` as it is told to them; other texts as they are.

    >>> to_second_person("Anna really likes their cat", "Anna")
    'you really like your cat'
    """
    if not text.startswith(subject):
        return text
    told = _conjugated("¤" + text.removeprefix(subject), "¤", _SECOND)
    for old, new in (
        ("^¤'s", "your"),
        ("^¤ is ", "you are "),
        ("^¤ doesn't ", "you don't "),
        ("^¤", "you"),
        (r"\bthemselves\b", "yourself"),
        (r"\btheir\b", "your"),
    ):
        told = re.sub(old, new, told)
    return told


def _conjugated(clause: str, subject: str, forms: Mapping[str, str]) -> str:
    """Put the verb after ``subject`` into its other form; the subject becomes a mark."""
    verb = re.compile(rf"(?:(?<=\W)|^){subject} {_HOW}(?P<v>{'|'.join(forms)})\b", re.IGNORECASE)
    return verb.sub(lambda found: f"¤ {found['a']}{forms[found['v'].lower()]}", clause)
