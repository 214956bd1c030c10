"""The ledger of one data folder, and its two small parts: token spending and message history.

:class:`Ledger` opens the file and holds its parts; each has its own tables and its own module.
"""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from bot.conversation.ledger import records
from bot.conversation.ledger.chat_links import ChatLinks
from bot.conversation.ledger.damage import DamageLog
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.erasure import LedgerErasure
from bot.conversation.ledger.inbox import Bindings, Inbox
from bot.conversation.ledger.turns import Turns
from bot.conversation.messages import ConversationKey
from bot.identity import Identities


class TokenSpending:
    """Keep what each day cost in tokens, so that a daily limit holds over restarts.

    And the learnt factor of each model's token counter; see :class:`bot.llm.tokens.TokenCounter`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spent(self, day: date) -> int:
        """Return how many tokens were spent on that day."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, "SELECT tokens FROM spending WHERE day = ?", day.isoformat()
            )
        )
        return int(found[0]["tokens"]) if found else 0

    async def spend(self, day: date, tokens: int) -> None:
        """Add ``tokens`` to what was spent on that day."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO spending (day, tokens) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens",
                (day.isoformat(), tokens),
            ),
            synced=False,
        )

    async def factor(self, model: str) -> float | None:
        """Return the learnt ratio of a model's own token count to our estimate, if known."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, "SELECT factor FROM factors WHERE model = ?", model
            )
        )
        return float(found[0]["factor"]) if found else None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Store the ratio for a model."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO factors (model, factor) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET factor = excluded.factor",
                (model, factor),
            ),
            synced=False,
        )


_CHANNELS: Final = """
SELECT c.platform, MAX(m.received_at) AS last_at,
  SUM(m.state IN ('received', 'answered') OR m.state = 'in_turn' AND m.turn IS NOT NULL)
    AS waiting,
  SUM(m.state = 'failed') AS failed,
  (SELECT COUNT(*) FROM turns t JOIN conversations o ON o.number = t.conversation
   WHERE o.platform = c.platform AND t.finished = 0 AND t.kind != 'open' AND t.sends > 0
   AND t.send NOT IN ('sent', 'refused')) AS owed
FROM messages m JOIN conversations c ON c.number = m.conversation GROUP BY c.platform
ORDER BY c.platform
"""

# Adapters may put more before the message's id, up to a slash. The comparison by the end of the
# text needs no pattern, in which characters of the id would have a meaning.
_SHOWS: Final = "(p.platform_id = ?1 OR substr(p.platform_id, -length(?2)) = ?2)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelTraffic:
    """The messages of one platform over the last two days.

    ``last_at`` is when the last one came (ISO 8601, UTC). A command under way is not waiting.
    ``owed`` answers were tried and could not be sent yet.
    ``failed`` also counts what could not be read within the last month.
    """

    platform: str
    last_at: str
    waiting: int
    failed: int
    owed: int


class MessageHistory:
    """Answer which turn a message of ours shows, and what came through which platform."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the id of the turn that one of our messages shows; empty if it is not known.

        ``conversation`` is the key as text. It is compared because Telegram's message ids are
        unique within a chat only.
        """

        def work(connection: Connection) -> str:
            query = f"{records.SELECT_TURN} JOIN pieces p ON p.turn = t.id WHERE {_SHOWS}"
            for row in records.query_rows(connection, query, platform_id, f"/{platform_id}"):
                if str(records.conversation_of(row)) == conversation:
                    return str(row["id"])
            return ""

        return await self._database.run(work, synced=False)

    async def is_ours(self, chat: ConversationKey, platform_id: str) -> bool:
        """Whether a message of a chat, in whatever thread, shows a turn of the last month."""

        def work(connection: Connection) -> bool:
            query = f"{records.SELECT_TURN} JOIN pieces p ON p.turn = t.id WHERE {_SHOWS}"
            found = records.query_rows(connection, query, platform_id, f"/{platform_id}")
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

    async def channels(self) -> tuple[ChannelTraffic, ...]:
        """Return the traffic of every platform that had messages lately."""
        found = await self._database.run(
            lambda connection: records.query_rows(connection, _CHANNELS), synced=False
        )
        return tuple(ChannelTraffic(**dict(row)) for row in found)


FILE_NAME: Final = "ledger.sqlite3"


class Ledger:
    """The seven parts of the ledger, over one file; what they wrote outlives the process.

    ``identities`` say which agent a new chat gets. ``damage`` is what was found in the folder.
    """

    def __init__(self, database: Database, identities: Identities) -> None:
        self.identities: Final = identities
        self._database = database
        self.inbox = Inbox(database, identities)
        self.turns = Turns(database)
        self.bindings = Bindings(database, identities)
        self.links = ChatLinks(database)
        self.spending = TokenSpending(database)
        self.erasure = LedgerErasure(database)
        self.history = MessageHistory(database)
        self.damage = DamageLog()

    @classmethod
    async def open(cls, data_dir: Path, identities: Identities) -> "Ledger":
        """Open the ledger of a data folder, or begin one; raises :class:`StoreError`."""
        database = Database(data_dir / FILE_NAME)
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
