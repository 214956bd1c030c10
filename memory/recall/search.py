"""The search of one agent, and the index it keeps in step."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from memory.changes import AgentInfo, Change, DiaryLine, Drop, Put
from memory.model import Memory, Mode
from memory.recall.depth import asks_about_past, wants_deep
from memory.recall.index import PassageIndex
from memory.recall.ranking import FAR_AND_WIDE, Hit, Ranking, Reach
from memory.recall.relevance import Weights, fitted_weights
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
        """Index all of ``state``; may run in a thread, before anything else is called."""
        order = sorted(state.memories.values(), key=lambda memory: memory.id)
        zone = ZoneInfo(state.agent_info.settings.time_zone)
        self._index = PassageIndex.of(order, zone, state.diary.values())

    def note(self, changes: Iterable[Change]) -> None:
        """Follow changes that were applied; before the index is built there is nothing to do.

        A new time zone, or more that was taken out than is left, makes the next search build anew.
        """
        for change in _lines_first(changes):
            if self._index is None:
                return
            match change:
                case Put(AgentInfo(settings=settings)):
                    # Every passage is filed under the day it was said on, in that zone.
                    if settings.time_zone != self._index.zone.key:
                        self._index = None
                case _:
                    _follow(self._index, change)
        if self._index is not None and _needs_rebuild(self._index):
            self._index = None

    def search(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        reach: Reach = FAR_AND_WIDE,
    ) -> list[Hit]:
        """Return the at most ``k`` best passages for ``query``, best first; writes nothing.

        Ties go to the newer passage, then to the lower memory id.
        """
        if self._index is None:
            self.build(state)
        index = self._index
        if index is None or k < 1:
            return []

        def hits(deep: str) -> list[Hit]:
            ranking = Ranking(index, state, self._weights, now=now, reach=reach, deep=deep)
            return ranking.hits(query, k)

        if reach.depth == "everyday" or reach.mode is not Mode.NORMAL:
            return hits("")
        asked = "asked" if reach.depth == "deep" else asks_about_past(query, now, index.zone)
        if asked:
            return hits(asked)
        everyday = hits("")
        more = wants_deep(query, everyday)
        return hits(more) if more else everyday


def _lines_first(changes: Iterable[Change]) -> list[Change]:
    """Return changes in the order the index needs: a memory finds its lines there already."""
    lines: list[Change] = []
    rest: list[Change] = []
    for change in changes:
        is_line = isinstance(change, Put) and isinstance(change.record, DiaryLine)
        (lines if is_line else rest).append(change)
    return [*lines, *rest]


def _follow(index: PassageIndex, change: Change) -> None:
    match change:
        case Put(DiaryLine() as line):
            index.put_line(line)
        case Put(Memory() as memory):
            index.put(memory)
        case Drop(table, str(key)) if table is DiaryLine:
            index.drop_line(key)
        case Drop(table, int(memory_id)) if table is Memory:
            index.drop(memory_id)
        case _:
            pass


def _needs_rebuild(index: PassageIndex) -> bool:
    return len(index) > _LEAST_TO_REBUILD and index.words.dead_share > _REBUILD_ABOVE
