"""People at the door: who asked to talk, whom an owner let in or not, and where owners are told.

Only ids and names are kept, never what anybody wrote.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from bot.conversation.ledger import records
from bot.conversation.ledger.tables import Connection, LedgerDatabase, Row
from bot.conversation.messages import ConversationKey, Incoming
from bot.conversation.reply_text import without_controls
from bot.identity import PlatformId

PersonState: TypeAlias = Literal["owner", "asks", "in", "out"]

LONGEST_NAME: Final = 40
"""Characters of a name that are kept: whoever chooses it may write anything into it."""

MOST_ASKED: Final = 10
"""For so many strangers a day an owner is asked: a crowd must not fill their screen."""

MOST_WAITING: Final = 200
"""So many who asked are kept; the one who asked longest ago makes room."""

ASKED_WITHIN: Final = timedelta(days=1)

_SELECT: Final = """
SELECT p.*, p.platform AS of_platform, c.platform, c.account, c.chat, c.thread
FROM people p LEFT JOIN conversations c ON c.number = p.home
"""

_DROP_OLDEST: Final = """
DELETE FROM people WHERE state = 'asks' AND (platform, person) NOT IN
  (SELECT platform, person FROM people WHERE state = 'asks' ORDER BY at DESC LIMIT ?)
"""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody at the door or inside. ``home`` is their private chat, None if it is not known."""

    id: PlatformId
    name: str
    state: PersonState
    at: datetime
    home: ConversationKey | None = None
    verdict_by: str = ""


class People:
    """Keep who asked to talk, and what an owner said to it."""

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def note_owner(self, incoming: Incoming, now: datetime) -> None:
        """Note where an owner can be told something in private."""
        await self._database.run(lambda c: _put(c, incoming, "owner", now), synced=False)

    async def knock(self, incoming: Incoming, now: datetime) -> bool:
        """Note that a stranger wants to talk; return whether that was not known before."""

        def work(connection: Connection) -> bool:
            known = "SELECT 1 FROM people WHERE platform = ? AND person = ?"
            if records.query_rows(connection, known, *_id_of(incoming)):
                return False
            _put(connection, incoming, "asks", now)
            connection.execute(_DROP_OLDEST, (MOST_WAITING,))
            return True

        return await self._database.run(work, synced=False)

    async def untold(self, now: datetime) -> tuple[KnownPerson, ...]:
        """Return those who asked and of whom no owner was told, as many as may be today."""

        def work(connection: Connection) -> tuple[KnownPerson, ...]:
            since = records.instant_text(now - ASKED_WITHIN)
            query = "SELECT COUNT(*) AS told FROM people WHERE told != 0 AND at > ?"
            (row,) = records.query_rows(connection, query, since)
            where = "WHERE p.state = 'asks' AND p.told = 0 ORDER BY p.at LIMIT ?"
            left = max(MOST_ASKED - int(row["told"]), 0)
            found = records.query_rows(connection, f"{_SELECT} {where}", left)
            return tuple(map(_person_of, found))

        return await self._database.run(work, synced=False)

    async def note_told(self, people: Sequence[KnownPerson]) -> None:
        """Note that an owner is told of these now; before it is done, so that it is once."""
        await self._database.run(
            lambda connection: connection.executemany(
                "UPDATE people SET told = 1 WHERE platform = ? AND person = ?",
                [each.id for each in people],
            )
        )

    async def decide(
        self, person: PlatformId, verdict: Literal["in", "out"], by: str, now: datetime
    ) -> KnownPerson:
        """Let somebody in or not; return who that is. Durable on return."""

        def work(connection: Connection) -> KnownPerson:
            connection.execute(
                "INSERT INTO people (platform, person, state, at, told, verdict_by)"
                " VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT (platform, person) DO UPDATE"
                " SET state = excluded.state,"
                " at = excluded.at, told = 1, verdict_by = excluded.verdict_by",
                (*person, verdict, records.instant_text(now), by),
            )
            where = "WHERE p.platform = ? AND p.person = ?"
            (row,) = records.query_rows(connection, f"{_SELECT} {where}", *person)
            return _person_of(row)

        return await self._database.run(work)

    async def everybody(self) -> tuple[KnownPerson, ...]:
        """Return all who are known, whoever came last in front."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, f"{_SELECT} ORDER BY p.at DESC, p.platform, p.person"
            ),
            synced=False,
        )
        return tuple(map(_person_of, found))


def _id_of(incoming: Incoming) -> PlatformId:
    return PlatformId(incoming.conversation.platform, incoming.sender.id)


def _put(connection: Connection, incoming: Incoming, state: PersonState, now: datetime) -> None:
    name = " ".join(without_controls(incoming.sender.name).split())[:LONGEST_NAME]
    home = records.ensure_conversation(connection, incoming.conversation)
    connection.execute(
        "INSERT INTO people (platform, person, name, state, at, home) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (platform, person) DO UPDATE"
        " SET state = excluded.state, home = excluded.home",
        (
            *_id_of(incoming),
            records.storable(name),
            state,
            records.instant_text(now),
            home if incoming.private else None,
        ),
    )


def _person_of(row: Row) -> KnownPerson:
    return KnownPerson(
        id=PlatformId(row["of_platform"], row["person"]),
        name=row["name"],
        state=row["state"],
        at=datetime.fromisoformat(row["at"]),
        home=records.conversation_of(row) if row["home"] is not None else None,
        verdict_by=row["verdict_by"],
    )
