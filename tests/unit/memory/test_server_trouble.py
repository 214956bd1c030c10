"""What goes wrong with a server that is there: too slow, too full, too new, or all in use."""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memory.errors import DatabaseAway, StoreFromFuture, StoreUnwritable
from memory.model import Language
from tests.fakes.postgres import OpenServer, Schemas

if TYPE_CHECKING:
    from memory.stores.server import Session

psycopg = pytest.importorskip("psycopg")
pytest.importorskip("psycopg_pool")

from memory.stores.server import POOL_SIZE, Server  # noqa: E402 - only with it


def ask(server: Server, query: str, *values: object) -> Any:
    found = server.run(lambda connection: connection.execute(query, values).fetchone())
    return found[0] if found else None


def test_a_step_that_takes_too_long_is_refused_and_changes_nothing(
    open_server: OpenServer, tmp_path: Path
) -> None:
    one, other = open_server(tmp_path), open_server(tmp_path)
    one.share("key", b"mine")

    def work(connection: "Session") -> None:
        connection.execute("SET LOCAL statement_timeout = '20ms'")
        connection.execute("UPDATE shared_files SET content = 'theirs'")
        connection.execute("SELECT pg_sleep(5)")

    with pytest.raises(StoreUnwritable, match="took longer"):
        one.run(work)

    assert other.shared("key") == b"mine"
    assert ask(one, "SELECT 1") == 1


def test_when_all_connections_are_in_use_work_waits_for_one(
    open_server: OpenServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = open_server(tmp_path)
    monkeypatch.setattr("memory.stores.server.PATIENCE", 0.1)
    held = [server._pool.getconn(2.0) for _ in range(POOL_SIZE)]

    with pytest.raises(DatabaseAway, match="does not answer"):
        ask(server, "SELECT 1")
    monkeypatch.setattr("memory.stores.server.PATIENCE", 20.0)

    def free() -> None:
        for each in held:
            server._pool.putconn(each)

    freeing = threading.Timer(0.1, free)
    freeing.start()

    assert ask(server, "SELECT 1") == 1
    freeing.join()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_worker_beside_a_newer_one_goes_on_and_an_old_one_that_begins_is_refused(
    open_server: OpenServer, tmp_path: Path, language: Language
) -> None:
    older = open_server(tmp_path)
    newest = ask(older, "SELECT version FROM versions WHERE part = 'leases'")
    change = "UPDATE versions SET version = %s WHERE part = 'leases' RETURNING 1"
    ask(older, change, newest + 1)  # as the next release does when it begins
    older.leases.take("agents/ann")

    try:
        with pytest.raises(StoreFromFuture) as refused:
            open_server(tmp_path)
    finally:
        ask(older, change, newest)

    said = refused.value.in_language(language)
    assert ("升级" if language == "zh" else "please update it") in said
    assert older.run(lambda connection: older.leases.prove(connection, "agents/ann"))


def test_a_server_without_a_connection_left_is_named(
    open_server: OpenServer, tmp_path: Path, schemas: Schemas
) -> None:
    server = open_server(tmp_path)
    ask(server, "SELECT 1")
    role = f"few_{os.getpid()}"
    with psycopg.connect(schemas.url, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 0")
        try:
            with pytest.raises(DatabaseAway, match="max_connections"):
                Server(psycopg.conninfo.make_conninfo(schemas.url, user=role))
        finally:
            admin.execute(f"DROP ROLE {role}")


def test_a_full_disk_of_the_server_is_told_like_one_of_ours(
    open_server: OpenServer, tmp_path: Path
) -> None:
    server = open_server(tmp_path)
    body = "BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END"

    with pytest.raises(StoreUnwritable, match="full"):
        server.run(lambda connection: connection.execute(f"DO $$ {body} $$"))

    assert ask(server, "SELECT 1") == 1
