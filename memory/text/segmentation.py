"""Cutting Chinese into words by rjieba, which is given its dictionary as texts need it.

Loaded whole, the dictionary takes 33 MB and 0.2 s, and a life meets a small part of it. How a text
is cut depends on the words that occur in it, on the sum of all frequencies, and on nothing else of
the dictionary. So an empty rjieba is given, for every two characters that meet for the first time,
the words that begin with them; what is left of the sum is borne by a word that no text holds. The
cuts are those of the whole dictionary (``tests/unit/memory/test_segmentation.py``).

``dictionary.txt`` is jieba's own (MIT, see ``DICTIONARY_LICENCE``): a line holds a word, its
frequency and its part of speech, in the order of UTF-8.
"""

import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from operator import add
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rjieba import Jieba

DICTIONARY_FILE: Final = Path(__file__).with_name("dictionary.txt")

_STRETCH: Final = 4_096
"""Bytes of the dictionary that are read at once, and the line they end in."""

ALL_FREQUENCIES: Final = 60_101_967
"""The sum of the frequencies of all words, as rjieba counts it (B超 twice)."""

_NO_WORD: Final = "\U0010ffff"
"""Bears the frequencies of the words not met yet. No character, so that nobody writes it."""

_PAIRS_KEPT: Final = 1 << 15
"""How many pairs of characters met lately are known to have been looked up, and as many met before
them: 7 MB at most. What people say every day is so never looked up again."""

_SHORT: Final = 64
"""Up to so many characters a text is likely to be cut again: a message is read by many rules."""


def cut(text: str, *, guess: bool = True) -> tuple[str, ...]:
    """Return the words of a text without spaces, in order.

    ``guess`` joins characters that are no word of the dictionary as names and new words are built
    (jieba's hidden Markov model).

    >>> cut("我来到北京清华大学")
    ('我', '来到', '北京', '清华大学')
    """
    return (_short_cut if len(text) <= _SHORT else _cut)(text, guess=guess)


def tag(text: str) -> list[tuple[str, str]]:
    """Return the words of a text, each with its part of speech as jieba names them."""
    return _segmenter().tag(text)


def _cut(text: str, *, guess: bool) -> tuple[str, ...]:
    return _segmenter().cut(text, guess=guess)


_short_cut: Final = lru_cache(maxsize=1 << 10)(_cut)


class Dictionary:
    """The file of words; in memory is only where each stretch of it begins."""

    def __init__(self, path: Path = DICTIONARY_FILE) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        data = os.pread(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        self._starts = [0]
        while self._starts[-1] < len(data):
            self._starts.append(data.find(b"\n", self._starts[-1] + _STRETCH) + 1 or len(data))
        self._words = [data[at : data.find(b" ", at) + 1] for at in self._starts[:-1]]

    def beginning_with(self, letters: str) -> Iterator[tuple[str, int, str]]:
        """Yield what the lines say that begin so: a word, its frequency, its part of speech."""
        wanted = letters.encode()
        first = bisect_left(self._words, wanted)
        yield from self._found_in(max(first - 1, 0), wanted)
        for stretch in range(max(first, 1), len(self._words)):
            if not self._words[stretch].startswith(wanted):
                break
            yield from self._found_in(stretch, wanted)

    def _found_in(self, stretch: int, wanted: bytes) -> Iterator[tuple[str, int, str]]:
        start, end = self._starts[stretch : stretch + 2]
        # Not mapped: what was read once would count as hers for ever.
        lines = b"\n" + os.pread(self._descriptor, end - start, start)
        at = lines.find(b"\n" + wanted)
        while at != -1:
            line_end = lines.find(b"\n", at + 1)
            word, frequency, part = lines[at + 1 : line_end].decode().split(" ")
            yield word, int(frequency), part
            at = line_end if lines.startswith(wanted, line_end + 1) else -1


class Segmenter:
    """An rjieba that knows the words of every text it was asked about."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._jieba: Jieba = _rjieba_class().empty()  # type: ignore[no-untyped-call]
        self._left = ALL_FREQUENCIES
        self._met: set[str] = set()
        self._met_before: set[str] = set()
        # Also around a cut: between two words that are added the sum is another.
        self._lock = Lock()
        self._jieba.add_word(_NO_WORD, self._left, None)

    def cut(self, text: str, *, guess: bool) -> tuple[str, ...]:
        """Return the words of a text as rjieba cuts it."""
        with self._lock:
            self._meet(text)
            return tuple(self._jieba.cut(text, guess))

    def tag(self, text: str) -> list[tuple[str, str]]:
        """Return the words of a text, each with its part of speech."""
        with self._lock:
            self._meet(text)
            return self._jieba.tag(text)

    def _meet(self, text: str) -> None:
        """See to it that every word of the dictionary that occurs in a text is known."""
        pairs = {*map(add, text, text[1:] + " ")} - self._met
        if not pairs:
            return
        # A word of one character has a space behind it in the file.
        pairs |= {pair[0] + " " for pair in pairs} - self._met
        new = pairs - self._met_before
        if len(self._met) + len(pairs) > _PAIRS_KEPT:
            self._met_before, self._met = self._met, set()
        for pair in new:
            for word, frequency, part in self._dictionary.beginning_with(pair):
                if not self._jieba.has_word(word):
                    self._jieba.add_word(word, frequency, part)
                    self._left -= frequency
        if new:
            self._jieba.add_word(_NO_WORD, self._left, None)
        self._met |= pairs


def _rjieba_class() -> "type[Jieba]":
    """Return the class, without what importing the package does: it loads a whole dictionary."""
    package = find_spec("rjieba")
    places = package.submodule_search_locations if package else None
    spec = PathFinder.find_spec("rjieba.rjieba", places)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("rjieba")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[Jieba] = module.Jieba
    return found


def is_loaded() -> bool:
    """Whether a text was cut already; whoever talks English never needs the dictionary."""
    return _segmenter.cache_info().currsize > 0


# Made at the first text: importing a module does nothing.
@cache
def _segmenter() -> Segmenter:
    return Segmenter(Dictionary())
