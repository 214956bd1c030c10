"""The whole of one agent's memory at one moment: immutable, and changed only by ``apply``.

Also the two names of each table: the attribute the program knows it by, and the name on disk.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final, TypeAlias, TypeVar, assert_never

from immutables import Map, MapMutation

from memory.changes import (
    AGENT_INFO_KEY,
    AgentInfo,
    Change,
    Corrections,
    DiaryLine,
    Drop,
    ErasedId,
    Key,
    Links,
    PendingReview,
    PreviousText,
    Put,
    Receipt,
    Record,
    RememberedId,
    Task,
    Tombstone,
    Turn,
    Undo,
    WeightLog,
    Window,
)
from memory.errors import Conflict, UnknownMemory
from memory.laws.registry import Laws, Rules
from memory.model import (
    Active,
    AgentSettings,
    Archived,
    Deleted,
    DeletionPolicy,
    Link,
    Memory,
    Merged,
)
from memory.record_table import RecordTable, TableDraft
from memory.reminder import Intention, Reminder

MAX_LINKS: Final = 32
"""The most outgoing links one node keeps (docs/decisions/association.md)."""

SLIP: Final = "slip"
"""Why a memory was corrected that never held: a slip of the tongue, put right at once."""

TABLES: Final[Mapping[type[Record], str]] = {
    Memory: "memories",
    Links: "links",
    Window: "windows",
    DiaryLine: "diary",
    Turn: "turns",
    Receipt: "receipts",
    PendingReview: "reviews",
    WeightLog: "weight_logs",
    Corrections: "corrections",
    PreviousText: "previous_texts",
    Task: "tasks",
    RememberedId: "remembered_ids",
    Undo: "undos",
    Tombstone: "tombstones",
    ErasedId: "erased_ids",
    AgentInfo: "agent_infos",
    Reminder: "reminders",
    Intention: "intentions",
}
"""The attribute of :class:`MemoryState` that holds each kind of record; never written to disk."""

# What is on disk keeps the name it was first written under: a better word in the program is no
# reason to make every older export, backup and snapshot pass a migration.
STORED_NAMES: Final[Mapping[type[Record], str]] = {
    **TABLES,
    PreviousText: "former",
    RememberedId: "seen",
    ErasedId: "buried",
    AgentInfo: "households",
}
"""The name of each table in journal, snapshot, export and backup."""

K = TypeVar("K", bound=Key)
R = TypeVar("R")

Table: TypeAlias = Map[K, R] | RecordTable[K, R]
"""All records of one kind by their keys."""

Draft: TypeAlias = dict[str, "MapMutation[Key, Any] | TableDraft[Key, Any]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryState:
    """Every table of one agent, and the next free memory id.

    ``next_id`` only rises, also over ``Drop`` and undo, so an id never means two memories.
    ``last_line`` is the highest number of a line of the diary.
    """

    memories: Table[int, Memory] = field(default_factory=Map)
    links: Table[int, Links] = field(default_factory=Map)
    windows: Map[str, Window] = field(default_factory=Map)
    diary: Table[str, DiaryLine] = field(default_factory=Map)
    turns: Map[str, Turn] = field(default_factory=Map)
    receipts: Map[str, Receipt] = field(default_factory=Map)
    reviews: Map[int, PendingReview] = field(default_factory=Map)
    weight_logs: Table[int, WeightLog] = field(default_factory=Map)
    corrections: Table[int, Corrections] = field(default_factory=Map)
    previous_texts: Table[int, PreviousText] = field(default_factory=Map)
    tasks: Map[str, Task] = field(default_factory=Map)
    remembered_ids: Table[str, RememberedId] = field(default_factory=Map)
    undos: Table[int, Undo] = field(default_factory=Map)
    tombstones: Map[int, Tombstone] = field(default_factory=Map)
    erased_ids: Map[str, ErasedId] = field(default_factory=Map)
    agent_infos: Map[str, AgentInfo] = field(default_factory=Map)
    reminders: Map[int, Reminder] = field(default_factory=Map)
    intentions: Map[int, Intention] = field(default_factory=Map)
    next_id: int = 1
    last_line: int = field(default=0, compare=False)
    # Not part of what an agent remembers, but of the program that looks at it: nearly everything
    # that asks a law holds a state already, so the laws travel with it instead of as one more
    # argument of every plan, view and search.
    laws: Laws = field(default=Laws(), compare=False, repr=False)
    # The name of the snapshots that hold just this state; "" from the first change on.
    read_from: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        # Made from tables that were read, not by ``apply``, which counts on.
        if self.diary and not self.last_line:
            last = max(line.number for line in self.diary.values())
            object.__setattr__(self, "last_line", last)

    @property
    def rules(self) -> Rules:
        """Return the agent's law and its parameters; raises InputRefused if they do not fit."""
        return self.laws.rules(self.agent_info.settings)

    @property
    def agent_info(self) -> AgentInfo:
        """Return what is stored about the agent, or the defaults of one that has nothing yet."""
        return self.agent_infos.get(AGENT_INFO_KEY) or AgentInfo(settings=AgentSettings())

    def memory(self, memory_id: int) -> Memory:
        """Return the memory of that id; raises :class:`UnknownMemory`."""
        found = self.memories.get(memory_id)
        if found is None:
            raise UnknownMemory(memory_id)
        return found

    def was_slip(self, memory: Memory) -> bool:
        """Whether what a memory says was put right as soon as it was said, and never held."""
        known = self.corrections.get(memory.id) if memory.lineage.replaced_by else None
        return known is not None and any(each.reason == SLIP for each in known.entries[-1:])

    def links_of(self, memory_id: int) -> tuple[Link, ...]:
        """Return the outgoing links of a node, strongest first; none for an unknown node."""
        found = self.links.get(memory_id)
        return found.links if found else ()

    @property
    def erasure_keys(self) -> list[str]:
        """Return the keys of the digests by which erased ids are known, the agent's own first."""
        tombstones = sorted(self.tombstones.values(), key=lambda tombstone: tombstone.id)
        return list(dict.fromkeys(each.key_hex for each in tombstones if each.key_hex))

    def is_erased(self, message_id: str) -> bool:
        """Whether a message was erased here, so that nothing of it may be taken in again."""
        return any(id_digest(message_id, key) in self.erased_ids for key in self.erasure_keys)

    def is_turn_erased(self, turn: Turn) -> bool:
        """Whether a turn, or anything said in it, was erased: it is not kept again."""
        return any(self.is_erased(each) for each in (turn.id, *(m.id for m in turn.said)))

    def apply(self, changes: Iterable[Change]) -> tuple["MemoryState", tuple[Change, ...]]:
        """Return the state after all changes, and the changes that take them back.

        All or nothing: raises :class:`Conflict` for a change that fits no state, and ``self`` is
        as it was either way. ``after.apply(inverse)`` restores every table exactly.
        """
        draft: Draft = {}
        inverse: list[Change] = []
        next_id, last_line = self.next_id, self.last_line
        for change in changes:
            match change:
                case Put(record):
                    # Checked here, the one place every change passes, also those of an import.
                    _check_record(record)
                    if isinstance(record, Memory):
                        next_id = max(next_id, record.id + 1)
                    elif isinstance(record, DiaryLine):
                        last_line = max(last_line, record.number)
                    table = self._table(draft, type(record))
                    old = table.get(record.key)
                    inverse.append(Put(old) if old else Drop(type(record), record.key))
                    table[record.key] = record
                case Drop(kind, key):
                    table = self._table(draft, kind)
                    old = table.get(key)
                    if old is not None:
                        inverse.append(Put(old))
                        del table[key]
                case never:
                    assert_never(never)
        finished: dict[str, Any] = {name: mutation.finish() for name, mutation in draft.items()}
        # Reversed: of two changes to one record the later must be taken back first.
        after = replace(self, next_id=next_id, last_line=last_line, read_from="", **finished)
        return after, tuple(reversed(inverse))

    def _table(
        self, draft: Draft, kind: type[Record]
    ) -> "MapMutation[Key, Any] | TableDraft[Key, Any]":
        name = TABLES[kind]
        if name not in draft:
            draft[name] = getattr(self, name).mutate()
        return draft[name]


def id_digest(message_id: str, key_hex: str) -> str:
    """Return the keyed digest of the id of a message."""
    # Keyed, or anyone could tell from the file whether a message they know the id of was erased.
    key = bytes.fromhex(key_hex)
    return blake2b(
        message_id.encode("utf-8", "backslashreplace"), key=key, digest_size=12
    ).hexdigest()


def _check_record(record: Record) -> None:
    """Refuse a record that no state may hold."""
    match record:
        case Memory(id=memory_id) if memory_id < 1:
            raise Conflict(f"a memory id starts at 1, not {memory_id!r}")
        case Links(source=source, links=links):
            targets = {link.target for link in links}
            if source in targets:
                raise Conflict(f"#{source} cannot be linked to itself")
            if len(targets) != len(links):
                raise Conflict(f"#{source} has two links to one target")
            if len(links) > MAX_LINKS:
                raise Conflict(f"#{source} has {len(links)} links, at most {MAX_LINKS} are kept")
        case _:
            pass


def next_tombstone_id(state: MemoryState) -> int:
    """Return the id of the next tombstone."""
    return max(state.tombstones, default=0) + 1


def is_hidden(memory: Memory) -> bool:
    """Whether the partner hid a memory: nothing it rests on comes up again until it is back."""
    standing = memory.standing
    return isinstance(standing, Deleted) and standing.policy is DeletionPolicy.USER_DELETE


def can_be_looked_up(memory: Memory) -> bool:
    """Whether a memory can be looked up: what a law put away or ended, or what gave way.

    Never what the partner hid. What was merged speaks through what it became part of.
    """
    match memory.standing:
        case Active() | Archived():
            return True
        case Deleted(policy=policy):
            return policy is DeletionPolicy.AUTO_CLEANUP
        case Merged():
            return memory.is_past
        case never:
            assert_never(never)


def still_holds(memory: Memory) -> bool:
    """Whether a fact holds as far as anybody said, also while a law keeps it out of mind."""
    current = memory.is_fact and not memory.is_past and memory.sealed is None
    return current and can_be_looked_up(memory)
