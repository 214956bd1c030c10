"""Corrections that say only what is right: 说错了，是6月16, "oops, I meant Bath", "sorry, 35".

What was told is told again with the right word in the place of the wrong one, and nothing else of
it changes: a day for a day, a number for a number, a name for a name.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.text.dates import day_places, days_like, in_its_week
from memory.text.dates_en import WEEKDAYS
from memory.text.late_pattern import LatePattern
from memory.text.names import HOW_WRITTEN, IT_IS
from memory.text.slot_core import KIN_ZH
from memory.text.tokens import tokens
from memory.text.word_forms import (
    COUNTED,
    SIMPLIFIED,
    is_name,
    likeness,
    most_alike,
    names_like,
    number_meant,
    whole_places,
)

_I: Final = re.IGNORECASE

_SLIP: Final = (
    r"[说打写讲输搞弄记][错岔混]了?|错了|口误|手[滑误]|嘴瓢|更正(?:一下)?|不对|[啊哦噢呃]不是?(?=[，,\s])"
    r"|我(?:是说(?![话谎])|说的是|的意思是|是想说)"
    r"|\b(?:i mean(?:t)?|typo|correction|make that|scratch that|misspoke|no wait|wrong one"
    r"|(?:my|the) mistake)\b"
)
"""Who says this was wrong just now, and means nothing else."""

_REGRET: Final = r"抱歉|不好意思|等等|等下|\b(?:sorry|oops|whoops|no|wait|actually|my bad)\b"
"""Whoever says only this may speak of something else ("no wait" is one or two: hence ``++``)."""

_ONLY_RIGHT: Final = LatePattern(
    rf"^\W*(?P<regret>(?:(?:{_SLIP}|{_REGRET}|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)++)"
    r"(?:我(?:是|想)?说的?|我的意思|应该)?"
    r"(?:(?:[他她它]的?(?:名字)?)?(?:是|叫)|\b(?:it['’]?s|that['’]?s|it is|it was|i said)\b"
    r"|\b(?:his|her|its) name(?: is|['’]s)|\b(?:s?he|it)(?:['’]s| is) (?:called|named))?"
    r"(?: (?:on|at|in)\b)?\s*(?:(?:the|my)\b\s*"
    rf"|我(?:们?家)?的?(?=(?:{KIN_ZH})(?![\u4e00-\u9fff])))?"
    r"(?P<right>[^，,。！!？?；;：:]{1,24}?)\s*(?:才对|哈|啦)?"
    r"(?:[，,]?\s*(?:and |而)?(?:\bnot\b|不[是叫])\s*(?P<wrong>[^，,。！!？?；;：:]{1,24}?))?"
    r"[。.！!~～\s]*$",
    _I,
)

_OF_SOMEBODY: Final = LatePattern(
    rf"^\W*(?:(?:{_SLIP}|{_REGRET}|不是|[哦啊哎呃]|\b(?:oh|ah|er|um)\b)[\W_]*)++"
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

_SAYS_MORE: Final = LatePattern(
    r"[我你他她它]|\b(?:i|you|he|she|it|we|they|my|your|his|her|our|their)\b", _I
)
"""不对，我叫李鸣 is a whole sentence."""

_DAY_IN_BRACKETS: Final = LatePattern(r" ?[（(][\d~ -]+[）)]")
"""The day that was written behind a word like 下周三 when it was learnt."""


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
    named = bool(wrong) and is_name(wrong) and is_name(found["right"])
    is_slip = named or re.search(_SLIP, found["regret"], _I) is not None
    return RightWord(found["right"], is_slip, wrong=wrong)


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
    if whole_places(right.word, plain) or right.about.lower() not in plain.lower():
        return None
    if right.wrong:
        told_right = _with_one(plain, right.wrong, right.word, at, zone)
        return (told_right, 1.0) if told_right else None
    named = right.is_slip and bool(is_name(right.word) or re.fullmatch(_KIN, right.word))
    meant = _meant(plain, right.word, values, (at, zone), named=named)
    return (
        (_replaced(plain, meant), likeness(plain[meant[0] : meant[1]], right.word))
        if meant
        else None
    )


def is_put_right(
    new: str, told: str, right: RightWord, values: Iterable[str], at: datetime, zone: ZoneInfo
) -> bool:
    """Whether a text is what was told, with the right word in place of a wrong one."""
    found = put_right(told, right, values, at, zone)
    return found is not None and found[0] == _DAY_IN_BRACKETS.sub("", new)


def _places_of_value(value: str, told: str) -> list[tuple[int, int]]:
    """Return where a value stands; one that is read of the text itself ends where it was read."""
    at = told.find(value) if len(value) > 1 and told.count(value) == 1 else -1
    read = [(at, at + len(value))] if at >= 0 else []
    return whole_places(value, told) or read


def _with_one(told: str, wrong: str, right: str, at: datetime, zone: ZoneInfo) -> str | None:
    """Return a text with one value in the place of another of its kind that it holds once."""
    places = whole_places(wrong, told)
    right = _day_alone(right, told, at, zone) if _kind_of(wrong, at, zone) == "day" else right
    kinds = [_kind_of(each, at, zone) for each in (wrong, right)]
    if len(places) != 1 or kinds[0] != kinds[1] or (wrong in right and right in told):
        return None
    ((start, end),) = places
    return f"{told[:start]}{right}{told[end:]}"


def _day_alone(right: str, told: str, at: datetime, zone: ZoneInfo) -> str:
    """Return the day that what is right begins with, if the rest was told: 五月 of 五月考."""
    end = max((stop for start, stop in day_places(right, at, zone) if not start), default=0)
    return right[:end] if end and right[end:].strip() in told else right


def _kind_of(value: str, at: datetime, zone: ZoneInfo) -> str:
    if (0, len(value)) in day_places(value, at, zone):
        return "day"
    return "number" if COUNTED.match(value) else "word"


_OPENS: Final = LatePattern(
    r"^\W*(?:(?:不对|不是(?=[，,])|(?:你|我)?(?:[说记搞弄听看写打]|是你)[错岔混]|错了"
    r"|(?:oh |um )*(?:no,? )?wait|no(?=[,.!])|typo|make that|scratch that|my (?:bad|mistake)"
    r"|whoops|我(?:是说(?![话谎])|说的是|的意思是|是想说)|[啊哦噢呃]不"
    r"|(?:no,? )?that['’]?s (?:wrong|not (?:right|true|it|correct)|incorrect)"
    r"|(?:no,? )?you(?:['’]ve)? got (?:that|it) wrong|you(?:['’]re| are) wrong|wrong|sorry|oops"
    r"|actually|correction|i mean(?:t)?)(?:\b|(?=[\u4e00-\u9fff])|$)"
    r"[了啊呀哦吧\s，,.。!！:：—-]*)+",
    _I,
)
"""Who begins so puts something right, or says at least that it was wrong."""

_ENDS: Final = LatePattern(
    r"[，,]\s*(?:我(?:刚才)?[看记说打听]错了|才对|sorry|my (?:mistake|bad)"
    r"|i (?:misread|mixed it up))[\s.。!！]*$"
    rf"|{HOW_WRITTEN}|[\s.。!！~～]+$|(?<=[\u4e00-\u9fff\d])才对$",
    _I,
)

_A_VALUE: Final = rf"(?:{WEEKDAYS}|\d[\d:.,]*|(?-i:[A-Z])[\w'’-]+)"

_ONE_NOT_OTHER: Final = LatePattern(
    r"^不是(?P<wrong>[^，,。]{1,16})[，,、\s]*(?:而是|应该是|是)(?P<right>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about>.{0,40}?)(?:是|为))?(?P<right2>[^，,。是]{1,16})"
    r"[，,]\s*(?:而)?不是(?P<wrong2>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about3>.{0,40}?)\b(?:is|are|was|were|am|it['’]?s|that['’]?s)\s+)?"
    r"(?:in |at |on |to )?(?P<right3>[\w' ,.-]{1,24}?),? (?:and )?not (?:in |at |on |to )?"
    r"(?P<wrong3>[\w' -]{1,24})$"
    r"|^(?:it['’]?s |it is )?not (?P<wrong4>[\w' -]{1,24}?),? (?:but|it['’]?s|it is)"
    r" (?P<right4>[\w' -]{1,24})$"
    rf"|^(?:it['’]?s )?not (?P<wrong5>{_A_VALUE}),? (?P<right5>{_A_VALUE})$"
    r"|^(?P<about6>[^,.;]{1,40}?)(?: is ?n['’]?t| is not|['’]s not)(?: called| named)?"
    rf" (?P<wrong6>[\w'’-]+(?: [\w'’-]+)?)[,.;]* {IT_IS} (?P<right6>[\w'’ -]{{1,24}})$"
    r"|^(?P<about7>[^，,。不叫]{1,12})不(?:是叫?|叫)(?P<wrong7>[^，,。]{1,8}?)[，,、\s]*"
    r"(?:(?:而|应该)?是叫?|[他她它]?叫做?)(?P<right7>[^，,。！!？?]{1,12})$",
    _I,
)

_SAYS_RIGHT: Final = LatePattern(
    r"^(?:应该|其实|我说的)?(?:是|叫)|^(?:it['’]?s|it is|it was|that['’]?s"
    r"|(?:s?he|his name|her name|the name)(?:['’]s| is)|i said|i meant|make that)\s+",
    _I,
)

_WEAK: Final = LatePattern(r"\W*(?:sorry|oops|actually|no|wait)\b", _I)


def only_says_wrong(text: str) -> bool:
    """Whether a message says that something was wrong, and not what is right."""
    found = _OPENS.match(text.strip().translate(SIMPLIFIED))
    if found is None or text.strip()[found.end() :].strip():
        return False
    return re.fullmatch(r"\W*(?:sorry|oops|actually|wait|no|i mean)\W*", text, _I) is None


def says_what_is_right(text: str) -> bool:
    """Whether a message begins as one that puts right, and says what is right."""
    said = text.strip().translate(SIMPLIFIED)
    found = _OPENS.match(said)
    if found is None:
        return _ONE_NOT_OTHER.match(_ENDS.sub("", said)) is not None
    rest = _cut_ends(said[found.end() :])
    weak = _WEAK.match(said) and not right_word(text)
    says = _SAYS_RIGHT.match(rest) or _ONE_NOT_OTHER.match(rest)
    return bool(rest) and bool(says or not weak)


def wrong_word(text: str) -> str:
    """Return what a message that puts right says was wrong: Emil, of "Elias, not Emil"."""
    found = _OPENS.match(text.strip().translate(SIMPLIFIED))
    rest = _cut_ends(text.strip()[found.end() if found else 0 :])
    pair = _ONE_NOT_OTHER.match(rest.translate(SIMPLIFIED))
    groups = pair.groupdict() if pair else {}
    return next((each for name, each in groups.items() if each and name.startswith("wrong")), "")


def says_only_right(text: str) -> bool:
    """Whether a message puts right, and says what is right and not of what: 不对，是三千整."""
    said = text.strip().translate(SIMPLIFIED)
    found, right = _OPENS.match(said), right_word(text)
    rest = _cut_ends(said[found.end() :]) if found else ""
    if not rest or (_WEAK.match(said) and not (right and right.is_slip)):
        return False
    says = _SAYS_RIGHT.match(rest) or (right and right.wrong)
    return bool(says) and len(rest) <= _LONGEST_VALUE


def corrected(
    text: str, told: str, values: Iterable[str], at: datetime, zone: ZoneInfo
) -> str | None:
    """Return what was told as a message puts it right; None if it does not.

    ``values`` are the words of ``told`` that may be wrong as a whole.

    >>> utc, at = ZoneInfo("UTC"), datetime(2026, 3, 4, tzinfo=ZoneInfo("UTC"))
    >>> corrected("不对，是第三个抽屉", "钥匙在书桌第二个抽屉", (), at, utc)
    '钥匙在书桌第三个抽屉'
    >>> corrected("actually my bike is green, not blue", "I got a bike, blue", (), at, utc)
    'I got a bike, green'
    """
    said = text.strip()
    opened = _OPENS.match(said.translate(SIMPLIFIED))
    rest = said[opened.end() :] if opened else said
    rest = _cut_ends(rest)
    plain = _DAY_IN_BRACKETS.sub("", told)
    pair = _ONE_NOT_OTHER.match(rest.translate(SIMPLIFIED))
    if pair is not None:
        return _with_other(plain, rest, pair, at, zone)
    if opened is None or not rest:
        return None
    begins = _SAYS_RIGHT.match(rest.translate(SIMPLIFIED))
    right = rest[begins.end() :].strip() if begins else rest
    if not (begins or _is_value(right, at, zone) or _shares_word(COUNTED.sub(" ", right), plain)):
        return None
    if whole_places(right, plain):
        return None
    meant = _meant(plain, right, values, (at, zone), named=begins is not None)
    return _replaced(plain, meant) if meant else None


def _with_other(
    plain: str, said: str, pair: re.Match[str], at: datetime, zone: ZoneInfo
) -> str | None:
    """Return a text with the one of two words that was said to be right: green, not blue."""
    names = [name for name, found in pair.groupdict().items() if found]
    wrong, right = (
        next(said[slice(*pair.span(n))].strip() for n in names if n.startswith(kind))
        for kind in ("wrong", "right")
    )
    about = next((said[slice(*pair.span(n))] for n in names if n.startswith("about")), "")
    # "It's not running, it's my shoes" tells a cause.
    cause = bool(_SAYS_MORE.search(right)) is not bool(_SAYS_MORE.search(wrong))
    if cause or (tokens(about) and not _shares_word(about, plain)):
        return None
    return _with_one(plain, wrong, right, at, zone)


def _is_value(text: str, at: datetime, zone: ZoneInfo) -> bool:
    """Whether a text is nothing but numbers or a day: sorry, 23rd."""
    figures = COUNTED.search(text) is not None and not _OF_FIGURES.sub("", text)
    return figures or (0, len(text)) in day_places(text, at, zone)


_OF_FIGURES: Final = LatePattern(
    rf"{COUNTED.pattern}|(?:st|nd|rd|th|am|pm|to|till|the)\b|[号日点岁到至–\s-]", _I
)


def puts_right(text: str, told: str, at: datetime, zone: ZoneInfo) -> bool:
    """Whether a message that says what is right means what was told, as far as words tell."""
    right = right_word(text)
    if right is not None and put_right(told, right, (), at, zone) is not None:
        return True
    return corrected(text, told, (), at, zone) is not None


def _cut_ends(text: str) -> str:
    while (found := _ENDS.search(text.translate(SIMPLIFIED))) is not None:
        text = text[: found.start()]
    return text


def _meant(
    plain: str,
    right: str,
    values: Iterable[str],
    when: tuple[datetime, ZoneInfo],
    *,
    named: bool,
) -> tuple[int, int, str] | None:
    """Return where a text has the day, the number or the value that is wrong, and what is right.

    ``named``: what is right may be a name, or another word of its own.
    """
    days = [right[slice(*each)] for each in day_places(right, *when)]
    days = [each for each in days if not whole_places(each, plain)]
    if days:
        places = days_like(days[0], plain, *when) if len(days) == 1 else []
        return (*places[0], in_its_week(plain[slice(*places[0])], days[0])) if places else None
    if COUNTED.search(right):
        return number_meant(plain, right)
    if not named or len(right) > _LONGEST_VALUE:
        return None
    if re.fullmatch(_KIN, right):
        kin = [each.span() for each in re.finditer(_KIN, plain)]
        return (*kin[0], right) if len(kin) == 1 else None
    told = [each for each in values if each and _kind_of(each, *when) == "word"]
    named_days = day_places(plain, *when)  # May is no name then.
    inside = {
        plain[slice(*place)]: place
        for each in (*told, *names_like(right, plain))
        for place in _places_of_value(each, plain)
        if not any(start < place[1] and place[0] < end for start, end in named_days)
    }
    # Of "allergic to shellfish" the first word is no value.
    led = [w for w, (_, end) in inside.items() if re.match(r" (?:to|of|with) \w", plain[end:])]
    old = most_alike(right, {w: place for w, place in inside.items() if w not in led} or inside)
    return (*old, right) if old else None


_KIN: Final = (
    rf"{KIN_ZH}|(?:daughter|son|niece|nephew|mum|mom|dad|(?:step)?(?:brother|sister)|cousin|aunt|uncle"
    r"|wife|husband|girlfriend|boyfriend|nan|gran(?:dma|dad|dpa|ny))\b"
)


def _replaced(plain: str, meant: tuple[int, int, str]) -> str:
    """Return a text with what is right in the place of what is wrong."""
    start, end, right = meant
    return f"{plain[:start]}{right}{plain[end:]}"


_LONGEST_VALUE: Final = 24


def _shares_word(one: str, other: str) -> bool:
    """Whether two texts share a word that names something."""
    plain = other.translate(SIMPLIFIED).lower()
    words = tokens(one.translate(SIMPLIFIED))
    return any(each in plain for each in words if len(each) > 1 or not each.isascii())
