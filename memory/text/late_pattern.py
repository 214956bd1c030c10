"""Regular expressions that wait until they are needed, and which of many can fit."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import add
from re import _constants as codes  # type: ignore[attr-defined]  # no stubs: the parts of a pattern
from re import _parser as parts  # type: ignore[attr-defined]  # no stubs: the parts of a pattern
from string import digits
from typing import Any, Final


class LatePattern:
    """A regular expression that is compiled when it is first asked.

    The rules are nine hundred of them, and the first answer after a start needs a fifth: compiling
    all took a third of the time until it came. Once it was asked, a method costs what it costs of
    an :class:`re.Pattern`. Raises :class:`re.error` when it is first asked, not when it is made.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.search`."""
        return self._compiled.search

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.match`."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.fullmatch`."""
        return self._compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[..., Iterator[re.Match[str]]]:
        """As :meth:`re.Pattern.finditer`."""
        return self._compiled.finditer

    @cached_property
    def findall(self) -> Callable[..., list[Any]]:
        """As :meth:`re.Pattern.findall`."""
        return self._compiled.findall

    @cached_property
    def sub(self) -> Callable[..., str]:
        """As :meth:`re.Pattern.sub`."""
        return self._compiled.sub

    @cached_property
    def split(self) -> Callable[..., list[str]]:
        """As :meth:`re.Pattern.split`."""
        return self._compiled.split


class WordedPattern(LatePattern):
    """An expression of many words, without regard to case: a text that holds none is not searched.

    Each match holds one of some words; to look for these is several times as fast as to try the
    expression at every place. Finds what a :class:`LatePattern` of the same would.
    """

    def __init__(self, pattern: str, flags: int = 0) -> None:
        super().__init__(pattern, flags | re.IGNORECASE)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The small words one of which each match holds; the empty one if there are none."""
        needed = _literals(parts.parse(self.pattern, self._flags))
        return ("",) if needed is None else tuple(shortest(needed))

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """As :meth:`re.Pattern.search`."""
        search, words = self._compiled.search, self.words

        def search_if_worded(text: str) -> re.Match[str] | None:
            folded = text.lower()
            return search(text) if any(word in folded for word in words) else None

        return search_if_worded


class Alternatives:
    """Expressions one of which is to fit, each a :class:`WordedPattern`.

    Those of which a text holds no word are left out of what is searched for.
    """

    def __init__(self, patterns: Sequence[str], flags: int = 0) -> None:
        self._patterns = [WordedPattern(each, flags) for each in patterns]
        self._flags = flags | re.IGNORECASE
        self._compiled: dict[tuple[str, ...], re.Pattern[str]] = {}

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As :meth:`re.Pattern.finditer` of all of them, the first before the next."""
        folded = text.lower()
        fitting = tuple(
            each.pattern for each in self._patterns if any(word in folded for word in each.words)
        )
        if not fitting:
            return iter(())
        compiled = self._compiled.get(fitting)
        if compiled is None:
            if len(self._compiled) >= _MOST_COMPILED:
                self._compiled.clear()
            compiled = self._compiled[fitting] = re.compile("|".join(fitting), self._flags)
        return compiled.finditer(text)


_MOST_COMPILED: Final = 64
"""So many choices of alternatives are kept; people's lines bring about a dozen."""


class PatternTable:
    """Many expressions without regard to case, and which of them a text can fit at all."""

    def __init__(self, patterns: Sequence[str]) -> None:
        # Most have words without which they cannot fit; looking for them is ten times as fast as
        # trying every expression.
        self.needed: Final = [_literals(parts.parse(each, re.IGNORECASE)) for each in patterns]
        """Small words one of which each match of an expression holds; None if there are none."""
        self._always: set[int] = set()
        # Tuples, as there are thousands of them and each holds a number or two.
        self._by_word: dict[str, tuple[int, ...]] = {}
        self._by_beginning: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
        places: dict[str, set[int]] = {}
        for number, needed in enumerate(self.needed):
            if needed is None:
                self._always.add(number)
            for word in needed or ():
                places.setdefault(word, set()).add(number)
        for word, found in places.items():
            if len(word) <= _BEGINNING:
                self._by_word[word] = tuple(found)
            else:
                self._by_beginning.setdefault(word[:_BEGINNING], []).append((word, tuple(found)))

    def fitting(self, text: str) -> list[int]:
        """Return the places of the expressions that may fit a text, in order."""
        folded = text.lower()
        numbers = set(self._always)
        # All beginnings at once: most clauses hold the beginning of no word.
        beginnings = _beginnings(folded)
        for word in beginnings & self._by_word.keys():
            numbers.update(self._by_word[word])
        for beginning in beginnings & self._by_beginning.keys():
            for word, found in self._by_beginning[beginning]:
                if word in folded:
                    numbers.update(found)
        return sorted(numbers)


def lines_hold(lines: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Whether a pattern is found in one of some lines; of lines asked of lately it is known."""
    known = _known_of(tuple(lines))
    if (found := known.get(id(pattern))) is None:
        # The pattern is kept as well: nothing else is to be known by its number.
        found = known[id(pattern)] = pattern, any(map(pattern.search, lines))
    return found[1]


# Each piece of an answer that grows asks a dozen patterns of what it answers.
@lru_cache(maxsize=16)
def _known_of(_lines: tuple[str, ...]) -> dict[int, tuple[re.Pattern[str], bool]]:
    return {}


_BEGINNING: Final = 3


# Four tables are asked of one clause.
@lru_cache(maxsize=4)
def _beginnings(folded: str) -> frozenset[str]:
    """Return every stretch of a text of up to three characters."""
    pairs = list(map(add, folded, folded[1:]))
    return frozenset(map(add, pairs, folded[2:])).union(pairs, folded)


def shortest(words: Iterable[str]) -> Iterator[str]:
    """Yield the words without those that hold another of them."""
    kept: list[str] = []
    for word in sorted(words, key=len):
        if not any(each in word for each in kept):
            kept.append(word)
            yield word


def _literals(parsed: Iterable[Any]) -> set[str] | None:
    """Return the words one of which every match holds; None if there is no such list."""
    found: list[set[str]] = []
    run = ""
    for code, argument in parsed:
        if code is codes.LITERAL:
            run += chr(argument).lower()
            continue
        found += [{run}] if run else []
        run = ""
        inside = _literals_of(code, argument)
        found += [inside] if inside else []
    found += [{run}] if run else []
    # The list whose shortest word is longest says most.
    return max(found, key=lambda words: (min(map(len, words)), -len(words)), default=None)


def _literals_of(code: Any, argument: Any) -> set[str] | None:
    if code is codes.SUBPATTERN:
        return _literals(argument[-1])
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT} and argument[0] > 0:
        return _literals(argument[2])
    if code is codes.IN and all(kind is codes.LITERAL for kind, _ in argument):
        return {chr(each).lower() for _, each in argument}
    if code is codes.IN and argument == [(codes.CATEGORY, codes.CATEGORY_DIGIT)]:
        # What is read was brought to these ten; nobody's age is looked for in other scripts.
        return set(digits)
    if code is codes.BRANCH:
        sets = [_literals(branch) for branch in argument[1]]
        return set().union(*filter(None, sets)) if all(sets) else None
    return None
