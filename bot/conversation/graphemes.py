"""Where a text may be cut without taking apart what a reader sees as one character."""

import unicodedata
from typing import Final

ZERO_WIDTH_JOINER: Final = "\u200d"
_HANGUL_VOWELS_AND_TAILS: Final = ("\u1160", "\u11ff")
_SKIN_TONES: Final = ("\U0001f3fb", "\U0001f3ff")
_TAGS: Final = ("\U000e0020", "\U000e007f")
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")
_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u3164\u115f\u1160")
_VIRAMAS: Final = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d")


def is_boundary(text: str, place: int) -> bool:
    """Say whether a reader sees two characters on either side of ``place``.

    Covers combining marks, variation selectors, skin tones, joined emoji families, flags, tag
    sequences, Hangul syllables, joined Indic consonants and line ends; it may keep together what
    UAX #29 would part, which only makes a piece a little shorter.

    >>> [place for place in range(6) if is_boundary("a👨‍👩b", place)]
    [0, 1, 4, 5]
    """
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    if _extends(after) or before == ZERO_WIDTH_JOINER or before in _VIRAMAS:
        return False
    if _within(before, _FLAGS) and _within(after, _FLAGS):
        return _flags_before(text, place) % 2 == 0
    return True


def has_visible_text(text: str) -> bool:
    r"""Whether there is anything to see; platforms refuse a message without.

    >>> visible("好"), visible(" \u200b\n")
    (True, False)
    """
    return bool("".join(each for each in text if each not in _INVISIBLE).strip())


def _extends(character: str) -> bool:
    """Whether the character belongs to the one before it."""
    return (
        character == ZERO_WIDTH_JOINER
        or _within(character, _SKIN_TONES)
        or _within(character, _TAGS)
        or _within(character, _HANGUL_VOWELS_AND_TAILS)
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
    )


def _flags_before(text: str, place: int) -> int:
    """Count the regional indicators right before ``place``; two of them are one flag."""
    start = place
    while start > 0 and _within(text[start - 1], _FLAGS):
        start -= 1
    return place - start


def _within(character: str, span: tuple[str, str]) -> bool:
    return span[0] <= character <= span[1]
