"""What a database server refuses, as the project's errors and in words that tell what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors

from memory.errors import DatabaseAway, StoreUnwritable

NOT_REACHED: Final = (
    "the database of DATABASE_URL does not answer: is the server running, and may this machine "
    "reach it?"
)

_WRONG_USER: Final = "the database refuses the user or the password of DATABASE_URL"
_NONE_LEFT: Final = "the database has no connection left: raise its max_connections"
_NOT_LET_IN: Final = {
    "authentication failed": _WRONG_USER,
    "no password supplied": _WRONG_USER,
    'FATAL:  role "': _WRONG_USER,
    "no pg_hba.conf entry": _WRONG_USER,
    'FATAL:  database "': (
        "there is no such database: create it (createdb), or mend DATABASE_URL"
    ),
    "too many": _NONE_LEFT,
    "remaining connection slots": _NONE_LEFT,
}
"""What a server says that does not let us in, and what to do; its own words are not shown."""


@contextmanager
def server_errors() -> Iterator[None]:
    """Turn what the server refuses into the project's errors; an error in our SQL stays one."""
    try:
        yield
    except (errors.DiskFull, errors.ConfigFileError) as error:
        raise StoreUnwritable("the disk of the database is full: free some space") from error
    except errors.InsufficientPrivilege as error:
        raise StoreUnwritable(
            "the user of DATABASE_URL may not do that in the database: let it own one"
        ) from error
    except errors.QueryCanceled as error:
        raise StoreUnwritable("the database took longer than 30 s for one step") from error
    except psycopg.OperationalError as error:
        raise DatabaseAway(_plainly(error)) from error


def _plainly(error: psycopg.OperationalError) -> str:
    """Say what keeps us from the database without what may hold a password."""
    # libpq tells apart only by words why a connection could not be made.
    return next((why for mark, why in _NOT_LET_IN.items() if mark in str(error)), NOT_REACHED)
