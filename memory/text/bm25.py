"""BM25 (Robertson), with an index that grows and shrinks one text at a time; and near-duplicates.

Postings are flat arrays that numpy reads without copying, so that adding a slot costs tens of
microseconds and a query over 100,000 slots a few milliseconds. Removing a slot leaves its postings
behind as dead ones; the owner rebuilds the index when there are too many (``dead_share``).

How alike two texts are is made for facts of one sentence, not for long texts.
"""

import math
import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Final

import numpy as np
import numpy.typing as npt

from memory.text.postings import (
    HIGHEST_TF,
    NO_TOKENS,
    TF_BITS,
    Floats,
    HeldTokens,
    Keys,
    KnownPostings,
    Postings,
    PostingsPart,
    Slots,
    token_key,
    unpacked,
)
from memory.text.tokens import STOP_CHARACTERS, STOP_WORDS, normalized, stems

# The usual values of the formula; idf is ln(1 + (N - n + ½) / (n + ½)).
K1: Final = 1.5
B: Final = 0.75
_INITIAL_SLOTS: Final = 1024
_MOST_PLACES: Final = 1 << 13
_OLDEST: Final = 16


def idf(total: int, holding: int) -> float:
    """Return how telling a token is that ``holding`` of ``total`` texts have; 0 if none has."""
    # The 1 in the logarithm keeps it above 0 for a token that more than half of the texts have.
    return math.log(1.0 + (total - holding + 0.5) / (holding + 0.5)) if holding > 0 else 0.0


def length_norm(lengths: Floats, b: float = B) -> Floats:
    """Return what BM25 adds to a count in the denominator, for texts of these lengths.

    A length of 0 is no text and does not count for the average.
    """
    average = float(lengths.sum()) / max(int(np.count_nonzero(lengths)), 1)
    return np.asarray(K1 * (1.0 - b + b / max(average, 1e-9) * lengths), np.float32)


def saturation(counts: Floats, norms: Floats) -> Floats:
    """Return the share of each count in a BM25 score: rising from 0 towards k1 + 1."""
    share, whole = (K1 + 1.0) * counts, counts + norms
    return np.asarray(np.divide(share, whole, out=share), np.float32)


def saturation_into(counts: Floats, norms: Floats, share: Floats, whole: Floats) -> None:
    """Write what :func:`saturation` returns to ``share``; ``whole`` is overwritten."""
    np.multiply(counts, np.float32(K1 + 1.0), out=share)
    np.add(counts, norms, out=whole)
    np.divide(share, whole, out=share)


class TextTokens:
    """The tokens of each slot, by their keys: what postings are, seen from the texts."""

    def __init__(self, known: Sequence[KnownPostings]) -> None:
        """Begin with what is known."""
        self._known = known
        self._firsts = [each.first for each in known]
        self._first = sum(len(each.postings) for each in known)
        self._added, self._times = array("Q"), array("B")
        self._ends = array("q", (0,))
        self._names: dict[int, str] = {}

    def add(self, found: Mapping[str, int]) -> list[int]:
        """Take what the next slot holds, and how often; return the keys of that."""
        keys = list(map(token_key, found))
        self._names.update(zip(keys, found, strict=True))
        self._added.extend(keys)
        self._times.extend(min(times, HIGHEST_TF) for times in found.values())
        self._ends.append(len(self._added))
        return keys

    def token(self, key: int) -> str:
        """Return the token of a key."""
        named = self._names.get(key)
        for each in self._known:
            if named is not None:
                break
            named = each.name(key)
        if named is None:
            raise LookupError(f"no token has the key {key}")
        return named

    def in_slot(self, slot: int) -> list[str]:
        """Return the tokens of a slot, each once, in no order."""
        return [
            self.token(key) for part in self._run(slot, slot + 1) for key in part.keys.tolist()
        ]

    def of(self, slots: Slots) -> HeldTokens:
        """Return what slots hold, also removed ones, slot after slot."""
        parts = [NO_TOKENS]
        begin = 0
        # Most of what is asked for lies one behind the other.
        for stop in (*(np.flatnonzero(np.diff(slots) != 1) + 1).tolist(), len(slots)):
            if begin < stop:
                parts += self._run(int(slots[begin]), int(slots[stop - 1]) + 1)
            begin = stop
        return HeldTokens(*map(np.concatenate, zip(*parts, strict=True)))

    def _run(self, first: int, end: int) -> Iterator[HeldTokens]:
        """Yield what the slots of a stretch hold."""
        while first < min(end, self._first):
            known = self._known[bisect_right(self._firsts, first) - 1]
            stop = min(end, known.end)
            yield known.held(first, stop)
            first = stop
        if first < end:
            yield self._of_added(first - self._first, end - self._first)

    def _of_added(self, first: int, end: int) -> HeldTokens:
        ends = np.array(self._ends[first : end + 1], np.int64)
        there = slice(self._ends[first], self._ends[end])
        keys, times = (
            np.array(self._added[there], np.uint64),
            np.array(self._times[there], np.uint8),
        )
        return HeldTokens(keys, times, np.diff(ends))


class Bm25:
    """An index of token lists by slot number; slots are given out in order and never reused."""

    def __init__(self, *known: Postings) -> None:
        """Begin with the postings that are known already; all their slots are living."""
        # What was known stays where it lies; what is added stands in one array for each token.
        firsts = np.cumsum([0, *map(len, known)]).tolist()
        self._known = [
            KnownPostings(each, first) for each, first in zip(known, firsts, strict=False)
        ]
        self._postings: dict[str, array[int]] = {}
        self._places: dict[str, list[tuple[KnownPostings, int, int]]] = {}
        # How many slots hold a token beside what was known: added ones less removed ones.
        self._holding: Counter[int] = Counter()
        # How telling tokens are until a text is added or removed: a search asks several times.
        self._telling: dict[str, float] = {}
        self.texts = TextTokens(self._known)
        self._slots: int = firsts[-1]
        self._living = self._slots
        self._length: Floats = np.zeros(max(_INITIAL_SLOTS, self._slots), np.float32)
        for each, first in zip(known, firsts, strict=False):
            self._length[first : first + len(each)] = each.lengths
        self._alive: npt.NDArray[np.bool_] = np.zeros(len(self._length), np.bool_)
        self._alive[: self._slots] = True

    def __len__(self) -> int:
        """Return how many slots were given out, dead ones included."""
        return self._slots

    @property
    def dead_share(self) -> float:
        """Return the share of slots that were removed, 0..1."""
        return 1.0 - self._living / self._slots if self._slots else 0.0

    @property
    def lengths(self) -> Floats:
        """Return how many tokens each slot has; dead slots have none."""
        return self._length[: self._slots]

    @property
    def alive(self) -> npt.NDArray[np.bool_]:
        """Return which slots are living."""
        return self._alive[: self._slots]

    def add(self, found: Sequence[str]) -> int:
        """Index one token list and return its slot."""
        self._telling.clear()
        slot = self._slots
        # Doubling: the cost of growing is spread over all additions.
        if slot == len(self._length):
            self._length = np.concatenate([self._length, np.zeros_like(self._length)])
            self._alive = np.concatenate([self._alive, np.zeros_like(self._alive)])
        counted = Counter(found)
        for token, times in counted.items():
            packed = slot << TF_BITS | min(times, HIGHEST_TF)
            postings = self._postings.get(token)
            if postings is None:
                self._postings[token] = array("Q", (packed,))
            else:
                postings.append(packed)
        self._holding.update(self.texts.add(counted))
        self._length[slot] = len(found)
        self._alive[slot] = True
        self._slots += 1
        self._living += 1
        return slot

    def remove(self, slot: int) -> None:
        """Forget a slot."""
        if not self._alive[slot]:
            return
        self._telling.clear()
        self._holding.subtract(self.texts.of(np.array([slot])).keys.tolist())
        self._alive[slot] = False
        self._length[slot] = 0.0
        self._living -= 1

    def idf(self, token: str) -> float:
        """Return how telling a token is; 0 for one that stands nowhere."""
        telling = self._telling.get(token)
        if telling is None:
            if len(self._telling) >= _MOST_PLACES:
                self._telling.clear()
            telling = self._telling[token] = idf(self._living, self._count(token))
        return telling

    def idf_of(self, keys: Keys) -> Floats:
        """Return how telling the tokens of some keys are."""
        holding = np.zeros(len(keys))
        if self._holding:
            added = self._holding
            holding += [*map(added.get, keys.tolist(), repeat(0))]
        for each in self._known:
            holding += each.postings.counts(keys)
        return np.asarray(np.log1p((self._living - holding + 0.5) / (holding + 0.5)), np.float32)

    def tokens_with(self, characters: str, most: int) -> list[str]:
        """Return up to ``most`` living tokens that hold one of ``characters``, commonest first.

        This looks at every token; it is meant for a query of which no token is known.
        """
        wanted = set(characters)
        named = {token for token in self._postings if wanted.intersection(token)}
        for each in self._known:
            named.update(map(each.postings.name, each.postings.rows_with(characters)))
        found = [(-count, token) for token in named if (count := self._count(token))]
        return [token for _, token in sorted(found)[:most]]

    def slots_with(self, token: str) -> tuple[Slots, Floats]:
        """Return the living slots that have a token, and how often each has it (at most 15)."""
        slots, times, _ = self.places_with([self.parts_with(token)])
        return slots, times

    def parts_with(self, token: str) -> list[PostingsPart]:
        """Return where a token stands, also in removed slots, for :meth:`places_with`."""
        # What is known counts its slots from 0, what was added from the first of all.
        parts: list[PostingsPart] = [
            (each.postings.packed[begin:end], each.first)
            for each, begin, end in self._known_places(token)
        ]
        if added := self._postings.get(token):
            # A copy: while a view of it lives the array could not grow any more.
            parts.append((np.array(added, np.uint64), 0))
        return parts

    def places_with(self, tokens: Sequence[Sequence[PostingsPart]]) -> tuple[Slots, Floats, Slots]:
        """Return the living slots of tokens, one after another, how often each has it, and which.

        In one piece: what numpy costs, it costs once for all of them. The tokens may be of another
        index of the same texts.
        """
        slots, times, row = unpacked(tokens)
        # With no dead slot, the common case, the filter is spared.
        if self._living == self._slots:
            return slots, times, row
        living = self._alive[slots]
        return slots[living], times[living], row[living]

    def is_first(self, slot: int, token: str, order: Slots) -> bool:
        """Whether no living slot that comes before one by its ``order`` has a token."""
        own = order[slot]
        parts = self.parts_with(token)
        for place, (packed, first) in enumerate(parts):
            # Nearly always one of the oldest comes before, and of most tokens there are few.
            for each in packed[:_OLDEST].tolist() if not place else ():
                other = first + (each >> TF_BITS)
                if self._alive[other] and order[other] < own:
                    return False
            others = (packed >> packed.dtype.type(TF_BITS)).astype(np.int64) + first
            if bool((self._alive[others] & (order[others] < own)).any()):
                return False
        return True

    def postings(self, slots: Slots) -> Postings:
        """Return the postings of an index whose slot ``i`` is the living slot ``slots[i]``."""
        return Postings.of(self.texts.of(slots), self._length[slots], self.texts.token)

    def _count(self, token: str) -> int:
        """Return how many living slots have a token."""
        known = sum(end - begin for _, begin, end in self._known_places(token))
        return known + self._holding.get(token_key(token), 0)

    def _known_places(self, token: str) -> list[tuple[KnownPostings, int, int]]:
        """Return where a token stands in what was known, which does not change."""
        found = self._places.get(token)
        if found is None:
            key = token_key(token)
            places = ((each, *each.place(key)) for each in self._known)
            found = [place for place in places if place[2]]
            if len(self._places) >= _MOST_PLACES:
                self._places.clear()
            self._places[token] = found
        return found


# 主人 and 用户 name the same person in different memories, so they count for nothing.
_PARTNER: Final = frozenset(["主人", "用户", "对方", "本人", "咱们", "user", "partner"])
# The lookarounds leave out words in which the character denies nothing: 特别, 别人, 不错, 没关系.
# Fewer than a judge knows (memory.judgement.senses): it is asked of every two texts alike.
_NEGATION: Final = re.compile(
    r"(?<![特分区类识级个差])别(?![人的墅致称扭处])|不(?![错仅但过断同管久止如])|没(?!关系)|无法|未曾?|从未|再也不|拒绝|戒"
    r"|\b(?:not|no|never|cannot|without|stopped|quit)\b|n['’]t\b"
)
_DISLIKE: Final = re.compile("讨厌|厌恶|反感|恨|hate|dislike|loathe|can['’]t stand")
_NUMBER: Final = re.compile(
    r"\d+(?:\.\d+)?|[一二两三四五六七八九十百千万]+(?=[个只岁年月日号点次块元米公])"
)
_LIKING: Final = re.compile(
    "(?:最|很|特别|非常|挺|超|真)?(?:喜欢|喜爱|热爱|钟爱|爱(?=[吃喝看听玩读]))"
    r"|\b(?:(?:really|very much|absolutely) )?(?:lik|lov|enjoy|ador)(?:es?|ed|ing|s)?\b"
)
_OPPOSED_SHARE: Final = 0.3
"""The share of their likeness that two opposed texts keep: one negated, or other numbers."""


def similarity(a: str, b: str) -> float:
    """Return how alike two texts are in what they say, 0..1; symmetric, 1 for equal texts.

    Dice over meaningful characters (Chinese) and stems (the rest), less what *each* says that
    the other does not: 我喜欢喝咖啡 and 主人喜欢咖啡 are close, 喜欢小猫 and 喜欢小狗 are not.
    Two texts are never close if only one is negated or if their numbers differ.
    """
    if normalized(a).split() == normalized(b).split():
        return 1.0
    left, right = _weighted_units(a), _weighted_units(b)
    if not left or not right:
        return 0.0
    sizes = sorted((sum(left.values()), sum(right.values())))
    shared = sum(min(left[unit], right[unit]) for unit in left.keys() & right.keys())
    dice = 2.0 * shared / sum(sizes)
    # Dice alone would call two texts close that differ in the one word that matters. What the
    # shorter one says beyond the longer one counts against it; one contained in it loses nothing.
    likeness = max(dice - (sizes[0] - shared) / sizes[0], 0.0)
    return likeness * (_OPPOSED_SHARE if _are_opposed(a, b) else 1.0)


def _are_opposed(a: str, b: str) -> bool:
    return _denies(a) != _denies(b) or _numbers(a) != _numbers(b) or is_turned_round(a, b)


def is_turned_round(a: str, b: str) -> bool:
    """Tell whether two words have changed places round a third: Paul owes me, I owe Paul."""
    one, other = (_in_order(_SPEAKER.sub(" ☺ ", normalized(each))) for each in (a, b))
    once = [x for x in one if one.count(x) == other.count(x) == 1]
    at = [other.index(x) for x in once[:40]]
    found = (n for n in range(1, len(at) - 1) if max(at[:n]) > at[n] > min(at[n + 1 :]))
    return any(other[at[n]] not in _EQUALS for n in found)


_SPEAKER: Final = re.compile(r"\bmy friend\b|\b(?:i|me)\b|主人|[我俺]")
_EQUALS: Final = frozenset({*"和跟与同是叫", "and", "with", "is", "are", "call"})


def _denies(text: str) -> bool:
    """Tell whether a text is negative; two negations cancel (不讨厌)."""
    plain = normalized(text)
    return (len(_NEGATION.findall(plain)) + len(_DISLIKE.findall(plain))) % 2 == 1


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(normalized(text)))


def _weighted_units(text: str) -> dict[str, float]:
    """Return the units of a text and their weights; all ways of liking are one unit."""
    plain = _LIKING.sub(" ❤ ", normalized(text))
    found: dict[str, float] = {}
    for word in stems(plain):
        if word in STOP_WORDS or word in _PARTNER:
            continue
        # A stem weighs as much as the two characters of an average Chinese word.
        units = [word] if word.isascii() else word
        found |= {each: float(min(len(each), 2)) for each in units if each not in STOP_CHARACTERS}
    return found


def _in_order(text: str) -> list[str]:
    return [x for word in stems(text) for x in ([word] if word.isascii() else word)]
