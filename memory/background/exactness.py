"""What must be said exactly or not be written down: links, dates and numbers."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.model import Message
from memory.text.dates import date_mentions
from memory.text.tokens import normalized

_URL: Final = re.compile(
    r"https?://\S+|www\.\S+|\b[\w-]{1,63}\.(?:com|net|org|cn|io|xyz|top)\b\S*"
)
_DIGITS: Final = re.compile(r"[0-9]+")
_ZH_DIGITS: Final = "零一二三四五六七八九十"
_EN_DIGITS: Final = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)


def links_were_said(text: str, own: str) -> bool:
    """Tell whether every link of ``text`` stands in what was said, character by character."""
    return all(link in own for link in _URL.findall(text))


def dates_were_meant(text: str, said: Sequence[Message], standing: str, zone: ZoneInfo) -> bool:
    """Tell whether every date of ``text`` is one that was named, or holds the day of speaking.

    What was named is seen from when it was said; a date in the very words that were said, or that
    the memory has already (``standing``), is fine.
    """
    own = "\n".join((*(message.text for message in said), standing))
    named = [each.days for m in said for each in date_mentions(m.text, m.at, zone)]
    spoken_on = {message.at.astimezone(zone).date() for message in said}
    return all(
        text[each.start : each.end] in own
        or any(each.days.first <= day <= each.days.last for day in spoken_on)
        or any(d.first <= each.days.last and each.days.first <= d.last for d in named)
        for message in said[:1]
        for each in date_mentions(text, message.at, zone)
    )


def without_dates(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return ``text`` without the words that name a date."""
    kept: list[str] = []
    end = 0
    for each in date_mentions(text, at, zone):
        if each.start >= end:
            kept.append(text[end : each.start])
            end = each.end
    return " ".join((*kept, text[end:]))


def numbers_were_said(text: str, own: str) -> bool:
    """Tell whether every number of ``text`` was said, in figures or, under 100, in words."""
    said = set(_DIGITS.findall(normalized(own)))
    return all(
        number in said or any(written in own for written in in_words(number))
        for number in _DIGITS.findall(normalized(text))
    )


def in_words(number: str) -> Iterator[str]:
    """Yield how a number under 100 is written in Chinese, and up to ten in English.

    >>> list(in_words("25")), list(in_words("2"))
    (['二十五'], ['二', 'two', '两'])
    """
    if len(number) > len("99"):
        return
    tens, ones = divmod(int(number), 10)
    if tens == 0 or int(number) == len(_ZH_DIGITS) - 1:
        yield _ZH_DIGITS[int(number)]
        yield _EN_DIGITS[int(number)]
    else:
        yield (_ZH_DIGITS[tens] if tens > 1 else "") + "十" + (_ZH_DIGITS[ones] if ones else "")
    if number.endswith("2") and tens == 0:
        yield "两"
