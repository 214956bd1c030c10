"""How likely a memory is to be needed later, judged by rule at its birth (docs/salience.md).

A logistic sum of signs: whose it is, what sort it is, names, numbers and dates, a first time,
a feeling, its length, how it was told. The weights are fitted on what was later asked for by
``python -m benchmarks.salience``. The seeds' formulas do not use it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, datetime
from enum import StrEnum
from math import exp
from typing import Final, Self
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from memory.text.dates import date_spans
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import SINGLE_VALUED, ClaimMode, Slot
from memory.text.slots import SlotClaim, slot_claims
from memory.text.tokens import words


class Sign(StrEnum):
    """What a text shows that tells whether it will be needed; each counts from 0 to 1."""

    SELF = "self"
    ABOUT = "about"
    CLOSE = "close"
    HEALTH = "health"
    TASTE = "taste"
    HABIT = "habit"
    PROMISE = "promise"
    PLAN = "plan"
    NAME = "name"
    NUMBER = "number"
    FIRST_TIME = "first_time"
    FEELING = "feeling"
    QUESTION = "question"
    CORRECTION = "correction"
    MINE = "mine"
    LENGTH = "length"
    NEW = "new"
    ANSWER = "answer"
    ASKED = "asked"
    # Of a line of talk only (memory.text.line_salience).
    TIME = "time"
    PAST = "past"
    OTHER = "other"
    EARLY = "early"


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How something was told, as far as it is known.

    ``explicit``: it was asked to be kept. ``answer``: it answered a question. ``new`` is the share
    of its words that nothing known has, 0 to 1. ``names`` stand for the one it is about.
    """

    explicit: bool = False
    answer: bool = False
    new: float = 0.5
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Salience:
    """How likely it is to be needed, 0 to 1, and what each sign added to that, most first."""

    value: float
    signs: tuple[tuple[Sign, float], ...] = ()

    @classmethod
    def of(cls, added: Mapping[Sign, float], bias: float) -> Self:
        """Return the salience to which each sign added so much, in log-odds."""
        value = 1.0 / (1.0 + exp(-(bias + sum(added.values()))))
        return cls(value, tuple(sorted(added.items(), key=lambda one: (-abs(one[1]), one[0]))))


# The signs from name to answer are fitted (docs/salience.md). The sorts, feeling and asked are set
# by hand: few messages show them, while a kept sentence is nearly always one of them.
BIAS: Final = -3.65

WEIGHTS: Final[Mapping[Sign, float]] = {
    Sign.SELF: 6.0,
    Sign.ABOUT: 3.5,
    Sign.CLOSE: 4.5,
    Sign.HEALTH: 6.0,
    Sign.TASTE: 5.5,
    Sign.HABIT: 4.0,
    Sign.PROMISE: 3.0,
    Sign.PLAN: 1.0,
    Sign.NAME: 0.85,
    Sign.NUMBER: 0.05,
    Sign.FIRST_TIME: 0.3,
    Sign.FEELING: -3.0,
    Sign.QUESTION: 0.15,
    Sign.CORRECTION: 0.25,
    Sign.MINE: 1.15,
    Sign.LENGTH: 1.45,
    Sign.NEW: 1.5,
    Sign.ANSWER: 0.65,
    Sign.ASKED: 6.0,
}

STANDS: Final = ("主人", "The partner", "the partner")
"""How a memory names the one it is about."""

_CLOSE: Final = LatePattern(
    r"爸|妈|父亲|母亲|爷爷|奶奶|外公|外婆|姥[姥爷]|老公|老婆|丈夫|妻子|爱人|[男女]朋?友|未婚[妻夫]"
    r"|女儿|儿子|孩子|宝宝|[哥姐弟妹]{1,2}(?!子)|闺蜜|室友|导师|恩师|养了|结婚纪念"
    r"|\b(?:mother|mom|mum|father|dad|parents?|grand(?:ma|pa|mother|father)|husband|wife|spouse"
    r"|boyfriend|girlfriend|fianc[ée]e?|son|daughter|kids?|child(?:ren)?|brothers?|sisters?|twins?"
    r"|best friend|roommate|mentor|my (?:cat|dog|pet)|anniversary)\b",
    re.IGNORECASE,
)

_SELF: Final = LatePattern(
    r"生日|出生|血型|身高|体重|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|星座|籍贯|母语|毕业|学历|信[仰佛]|纪念日"
    r"|\b(?:birthday|born|blood type|height|zodiac|native language|graduated|degree|religion"
    r"|nationality)\b",
    re.IGNORECASE,
)

_HEALTH: Final = LatePattern(
    r"过敏|高血压|糖尿病|哮喘|心脏病|癌|抑郁症|焦虑症|手术|怀孕|残疾|忌口|不能(?:吃|喝|碰)|素食"
    r"|\b(?:allerg\w+|diabet\w+|asthma\w*|cancer|surgery|pregnan\w+|disab\w+|vegetarian|vegan"
    r"|intoleran\w+|epilep\w+|diagnosed)\b",
    re.IGNORECASE,
)

_TASTE: Final = LatePattern(
    r"(?:^|我|主人|一直|从小)(?:不再|不|最|很|都|也|就|特别|非常|真)*"
    r"(?:喜欢|热爱|讨厌|最爱|爱[吃喝看听玩])"
    r"|\b(?:I|partner) (?:really |still |no longer |don't |doesn't )?"
    r"(?:likes?|loves?|enjoys?|hates?|prefers?)\b|\bfavou?rite\b",
    re.IGNORECASE,
)

_PROMISE: Final = LatePattern(
    r"约(?:好|定|在|了)|答应|承诺|说好|保证|截止|到期|预约"
    r"|\b(?:promis\w+|appointment|deadline|agreed to|due (?:on|by))\b",
    re.IGNORECASE,
)

_SKILL: Final = LatePattern(
    r"我会(?!议|员|去|不会|再|把|跟|和|在|很|觉)[\u4e00-\u9fff]{2,6}$|擅长|精通|学会了"
    r"|\b(?:I can (?:play|speak|swim|cook|drive|sing)|good at|fluent|skilled)\b",
    re.IGNORECASE,
)

_NAMED: Final = LatePattern(
    r"(?<=[a-z,;’'] )[A-Z][a-z]{2,}|叫[\u4e00-\u9fff]{2,4}|[《“\"][^》”\"]{2,30}[》”\"]"
)

_NUMBER: Final = LatePattern(r"\d|[一二三四五六七八九十百千]+(?:[点号月年岁块元次个天周])")

_FIRST: Final = LatePattern(
    r"第一次|头一回|首次|终于"
    r"|\b(?:first time|for the first|finally|just (?:got|bought|started))\b",
    re.IGNORECASE,
)

_FEELING: Final = LatePattern(
    r"很?累|烦|困死|心情|睡不着|紧张|难过|开心|生气|无聊|焦虑|感冒|郁闷|郁郁|兴奋|害怕"
    r"|\b(?:tired|sleepy|bored|annoyed|nervous|stressed|sad|happy|excited|upset|angry|mood"
    r"|anxious|exhausted|glad)\b",
    re.IGNORECASE,
)

_QUESTION: Final = LatePattern(r"[?？]\s*$|[吗呢么]\s*[。！~]?$")

_CORRECTION: Final = LatePattern(
    r"不是.{1,16}(?:而是|应该是|是)|更正|说错|其实|改成"
    r"|\b(?:actually|correction|not .{1,24} but)\b",
    re.IGNORECASE,
)

_MINE: Final = LatePattern(r"我|主人|\b(?:i|i'm|i've|my|me|partner(?:'s)?)\b", re.IGNORECASE)

_LONG_WORDS: Final = 30
"""So many meaningful words count as long; more say no more."""

_HELD: Final = frozenset({ClaimMode.HOLDS, ClaimMode.MOVED, ClaimMode.STOPPED})

_OF_SLOT: Final[Mapping[Slot, Sign]] = {
    **dict.fromkeys(SINGLE_VALUED, Sign.SELF),
    Slot.HEALTH: Sign.HEALTH,
    Slot.TASTE: Sign.TASTE,
    Slot.HABIT: Sign.HABIT,
    Slot.POSSESSION: Sign.HABIT,
    Slot.PLAN: Sign.PLAN,
}

_SHOWN_BY: Final[Mapping[Sign, LatePattern]] = {
    Sign.SELF: _SELF,
    Sign.CLOSE: _CLOSE,
    Sign.HEALTH: _HEALTH,
    Sign.TASTE: _TASTE,
    Sign.HABIT: _SKILL,
    Sign.PROMISE: _PROMISE,
    Sign.NAME: _NAMED,
    Sign.NUMBER: _NUMBER,
    Sign.FIRST_TIME: _FIRST,
    Sign.FEELING: _FEELING,
    Sign.QUESTION: _QUESTION,
    Sign.CORRECTION: _CORRECTION,
    Sign.MINE: _MINE,
}

_READ_CLOSELY: Final = 3

_PLAIN: Final = Telling()


def signs_of(text: str, told: Telling = _PLAIN) -> dict[Sign, float]:
    """Return the signs that a text shows, each above 0 and at most 1."""
    found = _plain_signs(text, told)
    for claim in slot_claims(text, {*STANDS, *told.names}):
        sign = _sign_of(claim)
        if sign is not None:
            found[sign] = 1.0
    return found


def _plain_signs(text: str, told: Telling) -> dict[Sign, float]:
    """Return the signs that single words show; what a whole clause claims is dearer to read."""
    found = dict.fromkeys(
        (sign for sign, pattern in _SHOWN_BY.items() if pattern.search(text)), 1.0
    )
    length = min(len(words(text)) / _LONG_WORDS, 1.0)
    counted = {Sign.LENGTH: length, Sign.NEW: min(max(told.new, 0.0), 1.0)}
    # A sentence kept about somebody says something of them, whatever it is.
    counted[Sign.ABOUT] = float(text.startswith((*STANDS, *filter(None, told.names))))
    counted |= {Sign.ANSWER: float(told.answer), Sign.ASKED: float(told.explicit)}
    return found | {sign: value for sign, value in counted.items() if value}


def salience(text: str, told: Telling = _PLAIN) -> Salience:
    """Return how likely what a text says is to be needed later, with the reasons.

    >>> salience("主人对花生过敏").value > 0.9 > 0.1 > salience("桥下的灯亮着").value
    True
    """
    return of_signs(signs_of(text, told))


def of_signs(signs: Mapping[Sign, float]) -> Salience:
    """Return 1 / (1 + e^−(bias + Σ weight · sign))."""
    return Salience.of({sign: WEIGHTS[sign] * value for sign, value in signs.items()}, BIAS)


def most_salient(texts: Iterable[str], told: Telling = _PLAIN) -> Salience:
    """Return the salience of the most salient of some texts; of none it is 0.

    Of many only those that look it are read closely: a stretch of talk has thirty lines.
    """
    read = sorted(texts, key=lambda text: -of_signs(_plain_signs(text, told)).value)
    closely = (salience(each, told) for each in read[:_READ_CLOSELY])
    return max(closely, key=_value, default=Salience(0.0))


def _value(found: Salience) -> float:
    return found.value


def _sign_of(claim: SlotClaim) -> Sign | None:
    """Return what a claim counts as; of somebody else it tells of a person, not of oneself."""
    # 交房租 speaks of a home and says nothing of it, 公园开了桂花 of nobody who drives;
    # 在医院做护士 tells of oneself all the same.
    told = not claim.loose or (claim.mode is not ClaimMode.HOLDS and claim.slot in SINGLE_VALUED)
    if claim.mode not in _HELD or not told:
        return None
    if claim.whose:
        return Sign.CLOSE if _CLOSE.search(claim.whose) else None
    return _OF_SLOT.get(claim.slot)


def due_at(text: str, at: datetime, zone: ZoneInfo, told: Telling = _PLAIN) -> datetime | None:
    """Return when what a text promises or plans is over; None if it names no day ahead.

    ``at`` is when it was told. Who somebody is has no such day, though it may hold a date.
    """
    signs = signs_of(text, told)
    if not signs.keys() & _HAS_DAY or signs.keys() & _HAS_NONE:
        return None
    return end_ahead(text, at, zone)


def end_ahead(text: str, at: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the end of the last day ahead that a text names as it plans; None if it names none.

    A month without a year is the next one: what is planned in October for 20 December is to come.
    """
    ends = []
    for span in date_spans(text, at, zone):
        is_bare = _MONTH.search(span.words) and not _WHICH_YEAR.search(span.words)
        is_behind = span.end <= at and span.end.year < MAXYEAR
        ends.append(span.end + _A_YEAR if is_bare and is_behind else span.end)
    return max((end for end in ends if end > at), default=None)


_A_YEAR: Final = relativedelta(years=1)

_MONTH: Final = LatePattern(
    r"(?<![个個这上下])月|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)",
    re.IGNORECASE,
)

_WHICH_YEAR: Final = LatePattern(r"\d{4}|年|\b(?:last|past|this|ago|since)\b", re.IGNORECASE)


_HAS_DAY: Final = frozenset({Sign.PROMISE, Sign.PLAN})

_HAS_NONE: Final = frozenset({Sign.SELF, Sign.HEALTH, Sign.TASTE})
