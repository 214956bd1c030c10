"""Tokens of Latin letters, digits and signs, and which of them look made up.

Everything here reads the plain form of a text.
"""

import re
from collections.abc import Iterator
from typing import Final

from memory.privacy.shapes import FUNCTION_WORDS, Place

SHORTEST: Final = 4
"""The fewest characters of a password, and digits of a code."""

_SHORTEST_MADE_UP: Final = 5
_LONGEST_TOKEN: Final = 200


TOKEN: Final = re.compile(r"[!-~]+")

_NO_PASSWORD: Final = re.compile(
    r"1password|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S*|www\.[\w-]+\.\w\S*"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|cn|org|net|io|me)"
    r"(?:/\S*)?|\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?|v?\d+(?:\.\d+)+|[\d.,]+"
    r"(?:[kcm]?m|[km]?g|m?l|[kmgt]i?b(?:ps)?|[kmg]?hz|[kmg]?w|ms|mah|rmb|cny|usd|[wvshdkxptm+]"
    r"|[ap]m"
    r"|px|fps|th|st|nd|rd|in|ft|lb|oz|hours?|days?|mins?|secs?|years?)(?:/\w{1,5})?"
    r"|[a-z]+(?:['’-][a-z]+)*|[A-Z]?[a-z]+(?:[-/][A-Z]?[a-z]+)*",
    re.ASCII | re.IGNORECASE,
)
_SYMBOL_INSIDE: Final = re.compile(r"[A-Za-z0-9][_@#$%^&*!+=~?|\\][A-Za-z0-9$#@!*]")
_MIXED_INSIDE: Final = re.compile(r"[a-z][A-Z]|[A-Z]{4}")


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


_HIGH_ENTROPY: Final = re.compile(r"(?<![\w/.:-])[\w~.+/=-]{16,500}(?![\w-])", re.ASCII)


def keys_told_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Place]:
    """Yield where tokens stand that are as long and as mixed as keys."""
    for found in _HIGH_ENTROPY.finditer(text, start, len(text) if end is None else end):
        token = found[0]
        digits = sum(sign.isdigit() for sign in token)
        letters = sum(sign.isalpha() for sign in token)
        if min(digits, letters) > 1 and not _NO_PASSWORD.fullmatch(token):
            yield found.start(), found.end() - (token[-1] in ".=/" and token[-1] != "=")


_PAIR: Final = re.compile(
    r"(?<![\w@])(?:[\w.+-]{1,64}@[\w-]{1,60}(?:\.[\w-]{1,20}){1,4}|admin|root|administrator"
    r"|guest)\s?[/|]\s?([!-~]{5,80})",
    re.ASCII | re.IGNORECASE,
)


def pairs_in(text: str) -> Iterator[Place]:
    """Yield what follows an address or a name of an administrator and a slash: admin / Tp@lin4."""
    for found in _PAIR.finditer(text):
        if looks_secret(found[1]):
            yield found.span(1)


_FILLERS: Final = re.compile(
    r"(?:(?:uhh?|umm?|just|lol|haha|it['’]?s|its|it\sis|ok|okay|so|got\sit|here|sure|yes|yeah"
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
    word = re.compile(r"[A-Za-z][A-Za-z'-]{3,40}(?=[\s.!~]*$)").match(text, start)
    return [word.span()] if word and word[0].lower() not in _REPLIES else []


_PLAIN_WORDS: Final = re.compile(
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
