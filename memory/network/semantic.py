"""Who is near whom in meaning, when an embedder is there (DESIGN §7)."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.state import MAX_LINKS

LINKED_FROM_COSINE: Final = 0.6
"""The cosine from which two memories are linked. Unrelated sentences reach about 0.3 with current
models, and 0.75 is where seed 001 would merge them."""


def nearest_by_cosine(
    new: Sequence[int],
    ids: Sequence[int],
    vectors: NDArray[np.float32],
    *,
    near: float = LINKED_FROM_COSINE,
) -> Mapping[int, Mapping[int, float]]:
    """Return, for each of ``new``, its at most 32 nearest among ``ids`` and their cosines.

    ``vectors[i]`` belongs to ``ids[i]`` and need not have length 1; an id of ``new`` without a
    vector, or with one that is all zero, is near nobody. Plain matrix products: 10,000 vectors of
    1,024 numbers take about 50 ms, so call it in a thread.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    places = {memory_id: place for place, memory_id in enumerate(ids)}
    found: dict[int, dict[int, float]] = {}
    for memory_id in new:
        place = places.get(memory_id)
        if place is None:
            continue
        cosine = np.clip(unit @ unit[place], 0.0, 1.0)
        cosine[place] = 0.0
        order = np.lexsort((np.asarray(ids), -cosine))[:MAX_LINKS]
        found[memory_id] = {ids[i]: float(cosine[i]) for i in order if cosine[i] >= near}
    return found
