"""The tables of the ledger, and the numbered steps that bring an older file up to date."""

from sqlite3 import Connection
from typing import Final

from memory.errors import StoreFromFuture

_FIRST_TABLES: Final = """
CREATE TABLE conversations (
  number   INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  account  TEXT NOT NULL,
  chat     TEXT NOT NULL,
  thread   TEXT NOT NULL,
  agent_id TEXT,
  UNIQUE (platform, account, chat, thread)
) STRICT;

CREATE TABLE turns (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (number),
  at           TEXT NOT NULL,
  private      INTEGER NOT NULL,
  reply_to     TEXT NOT NULL,
  kind         TEXT NOT NULL DEFAULT 'open' CHECK (kind IN ('open', 'reply', 'apology')),
  text         TEXT NOT NULL DEFAULT '',
  answered_at  TEXT NOT NULL DEFAULT '',
  used         TEXT NOT NULL DEFAULT '[]',
  send         TEXT NOT NULL DEFAULT 'none'
               CHECK (send IN ('none', 'planned', 'sending', 'in_doubt', 'sent', 'refused')),
  sends        INTEGER NOT NULL DEFAULT 0,
  committed    INTEGER NOT NULL DEFAULT 0,
  finished     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX unfinished_turns ON turns (conversation, number) WHERE finished = 0;

CREATE TABLE pieces (
  turn        TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  place       INTEGER NOT NULL,
  platform_id TEXT NOT NULL,
  PRIMARY KEY (turn, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  number       INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  conversation INTEGER NOT NULL REFERENCES conversations (number),
  turn         TEXT REFERENCES turns (id),
  state        TEXT NOT NULL DEFAULT 'received' CHECK (state IN
               ('received', 'in_turn', 'answered', 'committed', 'done', 'failed')),
  received_at  TEXT NOT NULL,
  not_before   TEXT NOT NULL DEFAULT '',
  attempts     INTEGER NOT NULL DEFAULT 0,
  told         INTEGER NOT NULL DEFAULT 0,
  failure      TEXT NOT NULL DEFAULT '',
  dedupe_key   TEXT NOT NULL,
  sender_id    TEXT NOT NULL,
  sender_name  TEXT NOT NULL,
  is_bot       INTEGER NOT NULL,
  at           TEXT NOT NULL,
  text         TEXT NOT NULL,
  private      INTEGER NOT NULL,
  addressed    INTEGER NOT NULL,
  quoted       TEXT NOT NULL,
  modality     TEXT NOT NULL,
  reply_to     TEXT NOT NULL,
  raw          TEXT NOT NULL
) STRICT;
CREATE INDEX owed_messages ON messages (conversation, number)
  WHERE state IN ('received', 'in_turn');
CREATE INDEX messages_of_turns ON messages (turn) WHERE turn IS NOT NULL;

CREATE TABLE spending (
  day    TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE factors (
  model  TEXT PRIMARY KEY,
  factor REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""

_LINK_TABLES: Final = """
CREATE TABLE offers (
  digest     TEXT PRIMARY KEY,
  host       INTEGER NOT NULL UNIQUE REFERENCES conversations (number),
  host_name  TEXT NOT NULL,
  guest      INTEGER REFERENCES conversations (number),
  guest_name TEXT NOT NULL DEFAULT '',
  agreed     INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
  id     TEXT PRIMARY KEY,
  kind   TEXT NOT NULL CHECK (kind IN ('join', 'copy')),
  source TEXT NOT NULL,
  target TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_ADMIN_COLUMN: Final = """
ALTER TABLE messages ADD COLUMN sender_is_admin INTEGER NOT NULL DEFAULT 0;
"""

MIGRATIONS: Final[tuple[str, ...]] = (_FIRST_TABLES, _LINK_TABLES, _ADMIN_COLUMN)
"""Step n brings a ledger of version n to n + 1; a published step is never changed."""


def migrate(connection: Connection, steps: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the ledger to the newest version, each step all or nothing.

    Raises :class:`StoreFromFuture` for a file that a newer program wrote.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(steps):
        raise StoreFromFuture(
            f"the ledger has version {version}, this program knows {len(steps)}: please update it"
        )
    for number in range(version, len(steps)):
        with connection:
            connection.executescript(
                f"BEGIN IMMEDIATE; {steps[number]} PRAGMA user_version = {number + 1};"
            )
