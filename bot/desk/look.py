"""The commands that look: list, show, search. They write nothing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.desk.documents import Branch, Cell, Document, Facts, Table, Term, Text, Tree
from bot.texts import Sentence, desk, say
from memory.laws.law import recallable
from memory.model import Mode, Tier
from memory.recall import Recall
from memory.settings import Language
from memory.state import MemoryState
from memory.views import MemoryView, vantage_on, view

TIERS: Final = {
    Tier.SYSTEM: desk.SYSTEM,
    Tier.CORE: desk.CORE,
    Tier.FACT: desk.FACT,
    Tier.EPISODE: desk.EPISODE,
    Tier.ENTITY: desk.ENTITY,
}
SHORT: Final = 60


class Look:
    """A look at one agent at one moment."""

    def __init__(self, state: MemoryState, now: datetime) -> None:
        self._state = state
        self._now = now
        self._language: Language = state.household.settings.language
        self._zone = ZoneInfo(state.household.settings.time_zone)

    def every(self, *, tier: Tier | None, mode: Mode, limit: int) -> Document:
        """Return the memories a query of ``mode`` may see, newest first; names only if asked."""
        settings = self._state.household.settings
        wanted = [
            memory
            for memory in self._state.memories.values()
            if (memory.nature.tier is tier if tier else memory.nature.tier is not Tier.ENTITY)
            and recallable(memory, vantage_on(memory.id, self._state, self._now), mode, settings)
        ]
        if not wanted:
            return Document((Text(self._say(desk.NOTHING)),))
        wanted.sort(key=lambda memory: (memory.trace.created_at, memory.id), reverse=True)
        views = [view(memory, self._state, self._now) for memory in wanted[:limit]]
        counted = say(self._language, desk.LISTED, shown=len(views), total=len(wanted))
        return Document((Text(counted, title=True), self._table(views)))

    def one(self, memory_id: int) -> Document:
        """Return everything stored and computed about one memory, and what it brings up."""
        memory = self._state.memory(memory_id)
        seen = view(memory, self._state, self._now)
        return Document(
            (Text(f"#{seen.id} {seen.text}", title=True), self._facts(seen), self._tree(seen))
        )

    def search(self, query: str, *, mode: Mode, limit: int) -> Document:
        """Return what a conversation would recall for ``query``, with the reasons."""
        hits = Recall().search(query, self._state, now=self._now, k=limit, mode=mode)
        if not hits:
            return self.nothing(query)
        rows = tuple(
            (
                f"#{hit.memory_id}",
                f"{hit.score:.3f}",
                self._day(self._said_at(hit.memory_id, hit.source_ids)),
                hit.quote,
                " ".join(hit.source_ids),
                " ".join(hit.reasons),
            )
            for hit in hits
        )
        names = (desk.ID, desk.SCORE, desk.SINCE, desk.TEXT, desk.SOURCES, desk.WHY)
        keys = ("id", "score", "at", "text", "source_ids", "reasons")
        return Document((Table(keys, tuple(map(self._say, names)), rows),))

    def nothing(self, sought: str) -> Document:
        """Return that there is no such memory."""
        return Document((Text(say(self._language, desk.NOTHING_FOUND, query=sought)),))

    def _table(self, views: Sequence[MemoryView]) -> Table:
        rows = tuple(
            (
                f"#{one.id}",
                self._tier(one),
                self._day(one.created_at),
                one.text,
                f"{one.retention:.2f}",
            )
            for one in views
        )
        names = (desk.ID, desk.TIER, desk.SINCE, desk.TEXT, desk.RETENTION)
        return Table(
            ("id", "tier", "created_at", "text", "retention"), tuple(map(self._say, names)), rows
        )

    def _facts(self, one: MemoryView) -> Facts:
        told: tuple[tuple[str, Sentence, Cell], ...] = (
            ("phrase", desk.PHRASE, one.phrase),
            ("keywords", desk.KEYWORDS, " ".join(one.keywords)),
            ("tier", desk.TIER, self._tier(one)),
            ("kind", desk.KIND, one.kind.value),
            ("topic", desk.TOPIC, one.topic.value),
            ("level", desk.LEVEL, one.level.name.lower()),
            ("standing", desk.STANDING, type(one.standing).__name__.lower()),
            ("sensitivity", desk.SENSITIVITY, str(int(one.sensitivity))),
            ("pinned", desk.PINNED, self._yes(one.pinned)),
            ("importance", desk.IMPORTANCE, f"{one.importance:g}"),
            ("strength", desk.STRENGTH, f"{one.strength}"),
            ("weight", desk.WEIGHT, f"{one.weight:.4f}"),
            ("connectedness", desk.CONNECTEDNESS, f"{one.connectedness:.2f}"),
            ("retention", desk.RETENTION, f"{one.retention:.2f}"),
            ("created_at", desk.SINCE, self._day(one.created_at)),
            ("speaker", desk.SPEAKER, one.speaker),
            ("quote", desk.QUOTE, one.quote),
            ("source_ids", desk.SOURCES, " ".join(one.source_ids)),
        )
        return Facts(tuple((key, self._say(name), value) for key, name, value in told if value))

    def _tree(self, one: MemoryView) -> Tree:
        branches = []
        for link in self._state.links_of(one.id):
            target = self._state.memories.get(link.target)
            known = (
                f"#{link.target} {target.words.text[:SHORT]}"
                if target
                else self._say(desk.FORGOTTEN)
            )
            because = link.relation or link.type.value
            branches.append(Branch(f"{link.strength:.2f} {because} → {known}"))
        return Tree(Branch(self._say(desk.LINKED_TO), tuple(branches)))

    def _said_at(self, memory_id: int, source_ids: tuple[str, ...]) -> datetime:
        memory = self._state.memory(memory_id)
        for passage in memory.passages:
            if passage.source_ids[:1] == source_ids[:1]:
                return passage.at
        return memory.origin.at

    def _tier(self, one: MemoryView) -> Term:
        return Term(self._say(TIERS[one.tier]), one.tier.value)

    def _yes(self, is_so: bool) -> Term:  # noqa: FBT001 - the value itself is what is shown
        return Term(self._say(desk.YES if is_so else desk.NO), "yes" if is_so else "no")

    def _say(self, sentence: Sentence) -> str:
        return say(self._language, sentence)

    def _day(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d %H:%M}"
