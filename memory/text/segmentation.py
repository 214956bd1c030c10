"""Cutting Chinese into words by rjieba, which is given its dictionary as texts need it.

Loaded whole, the dictionary takes 33 MB and 0.2 s, and a life meets a small part of it. How a text
is cut depends on the words that occur in it, on the sum of all frequencies, and on nothing else of
the dictionary. So an empty rjieba is given, for every two characters that meet for the first time,
the words that begin with them; what is left of the sum is borne by a word that no text holds. The
cuts are those of the whole dictionary (``tests/unit/memory/test_segmentation.py``).

``dictionary.txt`` is jieba's own (MIT, see ``DICTIONARY_LICENCE``): a line holds a word, its
frequency and its part of speech, in the order of UTF-8.

And where a text may be cut at all: not within what a reader sees as one character; and where its
code blocks are.
"""

import os
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
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


def without_places(text: str) -> str:
    """Return a text without the towns that something in it is told to be in.

    >>> without_places("I work at a mill in New York"), without_places("我在泉州做质检")
    ('I work at a mill', '我在做质检')
    """
    text = _IN_A_PLACE.sub("", text)
    if text.isascii():
        return text
    return "".join(word for word, sort in tag(text) if sort not in PLACES)


PLACES: Final = frozenset({"ns"})
"""How jieba tags a place."""

_IN_A_PLACE: Final = re.compile(
    r"\s*\b(?:in|near|outside|around|from)(?: [A-Z][\w'’-]+)+(?=[\s,.;!?]|$)"
)


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


ZERO_WIDTH_JOINER: Final = "\u200d"

# Rules of our own instead of a library: the standard one has no grapheme clusters, and these few
# ranges cover what people write in chats.
_HANGUL_VOWELS_AND_TAILS: Final = ("\u1160", "\u11ff")

_SKIN_TONES: Final = ("\U0001f3fb", "\U0001f3ff")

_TAGS: Final = ("\U000e0020", "\U000e007f")

_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")

_VIRAMAS: Final = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d")


def is_boundary(text: str, place: int) -> bool:
    """Say whether a reader sees two characters on either side of ``place``.

    Covers combining marks, variation selectors, skin tones, joined emoji families, flags, tag
    sequences, Hangul syllables, joined Indic consonants and line ends; it may keep together what
    UAX #29 would part, which only makes a piece a little shorter.

    >>> [place for place in range(6) if is_boundary("a👨‍👩b", place)]
    [0, 1, 4, 5]
    """
    if place <= 0 or place >= len(text):
        return True
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    if _extends(after) or before == ZERO_WIDTH_JOINER or before in _VIRAMAS:
        return False
    if _within(before, _FLAGS) and _within(after, _FLAGS):
        return _flags_before(text, place) % 2 == 0
    return True


def _extends(character: str) -> bool:
    """Whether the character belongs to the one before it."""
    return (
        character == ZERO_WIDTH_JOINER
        or _within(character, _SKIN_TONES)
        or _within(character, _TAGS)
        or _within(character, _HANGUL_VOWELS_AND_TAILS)
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
    )


def _flags_before(text: str, place: int) -> int:
    """Count the regional indicators right before ``place``; two of them are one flag."""
    start = place
    while start > 0 and _within(text[start - 1], _FLAGS):
        start -= 1
    return place - start


def _within(character: str, span: tuple[str, str]) -> bool:
    return span[0] <= character <= span[1]


_FENCE: Final = re.compile(
    r"^ {0,3}(?P<marker>`{3,16}(?!`)|~{3,16}(?!~))(?P<info>[^\n]*)$", re.MULTILINE
)

_LONGEST_OPENING: Final = 32
"""The longest opening line that is repeated after a cut; of a longer one only the marker is."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced code block, by places in its text.

    ``inside`` and ``closing`` are where the content and the closing line begin, ``end`` is where
    the text after the block begins. A block that is never closed reaches to the end of the text;
    its ``closing`` equals its ``end``. ``opening`` opens another block of the same kind,
    ``marker`` closes it.
    """

    start: int
    inside: int
    closing: int
    end: int
    opening: str
    marker: str


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    r"""Return the fenced blocks of a text, in order, as CommonMark reads them.

    >>> text = "a\n```py\nx = 1\n```\nb"
    >>> [text[block.inside : block.closing] for block in code_blocks(text)]
    ['x = 1\n']
    """
    found: list[CodeBlock] = []
    opened: CodeBlock | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            if not _is_inline(fence):
                opened = _block_opened_by(fence, len(text))
        elif _closes(fence, opened):
            found.append(replace(opened, closing=fence.start(), end=_next_line(fence, len(text))))
            opened = None
    return tuple([*found, opened] if opened else found)


def _is_inline(fence: re.Match[str]) -> bool:
    """Whether it is code within a line: by CommonMark an info string holds no backtick."""
    return fence["marker"].startswith("`") and "`" in fence["info"]


def _block_opened_by(fence: re.Match[str], length: int) -> CodeBlock:
    line = fence.group().strip()
    return CodeBlock(
        start=fence.start(),
        inside=_next_line(fence, length),
        closing=length,
        end=length,
        opening=line if len(line) <= _LONGEST_OPENING else fence["marker"],
        marker=fence["marker"],
    )


def _closes(fence: re.Match[str], opened: CodeBlock) -> bool:
    return fence["marker"].startswith(opened.marker) and not fence["info"].strip()


def _next_line(fence: re.Match[str], length: int) -> int:
    return min(fence.end() + 1, length)


@lru_cache(maxsize=32)
def letters_of(text: str) -> str:
    """Return the letters and digits of a text, as they are compared: with each piece, again."""
    return re.sub(r"[\W_]+", "", text.casefold())


_WIDE: Final = re.compile("[\u2e80-\U0010ffff]")

_UNIT: Final = re.compile(r"(?=\w)[\u2e80-\U0010ffff]|[^\W_\u2e80-\U0010ffff]+")
"""A word, or one character of a script that is written without spaces."""

_WORD: Final = re.compile(r"[a-z0-9']+")

WIDE_WEIGHT: Final = 0.7
"""How much of a word one Chinese character counts."""


def weight_of(text: str) -> float:
    """Return how many words a text has."""
    wide = len(_WIDE.findall(letters_of(text)))
    return len(_WORD.findall(_WIDE.sub(" ", text.casefold()))) + WIDE_WEIGHT * wide


def beginnings(text: str, words: float) -> Iterator[int]:
    """Yield the front of a text, and the places behind fewer than so many of its words."""
    weight = 0.0
    yield 0
    for unit in _UNIT.finditer(text):
        weight += WIDE_WEIGHT if _WIDE.match(unit[0]) else 1
        if weight >= words:
            return
        yield unit.end()


def place_behind(text: str, letters: int) -> int:
    """Return the place in a text behind so many of its letters, as they are compared."""
    for place, character in enumerate(text):
        letters -= len(letters_of(character))
        if letters <= 0:
            return place + 1
    return len(text)


def holds_run(text: str, source: str, *, growing: bool = False) -> bool:
    """Tell whether a text holds a long run of the letters ``source``, or may come to it."""
    told, step = letters_of(text), 80 if text.isascii() else 40
    if growing and len(told) >= step // 10 and told[-step // 5 :] in source:
        return True
    return any(told[at : at + step] in source for at in range(0, len(told) - step + 1, step))


_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u3164\u115f\u1160")


def has_visible_text(text: str) -> bool:
    r"""Whether there is anything to see; platforms refuse a message without.

    >>> has_visible_text("好"), has_visible_text(" \u200b\n")
    (True, False)
    """
    return bool("".join(each for each in text if each not in _INVISIBLE).strip())
