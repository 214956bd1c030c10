"""Corrections that say only what is right: 说错了，是6月16, "oops, I meant Bath", "sorry, 35".

What was told is told again with the right word in the place of the wrong one, and nothing else of
it changes: a day for a day, a number for a number, a name for a name.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from difflib import SequenceMatcher
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.text.dates import date_mentions
from memory.text.late_pattern import LatePattern
from memory.text.slot_core import KIN_ZH

_I: Final = re.IGNORECASE

_SLIP: Final = (
    r"[说打写讲输搞弄记][错岔混]了?|错了|口误|手[滑误]|嘴瓢|更正(?:一下)?|不对"
    r"|\b(?:i mean(?:t)?|typo|correction|make that|scratch that|misspoke|no wait|wrong one"
    r"|(?:my|the) mistake)\b"
)
"""Who says this was wrong just now, and means nothing else."""

_REGRET: Final = r"抱歉|不好意思|等等|等下|\b(?:sorry|oops|whoops|no|wait|actually|my bad)\b"
"""Whoever says only this may speak of something else."""

_ONLY_RIGHT: Final = LatePattern(
    rf"^\W*(?:(?:(?P<slip>{_SLIP})|{_REGRET}|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)+"
    r"(?:我(?:是|想)?说的?|我的意思|应该)?"
    r"(?:(?:[他她它]的?(?:名字)?)?(?:是|叫)|\b(?:it['’]?s|that['’]?s|it is|it was|i said)\b"
    r"|\b(?:his|her|its) name(?: is|['’]s)|\b(?:s?he|it)(?:['’]s| is) (?:called|named))?\s*"
    r"(?P<right>[^，,。！!？?；;：:]{1,24}?)\s*(?:才对|哈|啦)?"
    r"(?:[，,]?\s*(?:and |而)?(?:\bnot\b|不[是叫])\s*(?P<wrong>[^，,。！!？?；;：:]{1,24}?))?"
    r"[。.！!~～\s]*$",
    _I,
)

_OF_SOMEBODY: Final = LatePattern(
    rf"^\W*(?:(?:{_SLIP}|{_REGRET}|不是|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)+"
    r"(?:我(?:是|想)?说(?:的是)?|我的意思是?|应该是?)?[，,]?\s*"
    rf"(?:我们?家?的?(?P<kin>{KIN_ZH}|[猫狗])(?:的?名字)?叫做?(?P<name>[^，,。！!？?了吗我你他她]{{2,6}})"
    r"|(?:my|our) (?P<kin_en>[\w-]+(?: \w+)?)(?:(?:['’]s name)? is|['’]s)(?: called| named)?"
    r" (?P<name_en>(?-i:[A-Z])[\w'’-]+))[。.！!~～\s]*$",
    _I,
)
"""不对，我弟弟叫小壮: who corrects says of whom, and nothing else."""

_CAPITAL: Final = r"[A-Z][\w'’-]+"

_THE_OTHER: Final = LatePattern(
    rf"^\W*(?:[Nn]o\b\W*)?(?:(?P<right>{_CAPITAL}),? (?:and )?not (?P<wrong>{_CAPITAL})"
    rf"|[Nn]ot (?P<false>{_CAPITAL})\W+(?:but |it['’]?s )?(?P<true>{_CAPITAL}))\W*$"
)
"""Elias, not Emil."""

_SAYS_MORE: Final = re.compile(
    r"[我你他她它]|\b(?:i|you|he|she|it|we|they|my|your|his|her|our|their)\b", _I
)
"""不对，我叫李鸣 is a whole sentence."""

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?|[零一二两三四五六七八九十百]+")

_ANY_FIGURE: Final = re.compile(r"\d+")

_FIGURE: Final = re.compile(
    rf"(?P<number>{_NUMBER.pattern})(?:[岁个只口人斤]|公斤| years? old)?", _I
)

_NAME: Final = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")

_NAMED_LAST: Final = re.compile(
    r"(?:叫做?|是|住在|姓)([^，。]{2,6})$|\b(?:is|called|named|in|at) ([A-Z][^,.]*)$"
)

_DAY_IN_BRACKETS: Final = re.compile(r" ?[（(][\d~ -]+[）)]")
"""The day that was written behind a word like 下周三 when it was learnt."""

_MOST_WORDS: Final = 3

_MOST_SIGNS: Final = 6


class RightWord(NamedTuple):
    """What a correction says is right; ``is_slip``: that something was wrong is said outright.

    ``about`` is whom it is about and ``wrong`` what was wrong, if it says so: nothing else is
    put right then.
    """

    word: str
    is_slip: bool
    about: str = ""
    wrong: str = ""


def right_word(text: str) -> RightWord | None:
    """Return what a message that only corrects says is right; None if it says anything else.

    >>> right_word("sorry, I meant Bath")
    RightWord(word='Bath', is_slip=True, about='', wrong='')
    """
    if whose := _OF_SOMEBODY.match(text):
        word = whose["name"] or whose["name_en"]
        return RightWord(word, is_slip=True, about=whose["kin"] or whose["kin_en"])
    if other := _THE_OTHER.match(text):
        word, wrong = other["right"] or other["true"], other["wrong"] or other["false"]
        return RightWord(word, is_slip=True, wrong=wrong)
    found = _ONLY_RIGHT.match(text)
    if found is None or _SAYS_MORE.search(found["right"]):
        return None
    wrong = found["wrong"] or ""
    named = bool(wrong) and _is_name(wrong) and _is_name(found["right"])
    return RightWord(found["right"], named or found["slip"] is not None, wrong=wrong)


def put_right(
    told: str, right: RightWord, values: Iterable[str], at: datetime, zone: ZoneInfo
) -> tuple[str, float] | None:
    """Return what was told with the right word in it, and how like the wrong one that is, 0 to 1.

    ``values`` are the words of ``told`` that may be names; None if nothing can stand in its place.

    >>> at = datetime(2026, 3, 4, tzinfo=ZoneInfo("UTC"))
    >>> put_right("Ann is 34", RightWord("35", False), (), at, ZoneInfo("UTC"))
    ('Ann is 35', 0.5)
    """
    plain = _DAY_IN_BRACKETS.sub("", told)
    if right.word.lower() in plain.lower() or right.about.lower() not in plain.lower():
        return None
    if right.wrong:
        there = right.wrong in plain
        return (plain.replace(right.wrong, right.word, 1), 1.0) if there else None
    wrong = [*_replaceable(plain, right, values, at, zone)]
    if not wrong:
        return None
    likeness = {each: _likeness(each, right.word) for each in wrong}
    old = max(wrong, key=lambda each: likeness[each])
    return plain.replace(old, _in_place_of(old, right.word), 1), likeness[old]


def is_put_right(
    new: str, told: str, right: RightWord, values: Iterable[str], at: datetime, zone: ZoneInfo
) -> bool:
    """Whether a text is what was told, with the right word in place of a wrong one."""
    found = put_right(told, right, values, at, zone)
    return found is not None and found[0] == _DAY_IN_BRACKETS.sub("", new)


def _replaceable(
    told: str, right: RightWord, values: Iterable[str], at: datetime, zone: ZoneInfo
) -> Iterator[str]:
    # "Wednesday" alone may be anything; "on Wednesday" is a day.
    day = f"on {right.word}"
    if any(each.end == len(day) for each in date_mentions(day, at, zone)):
        for each in date_mentions(told, at, zone):
            yield re.sub("^on ", "", told[each.start : each.end])
    elif _FIGURE.fullmatch(right.word):
        found = _NUMBER.findall(told)
        yield from found if len(found) == 1 else ()
    elif _ANY_FIGURE.search(right.word):
        # 6月16 for 6月18, 502 for 205.
        yield from (each for each in values if each in told and _form(each) == _form(right.word))
    elif right.is_slip and _is_name(right.word):
        named = _NAMED_LAST.search(told)
        last = [named[named.lastindex or 0]] if named else []
        yield from (each for each in (*values, *last) if _is_name(each) and each in told)


def _in_place_of(old: str, right: str) -> str:
    """Return the right word without what stands behind a number already: 35, for "34 years"."""
    figure = _FIGURE.fullmatch(right)
    return figure["number"] if figure and _NUMBER.fullmatch(old) else right


def _form(text: str) -> str:
    return _ANY_FIGURE.sub("0", text.lower())


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def _is_name(text: str) -> bool:
    """Whether a text is as short as a name, and in English written as one."""
    if text.isascii():
        return _NAME.fullmatch(text) is not None and len(text.split()) <= _MOST_WORDS
    return 1 < len(text) <= _MOST_SIGNS


_WITHIN: Final = LatePattern(
    r"(?:^|(?<=[，,。.!！?？;；…\n]))\s*(?P<wrong>(?!(?:oh|sorry|oops|wait|no|ah|er|um)\b)"
    r"[^，,。.!！?？;；…\n]+)[，,。.!！;；…\s]+"
    r"(?:(?:[哦噢啊哎呃诶欸嗯][，,]?\s*)*(?:不对不?对?|[说打记讲搞弄写输][错岔混]了?|口误)|[哦噢啊哎呃诶欸]+不是"
    r"|(?:(?:oh|sorry|oops)[,.]? )*"
    r"(?:no,? wait|wait,? no|scratch that|i meant|make that|typo|correction)\b)"
    r"[，,。.!！…:：\s]+(?P<right>[^，,。.!！?？;；…\n]+)",
    _I,
)
"""Something told, and taken back in the same message: 我女儿今年八岁……哦不对，是儿子."""

_WHOLE: Final = LatePattern(
    r"[我俺咱]|(?:i|i['’]m|i['’]ve|my|we|our|he|she|they|his|her)\b", re.IGNORECASE
)

_DENIED: Final = LatePattern(r"[没不]|n['’]t\b|\b(?:no|not|never)\b", re.IGNORECASE)

_MOST_SLIPS: Final = 3


def without_slips(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return a message without what it takes back itself, with the right word where that is plain.

    >>> at = datetime(2026, 3, 4, tzinfo=ZoneInfo("UTC"))
    >>> without_slips("我今年四十一，说错了，四十二", at, ZoneInfo("UTC"))
    '我今年四十二'
    """
    for _ in range(_MOST_SLIPS):
        found = _WITHIN.search(text)
        if found is None:
            break
        wrong, right = found["wrong"].strip(), found["right"].strip()
        text = text[: found.start()] + _said_right(wrong, right, at, zone) + text[found.end() :]
    return text.strip(" ，,。")


def _said_right(wrong: str, right: str, at: datetime, zone: ZoneInfo) -> str:
    """Return what was told wrongly with the right word; "" where nobody can tell its place."""
    if _WHOLE.match(right):
        return right
    word = None if _DENIED.search(wrong) else right_word(f"打错了，{right}")
    told = put_right(wrong, word, (), at, zone) if word else None
    return told[0] if told else ""
