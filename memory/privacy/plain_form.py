"""Texts as they are looked through: written one way, with the place of every character kept.

People write one number in many ways: full-width, with invisible characters between the digits, in
Chinese or English words, letter by letter. Rules that look for secrets see one way only, and what
they find is cut where it stood.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# The marks that part sentences stay as they are: "，" ends a password, "," may belong to it.
_STAYS: Final = frozenset("，；：！？（）、。")

# Soft hyphen, zero-width characters, direction marks, variation selectors, the keycap.
_WITHOUT_MARKS: Final = dict.fromkeys(map(ord, _STAYS))

_INVISIBLE: Final = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\u20e3]"
)

_CHINESE_DIGITS: Final = {
    **dict(zip("零一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    **dict(zip("○貳參陸幺", "02361", strict=True)),
}
# Fewer in a row are words: 一三五 are weekdays.
_CHINESE_NUMBER: Final = re.compile(f"[{''.join(_CHINESE_DIGITS)}]{{4,40}}")

_WORDS: Final = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_ENGLISH_DIGITS: Final = {word: str(n) for n, word in enumerate(_WORDS)} | {"oh": "0"}
_DIGIT_WORD: Final = rf"(?:{'|'.join(_ENGLISH_DIGITS)})"
_ENGLISH_NUMBER: Final = re.compile(
    rf"(?<![a-z]){_DIGIT_WORD}(?:[ ,\n-]{{1,2}}{_DIGIT_WORD}){{2,40}}(?![a-z])", re.IGNORECASE
)
_REPEATED_WORD: Final = re.compile(rf"({_DIGIT_WORD})[ ,\n-]{{1,2}}\1", re.IGNORECASE)

# p-a-s-s: at least five letters or digits with one mark between them.
_SPELLED_OUT: Final = re.compile(
    r"[A-Za-z0-9](?<![A-Za-z0-9]{2})([-.· ])[A-Za-z0-9](?:\1[A-Za-z0-9]){3,60}(?![A-Za-z0-9])"
)


@dataclass(frozen=True, slots=True)
class PlainForm:
    """A text written one way, and where each of its characters stood in the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return from where to where a part of the text stood in the original."""
        return self.starts[start], self.ends[end - 1]


def plain_form(text: str) -> PlainForm:
    """Return a text as rules look through it.

    >>> plain_form("卡号４５３９ 六六三九").text
    '卡号4539 6639'
    """
    form = PlainForm(text, range(len(text)), range(1, len(text) + 1))
    if not text.isascii():
        form = _in_digits(_visible(form))
    lowered = text.lower()
    words = sum(word in lowered for word in _ENGLISH_DIGITS)
    if words > 1 or (words and _REPEATED_WORD.search(text)):
        form = _joined(form, _ENGLISH_NUMBER)
    return _joined(form, _SPELLED_OUT)


def _visible(form: PlainForm) -> PlainForm:
    """Return a form in compatibility characters (NFKC), without those that nobody sees."""
    text = form.text
    rest = text.translate(_WITHOUT_MARKS)
    if unicodedata.is_normalized("NFKC", rest) and not _INVISIBLE.search(rest):
        return form
    letters: list[str] = []
    starts: list[int] = []
    for place, letter in enumerate(text):
        if letter.isascii() or letter in _STAYS:
            plain = letter
        elif _INVISIBLE.match(letter):
            continue
        else:
            plain = unicodedata.normalize("NFKC", letter)
        letters.append(plain)
        starts += [place] * len(plain)
    return PlainForm("".join(letters), starts, [place + 1 for place in starts])


def _in_digits(form: PlainForm) -> PlainForm:
    """Return a form with numbers of Chinese digits written in ours."""
    text = _CHINESE_NUMBER.sub(
        lambda found: "".join(_CHINESE_DIGITS[digit] for digit in found[0]), form.text
    )
    return PlainForm(text, form.starts, form.ends)


def _is_digits_apart(text: str) -> bool:
    """Tell whether only digits stand apart, which every rule for numbers reads as they are."""
    return not any(sign.isalpha() for sign in text)


def _joined(form: PlainForm, pattern: re.Pattern[str]) -> PlainForm:
    """Return a form in which each match of ``pattern`` is written without its separators."""
    found = [match for match in pattern.finditer(form.text) if not _is_digits_apart(match[0])]
    if not found:
        return form
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for match in found:
        for at in range(last, match.start()):
            letters.append(form.text[at])
            starts.append(form.starts[at])
            ends.append(form.ends[at])
        for word in re.finditer(r"[A-Za-z0-9]+", match[0]):
            start, end = match.start() + word.start(), match.start() + word.end()
            letters.append(_ENGLISH_DIGITS.get(word[0].lower(), word[0]))
            starts.append(form.starts[start])
            ends.append(form.ends[end - 1])
        last = match.end()
    letters.append(form.text[last:])
    starts += form.starts[last:]
    ends += form.ends[last:]
    return PlainForm("".join(letters), starts, ends)
