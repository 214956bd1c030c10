"""The living facts by slot: what is known of a matter is found without walking a memory."""

import heapq
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate, islice
from typing import Final

from memory.changes import AgentInfo, Change, Drop, Put
from memory.model import Kind, Memory, Tier
from memory.recall.matters_asked import WHERE, answers, matters_asked, needs_of
from memory.recall.query_terms import asks_for_all, asks_of_family
from memory.state import MemoryState
from memory.text.late_pattern import LatePattern
from memory.text.slot_core import relative_in
from memory.text.slot_cues import ClaimMode, Slot, tables
from memory.text.slots import LONGEST_READ, SlotClaim, in_first_person, slot_claims
from memory.text.tokens import plainly_written
from prompts.rendering import plain

# What a text may call the person it is about, whatever name they go by.
SPEAKER_LABELS: Final = frozenset(
    {"主人", "用户", "The partner", "the partner", "The user", "the user", "伙伴"}
)

# It stands among the rules of a prompt: no sentence may pass for a name.
_NAME: Final = re.compile(r"(?=.{1,24}$)[^\W\d_]{1,16}(?:[ ·.'’-]{1,2}[^\W\d_]{1,16}){0,2}")
"""What may be called a name: up to three words of letters, in any script."""

_HAN: Final = LatePattern("[\u4e00-\u9fff]")
_LATIN: Final = LatePattern(r"[a-z0-9]")

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


def _is_by_heart(claim: SlotClaim, slot: Slot) -> bool:
    well = slot is Slot.HEALTH and claim.mode is ClaimMode.STOPPED
    return _is_told(claim, slot) and not well


def claims_of(memory: Memory, partner: str) -> tuple[SlotClaim, ...]:
    """Return what a memory says of slots, seen from the person who said it."""
    return slot_claims(memory.words.text, _names(memory, partner))


def told_by(memory: Memory, state: MemoryState) -> str:
    """Return what a memory says; of a plan put off what it says of the plan it was before too."""
    before = state.memories.get(memory.lineage.replaces or 0)
    is_plan = memory.nature.kind is Kind.TEMPORARY and before is not None
    return f"{memory.words.text}\n{before.words.text}" if before and is_plan else memory.words.text


def _names(memory: Memory, partner: str) -> frozenset[str]:
    return SPEAKER_LABELS | {partner, memory.origin.speaker}


def lines_by_slot(texts: Iterable[tuple[str, Iterable[str]]]) -> Mapping[Slot, set[int]]:
    """Return for each slot the places of the texts, with their names, that may speak of it.

    More than do: looking for single words in all at once takes a tenth of reading each.
    """
    lines = [
        plainly_written(in_first_person(plain(text[:LONGEST_READ]), names))
        .lower()
        .replace("\n", " ")
        for text, names in texts
    ]
    found: dict[Slot, set[int]] = {}
    for language, written in (("zh", _HAN), ("en", _LATIN)):
        numbers = [number for number, line in enumerate(lines) if written.search(line)]
        joined = "\n".join(lines[number] for number in numbers)
        ends = list(accumulate(len(lines[number]) + 1 for number in numbers))
        for slots, word in tables()[language].words:
            places = {numbers[place] for place in _lines_with(word, joined, ends)}
            for slot in slots if places else ():
                found.setdefault(slot, set()).update(places)
    return found


def _lines_with(word: str, joined: str, ends: Sequence[int]) -> Iterator[int]:
    place = joined.find(word)
    while 0 <= place < len(joined):
        line = bisect_right(ends, place)
        yield line
        place = joined.find(word, ends[line])


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
        self._name: str | None = None

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
        self._passing, self._name = {}, None
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
        if self._name is None:  # every turn asks for it
            self._name = self._name_told()
        return self._name

    def _name_told(self) -> str:
        called, named = (self._newest_name(slot) for slot in (Slot.NICKNAME, Slot.NAME))
        if called and named and _is_insisted_on(named[0], called):
            return named[1]
        return next((found[1] for found in (called, named) if found), "")

    def _newest_name(self, slot: Slot) -> tuple[Memory, str] | None:
        for memory_id in self.newest_in([slot], _FEW):
            for claim in self._read(memory_id):
                own = claim.slot is slot and claim.is_own and claim.mode is not ClaimMode.STOPPED
                if own and _NAME.fullmatch(claim.value):
                    return self._memories[memory_id], claim.value
        return None

    def by_heart(self) -> list[int]:
        """Return the facts that say who the partner is and what may harm them, by id.

        Of each such slot the newest of the partner's own words; of health the newest few, and
        nothing that only says what is well.
        """
        found: set[int] = set()
        for slot, most in KNOWN_BY_HEART.items():
            told = self.newest_in([slot], _FEW * most)
            own = (each for each in told if any(_is_by_heart(c, slot) for c in self._read(each)))
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
        else:
            self._memories[memory.id] = memory

    def _remove(self, memory_id: int) -> None:
        if self._memories.pop(memory_id, None) is not None:
            for claim in self._claims.pop(memory_id, ()):
                self._by_slot[claim.slot].discard(memory_id)
            for waiting in self._unread.values():
                waiting.discard(memory_id)


def _is_insisted_on(named: Memory, called: tuple[Memory, str]) -> bool:
    """Whether a name was told again, or against a nickname, after the nickname was."""
    if _last_told(named) <= _last_told(called[0]):
        return False
    said = named.origin.quote
    again = named.id < called[0].id
    return again or called[1] in said or _INSISTS.search(said) is not None


def _last_told(memory: Memory) -> datetime:
    return max((memory.origin.at, *memory.trace.mentions[-1:]))


_INSISTS: Final = re.compile(
    r"我(?:就|可|明明)?(?:是|叫)[^，,。！!？?我]{1,6}[啊呀诶哎欸嘛][。！!～~\s]*$|不[是叫]|[叫记弄搞喊]错|错了"
    r"|\b(?:actually|wrong|not)\b",
    re.IGNORECASE,
)
"""Who names themselves so was called otherwise: 我叫林小雨啊."""


def facts_asked(question: str, index: SlotIndex, state: MemoryState) -> list[Memory]:
    """Return the living facts of the matter a question asks about, the newest first.

    They are the newest two, and more of them where all of a kind are asked for.
    """
    if asks_of_family(question):
        newest = map(state.memories.__getitem__, index.newest(_LOOKED_THROUGH))
        return list(islice((m for m in newest if tells_of_family(m.words.text)), _ALL))
    asked, most = matters_asked(question), _ALL if asks_for_all(question) else 2
    needs = needs_of(question)
    slots = {each.slot for each in asked} | (WHERE if any(x.whose for x in asked) else set())
    slots |= set[Slot]().union(*(need.slots for need in needs))
    told = map(state.memories.__getitem__, index.newest_in(slots, _FEW + most))
    fitting = (
        m
        for m in told
        for claims in [index.claims(m)]
        if any(answers(c, each) for c in claims for each in asked)
        or any(need.is_met_by(c, told_whole(m)) for c in claims for need in needs)
    )
    return list(islice(fitting, most))


def told_whole(memory: Memory) -> str:
    """Return what a fact says, and the words it rests on, which may say of what sort it is."""
    return f"{memory.words.text}\n{memory.origin.quote}"


def tells_of_family(text: str) -> bool:
    """Whether a fact is about one of the partner's family: 主人的姐姐叫林婉青."""
    return relative_in(plainly_written(text)[:_BEGINNING]) != ""


_ALL: Final = 8  # so many facts are called to mind where all of a kind are asked for
_LOOKED_THROUGH: Final = 300  # so many of the newest facts may be of one of the family

_BEGINNING: Final = 30
"""In characters: whoever comes later is not whom a fact is about."""
