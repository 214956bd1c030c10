"""The entries that ``/undo`` takes back: the newest fifty, each no older than 30 days."""

from datetime import datetime
from typing import Final, Literal

from memory.changes import Change, Drop, Put, Undo
from memory.laws.fates import GRACE
from memory.state import MemoryState

UNDOS_KEPT: Final = 50
LARGEST: Final = 500

Actor = Literal["partner", "background", "law"]


def undoable(
    state: MemoryState, changes: tuple[Change, ...], now: datetime, *, actor: Actor, label: str
) -> tuple[Change, ...]:
    """Return ``changes`` and with them the entry that takes them back.

    A night that moves more than 500 records (a first night under another law) leaves no entry:
    whatever it deleted or shortened is restorable one by one anyway.
    """
    if not changes or len(changes) > LARGEST:
        return changes
    _, inverse = state.apply(changes)
    ids = sorted(state.undos)
    entry = Undo(id=ids[-1] + 1 if ids else 1, at=now, actor=actor, label=label, inverse=inverse)
    dropped = [Drop(Undo, old) for old in ids[: max(len(ids) - UNDOS_KEPT + 1, 0)]]
    return (*changes, Put(entry), *dropped)


def outlived(state: MemoryState, now: datetime) -> list[Change]:
    """Return the drops of entries past the days of grace, so none brings back what was purged."""
    return [Drop(Undo, undo.id) for undo in state.undos.values() if now - undo.at >= GRACE]
