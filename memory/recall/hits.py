"""What a search returns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage that was found.

    ``score`` ranks hits within one search only; ``relevance``, ``activation`` and ``retention``
    are its parts, each 0..1. ``source_ids`` are the messages the passage came from, best first, at
    most 8; ``quote`` is its text. ``reasons`` are short ``name:value`` texts; ``path`` lists the
    memories by which association led here, seed first, and is empty for a direct hit.
    """

    memory_id: int
    score: float
    relevance: float
    activation: float
    retention: float
    source_ids: tuple[str, ...]
    quote: str
    reasons: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
