"""No pattern of the program may be held up by what somebody writes.

Where the parts of a repeated group can be read in two ways (``(?:刚才?|刚刚)*``), a row of such
parts that comes to nothing is tried in every combination: sixty signs took for ever. So every
pattern that repeats a choice is given rows of its own words.
"""

import contextlib
import dataclasses
import importlib
import pkgutil
import random
import re
import signal
from collections.abc import Iterator, Sequence
from inspect import signature
from re import _constants as codes  # type: ignore[attr-defined]  # typeshed leaves it out
from re import _parser as parser  # type: ignore[attr-defined]
from types import FrameType, ModuleType
from typing import Any, Final

import pytest

import bot
import memory
from memory.text.late_pattern import Alternatives, LatePattern
from tests.fakes.cost import times

ROW: Final = times(80, hunting=300)
"""Characters: a unit of a message that is read by rules has at most as many."""

SECONDS: Final = 0.3
"""Of the processor: a row takes a hundredth of it, or years."""

REPEATS: Final = {codes.MAX_REPEAT, codes.MIN_REPEAT}
MANY: Final = 9
DEEP: Final = 4

_INNER: Final = {
    codes.SUBPATTERN: 3,
    codes.MAX_REPEAT: 2,
    codes.MIN_REPEAT: 2,
    codes.POSSESSIVE_REPEAT: 2,
    codes.ASSERT: 1,
    codes.ASSERT_NOT: 1,
    codes.ATOMIC_GROUP: -1,
}
"""Where the argument of a code holds a pattern of its own; -1: it is one."""

NOTHING: Final = "\x01"
"""No pattern reads it: what stood before it comes to nothing."""

_SIGN_OF: Final = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "1"}


def modules() -> Iterator[ModuleType]:
    for package in (memory, bot):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Give the patterns a constant holds, however they are packed."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, LatePattern):
        yield value._compiled  # which the tests of its module need as well
    elif depth < DEEP:
        for each in _held_by(value):
            yield from patterns_in(each, depth + 1)


def _held_by(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, Alternatives):
        every = "|".join(each.pattern for each in value._patterns)
        return [re.compile(every, value._flags)]
    if hasattr(value, "cache_info") and not signature(value).parameters:  # type: ignore[arg-type]
        return [value()]  # type: ignore[operator]  # what is made when it is first asked for
    if isinstance(value, tuple | list | set | frozenset):
        return list(value)
    if dataclasses.is_dataclass(value):
        return [getattr(value, each.name, None) for each in dataclasses.fields(value)]
    return []


def words_of(parsed: Any) -> Iterator[str]:
    """Give the literal words of a parsed pattern, and a sign of each of its classes."""
    word = ""
    for code, argument in parsed:
        if code is codes.LITERAL:
            word += chr(argument)
            continue
        if word:
            yield word
        word = ""
        if code is codes.IN:
            yield from _signs_of(argument)
        elif code is codes.ANY:
            yield "x"
        for part in _parts_of(code, argument):
            yield from words_of(part)
            # Whole: 上[一面]? beside 一 reads 上一 in two ways, and neither of its parts tells.
            yield from filter(None, whole_words(part) if code is codes.BRANCH else ())
    if word:
        yield word


def whole_words(parsed: Any) -> list[str]:
    """Return some of what an alternative reads, with and without what may be missing."""
    found = [""]
    for code, argument in parsed:
        parts = [""]
        if code is codes.LITERAL:
            parts = [chr(argument)]
        elif code is codes.IN:
            parts = [*_signs_of(argument)][:WAYS] or ["x"]
        elif code in REPEATS:
            once = whole_words(argument[2])
            parts = once if argument[0] else ["", *once]
        elif code is codes.SUBPATTERN:
            parts = whole_words(argument[3])
        elif code is codes.BRANCH:
            parts = [each for part in argument[1] for each in whole_words(part)]
        found = [before + part for before in found for part in parts][:WAYS]
    return found


WAYS: Final = 48
"""So many ways in which one alternative may read are tried."""


def _signs_of(choice: Any) -> Iterator[str]:
    for code, argument in choice:
        if code is codes.LITERAL:
            yield chr(argument)
        elif code is codes.RANGE:
            yield from (chr(argument[0]), 2 * chr(argument[0]))
        elif code is codes.CATEGORY:
            yield _SIGN_OF.get(argument, "x")
        elif code is codes.NEGATE:
            yield from "我x"


def _parts_of(code: Any, argument: Any) -> list[Any]:
    if code is codes.BRANCH:
        return list(argument[1])
    if code is codes.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part]
    place = _INNER.get(code)
    return [] if place is None else [argument if place < 0 else argument[place]]


def repeats_a_choice(parsed: Any, *, inside: bool = False) -> bool:
    """Tell whether something with parts that vary may stand there again and again."""
    for code, argument in parsed:
        again = code in REPEATS and argument[1] > MANY
        if inside and (code is codes.BRANCH or code in REPEATS):
            return True
        if any(repeats_a_choice(p, inside=inside or again) for p in _parts_of(code, argument)):
            return True
    return False


def rows(words: Sequence[str], most: int) -> Iterator[str]:
    """Give a row of each word, of words behind another one, and of pairs; ``most`` of the two."""
    for word in words:
        yield (word * ROW)[:ROW] + NOTHING
    for first, word in pairs_of(words, most):
        yield first + (word * ROW)[:ROW] + NOTHING
        yield ((first + word) * ROW)[:ROW] + NOTHING


def pairs_of(words: Sequence[str], most: int) -> Iterator[tuple[str, str]]:
    """Give ``most`` pairs of two words, by their numbers: a thousand words have a million."""
    others = len(words) - 1
    numbers: Sequence[int] = range(len(words) * others)
    if len(numbers) > most:
        numbers = random.Random(len(words)).sample(numbers, most)
    for number in numbers:
        first, other = divmod(number, others)
        yield words[first], words[other + (other >= first)]


def break_off(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


@contextlib.contextmanager
def broken_off_by_a_timer() -> Iterator[None]:
    """Let a timer break off what takes longer: a pattern at work hears nothing but a signal."""
    before = signal.signal(signal.SIGVTALRM, break_off)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def held_up(pattern: re.Pattern[str], most: int) -> str:
    """Return a row that a pattern does not come to an end with; empty if there is none."""
    words = sorted(
        set(words_of(parser.parse(pattern.pattern, pattern.flags))), key=_shortest_first
    )
    row = ""
    try:
        with broken_off_by_a_timer():
            for row in rows(words, most):
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)  # anew for each row
                pattern.search(row)
                pattern.fullmatch(row)
    except TimeoutError:
        return row
    return ""


def _shortest_first(word: str) -> tuple[int, str]:
    # Whole: words of one length in an order of chance would bring other pairs in every run.
    return len(word), word


def test_a_pattern_that_can_be_held_up_is_seen_to_be() -> None:
    assert held_up(re.compile("(?:请你?|麻烦你?|你|以后)*忘了"), 0)
    assert held_up(re.compile("^(?:上[一面]?|这|一|话)*别记"), 0)
    assert not held_up(re.compile("^(?:上面?|这|一|话)*别记"), 99)
    assert held_up(re.compile("(?:刚才?|刚刚)*我"), 0)
    assert held_up(re.compile(r"(?:[a-z]+(?:[-/][A-Z]?[a-z]+)*)!", re.IGNORECASE), 99)
    assert not held_up(re.compile("(?:刚才?|嗯)*我"), 99)


@pytest.mark.hunted
def test_no_pattern_is_held_up_by_a_row_of_its_own_words() -> None:
    every: dict[re.Pattern[str], str] = {}
    seen: set[int] = set()
    for module in modules():
        for name, value in vars(module).items():
            if id(value) not in seen:  # most are imported into other modules too
                seen.add(id(value))
                for pattern in patterns_in(value):
                    every.setdefault(pattern, f"{module.__name__}.{name}")
    found = {
        pattern: where
        for pattern, where in every.items()
        if repeats_a_choice(parser.parse(pattern.pattern, pattern.flags))
    }
    assert len(found) > 100
    most = times(10, hunting=4_000)
    assert {where: row for p, where in found.items() if (row := held_up(p, most))} == {}
