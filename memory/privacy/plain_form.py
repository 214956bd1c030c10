"""Texts as they are looked through: written one way, with the place of every character kept.

People write one number in many ways: full-width, with invisible characters between the digits, in
Chinese or English words, letter by letter. Rules that look for secrets see one way only, and what
they find is cut where it stood. Tokens of Latin letters, digits and signs are found here too, and
which of them look made up.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory.privacy.shapes import FUNCTION_WORDS, Place
from memory.text.dates_en import DIGIT_NAMES
from memory.text.late_pattern import LatePattern

# The marks that part sentences stay as they are: "，" ends a password, "," may belong to it.
_STAYS: Final = frozenset("，；：！？（）、。")

# Soft hyphen, zero-width characters, direction marks, variation selectors, the keycap.
_WITHOUT_MARKS: Final = dict.fromkeys(map(ord, _STAYS))

_INVISIBLE: Final = LatePattern(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    "\u20e3]"
)

_CHINESE_DIGITS: Final = {
    **dict(zip("零一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    **dict(zip("○貳參陸幺洞拐勾", "02361079", strict=True)),
}
# Fewer in a row are words: 一五 may be a weekday and another.
_ANY_DIGIT: Final = f"[{''.join(_CHINESE_DIGITS)}]"
# 么 is how one is read out, where it stands between other digits.
_CHINESE_NUMBER: Final = LatePattern(
    f"{_ANY_DIGIT}(?:{_ANY_DIGIT}|(?<={_ANY_DIGIT})[么麼](?={_ANY_DIGIT})){{2,40}}"
)

_WORDS: Final = DIGIT_NAMES
_TEENS: Final = [
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
]  # fmt: skip
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ENGLISH_NUMBERS: Final = (
    {word: str(n) for n, word in enumerate(_WORDS)}
    | {word: str(10 + n) for n, word in enumerate(_TEENS)}
    | {word: str(20 + 10 * n) for n, word in enumerate(_TENS)}
    | {"oh": "0", "nought": "0", "naught": "0", "niner": "9"}
)
_REPEATS: Final = {"double": 2, "treble": 3, "triple": 3}
_DIGIT_WORD: Final = rf"(?:{'|'.join(_WORDS)}|oh|nought|naught|niner)"
_NUMBER_WORD: Final = (
    rf"(?:(?:(?P<repeat>{'|'.join(_REPEATS)})[ -](?P<repeated>{_DIGIT_WORD}|\d))"
    rf"|(?P<tens>{'|'.join(_TENS)})[ -](?P<ones>{'|'.join(_WORDS[1:])})"
    rf"|(?P<plain>{'|'.join(sorted(_ENGLISH_NUMBERS, key=len, reverse=True))}))(?![a-z])"
)
_UNNAMED: Final = re.sub(r"\?P<\w+>", "?:", _NUMBER_WORD)
_ENGLISH_NUMBER: Final = LatePattern(
    rf"(?<![a-z]){_UNNAMED}(?:[ ,\n.-]{{1,3}}(?:{_UNNAMED}|\d{{1,2}}(?!\d))){{1,40}}",
    re.IGNORECASE,
)
_NUMBER_UNIT: Final = LatePattern(rf"{_NUMBER_WORD}|(?P<digits>\d+)", re.IGNORECASE)
_SOME_NUMBER: Final = LatePattern(
    rf"{_DIGIT_WORD}|{'|'.join(_REPEATS)}|teen|ty[ -]", re.IGNORECASE
)

# 八个八, three sevens: so many times one digit.
_TIMES: Final = LatePattern(
    rf"(?P<times>[2-8二两兩三四五六七八])\s?[个個]\s?(?P<digit>[0-9零一二三四五六七八九])(?![0-"
    rf"9零一二三四五六七八九十百千万个個块塊元]|点|點)"
    rf"|(?<![a-z])(?P<count>{'|'.join(_WORDS[2:])})\s(?P<many>{'|'.join(_WORDS)})e?s(?![a-z])",
    re.IGNORECASE,
)

# p-a-s-s, or capital P, a, s, then s: single letters, digits and signs told one by one.
_SIGN: Final = r"(?<![A-Za-z0-9'’])[A-Za-z0-9](?![A-Za-z0-9'’])"
_CASE: Final = (
    r"(?:capital|big|upper\s?case|small|lower\s?case|大写的?|小写的?|大寫的?|小寫的?)\s?"
)
_APART: Final = (
    r"[-.· ,，、]{0,5}+"
    r"(?:(?:(?:and\s)?then\s|接着|接著|然后|然後|最后|最後|再|加)[-.· ,，、]{0,2}+)?"
)
_SPELLED_OUT: Final = LatePattern(
    rf"(?:{_CASE})?{_SIGN}(?:(?=[^A-Za-z0-9]){_APART}(?:{_CASE})?(?:{_SIGN}"
    rf"|[#@!$%&*_+=?](?=[ ,，、]|$))){{3,60}}",
    re.IGNORECASE,
)
_SPELLED_UNIT: Final = LatePattern(rf"{_SIGN}|[#@!$%&*_+=?]")

# 密 码 是: characters that stand apart are words like any others.
_CHARACTERS_APART: Final = LatePattern(
    r"(?<![\u3400-\u9fff])[\u3400-\u9fff](?: [\u3400-\u9fff]){1,4}(?![\u3400-\u9fff]"
    r"| [\u3400-\u9fff])"
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
        form = _in_digits(_repeated(_visible(form)))
        form = _joined(form, _CHARACTERS_APART, _CHARACTER)
    if _SOME_NUMBER.search(text):
        form = _repeated(form)
        form = _joined(form, _ENGLISH_NUMBER, _NUMBER_UNIT)
    return _joined(form, _SPELLED_OUT, _SPELLED_UNIT)


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
        lambda found: "".join(_CHINESE_DIGITS.get(digit, "1") for digit in found[0]), form.text
    )
    return PlainForm(text, form.starts, form.ends)


def _repeated(form: PlainForm) -> PlainForm:
    """Return a form with a digit told with how often it stands written as often."""
    return _joined(form, _TIMES, _TIMES)


def _is_digits_apart(text: str) -> bool:
    """Tell whether only digits stand apart, which every rule for numbers reads as they are."""
    return not any(sign.isalpha() for sign in text)


_CHARACTER: Final = LatePattern(r"[^ ]")


def _joined(form: PlainForm, pattern: LatePattern, unit: LatePattern) -> PlainForm:
    """Return a form in which of each match of ``pattern`` only its units stand, side by side."""
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
        for each in unit.finditer(form.text, match.start(), match.end()):
            for sign in _written(each):
                letters.append(sign)
                starts.append(form.starts[each.start()])
                ends.append(form.ends[each.end() - 1])
        last = match.end()
    letters.append(form.text[last:])
    starts += form.starts[last:]
    ends += form.ends[last:]
    return PlainForm("".join(letters), starts, ends)


def _digit(word: str) -> str:
    return (
        _ENGLISH_NUMBERS.get(word.lower())
        or _CHINESE_DIGITS.get(word)
        or {"两": "2", "兩": "2"}.get(word, word)
    )


def _written(unit: re.Match[str]) -> str:
    """Return what a unit says in digits or letters: double seven is 77, forty-two is 42."""
    named = unit.groupdict()
    if named.get("times"):
        return _digit(named["digit"]) * int(_digit(named["times"]))
    if named.get("count"):
        return _digit(named["many"]) * int(_digit(named["count"]))
    if named.get("repeat"):
        digit = _ENGLISH_NUMBERS.get(named["repeated"].lower(), named["repeated"])
        return digit * _REPEATS[named["repeat"].lower()]
    if named.get("tens"):
        return _ENGLISH_NUMBERS[named["tens"].lower()][0] + _ENGLISH_NUMBERS[named["ones"].lower()]
    if named.get("plain"):
        return _ENGLISH_NUMBERS[named["plain"].lower()]
    return unit[0]


SHORTEST: Final = 4
"""The fewest characters of a password, and digits of a code."""

_SHORTEST_MADE_UP: Final = 5
_LONGEST_TOKEN: Final = 200


TOKEN: Final = LatePattern(r"[!-~]+")

_NO_PASSWORD: Final = LatePattern(
    r"1password|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S*|www\.[\w-]+\.\w\S*"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|cn|org|net|io|me)"
    r"(?:/\S*)?|\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?|v?\d+(?:\.\d+)+|[\d.,]+"
    r"(?:[kcm]?m|[km]?g|m?l|[kmgt]i?b(?:ps)?|[kmg]?hz|[kmg]?w|ms|mah|rmb|cny|usd|[wvshdkxptm+]"
    r"|[ap]m"
    r"|px|fps|th|st|nd|rd|in|ft|lb|oz|hours?|days?|mins?|secs?|years?)(?:/\w{1,5})?"
    r"|[a-z]+(?:['’-][a-z]+)*|[a-z]+(?:[-/][a-z]+)*",
    re.ASCII | re.IGNORECASE,
)
_SYMBOL_INSIDE: Final = LatePattern(r"[A-Za-z0-9][_@#$%^&*!+=~?|\\][A-Za-z0-9$#@!*]")
_MIXED_INSIDE: Final = LatePattern(r"[a-z][A-Z]|[A-Z]{4}")


def tokens_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Place]:
    """Yield where tokens of Latin letters, digits and signs stand, without the marks around."""
    for found in TOKEN.finditer(text, start, len(text) if end is None else end):
        a, b = found.span()
        while a < b and text[a] in "\"'([{<`,;:=>^-.":
            a += 1
        while a < b and text[b - 1] in "\"')]}>`,;:?.":
            b -= 1
        if a < b:
            yield a, b


def looks_told(token: str) -> bool:
    """Tell whether a token beside a cue may be what it announces."""
    return looks_secret(token) or (
        len(token) >= SHORTEST
        and (token.strip("#*").isdigit() or bool(_MIXED_INSIDE.search(token)))
    )


def looks_secret(token: str) -> bool:
    """Tell whether a token looks made up: no word, number, date, address or measure does.

    >>> looks_secret("hx77qq"), looks_secret("simba$Mufasa"), looks_secret("10km")
    (True, True, False)
    """
    if not _SHORTEST_MADE_UP <= len(token) <= _LONGEST_TOKEN or _NO_PASSWORD.fullmatch(token):
        return False
    letters = any(sign.isalpha() for sign in token)
    digits = any(sign.isdigit() for sign in token)
    return (letters and digits) or (letters and bool(_SYMBOL_INSIDE.search(token)))


_SHORTEST_STRONG: Final = 8
_SIGNS: Final = frozenset("!@#$%^&*+=~?|_")


def looks_strong(token: str) -> bool:
    """Tell whether a token has what forms ask of a password: letters, digits and signs.

    >>> looks_strong("Tr0ub4dor&3"), looks_strong("iPhone15Pro"), looks_strong("C++11")
    (True, False, False)
    """
    kinds = [any(map(kind, token)) for kind in (str.isdigit, str.isalpha)]
    return (
        len(token) >= _SHORTEST_STRONG
        and looks_secret(token)
        and all(kinds)
        and any(map(_SIGNS.__contains__, token))
    )


_SHORTEST_KEY: Final = 20


def keys_alone_in(text: str) -> Iterator[Place]:
    """Yield where tokens stand that are so long and mixed that nothing else is written so.

    Small letters, capitals and digits by chance, as in base64: identifiers of orders and commits
    keep to one case.
    """
    for found in _HIGH_ENTROPY.finditer(text):
        token = found[0]
        kinds = (str.isdigit, str.islower, str.isupper)
        if len(token) < _SHORTEST_KEY or _NO_PASSWORD.fullmatch(token):
            continue
        mixed = all(sum(map(kind, token)) > 1 for kind in kinds)
        words = re.findall(r"[A-Za-z][a-z]{3,}", token)
        if mixed and 2 * sum(map(len, words)) < len(token) and len({*token}) >= len(token) // 3:
            yield found.span()


_HIGH_ENTROPY: Final = LatePattern(r"(?<![\w/.:-])[\w~.+/=-]{16,500}(?![\w-])", re.ASCII)


def keys_told_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Place]:
    """Yield where tokens stand that are as long and as mixed as keys."""
    for found in _HIGH_ENTROPY.finditer(text, start, len(text) if end is None else end):
        token = found[0]
        digits = sum(sign.isdigit() for sign in token)
        letters = sum(sign.isalpha() for sign in token)
        if min(digits, letters) > 1 and not _NO_PASSWORD.fullmatch(token):
            yield found.start(), found.end() - (token[-1] in ".=/" and token[-1] != "=")


_PAIR: Final = LatePattern(
    r"(?<![\w@])(?:[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,20}){1,4}|admin|root|administrator"
    r"|guest)\s?[/|]\s?([!-~]{5,80})",
    re.ASCII | re.IGNORECASE,
)


def pairs_in(text: str) -> Iterator[Place]:
    """Yield what follows an address or a name of an administrator and a slash: admin / Tp@lin4."""
    for found in _PAIR.finditer(text):
        if looks_secret(found[1]):
            yield found.span(1)


_FILLERS: Final = LatePattern(
    r"(?:(?:uhh?|umm?|just|lol|haha|it['’]?s|it\sis|ok|okay|so|got\sit|here|sure|yes|yeah"
    r"|well|嗯|啊|哦"
    r"|就?是|好像|应该)[\s,.…，。:：!~]*)+",
    re.IGNORECASE,
)
_REPLIES: Final = frozenset(
    [
        "nope", "yeah", "sure", "later", "never", "none", "nothing", "secret", "forgot",
        "forget", "idk", "dunno", "sorry", "okay", "thanks", "thank", "maybe", "tomorrow",
        "hmmm", "haha", "lmao", "wait", "what", "why", "nice", "cool", "good", "fine",
        "great", "okie", "yess", "well", "okay", "done", "stop", "help", "hello", "guess",
        "same", "right", "wrong", "exactly", "please", "really", "already", "always",
        "sometimes", "today", "tonight", "yesterday", "morning", "night", "hahaha", "hehe",
        "none",
    ]
)  # fmt: skip


def plain_word(text: str) -> list[Place]:
    """Return the one word an answer is; the words people answer with anyway are no password."""
    start = found.end() if (found := _FILLERS.match(text)) else 0
    word = LatePattern(r"[A-Za-z][A-Za-z'-]{3,40}(?=[\s.!~]*$)").match(text, start)
    return [word.span()] if word and word[0].lower() not in _REPLIES else []


_PLAIN_WORDS: Final = LatePattern(
    r"[\s\"'“]*([a-z]{3,12}(?:[ -][a-z]{3,12}){1,5})(?=[\s.!~\"'”]*$)", re.IGNORECASE
)


def plain_words(text: str) -> list[Place]:
    """Return the words an answer is, if no sentence is made of such: a pass phrase."""
    start = found.end() if (found := _FILLERS.match(text)) else 0
    words = _PLAIN_WORDS.match(text, start)
    if words is None:
        return []
    said = {word.lower() for word in re.split(r"[ -]", words[1])}
    return [] if said & (FUNCTION_WORDS | _REPLIES) else [words.span(1)]
