"""Corrections that say only what is right: 说错了，是6月16, "oops, I meant Bath", "sorry, 35".

What was told is told again with the right word in the place of the wrong one, and nothing else of
it changes: a day for a day, a number for a number, a name for a name.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.text.correction_forms import (
    ANIMAL,
    ANY_KIN,
    BARE_NAME,
    ENDS,
    KIND_HELD,
    KIND_ZH,
    LAUGHS_AT_END,
    OF_KIND,
    OF_SOMEBODY,
    OF_WHAT,
    OF_WHOM,
    ONE_NOT_OTHER,
    ONLY_RIGHT,
    OPENS,
    SAYS_MORE,
    SAYS_RIGHT,
    SLIP,
    THE_OTHER,
    TOLD_BEFORE,
    WEAK,
    WITH_REASON,
    means_another,
    without_shared_lead,
)
from memory.text.dates import day_places, days_like, in_its_week
from memory.text.late_pattern import LatePattern
from memory.text.tokens import tagged_words, tokens
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

_DAY_IN_BRACKETS: Final = LatePattern(r" ?[（(][\d~ -]+[）)]")
"""The day that was written behind a word like 下周三 when it was learnt."""


class RightWord(NamedTuple):
    """What a correction says is right; ``is_slip``: that something was wrong is said outright.

    ``about`` is whom it is about and ``wrong`` what was wrong, if it says so: nothing else is
    put right then. ``rest`` is what it tells beside that, ``is_old``: it may be of days ago.
    """

    word: str
    is_slip: bool
    about: str = ""
    wrong: str = ""
    rest: str = ""
    is_old: bool = False


def right_word(text: str) -> RightWord | None:
    """Return what a message that only corrects says is right; None if it says anything else.

    >>> right_word("sorry, I meant Bath")
    RightWord(word='Bath', is_slip=True, about='', wrong='', rest='', is_old=False)
    """
    core, wrong, rest = _explained(text)
    found = _right_word(core) if core != text else None
    if found is not None and (wrong or found.is_slip):
        wrong = found.wrong or (wrong if _are_alike(wrong, found.word) else "")
        return found._replace(wrong=wrong, rest=rest, is_old=is_of_days_ago(text))
    found = _right_word(text)
    return found and found._replace(is_old=is_of_days_ago(text))


def is_of_days_ago(text: str) -> bool:
    """Whether a message says that something was told wrong, not that it was just now."""
    return TOLD_BEFORE.search(text) is not None


def _explained(text: str) -> tuple[str, str, str]:
    """Return a correction, the wrong word that it explains, and what it says of that; or the text.

    >>> _explained("sorry, I meant the 24th. the 14th is the dentist")
    ('sorry, I meant the 24th', '14th', 'the 14th is the dentist')
    """
    found = WITH_REASON.match(text.strip()) if len(text) <= _LONGEST_EXPLAINED else None
    core, rest, wrong = text, "", ""
    if found is not None:
        core, rest = found["core"] or found["core2"], found["rest"] or found["rest2"]
        wrong = re.sub(r"(?i)^the ", "", found["wrong"] or "")
    laughed = LAUGHS_AT_END.sub("", core[:_LONGEST_EXPLAINED])
    return (laughed if OPENS.match(core) and laughed else core), wrong, rest


_LONGEST_EXPLAINED: Final = 160


def _are_alike(wrong: str, right: str) -> bool:
    """Whether two words may be one of the other: both are numbers, or both are names."""
    if not wrong or wrong == right:
        return False
    if COUNTED.search(wrong) or COUNTED.search(right):
        return COUNTED.search(wrong) is not None and COUNTED.search(right) is not None
    return bool(is_name(wrong)) and bool(is_name(right))


def _right_word(text: str) -> RightWord | None:
    if whose := OF_SOMEBODY.match(text):
        word = whose["name"] or whose["name_en"]
        return RightWord(word, is_slip=True, about=whose["kin"] or whose["kin_en"])
    if other := THE_OTHER.match(_cut_ends(text)):
        word, wrong = other["right"] or other["true"], other["wrong"] or other["false"]
        return RightWord(word, is_slip=True, wrong=wrong)
    found = ONLY_RIGHT.match(text)
    if found is None or SAYS_MORE.search(found["right"]):
        return None
    wrong = found["wrong"] or ""
    named = bool(wrong) and is_name(wrong) and is_name(found["right"])
    named = named or BARE_NAME.match(text) is not None
    is_slip = named or re.search(SLIP, found["regret"], _I) is not None
    if (kind := OF_KIND.fullmatch(found["right"])) and not wrong:
        return RightWord(kind["kind"], is_slip, about=kind["who"])
    # 老家是南昌，不是南阳 says of what the right word is.
    of = OF_WHAT.match(found["right"]) if wrong else None
    about = (of["about"] or of["about_en"]) if of else ""
    right = (of["right"] or of["right_en"]) if of else found["right"]
    return RightWord(right, is_slip, about=about, wrong=wrong)


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
    named = right.is_slip and bool(is_name(right.word) or re.fullmatch(ANY_KIN, right.word))
    named = named or re.fullmatch(ANIMAL, right.word) is not None
    meant = _meant(plain, right.word, values, (at, zone), named=named)
    wrong = plain[slice(*meant[:2])] if meant else ""
    # 汤圆是甜的 tells of 汤圆, and is no other name.
    if meant is None or f"{wrong}是" in right.word:
        return None
    return _replaced(plain, meant), likeness(wrong, right.word)


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
    right = _without_lead(right, told[:start]) if kinds[0] == "word" else right
    return f"{told[:start]}{right}{told[end:]}"


def _without_lead(right: str, before: str) -> str:
    """Return what is right without the words that stand before its place already.

    >>> _without_lead("住泰州", "我妈住在"), _without_lead("mum lives in Hull", "My mum lives in ")
    ('泰州', 'Hull')
    """
    words = tagged_words(right)
    for end in range(len(words) - 1, 0, -1):
        lead = "".join(word for word, _ in words[:end]).strip()
        # Only words like 住 and 在 lead up to a name: the 南 of 南昌 stands behind 河南 too.
        leads = all(word.isascii() or tag[0] in "vp" for word, tag in words[:end])
        if leads and re.search(rf"(?<![a-z]){re.escape(lead)}在?\s*$", before, _I):
            return right[right.index(lead) + len(lead) :].strip()
    return right


def _day_alone(right: str, told: str, at: datetime, zone: ZoneInfo) -> str:
    """Return the day that what is right begins with, if the rest was told: 五月 of 五月考."""
    end = max((stop for start, stop in day_places(right, at, zone) if not start), default=0)
    return right[:end] if end and right[end:].strip() in told else right


def _kind_of(value: str, at: datetime, zone: ZoneInfo) -> str:
    if (0, len(value)) in day_places(value, at, zone):
        return "day"
    return "number" if COUNTED.match(value) else "word"


def says_what_is_right(text: str) -> bool:
    """Whether a message begins as one that puts right, and says what is right."""
    said = text.strip().translate(SIMPLIFIED)
    found = OPENS.match(said)
    if found is None:
        return ONE_NOT_OTHER.match(ENDS.sub("", said)) is not None
    rest = _cut_ends(said[found.end() :])
    weak = WEAK.match(said) and not right_word(text)
    says = SAYS_RIGHT.match(rest) or ONE_NOT_OTHER.match(rest)
    return bool(rest) and bool(says or not weak)


def wrong_word(text: str) -> str:
    """Return what a message that puts right says was wrong: Emil, of "Elias, not Emil"."""
    found = OPENS.match(text.strip().translate(SIMPLIFIED))
    rest = _cut_ends(text.strip()[found.end() if found else 0 :])
    pair = ONE_NOT_OTHER.match(rest.translate(SIMPLIFIED))
    groups = pair.groupdict() if pair else {}
    named = next((x for name, x in groups.items() if x and name.startswith("wrong")), "")
    right = next((x for name, x in groups.items() if x and name.startswith("right")), "")
    return without_shared_lead(named, right)[0]


def names_the_wrong(text: str) -> bool:
    """Whether a message that puts right says what was wrong: quoted, it tells that too."""
    right = right_word(text)
    return bool(wrong_word(text) or (right and right.wrong))


def says_only_right(text: str) -> bool:
    """Whether a message puts right, and says what is right and not of what: 不对，是三千整."""
    said = text.strip().translate(SIMPLIFIED)
    found, right = OPENS.match(said), right_word(text)
    rest = _cut_ends(said[found.end() :]) if found else ""
    if not rest or (WEAK.match(said) and not (right and right.is_slip)):
        return False
    says = SAYS_RIGHT.match(rest) or (right and right.wrong)
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
    opened = OPENS.match(said.translate(SIMPLIFIED))
    rest = _cut_ends(said[opened.end() :] if opened else said)
    explained = right_word(text)
    if explained and explained.rest:
        found = put_right(told, explained, values, at, zone)
        return found and found[0]
    plain = _DAY_IN_BRACKETS.sub("", told)
    pair = ONE_NOT_OTHER.match(rest.translate(SIMPLIFIED))
    if pair is not None and (opened or not pair["wrong8"]):
        return _with_other(plain, rest, pair, at, zone)
    if opened is None or not rest:
        return None
    begins = SAYS_RIGHT.match(rest.translate(SIMPLIFIED))
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
    wrong, right = without_shared_lead(wrong, right)
    # "It's not running, it's my shoes" tells a cause.
    cause = bool(SAYS_MORE.search(right)) is not bool(SAYS_MORE.search(wrong))
    who = OF_WHOM.sub("", about)
    if cause or means_another(about, plain) or (tokens(who) and not _shares_word(who, plain)):
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
    found = right and put_right(told, right, (), at, zone)
    return bool(found or corrected(text, told, (), at, zone))


def _cut_ends(text: str) -> str:
    while (found := ENDS.search(text.translate(SIMPLIFIED))) is not None:
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
    kinds = [each.span() for each in KIND_HELD.finditer(plain) if KIND_ZH.fullmatch(right)]
    if len(kinds) == 1:
        return (*kinds[0], right)
    if COUNTED.search(right):
        return number_meant(plain, right)
    if not named or len(right) > _LONGEST_VALUE:
        return None
    for sort in (ANY_KIN, ANIMAL):
        if re.fullmatch(sort, right, _I):
            found = [each.span() for each in re.finditer(sort, plain, _I)]
            return (*found[0], right) if len(found) == 1 else None
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
