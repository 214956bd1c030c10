"""Numbers in any writing: 5000, 5,000, 5k, 五千 and "five thousand" are one value."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ZH_DIGITS: Final = {
    **{each: value for value, each in enumerate("零一二三四五六七八九")},
    "〇": 0,
    "两": 2,
    "兩": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
}

_ZH_SCALES: Final = {"十": 10, "百": 100, "千": 1000}

_ZH_LARGE: Final = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}

_EN_SMALL_WORDS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""

_EN_SMALL: Final = {each: value for value, each in enumerate(_EN_SMALL_WORDS.split())}

_EN_TENS_WORDS: Final = """
twenty thirty forty fifty sixty seventy eighty ninety
"""

_EN_TENS: Final = {each: 10 * value for value, each in enumerate(_EN_TENS_WORDS.split(), start=2)}

_EN_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

_EN_ORDINALS: Final = {"first": 1, "third": 3, "fourth": 4, "fifth": 5, "twice": 2, "dozen": 12}

_EN_VALUES: Final = {**_EN_SMALL, **_EN_TENS, **_EN_ORDINALS}

_EN_WORDS: Final = "|".join([*_EN_VALUES, *_EN_SCALES])

# 一 in 一起 or 一直 counts nothing; 五一 is a holiday, but both sides are read alike.
_NUMBER: Final = re.compile(
    r"(?P<figures>[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?P<scale>\s?k(?![a-z0-9])|[万萬千百亿億])?"
    r"|(?P<zh>(?:一(?![起直定样般边些点下旦切再共向律同流味时個个])|[零〇二三四五六七八九十百千万萬亿億两兩俩仨壹])"
    r"[零〇一二三四五六七八九十百千万萬亿億]*)"
    rf"|\b(?P<en>(?:{_EN_WORDS})(?:(?:[\s-]|\sand\s)(?:{_EN_WORDS}))*)\b"
)


class Numeral(NamedTuple):
    """A number of a text: where it stands, and what it is worth, written plainly."""

    start: int
    end: int
    value: str


def numerals(folded: str) -> Iterator[Numeral]:
    """Yield every number of a folded text, in order.

    >>> [each.value for each in numerals("五千, 5k, 5,000, five thousand, 一米八三")]
    ['5000', '5000', '5000', '5000', '1', '83']
    """
    for found in _NUMBER.finditer(folded):
        yield Numeral(found.start(), found.end(), _plain(_value(found)))


def _value(found: re.Match[str]) -> float:
    if found["figures"]:
        value = float(found["figures"].replace(",", ""))
        scale = (found["scale"] or "").strip()
        return value * ({**_ZH_SCALES, **_ZH_LARGE, "k": 1000}[scale] if scale else 1)
    return _chinese(found["zh"]) if found["zh"] else _english(found["en"])


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _chinese(text: str) -> float:
    """Return the value of a Chinese numeral: by scales, or digit by digit (八三)."""
    if not any(each in _ZH_SCALES or each in _ZH_LARGE for each in text):
        return float("".join(str(_ZH_DIGITS[each]) for each in text[:40]))
    total = part = digit = 0
    scale = 1
    for each in text:
        if each in _ZH_DIGITS:
            digit = _ZH_DIGITS[each]
        elif each in _ZH_SCALES:
            scale = _ZH_SCALES[each]
            part += (digit or 1) * scale
            digit = 0
        else:
            scale = _ZH_LARGE[each]
            total, part, digit = (total + part + digit or 1) * scale, 0, 0
    # 一百八 is 180, 十八 is 18 and 三百零五 is 305.
    short = digit and scale > _ZH_SCALES["十"] and len(text) > 1 and text[-2] not in "零〇"
    return float(total + part + (digit * scale // 10 if short else digit))


def _english(text: str) -> float:
    total = part = 0
    for word in re.split(r"[\s-]+", text):
        if word == "hundred":
            part = (part or 1) * 100
        elif word in _EN_SCALES:
            total, part = total + (part or 1) * _EN_SCALES[word], 0
        else:
            part += _EN_VALUES.get(word, 0)
    return float(total + part)
