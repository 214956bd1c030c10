"""Which matters of a life a line tells or asks about, and whether it ends what held before.

A question and the line that answers it often share no word: 我现在在哪落脚, "where am I based
these days" and "finally got the keys, unpacking boxes in Leith". What they share is a matter.
Rules that name the words of each matter know those of whoever wrote them, so this is learnt: a
softmax regression over the words and characters of a line, which are hashed to so many rows of
weights (Weinberger et al. 2009). Three columns beside the matters tell whether a line tells of a
change in somebody's life, whether it asks, and whether it is really so of the speaker's own life:
no jest, no dream, no film and no other's. ``python -m benchmarks.matters`` fits and measures
all of it, by lines and words of authors who had not read the program (docs/recall.md).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from math import exp
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

YES_OR_NO: Final = ("change", "question", "own")
"""What is only so or not, in the order of the columns behind those of the matters."""

SCALE: Final = 3.0
"""How much all pieces of a line say together, however many they are."""

LIKELY: Final = 0.25
"""How likely a line is of a matter, at least, that is told to be of it."""

ASKED: Final = 0.08
"""How likely a question must be of some matter for lines to be found by it."""

_LIKELY_ASKS: Final = 0.6
"""How likely a line is a question, at least, that is taken for one though no rule says so."""

Numbers: TypeAlias = npt.NDArray[np.float32]
Rows: TypeAlias = npt.NDArray[np.int64]
Wholes: TypeAlias = npt.NDArray[np.signedinteger]


class MatterWeights(NamedTuple):
    """The weights of every row for each column, in small whole numbers.

    The columns are ``MATTERS``, no matter, and ``YES_OR_NO``. ``unit`` is what one of them is
    worth, ``bias`` what each column begins with. ``ending`` weighs what :func:`chance_of_ending`
    looks at, ``glance`` what :func:`chances_of_ending` knows of it, ``telling`` what
    :func:`telling_signs` returns, how late a line is, and that none of them tells what is asked.
    """

    rows: npt.NDArray[np.int8]
    unit: Numbers
    bias: Numbers
    ending: Numbers
    glance: Numbers
    telling: Numbers


class ReadLine(NamedTuple):
    """What is read in a line: its rows, the chance of each matter, log-odds of the rest."""

    rows: frozenset[int]
    chances: Numbers
    change: float
    question: float
    own: float


@lru_cache(maxsize=1 << 8)
def _read(text: str) -> ReadLine:
    found, weights = rows_of(text[:LONG_TEXT]), _weights()
    told = weights.rows[found].sum(axis=0, dtype=np.int32) * weights.unit
    return read_line(found, scores_of(told, len(found), weights.bias))


def read_line(rows: Rows, score: Numbers) -> ReadLine:
    """Return what is read in a line that falls in these rows and has these scores."""
    matters = softmax(score[: len(MATTERS) + 1])[:-1]
    return ReadLine(frozenset(rows.tolist()), matters, *score[-len(YES_OR_NO) :].tolist())


def chances(text: str) -> Numbers:
    """Return how likely a line is of each of ``MATTERS``, 0 to 1; a long one by its beginning."""
    return _read(text).chances


def scores_of(told: Numbers, pieces: int, bias: Numbers) -> Numbers:
    """Return what so many pieces tell together, as log-odds."""
    return np.asarray(told * np.float32(SCALE / max(pieces, 1) ** 0.5) + bias, np.float32)


def softmax(score: Numbers) -> Numbers:
    """Return the chances that scores stand for; together they are 1."""
    share = np.exp(score - score.max())
    return np.asarray(share / share.sum(), np.float32)


def chance_of_asking(text: str) -> float:
    """Return how likely a line asks something, 0 to 1.

    >>> chance_of_asking("how I earn my living") > 0.5 > chance_of_asking("I earn my living")
    True
    """
    return _logistic(_read(text).question)


def likely_asks(text: str) -> bool:
    """Tell whether a line is taken for a question though no rule may say so.

    >>> likely_asks("how I earn my living"), likely_asks("I earn my living")
    (True, False)
    """
    return chance_of_asking(text) >= _LIKELY_ASKS


def chance_of_ending(text: str, held: str) -> float:
    """Return how likely what a text tells ends what was held of the same person, 0 to 1.

    It tells of a change, and both are likely of one matter or have words in common.

    >>> gone = chance_of_ending("handed my notice in, I drive a tram now", "I work at a bakery")
    >>> gone > chance_of_ending("my brother drives a tram", "I work at a bakery")
    True
    """
    return _logistic(float(ending_signs(_read(text), _read(held)) @ _weights().ending))


def telling_signs(asked: ReadLine, told: ReadLine, parts: Iterable[ReadLine]) -> Numbers:
    """Return what tells whether a line tells what is asked, for :func:`chances_of_telling`.

    How alike in matters the question is with the likeliest part of the line, how many words they
    share, and whether the line tells of a change and of its writer's own life.
    """
    alike = max(float(np.sqrt(asked.chances * each.chances).sum()) for each in (told, *parts))
    own = (float(np.tanh(told.change / _SURELY_SO)), float(np.tanh(told.own / _SURELY_SO)))
    return np.array((alike, shared_pieces(asked.rows, told.rows), *own), np.float32)


_SURELY_SO: Final = 3.0
"""Log-odds from which it hardly matters any more how sure it is."""


def chances_of_telling(asked: str, lines: Sequence[str]) -> Numbers:
    """Return how likely each of some lines, the eldest first, is the one that tells what is asked.

    Together they are less than 1: it may be that none does.

    >>> lines = ("I drive a tram", "we live in Leith", "got the keys, unpacking boxes in Oban")
    >>> chances_of_telling("where am I based these days", lines).argmax()
    np.int64(2)
    """
    if not lines:
        return np.zeros(0, np.float32)
    question = _read(asked)
    signs = np.stack(
        [telling_signs(question, _read(each), map(_read, parts_of(each))) for each in lines]
    )
    late = np.linspace(0.0, 1.0, len(lines), dtype=np.float32)
    *by_sign, by_lateness, none = _weights().telling
    return softmax(np.append(signs @ np.array(by_sign) + late * by_lateness, none))[:-1]


def parts_of(text: str) -> list[str]:
    """Return the clauses of a text; none where it is one."""
    parts = [each for each in _PART.split(text) if len(each) > 1]
    return parts if len(parts) > 1 else []


_PART: Final = re.compile("[，,；;。.!！?？—\n]+ *|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")


def is_of_one_matter(text: str, other: str) -> bool:
    """Tell whether two texts are surely enough of one matter, or have words in common.

    >>> is_of_one_matter("handed my notice in, I drive a tram now", "I work at a bakery")
    True
    >>> is_of_one_matter("the show is put off to December", "I work at a bakery")
    False
    """
    one, two = _read(text), _read(other)
    likely = float(np.sqrt(one.chances * two.chances).sum())
    return likely >= _ONE_MATTER or shared_pieces(one.rows, two.rows) >= _SHARED


_ONE_MATTER: Final = 0.5
_SHARED: Final = 0.15
"""How alike in their matters, or how much the same in words, two texts of one matter are."""


def ending_signs(told: ReadLine, held: ReadLine) -> Numbers:
    """Return what tells whether a line ends another, for :attr:`MatterWeights.ending`.

    What the later line is by itself, what joins the two, and what counts only where they join.
    """
    alike = float(np.sqrt(told.chances * held.chances).sum())
    shared = shared_pieces(told.rows, held.rows)
    of_told = (told.change, abs(told.change), told.own)
    where_joined = (told.change * alike, told.own * alike, told.change * shared, told.own * shared)
    return np.array((*of_told, 1.0, alike, shared, *where_joined), np.float32)


_OF_TOLD: Final = 3
"""So many of the signs are of the later line alone; they come first."""


def lone_score(told: ReadLine, ending: Numbers) -> float:
    """Return what a line says by itself of ending something, as log-odds."""
    return float(ending_signs(told, told)[:_OF_TOLD] @ ending[:_OF_TOLD])


def glance_signs(alike: Numbers, alone: Numbers) -> Numbers:
    """Return what is known of many pairs by their packed matters, a row for each."""
    return np.stack([np.ones_like(alike), alike, alone, alone * alike], axis=1)


def shared_pieces(one: AbstractSet[int], other: AbstractSet[int]) -> float:
    """Return the share of the rows of the shorter of two texts that both have, 0 to 1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _logistic(score: float) -> float:
    return 1.0 / (1.0 + exp(-max(-_SUREST, min(score, _SUREST))))


_SUREST: Final = 30.0
"""Log-odds beyond which nothing is surer; e to the power of some hundreds is no number."""


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
_NUMBER_BITS: Final = 6
_PART_BITS: Final = _BITS - _CHANCE_BITS - _NUMBER_BITS
_WHOLE: Final = (1 << _CHANCE_BITS) - 1
_LOWEST: Final = (1 << _BITS) - 1


def packed_matters(text: str) -> int:
    """Return what :func:`likely_matters` returns as one number of 64 bits, for an array.

    Each of the four takes 16: two of how likely the text by itself is to end something, whole
    only from all four, six of the matter's number, eight of its chance.
    """
    alone = round(_logistic(lone_score(_read(text), _weights().ending)) * _WHOLE)
    found = [*likely_matters(text).items()] + [(0, 0.0)] * _MOST
    return sum(
        (
            (alone >> _PART_BITS * place & (1 << _PART_BITS) - 1) << _NUMBER_BITS + _CHANCE_BITS
            | number << _CHANCE_BITS
            | round(chance * _WHOLE)
        )
        << _BITS * place
        for place, (number, chance) in enumerate(found[:_MOST])
    )


def _parts_of(packed: npt.NDArray[np.uint64]) -> Iterator[tuple[Wholes, Wholes, Wholes]]:
    """Yield the numbers of a matter of each text, its chances, and a part of what it is alone."""
    for place in range(_MOST):
        one = (packed >> np.uint64(_BITS * place) & np.uint64(_LOWEST)).astype(np.int32)
        number = one >> _CHANCE_BITS & (1 << _NUMBER_BITS) - 1
        yield number, one & _WHOLE, one >> _NUMBER_BITS + _CHANCE_BITS


def alike(packed: npt.NDArray[np.uint64], asked: Mapping[int, float]) -> Numbers:
    """Return how likely each of some texts is of the same matter as a question, 0 to 1."""
    wanted = np.zeros(1 << _NUMBER_BITS, np.float32)
    wanted[[*asked]] = np.array([*asked.values()], np.float32) / _WHOLE
    found = np.zeros(len(packed), np.float32)
    for number, chance, _ in _parts_of(packed):
        found += wanted[number] * chance
    return found


def ending_alone(packed: npt.NDArray[np.uint64]) -> Numbers:
    """Return how likely each of some texts by itself is to end something, 0 to 1."""
    alone = np.zeros(len(packed), np.int32)
    for place, (_, _, part) in enumerate(_parts_of(packed)):
        alone |= part << _PART_BITS * place
    return np.asarray(alone / np.float32(_WHOLE), np.float32)


def chances_of_ending(packed: npt.NDArray[np.uint64], held: str) -> Numbers:
    """Return about how likely each of some texts ends what is held: :func:`chance_of_ending`.

    What words they have in common is not known here.
    """
    wanted = np.zeros(1 << _NUMBER_BITS, np.float32)
    known = likely_matters(held)
    wanted[[*known]] = np.array([*known.values()], np.float32)
    joined = np.zeros(len(packed), np.float32)
    for number, chance, _ in _parts_of(packed):
        joined += np.sqrt(wanted[number] * chance / np.float32(_WHOLE))
    told = np.clip(ending_alone(packed), _LEAST_CHANCE, 1.0 - _LEAST_CHANCE)
    score = glance_signs(joined, np.log(told / (1.0 - told))) @ _weights().glance
    return np.asarray(1.0 / (1.0 + np.exp(-score)), np.float32)


_LEAST_CHANCE: Final = 0.5 / _WHOLE


def likeness(text: str, asked: Mapping[int, float]) -> float:
    """Return how likely a text is of the same matter as a question, 0 to 1."""
    told = likely_matters(text)
    return sum(chance * told.get(number, 0.0) for number, chance in asked.items())


def rows_of(text: str) -> Rows:
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
        return MatterWeights(*(kept[each] for each in MatterWeights._fields))
