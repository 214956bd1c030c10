"""What a line is likely to tell, where no rule knows its words: learnt weights find it.

A question and its answer often share no word, nor do a thing and what ended it. What
``memory.text.matters`` has learnt joins them. What is found so is quoted, in the partner's own
words and with its day: it is never told as a fact.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memory.offline.claimed import claimed
from memory.offline.lines_at_hand import (
    OF_YOU,
    Told,
)
from memory.offline.questions import Question, without_telling
from memory.offline.statements import sentences_of, states
from memory.offline.understood import is_anothers_word
from memory.offline.vocabulary import is_question
from memory.text.late_pattern import LatePattern
from memory.text.matters import (
    chance_of_ending,
    chances_of_telling,
    is_of_one_matter,
    likely_matters,
    likeness,
)
from memory.text.tokens import is_dense, plainly_written, segmented_words
from prompts import PromptLine, Reply

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


def without_bare_names(
    prompt: Reply, before: Sequence[PromptLine], asked: str
) -> tuple[Reply, tuple[PromptLine, ...]]:
    """Return a prompt and the talk before it without what names what is asked, and no more.

    Whoever asks whether it was said may hear it.
    """
    if _ASKS_WHETHER_SAID.search(asked):
        return prompt, tuple(before)
    memories = tuple(
        each._replace(said=tuple(x for x in each.said if not only_says(x.text, asked)))
        for each in prompt.memories
        if each.tier != "diary" or not only_says(each.text, asked)
    )
    lines = tuple(x for x in before if x.role != "user" or not only_says(x.text, asked))
    return replace(prompt, memories=memories), lines


_ASKS_WHETHER_SAID: Final = LatePattern(
    r"说|提[过到]|讲|写|发[过了]|\b(?:sa(?:y|id)|tell|told|mention\w*|wr[io]te\w*|sent)\b",
    re.IGNORECASE,
)


def only_says(told: str, asked: str) -> bool:
    """Whether a line says a word of a question, once or again and again, and nothing of it.

    >>> only_says("abc abc abc", "who is abc?"), only_says("I like tea", "do I like tea?")
    (True, False)
    """
    if len(told) > _LONGEST_NAME_AGAIN:
        return False
    said, question = (_NO_LETTER.sub("", each.lower()) for each in (told, asked))
    again = (n for n in range(1, len(said)) if said[:n] * (len(said) // n) == said)
    one = len(told.split()) == 1 and len(segmented_words(told.strip())) == 1
    word = said[: next(again, len(said) if one else 0)]
    return bool(word) and word in question


_NO_LETTER: Final = LatePattern(r"[\W_]+")
_LONGEST_NAME_AGAIN: Final = 60


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
        return all(ages) and len({each[0] for each in ages if each}) > 1
    was, now = (
        dict(_GRADE.findall(_ORDINAL.sub(r"grade \1", plainly_written(each))))
        for each in (known, newer)
    )
    return _ASKS_GRADE.search(asked) is not None and any(
        now[scale] != was[scale] for scale in now.keys() & was.keys()
    )


_ORDINAL: Final = LatePattern(r"\b(\d)(?:st|nd|rd|th) grade\b", re.IGNORECASE)

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

_AGE: Final = LatePattern(r"[一二两三四五六七八九十\d]+岁|\b\w+ years? old\b", re.IGNORECASE)

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
