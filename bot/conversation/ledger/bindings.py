"""Which agent remembers which conversation."""

from sqlite3 import Connection

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database
from bot.conversation.messages import ConversationKey
from bot.identity import default_agent_id


class Bindings:
    """Map conversations to agents; a conversation keeps its agent until it is bound anew."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def agent_id(self, conversation: ConversationKey, *, private: bool) -> str:
        """Return the agent of a conversation, binding it to its own one when first asked."""
        default = default_agent_id(conversation.platform, conversation.chat, private=private)

        def work(connection: Connection) -> str:
            number = rows.conversation_number(connection, conversation)
            connection.execute(
                "UPDATE conversations SET agent_id = ? WHERE number = ? AND agent_id IS NULL",
                (default, number),
            )
            return _bound(connection, number)

        return await self._database.run(work, synced=False)

    async def bind(self, conversation: ConversationKey, agent_id: str) -> None:
        """Let the conversation be remembered by that agent from now on."""

        def work(connection: Connection) -> None:
            number = rows.conversation_number(connection, conversation)
            connection.execute(
                "UPDATE conversations SET agent_id = ? WHERE number = ?", (agent_id, number)
            )

        await self._database.run(work)

    async def conversations(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return every conversation an agent remembers."""
        found = await self._database.run(
            lambda connection: rows.rows(
                connection, "SELECT * FROM conversations WHERE agent_id = ?", agent_id
            )
        )
        return tuple(rows.conversation_of(row) for row in found)


def _bound(connection: Connection, number: int) -> str:
    (row,) = rows.rows(connection, "SELECT agent_id FROM conversations WHERE number = ?", number)
    return str(row["agent_id"])
