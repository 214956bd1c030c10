"""Which agent remembers which conversation."""

from sqlite3 import Connection
from typing import Final

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database
from bot.conversation.messages import ConversationKey
from bot.identity import default_agent_id

_BIND_NEW: Final = """
UPDATE conversations SET agent_id = COALESCE(
  (SELECT agent_id FROM conversations
   WHERE platform = ? AND account = ? AND chat = ? AND agent_id IS NOT NULL
   ORDER BY number LIMIT 1), ?)
WHERE number = ? AND agent_id IS NULL
"""
_CHATS: Final = """
SELECT platform, account, chat, '' AS thread, MIN(number) AS met FROM conversations
WHERE agent_id = ? GROUP BY platform, account, chat ORDER BY met
"""
_OLDER_AGENT: Final = """
SELECT agent_id FROM conversations WHERE agent_id IN (?, ?) ORDER BY number LIMIT 1
"""


class Bindings:
    """Map conversations to agents; a conversation keeps its agent until it is bound anew."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def agent_id(self, conversation: ConversationKey, *, private: bool) -> str:
        """Return the agent of a conversation, binding it to one when first asked.

        That is the agent of the chat's other threads, or else the chat's own one.
        """
        default = default_agent_id(conversation.platform, conversation.chat, private=private)

        def work(connection: Connection) -> str:
            number = rows.ensure_conversation(connection, conversation)
            connection.execute(_BIND_NEW, (*_chat_columns(conversation), default, number))
            return _bound_agent(connection, number)

        return await self._database.run(work, synced=False)

    async def bind(self, conversation: ConversationKey, agent_id: str) -> None:
        """Let the conversation be remembered by that agent from now on."""

        def work(connection: Connection) -> None:
            number = rows.ensure_conversation(connection, conversation)
            connection.execute(
                "UPDATE conversations SET agent_id = ? WHERE number = ?", (agent_id, number)
            )

        await self._database.run(work)

    async def bind_chat(self, chat: ConversationKey, agent_id: str) -> None:
        """Let every thread of a chat be remembered by that agent from now on."""
        await self._database.run(lambda connection: bind_chat(connection, chat, agent_id))

    async def chats(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return the chats an agent remembers, the one that was met first in front."""
        found = await self._database.run(
            lambda connection: rows.query_rows(connection, _CHATS, agent_id), synced=False
        )
        return tuple(rows.conversation_of(row) for row in found)

    async def older_agent(self, one: str, other: str) -> str:
        """Return which of two agents has the chat that was met first."""

        def work(connection: Connection) -> str:
            (row,) = rows.query_rows(connection, _OLDER_AGENT, one, other)
            return str(row["agent_id"])

        return await self._database.run(work, synced=False)

    async def conversations(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return every conversation an agent remembers."""
        found = await self._database.run(
            lambda connection: rows.query_rows(
                connection, "SELECT * FROM conversations WHERE agent_id = ?", agent_id
            )
        )
        return tuple(rows.conversation_of(row) for row in found)


def bind_chat(connection: Connection, chat: ConversationKey, agent_id: str) -> None:
    """Bind every thread of a chat, inside whatever transaction runs."""
    connection.execute(
        "UPDATE conversations SET agent_id = ? WHERE platform = ? AND account = ? AND chat = ?",
        (agent_id, *_chat_columns(chat)),
    )


def _chat_columns(conversation: ConversationKey) -> tuple[str, str, str]:
    return (conversation.platform, conversation.account, conversation.chat)


def _bound_agent(connection: Connection, number: int) -> str:
    (row,) = rows.query_rows(
        connection, "SELECT agent_id FROM conversations WHERE number = ?", number
    )
    return str(row["agent_id"])
