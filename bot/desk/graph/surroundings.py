"""Which part of the network a picture shows."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, TypeAlias

from bot.desk.graph.layout import wrapped
from bot.desk.graph.picture import NOW, Dot, Line, Look, Picture
from bot.texts import graph, say
from memory.model import Level, Link, LinkType, Memory, Tier
from memory.network.index import NetworkIndex
from memory.network.walk import everyday
from memory.network.ways import is_forgotten, ways_from
from memory.state import MemoryState
from memory.views import view

FIRST_RING: Final = 7
SECOND_RING: Final = 9
PER_DOT: Final = 3
MOST_LOST: Final = 3
"""How much fits on a picture that is looked at on a telephone."""

CROSSING: Final = 0.3
CROSSINGS: Final = 7
"""From which strength links between dots that came up otherwise are drawn too, and how many."""

NAMED: Final = 13.0
"""So wide a name has room in the title, in widths of a Chinese character."""

LOOKS: Final = {
    Tier.SYSTEM: Look.SYSTEM,
    Tier.CORE: Look.CORE,
    Tier.FACT: Look.FACT,
    Tier.EPISODE: Look.EPISODE,
    Tier.ENTITY: Look.ENTITY,
}

Shows: TypeAlias = Callable[[Memory], bool]


def surroundings(
    state: MemoryState,
    centre: int | None,
    now: datetime,
    *,
    index: NetworkIndex | None = None,
    shows: Shows = everyday,
) -> Picture:
    """Return what lies within two links of ``centre``, or of what is in focus if it is None.

    The strongest links first, as many as can be read. ``shows`` decides which memories may be
    seen; raises :class:`UnknownMemory` if ``centre`` is none of the agent's.
    """
    scene = _Scene(state, index or NetworkIndex.build(state), now, shows)
    language = state.household.settings.language
    if centre is None:
        scene.begin(Dot(key=NOW, label=say(language, graph.NOW), look=Look.NOW))
        title = say(language, graph.TALKED_ABOUT)
    else:
        middle = scene.dot(state.memory(centre))
        scene.begin(middle)
        title = say(language, graph.AROUND, name="".join(wrapped(middle.label, NAMED, 1)))
    scene.grow(FIRST_RING, FIRST_RING)
    scene.grow(SECOND_RING, PER_DOT)
    return scene.picture(title)


class _Scene:
    """What has come to mind so far: the dots, ring by ring, and the lines that brought them."""

    def __init__(
        self, state: MemoryState, index: NetworkIndex, now: datetime, shows: Shows
    ) -> None:
        self._state = state
        self._index = index
        self._now = now
        self._shows = shows
        self._dots: dict[int, Dot] = {}
        self._lines: dict[frozenset[int], Line] = {}
        self._edge: list[int] = []

    def dot(self, memory: Memory, *, parent: int | None = None) -> Dot:
        """Return a memory as a dot."""
        return Dot(
            key=memory.id,
            label=_label(memory),
            look=LOOKS[memory.nature.tier],
            parent=parent,
            fading=view(memory, self._state, self._now).fading,
        )

    def begin(self, middle: Dot) -> None:
        """Put the middle on the picture."""
        self._dots[middle.key] = middle
        self._edge = [middle.key]

    def grow(self, most: int, per_dot: int) -> None:
        """Add a ring: what the dots on the edge bring up, the strongest links first."""
        ways = [(node, link) for node in self._edge for link in self._ways(node)]
        ways.sort(key=_closest)
        brought: dict[int, int] = {}
        ring: list[int] = []
        for node, link in ways:
            if len(ring) == most:
                break
            if brought.get(node, 0) < per_dot and self._add(node, link):
                brought[node] = brought.get(node, 0) + 1
                ring.append(link.target)
        self._edge = [key for key in ring if self._dots[key].look is not Look.LOST]

    def picture(self, title: str) -> Picture:
        """Return the finished picture, with the links among what is on it."""
        lines = len(self._lines)
        for node, link in sorted(self._crossings(), key=_closest):
            if len(self._lines) < lines + CROSSINGS:
                self._draw(node, link, crossing=True)
        if len(self._dots) == 1 and NOW in self._dots:
            return Picture(title=title)
        return Picture(
            title=title, dots=tuple(self._dots.values()), lines=tuple(self._lines.values())
        )

    def _crossings(self) -> Iterable[tuple[int, Link]]:
        for node, dot in self._dots.items():
            for link in self._ways(node) if dot.look is not Look.LOST else ():
                if link.target in self._dots and link.strength >= CROSSING:
                    yield node, link

    def _ways(self, node: int) -> Iterable[Link]:
        if node != NOW:
            return ways_from(node, self._state, self._index)
        return (
            Link(target=entity, strength=1.0, type=LinkType.FOCUS)
            for entity in reversed(self._state.household.focus)
        )

    def _add(self, parent: int, link: Link) -> bool:
        """Add what a link leads to, unless it is there, may not be seen or is one too many."""
        if link.target in self._dots:
            return False
        if is_forgotten(link.target, self._state):
            lost = sum(1 for dot in self._dots.values() if dot.look is Look.LOST)
            if lost == MOST_LOST:
                return False
            language = self._state.household.settings.language
            label = say(language, graph.ONCE_KNOWN)
            dot = Dot(key=link.target, label=label, look=Look.LOST, parent=parent)
        else:
            memory = self._state.memories[link.target]
            if not self._shows(memory):
                return False
            dot = self.dot(memory, parent=parent)
        self._dots[link.target] = dot
        self._draw(parent, link)
        return True

    def _draw(self, source: int, link: Link, *, crossing: bool = False) -> None:
        line = Line(
            source=source,
            target=link.target,
            strength=link.strength,
            relation=link.relation,
            lost=self._dots[link.target].look is Look.LOST,
            crossing=crossing,
        )
        self._lines.setdefault(frozenset((source, link.target)), line)


def _closest(way: tuple[int, Link]) -> tuple[float, bool]:
    """Return the sort key of a way: the strongest first, of equal ones those with a name."""
    return (-way[1].strength, not way[1].relation)


def _label(memory: Memory) -> str:
    """Return what a dot is called: a fact by what it says, all else by its short name."""
    says = memory.nature.tier in {Tier.SYSTEM, Tier.CORE, Tier.FACT}
    if says and memory.words.level >= Level.SUMMARY:
        return memory.words.text
    return memory.words.phrase or memory.words.text
