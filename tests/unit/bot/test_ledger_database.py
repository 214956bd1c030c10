"""The file: private, synced, migrated step by step, and whole after every failure."""

import asyncio
import errno
import os
import sqlite3
import threading
from datetime import date
from pathlib import Path

import pytest

from bot.conversation.ledger import Ledger
from bot.conversation.ledger.database import SOON_SECONDS, Database, migrate
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.tables import MIGRATIONS, Connection
from memory.errors import StoreDamaged, StoreFromFuture, StoreLocked, StoreUnwritable
from tests.fakes.ledger import accepted
from tests.fakes.platforms import IDENTITIES
from tests.fakes.waiting import HANG_SECONDS, unless_it_hangs


def modes_in(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_the_files_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        ledger = await Ledger.open(tmp_path / "new", IDENTITIES)
        await accepted(ledger, "1")
        modes = modes_in(tmp_path / "new")
    finally:
        os.umask(before)

    assert modes
    assert set(modes.values()) == {0o600}
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    await ledger.close()


async def test_the_promised_settings_are_in_force(tmp_path: Path) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()

    def setting(name: str) -> object:
        assert database._connection is not None
        return database._connection.execute(f"PRAGMA {name}").fetchone()[0]

    found = await database._run_in_thread(
        lambda: [setting(n) for n in ("journal_mode", "synchronous", "secure_delete")]
    )
    assert found == ["wal", 2, 1]
    await database.close()


async def test_work_that_fails_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)

    def half(connection: Connection) -> None:
        connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ledger._database.run(half)

    assert await ledger.spending.spent(date(2026, 3, 4)) == 0
    await ledger.close()


async def test_what_is_run_ahead_is_seen_before_it_is_synced(tmp_path: Path) -> None:
    database, seen = HalfSynced(tmp_path / FILE_NAME), list[int]()
    await database.open()
    waiting = asyncio.ensure_future(database.run_ahead(spend_seven, seen.append))

    while not seen:
        await asyncio.sleep(0)
    others = await database.run(tokens_spent, synced=False)

    assert (seen, others, waiting.done()) == ([1], 7, False)
    database.written.set()
    assert await waiting == 1
    await database.close()


async def test_a_log_that_could_not_be_synced_is_written_into_the_file(tmp_path: Path) -> None:
    database = HalfSynced(tmp_path / FILE_NAME, fails=True)
    await database.open()

    assert await database.run_ahead(spend_seven, lambda _: None) == 1
    assert database._log.stat().st_size == 0
    await database.close()


async def test_what_is_neither_synced_nor_written_anew_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.conversation.ledger.database.LOCK_SECONDS", 0.05)
    database, path = HalfSynced(tmp_path / FILE_NAME, fails=True), tmp_path / FILE_NAME
    await database.open()
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM spending").fetchall()

    for _ in range(2):
        with pytest.raises(StoreUnwritable):
            await database.run_ahead(spend_seven, lambda _: None)
    reader.close()

    assert await database.run_ahead(spend_seven, lambda _: None) == 1
    await database.close()


async def test_what_nobody_waits_for_is_done_before_what_comes_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()

    database.hand_in(spend_seven)
    database.hand_in(lambda connection: connection.execute("SELECT 王小明"))

    assert await database.run(tokens_spent) == 7
    await database.close()
    assert "OperationalError" in caplog.text
    assert "王小明" not in caplog.text


async def test_what_nobody_waits_for_is_done_by_itself_if_nothing_else_comes(
    tmp_path: Path,
) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()
    reader = sqlite3.connect(tmp_path / FILE_NAME)

    database.hand_in(spend_seven)
    async with unless_it_hangs():
        while not reader.execute("SELECT tokens FROM spending").fetchall():
            await asyncio.sleep(SOON_SECONDS / 10)

    reader.close()
    await database.close()


async def test_what_nobody_waits_for_outlives_a_failure_of_what_it_was_done_with(
    tmp_path: Path,
) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()

    database.hand_in(spend_seven)
    with pytest.raises(sqlite3.OperationalError):
        await database.run(lambda connection: connection.execute("SELECT 王小明"))

    await database.close()
    reopened = Database(tmp_path / FILE_NAME)
    await reopened.open()
    assert await reopened.run(tokens_spent) == 7
    await reopened.close()


async def test_a_number_that_no_column_holds_spoils_nothing_it_is_done_with(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)

    await ledger.spending.spend(date(2026, 1, 2), 10**30)
    await accepted(ledger, "1")
    await ledger.spending.spend(date(2026, 1, 2), 7)

    assert await ledger.spending.spent(date(2026, 1, 2)) == 7
    await ledger.close()
    assert "OverflowError" in caplog.text


async def test_a_ledger_is_closed_after_what_was_handed_in(tmp_path: Path) -> None:
    database = Database(tmp_path / FILE_NAME)
    await database.open()
    begun = database.begun

    database.hand_in(spend_seven)
    await database.close()

    reader = sqlite3.connect(tmp_path / FILE_NAME)
    assert reader.execute("SELECT tokens FROM spending").fetchall() == [(7,)]
    reader.close()
    assert database.begun != begun


def spend_seven(connection: Connection) -> int:
    query = "INSERT INTO spending VALUES (?, 7)"
    days = len(connection.execute("SELECT day FROM spending").fetchall())
    return connection.execute(query, (str(days),)).rowcount


def tokens_spent(connection: Connection) -> int:
    (tokens,) = connection.execute("SELECT SUM(tokens) FROM spending").fetchone()
    return int(tokens)


class HalfSynced(Database):
    """A ledger on a disk that waits, or fails, when its log is to be synced."""

    def __init__(self, path: Path, *, fails: bool = False) -> None:
        super().__init__(path)
        self.written, self._fails = threading.Event(), fails

    def _sync(self) -> None:
        if self._fails:
            raise OSError(errno.EIO, "no such luck")
        assert self.written.wait(HANG_SECONDS)
        super()._sync()


async def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreUnwritable, match="ledger"):
        await Ledger.open(tmp_path / "file" / "data", IDENTITIES)


async def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path) -> None:
    content = b"this is no database, it only lies in its place" * 50
    (tmp_path / FILE_NAME).write_bytes(content)

    with pytest.raises(StoreDamaged):
        await Ledger.open(tmp_path, IDENTITIES)

    assert (tmp_path / FILE_NAME).read_bytes() == content


async def test_a_ledger_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    await ledger.close()
    with sqlite3.connect(tmp_path / FILE_NAME) as raw:
        raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.close()

    with pytest.raises(StoreFromFuture):
        await Ledger.open(tmp_path, IDENTITIES)


async def test_a_ledger_in_use_by_another_process_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.conversation.ledger.database.LOCK_SECONDS", 0.01)
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreLocked):
        await accepted(ledger, "1")

    other.execute("ROLLBACK")
    other.close()
    assert len(await accepted(ledger, "1")) == 1
    await ledger.close()


def test_migrations_run_once_each_and_keep_what_was_there() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")
    added = (*MIGRATIONS, "ALTER TABLE spending ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;")

    migrate(connection, added)
    migrate(connection, added)

    assert connection.execute("SELECT * FROM spending").fetchall() == [("2026-03-04", 7, 0)]
    assert connection.execute("PRAGMA user_version").fetchone() == (len(added),)
    connection.close()


def test_a_migration_that_fails_leaves_the_version_before_it() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    broken = (*MIGRATIONS, "DROP TABLE spending; CREATE TABLE spending (; ")

    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, broken)

    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    assert connection.execute("SELECT count(*) FROM spending").fetchone() == (0,)
    connection.close()


async def test_work_that_was_begun_is_finished_although_its_caller_is_cancelled(
    tmp_path: Path,
) -> None:
    ledger = await Ledger.open(tmp_path, IDENTITIES)
    started = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection: Connection) -> None:
        loop.call_soon_threadsafe(started.set)
        connection.execute("INSERT INTO spending VALUES ('2026-03-04', 7)")

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(ledger._database.run(slow))
        await started.wait()
        task.cancel()

    assert await ledger.spending.spent(date(2026, 3, 4)) == 7
    await ledger.close()


async def test_what_was_handed_in_is_done_although_its_caller_is_cancelled(tmp_path: Path) -> None:
    database = Database(tmp_path / "ledger.sqlite3")
    await database.open()
    held = threading.Event()
    first = asyncio.create_task(database.run(lambda _: held.wait(HANG_SECONDS)))
    second = asyncio.create_task(
        database.run(lambda c: c.execute("INSERT INTO spending VALUES ('2026-03-04', 7)"))
    )
    await asyncio.sleep(0.01)
    second.cancel()
    await asyncio.sleep(0.01)
    held.set()
    await first
    ((found,),) = await database.run(lambda c: c.execute("SELECT tokens FROM spending").fetchall())

    assert second.cancelled()
    assert found == 7
    await database.close()
