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
from memory.text.tokens import SIMPLIFIED, tokens

_I: Final = re.IGNORECASE

_SLIP: Final = (
    r"[说打写讲输搞弄记][错岔混]了?|错了|口误|手[滑误]|嘴瓢|更正(?:一下)?|不对"
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
    r"|\b(?:his|her|its) name(?: is|['’]s)|\b(?:s?he|it)(?:['’]s| is) (?:called|named))?\s*"
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


_OPENS: Final = LatePattern(
    r"^\W*(?:(?:不对|不是(?=[，,])|(?:你|我)?(?:[说记搞弄听看写打]|是你)[错岔混]|错了"
    r"|(?:oh |um )*(?:no,? )?wait|no(?=[,.!])"
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
    r"|(?<=\w) with (?:an? )?\w{1,3}$|[\s.。!！~～]+$|(?<=[\u4e00-\u9fff\d])才对$",
    _I,
)

_ONE_NOT_OTHER: Final = LatePattern(
    r"^不是(?P<wrong>[^，,。]{1,16})[，,、\s]*(?:而是|应该是|是)(?P<right>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about>.{0,40}?)(?:是|为))?(?P<right2>[^，,。是]{1,16})"
    r"[，,]\s*(?:而)?不是(?P<wrong2>[^，,。！!？?]{1,16})$"
    r"|^(?:(?P<about3>.{0,40}?)\b(?:is|are|was|were|am|it['’]?s|that['’]?s)\s+)?(?:in |at |to )?"
    r"(?P<right3>[\w' ,.-]{1,24}?),? (?:and )?not (?:in |at |to )?(?P<wrong3>[\w' -]{1,24})$"
    r"|^(?:it['’]?s |it is )?not (?P<wrong4>[\w' -]{1,24}?),? (?:but|it['’]?s|it is)"
    r" (?P<right4>[\w' -]{1,24})$",
    _I,
)

_SAYS_RIGHT: Final = LatePattern(
    r"^(?:应该|其实|我说的)?(?:是|叫)|^(?:it['’]?s|it is|it was|that['’]?s"
    r"|(?:s?he|his name|her name|the name)(?:['’]s| is)|i said|i meant|make that)\s+",
    _I,
)

_COUNTED: Final = re.compile(
    r"\d[\d,.]*(?<![,.])|[零〇一二两三四五六七八九十百千万亿]+整?(?![些样直起般定])"
)


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
    weak = re.match(r"\W*(?:sorry|oops|actually|no|wait)\b", said, _I) and not right_word(text)
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
    """Whether a message says what is right and not of what: 不对，是三千整."""
    said = text.strip().translate(SIMPLIFIED)
    found = _OPENS.match(said)
    rest = _cut_ends(said[found.end() :]) if found else ""
    return bool(_SAYS_RIGHT.match(rest)) and len(rest) <= _LONGEST_VALUE


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
        names = [name for name, found in pair.groupdict().items() if found]
        wrong, right = (
            next(rest[slice(*pair.span(n))].strip() for n in names if n.startswith(kind))
            for kind in ("wrong", "right")
        )
        about = next((rest[slice(*pair.span(n))] for n in names if n.startswith("about")), "")
        there = _place_of(wrong, plain)
        if there is None or (about.strip() and not _shares_word(about, plain)):
            return None
        return f"{plain[: there[0]]}{right}{plain[there[1] :]}"
    if opened is None or not rest:
        return None
    begins = _SAYS_RIGHT.match(rest.translate(SIMPLIFIED))
    right = rest[begins.end() :].strip() if begins else rest
    if begins is None and not _shares_word(_COUNTED.sub(" ", right), plain):
        return None
    if right.lower() in plain.lower():
        return None
    return _with_right(plain, right, values, (at, zone), whole=begins is None)


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


def _with_right(
    plain: str,
    right: str,
    values: Iterable[str],
    when: tuple[datetime, ZoneInfo],
    *,
    whole: bool,
) -> str | None:
    """Return a text with what is right in the place of a day, a number or a value in it."""
    days = date_mentions(right, *when)
    old_days = date_mentions(plain, *when)
    if days and old_days:
        new, old = days[0], old_days[0]
        return plain[: old.start] + right[new.start : new.end] + plain[old.end :]
    counted, old_counts = [*_COUNTED.finditer(right)], [*_COUNTED.finditer(plain)]
    if counted and old_counts and not days:
        new_count = counted[0]
        after = right[new_count.end() : new_count.end() + 1].strip()
        fitting = [
            each
            for each in old_counts
            if len(old_counts) == 1 or (after and plain[each.end() : each.end() + 1] == after)
            if _is_alike(right, new_count, plain, each)
        ]
        if len(fitting) != 1 or fitting[0][0] == new_count[0]:
            return None
        return plain[: fitting[0].start()] + new_count[0] + plain[fitting[0].end() :]
    if counted or days or whole or len(right) > _LONGEST_VALUE:
        return None
    inside = [each for each in values if each and each in plain]
    named = _NAMED_LAST.search(plain)
    inside += [named[named.lastindex or 0]] if named and not inside else []
    if not inside:
        return None
    old_value = max(inside, key=lambda each: (_likeness(each, right), len(each)))
    return plain.replace(old_value, right, 1)


def _is_alike(right: str, new: re.Match[str], told: str, old: re.Match[str]) -> bool:
    """Whether one number may stand for another: 三千整 is neither the second nor a dozen."""
    if told[: old.start()][-1:] in _NUMBERED:
        return False
    if (right[: new.start()][-1:] == "第") is not (told[: old.start()][-1:] == "第"):
        return False
    if new[0][0].isdigit() and old[0][0].isdigit():
        sizes = [len(each[0].replace(",", "").split(".")[0]) for each in (new, old)]
        return abs(sizes[0] - sizes[1]) <= 1
    return new[0][0].isdigit() or old[0][0].isdigit() or _units(new[0]) == _units(old[0])


_NUMBERED: Final = frozenset("高初大老周期拜小")  # 高二 and 周三 count nothing


def _units(number: str) -> set[str]:
    return set(number) & set("百千万亿")


_LONGEST_VALUE: Final = 24


def _place_of(word: str, text: str) -> tuple[int, int] | None:
    """Return where a word stands in a text, whatever its case and its script."""
    sought, read = word.translate(SIMPLIFIED).lower(), text.translate(SIMPLIFIED).lower()
    at = read.find(sought)
    return (at, at + len(sought)) if at >= 0 else None


def _shares_word(one: str, other: str) -> bool:
    """Whether two texts share a word that names something."""
    plain = other.translate(SIMPLIFIED).lower()
    return any(
        each in plain
        for each in tokens(one.translate(SIMPLIFIED))
        if len(each) > 1 or not each.isascii()
    )
