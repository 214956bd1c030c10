"""Which matters of a life a line tells or asks about: a home, work, a pet, an illness.

A question and the line that answers it often share no word: 我现在在哪落脚, "where am I based
these days" and "finally got the keys, unpacking boxes in Leith". What they share is a matter.
Rules that name the words of each matter know those of whoever wrote them, so this is learnt: a
softmax regression over the words and characters of a line, which are hashed to so many rows of
weights (Weinberger et al. 2009). ``python -m benchmarks.matters`` fits and measures it, by lines
and words of authors who had not read the program (docs/recall.md).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from unicodedata import normalize
from zlib import crc32

import numpy as np
import numpy.typing as npt

from memory.text.tokens import LONG_TEXT, as_mandarin

MATTERS: Final = (
    "home", "rent", "livewith", "origin", "work", "hours", "pay", "study", "exam", "name",
    "age", "birthday", "partner", "children", "parents", "sibling", "relative", "friend",
    "colleague", "pet", "illness", "medicine", "allergy", "body", "food", "drinksmoke",
    "sport", "hobby", "culture", "language", "trip", "plan", "vehicle", "device", "belonging",
    "money", "lost", "death", "birth", "quarrel", "fear", "like", "sleep", "faith", "goal",
    "event",
)  # fmt: skip
"""The matters, in the order of the columns of the weights."""

ROWS: Final = 1 << 15
"""How many rows of weights there are; pieces that fall in one row share its weights."""

WEIGHTS_FILE: Final = Path(__file__).with_name("matters.npz")

SCALE: Final = 3.0
"""How much all pieces of a line say together, however many they are."""

LIKELY: Final = 0.25
"""How likely a line is of a matter, at least, that is told to be of it."""

ASKED: Final = 0.08
"""How likely a question must be of some matter for lines to be found by it."""

Numbers: TypeAlias = npt.NDArray[np.float32]


class MatterWeights(NamedTuple):
    """The weights of every row for each matter and for none, in small whole numbers.

    ``unit`` is what one of them is worth, ``bias`` what each matter begins with.
    """

    rows: npt.NDArray[np.int8]
    unit: Numbers
    bias: Numbers


@lru_cache(maxsize=1 << 8)
def chances(text: str) -> Numbers:
    """Return how likely a line is of each of ``MATTERS``, 0 to 1; a long one by its beginning."""
    found, weights = rows_of(text[:LONG_TEXT]), _weights()
    told = weights.rows[found].sum(axis=0, dtype=np.int32) * weights.unit
    return chances_of(told, len(found), weights.bias)[:-1]


def chances_of(told: Numbers, pieces: int, bias: Numbers) -> Numbers:
    """Return the softmax of what so many pieces tell: together 1, the last is of no matter."""
    score = told * np.float32(SCALE / max(pieces, 1) ** 0.5) + bias
    share = np.exp(score - score.max())
    return np.asarray(share / share.sum(), np.float32)


def likely_matters(text: str, least: float = 0.0) -> dict[int, float]:
    """Return the matters a text may be of, by their numbers, and how likely each is, at most four.

    The likeliest is the first; there are none if it is not as likely as ``least``.

    >>> MATTERS[next(iter(likely_matters("我而家住邊")))]
    'home'
    """
    found = chances(text)
    if float(found.max()) < least:
        return {}
    best = np.argsort(-found)[:_MOST].tolist()
    return {number: float(found[number]) for number in best if found[number] >= _POSSIBLE}


_MOST: Final = 4
_POSSIBLE: Final = 0.03

_BITS: Final = 16
_CHANCE_BITS: Final = 8
_WHOLE: Final = (1 << _CHANCE_BITS) - 1


def packed_matters(text: str) -> int:
    """Return what :func:`likely_matters` returns as one number of 64 bits, for an array."""
    return sum(
        (number << _CHANCE_BITS | round(chance * _WHOLE)) << _BITS * place
        for place, (number, chance) in enumerate(likely_matters(text).items())
    )


def alike(packed: npt.NDArray[np.uint64], asked: Mapping[int, float]) -> Numbers:
    """Return how likely each of some texts is of the same matter as a question, 0 to 1."""
    wanted = np.zeros(1 << _CHANCE_BITS, np.float32)
    wanted[[*asked]] = np.array([*asked.values()], np.float32) / _WHOLE
    found = np.zeros(len(packed), np.float32)
    for place in range(_MOST):
        one = (packed >> np.uint64(_BITS * place)).astype(np.uint16)
        found += wanted[one >> _CHANCE_BITS] * (one & _WHOLE)
    return found


def likeness(text: str, asked: Mapping[int, float]) -> float:
    """Return how likely a text is of the same matter as a question, 0 to 1."""
    told = likely_matters(text)
    return sum(chance * told.get(number, 0.0) for number, chance in asked.items())


_ONE_AT_A_TIME: Final = frozenset(
    MATTERS.index(name)
    for name in (
        *("home", "rent", "livewith", "work", "hours", "pay", "study", "partner", "body"),
        *("drinksmoke", "vehicle", "device"),
    )
)
"""Matters of which one thing holds at a time."""


def may_take_the_place(text: str, held: str) -> bool:
    """Tell whether a text is likely of the same matter as what is held, and one holds at a time.

    >>> may_take_the_place("handed my notice in, I drive a tram now", "I work at a bakery")
    True
    >>> may_take_the_place("我家又添了只猫", "我家猫叫馒头")
    False
    """
    told = {each: much for each, much in likely_matters(text).items() if each in _ONE_AT_A_TIME}
    return likeness(held, told) >= _SAME


_SAME: Final = 0.06
"""How alike in those matters a text must be to what it may take the place of."""


def rows_of(text: str) -> npt.NDArray[np.int64]:
    """Return the rows of weights that the words and characters of a text fall in, each once."""
    plain = as_mandarin(normalize("NFKC", text).lower()).replace("’", "'")
    rows = {crc32(piece.encode("utf-8", "replace")) % ROWS for piece in _pieces(plain)}
    return np.array(sorted(rows), np.int64)


def _pieces(plain: str) -> Iterator[str]:
    """Yield words, their stems and pairs; of Chinese one, two and three characters that meet."""
    words = _WORD.findall(plain)
    yield from words
    for word in words:
        if len(word) > _SHORT:
            yield f"^{word[:_SHORT]}"
        if len(word) > _LONG:
            yield f"^{word[:_LONG]}"
            yield f"{word[-_SHORT:]}$"
    for one, other in zip(["<", *words], [*words, ">"], strict=True):
        yield f"{one} {other}"
    for run in _DENSE.findall(plain):
        for size in (1, 2, 3):
            for at in range(len(run) - size + 1):
                yield run[at : at + size]


_WORD: Final = re.compile(r"[^\W_\u2e80-\u9fff\uac00-\ud7af]+(?:'[a-z]+)?")
_DENSE: Final = re.compile(r"[\u2e80-\u9fff\U00020000-\U0003ffff]+")
_SHORT: Final = 4
_LONG: Final = 6


@cache
def _weights() -> MatterWeights:
    with np.load(WEIGHTS_FILE, allow_pickle=False) as kept:
        return MatterWeights(kept["rows"], kept["unit"], kept["bias"])
