"""What the ledger can tell about the past: the turn behind a message, how a channel is doing."""

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Final

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database
from bot.conversation.messages import ConversationKey

_CHANNELS: Final = """
SELECT c.platform, MAX(m.received_at) AS last_at,
  SUM(m.state IN ('received', 'answered') OR m.state = 'in_turn' AND m.turn IS NOT NULL)
    AS waiting,
  SUM(m.state = 'failed') AS failed
FROM messages m JOIN conversations c ON c.number = m.conversation GROUP BY c.platform
ORDER BY c.platform
"""
_SHOWS: Final = "(p.platform_id = ?1 OR substr(p.platform_id, -length(?2)) = ?2)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelTraffic:
    """One platform over the last two days: the last message (UTC), what waits, what failed.

    A command being carried out does not wait.
    """

    platform: str
    last_at: str
    waiting: int
    failed: int


class MessageHistory:
    """Tell which turn a platform's message shows, and what came through which platform."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the id of the turn a message of hers shows; empty if it is not known any more.

        ``conversation`` is the key written out, so that an id of another chat finds nothing. What
        else an adapter keeps of a piece stands before the message's id and a slash.
        """

        def work(connection: Connection) -> str:
            query = f"{rows.SELECT_TURN} JOIN pieces p ON p.turn = t.id WHERE {_SHOWS}"
            for row in rows.query_rows(connection, query, platform_id, f"/{platform_id}"):
                if str(rows.conversation_of(row)) == conversation:
                    return str(row["id"])
            return ""

        return await self._database.run(work, synced=False)

    async def place_of_turn(self, turn_id: str) -> tuple[ConversationKey, str] | None:
        """Return where a turn was, and the platform's id of its last message; None if unknown."""
        found = await self._database.run(
            lambda connection: rows.query_rows(
                connection, f"{rows.SELECT_TURN} WHERE t.id = ?", turn_id
            ),
            synced=False,
        )
        return (rows.conversation_of(found[0]), str(found[0]["reply_to"])) if found else None

    async def channels(self) -> tuple[ChannelTraffic, ...]:
        """Return every platform that was heard from lately."""
        found = await self._database.run(
            lambda connection: rows.query_rows(connection, _CHANNELS), synced=False
        )
        return tuple(ChannelTraffic(**dict(row)) for row in found)
