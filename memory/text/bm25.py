"""Incremental BM25 over slots, where a slot also says a little of what its neighbours say.

Robertson's BM25 with k1 1.5 and b 0.75 and the never negative idf ln(1 + (N - n + ½)/(n + ½)).
Postings are flat arrays that numpy reads without copying, so that adding a slot costs tens of
microseconds and a query over 100,000 slots a few milliseconds. Removing a slot leaves its postings
behind, dead; the owner rebuilds when too many are (``dead_share``).
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float32]
Slots: TypeAlias = npt.NDArray[np.int64]

K1: Final = 1.5
B: Final = 0.75
_TF_BITS: Final = 4
_TF_MOST: Final = (1 << _TF_BITS) - 1
_START: Final = 1024


class Bm25:
    """An index of token lists by slot number; slots are given out in order and never reused."""

    def __init__(self) -> None:
        self._postings: dict[str, array[int]] = {}
        self._count: dict[str, int] = {}
        self._length: Floats = np.zeros(_START, np.float32)
        self._alive: npt.NDArray[np.bool_] = np.zeros(_START, np.bool_)
        self._slots = 0
        self._living = 0
        self._total = 0.0

    def __len__(self) -> int:
        """Return how many slots were given out, dead ones included."""
        return self._slots

    @property
    def dead_share(self) -> float:
        """Return the share of slots that were removed, 0..1."""
        return 1.0 - self._living / self._slots if self._slots else 0.0

    def add(self, found: Sequence[str]) -> int:
        """Index one token list and return its slot."""
        slot = self._slots
        if slot == len(self._length):
            self._length = np.concatenate([self._length, np.zeros_like(self._length)])
            self._alive = np.concatenate([self._alive, np.zeros_like(self._alive)])
        for token, times in Counter(found).items():
            packed = slot << _TF_BITS | min(times, _TF_MOST)
            postings = self._postings.get(token)
            if postings is None:
                self._postings[token] = array("L", (packed,))
            else:
                postings.append(packed)
            self._count[token] = self._count.get(token, 0) + 1
        self._length[slot] = len(found)
        self._alive[slot] = True
        self._slots += 1
        self._living += 1
        self._total += len(found)
        return slot

    def remove(self, slot: int, found: Sequence[str]) -> None:
        """Forget a slot; ``found`` must be the tokens it was added with."""
        if not self._alive[slot]:
            return
        for token in set(found):
            self._count[token] -= 1
        self._alive[slot] = False
        self._living -= 1
        self._total -= len(found)

    def idf(self, token: str) -> float:
        """Return how telling a token is; 0 for one that stands nowhere."""
        count = self._count.get(token, 0)
        if count <= 0:
            return 0.0
        return math.log(1.0 + (self._living - count + 0.5) / (count + 0.5))

    def holds(self, token: str) -> bool:
        """Tell whether any living slot has the token."""
        return self._count.get(token, 0) > 0

    def scores(self, query: Mapping[str, float], band: Sequence[tuple[Slots, Floats]]) -> Floats:
        """Return the score of every slot for weighted tokens; dead slots score 0.

        ``band`` lists (where to, how much): the occurrence of a token in slot ``i`` counts
        ``how_much[i]`` times in slot ``where_to[i]`` as well; -1 leads nowhere.
        """
        size = self._slots
        total = np.zeros(size + 1, np.float32)  # the last cell takes what leads to -1
        if not size or self._living == 0:
            return total[:-1]
        average = max(self._total / self._living, 1.0)
        norm = K1 * (1.0 - B + B / average * self._length[:size])
        counts = np.zeros(size + 1, np.float32)
        for token, weight in query.items():
            idf = self.idf(token)
            if idf <= 0.0 or weight <= 0.0:
                continue
            packed = np.frombuffer(self._postings[token], dtype=np.uint64)
            at = (packed >> np.uint64(_TF_BITS)).astype(np.int64)
            times = (packed & np.uint64(_TF_MOST)).astype(np.float32)
            times *= self._alive[at]
            reached = [at]
            counts[at] = times
            for where, much in band:
                target = where[at]
                np.add.at(counts, target, times * much[at])
                reached.append(target)
            touched = np.unique(np.concatenate(reached)) if band else at
            touched = touched[touched >= 0]
            seen = counts[touched]
            total[touched] += (weight * idf * (K1 + 1.0)) * seen / (seen + norm[touched])
            counts[touched] = 0.0
            counts[-1] = 0.0
        total[:size] *= self._alive[:size]
        return total[:-1]
