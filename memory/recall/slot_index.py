"""What is known in each slot: the living facts read once, and found without walking a memory."""

import heapq
from collections.abc import Collection, Iterable
from typing import Final

from memory.changes import AgentInfo, Change, Drop, Put
from memory.model import Memory
from memory.state import MemoryState
from memory.text.slot_cues import Slot
from memory.text.slots import SlotClaim, slot_claims

# What a text may call the person it is about, whatever name they go by.
SPEAKER_LABELS: Final = frozenset(
    {"主人", "用户", "The partner", "the partner", "The user", "the user", "伙伴"}
)


def claims_of(memory: Memory, partner: str) -> tuple[SlotClaim, ...]:
    """Return what a memory says of slots, seen from the person who said it."""
    return slot_claims(memory.words.text, SPEAKER_LABELS | {partner, memory.origin.speaker})


class SlotIndex:
    """Finds living facts by slot. Call :meth:`note` after changes were applied to the state."""

    def __init__(self, partner: str) -> None:
        self._partner = partner
        self._memories: dict[int, Memory] = {}
        self._claims: dict[int, tuple[SlotClaim, ...]] = {}
        self._by_slot: dict[Slot, set[int]] = {}

    @classmethod
    def build(cls, state: MemoryState) -> "SlotIndex":
        """Return the index of a whole state; may run in a thread."""
        index = cls(state.agent_info.settings.partner)
        for memory in state.memories.values():
            index._add(memory)
        return index

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date after changes that were applied."""
        for change in changes:
            match change:
                case Put(Memory() as memory):
                    self._add(memory)
                case Put(AgentInfo(settings=settings)) if settings.partner != self._partner:
                    self._rename(settings.partner)
                case Drop(table, int(memory_id)) if table is Memory:
                    self._remove(memory_id)
                case _:
                    pass

    def claims(self, memory: Memory) -> tuple[SlotClaim, ...]:
        """Return what a memory says of slots; read anew only if its words changed."""
        known = self._memories.get(memory.id)
        if known is not None and known.words.text == memory.words.text:
            return self._claims[memory.id]
        return claims_of(memory, self._partner)

    def in_slots(self, slots: Collection[Slot]) -> set[int]:
        """Return the living facts that say anything of these slots."""
        return set().union(*(self._by_slot.get(slot, ()) for slot in slots))

    def newest_in(self, slots: Collection[Slot], most: int) -> list[int]:
        """Return the living facts of these slots that were written last, the newest first."""
        return heapq.nlargest(most, self.in_slots(slots))

    def newest(self, most: int) -> list[int]:
        """Return the living facts written last, the newest first."""
        return heapq.nlargest(most, self._memories)

    def _add(self, memory: Memory) -> None:
        known = self._memories.get(memory.id)
        if not memory.is_living_fact:
            self._remove(memory.id)
        elif known is None or known.words.text != memory.words.text:
            self._remove(memory.id)
            self._memories[memory.id] = memory
            self._claims[memory.id] = claims = claims_of(memory, self._partner)
            for claim in claims:
                self._by_slot.setdefault(claim.slot, set()).add(memory.id)

    def _remove(self, memory_id: int) -> None:
        if self._memories.pop(memory_id, None) is not None:
            for claim in self._claims.pop(memory_id):
                self._by_slot[claim.slot].discard(memory_id)

    def _rename(self, partner: str) -> None:
        # Every text is read with the partner's name for I, so all have to be read again.
        known, self._partner = list(self._memories.values()), partner
        self._memories, self._claims, self._by_slot = {}, {}, {}
        for memory in known:
            self._add(memory)
