"""Looking into a data folder without owning anything in it, while its owner may be at work."""

from pathlib import Path
from typing import Final

from memory.errors import StoreDamaged
from memory.state import MemoryState
from memory.stores.disk import Disk, disk_errors
from memory.stores.journal import JOURNAL_FILE
from memory.stores.restoring import restore

AGENTS_FOLDER: Final = "agents"
"""The folder of a data folder in which every agent has its own."""

_READ_ATTEMPTS: Final = 5


def read_agent_state(folder: Path, *, disk: Disk | None = None) -> MemoryState:
    """Return the state of an agent as of its last commits; blocks, writes nothing, locks nothing.

    What a fold exchanges while it is being read is read again. An agent that never was has the
    empty state. Raises :class:`StoreDamaged`, :class:`StoreFromFuture`, and
    :class:`StoreUnwritable` where reading is not allowed.
    """
    with disk_errors(folder):
        for _ in range(_READ_ATTEMPTS):
            try:
                restored = restore(folder, disk or Disk())
            except StoreDamaged:
                continue
            if not restored.unusable_files:
                return restored.state
        return restore(folder, disk or Disk()).state


def agents_in(data: Path) -> tuple[str, ...]:
    """Return the ids of the agents that live in a data folder, in order."""
    return tuple(
        sorted(path.parent.name for path in (data / AGENTS_FOLDER).glob(f"*/{JOURNAL_FILE}"))
    )
