"""Scheme A of seed 002 §11.2.4: a fixed number of nodes, where the least connected makes room."""

from collections.abc import Callable
from random import Random

from memory.model import Memory, Tier
from memory.network.linking import connectedness
from memory.state import MemoryState


def nodes_over_capacity(
    incoming: int,
    state: MemoryState,
    random: Random,
    *,
    capacity: int,
    sample: int,
    may_go: Callable[[Memory], bool],
) -> list[int]:
    """Return who has to go so that ``incoming`` new nodes fit, the least connected first.

    For every place missing, ``sample`` nodes are drawn and the least connected of them goes (ties
    by id), so no order of all nodes is ever kept. Names take no place. Focus and what ``may_go``
    refuses is never drawn; if too few are left, all of them are returned and the capacity is
    exceeded. A place is taken over under a new id, because ids are never used twice: old links
    then lead nowhere, which is how one knows of having forgotten.
    """
    focus = state.agent_info.focus
    nodes = [
        m for m in state.memories.values() if m.is_active and m.nature.tier is not Tier.ENTITY
    ]
    missing = len(nodes) + incoming - capacity
    candidates = sorted(m.id for m in nodes if m.id not in focus and may_go(m))
    going: list[int] = []
    while len(going) < missing and candidates:
        drawn = random.sample(candidates, min(sample, len(candidates)))
        least = min(drawn, key=lambda node: (connectedness(node, state), node))
        candidates.remove(least)
        going.append(least)
    return going
