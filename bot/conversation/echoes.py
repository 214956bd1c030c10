"""What of a model's reply is its own: marks of ours are cut off, and a mere echo is recognised.

Small models copy what they read: the hour the program notes, a name in front of a line, the
partner's own sentence. None of that is an answer, so it is neither shown nor kept.
"""

import re
from collections.abc import Sequence
from typing import Final

_HOUR: Final = r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2})?"

_MARK: Final = re.compile(
    rf"\s*(?:[\[［【]{_HOUR}[\]］】]"
    rf"|[（(](?:程序附注|Note by the program)[^）)\n]*[）)]"
    rf"|[（(](?:said on )?{_HOUR}(?: ?说的)?[：:]?[）)]"
    r"|(?:小祥|Xiaoxiang)(?:（小祥）| \(Xiaoxiang\))?[：:]"
    r"|[<＜]/?(?:记忆|对话|memories|talk)[^>＞\n]{0,20}[>＞]"
    r"|m\d{1,3} ?[|｜][^\n]*(?:\n|$)"
    r"|\d{1,2} ?[|｜] ?" + _HOUR + r" ?[|｜] ?)\s*"
)
"""One mark of the program at the beginning of a text or of a line."""

_MARKS: Final = re.compile(rf"(?:{_MARK.pattern})+")

_LINE_MARK: Final = re.compile(rf"(?<=\n)[ \t]*[\[［【]{_HOUR}[\]］】][ \t]*")

_LONGEST_MARK: Final = 200
"""So long a mark of ours may be; what goes on longer without its end is none."""

_OPENS_MARK: Final = re.compile(r"[\[［【（(<＜\dm小X]")
"""The characters one of which every mark begins with."""

_HALF_MARK: Final = re.compile(
    r"[\[［【][\d\- :T]*"
    r"|[（(](?:程序附注|Note by the program|said on|\d)[^）)\n]*"
    r"|[<＜]/?[^>＞\n]{0,30}|m\d{0,3} ?(?:[|｜][^\n]*)?|\d{1,2} ?(?:[|｜][\d\- :T]*)?"
)
"""A mark that has begun and is not at its end."""

_STARTS: Final = (
    "小祥：",
    "小祥:",
    "Xiaoxiang:",
    "（程序附注",
    "(Note by the program",
    "(said on",
)

_WIDE: Final = re.compile("[\u2e80-\U0010ffff]")

_SYMBOL: Final = re.compile(r"[\W_]+")

_WORD: Final = re.compile(r"[a-z0-9']+")

WIDE_WEIGHT: Final = 0.7
"""How much of a word one Chinese character counts."""

ECHO_WORDS: Final = 4.0
"""Fewer words may be said back: 晚安, 新年快乐, "good night" are answers to themselves."""


def own_words(reply: str, said: Sequence[str]) -> str:
    """Return what of a reply is hers: without our marks, and without the partner's line before it.

    ``said`` are the lines to be answered. Empty if nothing is hers: an echo, or only marks.

    >>> own_words("[2026-11-22 14:20] Hello Ann!", ["Hi, I am Ann."])
    'Hello Ann!'
    >>> own_words("[2026-11-22 14:20] Hi, I am Ann.", ["Hi, I am Ann."])
    ''
    """
    text, echoes = _without_marks(reply), _echoes(said)
    while text:
        if _bare(text) in echoes:
            return ""
        first, _, rest = text.partition("\n")
        if not rest.strip() or _bare(first) not in echoes:
            break
        text = _without_marks(rest)
    return text


def surely_own(growing: str, said: Sequence[str]) -> str:
    """Return the part of a growing reply that can be shown by now: what :func:`own_words` keeps.

    Nothing yet while it may still turn out to be a mark or an echo.
    """
    rest = growing[_end_of_marks(growing) :].lstrip()
    if _may_be_mark(rest):
        return ""
    bare = _bare(rest)
    if not bare or any(echoed.startswith(bare) for echoed in _echoes(said)):
        return ""
    text = own_words(growing, said)
    # A later line may begin with a mark as well.
    start = text.rfind("\n") + 1
    half = start and re.fullmatch(r"[ \t]*[\[［【][\d\- :T]*", text[start:])
    return text[:start].rstrip() if half else text


def _without_marks(reply: str) -> str:
    return _LINE_MARK.sub("", reply[_end_of_marks(reply) :]).strip()


def _end_of_marks(text: str) -> int:
    found = _MARKS.match(text)
    return found.end() if found else 0


def _may_be_mark(text: str) -> bool:
    if not text:
        return True
    if len(text) > _LONGEST_MARK or not _OPENS_MARK.match(text):
        return False
    return bool(_HALF_MARK.fullmatch(text)) or any(each.startswith(text) for each in _STARTS)


def _echoes(said: Sequence[str]) -> list[str]:
    """Return the lines, each and all together, as they would read if they were said back."""
    lines = (_bare(line) for line in (*said, "\n".join(said)) if _is_long(line))
    return [line for line in dict.fromkeys(lines) if line]


def _bare(text: str) -> str:
    """Return the letters and digits of a text, which is what an echo has in common with it."""
    return _SYMBOL.sub("", text.casefold())


def _is_long(text: str) -> bool:
    """Tell whether a line is so long that saying it back is no answer."""
    folded = text.casefold()
    words = len(_WORD.findall(_WIDE.sub(" ", folded)))
    return words + WIDE_WEIGHT * len(_WIDE.findall(_SYMBOL.sub("", folded))) >= ECHO_WORDS
