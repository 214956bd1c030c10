"""What came in: accepted once, kept until it is settled, its id kept for two days after."""

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import Final

from bot.conversation.ledger import records
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.records import (
    Acceptance,
    Accepted,
    Duplicate,
    MessageState,
    Received,
    message_id,
)
from bot.conversation.messages import ConversationKey, Incoming
from bot.identity import Identities

DEDUPE_HORIZON: Final = timedelta(hours=48)
"""Telegram keeps an update for 24 h, Lark repeats one for 7.1 h (promises.md, section 1)."""

TRACE_HORIZON: Final = timedelta(days=30)
"""So long it is known which turn a message of hers shows, and which message began it: ids only."""

MAX_WAITING: Final = 64
"""How many waiting messages are handed out at once; the rest stay in the ledger."""

_CONVERSATIONS_DUE: Final = """
SELECT c.*, MIN(owed.since) AS since FROM conversations c JOIN (
  SELECT conversation, received_at AS since FROM messages
  WHERE state IN ('received', 'in_turn') AND not_before <= ?
  UNION ALL
  SELECT conversation, at FROM turns WHERE finished = 0
) AS owed ON owed.conversation = c.number
WHERE c.platform IN (SELECT value FROM json_each(?)) GROUP BY c.number ORDER BY since
"""
_BIND_UNBOUND: Final = (
    "UPDATE conversations SET agent_id = ? WHERE number = ? AND agent_id IS NULL"
)
"""From its first message on a conversation has an agent: whoever erases must find the message."""

_WAITING_COMMANDS: Final = f"""
{records.SELECT_MESSAGE} WHERE m.conversation = ? AND m.turn IS NULL
AND m.state IN ('received', 'in_turn')
AND (INSTR(m.text, '/') OR INSTR(m.text, '／')) ORDER BY m.number
"""


class Inbox:
    """Accept messages, and say which ones wait."""

    def __init__(self, database: Database, identities: Identities) -> None:
        self._database = database
        self._identities = identities

    async def accept(self, incoming: Incoming, now: datetime) -> Acceptance:
        """Make the message durable before returning, unless it was accepted before.

        Whatever waits in its conversation for a better moment is due again: the partner is here.
        Raises :class:`memory.errors.StoreUnwritable`: then the platform must not be told that it
        was received.
        """
        place = incoming.conversation
        identity = message_id(place.platform, place.account, incoming.dedupe_key)
        agent_id = self._identities.default_agent_id(
            place.platform, place.chat, private=incoming.private
        )

        def work(connection: Connection) -> Acceptance:
            known = records.query_rows(
                connection, "SELECT state FROM messages WHERE id = ?", identity
            )
            if known:
                return Duplicate(MessageState(known[0]["state"]))
            number = records.ensure_conversation(connection, place)
            connection.execute(_BIND_UNBOUND, (agent_id, number))
            connection.execute(
                "UPDATE messages SET not_before = ''"
                " WHERE conversation = ? AND state = 'received' AND not_before != ''",
                (number,),
            )
            records.insert_message(connection, identity, number, incoming, now)
            (row,) = records.query_rows(
                connection, f"{records.SELECT_MESSAGE} WHERE m.id = ?", identity
            )
            return Accepted(records.message_from_row(row))

        return await self._database.run(work)

    async def waiting(self, conversation: ConversationKey, now: datetime) -> tuple[Received, ...]:
        """Return what waits in a conversation, oldest first; nothing while the oldest must wait.

        Also commands that had begun when the program ended. Only the lane of the conversation may
        ask: to it, whatever has begun and is not in its hands was interrupted.
        """

        def work(connection: Connection) -> tuple[Received, ...]:
            number = records.ensure_conversation(connection, conversation)
            found = records.query_rows(
                connection,
                f"{records.SELECT_MESSAGE} WHERE m.conversation = ? AND (m.state = 'received'"
                " OR m.state = 'in_turn' AND m.turn IS NULL) ORDER BY m.number LIMIT ?",
                number,
                MAX_WAITING,
            )
            if found and found[0]["not_before"] > records.instant_text(now):
                return ()
            return tuple(records.message_from_row(row) for row in found)

        return await self._database.run(work, synced=False)

    async def waiting_commands(self, conversation: ConversationKey) -> tuple[Received, ...]:
        """Return every waiting message that may be a command, however much else waits."""

        def work(connection: Connection) -> tuple[Received, ...]:
            number = records.ensure_conversation(connection, conversation)
            found = records.query_rows(connection, _WAITING_COMMANDS, number)
            return tuple(records.message_from_row(row) for row in found)

        return await self._database.run(work, synced=False)

    async def replace_words(self, message: Received, incoming: Incoming) -> Received:
        """Let a waiting message say what was perceived in it, from now on."""
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE messages SET text = ?, quoted = ?, raw = ? WHERE id = ?",
                (
                    records.storable(incoming.text),
                    records.storable(incoming.quoted),
                    json.dumps(incoming.raw),
                    message.id,
                ),
            ),
            synced=False,
        )
        return replace(message, incoming=incoming)

    async def begin_command(self, message: Received) -> None:
        """Note that a command begins: from now on it is never run a second time."""
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE messages SET state = 'in_turn' WHERE id = ?", (message.id,)
            )
        )

    async def settle(self, messages: Iterable[Received]) -> None:
        """Settle messages that need no turn; their words leave the ledger."""
        ids = [message.id for message in messages]
        await self._database.run(
            lambda connection: records.settle_messages(connection, ids), synced=False
        )

    async def conversations_due(
        self, platforms: Collection[str], now: datetime
    ) -> tuple[ConversationKey, ...]:
        """Return the conversations in which something is due, the longest waiting first."""
        values = (records.instant_text(now), json.dumps(sorted(platforms)))
        found = await self._database.run(
            lambda connection: records.query_rows(connection, _CONVERSATIONS_DUE, *values)
        )
        return tuple(records.conversation_of(row) for row in found)

    async def prune(self, now: datetime) -> int:
        """Let go of what was settled more than two days ago; return how many messages.

        What is left of a turn by then, ids and instants, goes after a month.
        """
        border = records.instant_text(now - DEDUPE_HORIZON)
        traced = records.instant_text(now - TRACE_HORIZON)

        def work(connection: Connection) -> int:
            gone = connection.execute(
                "DELETE FROM messages WHERE state IN ('done', 'failed') AND received_at < ?",
                (border,),
            ).rowcount
            connection.execute(
                "DELETE FROM turns WHERE finished = 1 AND at < ?"
                " AND NOT EXISTS (SELECT 1 FROM messages WHERE turn = turns.id)",
                (traced,),
            )
            return gone

        gone = await self._database.run(work, synced=False)
        await self._database.checkpoint()
        return gone
