"""One compression cycle of the law ``network``, and who makes room under a fixed capacity.

Source document 002 §11.2. A cycle on one node: its links decay, what is left of them says how
connected it is, and from that the law (``memory.laws.network``) decides whether it stays, shrinks
or goes. Here is what decays and what is written. All of one node is one commit, so a stop leaves
it either before or after.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from memory.changes import Change, Links, Put
from memory.model import Deleted, DeletionPolicy, Level, Link, Memory, Tier, Words
from memory.network.index import NetworkIndex, effective_strength, is_locked
from memory.network.links import connectedness, is_alive, unlinked_connectedness
from memory.state import MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedNode:
    """One node after its links decayed.

    ``memory`` is the node as it was, ``links`` what is left of its links (None for a node that
    never had one), ``connectedness`` the sum of their strengths.
    """

    memory: Memory
    links: Links | None
    connectedness: float

    def unchanged(self) -> list[Change]:
        """Return the changes of a node whose words stay as they are."""
        return self._with_memory(self.memory)

    def shortened(self, shortened: Memory) -> list[Change]:
        """Return the changes of a node with a shorter text; see :func:`shortened_words`."""
        return self._with_memory(shortened)

    def forgotten(self, now: datetime) -> list[Change]:
        """Return the changes of a node that is forgotten."""
        # Links to it stay and dangle: they mean "I once knew something about this", and recall
        # says so. They decay like any other.
        standing = Deleted(now, DeletionPolicy.AUTO_CLEANUP)
        return self._with_memory(replace(self.memory, standing=standing))

    def _with_memory(self, memory: Memory) -> list[Change]:
        trace = replace(memory.trace, scan_count=self.memory.trace.scan_count + 1)
        scanned: list[Change] = [Put(replace(memory, trace=trace))]
        return [*scanned, Put(self.links)] if self.links else scanned


def scanned_node(
    memory_id: int, state: MemoryState, *, decay_rate: float = 0.97, break_below: float = 0.01
) -> ScannedNode:
    """Return what one cycle makes of a node's links and so of its connectedness.

    Each strength × ``decay_rate``, unless the target is in focus, which holds it at 1; a link that
    falls under ``break_below`` breaks. What never had a link fades as if it had one of 0.5.
    """
    memory = state.memory(memory_id)
    record = state.links.get(memory_id)
    if record is None:
        scans = memory.trace.scan_count + 1
        return ScannedNode(
            memory=memory, links=None, connectedness=unlinked_connectedness(scans, decay_rate)
        )
    focus = state.agent_info.focus
    # Links of protected nodes decay as well, or those nodes would never be forgotten.
    decayed = [_decayed_link(link, focus, decay_rate) for link in record.links]
    left = sorted((e for e in decayed if e.strength >= break_below), key=lambda e: -e.strength)
    return ScannedNode(
        memory=memory,
        links=Links(source=memory_id, links=tuple(left)),
        connectedness=sum(e.strength for e in left if is_alive(e.target, state)),
    )


def in_scan_order(state: MemoryState, *, made_before: int) -> list[int]:
    """Return the nodes to scan, those scanned least often first (scheme B), ties by id.

    What is in focus is skipped, and what was made since the previous ``remember``: every id from
    ``made_before`` on. A scan may stop after any node; the counts say where to go on.
    """
    focus = state.agent_info.focus
    due = [
        (memory.trace.scan_count, memory.id)
        for memory in state.memories.values()
        if memory.is_active and memory.id < made_before and memory.id not in focus
    ]
    return [memory_id for _, memory_id in sorted(due)]


def is_unused_entity(memory: Memory, state: MemoryState, index: NetworkIndex) -> bool:
    """Whether it is an entity to which nothing alive is linked any more, so that it may go."""
    if memory.nature.tier is not Tier.ENTITY or memory.id in state.agent_info.focus:
        return False
    return not any(is_alive(source, state) for source in index.focus_sources(memory.id))


def original_length(words: Words) -> int:
    """Return the number of characters the text had before it was first compressed."""
    return words.original_length or len(words.text)


def shortened_words(
    words: Words, text: str, phrase: str, keywords: Sequence[str], characters: int
) -> Words | None:
    """Return the words after a compression, or None if ``text`` is no valid answer to it.

    A valid text is not empty and has at most ``characters``. Phrase and keywords are replaced with
    it, but never by longer or by more ones; the level drops to the gist.
    """
    text, phrase = text.strip(), phrase.strip()
    if not text or len(text) > characters:
        return None
    kept = tuple(dict.fromkeys(word.strip() for word in keywords if word.strip()))
    return Words(
        text=text,
        phrase=phrase if phrase and len(phrase) <= len(words.phrase) else words.phrase,
        keywords=kept[: len(words.keywords)] or words.keywords,
        level=min(words.level, Level.SUMMARY),
        original_length=original_length(words),
    )


def _decayed_link(link: Link, focus: Sequence[int], decay_rate: float) -> Link:
    factor = 1.0 if is_locked(link, focus) else decay_rate
    return replace(link, strength=effective_strength(link, focus) * factor)


def nodes_over_capacity(
    incoming: int,
    state: MemoryState,
    random: Random,
    *,
    capacity: int,
    sample: int,
    may_go: Callable[[Memory], bool],
) -> list[int]:
    """Return the nodes that have to go so that ``incoming`` new ones fit (scheme A).

    For every place missing, ``sample`` nodes are drawn and the least connected of them goes, ties
    by id. Entities take no place. What is in focus, or ``may_go`` refuses, is never drawn; if too
    few are left, all of them are returned and the capacity is exceeded.
    """
    # A sample, so that no order of all nodes has to be kept. Ids are never used twice: a link to a
    # node that went leads nowhere instead of to its successor.
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
