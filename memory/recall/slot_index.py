"""The living facts by slot: what is known of a matter is found without walking a memory."""

import heapq
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Final

from memory.changes import AgentInfo, Change, Drop, Put
from memory.model import Memory, Tier
from memory.state import MemoryState
from memory.text.slot_cues import Slot
from memory.text.slots import SlotClaim, lines_by_slot, slot_claims

# What a text may call the person it is about, whatever name they go by.
SPEAKER_LABELS: Final = frozenset(
    {"主人", "用户", "The partner", "the partner", "The user", "the user", "伙伴"}
)

# It stands among the rules of a prompt: no sentence may pass for a name.
_NAME: Final = re.compile(r"(?=.{1,24}$)[^\W\d_]{1,16}(?:[ ·.'’-]{1,2}[^\W\d_]{1,16}){0,2}")
"""What may be called a name: up to three words of letters, in any script."""

_FEW: Final = 10
"""So many facts are read faster than they are looked through."""

KNOWN_BY_HEART: Final[Mapping[Slot, int]] = {
    Slot.NAME: 1,
    Slot.AGE: 1,
    Slot.HOME: 1,
    Slot.WORK: 1,
    Slot.SCHOOL: 1,
    Slot.PARTNER: 1,
    Slot.HEALTH: 3,
}
"""The slots that a friend need not be asked about, and how many facts of each are called to mind.

A question about them may share no word with them: what must I not eat?
"""


def _is_told(claim: SlotClaim, slot: Slot) -> bool:
    return claim.slot is slot and claim.is_own and claim.firm


def claims_of(memory: Memory, partner: str) -> tuple[SlotClaim, ...]:
    """Return what a memory says of slots, seen from the person who said it."""
    return slot_claims(memory.words.text, _names(memory, partner))


def _names(memory: Memory, partner: str) -> frozenset[str]:
    return SPEAKER_LABELS | {partner, memory.origin.speaker}


class SlotIndex:
    """Finds living facts by slot. Call :meth:`note` after changes were applied to the state.

    A fact is read when somebody first asks about a slot that its words may touch: reading all
    would make a start with a large memory wait for seconds.
    """

    def __init__(self, partner: str) -> None:
        self._partner = partner
        self._system: set[int] = set()
        self._memories: dict[int, Memory] = {}
        self._claims: dict[int, tuple[SlotClaim, ...]] = {}
        self._by_slot: dict[Slot, set[int]] = {}
        self._unread: Mapping[Slot, set[int]] = {}
        self._passing: dict[tuple[str, frozenset[str]], tuple[SlotClaim, ...]] = {}

    @classmethod
    def build(cls, state: MemoryState) -> "SlotIndex":
        """Return the index of a whole state; may run in a thread."""
        index = cls(state.agent_info.settings.partner)
        index._take(memory for memory in state.memories.values() if memory.is_living_fact)
        for memory in state.memories.values():
            index._note_system(memory)
        return index

    @property
    def system(self) -> list[int]:
        """Return the system memories that hold: what an owner laid down, by id."""
        return sorted(self._system)

    def _note_system(self, memory: Memory) -> None:
        if memory.nature.tier is Tier.SYSTEM and memory.is_active and memory.sealed is None:
            self._system.add(memory.id)
        else:
            self._system.discard(memory.id)

    def note(self, changes: Iterable[Change]) -> None:
        """Bring the index up to date after changes that were applied."""
        # What was read for a judgement may have been erased, and is not needed after it.
        self._passing = {}
        for change in changes:
            match change:
                case Put(Memory() as memory):
                    self._note_system(memory)
                    self._add(memory)
                case Put(AgentInfo(settings=settings)) if settings.partner != self._partner:
                    # Every text is read with the partner's name for I.
                    self._partner = settings.partner
                    self._take(list(self._memories.values()))
                case Drop(table, int(memory_id)) if table is Memory:
                    self._system.discard(memory_id)
                    self._remove(memory_id)
                case _:
                    pass

    def claims(self, memory: Memory) -> tuple[SlotClaim, ...]:
        """Return what a memory says of slots; read anew only if its words changed."""
        known = self._memories.get(memory.id)
        if known is not None and known.words.text == memory.words.text:
            return self._read(memory.id)
        return self.claims_in(memory.words.text, _names(memory, self._partner))

    def claims_in(self, text: str, names: frozenset[str] = frozenset()) -> tuple[SlotClaim, ...]:
        """Return what a text says of slots; read once until the next change."""
        if (text, names) not in self._passing:
            self._passing[text, names] = slot_claims(text, names)
        return self._passing[text, names]

    def in_slots(self, slots: Collection[Slot]) -> set[int]:
        """Return the living facts that say anything of these slots."""
        for slot in slots:
            for memory_id in self._unread.get(slot, set()).copy():
                self._read(memory_id)
        return set().union(*(self._by_slot.get(slot, ()) for slot in slots))

    def newest_in(self, slots: Collection[Slot], most: int) -> list[int]:
        """Return the living facts of these slots that were written last, the newest first."""
        tables = (table.get(slot, ()) for slot in slots for table in (self._by_slot, self._unread))
        found: list[int] = []
        for memory_id in sorted(set().union(*tables), reverse=True):
            if len(found) == most:
                break
            if any(claim.slot in slots for claim in self._read(memory_id)):
                found.append(memory_id)
        return found

    def name(self) -> str:
        """Return what the partner is called by what they told last: a nickname before a name.

        Empty if none is known, or if what was told does not look like a name.
        """
        for slot in (Slot.NICKNAME, Slot.NAME):
            for memory_id in self.newest_in([slot], _FEW):
                for claim in self._read(memory_id):
                    if claim.slot is slot and claim.is_own and _NAME.fullmatch(claim.value):
                        return claim.value
        return ""

    def by_heart(self) -> list[int]:
        """Return the facts that say who the partner is and what may harm them, by id.

        Of each such slot the newest of the partner's own words; of health the newest few.
        """
        found: set[int] = set()
        for slot, most in KNOWN_BY_HEART.items():
            told = self.newest_in([slot], _FEW)
            own = (each for each in told if any(_is_told(c, slot) for c in self._read(each)))
            found.update(islice(own, most))
        return sorted(found)

    def newest(self, most: int) -> list[int]:
        """Return the living facts written last, the newest first."""
        return heapq.nlargest(most, self._memories)

    def _take(self, memories: Iterable[Memory]) -> None:
        """Begin anew with these memories, none of them read."""
        self._memories = {memory.id: memory for memory in memories}
        self._claims, self._by_slot = {}, {}
        ids = list(self._memories)
        if len(ids) <= _FEW:
            self._unread = {slot: set(ids) for slot in Slot}
            return
        found = lines_by_slot(
            (memory.words.text, _names(memory, self._partner))
            for memory in self._memories.values()
        )
        self._unread = {slot: {ids[line] for line in lines} for slot, lines in found.items()}

    def _read(self, memory_id: int) -> tuple[SlotClaim, ...]:
        if memory_id not in self._claims:
            self._claims[memory_id] = claims_of(self._memories[memory_id], self._partner)
            for waiting in self._unread.values():
                waiting.discard(memory_id)
            for claim in self._claims[memory_id]:
                self._by_slot.setdefault(claim.slot, set()).add(memory_id)
        return self._claims[memory_id]

    def _add(self, memory: Memory) -> None:
        known = self._memories.get(memory.id)
        if not memory.is_living_fact:
            self._remove(memory.id)
        elif known is None or known.words.text != memory.words.text:
            self._remove(memory.id)
            self._memories[memory.id] = memory
            self._read(memory.id)

    def _remove(self, memory_id: int) -> None:
        if self._memories.pop(memory_id, None) is not None:
            for claim in self._claims.pop(memory_id, ()):
                self._by_slot[claim.slot].discard(memory_id)
            for waiting in self._unread.values():
                waiting.discard(memory_id)
