"""Incoming messages, and which agent remembers the conversation each of them belongs to.

A message is accepted once, handed out in order, and emptied when it is settled. The id of a
settled message is kept for two days, so that a late redelivery is recognised. From its first
message on a conversation has an agent: an erasure finds messages by their agent.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import Final, NamedTuple

from bot.conversation.ledger import records
from bot.conversation.ledger.records import (
    Acceptance,
    Accepted,
    Duplicate,
    MessageState,
    Received,
    TurnAnswer,
    TurnEntry,
    message_id,
)
from bot.conversation.ledger.tables import (
    CONVERSATIONS_DUE,
    NEVER_TRIED,
    PARTNER_IS_THERE,
    Connection,
    LedgerDatabase,
)
from bot.conversation.ledger.turns import open_document_turn
from bot.conversation.messages import ConversationKey, Incoming
from bot.identity import Identities

DEDUPE_HORIZON: Final = timedelta(hours=48)
"""Twice the longest redelivery: Telegram keeps an update for 24 h, Lark repeats one for 7.1 h."""

TRACE_HORIZON: Final = timedelta(days=30)
"""How long it is known which turn one of our messages shows; only ids are kept for it."""

MAX_WAITING: Final = 128
"""How many waiting messages are handed out at once; the rest stay in the ledger."""

# A new thread of a chat gets the agent of the chat's first bound conversation: after a join that
# is not the chat's default agent.
_BOUND: Final = """
SELECT number, agent_id FROM conversations
WHERE platform = ? AND account = ? AND chat = ? AND thread = ? AND agent_id IS NOT NULL
"""

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

_SET_ASIDE: Final = "UPDATE messages SET state = 'failed', failure = 'unreadable' WHERE id = ?"

# What was sent with a file, or is a command, is no mere text. The edit itself still waits behind.
_EDIT_WAITING: Final = """
UPDATE messages SET text = ? WHERE id = ? AND state = 'received' AND raw = '{}'
AND LTRIM(text) NOT LIKE '/%' AND LTRIM(text) NOT LIKE '／%'
"""

_OTHERS_OWED: Final = """
SELECT EXISTS (SELECT 1 FROM messages WHERE conversation = ? AND id != ?
  AND state IN ('received', 'in_turn') AND (state = 'received' OR turn IS NULL))
OR EXISTS (SELECT 1 FROM turns WHERE conversation = ? AND finished = 0)
"""

# A slash anywhere may be a command; what is none is sorted out when the text is read. Without a
# LIMIT: an urgent command must be seen behind any number of messages.
_WAITING_COMMANDS: Final = f"""
{records.SELECT_MESSAGE} WHERE m.conversation = ? AND m.turn IS NULL
AND m.state IN ('received', 'in_turn')
AND (m.text LIKE '%/%' OR m.text LIKE '%／%') ORDER BY m.number
"""


_WAITING: Final = f"""
{records.SELECT_MESSAGE} WHERE m.conversation = ? {{also}} AND (m.state = 'received'
OR m.state = 'in_turn' AND m.turn IS NULL) ORDER BY m.number LIMIT ?
"""


class Owed(NamedTuple):
    """What is owed in a conversation: turns that are not finished, and messages that wait."""

    turns: tuple[TurnEntry, ...]
    waiting: tuple[Received, ...]


class Inbox:
    """Accept messages, hand out those that wait, and settle them."""

    def __init__(self, database: LedgerDatabase, identities: Identities) -> None:
        self._database = database
        self._identities = identities
        # By platform, since the program began, for those who watch it.
        self.accepted: Final[Counter[str]] = Counter()
        # The last message, if nothing else is owed where it came, and which transaction took it.
        self._alone: tuple[Acceptance, int | None] | None = None

    async def accept(
        self,
        incoming: Incoming,
        now: datetime,
        seen: Callable[[Acceptance], None] = lambda _: None,
    ) -> Acceptance:
        """Make a message durable before returning, unless it was accepted before.

        ``seen`` is told a moment earlier that it waits, while the disk is still written to: what
        is shown of its turn is durable only together with it. Messages of its conversation that
        wait after a failure become due again: the partner is there. One that could not be read is
        kept as failed, as it came. Raises :class:`memory.errors.StoreUnwritable`; then the
        platform must not be told that the message was received.
        """
        place, named = incoming.conversation, self._identities.default_agent_id
        identity = message_id(place.platform, place.account, incoming.dedupe_key)
        default = named(place.platform, place.chat, private=incoming.private)

        def work(connection: Connection) -> tuple[Acceptance, int | None]:
            query = "SELECT state FROM messages WHERE id = ?"
            if known := records.query_rows(connection, query, identity):
                return Duplicate(MessageState(known[0]["state"])), None
            number, _ = _bound(connection, place, default)
            receipt, alone = _take_in(connection, identity, number, incoming, now)
            return receipt, self._database.begun if alone else None

        def note(found: tuple[Acceptance, int | None]) -> None:
            self._alone = found
            seen(found[0])

        receipt, _ = await self._database.run_ahead(work, note)
        self.accepted[place.platform] += isinstance(receipt, Accepted)
        return receipt

    async def owed(self, conversation: ConversationKey, now: datetime) -> Owed:
        """Return what is owed in a conversation, each oldest first.

        While the oldest must wait, only what nobody tried yet is, if all before it was tried in
        vain. Only the conversation's own lane may ask: a command that has begun was interrupted,
        for it.
        """
        if alone := self._alone_in(conversation):
            return Owed((), (alone,))  # known already: no transaction need be waited for

        def work(connection: Connection) -> Owed:
            number = records.find_conversation(connection, conversation)
            turns = records.read_turns(connection, records.UNFINISHED, number)
            found = records.query_rows(connection, _WAITING.format(also=""), number, MAX_WAITING)
            at = records.instant_text(now)
            if found and found[0]["not_before"] > at:
                # The oldest decides for all: only what was never tried passes what was.
                query = _WAITING.format(also=NEVER_TRIED)
                found = records.query_rows(connection, query, number, MAX_WAITING)
                found = [*takewhile(lambda row: row["not_before"] <= at, found)]
            return Owed(turns, tuple(records.message_from_row(row) for row in found))

        return await self._database.run(work, synced=False)

    def _alone_in(self, conversation: ConversationKey) -> Received | None:
        """Return what just came, if it is all that is owed there and nothing ran since: once."""
        found, self._alone = self._alone, None
        match found:
            case Accepted(message), int(begun) if begun == self._database.begun:
                return message if message.conversation == conversation else None
        return None

    async def waiting_commands(self, conversation: ConversationKey) -> tuple[Received, ...]:
        """Return every waiting message that may be a command, however much else waits."""

        def work(connection: Connection) -> tuple[Received, ...]:
            number = records.find_conversation(connection, conversation)
            found = records.query_rows(connection, _WAITING_COMMANDS, number)
            return tuple(records.message_from_row(row) for row in found)

        return await self._database.run(work, synced=False)

    async def replace_words(self, message: Received, incoming: Incoming) -> Received:
        """Replace the words of a waiting message by what its picture or recording says.

        Likewise what its platform was asked: who wrote it, and whether it is addressed.
        """
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE messages SET text = ?, quoted = ?, raw = ?, addressed = ?,"
                " sender_name = ? WHERE id = ?",
                (
                    records.storable(incoming.text),
                    records.storable(incoming.quoted),
                    json.dumps(incoming.raw),
                    incoming.addressed,
                    records.storable(incoming.sender.name),
                    message.id,
                ),
            ),
            synced=False,
        )
        return replace(message, incoming=incoming)

    async def postpone(self, message: Received, until: datetime) -> None:
        """Let a message, and with it whatever its conversation waits for, wait until then."""
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE messages SET not_before = ? WHERE id = ?",
                (records.instant_text(until), message.id),
            ),
            synced=False,
        )

    async def begin_command(self, message: Received) -> None:
        """Record that a command begins; after a crash it counts as interrupted."""
        await self._database.run(
            lambda connection: connection.execute(
                "UPDATE messages SET state = 'in_turn' WHERE id = ?", (message.id,)
            )
        )

    async def settle_command(self, message: Received, answer: TurnAnswer) -> TurnEntry:
        """Settle a command that was carried out; what it answers is owed from the same step on."""

        def work(connection: Connection) -> TurnEntry:
            turn = open_document_turn(connection, message, answer)
            records.settle_messages(connection, [message.id])
            return turn

        return await self._database.run(work)

    async def settle(self, messages: Iterable[Received]) -> None:
        """Settle messages that need no turn; their words leave the ledger."""
        ids = [message.id for message in messages]
        work = partial(records.settle_messages, ids=ids)
        await self._database.run(work, synced=False)

    async def conversations_due(
        self, platforms: Collection[str], now: datetime
    ) -> tuple[ConversationKey, ...]:
        """Return the conversations in which something is due, the longest waiting first."""
        ours = self._database.ours.format(agent="c.agent_id")
        query = CONVERSATIONS_DUE.format(platforms=records.places([*platforms]), ours=ours)
        values = (records.instant_text(now), *platforms)
        found = await self._database.run(
            lambda connection: records.query_rows(connection, query, *values), synced=False
        )
        return tuple(records.conversation_of(row) for row in found)

    async def prune(self, now: datetime) -> int:
        """Delete messages that were settled more than two days ago; return how many.

        What could not be read, and what is left of a turn, ids and instants, is deleted after a
        month.
        """
        border = records.instant_text(now - DEDUPE_HORIZON)
        traced = records.instant_text(now - TRACE_HORIZON)

        def work(connection: Connection) -> int:
            gone = connection.execute(
                "DELETE FROM messages WHERE state IN ('done', 'failed')"
                " AND received_at < CASE WHEN failure = 'unreadable' THEN ? ELSE ? END",
                (traced, border),
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


class Bindings:
    """Map conversations to agents; a conversation keeps its agent until it is bound anew."""

    def __init__(self, database: LedgerDatabase, identities: Identities) -> None:
        self._database = database
        self._identities = identities

    async def agent_id(self, conversation: ConversationKey, *, private: bool) -> str:
        """Return the agent of a conversation, binding it when first asked.

        It is the agent of the chat's other threads, or else the default one of the chat.
        """
        default = self._identities.default_agent_id(
            conversation.platform, conversation.chat, private=private
        )

        def work(connection: Connection) -> str:
            return _bound(connection, conversation, default)[1]

        return await self._database.run(work, synced=False)

    async def bind(self, conversation: ConversationKey, agent_id: str) -> None:
        """Let the conversation be remembered by that agent from now on."""

        def work(connection: Connection) -> None:
            number = records.ensure_conversation(connection, conversation)
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
            lambda connection: records.query_rows(connection, _CHATS, agent_id), synced=False
        )
        return tuple(records.conversation_of(row) for row in found)

    async def older_agent(self, one: str, other: str) -> str:
        """Return which of two agents has the conversation that was met first."""

        def work(connection: Connection) -> str:
            (row,) = records.query_rows(connection, _OLDER_AGENT, one, other)
            return str(row["agent_id"])

        return await self._database.run(work, synced=False)

    async def conversations(self, agent_id: str) -> tuple[ConversationKey, ...]:
        """Return every conversation an agent remembers."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection, "SELECT * FROM conversations WHERE agent_id = ?", agent_id
            ),
            synced=False,
        )
        return tuple(records.conversation_of(row) for row in found)


def _take_in(
    connection: Connection, identity: str, number: int, incoming: Incoming, now: datetime
) -> tuple[Accepted, bool]:
    """Insert a new message; return it, and whether it is all that is owed in its conversation."""
    connection.execute(PARTNER_IS_THERE, (number,))
    records.insert_message(connection, identity, number, incoming, now)
    if incoming.edits:
        _edit_waiting(connection, incoming)
    if not incoming.is_readable:
        connection.execute(_SET_ASIDE, (identity,))
    (row,) = records.query_rows(connection, f"{records.SELECT_MESSAGE} WHERE m.id = ?", identity)
    (others,) = connection.execute(_OTHERS_OWED, (number, identity, number)).fetchone()
    return Accepted(records.message_from_row(row)), incoming.is_readable and not others


def _edit_waiting(connection: Connection, incoming: Incoming) -> None:
    """Let a message that still waits to be answered say what its author has made of it since."""
    place = incoming.conversation
    edited = message_id(place.platform, place.account, incoming.edits)
    connection.execute(_EDIT_WAITING, (records.storable(incoming.text), edited))


def _bound(connection: Connection, place: ConversationKey, default: str) -> tuple[int, str]:
    """Return the number and the agent of a conversation, which is bound if it was not."""
    known = records.query_rows(connection, _BOUND, *records.columns_of(place))
    if known:
        return int(known[0]["number"]), str(known[0]["agent_id"])
    number = records.ensure_conversation(connection, place)
    connection.execute(_BIND_NEW, (*_chat_columns(place), default, number))
    query = "SELECT agent_id FROM conversations WHERE number = ?"
    (row,) = records.query_rows(connection, query, number)
    return number, str(row["agent_id"])


def bind_chat(connection: Connection, chat: ConversationKey, agent_id: str) -> None:
    """Bind every thread of a chat, inside whatever transaction runs."""
    connection.execute(
        "UPDATE conversations SET agent_id = ? WHERE platform = ? AND account = ? AND chat = ?",
        (agent_id, *_chat_columns(chat)),
    )


def _chat_columns(conversation: ConversationKey) -> tuple[str, str, str]:
    return (conversation.platform, conversation.account, conversation.chat)
