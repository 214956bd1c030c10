"""What a line is likely to tell, where no rule knows its words: learnt weights find it.

A question and its answer often share no word, nor do a thing and what ended it. What
``memory.text.matters`` has learnt joins them. What is found so is quoted, in the partner's own
words and with its day: it is never told as a fact.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from memory.offline.claimed import claimed
from memory.offline.lines_at_hand import (
    NO_THING,
    OF_YOU,
    Told,
)
from memory.offline.questions import (
    KIN_WORD,
    OF_ME,
    Question,
    names_in,
    told_of_by_name,
    without_telling,
)
from memory.offline.statements import sentences_of, states
from memory.offline.understood import is_anothers_word
from memory.offline.vocabulary import is_question
from memory.recall.query_terms import telling_terms
from memory.text.late_pattern import LatePattern
from memory.text.matters import (
    chance_of_ending,
    chances_of_telling,
    is_of_one_matter,
    likely_matters,
    likeness,
)
from memory.text.slot_cues import PERSONS_ZH
from memory.text.tokens import is_dense, names_somebody, plainly_written
from prompts import PromptLine

_LONGEST: Final = 120
"""In characters: a longer sentence is a story, in which a matter is only touched on.

Where words are written in letters it is twice that.
"""

_LIKE: Final = 0.1
"""How likely a line must be of the matter that is asked about to be told as news of it."""

_ENDS: Final = 0.3
"""How likely a line must have ended another to be told before it."""


def is_short(text: str) -> bool:
    """Tell whether a text is told whole."""
    return len(text) <= _LONGEST or (len(text) <= 2 * _LONGEST and not is_dense(text))


def likeliest_line(
    lines: Sequence[PromptLine], asked: Question, *, former: bool, surely: bool
) -> PromptLine | None:
    """Return the line that is likeliest to tell what is asked; often there is none.

    Of what is asked of ``former`` times the elder lines are likelier. ``surely``: it must be
    likelier by far.
    """
    known = {line.text: line for line in sorted(lines, key=lambda each: each.at, reverse=former)}
    chances = chances_of_telling(without_telling(asked.text), [*known])
    if not known or chances.max() < (_SURELY_TELLS if surely else _TELLS):
        return None
    return [*known.values()][int(chances.argmax())]


_TELLS: Final = 0.03
_SURELY_TELLS: Final = 0.1
"""How likely it must be at least; the latter where the question may be about the world."""


def likely_end(known: str, later: Sequence[PromptLine], asked: Question) -> Told | None:
    """Return the later line of the partner's that is likeliest to have ended what was known.

    In a long life many a line seems to end whatever was known: only one that is of the same
    matter, and of what is asked, is told.
    """
    wanted = likely_matters(without_telling(asked.text))
    best, found = _ENDS, None
    for line in {x.text: x for x in later if x.text not in known}.values():
        for sentence in sentences_told(line.text, asked.text):
            chance = chance_of_ending(sentence, known)
            fits = likeness(sentence, wanted) >= _LIKE and is_of_one_matter(sentence, known)
            if fits and chance >= best and not OF_YOU.search(sentence):
                best, found = chance, Told(whole_or_from(sentence, line.text), "user", line.at)
    return found


def takes_its_place(newer: str, known: str, asked: str) -> bool:
    """Tell whether a sentence puts another value in the place of what was known, whatever it is.

    It tells another grade of one scale (N4, N2) or another age where that is ``asked`` for, or
    that what was owed is paid.
    """
    if _OWES.search(known) and _SETTLES.search(newer):
        return _OWES.search(asked) is not None
    if _ASKS_AGE.search(asked):
        ages = [_AGE.search(plainly_written(each)) for each in (known, newer)]
        other = all(ages) and len({each[0] for each in ages if each}) > 1
        return other and _is_of_the_same(newer, asked)
    if _tells_another_amount(newer, known, asked) or _takes_back(newer, known):
        return True
    classes = [_CLASS.findall(plainly_written(each)) for each in (known, newer)]
    if all(classes) and _ASKS_CLASS.search(plainly_written(asked)):
        return classes[0][-1] != classes[1][-1] and _is_of_the_same(newer, asked)
    was, now = (
        dict(_GRADE.findall(_ORDINAL.sub(r"grade \1", plainly_written(each))))
        for each in (known, newer)
    )
    return _ASKS_GRADE.search(asked) is not None and any(
        now[scale] != was[scale] for scale in now.keys() & was.keys()
    )


def has_moved(sentence: str, asked: str) -> bool:
    """Whether somebody a question names is told to have gone to live elsewhere."""
    who = told_of_by_name(sentence)
    return bool(who) and who in asked and _MOVED.search(sentence) is not None


_MOVED: Final = LatePattern(
    r"搬[到去来回家]|回(?:了|到|来)[^，,]{0,8}(?:住|了$)|定居"
    r"|\b(?:moved|settled|relocated|lives|living) (?!on\b)",
    re.IGNORECASE,
)


def _is_of_the_same(newer: str, asked: str) -> bool:
    """Whether a line may be of whom is asked about: Ivy's new age is none of Sam's."""
    named = [each for each in names_in(asked) if each[:1].isupper() or names_somebody(each)]
    if named:
        return any(each.lower() in newer.lower() for each in named)
    return (
        not OF_ME.search(asked) or KIN_WORD.search(asked) is not None or not told_of_by_name(newer)
    )


def _tells_another_amount(newer: str, known: str, asked: str) -> bool:
    """Whether a line changes how much or how many there is of what is asked about."""
    if not _ASKS_AMOUNT.search(asked) or not OTHERWISE.search(newer):
        return False
    was, now = _amounts(known), _amounts(newer)
    units = {unit for unit, counts in now.items() if was.get(unit) and counts - was[unit]}
    things = {x for x in telling_terms(newer) if not (NO_THING.fullmatch(x) or x[:1].isdigit())}
    return bool(units) and (
        bool(things & (telling_terms(asked) | telling_terms(known)))
        or any(unit and unit in asked and unit not in _OF_ANYTHING for unit in units)
    )


def _amounts(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for count, unit in _AMOUNT.findall(plainly_written(text)):
        found[unit] = found.get(unit, frozenset()) | {count}
    return found


_AMOUNT: Final = LatePattern(
    r"((?<![\d.:])\d[\d.,]*[万千百]?|(?<![第星期周礼拜])[一二两三四五六七八九十百千万]+)(?![\d号月点:年%])"
    r" ?((?![了的])[一-鿿]|)"
)
_ASKS_AMOUNT: Final = LatePattern(
    r"多少|几[^点号月]|\bhow (?:much|many)\b"
    r"|\bwhat(?:['’]?s| is| are)\b.*\b(?:price|rent|cost|budget|pay|fee|salary|wage)\b",
    re.IGNORECASE,
)
OTHERWISE: Final = LatePattern(
    r"[改换变涨降减加升调砍缩]|现在|不要|不是|更正|\b(?:changed?|now|instead|down|up|cut|reduced|raised"
    r"|increased|dropped|make it|made it|gone|went|from)\b",
    re.IGNORECASE,
)
_OF_ANYTHING: Final = frozenset("块元个条次天年月日号点人位件分钱公斤只张")


def _takes_back(newer: str, known: str) -> bool:
    """Whether a line says that what was told is not so: sorry I said lurcher, he's a whippet."""
    found = _SAID_WRONG.search(newer)
    return found is not None and (found["zh"] or found["en"]).lower() in known.lower()


I_SAID: Final = LatePattern(
    r"我(?:之前|上次|上回|刚才?)*说|\b(?:when )?i (?:said|told you|meant|wrote)\b", re.IGNORECASE
)
"""Who says what they said tells nothing of themselves thereby."""

_SAID_WRONG: Final = LatePattern(
    r"(?:不好意思|抱歉|更正|纠正|之前|上次|上回)[^，,。]{0,6}说(?:的|成)?了?是?(?P<zh>[^，,。的了]{2,6})(?=[，,。]|$)"
    r"|\b(?:sorry|oops|actually|wait|when)\b[, ]{1,2}i (?:said|told you|wrote|called \w+) "
    r"(?:he was |she was |it was |an? |the ){0,2}(?P<en>[\w-]{3,20})\b",
    re.IGNORECASE,
)


def puts_another_in_its_place(newer: str, asked: str) -> bool:
    """Tell whether a line says who or what is now in a place that is asked about.

    Who somebody is stays true; who does something for me may be another by now.

    >>> puts_another_in_its_place("伴娘换成表妹林可了", "伴娘是谁？")
    True
    >>> puts_another_in_its_place("她的新老板叫王磊", "我老板是谁")
    False
    >>> puts_another_in_its_place("Priya left, my new manager is Oscar", "who is my manager?")
    True
    """
    if not (place := place_asked(asked)):
        return False
    way = _new_in_en(place.lower()) if place.isascii() else _new_in_zh(place)
    for clause in _CLAUSES.split(plainly_written(newer)):
        if (told := way.search(clause)) is not None:
            before = clause[: told.start() + told[0].lower().index(place.lower())]
            return _OF_ANOTHERS.search(before) is None
    return False


def place_asked(asked: str) -> str:
    """Return whose place a question asks about: 伴娘 of 伴娘是谁, boss of "who is my boss"."""
    found = _PLACE_ASKED.match(asked.strip())
    return next((x for x in found.groupdict().values() if x), "") if found else ""


_OF_ANOTHERS: Final = LatePattern(
    rf"(?:[你他她它]们?家?|{PERSONS_ZH}|(?<![我俺咱]|们|来|新|在)的)(?:的|那边|新|现在)*$"
    r"|\b(?:his|her|their|your|\w+['’]s) (?:new |current |latest )?$",
    re.IGNORECASE,
)

_PLACE_ASKED: Final = LatePattern(
    r"^(?:小祥|那|请问|[，,\s])*(?:[我俺咱]们?家?的?)?(?:现在|如今|目前)?的?"
    r"(?P<zh>[一-鿿]{2,6}?)(?:现在|如今|目前|到底|后来|最后|又)*"
    r"(?:是|叫|换成?|改成?|定)了?(?:谁|什么名?字?|啥|哪[位个])[了呢啊呀来着]*[?？]*$"
    r"|^谁(?:是|在?当|在?做)(?:[我俺咱]们?的?)?(?:现在的?)?(?P<zh_last>[一-鿿]{2,6}?)[呢啊呀]*[?？]*$"
    r"|^(?:and |so )?who(?:['’]?s| is| are)(?: now)? (?:my|our|the) (?:new |current )?"
    r"(?P<en>[\w-]{3,16}(?: [\w-]{3,16})?)(?: now| these days| at the moment)?\W*$"
    r"|^what(?:['’]?s| is) (?:my|our|the) (?P<en_called>[\w-]{3,16}(?: [\w-]{3,16})?)"
    r"(?:['’]?s name| called)\W*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=16)
def _new_in_zh(place: str) -> re.Pattern[str]:
    of, now = re.escape(place), "(?:现在|如今|目前|今年|以后|往后|这学期)"
    return re.compile(
        f"新(?:来的?|的)?{of}(?!的)|{now}[^，,。]{{0,3}}{of}[就都也]?[是叫姓]"
        f"|{of}{now}[就都也]?[是叫姓由]"
        f"|{of}[就也都又已经最近刚被要终于]{{0,4}}[换改变](?:成|为|人|由|了?[个位](?:新|人|[男女])|了$)"
        f"|[换改](?:成|了|为)?了?[个位名]?[^，,。的]{{0,3}}{of}(?!的)"
        f"|由[^，,。]{{1,6}}[当做任接顶][^，,。]{{0,3}}{of}(?!的)"
    )


@lru_cache(maxsize=16)
def _new_in_en(place: str) -> re.Pattern[str]:
    of, mine = re.escape(place), "(?:my |our |the )?"
    return re.compile(
        rf"\b(?:new|current|latest) {of}\b(?!['’]s)"
        rf"|\b{of}(?:['’]s| is| are| will be)? now\b|\bnow(?:['’]s| is)? {mine}{of}\b(?!['’]s)"
        rf"|\b{of}(?: is|['’]s) [\w ]{{1,30}} now\b|\b(?:is|becomes|became) {mine}{of} now\b"
        rf"|\b{of} (?:has |was |is |got |has been )?(?:changed|switched|swapped|replaced)\b"
        rf"|\b(?:changed|switched|swapped|replaced) {mine}{of}s?\b"
        rf"|\b(?:took|taken|taking) over (?:as|from) {mine}{of}\b",
        re.IGNORECASE,
    )


_ORDINAL: Final = LatePattern(r"\b(\d)(?:st|nd|rd|th) grade\b", re.IGNORECASE)

_CLASS: Final = LatePattern("[托小中大]班")
_ASKS_CLASS: Final = LatePattern("(?:什么|哪个?|几|啥)班|几年级")

_ASKS_GRADE: Final = LatePattern(
    r"水平|几级|段位|等级|年级|什么级|\b(?:level|grade|class|year|belt|band|rank)\b", re.IGNORECASE
)

_GRADE: Final = LatePattern(
    r"(?<![a-z])(n|hsk ?|[abc]|p|s|primary |year |grade |form |band |level |[小初高大研])"
    r"(\d|[一二三四五六])(?![\d])",
    re.IGNORECASE,
)
"""A scale, and how far one is on it."""

_ASKS_AGE: Final = LatePattern(r"几岁|多大|年龄|\bhow old\b|s['’]? age\b", re.IGNORECASE)

_AGE: Final = LatePattern(
    r"[一二两三四五六七八九十\d]+岁|\b\w+ years? old\b|\bturn(?:ed|s) \w+"
    r"|\b(?:is|am|['’]s) \d{1,3}\b(?! ?[:%])",
    re.IGNORECASE,
)

_OWES: Final = LatePattern(r"欠|借了|\b(?:owe[sd]?|owing|debt|in debt|loan)\b", re.IGNORECASE)

_SETTLES: Final = LatePattern(
    r"还清|还完|结清|两清|还上了|平账|\b(?:squared up|settled up|all square|debt[- ]free"
    r"|slate['’]?s clean|paid (?:\w+ )?(?:off|back|up)|paid it all"
    r"|cleared (?:the|my) (?:debt|loan))\b",
    re.IGNORECASE,
)


def sentences_told(line: str, asked: str) -> Iterator[str]:
    """Yield the plain sentences of a line that state something, the last first; no dream.

    What is only passed on in it says nothing of who is ``asked`` about.
    """
    for sentence in reversed(sentences_of(line)):
        plain = is_short(sentence) and states(sentence) and not is_question(sentence)
        if plain and any(claimed([sentence])) and not is_anothers_word(sentence, asked):
            yield sentence


def whole_or_from(sentence: str, line: str) -> str:
    """Return a short line whole, of a longer one a sentence and those after it, as far as told."""
    if is_short(line):
        return line
    told = ""
    for each in sentences_of(line[line.find(sentence) :]):
        if told and not is_short(told + each):
            break
        told += f"{' ' if told and each[:1].isascii() else ''}{each}"
    return told


def says_it_with_the_answer(asked: str, told: str) -> bool:
    """Whether a line says what is asked word for word, with something where the question asks.

    Then that is the answer, whatever it is: no list of places or of names is needed.

    >>> says_it_with_the_answer("Where do I park?", "I park on level 3")
    True
    >>> says_it_with_the_answer("谁负责订场地？", "陈静不负责订场地")
    False
    """
    plain = asked.strip().rstrip("?？!！。.呢啊呀 ")
    for clause in _CLAUSES.split(told):
        said = _REQUEST.sub("", clause.strip())
        if found := _WHO_ZH.fullmatch(plain):
            # Somebody, in few words: with a "not" before the deed it is nobody.
            gap = re.escape(found["before"]) + "(?P<gap>.{1,8}?)" + re.escape(found["after"])
        elif found := _WHO_EN.fullmatch(plain):
            gap = "(?P<gap>.{1,30}?) " + re.escape(found["after"])
        elif found := _WHERE_EN.fullmatch(plain):
            gap = re.escape(found["deed"]) + rf"(?P<gap> (?:{_PLACED}) \S.{{0,40}})"
        else:
            return False
        filled = re.fullmatch(gap, said, re.IGNORECASE)
        if filled is not None and not _DENIES.search(filled["gap"]):
            return True
    return False


_CLAUSES: Final = re.compile(r"[，,。！!；;\n]|\.(?=\s|$)")
_REQUEST: Final = re.compile(
    r"^(?:小祥|请|帮我)?\s*记住[：:]?\s*|^(?:please )?remember(?: that)? ", re.IGNORECASE
)
_WHO_ZH: Final = re.compile("(?P<before>[^谁，。？?]{0,12})谁(?P<after>[^谁，。？?吗]{2,20})")
_WHO_EN: Final = re.compile(r"who (?P<after>[^,?]{4,60})", re.IGNORECASE)
_WHERE_EN: Final = re.compile(r"where do (?P<deed>(?:i|we|they|you) [^,?]{3,40})", re.IGNORECASE)
_PLACED: Final = (
    "on|in|at|by|under|behind|near|next to|outside|inside|beside|opposite|over|above|below"
)
_DENIES: Final = re.compile(
    r"[不没别谁]|\b(?:not|never|no|nobody|who|what|if|maybe|perhaps|may|might|should)\b|n['’]t\b",
    re.IGNORECASE,
)
