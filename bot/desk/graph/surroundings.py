"""Which part of the network a picture shows: what is at most two links away, strongest first."""

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

# As much as can be read on a telephone: 17 labels, and few enough links to follow each of them.
FIRST_RING: Final = 7
SECOND_RING: Final = 9
PER_NODE: Final = 3
MOST_LOST: Final = 3

CROSSING: Final = 0.3
"""How strong a link between two nodes must be to be drawn if neither was reached by it."""

CROSSINGS: Final = 7
"""How many of these links are drawn."""

TITLE_WIDTH: Final = 13.0
"""How wide a name in the title may be, in widths of a Chinese character."""

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
    """Return what is at most two links away from ``centre``, or from the focus if it is None.

    The strongest links come first, as many as can be read. ``shows`` decides which memories may be
    seen. Raises :class:`UnknownMemory` if the agent has no memory ``centre``.
    """
    builder = _GraphBuilder(state, index or NetworkIndex.build(state), now, shows)
    language = state.agent_info.settings.language
    if centre is None:
        builder.begin(
            GraphNode(key=FOCUS_KEY, label=say(language, desk.GRAPH_NOW), kind=NodeKind.NOW)
        )
        title = say(language, desk.GRAPH_TALKED_ABOUT)
    else:
        middle = builder.node(state.memory(centre))
        builder.begin(middle)
        title = say(
            language, desk.GRAPH_AROUND, name="".join(wrapped(middle.label, TITLE_WIDTH, 1))
        )
    builder.grow(FIRST_RING, FIRST_RING)
    builder.grow(SECOND_RING, PER_NODE)
    return builder.picture(title)


class _GraphBuilder:
    """Collects the nodes ring by ring, and the links by which they were reached."""

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
        """Return a memory as a node."""
        return GraphNode(
            key=memory.id,
            label=_label(memory),
            kind=KIND_OF_TIER[memory.nature.tier],
            parent=parent,
            fading=view(memory, self._state, self._now).fading,
        )

    def begin(self, middle: GraphNode) -> None:
        """Put the middle node on the picture."""
        self._nodes[middle.key] = middle
        self._frontier = [middle.key]

    def grow(self, most: int, per_node: int) -> None:
        """Add a ring: what the outermost nodes are linked to, the strongest links first."""
        ways = [(node, link) for node in self._frontier for link in self._links_from(node)]
        ways.sort(key=_strongest_first)
        # Counted for each node, so that one with many strong links does not take all the room.
        reached: dict[int, int] = {}
        ring: list[int] = []
        for node, link in ways:
            if len(ring) == most:
                break
            if reached.get(node, 0) < per_node and self._add(node, link):
                reached[node] = reached.get(node, 0) + 1
                ring.append(link.target)
        self._frontier = [key for key in ring if self._nodes[key].kind is not NodeKind.LOST]

    def picture(self, title: str) -> GraphPicture:
        """Return the finished picture, with the strong links among the nodes on it."""
        edges = len(self._edges)
        for node, link in sorted(self._crossing_links(), key=_strongest_first):
            if len(self._edges) < edges + CROSSINGS:
                self._add_edge(node, link, crossing=True)
        if len(self._nodes) == 1 and FOCUS_KEY in self._nodes:
            return GraphPicture(title=title)
        return GraphPicture(
            title=title, nodes=tuple(self._nodes.values()), edges=tuple(self._edges.values())
        )

    def _crossing_links(self) -> Iterable[tuple[int, Link]]:
        for key, node in self._nodes.items():
            for link in self._links_from(key) if node.kind is not NodeKind.LOST else ():
                if link.target in self._nodes and link.strength >= CROSSING:
                    yield key, link

    def _links_from(self, node: int) -> Iterable[Link]:
        if node != FOCUS_KEY:
            return links_from(node, self._state, self._index)
        return (
            Link(target=entity, strength=1.0, type=LinkType.FOCUS)
            for entity in reversed(self._state.agent_info.focus)
        )

    def _add(self, parent: int, link: Link) -> bool:
        """Add what a link leads to, unless it is there already, hidden, or one too many."""
        if link.target in self._nodes:
            return False
        if is_forgotten(link.target, self._state):
            lost = sum(1 for each in self._nodes.values() if each.kind is NodeKind.LOST)
            if lost == MOST_LOST:
                return False
            language = self._state.agent_info.settings.language
            label = say(language, desk.GRAPH_ONCE_KNOWN)
            node = GraphNode(key=link.target, label=label, kind=NodeKind.LOST, parent=parent)
        else:
            memory = self._state.memories[link.target]
            if not self._shows(memory):
                return False
            node = self.node(memory, parent=parent)
        self._nodes[link.target] = node
        self._add_edge(parent, link)
        return True

    def _add_edge(self, source: int, link: Link, *, crossing: bool = False) -> None:
        edge = GraphEdge(
            source=source,
            target=link.target,
            strength=link.strength,
            relation=link.relation,
            lost=self._nodes[link.target].kind is NodeKind.LOST,
            crossing=crossing,
        )
        # A link has two directions and is drawn once, as the one that was followed first.
        self._edges.setdefault(frozenset((source, link.target)), edge)


def _strongest_first(way: tuple[int, Link]) -> tuple[float, bool]:
    """Return the sort key of a link: the strongest first, of equal ones those with a name."""
    return (-way[1].strength, not way[1].relation)


def _label(memory: Memory) -> str:
    """Return the label of a node: facts are shown by their text, the rest by its phrase."""
    says = memory.nature.tier in {Tier.SYSTEM, Tier.CORE, Tier.FACT}
    if says and memory.words.level >= Level.SUMMARY:
        return memory.words.text
    return memory.words.phrase or memory.words.text
