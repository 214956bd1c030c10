"""A worker and its database: one owner of a folder, and nothing written by who owned it before."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memory.errors import DatabaseAway, StoreError, StoreFromFuture, StoreLocked
from memory.stores.disk import replace_file
from tests.fakes.postgres import OpenDisk, OpenServer

if TYPE_CHECKING:
    from memory.stores.server import Server, Session

COUNT = "SELECT COUNT(*) FROM versions"


def ask(server: "Server", query: str, *values: object) -> Any:
    found = server.run(lambda connection: connection.execute(query, values).fetchone())
    return found[0] if found else None


def lose_sessions(server: "Server", witness: "Server") -> None:
    """End every connection of a worker, as a machine that vanishes does."""
    pids = [server._session.info.backend_pid] if server._session else []
    pids.append(ask(server, "SELECT pg_backend_pid()"))
    for pid in pids:
        ask(witness, "SELECT pg_terminate_backend(%s, 5000)", pid)


def test_a_folder_has_one_owner_until_its_worker_ends(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    one.leases.take("agents/ann")

    with pytest.raises(BlockingIOError):
        other.leases.take("agents/ann")
    other.leases.take("agents/bob")
    one.close()
    other.leases.take("agents/ann")


def test_a_folder_that_was_given_up_can_be_taken_at_once(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    for worker in (one, other, one):
        worker.leases.take("")
        worker.leases.release("")


def test_who_was_thought_dead_can_write_nothing_once_another_took_over(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    one.leases.take("")
    assert one.run(lambda connection: one.leases.prove(connection, ""))

    lose_sessions(one, other)
    other.leases.take("")

    with pytest.raises(StoreLocked, match="taken over"):
        one.run(lambda connection: one.leases.prove(connection, ""))
    one.leases.release("")
    assert other.run(lambda connection: other.leases.prove(connection, ""))


def test_an_old_owner_cannot_append_to_a_file(open_disk: OpenDisk, tmp_path: Path) -> None:
    one, other = open_disk(tmp_path), open_disk(tmp_path)
    home = tmp_path / "agents" / "ann"
    one.lock(home / "lock")
    file = one.open(home / "journal")
    one.write(file, b"mine\n")
    one.sync(file)
    lose_sessions(one._server, other._server)  # type: ignore[attr-defined]
    other.lock(home / "lock")

    one.write(file, b"late\n")
    with pytest.raises(OSError, match="taken over"):
        one.sync(file)

    assert other.read(home / "journal") == b"mine\n"


def test_a_store_that_lost_its_folder_writes_nothing_though_nobody_owns_it_by_now(
    open_disk: OpenDisk, tmp_path: Path
) -> None:
    one, other = open_disk(tmp_path), open_disk(tmp_path)
    home = tmp_path / "agents" / "ann"
    lock, file = one.lock(home / "lock"), one.open(home / "journal")
    lose_sessions(one._server, other._server)  # type: ignore[attr-defined]
    other.close(other.lock(home / "lock"))

    assert one._server.leases.lost() == {"agents/ann"}  # type: ignore[attr-defined]
    one.write(file, b"late\n")
    with pytest.raises(OSError, match="taken over"):
        one.sync(file)
    one.close(lock)
    one.close(one.lock(home / "lock"))


def test_an_agent_is_kept_without_a_store_and_taken_by_nobody_meanwhile(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    lease = one.leases.keep("agents/ann")
    one.leases.take("agents/ann")
    one.leases.release("agents/ann")

    assert lease is not None
    assert other.leases.keep("agents/ann") is None
    one.run(lambda connection: one.leases.prove_lease(connection, lease))
    one.leases.let_go("agents/ann")
    assert other.leases.keep("agents/ann") is not None
    with pytest.raises(StoreLocked):
        one.run(lambda connection: one.leases.prove_lease(connection, lease))


def test_workers_hear_what_is_meant_for_them(open_server: OpenServer, tmp_path: Path) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    ear = one.listen()
    for worker, kind in ((one.worker, "said"), (other.worker, "not for one"), (0, "freed")):
        other.run(partial(other.tell, worker=worker, kind=kind, about="安"))
    heard = ear.heard()
    while len(heard) < 2:  # what was committed arrives a moment later
        heard += ear.heard()
    ear.close()

    assert [(each.kind, each.about) for each in heard] == [("said", "安"), ("freed", "安")]


def test_what_workers_share_is_what_the_first_of_them_had(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    name = f"key of {tmp_path.name}"

    assert one.share(name, b"mine") == b"mine"
    assert other.share(name, b"theirs") == b"mine"


def test_a_worker_that_lost_its_session_and_nothing_else_goes_on(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    one.leases.take("")
    lose_sessions(one, other)

    assert one.run(lambda connection: one.leases.prove(connection, ""))
    one.leases.take("agents/ann")  # asks the server, and so is alive again
    with pytest.raises(BlockingIOError):
        other.leases.take("")


def test_work_that_a_lost_connection_cut_short_is_begun_anew_and_done_once(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server, witness = open_server(tmp_path), open_server(tmp_path)
    tries: list[int] = []

    def work(connection: "Session") -> None:
        connection.execute("INSERT INTO versions VALUES (%s, 1)", (f"try {len(tries)}",))
        tries.append(connection.info.backend_pid)
        if len(tries) == 1:
            ask(witness, "SELECT pg_terminate_backend(%s, 5000)", tries[0])
        connection.execute("SELECT 1")

    before = ask(server, COUNT)
    server.run(work)

    assert len(tries) == 2
    assert ask(server, COUNT) == before + 1


def test_work_that_fails_leaves_nothing_behind(open_server: OpenServer, tmp_path: Path) -> None:
    server = open_server(tmp_path)
    before = ask(server, COUNT)

    def work(connection: "Session") -> None:
        connection.execute("INSERT INTO versions VALUES ('half', 1)")
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        server.run(work)

    assert ask(server, COUNT) == before


def test_two_who_read_before_they_write_do_not_overlook_each_other(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server(tmp_path)
    both_read = threading.Barrier(2, timeout=20)
    waited: list[object] = []

    def spend(connection: "Session") -> None:
        found = connection.execute("SELECT COALESCE(MAX(fence), 0) FROM leases").fetchone()
        if len(waited) < 2:
            waited.append(found)
            both_read.wait()
        number = (found or (0,))[0] + 1
        connection.execute("INSERT INTO leases VALUES (%s, 0, %s)", (f"n{number}", number))

    at_once(2, lambda: server.run(spend, serializable=True))

    assert ask(server, "SELECT MAX(fence) FROM leases") == 2


def test_a_conflict_that_is_found_out_only_at_the_commit_is_begun_anew(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server(tmp_path)
    names, both_wrote = ["mine", "theirs"], threading.Barrier(2, timeout=20)
    for name in names:
        ask(server, "INSERT INTO leases VALUES (%s, 0, 0) RETURNING 1", name)
    begun: list[str] = []

    def add(name: str, connection: "Session") -> None:
        (total,) = connection.execute("SELECT SUM(fence) FROM leases").fetchone() or (0,)
        begun.append(name)
        change = "UPDATE leases SET fence = %s WHERE folder = %s"
        connection.execute(change, (total + 1, name))
        if len(begun) <= 2:
            both_wrote.wait()

    left = list(names)
    at_once(2, lambda: server.run(partial(add, left.pop()), serializable=True))

    assert len(begun) == 3
    assert ask(server, "SELECT SUM(fence) FROM leases") == 3  # one after the other: 1 and 2


def test_workers_that_start_at_once_make_the_tables_once(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server(tmp_path)
    steps = ("CREATE TEMP TABLE IF NOT EXISTS t (n INTEGER)", "SELECT 1")

    at_once(4, lambda: server.migrate("trial", steps))

    assert ask(server, "SELECT version FROM versions WHERE part = 'trial'") == 2
    with pytest.raises(StoreFromFuture, match="please update"):
        server.migrate("trial", steps[:1])
    server.run(lambda connection: connection.execute("DELETE FROM versions WHERE part = 'trial'"))


def at_once(number: int, work: Callable[[], object]) -> None:
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 (told below)
            failures.append(error)

    threads = [threading.Thread(target=guarded) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://a:geheim@host/b", "is not postgresql://"),
        ("postgresql://a:geheim@[host/b", "is not postgresql://"),
        ("postgresql://a:geheim@127.0.0.1:1/b", "does not answer"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(
    url: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg_pool")
    from memory.stores.server import Server  # noqa: PLC0415

    monkeypatch.setattr("memory.stores.server._STARTING", 0.0)
    with pytest.raises(StoreError, match=said) as caught:
        Server(url)

    assert "geheim" not in str(caught.value)


def test_a_user_and_a_database_that_are_not_there_are_told_apart(database_url: str) -> None:
    import psycopg  # noqa: PLC0415
    from psycopg.conninfo import make_conninfo  # noqa: PLC0415

    from memory.stores.server import Server  # noqa: PLC0415

    del psycopg
    with pytest.raises(DatabaseAway, match="no such database"):
        Server(make_conninfo(database_url, dbname="not_there"))
    with pytest.raises(DatabaseAway, match="user or the password"):
        Server(make_conninfo(database_url, user="nobody_of_that_name"))


def test_what_was_removed_is_not_in_the_servers_files_after_a_sweep(
    open_disk: OpenDisk, tmp_path: Path
) -> None:
    disk = open_disk(tmp_path)
    home = tmp_path / "agents" / "ann"
    file = disk.open(home / "journal")
    disk.write(file, "绝密的生日计划".encode())
    disk.close(file)
    disk.close(disk.open(home / "begun"))
    server: Server = disk._server  # type: ignore[attr-defined]
    assert "绝密的生日计划".encode() in pages_of(server)

    disk.truncate(again := disk.open(home / "journal"), 0)
    disk.write(again, b"left")
    disk.close(again)
    assert "绝密的生日计划".encode() in pages_of(server)
    disk.sweep(home)

    assert "绝密的生日计划".encode() not in pages_of(server)
    assert disk.read(home / "journal") == b"left"


def test_a_sweep_waits_for_whoever_may_still_look_at_what_was_removed(
    open_disk: OpenDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = open_disk(tmp_path)
    home = tmp_path / "agents" / "ann"
    replace_file(disk, home / "journal", "绝密的生日计划".encode())
    server: Server = disk._server  # type: ignore[attr-defined]
    reader = server._connect()
    reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    reader.execute("SELECT 1 FROM files")
    replace_file(disk, home / "journal", b"left")

    monkeypatch.setattr("memory.stores.server._SWEEPING", 0.0)
    with pytest.raises(OSError, match="a dump"):
        disk.sweep(home)
    monkeypatch.setattr("memory.stores.server._SWEEPING", 20.0)
    ending = threading.Timer(0.1, reader.close)
    ending.start()
    disk.sweep(home)
    ending.join()

    assert "绝密的生日计划".encode() not in pages_of(server)


def test_the_server_of_the_tests_outlives_another_session_of_tests(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server(tmp_path)
    for folder in tmp_path.parents:
        if folder.name.startswith("pytest-of-"):
            folder.chmod(0o700)  # as pytest does whenever it begins

    checkpoint(server)

    assert ask(server, "SELECT 1") == 1


def checkpoint(server: "Server") -> None:
    """Let the server's files hold what is only in its memory yet."""
    with server._connect() as session:
        session.execute("CHECKPOINT")


def pages_of(server: "Server") -> bytes:
    """Return the files of the part of the table that holds an agent."""
    checkpoint(server)
    found: bytes = ask(
        server,
        "SELECT pg_read_binary_file(pg_relation_filepath(tableoid::regclass)) FROM file_parts"
        " WHERE agent = 'ann' LIMIT 1",
    )
    return found
