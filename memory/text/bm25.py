"""BM25 (Robertson), with an index that grows and shrinks one text at a time; and near-duplicates.

Postings are flat arrays that numpy reads without copying, so that adding a slot costs tens of
microseconds and a query over 100,000 slots a few milliseconds. Removing a slot leaves its postings
behind as dead ones; the owner rebuilds the index when there are too many (``dead_share``).

How alike two texts are is made for facts of one sentence, not for long texts.
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memory.text.tokens import STOP_CHARACTERS, STOP_WORDS, normalized, stems

Floats: TypeAlias = npt.NDArray[np.float32]
Slots: TypeAlias = npt.NDArray[np.int64]

# The usual values of the formula; idf is ln(1 + (N - n + ½) / (n + ½)).
K1: Final = 1.5
B: Final = 0.75

# A posting is one 64-bit number, slot and count together: one array per token instead of two. A
# count above 15 is cut: its share in the score has saturated long before.
_TF_BITS: Final = 4
_HIGHEST_TF: Final = (1 << _TF_BITS) - 1
_INITIAL_SLOTS: Final = 1024


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
    return np.asarray((K1 + 1.0) * counts / (counts + norms), np.float32)


@dataclass(frozen=True, slots=True)
class Postings:
    """Every posting of an index, token after token: what can be written to a file and mapped.

    Those of ``tokens[i]`` are ``packed[starts[i] : starts[i + 1]]``, by slot; ``lengths`` has the
    number of tokens of each slot.
    """

    tokens: Sequence[str]
    starts: Slots
    packed: npt.NDArray[np.uint64]
    lengths: Floats

    def rearranged(self, slots: Slots) -> "Postings":
        """Return the postings of an index whose slot ``i`` is slot ``slots[i]`` of this one."""
        token = np.repeat(np.arange(len(self.tokens)), np.diff(self.starts))
        slot = (self.packed >> np.uint64(_TF_BITS)).astype(np.int64)
        by_slot = np.argsort(slot, kind="stable")
        ends = np.cumsum(np.bincount(slot, minlength=len(self.lengths)))
        sizes = np.diff(ends, prepend=0)[slots]
        # Place by place: the first posting of each wanted slot, and those that follow it.
        first = np.repeat((ends - np.diff(ends, prepend=0))[slots], sizes)
        within = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        taken = by_slot[first + within]
        times = self.packed[taken] & np.uint64(_HIGHEST_TF)
        packed = np.repeat(np.arange(len(slots)), sizes).astype(np.uint64) << np.uint64(_TF_BITS)
        by_token = np.argsort(token[taken], kind="stable")
        held, counts = np.unique(token[taken], return_counts=True)
        return Postings(
            tokens=[self.tokens[each] for each in held.tolist()],
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            packed=(packed | times)[by_token],
            lengths=self.lengths[slots],
        )


NO_POSTINGS: Final = Postings(
    (), np.zeros(1, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.float32)
)


class TextTokens:
    """The tokens of each slot, by their numbers: what postings are, seen from the texts."""

    def __init__(self, known: Postings, tokens: Sequence[str]) -> None:
        """Begin with what is known; ``tokens`` are those of all numbers, also of later ones."""
        self._known = known
        self._tokens = tokens
        self._slots = len(known.lengths)
        self._sorted: tuple[npt.NDArray[np.uint32], Slots] | None = None
        self._added = array("I")
        self._ends = array("q", (0,))

    def add(self, held: Sequence[int]) -> None:
        """Take the tokens of the next slot, each a number and its count together."""
        self._added.extend(held)
        self._ends.append(len(self._added))

    def token(self, number: int) -> str:
        """Return the token of a number."""
        return self._tokens[number]

    def in_slot(self, slot: int) -> list[str]:
        """Return the tokens of a living slot, each once, in no order."""
        return [self._tokens[number] for number in self.of(np.array([slot]))[0].tolist()]

    def of(self, slots: Slots) -> tuple[Slots, Floats]:
        """Return the numbers of the tokens that living slots hold, and how often each has it.

        Slot after slot; what several hold is there as often.
        """
        packed = self._packed(slots)
        times = (packed & np.uint32(_HIGHEST_TF)).astype(np.float32)
        return (packed >> np.uint32(_TF_BITS)).astype(np.int64), times

    def _packed(self, slots: Slots) -> npt.NDArray[np.uint32]:
        known, starts = self._by_slot()
        parts = [np.zeros(0, np.uint32)]
        for slot in slots.tolist():
            if slot < self._slots:
                parts.append(known[starts[slot] : starts[slot + 1]])
            else:
                first, end = self._ends[slot - self._slots], self._ends[slot - self._slots + 1]
                parts.append(np.array(self._added[first:end], np.uint32))
        return np.concatenate(parts)

    def _by_slot(self) -> tuple[npt.NDArray[np.uint32], Slots]:
        """Return what was known, sorted by slot when it is first asked for, and where each begins.

        Only what is told is searched this way (relevance feedback), so a start does not pay.
        """
        if self._sorted is None:
            packed, starts = self._known.packed, self._known.starts
            row = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
            slot = (packed >> np.uint64(_TF_BITS)).astype(np.uint32)
            # Two rounds of numpy's radix sort, which is for 16 bits: five times as fast as one.
            order = np.argsort(slot.astype(np.uint16), kind="stable")
            if self._slots > np.iinfo(np.uint16).max:
                order = order[np.argsort((slot >> 16).astype(np.uint16)[order], kind="stable")]
            held = row << np.uint32(_TF_BITS)
            held |= (packed & np.uint64(_HIGHEST_TF)).astype(np.uint32)
            ends = np.cumsum(np.bincount(slot, minlength=self._slots))
            self._sorted = held[order], np.concatenate([[0], ends]).astype(np.int64)
        return self._sorted


class Bm25:
    """An index of token lists by slot number; slots are given out in order and never reused."""

    def __init__(self, known: Postings = NO_POSTINGS) -> None:
        """Begin with the postings that are known already; all their slots are living."""
        # What was known stands in one array, what is added since in one for each token.
        self._known = known
        self._tokens = list(known.tokens)
        self._rows = dict(zip(self._tokens, range(len(self._tokens)), strict=True))
        self._postings: dict[str, array[int]] = {}
        self._count = array("q", np.diff(known.starts).astype(np.int64).tobytes())
        self.texts = TextTokens(known, self._tokens)
        self._slots = self._living = len(known.lengths)
        self._length: Floats = np.zeros(max(_INITIAL_SLOTS, self._slots), np.float32)
        self._length[: self._slots] = known.lengths
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
        slot = self._slots
        # Doubling: the cost of growing is spread over all additions.
        if slot == len(self._length):
            self._length = np.concatenate([self._length, np.zeros_like(self._length)])
            self._alive = np.concatenate([self._alive, np.zeros_like(self._alive)])
        held: list[int] = []
        for token, times in Counter(found).items():
            packed = slot << _TF_BITS | min(times, _HIGHEST_TF)
            row = self._rows.setdefault(token, len(self._tokens))
            if row == len(self._tokens):
                self._tokens.append(token)
                self._count.append(0)
            self._count[row] += 1
            held.append(row << _TF_BITS | min(times, _HIGHEST_TF))
            postings = self._postings.get(token)
            if postings is None:
                self._postings[token] = array("Q", (packed,))
            else:
                postings.append(packed)
        self.texts.add(held)
        self._length[slot] = len(found)
        self._alive[slot] = True
        self._slots += 1
        self._living += 1
        return slot

    def remove(self, slot: int, found: Sequence[str]) -> None:
        """Forget a slot; ``found`` must be the tokens it was added with."""
        if not self._alive[slot]:
            return
        for token in set(found):
            self._count[self._rows[token]] -= 1
        self._alive[slot] = False
        self._length[slot] = 0.0
        self._living -= 1

    def idf(self, token: str) -> float:
        """Return how telling a token is; 0 for one that stands nowhere."""
        row = self._rows.get(token)
        return 0.0 if row is None else idf(self._living, self._count[row])

    def idf_of(self, numbers: Slots) -> Floats:
        """Return how telling the tokens of some numbers are."""
        holding = np.frombuffer(self._count, np.int64)[numbers]
        return np.asarray(np.log1p((self._living - holding + 0.5) / (holding + 0.5)), np.float32)

    def tokens_with(self, characters: str, most: int) -> list[str]:
        """Return up to ``most`` living tokens that hold one of ``characters``, commonest first.

        This walks over every token; it is meant for a query of which no token is known.
        """
        wanted = set(characters)
        known = zip(self._tokens, self._count, strict=True)
        found = [(-count, token) for token, count in known if count and wanted.intersection(token)]
        return [token for _, token in sorted(found)[:most]]

    def slots_with(self, token: str) -> tuple[Slots, Floats]:
        """Return the living slots that have a token, and how often each has it (at most 15)."""
        packed = self._packed(token)
        slots = (packed >> np.uint64(_TF_BITS)).astype(np.int64)
        times = (packed & np.uint64(_HIGHEST_TF)).astype(np.float32)
        # With no dead slot, the common case, the filter is spared.
        if self._living == self._slots:
            return slots, times
        living = self._alive[slots]
        return slots[living], times[living]

    def first_slot_with(self, token: str) -> int:
        """Return the first living slot that has a token; raises LookupError if none has."""
        row, known = self._rows[token], self._known
        held: Iterable[int] = ()
        if row < len(known.tokens):
            held = map(int, known.packed[known.starts[row] : known.starts[row + 1]])
        every = (packed >> _TF_BITS for packed in chain(held, self._postings.get(token, ())))
        for slot in every:
            if self._alive[slot]:
                return slot
        raise LookupError(f"no text says {token!r} any more")

    def postings(self) -> Postings:
        """Return all postings, those of dead slots included."""
        tokens = self._tokens.copy()
        # Copied by concatenate() at once: no view outlives this call.
        parts = [self._packed(token) for token in tokens]
        sizes = np.fromiter(map(len, parts), np.int64, len(parts))
        return Postings(
            tokens=tokens,
            starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            packed=np.concatenate([*parts, np.zeros(0, np.uint64)]),
            lengths=self.lengths.copy(),
        )

    def _packed(self, token: str) -> npt.NDArray[np.uint64]:
        """Return the postings of a token, by slot."""
        # A view where it can be one: it must not outlive the caller, or the array of what was
        # added could not grow any more.
        row, added = self._rows.get(token), self._postings.get(token)
        new = np.frombuffer(added, np.uint64) if added else np.zeros(0, np.uint64)
        if row is None or row >= len(self._known.tokens):
            return new
        known = self._known.packed[self._known.starts[row] : self._known.starts[row + 1]]
        return np.concatenate([known, new]) if added else known


# 主人 and 用户 name the same person in different memories, so they count for nothing.
_PARTNER: Final = frozenset(["主人", "用户", "对方", "本人", "咱们", "user", "partner"])
# The lookarounds leave out words in which the character denies nothing: 特别, 别人, 不错, 没关系.
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
    return _denies(a) != _denies(b) or _numbers(a) != _numbers(b)


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
        for unit in [word] if word.isascii() else word:
            if unit not in STOP_CHARACTERS:
                # A stem weighs as much as the two characters of an average Chinese word.
                found[unit] = 2.0 if len(unit) > 1 else 1.0
    return found
