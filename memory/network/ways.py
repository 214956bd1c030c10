"""The ways that lead from a node of the network to others."""

from collections.abc import Iterator
from dataclasses import replace

from memory.model import Deleted, DeletionPolicy, Link
from memory.network.index import NetworkIndex
from memory.state import MemoryState


def links_from(node: int, state: MemoryState, index: NetworkIndex) -> Iterator[Link]:
    """Yield the links of a node, strongest first, and then what hangs on it but got no link back.

    A name keeps 32 links like every node, but there is a way from it to all that hangs on it, the
    newest first.
    """
    links = state.links_of(node)
    yield from links
    known = {link.target for link in links}
    for source in sorted(index.focus_sources(node) - known, reverse=True):
        if source in state.memories:
            hanging = next(link for link in state.links_of(source) if link.target == node)
            yield replace(hanging, target=source)


def is_forgotten(node: int, state: MemoryState) -> bool:
    """Whether a link to that node dangles: it is gone, or a law has just let it go.

    What the partner hid, or what lives on in another memory, is not forgotten.
    """
    memory = state.memories.get(node)
    if memory is None:
        return True
    standing = memory.standing
    return isinstance(standing, Deleted) and standing.policy is DeletionPolicy.AUTO_CLEANUP
