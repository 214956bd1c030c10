"""Which part of the network a picture shows."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, TypeAlias

from bot.desk.graph.layout import FOCUS_KEY, GraphEdge, GraphNode, GraphPicture, NodeKind, wrapped
from bot.texts import desk, say
from memory.model import Level, Link, LinkType, Memory, Tier
from memory.network.index import NetworkIndex
from memory.network.walk import is_everyday, is_forgotten, links_from
from memory.state import MemoryState
from memory.views import view

FIRST_RING: Final = 7
SECOND_RING: Final = 9
PER_NODE: Final = 3
MOST_LOST: Final = 3
"""How much fits on a picture that is looked at on a telephone."""

CROSSING: Final = 0.3
CROSSINGS: Final = 7
"""From which strength links between dots that came up otherwise are drawn too, and how many."""

TITLE_WIDTH: Final = 13.0
"""So wide a name has room in the title, in widths of a Chinese character."""

KIND_OF_TIER: Final = {
    Tier.SYSTEM: NodeKind.SYSTEM,
    Tier.CORE: NodeKind.CORE,
    Tier.FACT: NodeKind.FACT,
    Tier.EPISODE: NodeKind.EPISODE,
    Tier.ENTITY: NodeKind.ENTITY,
}

Shows: TypeAlias = Callable[[Memory], bool]


def surroundings(
    state: MemoryState,
    centre: int | None,
    now: datetime,
    *,
    index: NetworkIndex | None = None,
    shows: Shows = is_everyday,
) -> GraphPicture:
    """Return what lies within two links of ``centre``, or of what is in focus if it is None.

    The strongest links first, as many as can be read. ``shows`` decides which memories may be
    seen; raises :class:`UnknownMemory` if ``centre`` is none of the agent's.
    """
    scene = _GraphBuilder(state, index or NetworkIndex.build(state), now, shows)
    language = state.agent_info.settings.language
    if centre is None:
        scene.begin(
            GraphNode(key=FOCUS_KEY, label=say(language, desk.GRAPH_NOW), kind=NodeKind.NOW)
        )
        title = say(language, desk.GRAPH_TALKED_ABOUT)
    else:
        middle = scene.node(state.memory(centre))
        scene.begin(middle)
        title = say(
            language, desk.GRAPH_AROUND, name="".join(wrapped(middle.label, TITLE_WIDTH, 1))
        )
    scene.grow(FIRST_RING, FIRST_RING)
    scene.grow(SECOND_RING, PER_NODE)
    return scene.picture(title)


class _GraphBuilder:
    """What has come to mind so far: the dots, ring by ring, and the lines that brought them."""

    def __init__(
        self, state: MemoryState, index: NetworkIndex, now: datetime, shows: Shows
    ) -> None:
        self._state = state
        self._index = index
        self._now = now
        self._shows = shows
        self._nodes: dict[int, GraphNode] = {}
        self._edges: dict[frozenset[int], GraphEdge] = {}
        self._frontier: list[int] = []

    def node(self, memory: Memory, *, parent: int | None = None) -> GraphNode:
        """Return a memory as a dot."""
        return GraphNode(
            key=memory.id,
            label=_label(memory),
            kind=KIND_OF_TIER[memory.nature.tier],
            parent=parent,
            fading=view(memory, self._state, self._now).fading,
        )

    def begin(self, middle: GraphNode) -> None:
        """Put the middle on the picture."""
        self._nodes[middle.key] = middle
        self._frontier = [middle.key]

    def grow(self, most: int, per_dot: int) -> None:
        """Add a ring: what the dots on the edge bring up, the strongest links first."""
        ways = [(node, link) for node in self._frontier for link in self._links_from(node)]
        ways.sort(key=_strongest_first)
        brought: dict[int, int] = {}
        ring: list[int] = []
        for node, link in ways:
            if len(ring) == most:
                break
            if brought.get(node, 0) < per_dot and self._add(node, link):
                brought[node] = brought.get(node, 0) + 1
                ring.append(link.target)
        self._frontier = [key for key in ring if self._nodes[key].kind is not NodeKind.LOST]

    def picture(self, title: str) -> GraphPicture:
        """Return the finished picture, with the links among what is on it."""
        lines = len(self._edges)
        for node, link in sorted(self._crossing_links(), key=_strongest_first):
            if len(self._edges) < lines + CROSSINGS:
                self._add_edge(node, link, crossing=True)
        if len(self._nodes) == 1 and FOCUS_KEY in self._nodes:
            return GraphPicture(title=title)
        return GraphPicture(
            title=title, nodes=tuple(self._nodes.values()), edges=tuple(self._edges.values())
        )

    def _crossing_links(self) -> Iterable[tuple[int, Link]]:
        for node, dot in self._nodes.items():
            for link in self._links_from(node) if dot.kind is not NodeKind.LOST else ():
                if link.target in self._nodes and link.strength >= CROSSING:
                    yield node, link

    def _links_from(self, node: int) -> Iterable[Link]:
        if node != FOCUS_KEY:
            return links_from(node, self._state, self._index)
        return (
            Link(target=entity, strength=1.0, type=LinkType.FOCUS)
            for entity in reversed(self._state.agent_info.focus)
        )

    def _add(self, parent: int, link: Link) -> bool:
        """Add what a link leads to, unless it is there, may not be seen or is one too many."""
        if link.target in self._nodes:
            return False
        if is_forgotten(link.target, self._state):
            lost = sum(1 for dot in self._nodes.values() if dot.kind is NodeKind.LOST)
            if lost == MOST_LOST:
                return False
            language = self._state.agent_info.settings.language
            label = say(language, desk.GRAPH_ONCE_KNOWN)
            dot = GraphNode(key=link.target, label=label, kind=NodeKind.LOST, parent=parent)
        else:
            memory = self._state.memories[link.target]
            if not self._shows(memory):
                return False
            dot = self.node(memory, parent=parent)
        self._nodes[link.target] = dot
        self._add_edge(parent, link)
        return True

    def _add_edge(self, source: int, link: Link, *, crossing: bool = False) -> None:
        line = GraphEdge(
            source=source,
            target=link.target,
            strength=link.strength,
            relation=link.relation,
            lost=self._nodes[link.target].kind is NodeKind.LOST,
            crossing=crossing,
        )
        self._edges.setdefault(frozenset((source, link.target)), line)


def _strongest_first(way: tuple[int, Link]) -> tuple[float, bool]:
    """Return the sort key of a way: the strongest first, of equal ones those with a name."""
    return (-way[1].strength, not way[1].relation)


def _label(memory: Memory) -> str:
    """Return what a dot is called: a fact by what it says, all else by its short name."""
    says = memory.nature.tier in {Tier.SYSTEM, Tier.CORE, Tier.FACT}
    if says and memory.words.level >= Level.SUMMARY:
        return memory.words.text
    return memory.words.phrase or memory.words.text
