"""What a picture of the network is made of, before it has places and colours."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

FOCUS_KEY: Final = 0
"""The key of the dot in the middle when the picture is about what is in focus, not a memory."""


class NodeKind(Enum):
    """What a dot is, which decides how it looks."""

    NOW = "now"
    SYSTEM = "system"
    CORE = "core"
    FACT = "fact"
    EPISODE = "episode"
    ENTITY = "entity"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """One memory, name or forgotten thing. ``parent`` brought it up; the middle has none.

    What is ``fading`` under the agent's law is drawn paler.
    """

    key: int
    label: str
    kind: NodeKind
    parent: int | None = None
    fading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """One link, drawn once for both directions; ``strength`` 0 to 1.

    ``crossing`` is one that brought nothing up: both its ends had come to mind already.
    """

    source: int
    target: int
    strength: float
    relation: str = ""
    lost: bool = False
    crossing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPicture:
    """The dots in the order they came to mind, the first in the middle, and their lines."""

    title: str
    nodes: tuple[GraphNode, ...] = ()
    edges: tuple[GraphEdge, ...] = ()

    def children(self, key: int) -> tuple[GraphNode, ...]:
        """Return what that dot brought up, in order."""
        return tuple(dot for dot in self.nodes if dot.parent == key)
