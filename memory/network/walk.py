"""Following links: spreading activation, and recall by walking from what is in focus.

Activation is how one memory brings up another (source document 000 §5.3). The walk (source
document 002 §7) returns plain text: it answers "what comes to mind about this", where
:mod:`memory.recall.search` answers "which passages fit this query".
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from memory.model import Deleted, DeletionPolicy, Language, Level, Link, Memory, Sensitivity, Tier
from memory.network.index import NetworkIndex, normalised_name
from memory.network.links import is_alive
from memory.state import MemoryState

REMEMBERED: Final = "[记忆]"
ONCE_KNOWN: Final = "[曾记得]"

MAX_TEXT: Final = 600
MAX_QUOTE: Final = 200
MAX_QUOTES: Final = 3

_PAST: Final = {"zh": "以前：", "en": "Before: "}
_FORGOTTEN: Final = {
    "zh": "与“{known}”有关{relation}的另一件事，已经想不起来了。",
    "en": "Something else about “{known}”{relation} that no longer comes to mind.",
}

_RELATION: Final = {"zh": "（{}）", "en": " ({})"}


@dataclass(frozen=True, slots=True)
class Keywords:
    """The keywords of one recall, in any script; without any, everything matches."""

    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Keywords":
        """Return the keywords as patterns.

        A word in Latin letters matches at the beginning of words (``interview`` in "interviews",
        ``art`` not in "party"), any other one anywhere in the text.
        """
        plain = dict.fromkeys(filter(None, map(normalised_name, words)))
        return cls(tuple(map(_pattern, plain)))

    def count(self, text: str) -> int:
        """Return how many of the keywords occur in ``text``."""
        plain = normalised_name(text)
        return sum(1 for pattern in self.patterns if pattern.search(plain))

    def match(self, text: str) -> bool:
        """Whether any keyword occurs in ``text``, or none was asked for."""
        return not self.patterns or self.count(text) > 0


def searchable_text(memory: Memory) -> str:
    """Return all that is left of a memory's text, its verbatim messages included."""
    said = (p.text for p in memory.passages if p.verbatim and memory.words.level is Level.FULL)
    return "\n".join((memory.words.text, memory.words.phrase, *memory.words.keywords, *said))


def memory_text(memory: Memory, keywords: Keywords, language: Language) -> str:
    """Return what recall says of a memory: its text, and quotations with a keyword."""
    text = (_PAST[language] if memory.is_past else "") + _clipped(memory.words.text, MAX_TEXT)
    return "\n".join((f"{REMEMBERED} {text}", *_quotes(memory, keywords)))


def forgotten_text(source: Memory, relation: str, language: Language) -> str:
    """Return what recall says of a link of ``source`` whose target is forgotten."""
    words = source.words
    # A phrase is a fact's first words, and may end before it says what of: "now Ann likes".
    known = _clipped((not source.is_fact and words.phrase) or words.text, MAX_QUOTE)
    named = _RELATION[language].format(relation) if relation else ""
    return f"{ONCE_KNOWN} {_FORGOTTEN[language].format(known=known, relation=named)}"


def _quotes(memory: Memory, keywords: Keywords) -> Sequence[str]:
    if memory.words.level is not Level.FULL or not keywords.patterns:
        return ()
    said = (
        f"{passage.speaker}：{_clipped(passage.text, MAX_QUOTE)}"
        for passage in memory.passages
        if passage.verbatim
        and passage.text not in memory.words.text
        and keywords.match(passage.text)
    )
    return tuple(said)[:MAX_QUOTES]


def _pattern(word: str) -> re.Pattern[str]:
    latin = word[0].isascii() and word[0].isalnum()
    return re.compile(("(?<![a-z0-9])" if latin else "") + re.escape(word))


def _clipped(text: str, limit: int) -> str:
    """Return ``text`` on one line, so that no text can look like a separator, and cut to size."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def links_from(node: int, state: MemoryState, index: NetworkIndex) -> Iterator[Link]:
    """Yield the links of a node, strongest first, then the nodes linked to it without a link back.

    Those come newest first, as links in the other direction.
    """
    # A name keeps 32 links like every node, but everything said about it must be reachable.
    links = state.links_of(node)
    yield from links
    known = {link.target for link in links}
    for source in sorted(index.focus_sources(node) - known, reverse=True):
        if source in state.memories:
            hanging = next(link for link in state.links_of(source) if link.target == node)
            yield replace(hanging, target=source)


def is_forgotten(node: int, state: MemoryState) -> bool:
    """Whether a link to that node dangles: it was purged, or deleted by a law.

    What the partner hid, or what lives on in another memory, is not forgotten.
    """
    memory = state.memories.get(node)
    if memory is None:
        return True
    standing = memory.standing
    return isinstance(standing, Deleted) and standing.policy is DeletionPolicy.AUTO_CLEANUP


SEPARATOR: Final = "\n---\n"

MAX_CHARACTERS: Final = 4000
"""The longest text of a recall; what is further off is left out."""

MAX_FORGOTTEN: Final = 5
"""The most forgotten things one recall mentions."""

MayShow: TypeAlias = Callable[[Memory], bool]


def is_everyday(memory: Memory) -> bool:
    """Whether a memory may be told unasked: active, at least its gist left, and no secret."""
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
    ``relations``; an empty list lets everything through. With nothing in focus, or nothing found
    from there, it starts from the memories that contain a keyword. Where a link leads to something
    forgotten, a last line says so: ``[曾记得] …``. ``may_show`` decides what may be told.
    """
    asked = _RecallQuery(
        Keywords.of(keywords),
        frozenset(map(normalised_name, relations)),
        state.agent_info.settings.language,
    )
    steps = _LinkWalk(state, index or NetworkIndex.build(state))
    focus = [node for node in reversed(state.agent_info.focus) if is_alive(node, state)]
    recalled = _RecallText(asked, state, may_show)
    if not recalled.add_walk(steps, focus, depth):
        # A name may hang on episodes alone, which end; what was learnt from them is still known.
        recalled.add_walk(steps, _matching_ids(asked.keywords, state, may_show), depth)
    return recalled.text()


@dataclass(frozen=True, slots=True)
class _RecallQuery:
    """What is looked for, and the language of the text."""

    keywords: Keywords
    relations: frozenset[str]
    language: Language

    def allows(self, link: Link) -> bool:
        return not self.relations or normalised_name(link.relation) in self.relations


@dataclass(frozen=True, slots=True)
class _LinkWalk:
    """The walk along the links of one state."""

    state: MemoryState
    index: NetworkIndex

    def walk(self, starts: Sequence[int], depth: int) -> Iterator[tuple[int, Link]]:
        """Yield every link within ``depth``: nearer, stronger, then named ones first."""
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
    """The text of one recall as it grows: each memory once, in the order it was reached."""

    def __init__(self, asked: _RecallQuery, state: MemoryState, shows: MayShow) -> None:
        self._query = asked
        self._state = state
        self._may_show = shows
        self._texts: dict[int, str] = {}
        self._forgotten: dict[str, None] = {}
        self._characters = 0

    def add_walk(self, steps: _LinkWalk, starts: Sequence[int], depth: int) -> bool:
        """Add the starts and what is reached until the text is full; tell whether any is known."""
        for start in starts:
            self.add_start(start)
        for source, link in steps.walk(starts, depth):
            if self._characters >= MAX_CHARACTERS:
                break
            self.add_target(source, link)
        return bool(self._texts)

    def add_start(self, node: int) -> None:
        """Add the memory where the walk starts, if it has a link as asked for."""
        memory = self._state.memories[node]
        if not self._query.relations or any(map(self._query.allows, self._state.links_of(node))):
            self._add_memory(memory)

    def add_target(self, source: int, link: Link) -> None:
        """Add what the link leads to, or that it leads nowhere any more."""
        if not self._query.allows(link):
            return
        if is_forgotten(link.target, self._state):
            self._add_forgotten(self._state.memories[source], link.relation)
        else:
            self._add_memory(self._state.memories[link.target])

    def text(self) -> str:
        """Return everything added, with the forgotten things last."""
        return SEPARATOR.join((*self._texts.values(), *list(self._forgotten)[:MAX_FORGOTTEN]))

    def _add_memory(self, memory: Memory) -> None:
        if memory.id in self._texts or memory.nature.tier is Tier.ENTITY:
            return
        if not self._may_show(memory) or not self._query.keywords.match(searchable_text(memory)):
            return
        text = memory_text(memory, self._query.keywords, self._query.language)
        # The first that does not fit ends the recall: a shorter one further off must not overtake.
        if self._characters + len(text) > MAX_CHARACTERS:
            self._characters = MAX_CHARACTERS
            return
        self._texts[memory.id] = text
        self._characters += len(text) + len(SEPARATOR)

    def _add_forgotten(self, source: Memory, relation: str) -> None:
        # The line names the source, so the source must be one that may be shown.
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


class Ways(NamedTuple):
    """Where activation may go: the links of each memory, and whether it may reach one at all."""

    links_of: Callable[[int], Iterable[Link]]
    may_reach: Callable[[int], bool] = lambda _: True


# What equals the floor on paper may be a little less in floating point, and would be cut.
ROUNDING: Final = 1e-12
"""How far a product may fall below the floor by rounding alone and still count as equal."""


@dataclass(frozen=True, slots=True)
class Activated:
    """A memory that was brought up from a seed, a memory that matched the query itself.

    ``path`` is the strongest way to it: the seed first, the memory itself last.
    """

    memory_id: int
    activation: float
    path: tuple[int, ...]

    @property
    def depth(self) -> int:
        """The number of links between the seed and the memory; 0 for a seed."""
        return len(self.path) - 1


SPREADING_FACTOR: Final = 0.5
SPREADING_FLOOR: Final = 0.1


def spread(
    seeds: Mapping[int, float],
    ways: Ways,
    *,
    depth: int = 2,
    factor: float = SPREADING_FACTOR,
    floor: float = SPREADING_FLOOR,
    limit: int = 5,
) -> list[Activated]:
    """Return the at most ``limit`` memories that ``seeds`` bring up, strongest first, ties by id.

    ``seeds`` maps a memory to its activation: its relevance divided by the best one's, 0 to 1.
    A link passes on activation × strength × ``factor``, over at most ``depth`` links. What falls
    below ``floor`` goes no further; what equals it does. A memory reached in several ways keeps
    the strongest (then the shortest, then the one of the lowest ids). Seeds pass activation on,
    also to one another, but are not among the results. Raises ValueError for a ``factor`` that is
    not above 0 and at most 1.
    """
    # 0.5 is source document 000 §11.2, its first design had 0.7. Above 1 activation could grow
    # along a path, and cycles would not end by themselves.
    if not 0.0 < factor <= 1.0:
        raise ValueError(f"a factor of {factor!r} is outside 0 to 1")
    best = {node: Activated(node, activation, (node,)) for node, activation in seeds.items()}
    frontier = dict(best)
    least = floor - ROUNDING
    found: list[Activated] = []
    for _ in range(depth):
        frontier = _next_frontier(frontier, best, ways, factor, least)
        best |= frontier
        order = sorted(
            (-each.activation, node) for node, each in best.items() if node not in seeds
        )
        # Asked of the few that win and of those that pass on: most of what is reached is neither.
        there = (best[node] for _, node in order if ways.may_reach(node))
        found = list(islice(there, limit))
        # Where enough was found, what is weaker than the last of them need not be looked at.
        least = max(least, found[-1].activation) if found and len(found) == limit else least
    return found


def _next_frontier(
    frontier: Mapping[int, Activated],
    best: Mapping[int, Activated],
    ways: Ways,
    factor: float,
    floor: float,
) -> dict[int, Activated]:
    """Return what lies one link further and is reached more strongly than ever before."""
    reached: dict[int, Activated] = {}
    for source in frontier.values():
        passed_on = source.activation * factor
        # No strength is above 1, so none of its links can reach the floor.
        if passed_on < floor:
            continue
        is_seed = len(source.path) == 1
        if not is_seed and not ways.may_reach(source.memory_id):
            continue
        for link in ways.links_of(source.memory_id):
            target = link.target
            activation = passed_on * link.strength
            if activation < floor:
                continue
            known = best.get(target)
            if known is not None and known.activation >= activation:
                continue
            rival = reached.get(target)
            if rival is None or (-activation, source.path) < (-rival.activation, rival.path[:-1]):
                reached[target] = Activated(target, activation, (*source.path, target))
    return reached
