"""What comes from one memory into another one: which memories, under which ids and names.

And everything beside them: conversations, receipts, tasks, tombstones, counters. ``union`` decides
what two memories make of one another; here they are only moved.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from memory import refusals
from memory.changes import (
    AgentInfo,
    Change,
    Corrections,
    DiaryLine,
    Drop,
    PreviousText,
    Put,
    Receipt,
    Record,
    Task,
    Turn,
    Undo,
    Used,
    WeightLog,
    Window,
)
from memory.diary import WINDOW_MESSAGES, in_order
from memory.erasing.erasure import (
    memory_mark,
)
from memory.errors import InputRefused
from memory.learning.outcomes import RECEIPTS_KEPT
from memory.model import Language, Lineage, Link, Memory, Merged, Message, Tier
from memory.network.index import focus_after, normalised_name
from memory.privacy.vault import UnsealFailure, Vault
from memory.reminder import Intention, Reminder
from memory.state import MAX_LINKS, TABLES, MemoryState, id_digest, next_tombstone_id

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

    def line(self, line: DiaryLine, number: int) -> DiaryLine:
        """Return a line of the diary as one of those here, cut into the memory's new id."""
        (message,) = self._messages((line.message,))
        scene = self.ids(line.scene) if line.scene > 0 else line.scene
        return replace(line, message=message, number=number, scene=scene)

    def turn(self, turn: Turn) -> Turn:
        """Return a turn that used the memories under their new ids."""
        return replace(turn, said=self._messages(turn.said), used=self._used_memories(turn.used))

    def receipt(self, receipt: Receipt) -> Receipt:
        """Return a receipt that names the new ids, in its labels (``ADD #42``) as well."""

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


class CannotReseal(InputRefused):
    """Something sealed cannot be opened, so it cannot be sealed anew; ``why`` tells the reason."""

    def __init__(self, why: UnsealFailure) -> None:
        super().__init__(refusals.SHUT, why=why.value)
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultPair:
    """The vault that sealed what comes, and the one that seals it from now on."""

    previous: Vault | None
    new: Vault | None

    def resealed(
        self, memory: Memory, language: Language, change: Callable[[Memory], Memory]
    ) -> Memory:
        """Return a memory after ``change``, sealed again if it is sealed.

        Raises :class:`CannotReseal` if it cannot be opened, or cannot be sealed.
        """
        if memory.sealed is None:
            return change(memory)
        # Agent and memory id are authenticated with the text, so a box cannot simply be moved.
        plain = self.previous.open(memory) if self.previous else UnsealFailure.NO_KEY
        if isinstance(plain, UnsealFailure):
            raise CannotReseal(plain)
        if self.new is None or not self.new.can_seal:
            raise CannotReseal(UnsealFailure.NO_KEY)
        return self.new.seal(change(plain), language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Which of the younger memories come, under which ids, and who the partner is called here."""

    renumbering: Renumbering
    coming: frozenset[int]
    id_shift: int
    already_known: int
    erased: frozenset[int]

    @classmethod
    def of(cls, state: MemoryState, other: MemoryState) -> "Arrival":
        ours, theirs = (each.agent_info.settings.partner for each in (state, other))
        # Every id is moved by the same amount: the partner can still find their #7.
        shift = state.next_id - 1

        def named(speaker: str) -> str:
            return ours if speaker == theirs else speaker

        told = {_identity_key(m, str): m.id for m in state.memories.values() if m.sealed is None}
        twins: dict[int, int] = {}
        erased: set[int] = set()
        for memory in other.memories.values():
            known = told.get(_identity_key(memory, named))
            # A sealed text cannot be compared: two secrets that may be one both stay.
            if known is not None and memory.sealed is None:
                twins[memory.id] = known
            elif any(state.is_erased(each) for each in memory.source_ids):
                erased.add(memory.id)
        return cls(
            renumbering=Renumbering(ids=lambda each: twins.get(each, each + shift), names=named),
            coming=frozenset(other.memories.keys() - twins.keys() - erased),
            id_shift=shift,
            already_known=sum(
                other.memories[each].nature.tier is not Tier.ENTITY for each in twins
            ),
            erased=frozenset(erased),
        )

    @property
    def ids(self) -> frozenset[int]:
        """Return what comes, by the new ids."""
        return frozenset(map(self.renumbering.ids, self.coming))

    def memory(self, memory: Memory, state: MemoryState, vaults: VaultPair) -> Memory:
        """Return a memory as it comes; what is sealed, sealed for its new place."""
        language = state.agent_info.settings.language
        return vaults.resealed(memory, language, self.renumbering.memory)


def _identity_key(memory: Memory, named: Callable[[str], str]) -> tuple[object, ...]:
    """Return what two memories share that are one: a name, or the same thing kept twice."""
    if memory.nature.tier is Tier.ENTITY:
        return (memory.nature.tier, normalised_name(memory.words.text))
    told = (memory.words.text, memory.trace.created_at, named(memory.origin.speaker))
    return (memory.nature.tier, *told)


def arriving_reminders(state: MemoryState, other: MemoryState) -> Iterator[Reminder]:
    """Yield the reminders of ``other`` that ``state`` does not have, counted on from its own."""
    known = {(each.made_at, each.text) for each in state.reminders.values()}
    number = max(state.reminders, default=0)
    for key in sorted(other.reminders):
        each = other.reminders[key]
        if (each.made_at, each.text) in known or any(map(state.is_erased, each.message_ids)):
            continue
        number += 1
        yield replace(each, id=number)


def arriving_intentions(
    state: MemoryState, other: MemoryState, ids: Callable[[int], int | None]
) -> Iterator[Intention]:
    """Yield what she meant to bring up in ``other`` and not here, counted on from its own.

    ``ids`` gives each memory its id here, None for one that does not come.
    """
    known = {(each.kind, each.made_at, each.text) for each in state.intentions.values()}
    number = max(state.intentions, default=0)
    for key in sorted(other.intentions):
        each = other.intentions[key]
        moved = tuple(found for old in each.memory_ids if (found := ids(old)) is not None)
        gone = len(moved) < len(each.memory_ids) or any(map(state.is_erased, each.message_ids))
        if gone or (each.kind, each.made_at, each.text) in known:
            continue
        number += 1
        yield replace(each, id=number, memory_ids=moved)


def copy_changes(state: MemoryState, vaults: VaultPair) -> Iterator[Change]:
    """Yield the changes that make an empty memory a copy of ``state``, sealed for its new place.

    What could be undone in the former place cannot be undone in the copy.
    """
    language = state.agent_info.settings.language
    for kind, name in TABLES.items():
        for record in getattr(state, name).values():
            if isinstance(record, Memory):
                yield Put(vaults.resealed(record, language, lambda memory: memory))
            # Two chats that remember the same must not both ring: what is due stays where it was.
            elif kind not in {Undo, Reminder, Intention}:
                yield Put(record)


def changes_beside_memories(
    state: MemoryState, other: MemoryState, moving: Renumbering, brought: frozenset[int]
) -> Iterator[Change]:
    """Yield what ``state`` takes of ``other`` beside its memories.

    ``brought`` are the ids of the memories that come, as ``other`` counts them. Conversations go
    on where they stood, and what waits for the background waits here. What was erased on either
    side stays erased. Steps that could be undone there cannot be undone here.
    """
    yield from map(Put, _records_about_memories(other, moving, brought))
    yield from map(Put, _conversations(state, other, moving))
    yield from _receipt_changes(state, other, moving)
    yield from map(Put, _arriving_tombstones(state, other, moving))
    yield Put(_joined_agent_info(state, other, moving))


def _records_about_memories(
    other: MemoryState, moving: Renumbering, brought: frozenset[int]
) -> Iterator[Record]:
    for table in (WeightLog, Corrections, PreviousText):
        for record in getattr(other, TABLES[table]).values():
            if record.memory_id in brought:
                yield replace(record, memory_id=moving.ids(record.memory_id))
    for review in other.reviews.values():
        if review.memory_id in brought:
            yield replace(review, memory_id=moving.ids(review.memory_id))
    for task in other.tasks.values():
        yield moving.task(task)


def _conversations(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Record]:
    for window in other.windows.values():
        yield _joined_window(state, moving.window(window))
    coming = new_lines(state, other)
    for number, line in enumerate(coming, start=state.last_line + 1):
        yield moving.line(line, number)
    for turn in other.turns.values():
        if turn.id not in state.receipts and not state.is_turn_erased(turn):
            yield moving.turn(turn)
    yield from other.remembered_ids.values()
    yield from arriving_reminders(state, other)
    yield from arriving_intentions(state, other, moving.ids)


def new_lines(state: MemoryState, other: MemoryState) -> list[DiaryLine]:
    """Return the lines of another diary that are not known here and were not erased, in order."""
    unknown = (line for key, line in other.diary.items() if key not in state.diary)
    return in_order(line for line in unknown if not state.is_erased(line.key))


def _joined_window(state: MemoryState, window: Window) -> Window:
    """Return a conversation without what was erased; one that both have, in order, once."""
    known = state.windows.get(window.conversation)
    tail = [message for message in window.tail if not state.is_erased(message.id)]
    lines = [message for message in window.lines if not state.is_erased(message.id)]
    if known is None:
        return replace(window, lines=tuple(lines), tail=tuple(tail))
    both = {each.id: each for each in (*known.tail, *known.lines, *tail, *lines)}
    said = sorted(both.values(), key=lambda each: each.at)
    border = max(len(said) - WINDOW_MESSAGES, 0)
    return replace(window, lines=tuple(said[border:]), tail=tuple(said[:border]))


def _receipt_changes(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Change]:
    """Yield the receipts that come, and the drops of the eldest past those that are kept."""
    renamed = map(moving.receipt, other.receipts.values())
    coming = [receipt for receipt in renamed if receipt.turn_id not in state.receipts]
    everything = sorted((*state.receipts.values(), *coming), key=lambda each: (each.at, each.key))
    past = {receipt.turn_id for receipt in everything[: max(len(everything) - RECEIPTS_KEPT, 0)]}
    yield from (Put(receipt) for receipt in coming if receipt.turn_id not in past)
    yield from (Drop(Receipt, turn_id) for turn_id in sorted(past & set(state.receipts)))


def _arriving_tombstones(
    state: MemoryState, other: MemoryState, moving: Renumbering
) -> Iterator[Record]:
    """Yield what keeps erased messages from being learnt again, each under its own key."""
    for number, tombstone in enumerate(
        sorted(other.tombstones.values(), key=lambda each: each.id)
    ):
        yield replace(tombstone, id=next_tombstone_id(state) + number)
    yield from _arriving_erased_ids(other, moving)


def _arriving_erased_ids(other: MemoryState, moving: Renumbering) -> Iterator[Record]:
    """Yield the digests of what was erased; those of memories under the ids they would have."""
    # A digest cannot be turned back into an id, so those of all possible ids are made.
    marks = {
        id_digest(memory_mark(number), tombstone.key_hex): id_digest(
            memory_mark(moving.ids(number)), tombstone.key_hex
        )
        for tombstone in other.tombstones.values()
        for number in range(1, other.next_id)
    }
    for each in other.erased_ids.values():
        yield replace(each, digest=marks.get(each.digest, each.digest))


def _joined_agent_info(state: MemoryState, other: MemoryState, moving: Renumbering) -> AgentInfo:
    """Return the settings of the older agent, with the focus and the counters of both."""
    agent_info, theirs = state.agent_info, other.agent_info
    counters = dict(agent_info.counters)
    for name, count in theirs.counters:
        counters[name] = counters.get(name, 0.0) + count
    alive = [each for each in theirs.focus if each in other.memories]
    return replace(
        agent_info,
        focus=focus_after(tuple(map(moving.ids, alive)), agent_info.focus),
        counters=tuple(counters.items()),
        slice_due=agent_info.slice_due or theirs.slice_due,
    )
