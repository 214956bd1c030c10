"""Recall as seed 002 §7 has it: a walk from what is in focus, told as plain text."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from memory.model import Level, Link, Memory, Sensitivity, Tier
from memory.network.index import NetworkIndex
from memory.network.linking import is_alive
from memory.network.names import normalised
from memory.network.telling import Keywords, content, told, told_lost
from memory.network.ways import is_forgotten, ways_from
from memory.settings import Language
from memory.state import MemoryState

SEPARATOR: Final = "\n---\n"
MAX_CHARACTERS: Final = 4000
"""How long a recall may get; what lies further off is left out."""

MAX_LOST: Final = 5
"""Of how many forgotten things one recall speaks."""

Shows: TypeAlias = Callable[[Memory], bool]


def everyday(memory: Memory) -> bool:
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
    shows: Shows = everyday,
) -> str:
    """Return ``[记忆] …`` for each memory found, ``---`` between them; "" if there is none.

    Walks from the entities in focus over at most ``depth`` links, nearer first, stronger links
    first, and tells what contains one of ``keywords`` and is reached by a link named in
    ``relations``; an empty list leaves everything through. With nothing in focus it starts from
    the memories that contain a keyword. Where a link leads to something forgotten, a last line
    says so: ``[曾记得] …``. ``shows`` decides what may be told. Nothing is written.
    """
    asked = _Asked(
        Keywords.of(keywords),
        frozenset(map(normalised, relations)),
        state.household.settings.language,
    )
    steps = _Steps(state, index or NetworkIndex.build(state))
    focus = [node for node in reversed(state.household.focus) if is_alive(node, state)]
    starts = focus or _matching(asked.keywords, state, shows)
    recalled = _Recalled(asked, state, shows)
    for start in starts:
        recalled.meet_start(start)
    for source, link in steps.walk(starts, depth):
        if recalled.full:
            break
        recalled.follow(source, link)
    return recalled.text()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for, and the language it is told in."""

    keywords: Keywords
    relations: frozenset[str]
    language: Language

    def allows(self, link: Link) -> bool:
        return not self.relations or normalised(link.relation) in self.relations


@dataclass(frozen=True, slots=True)
class _Steps:
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
                for link in ways_from(node, self.state, self.index)
            ]
            ways.sort(key=lambda way: (-way[1].strength, not way[1].relation))
            yield from ways
            reached = dict.fromkeys(link.target for _, link in ways if self._leads_on(link.target))
            frontier = [node for node in reached if node not in visited]
            visited.update(frontier)

    def _leads_on(self, node: int) -> bool:
        memory = self.state.memories.get(node)
        return memory is not None and memory.is_active


class _Recalled:
    """What a walk has come upon so far, in order, each thing once."""

    def __init__(self, asked: _Asked, state: MemoryState, shows: Shows) -> None:
        self._asked = asked
        self._state = state
        self._shows = shows
        self._told: dict[int, str] = {}
        self._lost: dict[str, None] = {}
        self._characters = 0

    @property
    def full(self) -> bool:
        return self._characters >= MAX_CHARACTERS

    def meet_start(self, node: int) -> None:
        """Tell where the walk starts, if it is a memory that has a link as asked for."""
        memory = self._state.memories[node]
        if not self._asked.relations or any(map(self._asked.allows, self._state.links_of(node))):
            self._tell(memory)

    def follow(self, source: int, link: Link) -> None:
        """Tell what the link leads to, or that it leads nowhere any more."""
        if not self._asked.allows(link):
            return
        if is_forgotten(link.target, self._state):
            self._tell_lost(self._state.memories[source], link.relation)
        else:
            self._tell(self._state.memories[link.target])

    def text(self) -> str:
        """Return everything told, what was forgotten last."""
        return SEPARATOR.join((*self._told.values(), *list(self._lost)[:MAX_LOST]))

    def _tell(self, memory: Memory) -> None:
        if memory.id in self._told or memory.nature.tier is Tier.ENTITY:
            return
        if not self._shows(memory) or not self._asked.keywords.match(content(memory)):
            return
        text = told(memory, self._asked.keywords, self._asked.language)
        if self._characters + len(text) > MAX_CHARACTERS:
            self._characters = MAX_CHARACTERS
            return
        self._told[memory.id] = text
        self._characters += len(text) + len(SEPARATOR)

    def _tell_lost(self, source: Memory, relation: str) -> None:
        speaks = source.nature.tier is Tier.ENTITY or self._shows(source)
        if speaks and self._asked.keywords.match(content(source)):
            self._lost[told_lost(source, relation, self._asked.language)] = None


def _matching(keywords: Keywords, state: MemoryState, shows: Shows) -> list[int]:
    """Return the memories that contain a keyword: most keywords first, then the newest."""
    found = [
        (count, memory.trace.created_at, memory.id)
        for memory in state.memories.values()
        if memory.nature.tier is not Tier.ENTITY and shows(memory)
        if (count := keywords.count(content(memory)))
    ]
    return [memory_id for _, _, memory_id in sorted(found, reverse=True)]
