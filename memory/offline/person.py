"""Turning an English clause from I to the name of the speaker."""

import re
from typing import Final

_HOW: Final = (
    "(?P<a>(?:really |also |absolutely |especially |still |always |just |truly |particularly "
    "|mostly |usually |now |currently |no longer )*)"
)
_VERBS: Final = (
    "like|love|enjoy|adore|prefer|hate|dislike|despise|live|work|speak|play|want|need|plan"
    "|suffer|own|eat|drink|come|go|run|read|walk|swim|cook|write|practice|meditate"
)
_SUBJECT: Final = "¤"
_CHANGES: Final[tuple[tuple[str, str], ...]] = (
    (r"\bI(?:'m| am)\b", "¤ is"),
    (
        r"\bI(?:'ve| have)\b(?= (?:always|just|finally|recently|been|got|given|had|quit|\w+ed\b))",
        "¤ has",
    ),
    (r"\bI'll\b", "¤ will"),
    (r"\bI (?:don't|do not)\b", "¤ doesn't"),
    (rf"\bI {_HOW}have\b", r"¤ \g<a>has"),
    (rf"\bI {_HOW}(?P<v>{_VERBS})\b", r"¤ \g<a>\g<v>s"),
    (r"\bgos\b", "goes"),
    (r"\bmyself\b", "themselves"),
    (r"^my\b", "¤'s"),
    (r"\bmy\b", "their"),
    (r"\bcall me\b", "call ¤"),
    (r"\bI\b", "¤"),
    (r"\bme\b", "them"),
)
_COMPILED: Final = tuple((re.compile(old, re.IGNORECASE), new) for old, new in _CHANGES)


def to_third_person(clause: str, subject: str) -> str:
    """Return a first-person clause as one about ``subject``.

    >>> to_third_person("I really like my cat", "Anna")
    'Anna really likes their cat'
    """
    for pattern, replacement in _COMPILED:
        clause = pattern.sub(replacement, clause)
    return clause.replace(_SUBJECT, subject)
