"""Signs in a text of what kind of thing is said or asked: a time, a number, a name, the past.

Ranking weighs them: a question for a time is better answered by a text that names one.
"""

import re
from typing import Final

# 吗 and 呢 make a question also without a mark, as people type in chats.
_QUESTION_END: Final = re.compile(r"(?:[?？]|[吗呢][。.!！~～…]*)[\s\"”』」)）]*$")
_TIME: Final = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|recently"
    r"|since|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)\b"
    r"|[今昨明前后]天|[上下这本]个?(?:周|星期|礼拜|月)|周[一二三四五六日末]|\d[月日号点年]|刚才|最近|[去今明]年",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple|several)\b"
    r"|[一二两三四五六七八九十百]+[个次只天年月家本位条块元岁]",
    re.IGNORECASE,
)
_TIME_QUESTION: Final = re.compile(
    r"\bwhen\b|\bwhat (?:time|date|day|year|month)|\bhow long|\bwhich (?:year|month|day)"
    r"|什么时候|哪一?[天年月日]|几[月号点]|何时|多久|日期|时间",
    re.IGNORECASE,
)
_NUMBER_QUESTION: Final = re.compile(
    r"\bhow (?:many|much|often|old)\b|多少|几[个次只天年月家本位条岁]", re.IGNORECASE
)

_FIRST_PERSON: Final = re.compile(r"\b(?:I|I['’](?:m|ve|d)|[Mm]y|mine|me|[Ww]e|[Oo]ur)\b|[我咱俺]")
_PAST_FORM: Final = re.compile(
    r"\b(?:was|were|had|went|got|made|did|took|bought|found|met|saw|gave|tried|came|[a-z]{2,}ed)\b"
    # 了解, 过头, 过程 and 过不去 are words of their own.
    r"|[了过](?![解头程不])|刚刚?|曾经?",
    re.IGNORECASE,
)
_PAST_ENOUGH: Final = 3  # so many past forms make a text wholly one about the past
# Not at the beginning of a sentence, where every English word is capitalised.
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+|[\"“《「][^\"”》」]{1,40}[\"”》」]")
_NAME_QUESTION: Final = re.compile(
    r"\b(?:who|where|which|whose|name|what (?:book|movie|city|country|place|game|song|band"
    r"|company))\b|谁|哪[里儿个家些位本部座种]|什么名|叫什么|名字|书名",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Tell whether a text ends in a question."""
    return _QUESTION_END.search(text) is not None


def tells_time(text: str) -> bool:
    """Tell whether a text says when something is, was or will be."""
    return _TIME.search(text) is not None


def tells_number(text: str) -> bool:
    """Tell whether a text names a number or a count."""
    return _NUMBER.search(text) is not None


def asks_when(text: str) -> bool:
    """Tell whether a question asks for a time."""
    return _TIME_QUESTION.search(text) is not None


def asks_how_many(text: str) -> bool:
    """Tell whether a question asks for a number."""
    return _NUMBER_QUESTION.search(text) is not None


def asks_name(text: str) -> bool:
    """Tell whether a question asks for the name of a person, a thing or a place."""
    return _NAME_QUESTION.search(text) is not None


def tells_name(text: str) -> bool:
    """Tell whether a text holds a name or a title: capitalised within a sentence, or quoted."""
    return _NAME.search(text) is not None


def tells_self(text: str) -> bool:
    """Tell whether speakers talk about themselves."""
    return _FIRST_PERSON.search(text) is not None


def tells_past(text: str) -> float:
    """Return how much a text tells about the past, 0..1, by its past forms (了, went)."""
    return min(len(_PAST_FORM.findall(text)), _PAST_ENOUGH) / _PAST_ENOUGH
