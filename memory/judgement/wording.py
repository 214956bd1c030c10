"""What a text says, reduced to what can be compared: clauses and polarity, links, dates, numbers.

Lexical on purpose: deterministic, explainable, the same for every model. It decides what a model
may write down, so it errs towards saying that two wordings are not the same.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from memory.judgement.lexicon import (
    DISLIKE,
    EN_CLASSES,
    FUNCTION_WORDS,
    NEGATORS,
    NEUTRAL,
    PAST,
    WISHED,
    ZH_CLASSES,
)
from memory.judgement.senses import DENIED_PLAY
from memory.text.dates import date_mentions
from memory.text.dates_en import DIGIT_NAMES
from memory.text.late_pattern import LatePattern
from memory.text.slot_cues import ROLE_SELF
from memory.text.tokens import normalized, plainly_written, segmented_words, tokens

_URL: Final = LatePattern(
    r"https?://\S+|www\.\S+|\b[\w-]{1,63}\.(?:com|net|org|cn|io|xyz|top)\b\S*"
)

# Not \d: it takes digits of every script, which int() then reads or refuses as it likes.
_DIGITS: Final = LatePattern(r"[0-9]+")

_ZH_DIGITS: Final = "零一二三四五六七八九十"

_EN_DIGITS: Final = (*DIGIT_NAMES, "ten")


def links_were_said(text: str, own: str) -> bool:
    """Tell whether every link of ``text`` stands in what was said, character by character."""
    # No near words for a link: one changed letter leads somewhere else.
    return all(link in own for link in _URL.findall(text))


def without_dates(text: str, at: datetime, zone: ZoneInfo) -> str:
    """Return ``text`` without the words that name a date."""
    kept: list[str] = []
    end = 0
    # Mentions may overlap; the one that begins first is taken as a whole.
    for each in date_mentions(text, at, zone):
        if each.start >= end:
            kept.append(text[end : each.start])
            end = each.end
    return " ".join((*kept, text[end:]))


def numbers_were_said(text: str, own: str) -> bool:
    """Tell whether every number of ``text`` was said, in figures or, under 100, in words."""
    said = set(_DIGITS.findall(normalized(own)))
    return all(
        number in said or any(written in own for written in in_words(number))
        for number in _DIGITS.findall(normalized(text))
    )


def in_words(number: str) -> Iterator[str]:
    """Yield how a number under 100 is written in Chinese, and up to ten in English.

    >>> list(in_words("25")), list(in_words("2"))
    (['二十五'], ['二', 'two', '两'])
    """
    if len(number) > len("99"):
        return
    tens, ones = divmod(int(number), 10)
    if tens == 0 or int(number) == len(_ZH_DIGITS) - 1:
        yield _ZH_DIGITS[int(number)]
        yield _EN_DIGITS[int(number)]
    else:
        yield (_ZH_DIGITS[tens] if tens > 1 else "") + "十" + (_ZH_DIGITS[ones] if ones else "")
    if number.endswith("2") and tens == 0:
        yield "两"


MOST_CLAUSES: Final = 400
"""So much of one text is looked at; more is a document, not something somebody says."""

_BREAK: Final = LatePattern(
    r"[。！？!?；;，,、\n…~～]+|\.(?=\s|$)|(?<=\s)[-—]{1,3}(?=\s)|[：:](?!\d)"
    r"|(?<=[一-鿿])\s+(?=[一-鿿])"
    r"|\b(?:but|because|although|and(?=\s+(?:i|my|we|he|she|they)\b))\b",
    re.IGNORECASE,
)

_QUESTION: Final = LatePattern(
    r"[吗呢么]$|(?P<a>[\u4e00-\u9fff])[不没](?P=a)|是否|^(?:什么|怎么|为什么|谁|哪|多少|几点)"
    r"|(?:什么|怎么|为什么|谁|哪里|哪儿|多少)(?:的|了|样|办)?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|would|will|should|have|has|what|who|where"
    r"|when|why|how|which)\b",
    re.IGNORECASE,
)

_UNREAL: Final = LatePattern(
    r"如果|假如|假设|要是|假装|扮演|万一|幻想|梦见|梦到|\b(?:if|suppose|imagine|pretend|wish"
    r"|dreamt|dreamed|hypothetically)\b",
    re.IGNORECASE,
)

_PLAYED: Final = LatePattern(
    rf"{ROLE_SELF}"
    r"|开玩笑|骗你的|逗你的|瞎编的|角色扮演|扮演|假装|剧本杀|角色卡|对台词"
    r"|\b(?:just kidding|kidding|joking|jk|role-?play|pretend)\b",
    re.IGNORECASE,
)

_RUN: Final = LatePattern(
    r"(?P<han>[\u3400-\u9fff]+)|(?P<word>[^\W_\u3400-\u9fff]+(?:['’][a-z]+)*)"
)

_FIGURES: Final = LatePattern(r"[0-9]+")

# Tom's and Tom are one name; left in place, the s would be a term of its own.
_POSSESSIVE: Final = LatePattern(r"['’]s\b")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that stand for a speaker in a text: folded once, the longest first."""

    folded: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> "Names":
        folded = set(filter(None, map(normalized, names)))
        # The longest first: taking "partner" out before "the partner" would leave "the" behind.
        return cls(tuple(sorted(folded, key=lambda name: (-len(name), name))))


NO_NAMES: Final = Names()


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause: its words, its substance as comparable terms in order, and how it is meant.

    ``folded`` is the text as it is compared and ``about`` the terms as a set. ``negative`` if it
    denies, ``past`` if it tells of former times, ``wished`` if it only wishes, plans or supposes.
    ``stated`` is false for questions and conditions, which state nothing.
    """

    text: str
    folded: str
    terms: tuple[str, ...]
    about: frozenset[str]
    negative: bool
    past: bool
    wished: bool
    stated: bool


def clauses(text: str, names: Names = NO_NAMES) -> tuple[Clause, ...]:
    """Return every clause of ``text``; ``names``, which stand for the speaker, are no terms."""
    return tuple(_clause(part, mark, names) for part, mark in islice(_parts(text), MOST_CLAUSES))


def terms_of(parsed: Iterable[Clause]) -> frozenset[str]:
    """Return the terms of all these clauses."""
    return frozenset(term for clause in parsed for term in clause.terms)


def substance(text: str) -> frozenset[str]:
    """Return the terms of a whole text."""
    return terms_of(clauses(text))


def is_play(text: str) -> bool:
    """Tell whether a message says that it jests or plays a role: nothing in it is meant."""
    return bool(_PLAYED.search(DENIED_PLAY.sub(" ", text)))


def without_names(folded: str, names: Names) -> str:
    """Return folded text without the names: whole words, 安 only where it begins."""
    for name in names.folded:
        if name.isascii():
            folded = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", folded)
        elif len(name) > 1:
            folded = folded.replace(name, " ")
        else:
            # One character stands inside too many words to be taken out everywhere: 安 in 安静.
            folded = folded.removeprefix(name)
    return folded


def begins_with(folded: str, name: str) -> bool:
    """Tell whether folded text begins with a folded name, as a word of its own."""
    after = folded[len(name) : len(name) + 1]
    return bool(name) and folded.startswith(name) and not (after.isalnum() and after.isascii())


def is_class(term: str) -> bool:
    """Tell whether a term is a class of predicates rather than a word of the text."""
    return term.startswith(("zh:", "en:"))


def covers(term: str, clause: Clause) -> bool:
    """Tell whether a clause says the term: as a term, inside its text, or most of its pairs."""
    if term in clause.about:
        return True
    if _FIGURES.fullmatch(term):
        return any(written in clause.folded for written in in_words(term))
    if is_class(term) or term.isascii():
        return False
    if term in clause.folded:
        return True
    pairs = [term[i : i + 2] for i in range(len(term) - 1)]
    return len(pairs) > 1 and 2 * sum(pair in clause.folded for pair in pairs) >= len(pairs)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield every clause and the mark that ends it."""
    start = 0
    for mark in _BREAK.finditer(text):
        if part := text[start : mark.start()].strip():
            yield part, mark[0]
        start = mark.end()
    if part := text[start:].strip():
        yield part, ""


def asks(part: str, mark: str) -> bool:
    """Tell whether a clause asks: by its words, or by the mark that follows it."""
    return bool(_QUESTION.search(part)) or mark[:1] in {"?", "？"}


def _denies(text: str) -> bool:
    """Tell whether a clause denies: an odd number of negations."""
    # Two negations affirm: 我不是不喜欢猫.
    return len(NEGATORS.findall(NEUTRAL.sub(" ", text))) % 2 == 1


def _clause(part: str, mark: str, names: Names) -> Clause:
    folded = normalized(part)
    terms = tuple(dict.fromkeys(_terms(folded, names)))
    return Clause(
        text=part,
        folded=folded,
        terms=terms,
        about=frozenset(terms),
        negative=_denies(part),
        past=bool(PAST.search(part)),
        wished=bool(WISHED.search(part)),
        stated=not asks(part, mark) and not _UNREAL.search(part),
    )


def _terms(folded: str, names: Names) -> Iterator[str]:
    """Yield the comparable terms of a clause: classes first, then words."""
    text = without_names(folded, names)
    text = _POSSESSIVE.sub(" ", text)
    # 讨厌 is the class of liking, denied: 我讨厌香菜 and 主人不喜欢香菜 say the same.
    if found := DISLIKE.search(text):
        yield "en:like" if found[0].isascii() else "zh:like"
        text = DISLIKE.sub(" ", text)
    found_classes: list[str] = []

    def taken(match: re.Match[str]) -> str:
        found_classes.append((match.lastgroup or "").replace("_", ":", 1))
        return " "

    text = _CLASSES.sub(taken, text)
    yield from found_classes
    for run in _RUN.finditer(text):
        yield from _chinese_words(run[0]) if run.lastgroup == "han" else _latin_words(run[0])


def _chinese_words(run: str) -> Iterator[str]:
    for word in segmented_words(run):
        if word not in FUNCTION_WORDS:
            yield word


def _latin_words(word: str) -> Iterator[str]:
    if _FIGURES.fullmatch(word):
        yield word
    elif word not in FUNCTION_WORDS:
        # Stemmed, so that cats and cat are one term.
        yield from tokens(word)


# One expression for all classes: a text is walked once, and the first match takes its words away.
_CLASSES: Final = LatePattern(
    "|".join(
        [f"(?P<zh_{name}>{words})" for name, words in ZH_CLASSES.items()]
        + [rf"(?P<en_{name}>\b(?:{words})\b)" for name, words in EN_CLASSES.items()]
    ),
    re.IGNORECASE,
)


def plainly(sentence: str) -> str:
    """Return a sentence as it is compared: without dialect, r-endings and fillers."""
    folded = _DAY_R.sub(r"\1天", _SO_MUCH.sub("", plainly_written(normalized(sentence))))
    folded = _TWO_OF_FAMILY.sub(r"\1，", _R_ENDING.sub("", folded))
    folded = _WHO_IS.sub("who is", _IN_LAW.sub(r"\1inlaw", _FILLERS.sub("", folded)))
    return _HER_NAME.sub(lambda found: f"{_OF_WHOM[found[1].lower()]} is called ", folded)


_DAY_R: Final = LatePattern(r"(大?[前后]|[昨今明])儿个?(?![子女童])")

_WHO_IS: Final = LatePattern(r"\bwho['’]?s(?= \w)", re.IGNORECASE)

_IN_LAW: Final = LatePattern(
    r"\b(mother|father|brother|sister|son|daughter)[ -]in[ -]law", re.IGNORECASE
)
"""A brother-in-law is no brother."""

_OF_WHOM: Final = {"her": "she", "his": "he", "its": "it"}

_HER_NAME: Final = LatePattern(
    r"(?<![\w'’] )(?<!\w)(her|his|its) name(?: is|['’]s) (?=\w)", re.IGNORECASE
)
"""Whose name it is stands before: "her name is Lucy" says how she is called."""


# 我爸种地我妈开店 tells of two people in one breath; in 我爸和我妈 and in 我嫂子说我哥… the second
# belongs to what is told of the first.
_KIN: Final = "[我俺咱](?:[爸妈爹娘哥姐弟妹爷奶]|外[公婆]|老[公婆])"

_TWO_OF_FAMILY: Final = LatePattern(
    rf"({_KIN}[^，；,]{{2,12}}?)"
    "(?<![和跟与同给对叫让把被找陪帮问教替比像爱恨想怪骂打见带送为说讲嫌听看盼等信怕])"
    rf"(?={_KIN})"
)


# 老伴儿 is 老伴; in 女儿, 儿子 and 幼儿园 the character is a word's own.
_R_ENDING: Final = LatePattern(
    r"(?<=[\u4e00-\u9fff])(?<![女婴幼孤少男健胎产育患宠娇孙生侄小])儿(?![子女童科媳时歌化孙戏])"
)

_SO_MUCH: Final = LatePattern(r"(?<![最友讨要相正])[好真超很](?=想[\u4e00-\u9fff])")
"""好想学 is cut as one word, and says 想学."""

# Said beside the matter, or to be believed: it tells nothing, whatever negation stands in it.
_FILLERS: Final = LatePattern(
    r"[, ]*\b(?:god help (?:me|us|the \w+)|i swear(?: to god)?|no joke|no lie|not gonna lie|ngl"
    r"|i (?:am|['’]m) not (?:even )?(?:lying|exaggerating|joking|kidding)"
    r"|if you can (?:credit|believe) it|mind you|believe me|trust me|would you believe(?: it)?"
    r"|can you imagine|you know what i mean|if you please|thank (?:god|heavens|goodness)"
    r"|touch wood|knock on wood|fingers crossed|don['’]?t laugh|yaar|y['’]?all"
    r"|(?:please |pls )?(?:remember|note|keep in mind) (?:this|that|it)(?=\W*$))\b(?=\W|$)"
)
