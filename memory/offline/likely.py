"""What a line is likely to tell, where no rule knows its words: learnt weights find it.

A question and its answer often share no word, nor do a thing and what ended it. What
``memory.text.matters`` has learnt joins them. What is found so is quoted, in the partner's own
words and with its day: it is never told as a fact.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from memory.offline.claimed import claimed
from memory.offline.lines_at_hand import OF_YOU, Told
from memory.offline.questions import Question, without_telling
from memory.offline.statements import sentences_of, states
from memory.offline.understood import is_anothers_word
from memory.offline.vocabulary import is_question
from memory.text.matters import (
    LIKELY,
    chance_of_ending,
    is_of_one_matter,
    likely_matters,
    likeness,
)
from prompts import PromptLine

LONGEST: Final = 120
"""In characters: a longer sentence is a story, in which a matter is only touched on."""


_LIKE: Final = 0.1
"""How likely a line must be of the matter that is asked about to be offered."""

_SURELY_LIKE: Final = 0.2
"""The same where the question may be about the world."""

_ABOUT_AS: Final = 0.6
"""A line is about as likely as the best from this share of that on."""

_ENDS: Final = 0.3
"""How likely a line must have ended another to be told before it."""


def lines_of_like_matter(
    lines: Sequence[PromptLine], asked: Question, *, surely: bool = False
) -> list[PromptLine]:
    """Return the lines that are likely of what a question is likely about; often there are none.

    With ``surely`` both must be more likely.
    """
    wanted = likely_matters(without_telling(asked.text), LIKELY if surely else 0.0)
    weighed = [(likeness(line.text, wanted), line) for line in lines] if wanted else []
    most = max((much for much, _ in weighed), default=0.0)
    least = max(_SURELY_LIKE if surely else _LIKE, _ABOUT_AS * most)
    return [line for much, line in weighed if much >= least]


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


def sentences_told(line: str, asked: str) -> Iterator[str]:
    """Yield the plain sentences of a line that state something, the last first; no dream.

    What is only passed on in it says nothing of who is ``asked`` about.
    """
    for sentence in reversed(sentences_of(line)):
        plain = len(sentence) <= LONGEST and states(sentence) and not is_question(sentence)
        if plain and any(claimed([sentence])) and not is_anothers_word(sentence, asked):
            yield sentence


def whole_or_from(sentence: str, line: str) -> str:
    """Return a short line whole, of a longer one a sentence and those after it, as far as told."""
    if len(line) <= LONGEST:
        return line
    told = ""
    for each in sentences_of(line[line.find(sentence) :]):
        if told and len(told) + len(each) > LONGEST:
            break
        told += f"{' ' if told and each[:1].isascii() else ''}{each}"
    return told
