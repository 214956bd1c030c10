"""Postings that were made once and stand in a file: looked up where they lie, never changed.

A token is known by its key, eight bytes of a digest, so that several files need no common list of
tokens: each is looked into by halving, and nothing of it is read before.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
Slots: TypeAlias = npt.NDArray[np.int64]
Keys: TypeAlias = npt.NDArray[np.uint64]

# A posting is one number, slot (or token) and count together: one array instead of two. A count
# above 15 is cut: its share in the score has saturated long before.
TF_BITS: Final = 4
HIGHEST_TF: Final = (1 << TF_BITS) - 1


@lru_cache(maxsize=1 << 14)
def token_key(token: str) -> int:
    """Return the key of a token."""
    # Lone surrogates have no UTF-8; a token with one still has a key. Of a million tokens two have
    # the same 64 bits once in forty million times.
    digest = blake2b(token.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@dataclass(frozen=True, slots=True)
class Postings:
    """Every posting of some texts, from both sides; slots count from 0.

    ``keys`` has the tokens in the order of their keys, ``names`` their letters one after another
    and ``name_ends`` where each begins and ends. The texts that hold token ``i`` are
    ``packed[starts[i] : starts[i + 1]]``, by slot; the tokens of slot ``i``, by their places in
    ``keys``, are ``held[ends[i] : ends[i + 1]]``. ``lengths`` counts the tokens of each slot.
    """

    keys: Keys
    names: npt.NDArray[np.uint8]
    name_ends: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.uint32]
    packed: npt.NDArray[np.uint32]
    held: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint32]
    lengths: Floats

    @classmethod
    def of(cls, texts: "HeldTokens", lengths: Floats, name: Callable[[int], str]) -> "Postings":
        """Return the postings of texts of which it is known what they hold."""
        # Of a hundred thousand texts there are millions: none of them stands in memory as eight
        # bytes more often than once.
        keys, row = _numbered(texts.keys)
        times, sizes = texts.times, texts.sizes
        del texts
        slot = np.repeat(np.arange(len(lengths), dtype=np.uint32), sizes)
        slot <<= np.uint32(TF_BITS)
        slot |= times
        starts = _ends(np.bincount(row, minlength=len(keys)))
        # By token, then by slot: of both one number is made, and what is left of it is the latter.
        ordered = row.astype(np.uint64)
        ordered <<= np.uint64(32)
        ordered |= slot
        ordered.sort()
        row <<= np.uint32(TF_BITS)
        row |= times
        letters = [name(key).encode("utf-8", "surrogatepass") for key in keys.tolist()]
        return cls(
            keys=keys,
            names=np.frombuffer(b"".join(letters), np.uint8),
            name_ends=_ends(list(map(len, letters))),
            starts=starts,
            packed=ordered.astype(np.uint32),
            held=row,
            ends=_ends(sizes),
            lengths=lengths,
        )

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self.lengths)

    def name(self, row: int) -> str:
        """Return the token at a place."""
        letters = self.names[self.name_ends[row] : self.name_ends[row + 1]]
        return letters.tobytes().decode("utf-8", "surrogatepass")

    def counts(self, keys: Keys) -> Slots:
        """Return how many texts hold the token of each key."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        row = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found = self.starts[row + 1].astype(np.int64) - self.starts[row]
        return np.where(self.keys[row] == keys, found, 0)

    def rows_with(self, characters: str) -> set[int]:
        """Return the places of the tokens that hold one of some characters."""
        wanted = {each.encode("utf-8", "surrogatepass") for each in characters}
        # A character is found only where one begins: that is how UTF-8 is made.
        found = re.finditer(b"|".join(map(re.escape, wanted)), self.names.tobytes())
        return {bisect_right(self.name_ends, each.start()) - 1 for each in found if wanted}


class HeldTokens(NamedTuple):
    """What some texts hold, one after another: keys of tokens, and how often each is there.

    ``sizes`` says how many tokens each text has, every token counted once.
    """

    keys: Keys
    times: npt.NDArray[np.uint8]
    sizes: Slots


NO_TOKENS: Final = HeldTokens(np.zeros(0, np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.int64))


class KnownPostings:
    """Postings among others: their texts have the slots from ``first`` up to ``end``."""

    def __init__(self, postings: Postings, first: int) -> None:
        self.postings, self.first = postings, first
        self.end = first + len(postings)
        # Halving in numpy's arrays takes several times as long.
        self._keys, self._starts = postings.keys.data, postings.starts.data
        self._names, self._name_ends = postings.names.data, postings.name_ends.data

    def place(self, key: int) -> tuple[int, int]:
        """Return where the postings of a token begin and end; nowhere is (0, 0)."""
        row = bisect_left(self._keys, key)
        if row == len(self._keys) or self._keys[row] != key:
            return 0, 0
        return self._starts[row], self._starts[row + 1]

    def name(self, key: int) -> str | None:
        """Return the token of a key, None if it is not here."""
        row = bisect_left(self._keys, key)
        if row == len(self._keys) or self._keys[row] != key:
            return None
        letters = self._names[self._name_ends[row] : self._name_ends[row + 1]]
        return str(letters, "utf-8", "surrogatepass")

    def held(self, first: int, end: int) -> HeldTokens:
        """Return what texts hold, by their slots among all."""
        ends = self.postings.ends[first - self.first : end - self.first + 1]
        held = self.postings.held[ends[0] : ends[-1]]
        times = held.astype(np.uint8) & np.uint8(HIGHEST_TF)
        return HeldTokens(self.postings.keys[held >> np.uint32(TF_BITS)], times, np.diff(ends))


PostingsPart: TypeAlias = tuple[npt.NDArray[Any], int]
"""Postings as they are packed, and the slot they count from."""

_NO_SLOTS: Final = np.zeros(0, np.int64)
_NO_TIMES: Final = np.zeros(0, np.float32)


def unpacked(tokens: Sequence[Sequence[PostingsPart]]) -> tuple[Slots, Floats, Slots]:
    """Return the slots of tokens, one after another, how often each has it, and which it is."""
    parts = [(packed, first, row) for row, of in enumerate(tokens) for packed, first in of]
    if not parts:
        return _NO_SLOTS, _NO_TIMES, _NO_SLOTS
    every, firsts, rows = zip(*parts, strict=True)
    sizes, packed = list(map(len, every)), np.concatenate(every)
    slots = (packed >> packed.dtype.type(TF_BITS)).astype(np.int64)
    if any(firsts):
        slots += np.repeat(firsts, sizes)
    times = (packed & packed.dtype.type(HIGHEST_TF)).astype(np.float32)
    return slots, times, np.repeat(rows, sizes)


_AT_ONCE: Final = 1 << 18


def _numbered(held: Keys) -> tuple[Keys, npt.NDArray[np.uint32]]:
    """Return the different keys, in order, and the place of each of ``held`` among them."""
    # In stretches: numpy's own way makes three more arrays of eight bytes for each.
    stretches = [held[at : at + _AT_ONCE] for at in range(0, len(held), _AT_ONCE)]
    keys = np.unique(np.concatenate([held[:0], *map(np.unique, stretches)]))
    row = np.empty(len(held), np.uint32)
    for number, each in enumerate(stretches):
        row[number * _AT_ONCE :][: len(each)] = np.searchsorted(keys, each)
    return keys, row


def _ends(sizes: Sequence[int] | Slots) -> npt.NDArray[np.uint32]:
    """Return where parts of these sizes begin and end, one after another."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
