"""How likely a line of talk is to be asked for later, for the words it costs to keep it.

A kept sentence is judged by what it says (:mod:`memory.text.salience`); what was only said is
judged by how it is told: names, numbers and dates, told of oneself or to the other, as an answer,
at the beginning of a talk, in words nobody used before. The weights are fitted on what was later
asked for by ``python -m benchmarks.salience`` (docs/salience.md), one table for both languages.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from math import log1p
from typing import Final, NamedTuple

from memory.text.late_pattern import LatePattern
from memory.text.salience import Salience, Sign
from memory.text.tokens import ends_as_question

TALK_PAUSE_SECONDS: Final = 30 * 60.0
"""Seconds of silence after which another talk begins."""

USUAL_NEW: Final = 0.3
"""The share of a line's words that nobody used before, where it is not known."""

EARLY_LINES: Final = 3
"""So many lines begin a talk."""

BIAS: Final = -13.25

WEIGHTS: Final[Mapping[Sign, float]] = {
    Sign.LENGTH: 6.43,
    Sign.NAME: 0.58,
    Sign.NUMBER: 0.50,
    Sign.TIME: 1.19,
    Sign.MINE: 2.79,
    Sign.PAST: 0.95,
    Sign.OTHER: -0.93,
    Sign.ANSWER: 1.12,
    Sign.EARLY: 0.28,
    Sign.NEW: 2.89,
}

SQUARED: Final = -1.06
"""The weight of the square of the length: of very long lines each word is worth less."""


class LineTold(NamedTuple):
    """How a line was told: as an ``answer``, ``early`` in a talk, and how ``new`` its words are.

    ``new`` is the share of its words that no line before has, 0 to 1.
    """

    answer: bool = False
    early: bool = False
    new: float = USUAL_NEW


def line_signs(text: str, told: LineTold) -> dict[Sign, float]:
    """Return the signs of a line; its length is ln(1 + words), every other 0 to 1."""
    return {
        Sign.LENGTH: log1p(word_count(text)),
        Sign.NAME: float(tells_name(text)),
        Sign.NUMBER: float(tells_number(text)),
        Sign.TIME: float(tells_time(text)),
        Sign.MINE: float(tells_self(text)),
        Sign.PAST: tells_past(text),
        Sign.OTHER: float(_SECOND_PERSON.search(text) is not None),
        Sign.ANSWER: float(told.answer),
        Sign.EARLY: float(told.early),
        Sign.NEW: min(max(told.new, 0.0), 1.0),
    }


def line_salience(text: str, told: LineTold) -> Salience:
    """Return about the share of all talk that is less worth its words, with the reasons."""
    signs = line_signs(text, told)
    added = {sign: WEIGHTS[sign] * value for sign, value in signs.items()}
    added[Sign.LENGTH] += SQUARED * signs[Sign.LENGTH] ** 2
    return Salience.of(added, BIAS)


def most_salient_line(lines: Iterable[tuple[str, datetime, bool]]) -> Salience:
    """Return the salience of the most salient line of a stretch of talk; of none it is 0.

    Each line is its text, its instant, and whether it counts: the others are only answered.
    """
    every = tuple(lines)
    told = told_in_order((text, at) for text, at, _ in every)
    found = (line_salience(one[0], how) for one, how in zip(every, told, strict=True) if one[2])
    return max(found, key=lambda each: each.value, default=Salience(0.0))


def told_in_order(lines: Iterable[tuple[str, datetime]]) -> Iterator[LineTold]:
    """Yield how each line of a conversation was told, from its text and instant."""
    place, before, last = 0, "", None
    for text, at in lines:
        if last is not None and (at - last).total_seconds() > TALK_PAUSE_SECONDS:
            place, before = 0, ""
        yield LineTold(answer=ends_as_question(before), early=place < EARLY_LINES)
        place, before, last = place + 1, text, at


_SECOND_PERSON: Final = LatePattern(r"\byou(?:r|['’](?:re|ve|ll|d))?\b|[你您]", re.IGNORECASE)


def word_count(text: str) -> float:
    """Return about how many words a text has: spaces part words, two Chinese letters make one."""
    if text.isascii():
        return 1.0 + text.count(" ")
    wide = sum(character > "\u2e7f" for character in text)
    return 1.0 + text.count(" ") + wide / 2


# What kind of thing a text says; search weighs it as well: a question for a time is better
# answered by one that names a time.

_TIME: Final = LatePattern(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|recently"
    r"|since|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)\b"
    r"|[今昨明前后]天|[上下这本]个?(?:周|星期|礼拜|月)|周[一二三四五六日末]|\d[月日号点年]|刚才|最近|[去今明]年",
    re.IGNORECASE,
)
_NUMBER: Final = LatePattern(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple|several)\b"
    r"|[一二两三四五六七八九十百]+[个次只天年月家本位条块元岁]",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = LatePattern(
    r"\b(?:I|I['’](?:m|ve|d)|[Mm]y|mine|me|[Ww]e|[Oo]ur)\b|[我咱俺]"
)
_PAST_FORM: Final = LatePattern(
    r"\b(?:was|were|had|went|got|made|did|took|bought|found|met|saw|gave|tried|came|[a-z]{2,}ed)\b"
    # 了解, 过头, 过程 and 过不去 are words of their own.
    r"|[了过](?![解头程不])|刚刚?|曾经?",
    re.IGNORECASE,
)
_PAST_ENOUGH: Final = 3  # so many past forms make a text wholly one about the past
# Not at the beginning of a sentence, where every English word is capitalised.
_NAME: Final = LatePattern(r"(?<=[a-z,;] )[A-Z][a-z]+|[\"“《「][^\"”》」]{1,40}[\"”》」]")


def tells_time(text: str) -> bool:
    """Tell whether a text says when something is, was or will be."""
    return _TIME.search(text) is not None


def tells_number(text: str) -> bool:
    """Tell whether a text names a number or a count."""
    return _NUMBER.search(text) is not None


def tells_name(text: str) -> bool:
    """Tell whether a text holds a name or a title: capitalised within a sentence, or quoted."""
    return _NAME.search(text) is not None


def tells_self(text: str) -> bool:
    """Tell whether speakers talk about themselves."""
    return _FIRST_PERSON.search(text) is not None


def tells_past(text: str) -> float:
    """Return how much a text tells about the past, 0..1, by its past forms (了, went)."""
    return min(len(_PAST_FORM.findall(text)), _PAST_ENOUGH) / _PAST_ENOUGH


NO_NEWS: Final = (
    r"(?![\s,，!！~～啊呀哦…-]*+(?:(?:so|and|btw|by the way)[\s,]++)?"
    r"(?:[我俺](?!们?(?:知道|明白|懂|也|会|先|走|去|来|回|又|很好|挺好|还好|没事|想|觉得|试|看))"
    r"|(?:im|ive|i['’][md]|i['’]ve|i|my|we|our)\b(?!['’]| (?:am |so |very |really |was |just )*+"
    r"(?:fine|good|great|ok(?:ay)?|well|back|here|glad|happy|hope|see|know|agree|will|got it"
    r"|get it|think|love (?:it|that)|thank|appreciate|understand|have to|gotta|guess|wonder\w*"
    r"|want)\b)))"
)
"""Behind a greeting: nobody goes on to tell of themselves, as in "hey im allergic to nuts"."""

ASIDE: Final = LatePattern(
    r"\b(?:do|did|can|could|have|would) you\b.*\?|^(?:sure|of course|thank|okay|ok)\b"
    rf"|^(?:hi|hello|hey)\b{NO_NEWS}"
    rf"|^(?:你好|您好|嗨){NO_NEWS}[^《“]{{0,14}}$|^(?:好的|不用谢|不客气|当然)[^《“]{{0,14}}$"
    r"|^(?:嗯|恩|好的)?[，,]?谢谢|我会(?:去|试着|认真|好好|尽力)?(?:尝试|试试|考虑)"
    r"|下次再聊|^再见|时间不早|^(?:sounds (?:great|good|like)|wow|congrat\w*|good luck"
    r"|have (?:fun|a)|glad|totally|awesome|nice|that(?:'s| is| sounds) (?:so |really )?"
    r"(?:great|awesome|cool|amazing|true|nice))\b[^,]{0,24}$"
    r"|\bI(?:'ll| will) (?:try|consider|check|follow|take a look)\b|\bthank you for\b",
    re.IGNORECASE,
)
"""A sentence that greets, thanks or asks, and tells nothing."""


ADDRESS: Final = LatePattern(
    r"^[一-鿿]{0,2}(?:学[姐哥长弟妹]|师[父傅兄姐弟妹]|老师|同学|阿姨|叔叔?|老板|医生|大夫|教授|先生"
    r"|女士|小姐|主任|队长|班长|教练|领导|前辈|店长|[哥姐])(?:们|好)*[，,]\s*(?=[我俺本])"
)
"""学姐，我叫…: whom somebody speaks to before they tell of themselves."""

AHEAD: Final = LatePattern(r"下个?[月周]|明[天年]|要去|打算|准备|即将|马上|快要")
"""下个月要去北京实习，在国家图书馆: what follows is of then."""
