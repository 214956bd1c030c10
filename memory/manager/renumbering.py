"""Records of one agent as another one keeps them: other ids, another name for the partner."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from memory.changes import Receipt, Task, Turn, Used, Window
from memory.model import Lineage, Link, Memory, Merged, Message
from memory.state import MAX_LINKS

Ids: TypeAlias = Callable[[int], int]

_LABELLED: Final = re.compile(r"(?<=#)[0-9]+")
_OF_A_MEMORY: Final = re.compile(r"^consolidate-(?P<id>[0-9]+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumbering:
    """How records are rewritten: ``ids`` gives every memory its id, ``names`` people theirs."""

    ids: Ids
    names: Callable[[str], str] = str

    def memory(self, memory: Memory) -> Memory:
        """Return the memory under its new id, with everything in it that names others."""
        standing = memory.standing
        if isinstance(standing, Merged):
            standing = replace(standing, into=self.ids(standing.into))
        passages = tuple(replace(p, speaker=self.names(p.speaker)) for p in memory.passages)
        return replace(
            memory,
            id=self.ids(memory.id),
            standing=standing,
            origin=replace(memory.origin, speaker=self.names(memory.origin.speaker)),
            lineage=self.lineage(memory.lineage),
            passages=passages,
        )

    def lineage(self, lineage: Lineage) -> Lineage:
        """Return where a memory comes from and what took its place, by the new ids."""
        return replace(
            lineage,
            merged_from=tuple(map(self.ids, lineage.merged_from)),
            compressed_from=self._id_or_none(lineage.compressed_from),
            replaces=self._id_or_none(lineage.replaces),
            replaced_by=self._id_or_none(lineage.replaced_by),
        )

    def window(self, window: Window) -> Window:
        """Return a conversation in which the partner has the new name."""
        return replace(
            window, lines=self._messages(window.lines), tail=self._messages(window.tail)
        )

    def turn(self, turn: Turn) -> Turn:
        """Return a turn that used the memories under their new ids."""
        return replace(turn, said=self._messages(turn.said), used=self._used_memories(turn.used))

    def receipt(self, receipt: Receipt) -> Receipt:
        """Return a receipt that names the new ids; what was learnt is told by ids only."""

        def renamed(found: re.Match[str]) -> str:
            return str(self.ids(int(found[0])))

        learnt = tuple(_LABELLED.sub(renamed, label) for label in receipt.learnt)
        return replace(receipt, used=self._used_memories(receipt.used), learnt=learnt)

    def task(self, task: Task) -> Task:
        """Return a task about the memories under their new ids; some are named after one."""
        named = _OF_A_MEMORY.match(task.id)
        return replace(
            task,
            id=f"consolidate-{self.ids(int(named['id']))}" if named else task.id,
            messages=self._messages(task.messages),
            memory_ids=tuple(map(self.ids, task.memory_ids)),
        )

    def _id_or_none(self, memory_id: int | None) -> int | None:
        return None if memory_id is None else self.ids(memory_id)

    def _messages(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        return tuple(replace(m, speaker=self.names(m.speaker)) for m in messages)

    def _used_memories(self, used: Iterable[Used]) -> tuple[Used, ...]:
        return tuple(
            replace(one, memory_id=self.ids(one.memory_id), path=tuple(map(self.ids, one.path)))
            for one in used
        )


def links_with_new_ends(source: int, links: Iterable[Link], ends: Ids) -> tuple[Link, ...]:
    """Return the links of ``source`` with their targets at the new ends, the 32 strongest.

    Of several links to one end the strongest stays; none leads to ``source`` itself.
    """
    best: dict[int, Link] = {}
    for link in links:
        moved = replace(link, target=ends(link.target))
        known = best.get(moved.target)
        if moved.target != source and (known is None or moved.strength > known.strength):
            best[moved.target] = moved
    ranked = sorted(best.values(), key=lambda each: (-each.strength, each.target))
    return tuple(ranked[:MAX_LINKS])
