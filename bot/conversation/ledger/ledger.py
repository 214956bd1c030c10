"""The ledger of one data folder, and its small parts: spending, history, and chats being linked.

:class:`Ledger` opens the file and holds its parts; each has its own tables. A move of a chat to
another memory is recorded before it begins, so that one cut short can be finished or undone.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Final, Literal

from bot.conversation.ledger import records
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.erasure import LedgerErasure
from bot.conversation.ledger.inbox import Bindings, Inbox, bind_chat
from bot.conversation.ledger.people import People
from bot.conversation.ledger.records import TurnEntry
from bot.conversation.ledger.salvage import DamageLog
from bot.conversation.ledger.tables import Connection, LedgerDatabase, Row
from bot.conversation.ledger.turns import Turns, TurnStops
from bot.conversation.ledger.wakes import Wakes
from bot.conversation.messages import ConversationKey
from bot.identity import Identities

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

    def __init__(self, database: LedgerDatabase) -> None:
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
                " ORDER BY CASE WHEN host = ? AND agreed = 1 THEN 0"
                " WHEN guest = ? THEN 1 ELSE 2 END"
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


class TokenSpending:
    """Keep what each day cost in tokens, so that a daily limit holds over restarts.

    And the learnt factor of each model's token counter; see :class:`bot.llm.tokens.TokenCounter`.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def spent(self, day: date) -> int:
        """Return how many tokens were spent on that day."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, "SELECT tokens FROM spending WHERE day = ?", day.isoformat()
            ),
            synced=False,
        )
        return int(found[0]["tokens"]) if found else 0

    async def spend(self, day: date, tokens: int) -> None:
        """Add ``tokens`` to what was spent on that day; :meth:`spent` counts them from now on."""
        # Nobody waits: the answer that cost them is about to be recorded, and shown.
        self._database.hand_in(
            lambda connection: connection.execute(
                "INSERT INTO spending (day, tokens) VALUES (?, ?) ON CONFLICT (day)"
                " DO UPDATE SET tokens = spending.tokens + excluded.tokens",
                (day.isoformat(), tokens),
            )
        )

    async def factor(self, model: str) -> float | None:
        """Return the learnt ratio of a model's own token count to our estimate, if known."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, "SELECT factor FROM factors WHERE model = ?", model
            ),
            synced=False,
        )
        return float(found[0]["factor"]) if found else None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Store the ratio for a model."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO factors (model, factor) VALUES (?, ?)"
                " ON CONFLICT (model) DO UPDATE SET factor = excluded.factor",
                (model, factor),
            ),
            synced=False,
        )


_CHANNELS: Final = """
SELECT c.platform, MAX(m.received_at) AS last_at,
  COUNT(*) FILTER (WHERE m.state IN ('received', 'answered')
    OR m.state = 'in_turn' AND m.turn IS NOT NULL) AS waiting,
  MIN(CASE WHEN m.state IN ('received', 'answered') OR m.state = 'in_turn' AND m.turn IS NOT NULL
    THEN m.received_at END) AS oldest_at,
  COUNT(*) FILTER (WHERE m.state = 'failed') AS failed,
  (SELECT COUNT(*) FROM turns t JOIN conversations o ON o.number = t.conversation
   WHERE o.platform = c.platform AND t.finished = 0 AND t.kind != 'open' AND t.sends > 0
   AND t.send NOT IN ('sent', 'refused')) AS owed
FROM messages m JOIN conversations c ON c.number = m.conversation GROUP BY c.platform
ORDER BY c.platform
"""

# Adapters may put more before the message's id, up to a slash. The comparison by the end of the
# text needs no pattern, in which characters of the id would have a meaning.
_SHOWS: Final = "substr('/' || p.platform_id, length(p.platform_id) - length(?1) + 2) = ?1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelTraffic:
    """The messages of one platform over the last two days.

    ``last_at`` is when the last one came (ISO 8601, UTC). A command under way is not waiting.
    ``oldest_at`` is when the oldest of those waiting came, None if none waits.
    ``owed`` answers were tried and could not be sent yet.
    ``failed`` also counts what could not be read within the last month.
    """

    platform: str
    last_at: str
    waiting: int
    failed: int
    owed: int
    oldest_at: str | None = None


class MessageHistory:
    """Answer which turn a message of ours shows, and what came through which platform."""

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the id of the turn that one of our messages shows; empty if it is not known.

        ``conversation`` is the key as text. It is compared because Telegram's message ids are
        unique within a chat only.
        """

        def work(connection: Connection) -> str:
            query = f"{records.SELECT_TURN} JOIN pieces p ON p.turn = t.id WHERE {_SHOWS}"
            for row in records.query_rows(connection, query, f"/{platform_id}"):
                if str(records.conversation_of(row)) == conversation:
                    return str(row["id"])
            return ""

        return await self._database.run(work, synced=False)

    async def is_ours(self, chat: ConversationKey, platform_id: str) -> bool:
        """Whether a message of a chat, in whatever thread, shows a turn of the last month."""

        def work(connection: Connection) -> bool:
            query = f"{records.SELECT_TURN} JOIN pieces p ON p.turn = t.id WHERE {_SHOWS}"
            found = records.query_rows(connection, query, f"/{platform_id}")
            places = [records.conversation_of(row) for row in found]
            return any(replace(each, thread=chat.thread) == chat for each in places)

        return await self._database.run(work, synced=False)

    async def place_of_turn(self, turn_id: str) -> tuple[ConversationKey, str] | None:
        """Return where a turn was, and the platform's id of its last message; None if unknown."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, f"{records.SELECT_TURN} WHERE t.id = ?", turn_id
            ),
            synced=False,
        )
        return (records.conversation_of(found[0]), str(found[0]["reply_to"])) if found else None

    async def signs_left(self, platform: str) -> tuple[TurnEntry, ...]:
        """Return the turns that are over and whose sign on the question may still be there."""

        def work(connection: Connection) -> tuple[TurnEntry, ...]:
            values = (platform, records.SIGN_PLACE)
            return records.read_turns(connection, records.SIGN_LEFT, *values)

        return await self._database.run(work, synced=False)

    async def forget_sign(self, turn: TurnEntry) -> None:
        """Note that the sign of a turn is gone."""
        query, place = "DELETE FROM pieces WHERE turn = ? AND place = ?", records.SIGN_PLACE
        await self._database.run(lambda c: c.execute(query, (turn.id, place)), synced=False)

    async def channels(self) -> tuple[ChannelTraffic, ...]:
        """Return the traffic of every platform that had messages lately."""
        found = await self._database.run(
            lambda connection: records.query_rows(connection, _CHANNELS), synced=False
        )
        return tuple(ChannelTraffic(**dict(row)) for row in found)


FILE_NAME: Final = "ledger.sqlite3"


class Ledger:
    """The parts of the ledger, over one database; what they wrote outlives the process.

    ``identities`` say which agent a new chat gets. ``damage`` is what was found in the folder.
    """

    def __init__(self, database: LedgerDatabase, identities: Identities) -> None:
        self.identities: Final = identities
        self._database = database
        self.inbox = Inbox(database, identities)
        self.turns = Turns(database)
        self.stops = TurnStops(database)
        self.people = People(database)
        self.bindings = Bindings(database, identities)
        self.links = ChatLinks(database)
        self.spending = TokenSpending(database)
        self.erasure = LedgerErasure(database)
        self.wakes = Wakes(database)
        self.history = MessageHistory(database)
        self.damage = DamageLog()

    @classmethod
    async def open(
        cls, data_dir: Path, identities: Identities, database: LedgerDatabase | None = None
    ) -> "Ledger":
        """Open a ledger, the file of the folder unless given; raises :class:`StoreError`."""
        database = database or Database(data_dir / FILE_NAME)
        await database.open()
        ledger = cls(database, identities)
        ledger.damage.note_ledger(database.damage)
        return ledger

    async def checkpoint(self) -> None:
        """Remove from the files what was deleted from the tables; raises :class:`StoreError`."""
        await self._database.checkpoint()

    async def close(self) -> None:
        """Finish what was begun and close the file."""
        await self._database.close()
