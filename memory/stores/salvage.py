"""What files that were set aside still hold: every record that proves itself, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from immutables import Map

from memory.errors import StoreDamaged
from memory.state import TABLES, MemoryState
from memory.stores.codec import decode_commit
from memory.stores.disk import REAL_DISK, Disk, disk_errors
from memory.stores.healing import healed
from memory.stores.journal import JOURNAL_FILE, read_journal
from memory.stores.recovery import (
    DAMAGED_MARK,
    RecordTables,
    apply_change,
    read_agent_state,
    read_into,
)
from memory.stores.snapshot import PREVIOUS_SUFFIX, SNAPSHOT_FILES, Snapshot, read_snapshot
from memory.stores.start_marker import BEGUN, mark_blank

SEEN: Final = ".seen"
"""What the name of a file that was set aside ends in once it was looked into."""


def set_aside_files(folder: Path, disk: Disk = REAL_DISK) -> tuple[str, ...]:
    """Return the files that were set aside and not looked into since; raises OSError."""
    names = (name for name in disk.names(folder) if DAMAGED_MARK in name)
    return tuple(sorted(name for name in names if not name.endswith(SEEN)))


def is_readable(folder: Path) -> bool:
    """Whether the folder of an agent can be opened at all; raises other errors of the store."""
    try:
        read_agent_state(folder)
    except StoreDamaged:
        return False
    return True


def salvaged_state(folder: Path, disk: Disk = REAL_DISK) -> MemoryState:
    """Return what the files that were set aside add up to, older ones first.

    In a folder that cannot be opened that is said of every file. Raises
    :class:`memory.errors.StoreUnwritable`, and :class:`BadDocument` for a newer program's record.
    """
    with disk_errors(folder):
        names = disk.names(folder) if not is_readable(folder) else set_aside_files(folder, disk)
        data = {name: disk.read(folder / name) or b"" for name in sorted(names)}
    tables: RecordTables = {name: {} for name in TABLES.values()}
    next_id = 1
    snapshots = tuple(_newest_snapshots(data))
    for snapshot in snapshots:
        read_into(tables, snapshot, "what was set aside")
        next_id = max(next_id, snapshot.meta.next_id)
    # A record that a snapshot no longer holds was dropped: older commits must not bring it back.
    begin = min((each.meta.sequence for each in snapshots), default=0)
    for payload in _payloads(data, begin):
        commit = decode_commit(payload)
        for change in commit.changes:
            apply_change(tables, change)
        next_id = max(next_id, commit.next_id)
    filled: dict[str, Any] = {name: Map(table) for name, table in tables.items()}
    return replace(MemoryState(next_id=next_id), **filled)


def begin_anew(folder: Path, disk: Disk = REAL_DISK) -> None:
    """Set every file of an unreadable folder aside, so that it opens as new; raises OSError."""
    mark_blank(folder, disk)
    for file in (JOURNAL_FILE, *SNAPSHOT_FILES, *(f + PREVIOUS_SUFFIX for f in SNAPSHOT_FILES)):
        names = disk.names(folder)
        if file in names:
            base = file.removesuffix(PREVIOUS_SUFFIX)
            free = next(n for n in count(1) if f"{base}{DAMAGED_MARK}{n}" not in names)
            disk.replace(folder / file, folder / f"{base}{DAMAGED_MARK}{free}")
    disk.remove(folder / BEGUN)
    disk.sync_folder(folder)


def mark_seen(folder: Path, names: tuple[str, ...], disk: Disk = REAL_DISK) -> None:
    """Note that those files were looked into; they stay until something is erased."""
    with disk_errors(folder):
        for name in names:
            disk.replace(folder / name, folder / (name + SEEN))
        disk.sync_folder(folder)


def _newest_snapshots(data: Mapping[str, bytes]) -> Iterator[Snapshot]:
    """Yield the newest readable snapshot of each kind; an older one holds what was dropped."""
    for file in SNAPSHOT_FILES:
        texts = (text for name, text in data.items() if name.startswith(file))
        read = (read_snapshot(text) or read_snapshot(_healed_snapshot(text)) for text in texts)
        found = [each for each in read if each is not None]
        if found:
            yield max(found, key=lambda each: each.meta.sequence)


def _healed_snapshot(text: bytes) -> bytes:
    """Return a small snapshot with its flipped bit turned back; as it is if that cannot be."""
    body, end = text[:-21], text[-21:]
    try:
        proof = bytes.fromhex(end[:16].decode())
    except ValueError:
        return text
    true = healed(body, proof)
    return text if true is None else true + end


def _payloads(data: Mapping[str, bytes], begin: int) -> Iterator[bytes]:
    for name, text in data.items():
        if name.startswith(JOURNAL_FILE):
            lines = read_journal(text)
            for number in sorted(each for each in lines.by_sequence if each > begin):
                yield from lines.payloads(number, number)
