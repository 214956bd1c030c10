"""Erasing: what has to go, in every table, so that nothing of it is left (DESIGN §11)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

from memory.changes import Buried, Change, Drop, Household, Put, Tombstone
from memory.manager.burial import buried, next_tombstone
from memory.manager.reach import Everything, Scope, Target, every_message, teller
from memory.manager.sweeping import swept
from memory.state import TABLES, MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What an erasure takes away: the manifest, and the changes that carry it out.

    ``places`` counts by table what is dropped or loses something. ``code`` names exactly this
    manifest: when anything of it changes, the code does.
    """

    memories: tuple[int, ...]
    messages: tuple[str, ...]
    places: Mapping[str, int]
    changes: tuple[Change, ...]
    needles: tuple[str, ...]

    @property
    def code(self) -> str:
        """Return the name of this manifest, eight hexadecimal digits."""
        told = repr((self.memories, self.messages, sorted(self.places.items())))
        return blake2b(told.encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()


def plan_erasure(
    state: MemoryState, target: Target, now: datetime, *, key_hex: str
) -> Erasure | None:
    """Return what erasing ``target`` takes away; None where there is nothing of the kind.

    ``key_hex`` is chance for the digests of the tombstone. Raises :class:`UnknownMemory`.
    """
    if isinstance(target, Everything):
        return _everything(state, now, key_hex)
    scope = Scope.of(state, target)
    changes = list(swept(state, scope))
    if not changes:
        return None
    memories = tuple(sorted(scope.memories))
    return _planned(state, changes, memories, scope, now, key_hex)


def _planned(
    state: MemoryState,
    changes: list[Change],
    memories: tuple[int, ...],
    scope: Scope,
    now: datetime,
    key_hex: str,
) -> Erasure:
    places = Counter(
        TABLES[change.table if isinstance(change, Drop) else type(change.record)]
        for change in changes
        if not isinstance(change, Drop) or change.key in getattr(state, TABLES[change.table])
    )
    messages = tuple(sorted(scope.messages))
    bury = buried(messages, state, key_hex)
    stone = _stone(state, now, key_hex, len(memories))
    return Erasure(
        memories=memories,
        messages=messages,
        places=dict(places),
        changes=(*changes, *bury, Put(stone)),
        needles=scope.needles,
    )


def _everything(state: MemoryState, now: datetime, key_hex: str) -> Erasure | None:
    kept = {Household, Tombstone, Buried}
    drops: list[Change] = [
        Drop(kind, key)
        for kind, name in TABLES.items()
        if kind not in kept
        for key in sorted(getattr(state, name))
    ]
    if not drops:
        return None
    bare = Household(settings=state.household.settings, made_before=state.next_id)
    scope = Scope((), teller(()), set(state.memories), set(_every_id(state)))
    erasure = _planned(state, drops, tuple(sorted(state.memories)), scope, now, key_hex)
    needles = tuple(dict.fromkeys(m.words.text for m in state.memories.values()))
    return replace(erasure, changes=(*erasure.changes, Put(bare)), needles=needles)


def _stone(state: MemoryState, now: datetime, key_hex: str, count: int) -> Tombstone:
    return Tombstone(id=next_tombstone(state), at=now, key_hex=key_hex, count=count)


def _every_id(state: MemoryState) -> Iterator[str]:
    yield from state.seen
    yield from (message.id for message in every_message(state))
    for memory in state.memories.values():
        yield from memory.source_ids
    yield from state.turns
    yield from state.receipts
