"""Erasing words from messages and answers that are not settled yet.

What is settled holds no words any more, so nothing else of the ledger has to be searched.
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from bot.conversation.ledger import records
from bot.conversation.ledger.tables import Connection, LedgerDatabase, Row
from bot.conversation.messages import TAKEN_BACK, ConversationKey, Incoming, Sender

TextMatcher: TypeAlias = Callable[[str], bool]

# A command under way is "in_turn" without a turn; it is left out, for it may be the very command
# that erases. 9223372036854775807 is the largest number of a column: no limit.
_UNSETTLED_MESSAGES: Final = """
SELECT m.* FROM messages m JOIN conversations c ON c.number = m.conversation
WHERE c.agent_id = ? AND m.state != 'done'
AND NOT (m.state = 'in_turn' AND m.turn IS NULL)
AND m.number < COALESCE((SELECT number FROM messages WHERE id = ?), 9223372036854775807)
AND (? = '' OR c.platform || ':' || m.sender_id = ?)
"""
_UNSETTLED_TURNS: Final = """
SELECT t.* FROM turns t JOIN conversations c ON c.number = t.conversation
WHERE c.agent_id = ? AND t.text != '' AND NOT EXISTS (
  SELECT 1 FROM messages m WHERE m.turn = t.id
  AND m.number > COALESCE((SELECT number FROM messages WHERE id = ?), 9223372036854775807)
)
"""
# Those that are settled hold no sender any more; whose turn it was is asked of the memory.
_TO_HER_SINCE: Final = """
SELECT m.turn, m.state FROM messages m JOIN conversations c ON c.number = m.conversation
WHERE c.agent_id = ? AND m.addressed = 1 AND m.number > ?
AND m.number < COALESCE((SELECT number FROM messages WHERE id = ?), 9223372036854775807)
AND (m.state = 'done' OR ? = '' OR c.platform || ':' || m.sender_id = ?)
AND NOT (m.state = 'in_turn' AND m.turn IS NULL)
"""
_NUMBER_OF: Final = """
SELECT COALESCE((SELECT number FROM messages WHERE id = ?), (SELECT MAX(number) FROM messages), 0)
"""
_EMPTY_TURN: Final = """
UPDATE turns SET kind = 'open', text = '', document = '', used = '[]', answered_at = '',
  finished = CASE WHEN send IN ('sent', 'refused') THEN 1 ELSE 0 END, send = 'none' WHERE id = ?
"""
_DETACH_SETTLED: Final = "UPDATE messages SET turn = NULL WHERE turn = ? AND state = 'done'"
_GIVE_BACK: Final = """
UPDATE messages SET turn = NULL, state = 'received', attempts = attempts + 1
WHERE turn = ? AND state != 'done'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRequest:
    """What to erase: the messages and answers of an agent whose text ``matches``.

    With a ``person`` only what that person said and was answered; with ``before`` only what came
    before the message of that id. Commands under way stay.
    """

    agent_id: str
    matches: TextMatcher
    person: str = ""
    before: str = ""


class LedgerErasure:
    """Count and empty the messages and answers that match a request."""

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def count(self, sought: ErasureRequest) -> int:
        """Return how many messages and answers match."""

        def work(connection: Connection) -> int:
            messages = list(_matching_messages(connection, sought))
            return len(messages) + len(list(_matching_answers(connection, sought)))

        return await self._database.run(work, synced=False)

    async def number_of(self, message_id: str) -> int:
        """Return which number a message has; for the id of none, that of the newest message."""

        def work(connection: Connection) -> int:
            (number,) = connection.execute(_NUMBER_OF, (message_id,)).fetchone()
            return int(number)

        return await self._database.run(work, synced=False)

    async def unheeded_since(
        self, sought: ErasureRequest, number: int, unlearnt: Collection[str]
    ) -> bool:
        """Whether something was said to her after the message of that number and waits.

        It waits for an answer, or to be learnt from: ``unlearnt`` are the turns that do.
        """
        values = (sought.agent_id, number, sought.before, sought.person, sought.person)

        def work(connection: Connection) -> bool:
            found = records.query_rows(connection, _TO_HER_SINCE, *values)
            return any(row["state"] != "done" or row["turn"] in unlearnt for row in found)

        return await self._database.run(work, synced=False)

    async def waits_since(self, sought: ErasureRequest, number: int) -> bool:
        """Whether a message that matches came after the message of that number and waits."""

        def work(connection: Connection) -> bool:
            return any(row["number"] > number for row in _matching_messages(connection, sought))

        return await self._database.run(work, synced=False)

    async def erase(self, sought: ErasureRequest) -> int:
        """Empty the messages and answers that match; return how many.

        They are never answered or sent again. An unsent answer leaves an empty turn behind:
        whoever resumes its conversation withdraws what the partner saw of it. Other messages of
        its turn wait again, to be answered without it.
        """

        def work(connection: Connection) -> int:
            messages = list(_matching_messages(connection, sought))
            answers = {row["id"] for row in _matching_answers(connection, sought)}
            turns = sorted(answers | {m["turn"] for m in messages if m["turn"]})
            records.settle_messages(connection, [m["id"] for m in messages])
            for turn in turns:
                _empty_turn(connection, turn)
            return len(messages) + len(answers)

        gone = await self._database.run(work)
        await self._database.checkpoint()
        # A ledger that was rebuilt left its damaged predecessor, with words in it.
        await self._database.delete_set_aside()
        return gone

    async def take_back(
        self, chat: ConversationKey, dedupe_key: str, now: datetime
    ) -> ConversationKey | None:
        """Note that a message was taken back; return the conversation with the order to forget it.

        Durable on return. A message that comes only later is known already. None for what was
        taken back before, and for a chat of which nothing is remembered.
        """
        identity = records.message_id(chat.platform, chat.account, dedupe_key)
        order_key = f"recalled:{dedupe_key}"
        order_id = records.message_id(chat.platform, chat.account, order_key)

        def work(connection: Connection) -> ConversationKey | None:
            query = f"{records.SELECT_MESSAGE} WHERE m.id = ?"
            if records.query_rows(connection, query, order_id):
                return None
            found = records.query_rows(connection, query, identity)
            place = records.conversation_of(found[0]) if found else chat
            private = bool(found[0]["private"]) if found else False
            order = _order_to_forget(place, order_key, identity, now, private=private)
            number = records.ensure_conversation(connection, place)
            if not found:
                blank = replace(order, dedupe_key=dedupe_key, text="", raw={})
                records.insert_message(connection, identity, number, blank, now)
                records.settle_messages(connection, [identity])
            records.insert_message(connection, order_id, number, order, now)
            if _has_agent(connection, number):
                return place
            # Nobody remembers anything of this chat.
            records.settle_messages(connection, [order_id])
            return None

        return await self._database.run(work)

    async def forget_message(self, identity: str) -> None:
        """Take a message out of what is owed; the rest of its turn is answered without it."""

        def work(connection: Connection) -> None:
            query = f"{records.SELECT_MESSAGE} WHERE m.id = ? AND m.state != 'done'"
            for row in records.query_rows(connection, query, identity):
                records.settle_messages(connection, [identity])
                if row["turn"]:
                    _empty_turn(connection, row["turn"])

        await self._database.run(work)


def _order_to_forget(
    place: ConversationKey, key: str, identity: str, now: datetime, *, private: bool
) -> Incoming:
    return Incoming(
        dedupe_key=key,
        conversation=place,
        sender=Sender(id="", name=""),
        at=now,
        text=f"/{TAKEN_BACK}",
        private=private,
        raw={TAKEN_BACK: identity},
    )


def _has_agent(connection: Connection, number: int) -> bool:
    query = "SELECT 1 FROM conversations WHERE number = ? AND agent_id IS NOT NULL"
    return bool(records.query_rows(connection, query, number))


def _empty_turn(connection: Connection, turn: str) -> None:
    """Take the words out of a turn, and give its other messages back."""
    (before,) = records.query_rows(connection, "SELECT send FROM turns WHERE id = ?", turn)
    connection.execute(_EMPTY_TURN, (turn,))
    if before["send"] in {"sent", "refused"}:
        found = records.query_rows(connection, "SELECT id FROM messages WHERE turn = ?", turn)
        records.settle_messages(connection, [row["id"] for row in found])
    else:
        connection.execute(_DETACH_SETTLED, (turn,))
        connection.execute(_GIVE_BACK, (turn,))


def _matching_messages(connection: Connection, sought: ErasureRequest) -> Iterator[Row]:
    values = (sought.agent_id, sought.before, sought.person, sought.person)
    for row in records.query_rows(connection, _UNSETTLED_MESSAGES, *values):
        if any(
            sought.matches(text) for text in (row["text"], row["quoted"], *_strings_in(row["raw"]))
        ):
            yield row


def _matching_answers(connection: Connection, sought: ErasureRequest) -> Iterator[Row]:
    """Yield the turns whose answer matches; with a person, those that answer only that person."""
    for row in records.query_rows(connection, _UNSETTLED_TURNS, sought.agent_id, sought.before):
        if sought.matches(row["text"]) and _answers_only_person(connection, row, sought):
            yield row


def _answers_only_person(connection: Connection, turn: Row, sought: ErasureRequest) -> bool:
    if not sought.person:
        return True
    query = f"{records.SELECT_MESSAGE} WHERE m.turn = ?"
    senders = {
        f"{row['platform']}:{row['sender_id']}"
        for row in records.query_rows(connection, query, turn["id"])
    }
    return senders == {sought.person}


def _strings_in(raw: str) -> Iterator[str]:
    """Yield every string in what the platform sent with a message."""
    waiting: list[object] = [json.loads(raw)] if raw else []
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as fields:
                waiting.extend(fields.values())
            case list() as items:
                waiting.extend(items)
            case _:
                pass
