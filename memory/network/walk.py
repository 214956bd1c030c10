"""Recall as seed 002 §7 has it: a walk from what is in focus, told as plain text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from memory.model import Level, Link, Memory, Sensitivity, Tier
from memory.network.index import NetworkIndex
from memory.network.linking import is_alive
from memory.network.names import normalised_name
from memory.network.telling import Keywords, searchable_text, memory_text, forgotten_text
from memory.network.ways import is_forgotten, links_from
from memory.settings import Language
from memory.state import MemoryState

SEPARATOR: Final = "\n---\n"
MAX_CHARACTERS: Final = 4000
"""How long a recall may get; what lies further off is left out."""

MAX_FORGOTTEN: Final = 5
"""Of how many forgotten things one recall speaks."""

MayShow: TypeAlias = Callable[[Memory], bool]


def is_everyday(memory: Memory) -> bool:
    """Whether a memory may be told by itself: active, at least its gist left, and no secret."""
    words, nature = memory.words, memory.nature
    return (
        memory.is_active
        and words.level >= Level.SUMMARY
        and nature.sensitivity < Sensitivity.SECRET
    )


def recall_text(
    keywords: Sequence[str],
    relations: Sequence[str],
    depth: int,
    state: MemoryState,
    *,
    index: NetworkIndex | None = None,
    may_show: MayShow = is_everyday,
) -> str:
    """Return ``[记忆] …`` for each memory found, ``---`` between them; "" if there is none.

    Walks from the entities in focus over at most ``depth`` links, nearer first, stronger links
    first, and tells what contains one of ``keywords`` and is reached by a link named in
    ``relations``; an empty list leaves everything through. With nothing in focus it starts from
    the memories that contain a keyword. Where a link leads to something forgotten, a last line
    says so: ``[曾记得] …``. ``shows`` decides what may be told. Nothing is written.
    """
    asked = _RecallQuery(
        Keywords.of(keywords),
        frozenset(map(normalised_name, relations)),
        state.agent_info.settings.language,
    )
    steps = _LinkWalk(state, index or NetworkIndex.build(state))
    focus = [node for node in reversed(state.agent_info.focus) if is_alive(node, state)]
    starts = focus or _matching_ids(asked.keywords, state, may_show)
    recalled = _RecallText(asked, state, may_show)
    for start in starts:
        recalled.add_start(start)
    for source, link in steps.walk(starts, depth):
        if recalled.full:
            break
        recalled.add_target(source, link)
    return recalled.text()


@dataclass(frozen=True, slots=True)
class _RecallQuery:
    """What is looked for, and the language it is told in."""

    keywords: Keywords
    relations: frozenset[str]
    language: Language

    def allows(self, link: Link) -> bool:
        return not self.relations or normalised_name(link.relation) in self.relations


@dataclass(frozen=True, slots=True)
class _LinkWalk:
    """The ways from node to node."""

    state: MemoryState
    index: NetworkIndex

    def walk(self, starts: Sequence[int], depth: int) -> Iterator[tuple[int, Link]]:
        """Yield every link met within ``depth``: by distance, strength, and named ones first."""
        visited = set(starts)
        frontier = list(starts)
        for _ in range(depth):
            ways = [
                (node, link)
                for node in frontier
                for link in links_from(node, self.state, self.index)
            ]
            ways.sort(key=lambda way: (-way[1].strength, not way[1].relation))
            yield from ways
            reached = dict.fromkeys(
                link.target for _, link in ways if self._can_walk_through(link.target)
            )
            frontier = [node for node in reached if node not in visited]
            visited.update(frontier)

    def _can_walk_through(self, node: int) -> bool:
        memory = self.state.memories.get(node)
        return memory is not None and memory.is_active


class _RecallText:
    """What a walk has come upon so far, in order, each thing once."""

    def __init__(self, asked: _RecallQuery, state: MemoryState, shows: MayShow) -> None:
        self._query = asked
        self._state = state
        self._may_show = shows
        self._texts: dict[int, str] = {}
        self._forgotten: dict[str, None] = {}
        self._characters = 0

    @property
    def full(self) -> bool:
        return self._characters >= MAX_CHARACTERS

    def add_start(self, node: int) -> None:
        """Tell where the walk starts, if it is a memory that has a link as asked for."""
        memory = self._state.memories[node]
        if not self._query.relations or any(map(self._query.allows, self._state.links_of(node))):
            self._add_memory(memory)

    def add_target(self, source: int, link: Link) -> None:
        """Tell what the link leads to, or that it leads nowhere any more."""
        if not self._query.allows(link):
            return
        if is_forgotten(link.target, self._state):
            self._add_forgotten(self._state.memories[source], link.relation)
        else:
            self._add_memory(self._state.memories[link.target])

    def text(self) -> str:
        """Return everything told, what was forgotten last."""
        return SEPARATOR.join((*self._texts.values(), *list(self._forgotten)[:MAX_FORGOTTEN]))

    def _add_memory(self, memory: Memory) -> None:
        if memory.id in self._texts or memory.nature.tier is Tier.ENTITY:
            return
        if not self._may_show(memory) or not self._query.keywords.match(searchable_text(memory)):
            return
        text = memory_text(memory, self._query.keywords, self._query.language)
        if self._characters + len(text) > MAX_CHARACTERS:
            self._characters = MAX_CHARACTERS
            return
        self._texts[memory.id] = text
        self._characters += len(text) + len(SEPARATOR)

    def _add_forgotten(self, source: Memory, relation: str) -> None:
        speaks = source.nature.tier is Tier.ENTITY or self._may_show(source)
        if speaks and self._query.keywords.match(searchable_text(source)):
            self._forgotten[forgotten_text(source, relation, self._query.language)] = None


def _matching_ids(keywords: Keywords, state: MemoryState, shows: MayShow) -> list[int]:
    """Return the memories that contain a keyword: most keywords first, then the newest."""
    found = [
        (count, memory.trace.created_at, memory.id)
        for memory in state.memories.values()
        if memory.nature.tier is not Tier.ENTITY and shows(memory)
        if (count := keywords.count(searchable_text(memory)))
    ]
    return [memory_id for _, _, memory_id in sorted(found, reverse=True)]
