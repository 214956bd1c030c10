"""Which memories come into another one, and what each of them is there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory.changes import Change, Put, Undo
from memory.errors import InputRefused
from memory.manager.burial import is_erased
from memory.manager.renumbering import Renumbering
from memory.model import Memory, Tier
from memory.network.names import normalised_name
from memory.settings import Language
from memory.state import TABLES, MemoryState
from memory.vault import UnsealFailure, Vault


class CannotReseal(InputRefused):
    """Something sealed cannot be opened, so it cannot be sealed anew; ``why`` tells the reason."""

    def __init__(self, why: UnsealFailure) -> None:
        super().__init__(f"something sealed stays shut ({why.value})")
        self.why = why


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultPair:
    """The vault that sealed what comes, and the one that seals it from now on."""

    previous: Vault | None
    new: Vault | None

    def resealed(
        self, memory: Memory, language: Language, change: Callable[[Memory], Memory]
    ) -> Memory:
        """Return a memory as ``moved`` makes it, sealed again if it is sealed.

        Raises :class:`StaysShut` if it cannot be opened, or cannot be sealed.
        """
        if memory.sealed is None:
            return change(memory)
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
        shift = state.next_id - 1

        def named(speaker: str) -> str:
            return ours if speaker == theirs else speaker

        told = {_identity_key(m, str): m.id for m in state.memories.values() if m.sealed is None}
        twins: dict[int, int] = {}
        erased: set[int] = set()
        for memory in other.memories.values():
            known = told.get(_identity_key(memory, named))
            if known is not None and memory.sealed is None:
                twins[memory.id] = known
            elif any(is_erased(each, state) for each in memory.source_ids):
                erased.add(memory.id)
        return cls(
            moving=Renumbering(ids=lambda each: twins.get(each, each + shift), names=named),
            brought=frozenset(other.memories.keys() - twins.keys() - erased),
            shift=shift,
            twins=sum(other.memories[each].nature.tier is not Tier.ENTITY for each in twins),
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


def copy_changes(state: MemoryState, vaults: VaultPair) -> Iterator[Change]:
    """Yield the changes that make an empty memory a copy of ``state``, sealed for its new place.

    What could be undone in the former place cannot be undone in the copy.
    """
    language = state.agent_info.settings.language
    for kind, name in TABLES.items():
        for record in getattr(state, name).values():
            if isinstance(record, Memory):
                yield Put(vaults.resealed(record, language, lambda memory: memory))
            elif kind is not Undo:
                yield Put(record)
