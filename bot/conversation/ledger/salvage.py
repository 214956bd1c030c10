"""Damage: what was found of it, until it is told, and bringing what can be read into a new ledger.

A ledger is looked at without being changed.
"""

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory
from typing import Final

from bot.conversation.ledger.database import SET_ASIDE, UNREADABLE, migrate
from bot.conversation.ledger.page_sums import LOG_SUFFIX, SUMS_SUFFIX, PageDamage, heal_file
from bot.conversation.ledger.tables import MIGRATIONS, TABLES
from bot.conversation.messages import ConversationKey
from memory.stores.disk import REAL_DISK
from memory.stores.recovery import StoreDamage

_PARTS: Final = ("", LOG_SUFFIX, SUMS_SUFFIX, "-shm")


def inspect_ledger(path: Path) -> tuple[PageDamage, bool]:
    """Return what is wrong with a ledger, and whether it can be used; changes nothing.

    Raises OSError.
    """
    with TemporaryDirectory() as place:
        copied = _copy(path, Path(place))
        damage = heal_file(copied)
        return damage, _is_sound(copied)


def rebuild_ledger(path: Path) -> tuple[int, str]:
    """Set a ledger aside, and bring every row that can be read into a new one.

    Returns how many rows came, and the name of the old file. Raises OSError.
    """
    new = path.with_name(path.name + ".new")
    for part in _PARTS:
        new.with_name(new.name + part).unlink(missing_ok=True)
    with TemporaryDirectory() as place:
        copied = _copy(path, Path(place))
        heal_file(copied)
        rows = _bring_rows(copied, new)
    taken = REAL_DISK.names(path.parent)
    kept = next(n for i in count(1) if (n := f"{path.name}{SET_ASIDE}{i}") not in taken)
    REAL_DISK.replace(path, path.with_name(kept))
    for part in _PARTS[1:]:
        path.with_name(path.name + part).unlink(missing_ok=True)
    REAL_DISK.replace(new, path)
    REAL_DISK.sync_folder(path.parent)
    return rows, kept


def _copy(path: Path, place: Path) -> Path:
    for part in _PARTS[:3]:
        file = path.with_name(path.name + part)
        if file.is_file():
            copy2(file, place / file.name)
    return place / path.name


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            found: object = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
    except UNREADABLE:
        return False
    return found == ("ok",) and 0 < version <= len(MIGRATIONS)


def _bring_rows(old: Path, new: Path) -> int:
    REAL_DISK.close(REAL_DISK.open(new))
    with closing(sqlite3.connect(new, isolation_level=None)) as target:
        migrate(target)
        with closing(sqlite3.connect(old, isolation_level=None)) as source:
            brought = sum(_bring_table(source, target, table) for table in TABLES)
        # What names a row that is gone would fail at every later step.
        for table, row, parent, _ in target.execute("PRAGMA foreign_key_check").fetchall():
            del parent
            if row is not None:
                target.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))  # noqa: S608 (our own tables)
        target.execute("DELETE FROM pieces WHERE turn NOT IN (SELECT id FROM turns)")
    return brought


def _bring_table(source: sqlite3.Connection, target: sqlite3.Connection, table: str) -> int:
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    places = ", ".join("?" for _ in columns)
    insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 (our own tables)
    before = target.total_changes
    # Read from both ends: what lies behind a broken page in one direction may not in the other.
    for order in ("", " ORDER BY 1 DESC"):
        with suppress(*UNREADABLE):
            rows = source.execute(f"SELECT {', '.join(columns)} FROM {table}{order}")  # noqa: S608 (our own tables)
            for row in rows:
                # A row whose values no longer fit its columns does not prove itself.
                with suppress(sqlite3.IntegrityError):
                    target.execute(insert, row)
    return target.total_changes - before


TOLD_EVERY: Final = timedelta(hours=1)
"""How often a chat is told that nothing can be written."""


@dataclass(eq=False)
class DamageLog:
    """What the program found since it started; ``untold`` until the owner was told.

    ``agents`` are those whose files were damaged when they were opened. ``unwritable_at`` is when
    something was last refused by the disk, ``unwritable`` how many messages were since the start.
    """

    agents: dict[str, StoreDamage] = field(default_factory=dict)
    ledger: PageDamage = field(default_factory=PageDamage)
    unwritable_at: datetime | None = None
    unwritable: int = 0
    untold: bool = False
    _told: dict[ConversationKey, datetime] = field(default_factory=dict)

    def note_agent(self, agent_id: str, damage: StoreDamage) -> None:
        """Note what was wrong with the files of an agent."""
        self.agents[agent_id] = damage
        self.untold = True

    def note_ledger(self, damage: PageDamage) -> None:
        """Note what was wrong with the ledger."""
        self.ledger = damage
        self.untold |= bool(damage)

    def note_unwritable(self, place: ConversationKey, now: datetime) -> bool:
        """Note that a message could not be kept; whether its chat is to be told now."""
        self.unwritable_at, self.unwritable = now, self.unwritable + 1
        told = self._told.get(place)
        if told is not None and now - told < TOLD_EVERY:
            return False
        self._told[place] = now
        return True
