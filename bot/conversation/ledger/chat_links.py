"""Joining and parting two chats: the codes that offer it, and the moves of whole memories.

A move is recorded before it begins, so that one that is cut short can be finished or undone.
"""

from dataclasses import dataclass
from datetime import datetime
from sqlite3 import Connection, Row
from typing import Final, Literal

from bot.conversation.ledger import records
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.inbox import bind_chat
from bot.conversation.messages import ConversationKey

_SELECT_CONVERSATION: Final = "SELECT * FROM conversations WHERE number = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A code that the chat ``host`` gave out, and the chat ``guest`` that brought it.

    ``digest`` stands for the code. ``agreed`` says that the guest agrees to the join. The names
    are those of the people, for showing only.
    """

    digest: str
    host: ConversationKey
    host_name: str
    expires_at: str
    guest: ConversationKey | None = None
    guest_name: str = ""
    agreed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A memory on its way into another one (``join``), or into a new one (``copy``)."""

    id: str
    kind: Literal["join", "copy"]
    source: str
    target: str


class ChatLinks:
    """Keep offers until they are used or expire, and moves until they are finished."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def offer(self, digest: str, host: ConversationKey, name: str, until: datetime) -> None:
        """Keep the digest of a new code; it replaces the chat's earlier one."""

        def work(connection: Connection) -> None:
            number = records.ensure_conversation(connection, host)
            connection.execute("DELETE FROM offers WHERE host = ?", (number,))
            connection.execute(
                "INSERT INTO offers (digest, host, host_name, expires_at) VALUES (?, ?, ?, ?)",
                (digest, number, records.storable(name), records.instant_text(until)),
            )

        await self._database.run(work)

    async def find(self, digest: str, now: datetime) -> Offer | None:
        """Return the offer of a code, None if there is none or it has expired."""

        def work(connection: Connection) -> Offer | None:
            _delete_expired(connection, now)
            found = records.query_rows(connection, "SELECT * FROM offers WHERE digest = ?", digest)
            return _offer_from_row(connection, found[0]) if found else None

        return await self._database.run(work)

    async def take(self, offer: Offer, guest: ConversationKey, name: str) -> bool:
        """Give the code to a guest; False if another one has it already."""

        def work(connection: Connection) -> bool:
            number = records.ensure_conversation(connection, guest)
            connection.execute(
                "DELETE FROM offers WHERE guest = ? AND digest != ?", (number, offer.digest)
            )
            # One statement decides: of two guests at once only one finds the place free.
            taken = connection.execute(
                "UPDATE offers SET guest = ?, guest_name = ?"
                " WHERE digest = ? AND (guest IS NULL OR guest = ?)",
                (number, records.storable(name), offer.digest, number),
            )
            return taken.rowcount == 1

        return await self._database.run(work)

    async def agree(self, offer: Offer, until: datetime) -> None:
        """Record that the guest agrees, and give the host until then to agree too."""
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE offers SET agreed = 1, expires_at = ? WHERE digest = ?",
                (records.instant_text(until), offer.digest),
            )
        )

    async def find_for(self, place: ConversationKey, now: datetime) -> Offer | None:
        """Return the valid offer a conversation gave or took, an agreed one first."""

        def work(connection: Connection) -> Offer | None:
            _delete_expired(connection, now)
            number = records.find_conversation(connection, place)
            query = (
                "SELECT * FROM offers WHERE host = ? OR guest = ?"
                " ORDER BY host = ? AND agreed DESC, guest = ? DESC"
            )
            found = records.query_rows(connection, query, number, number, number, number)
            return _offer_from_row(connection, found[0]) if found else None

        return await self._database.run(work)

    async def withdraw(self, place: ConversationKey) -> bool:
        """Delete what a conversation gave or took; False if there was nothing."""

        def work(connection: Connection) -> bool:
            number = records.find_conversation(connection, place)
            gone = connection.execute(
                "DELETE FROM offers WHERE host = ? OR guest = ?", (number, number)
            )
            return gone.rowcount > 0

        return await self._database.run(work)

    async def begin(self, move: Move) -> None:
        """Record a move before it begins. A join binds every conversation in the same step."""

        def work(connection: Connection) -> None:
            connection.execute(
                "INSERT INTO moves (id, kind, source, target) VALUES (?, ?, ?, ?)",
                (move.id, move.kind, move.source, move.target),
            )
            # A recorded join is always carried out, so it is bound now: a message that comes in
            # before its end must not be answered by the agent that is about to go. A copy may
            # fail; its chat is bound at the end.
            if move.kind == "join":
                _delete_offers_of(connection, (move.source, move.target))
                connection.execute(
                    "UPDATE conversations SET agent_id = ? WHERE agent_id = ?",
                    (move.target, move.source),
                )

        await self._database.run(work)

    async def finish(self, move: Move, leaving: ConversationKey | None = None) -> None:
        """Delete the record of a finished move; ``leaving`` is the chat that gets the copy."""

        def work(connection: Connection) -> None:
            connection.execute("DELETE FROM moves WHERE id = ?", (move.id,))
            if leaving is not None:
                bind_chat(connection, leaving, move.target)

        await self._database.run(work)

    async def unfinished(self) -> tuple[Move, ...]:
        """Return the moves that were cut short."""
        found = await self._database.run(
            lambda connection: records.query_rows(connection, "SELECT * FROM moves ORDER BY id"),
            synced=False,
        )
        return tuple(Move(**dict(row)) for row in found)


def _delete_expired(connection: Connection, now: datetime) -> None:
    connection.execute("DELETE FROM offers WHERE expires_at <= ?", (records.instant_text(now),))


def _delete_offers_of(connection: Connection, agents: tuple[str, str]) -> None:
    connection.execute(
        "DELETE FROM offers WHERE host IN (SELECT number FROM conversations"
        " WHERE agent_id IN (?, ?)) OR guest IN (SELECT number FROM conversations"
        " WHERE agent_id IN (?, ?))",
        (*agents, *agents),
    )


def _offer_from_row(connection: Connection, row: Row) -> Offer:
    (host,) = records.query_rows(connection, _SELECT_CONVERSATION, row["host"])
    guest = records.query_rows(connection, _SELECT_CONVERSATION, row["guest"])
    return Offer(
        digest=row["digest"],
        host=records.conversation_of(host),
        host_name=row["host_name"],
        expires_at=row["expires_at"],
        guest=records.conversation_of(guest[0]) if guest else None,
        guest_name=row["guest_name"],
        agreed=bool(row["agreed"]),
    )
