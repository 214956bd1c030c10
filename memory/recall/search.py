"""The search of one agent, and the index it keeps in step."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from memory.changes import AgentInfo, Change, DiaryLine, Drop, Put
from memory.model import Memory, Mode
from memory.recall.depth import asks_about_past, has_cue, names_asked_about, wants_deep
from memory.recall.index import PassageIndex
from memory.recall.query import parse_query
from memory.recall.ranking import FAR_AND_WIDE, Hit, Ranking, Reach
from memory.recall.reading import Reading
from memory.recall.relevance import Weights, fitted_weights
from memory.state import MemoryState

# Slots are not given out again, so an index in which more is dead than alive is built anew; for a
# small one that is not worth a thought.
_REBUILD_ABOVE: Final = 0.5
_LEAST_TO_REBUILD: Final = 1_000


class Found(NamedTuple):
    """What a search found, and the reason why it looked things up as well, "" if it did not."""

    hits: list[Hit]
    deep: str


class Recall:
    """Find passages. The index follows ``note``; it is built by ``build`` or the first search.

    ``weights`` says how much each sign of relevance counts; the default is what was fitted.
    """

    def __init__(self, weights: Weights = fitted_weights) -> None:
        self._weights = weights
        self._index: PassageIndex | None = None

    def build(self, state: MemoryState, known: Reading | None = None) -> bool:
        """Index all of ``state``; may run in a thread, before anything else is called.

        What is ``known`` of its texts is not read again. Returns whether it was known of just
        these texts.
        """
        index = self._index = PassageIndex.of(*_indexed(state), known)
        return index.was_known

    @staticmethod
    def texts(state: MemoryState) -> list[str]:
        """Return the texts :meth:`build` reads for this state, in its order; for a thread."""
        return PassageIndex.texts_of(*_indexed(state))

    def reading(self, texts: Sequence[str]) -> Reading | None:
        """Return what these texts say and no other; None before there is an index.

        May run in a thread, while nothing is noted.
        """
        return self._index.reading(texts) if self._index is not None else None

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
        return self.search_and_say(query, state, now=now, k=k, reach=reach).hits

    def search_and_say(
        self,
        query: str,
        state: MemoryState,
        *,
        now: datetime,
        k: int = 10,
        reach: Reach = FAR_AND_WIDE,
    ) -> Found:
        """Search as :meth:`search` does, and say why things were looked up as well, if so."""
        if self._index is None:
            self.build(state)
        index = self._index
        if index is None or k < 1:
            return Found([], "")
        asked_for = parse_query(query, index, now)

        def found(deep: str) -> Found:
            ranking = Ranking(index, state, self._weights, now=now, reach=reach, deep=deep)
            return Found(ranking.hits(asked_for, k), deep)

        if reach.depth == "everyday" or reach.mode is not Mode.NORMAL:
            return found("")
        if reach.depth == "deep":
            return found("asked")
        names = names_asked_about(asked_for, state.agent_info.settings.partner)
        asked = asks_about_past(query, now, index.zone, names)
        if asked:
            return found(asked)
        everyday = found("")
        more = wants_deep(everyday.hits, has_cue=has_cue(asked_for, index))
        return found(more) if more else everyday


def _indexed(state: MemoryState) -> tuple[list[Memory], ZoneInfo, Iterable[DiaryLine]]:
    """Return what of a state is indexed, in the order of the ids."""
    order = sorted(state.memories.values(), key=lambda memory: memory.id)
    return order, ZoneInfo(state.agent_info.settings.time_zone), state.diary.values()


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
