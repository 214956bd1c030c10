"""What a sentence says, reduced to what can be compared: its clauses, substance and polarity.

Lexical on purpose: deterministic, explainable, the same for every model. It decides what a model
may write down, so it errs towards saying that two wordings are not the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import rjieba

from memory.background.exactness import in_words
from memory.background.lexicon import (
    DISLIKE,
    EN_CLASSES,
    FUNCTION_WORDS,
    NEGATORS,
    NEUTRAL,
    PAST,
    WISHED,
    ZH_CLASSES,
)
from memory.text.tokens import normalized, tokens

MOST_CLAUSES: Final = 400
"""So much of one text is looked at; more is a document, not something somebody says."""

_BREAK: Final = re.compile(
    r"[。！？!?；;，,、\n…~～]+|\.(?=\s|$)|(?<=\s)[-—]{1,3}(?=\s)|[：:](?!\d)"
    r"|\b(?:but|because|although|and(?=\s+(?:i|my|we|he|she|they)\b))\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"[吗呢么]$|(?P<a>[\u4e00-\u9fff])[不没](?P=a)|是否|^(?:什么|怎么|为什么|谁|哪|多少|几点)"
    r"|(?:什么|怎么|为什么|谁|哪里|哪儿|多少)(?:的|了|样|办)?$"
    r"|^(?:do|does|did|is|are|am|was|were|can|could|would|will|should|have|has|what|who|where"
    r"|when|why|how|which)\b",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(
    r"如果|假如|假设|要是|假装|扮演|万一|幻想|梦见|梦到|\b(?:if|suppose|imagine|pretend|wish"
    r"|dreamt|dreamed|hypothetically)\b",
    re.IGNORECASE,
)
_PLAYED: Final = re.compile(
    r"开玩笑|骗你的|逗你的|瞎编的|角色扮演|扮演|假装"
    r"|\b(?:just kidding|kidding|joking|jk|role-?play|pretend)\b",
    re.IGNORECASE,
)
_RUN: Final = re.compile(
    r"(?P<han>[\u3400-\u9fff]+)|(?P<word>[^\W_\u3400-\u9fff]+(?:['’][a-z]+)*)"
)
_FIGURES: Final = re.compile(r"[0-9]+")
_POSSESSIVE: Final = re.compile(r"['’]s\b")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its words, its substance as comparable terms in order, and how it is meant.

    ``negative`` if it denies, ``past`` if it tells of former times, ``wished`` if it only wishes,
    plans or supposes.
    """

    text: str
    terms: tuple[str, ...]
    negative: bool = False
    past: bool = False
    wished: bool = False

    @property
    def about(self) -> frozenset[str]:
        """Return the terms as a set."""
        return frozenset(self.terms)

    def may_stand_for(self, other: "Clause") -> bool:
        """Tell whether saying this is meant as ``other`` is: a wish is no fact."""
        meant_alike = (self.negative, self.past) == (other.negative, other.past)
        return meant_alike and (other.wished or not self.wished)


def clauses(text: str, ignored: frozenset[str] = frozenset()) -> tuple[Clause, ...]:
    """Return every clause of ``text``; ``ignored`` are names that stand for the speaker."""
    return tuple(_clause(part, ignored) for part, _ in islice(_parts(text), MOST_CLAUSES))


def statements(text: str) -> tuple[Clause, ...]:
    """Return the clauses in which the speaker states something to be true.

    Questions and conditions state nothing; nothing in a message that says it jests or plays a
    role is meant.
    """
    if _PLAYED.search(text):
        return ()
    return tuple(
        _clause(part, frozenset())
        for part, mark in islice(_parts(text), MOST_CLAUSES)
        if not _asks(part, mark) and not _UNREAL.search(part)
    )


def substance(text: str, ignored: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the terms of a whole text."""
    return frozenset(term for clause in clauses(text, ignored) for term in clause.terms)


def without_names(text: str, names: frozenset[str]) -> str:
    """Return normalised ``text`` without the names: whole words, 安 only where it begins."""
    plain = normalized(text)
    for name in sorted(filter(None, map(normalized, names)), key=len, reverse=True):
        if name.isascii():
            plain = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", plain)
        elif len(name) > 1:
            plain = plain.replace(name, " ")
        else:
            plain = plain.removeprefix(name)
    return plain


def begins_with(text: str, name: str) -> bool:
    """Tell whether ``text`` begins with a name, as a word of its own."""
    plain, start = normalized(text), normalized(name)
    after = plain[len(start) : len(start) + 1]
    return bool(start) and plain.startswith(start) and not (after.isalnum() and after.isascii())


def is_class(term: str) -> bool:
    """Tell whether a term is a class of predicates rather than a word of the text."""
    return term.startswith(("zh:", "en:"))


def covers(term: str, clause: Clause) -> bool:
    """Tell whether a clause says the term: as a term, inside its text, or most of its pairs."""
    if term in clause.about:
        return True
    said = normalized(clause.text)
    if _FIGURES.fullmatch(term):
        return any(written in said for written in in_words(term))
    if is_class(term) or term.isascii():
        return False
    if term in said:
        return True
    pairs = [term[i : i + 2] for i in range(len(term) - 1)]
    return len(pairs) > 1 and 2 * sum(pair in said for pair in pairs) >= len(pairs)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield every clause and the mark that ends it."""
    start = 0
    for mark in _BREAK.finditer(text):
        if part := text[start : mark.start()].strip():
            yield part, mark[0]
        start = mark.end()
    if part := text[start:].strip():
        yield part, ""


def _asks(part: str, mark: str) -> bool:
    """Tell whether a clause asks: by its words, or by the mark that follows it."""
    return bool(_QUESTION.search(part)) or mark[:1] in {"?", "？"}


def _denies(text: str) -> bool:
    """Tell whether a clause denies: an odd number of negations."""
    return len(NEGATORS.findall(NEUTRAL.sub(" ", text))) % 2 == 1


def _clause(part: str, ignored: frozenset[str]) -> Clause:
    return Clause(
        part,
        tuple(dict.fromkeys(_terms(part, ignored))),
        negative=_denies(part),
        past=bool(PAST.search(part)),
        wished=bool(WISHED.search(part)),
    )


def _terms(part: str, ignored: frozenset[str]) -> Iterator[str]:
    """Yield the comparable terms of a clause: classes first, then words."""
    text = normalized(part)
    text = without_names(text, ignored)
    text = _POSSESSIVE.sub(" ", text)
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
    for word in rjieba.cut(run):
        if word not in FUNCTION_WORDS:
            yield word


def _latin_words(word: str) -> Iterator[str]:
    if _FIGURES.fullmatch(word):
        yield word
    elif word not in FUNCTION_WORDS:
        yield from tokens(word)


_CLASSES: Final = re.compile(
    "|".join(
        [f"(?P<zh_{name}>{words})" for name, words in ZH_CLASSES.items()]
        + [rf"(?P<en_{name}>\b(?:{words})\b)" for name, words in EN_CLASSES.items()]
    ),
    re.IGNORECASE,
)
