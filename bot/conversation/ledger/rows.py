"""Between rows and values, both directions in one place."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from sqlite3 import Connection, Row
from typing import Any, Final

from bot.conversation.ledger.values import Received, SendState, TurnAnswer, TurnEntry
from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory.changes import Used

SELECT_MESSAGE: Final = """
SELECT m.*, c.platform, c.account, c.chat, c.thread
FROM messages m JOIN conversations c ON c.number = m.conversation
"""
_SELECT_UNSETTLED_OF_TURN: Final = (
    f"{SELECT_MESSAGE} WHERE m.turn = ? AND m.state != 'done' ORDER BY m.number"
)
SELECT_TURN: Final = """
SELECT t.*, c.platform, c.account, c.chat, c.thread
FROM turns t JOIN conversations c ON c.number = t.conversation
"""
_INSERT_MESSAGE: Final = """
INSERT INTO messages (id, conversation, received_at, dedupe_key, sender_id, sender_name, is_bot,
  at, text, private, addressed, quoted, modality, reply_to, raw, sender_is_admin)
VALUES (:id, :conversation, :received_at, :dedupe_key, :sender_id, :sender_name, :is_bot,
  :at, :text, :private, :addressed, :quoted, :modality, :reply_to, :raw,
  :sender_is_admin)
"""
_SETTLE_MESSAGE: Final = """
UPDATE messages SET state = 'done', dedupe_key = '', sender_id = '', sender_name = '', at = '',
  text = '', quoted = '', reply_to = '', raw = '' WHERE id = ?
"""

_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def instant_text(at: datetime) -> str:
    """Return an instant so that texts compare as instants do."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def storable(text: str) -> str:
    """Return the text without what UTF-8 cannot hold: half a surrogate pair becomes U+FFFD."""
    return _LONE_SURROGATES.sub("\ufffd", text)


def query_rows(connection: Connection, query: str, *values: object) -> list[Row]:
    """Return the rows of a query, their columns by name."""
    cursor = connection.cursor()
    cursor.row_factory = Row
    return cursor.execute(query, values).fetchall()


def ensure_conversation(connection: Connection, key: ConversationKey) -> int:
    """Return the number of a conversation; one that is met for the first time gets one."""
    place = (key.platform, key.account, key.chat, key.thread)
    connection.execute(
        "INSERT INTO conversations (platform, account, chat, thread) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        place,
    )
    found = connection.execute(
        "SELECT number FROM conversations"
        " WHERE platform = ? AND account = ? AND chat = ? AND thread = ?",
        place,
    ).fetchone()
    return int(found[0])


def conversation_of(row: Row) -> ConversationKey:
    """Return the conversation whose columns are in the row."""
    return ConversationKey(
        platform=row["platform"], account=row["account"], chat=row["chat"], thread=row["thread"]
    )


def insert_message(
    connection: Connection, identity: str, conversation: int, incoming: Incoming, now: datetime
) -> None:
    """Write a new message; it waits from now on."""
    columns = {
        "id": identity,
        "conversation": conversation,
        "received_at": instant_text(now),
        "dedupe_key": storable(incoming.dedupe_key),
        "sender_id": storable(incoming.sender.id),
        "sender_name": storable(incoming.sender.name),
        "is_bot": incoming.sender.is_bot,
        "at": incoming.at.isoformat(),
        "text": storable(incoming.text),
        "private": incoming.private,
        "addressed": incoming.addressed,
        "quoted": storable(incoming.quoted),
        "modality": incoming.modality,
        "reply_to": storable(incoming.reply_to),
        "raw": json.dumps(incoming.raw),
        "sender_is_admin": incoming.sender_is_admin,
    }
    connection.execute(_INSERT_MESSAGE, columns)


def settle_messages(connection: Connection, ids: Iterable[str]) -> None:
    """Mark messages as done and empty them: their ids are kept, their words only in memory."""
    connection.executemany(_SETTLE_MESSAGE, [(identity,) for identity in ids])


def message_from_row(row: Row) -> Received:
    """Return the message of a row of :data:`MESSAGE`."""
    incoming = Incoming(
        dedupe_key=row["dedupe_key"],
        conversation=conversation_of(row),
        sender=Sender(id=row["sender_id"], name=row["sender_name"], is_bot=bool(row["is_bot"])),
        at=datetime.fromisoformat(row["at"]),
        text=row["text"],
        private=bool(row["private"]),
        addressed=bool(row["addressed"]),
        quoted=row["quoted"],
        modality=row["modality"],
        reply_to=row["reply_to"],
        raw=json.loads(row["raw"]),
        sender_is_admin=bool(row["sender_is_admin"]),
    )
    return Received(
        id=row["id"],
        incoming=incoming,
        attempts=row["attempts"],
        told=bool(row["told"]),
        interrupted=row["state"] == "in_turn" and row["turn"] is None,
    )


def turn_from_row(connection: Connection, row: Row) -> TurnEntry:
    """Return the turn of a row of :data:`TURN`, with its unsettled messages and its pieces."""
    messages = query_rows(connection, _SELECT_UNSETTLED_OF_TURN, row["id"])
    pieces = query_rows(
        connection, "SELECT * FROM pieces WHERE turn = ? ORDER BY place", row["id"]
    )
    return TurnEntry(
        id=row["id"],
        conversation=conversation_of(row),
        at=datetime.fromisoformat(row["at"]),
        private=bool(row["private"]),
        reply_to=row["reply_to"],
        messages=tuple(message_from_row(message) for message in messages),
        answer=_answer_from_row(row),
        send=SendState(row["send"]),
        sends=row["sends"],
        committed=bool(row["committed"]),
        piece_ids=tuple(piece["platform_id"] for piece in pieces),
    )


def used_json(used: tuple[Used, ...]) -> str:
    """Return what a reply used, as the ledger keeps it."""
    return json.dumps([asdict(each) for each in used], ensure_ascii=False)


def _answer_from_row(row: Row) -> TurnAnswer | None:
    if row["kind"] == "open":
        return None
    return TurnAnswer(
        kind=row["kind"],
        text=row["text"],
        at=datetime.fromisoformat(row["answered_at"]),
        used=tuple(_used_from_json(each) for each in json.loads(row["used"])),
    )


def _used_from_json(document: dict[str, Any]) -> Used:
    return Used(
        memory_id=document["memory_id"],
        score=document["score"],
        reasons=tuple(document["reasons"]),
        associated=document["associated"],
        source_ids=tuple(document["source_ids"]),
        path=tuple(document.get("path", ())),  # what was answered by an earlier version has none
    )
