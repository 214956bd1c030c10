"""Going on to count ids where another state left off, so that none ever means two memories."""

from collections.abc import Iterator
from dataclasses import replace

from memory.changes import Change, Drop, Put
from memory.model import Memory
from memory.state import MemoryState


def id_mark_changes(state: MemoryState, other: MemoryState) -> Iterator[Change]:
    """Yield what lets the ids of ``state`` be counted from where ``other`` counts them.

    What the last of them meant may be gone, and links to it still be there. The mark rises with
    the highest id that ever stood here, if only for a moment.
    """
    highest = other.next_id - 1
    if other.memories and highest >= state.next_id and highest not in other.memories:
        yield Put(replace(next(iter(other.memories.values())), id=highest))
        yield Drop(Memory, highest)
