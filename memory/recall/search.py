"""The search of one agent, and the index it keeps in step."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import AgentInfo, Change, Drop, Put
from memory.model import Memory, Mode
from memory.recall.index import PassageIndex
from memory.recall.ranking import Hit, Ranking
from memory.recall.relevance import NOTHING_NEAR, Near
from memory.recall.weights import Weights, fitted_weights
from memory.state import MemoryState

# Slots are not given out again, so an index in which more is dead than alive is built anew; for a
# small one that is not worth a thought.
_REBUILD_ABOVE: Final = 0.5
_LEAST_TO_REBUILD: Final = 1_000


class Recall:
    """Find passages. The index follows ``note``; it is built by ``build`` or the first search.

    ``weights`` says how much each sign of relevance counts; the default is what was fitted.
    """

    def __init__(self, weights: Weights = fitted_weights) -> None:
        self._weights = weights
        self._index: PassageIndex | None = None

    def build(self, state: MemoryState) -> None:
        """Index every memory of ``state``; may run in a thread, before anything else is called."""
        order = sorted(state.memories.values(), key=lambda memory: memory.id)
        zone = ZoneInfo(state.agent_info.settings.time_zone)
        self._index = PassageIndex.of(order, zone)

    def note(self, changes: Iterable[Change]) -> None:
        """Follow changes that were applied; before the index is built there is nothing to do.

        A new time zone, or more that was taken out than is left, makes the next search build anew.
        """
        for change in changes:
            if self._index is None:
                return
            match change:
                case Put(Memory() as memory):
                    self._index.put(memory)
                case Put(AgentInfo(settings=settings)):
                    # Every passage is filed under the day it was said on, in that zone.
                    if settings.time_zone != self._index.zone.key:
                        self._index = None
                case Drop(table, int(memory_id)) if table is Memory:
                    self._index.drop(memory_id)
                case _:
                    pass
        if self._index is not None and _needs_rebuild(self._index):
            self._index = None

    def search(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        mode: Mode = Mode.NORMAL,
        near: Near = NOTHING_NEAR,
    ) -> list[Hit]:
        """Return the at most ``k`` best passages for ``query``, best first; writes nothing.

        ``near`` says how near passages are in meaning, where an embedder knows.
        Ties go to the newer passage, then to the lower memory id.
        """
        if self._index is None:
            self.build(state)
        if self._index is None or k < 1:
            return []
        return Ranking(self._index, state, self._weights, now=now, mode=mode, near=near).hits(
            query, k
        )


def _needs_rebuild(index: PassageIndex) -> bool:
    return len(index) > _LEAST_TO_REBUILD and index.words.dead_share > _REBUILD_ABOVE
