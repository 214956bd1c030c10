"""The ledger's tables, and what its statements are run on: one text for every database.

Statements are written as SQLite reads them, with what PostgreSQL understands as well: conflicts
are named with their columns, what is true is compared with 1, lists are places of their own.
:mod:`bot.conversation.ledger.server_database` translates what is left, places and types.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from bot.conversation.ledger.page_sums import PageDamage
from memory.changes import Used

T = TypeVar("T")

EVERYBODY: Final = "1 = 1"
"""The condition of a program by itself for whom it looks after."""

CONVERSATIONS_DUE: Final = """
SELECT c.*, MIN(owed.since) AS since FROM conversations c JOIN (
  SELECT m.conversation, m.received_at AS since FROM messages m
  WHERE m.state IN ('received', 'in_turn') AND m.not_before <= ? AND NOT EXISTS (
    SELECT 1 FROM messages b WHERE b.conversation = m.conversation AND b.number < m.number
    AND b.state IN ('received', 'in_turn') AND (b.attempts = 0 OR m.attempts > 0))
  UNION ALL
  SELECT conversation, at FROM turns WHERE finished = 0
) AS owed ON owed.conversation = c.number
WHERE c.platform IN {platforms} AND {ours} GROUP BY c.number ORDER BY since
"""
"""Where anything can be done now: what is due is never more than what is handed out.

Of messages that wait the oldest decides for all; only what nobody tried yet passes what was tried
in vain. One that is due behind them, but may not pass, would be called due again and again.
"""

NEVER_TRIED: Final = "AND m.attempts = 0"
"""The condition of a message that passes those that were tried in vain."""

PARTNER_IS_THERE: Final = """
UPDATE messages SET not_before = ''
WHERE conversation = ? AND state = 'received' AND not_before != ''
"""
"""Whoever writes need not wait until it is time to try again."""

MODEL_IS_THERE: Final = PARTNER_IS_THERE.replace(
    "= ?", "= (SELECT conversation FROM turns WHERE id = ?)"
)
"""Nor need what waits behind a turn that was answered."""

WAIT_TOGETHER: Final = """
UPDATE messages SET not_before = ? WHERE state = 'received' AND attempts > 0 AND not_before < ?
AND conversation = (SELECT conversation FROM turns WHERE id = ?)
"""
"""While a model is away nothing that was tried is tried before the others."""

WROTE_ON: Final = """
SELECT 1 FROM turns t JOIN messages m ON m.conversation = t.conversation
WHERE t.id = ? AND m.state = 'received' AND m.attempts = 0 AND m.addressed = 1
AND m.received_at > t.at AND m.text NOT LIKE '%/%' AND m.text NOT LIKE '%／%'
"""
"""What was said since a turn began; whatever holds a slash may be a command."""

Values: TypeAlias = Sequence[Any] | Mapping[str, Any]


class Row(Protocol):
    """One row; its columns by name or place, and one after another."""

    def __getitem__(self, key: str | int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def keys(self) -> Iterable[str]: ...


class Executed(Protocol):
    """What a statement found or changed."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    def fetchone(self) -> Any:
        """Return the next row, None where there is none."""

    def fetchall(self) -> list[Any]:
        """Return every row."""


class Connection(Protocol):
    """Runs statements inside whatever transaction runs."""

    def execute(self, statement: str, values: Values = (), /) -> Executed:
        """Run one statement."""

    def executemany(self, statement: str, values: Iterable[Values], /) -> object:
        """Run one statement with each of the values."""


class LedgerDatabase(Protocol):
    """Where a ledger's tables are. ``damage`` is what was found of it when it was opened.

    ``ours`` is the condition of an ``{agent}``, as a statement writes it, for being looked after
    by this program; of several workers each looks after its own. ``begun`` counts transactions, so
    that it is known when nothing can have changed; it is None where others write as well.
    """

    damage: PageDamage
    ours: str
    begun: int | None

    async def open(self) -> None:
        """Open or create the tables, and migrate them; raises :class:`StoreError`."""

    async def run(self, work: Callable[[Connection], T], *, synced: bool = True) -> T:
        """Run ``work`` as one transaction and return its result; raises :class:`StoreError`.

        If it raises, none of its changes is kept. Synced changes outlive a power failure. Others
        outlive the process at once, and a power failure only after the next synced change: enough
        for steps that can be taken again without harm. Work that was handed in is done even if
        its caller is cancelled meanwhile, and two pieces of work never see half of one another.
        """

    async def run_ahead(self, work: Callable[[Connection], T], seen: Callable[[T], None]) -> T:
        """Run ``work`` as :meth:`run` does, synced; ``seen`` is told its result before the sync.

        From then on all other work sees it, while the disk is still waited for. A synced change
        that comes later is durable only together with this one. Raises :class:`StoreError` where
        it could not be synced: it may be there all the same.
        """

    def hand_in(self, work: Callable[[Connection], object]) -> None:
        """Run ``work`` as a transaction that nobody waits for, after all handed in before.

        It is not synced. What is handed in later sees it. If it fails, the log says so.
        """

    async def checkpoint(self) -> None:
        """Let deleted words be nowhere in the database's files any more."""

    async def settle_numbers(self) -> None:
        """Let the next rows have higher numbers than those that were inserted with theirs."""

    async def delete_set_aside(self) -> None:
        """Delete former files that were set aside; raises :class:`StoreUnwritable`."""

    async def close(self) -> None:
        """Close it, after all work that was handed in."""


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

_DOCUMENT_COLUMN: Final = """
ALTER TABLE turns ADD COLUMN document TEXT NOT NULL DEFAULT '';
"""

_PEOPLE_AND_STOPS: Final = """
ALTER TABLE turns ADD COLUMN stopped_by TEXT NOT NULL DEFAULT '';

CREATE TABLE people (
  platform TEXT NOT NULL,
  person   TEXT NOT NULL,
  name     TEXT NOT NULL DEFAULT '',
  state    TEXT NOT NULL CHECK (state IN ('owner', 'asks', 'in', 'out')),
  at       TEXT NOT NULL,
  told     INTEGER NOT NULL DEFAULT 0,
  verdict_by TEXT NOT NULL DEFAULT '',
  home     INTEGER REFERENCES conversations (number),
  PRIMARY KEY (platform, person)
) STRICT, WITHOUT ROWID;
"""

_WAKES: Final = """
CREATE TABLE wakes (
  agent TEXT NOT NULL,
  item  INTEGER NOT NULL,
  at    TEXT NOT NULL,
  PRIMARY KEY (agent, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_wakes ON wakes (at);
"""

MIGRATIONS: Final[tuple[str, ...]] = (
    _FIRST_TABLES,
    _LINK_TABLES,
    _ADMIN_COLUMN,
    _DOCUMENT_COLUMN,
    _PEOPLE_AND_STOPS,
    _WAKES,
)
"""Step n brings a ledger of version n to n + 1; a published step is never changed."""

# Conversations first: the others name them.
TABLES: Final = (
    "conversations", "turns", "pieces", "messages", "spending", "factors", "offers", "moves",
    "people", "wakes",
)  # fmt: skip


def used_json(used: tuple[Used, ...]) -> str:
    """Return the memories a reply used, as the JSON of the column ``used``."""
    # Not by ``asdict``, which copies every value and takes five times as long.
    rows = [{name: getattr(each, name) for name in Used.__slots__} for each in used]
    return json.dumps(rows, ensure_ascii=False)


@lru_cache(maxsize=8)  # an answer on its way is read at each of its steps
def used_from_json(text: str) -> tuple[Used, ...]:
    """Return what :func:`used_json` wrote."""
    return tuple(
        Used(
            memory_id=each["memory_id"],
            score=each["score"],
            reasons=tuple(each["reasons"]),
            associated=each["associated"],
            source_ids=tuple(each["source_ids"]),
            path=tuple(each.get("path", ())),  # turns of an earlier version have none
        )
        for each in json.loads(text)
    )
