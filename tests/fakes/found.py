"""Whether two searches found the same: what, in which order, and with which scores."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

CLOSE = 1e-6
"""How far two scores may differ: what is added up in another order is not the same to the bit."""


class Scored(Protocol):
    """What was found, as far as it is compared."""

    @property
    def score(self) -> float: ...
    @property
    def quote(self) -> str: ...
    @property
    def source_ids(self) -> tuple[str, ...]: ...


ScoredT = TypeVar("ScoredT", bound=Scored)


def found_alike(one: Sequence[ScoredT], other: Sequence[ScoredT]) -> bool:
    """Whether the same was found with the same scores; of equals any may stand first."""
    if len(one) != len(other):
        return False
    if any(abs(a.score - b.score) > CLOSE for a, b in zip(one, other, strict=True)):
        return False
    first = 0
    for end in range(1, len(one) + 1):
        if end < len(one) and one[end - 1].score - one[end].score <= 2 * CLOSE:
            continue
        if _named(one[first:end]) != _named(other[first:end]):
            return False
        first = end
    return True


def _named(hits: Sequence[Scored]) -> list[tuple[str, tuple[str, ...], int]]:
    return sorted((hit.quote, hit.source_ids, _memory_of(hit)) for hit in hits)


def _memory_of(hit: Scored) -> int:
    found = getattr(hit, "memory_id", None)
    return found if isinstance(found, int) else int(getattr(hit, "memory").id)  # noqa: B009
