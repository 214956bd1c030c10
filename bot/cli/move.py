"""``xiaoxiang move``: everything she knows from files into a database, or back.

The source is only read. Each agent arrives whole or not at all, the ledger last and in one step;
all is read back and compared. Cut short, it goes on when called again.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from msgspec import structs

from bot.cli import settings_for
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.page_sums import LOG_SUFFIX
from bot.conversation.ledger.tables import TABLES, Connection, LedgerDatabase
from bot.data_folder import Storage, open_storage
from bot.sections import SecretStr
from bot.settings import Settings
from bot.texts import say, shell
from memory.agents import SAFE_NAME
from memory.errors import InputRefused
from memory.stores.backups import BACKUPS
from memory.stores.disk import LOCK_FILE, Disk, FolderLock, disk_errors, replace_file

_SCHEMES: Final = ("postgresql://", "postgres://")

_ARRIVING: Final = ".arriving-"
"""What the folder of an agent is called until it is whole; no agent has such a name."""

# Made again at any time, and written without a commit: two that differ mean nothing.
_REMADE: Final = frozenset({LOCK_FILE, "index.bin", "vectors.bin"})

_SELECT: Final = "SELECT * FROM {}"
_INSERT: Final = "INSERT INTO {} ({}) VALUES ({})"

Rows: TypeAlias = Mapping[str, list[tuple[Any, ...]]]
"""The rows of every table of a ledger, in an order that follows from them."""


def run_move(options: Namespace) -> int:
    """Move all there is from a folder to a database, or back; say what is left to do by hand."""
    settings = settings_for(Namespace(data=None))
    is_address = [given.startswith(_SCHEMES) for given in (options.source, options.target)]
    if sum(is_address) != 1:
        raise InputRefused(shell.MOVE_ONE_OF_EACH)
    folder = Path(options.target if is_address[0] else options.source).expanduser()
    if is_address[1] and not folder.is_dir():
        raise InputRefused(shell.NO_SUCH_FOLDER, folder=folder)
    moving = _Moving(settings, folder)
    done = asyncio.run(moving.move(options.source, options.target))
    sentence = shell.MOVED_IN if is_address[1] else shell.MOVED_OUT
    said = say(settings.language, sentence, folder=str(folder), **done)
    sys.stdout.write(said + "\n")
    return 0


@dataclass(frozen=True, slots=True)
class _Moving:
    """A move between a folder and a database that stands for it."""

    settings: Settings
    folder: Path

    async def move(self, source: str, target: str) -> dict[str, int]:
        """Move agents, backups and ledger; return how much there is. Raises InputRefused."""
        async with AsyncExitStack() as opening:
            old, new = [
                await opening.enter_async_context(self._opened(each)) for each in (source, target)
            ]
            agents = await asyncio.to_thread(self._move_folders, old.disk, new.disk)
            before = await opening.enter_async_context(_ledger_to_read(old))
            after = new.database or Database(self.folder / FILE_NAME)
            await after.open()
            opening.push_async_callback(after.close)
            rows = await self._move_rows(before, after)
        return {"agents": agents, "rows": rows}

    @asynccontextmanager
    async def _opened(self, place: str) -> AsyncIterator[Storage]:
        """Open one of the two, as the only program that uses it."""
        url = place if place.startswith(_SCHEMES) else ""
        update = {"data_dir": self.folder, "database_url": SecretStr(url)}
        async with open_storage(structs.replace(self.settings, **update)) as storage:
            lock = await asyncio.to_thread(FolderLock.take, self.folder, storage.disk)
            try:
                yield storage
            finally:
                await asyncio.to_thread(lock.release)

    def _move_folders(self, old: Disk, new: Disk) -> int:
        """Move the folder of every agent, and that of its backups; return how many agents."""
        with disk_errors(self.folder):
            for home in (self.folder / "agents", self.folder / BACKUPS):
                names = sorted(filter(SAFE_NAME.fullmatch, old.names(home)))
                for name in names:
                    self._move_folder(home / name, old, new)
            return len([*filter(SAFE_NAME.fullmatch, old.names(self.folder / "agents"))])

    def _move_folder(self, place: Path, old: Disk, new: Disk) -> None:
        wanted = _digest(old, place)
        if new.is_folder(place) and _digest(new, place):
            if _digest(new, place) != wanted:
                self._refuse(place.name)
            return
        arriving = place.with_name(_ARRIVING + place.name)
        new.remove(arriving)
        new.make_folder(arriving)
        for name in sorted(wanted):
            replace_file(new, arriving / name, old.read(place / name) or b"")
        if _digest(new, arriving) != wanted:
            self._refuse(place.name)
        if wanted:
            new.replace(arriving, place)
            new.sync_folder(place.parent)

    async def _move_rows(self, old: LedgerDatabase, new: LedgerDatabase) -> int:
        """Move the rows of the ledger in one step; return how many."""
        wanted, found = await old.run(all_rows), await new.run(all_rows)
        if not any(found.values()):
            columns = await old.run(_columns)
            await new.run(lambda connection: _insert(connection, columns, wanted))
            await new.settle_numbers()
            found = await new.run(all_rows)
        if found != wanted:
            self._refuse(FILE_NAME)
        return sum(map(len, wanted.values()))

    def _refuse(self, what: str) -> None:
        raise InputRefused(shell.MOVE_MEETS_OTHERS, what=what)


def _digest(disk: Disk, folder: Path) -> dict[str, bytes]:
    """Return the digest of every file of a folder that matters."""
    names = disk.names(folder) - _REMADE
    return {name: blake2b(disk.read(folder / name) or b"").digest() for name in names}


@asynccontextmanager
async def _ledger_to_read(storage: Storage) -> AsyncIterator[LedgerDatabase]:
    """Open a ledger; of a file a copy, for to open it writes to it."""
    if storage.database is not None:
        await storage.database.open()
        yield storage.database
        await storage.database.close()
        return
    with TemporaryDirectory() as place:
        for name in (FILE_NAME, FILE_NAME + LOG_SUFFIX):
            file = storage.settings.data_dir / name
            if file.is_file():
                await asyncio.to_thread(copy2, file, place)
        copied = Database(Path(place) / FILE_NAME)
        await copied.open()
        yield copied
        await copied.close()


def all_rows(connection: Connection) -> Rows:
    """Return everything a ledger holds, for two of them to be compared."""
    return {
        table: sorted(map(tuple, connection.execute(_SELECT.format(table)).fetchall()), key=repr)
        for table in TABLES
    }


def _columns(connection: Connection) -> dict[str, list[str]]:
    """Return the names of the columns of every table in which something is."""
    found = {t: connection.execute(_SELECT.format(t)).fetchone() for t in TABLES}
    return {table: [*row.keys()] for table, row in found.items() if row is not None}


def _insert(connection: Connection, columns: Mapping[str, list[str]], rows: Rows) -> None:
    # In the order of the tables: some name rows of those before.
    for table, names in columns.items():
        places = ", ".join("?" for _ in names)
        connection.executemany(_INSERT.format(table, ", ".join(names), places), rows[table])
