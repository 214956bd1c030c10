"""Finding the turn behind a message of hers, as long as the ledger knows it."""

from sqlite3 import Connection

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database


class Tracing:
    """Tell which turn a platform's message shows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the id of the turn a message of hers shows; empty if it is not known any more.

        ``conversation`` is the key written out, so that an id of another chat finds nothing.
        """

        def work(connection: Connection) -> str:
            query = f"{rows.TURN} JOIN pieces p ON p.turn = t.id WHERE p.platform_id = ?"
            for row in rows.rows(connection, query, platform_id):
                if str(rows.conversation_of(row)) == conversation:
                    return str(row["id"])
            return ""

        return await self._database.run(work, synced=False)
