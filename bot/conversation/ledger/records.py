"""The frozen values the ledger hands out, and how each is written to and read from rows.

Both directions are in one place, so that a column cannot be written and not read.
"""

import json
import re
from base64 import b32encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import Final, Literal, TypeAlias

from bot.conversation.ledger.tables import Connection, Row, used_from_json
from bot.conversation.messages import ConversationKey, Incoming, Sender
from memory.changes import Used
from memory.model import Message


class MessageState(StrEnum):
    """How far a message has come; the values stand in the file."""

    RECEIVED = "received"
    IN_TURN = "in_turn"
    ANSWERED = "answered"
    COMMITTED = "committed"
    DONE = "done"
    FAILED = "failed"


class SendState(StrEnum):
    """How far the text of a turn has come; the values stand in the file."""

    NONE = "none"
    PLANNED = "planned"
    SENDING = "sending"
    IN_DOUBT = "in_doubt"
    SENT = "sent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message the ledger holds.

    ``id`` is also the id of the message in memory, unless it edits another. ``attempts`` counts
    failed answers; ``told`` says whether the partner was told of a failure. ``interrupted`` marks
    a command that had begun when the program ended.
    """

    id: str
    incoming: Incoming
    attempts: int = 0
    told: bool = False
    interrupted: bool = False

    @property
    def conversation(self) -> ConversationKey:
        return self.incoming.conversation

    def as_message(self, speaker: str) -> Message:
        """Return it as memory keeps it: an edit as the message that its author edited."""
        place, edited = self.conversation, self.incoming.edits
        return Message(
            id=message_id(place.platform, place.account, edited) if edited else self.id,
            at=self.incoming.at,
            speaker=speaker,
            role="user",
            text=self.incoming.text,
            quoted=self.incoming.quoted,
            modality=self.incoming.modality,
            speaker_id="" if self.incoming.private else self.incoming.person,
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """The message is new and durable."""

    message: Received


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The message was accepted before; ``state`` is how far it has come since."""

    state: MessageState


Acceptance: TypeAlias = Accepted | Duplicate


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """What a turn says to the partner. Only a ``reply`` is remembered; an ``apology`` is not.

    The answer of a command is an apology with a ``document``: the document itself, or its JSON as
    the ledger keeps it. Its ``text`` says the same in plain words.
    """

    kind: Literal["reply", "apology"]
    text: str
    at: datetime = field(kw_only=True)
    used: tuple[Used, ...] = field(default=(), kw_only=True)
    document: object = field(default=None, kw_only=True)


SIGN_PLACE: Final = -1
"""The place, among the pieces of a turn, of the sign that stands on its question meanwhile."""

SIGN_MAY_STAND: Final = "?"
"""Recorded before a sign is put there, when the platform's id of it is not known yet."""


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """A turn that is not finished: what was said, what is answered, what is owed.

    ``messages`` are those that are not settled. ``sends`` counts how often sending began;
    ``piece_ids`` are the platform's ids of the messages that show the answer or will, in order.
    ``sign`` is what an earlier attempt recorded of its sign on the question, empty for none;
    ``agent_id`` whose memory the conversation has, empty while nobody asked. ``claimed``: it came
    from the step in which sending began, so whoever holds it sends it.
    """

    id: str
    conversation: ConversationKey
    at: datetime
    private: bool
    reply_to: str
    messages: tuple[Received, ...]
    answer: TurnAnswer | None = None
    send: SendState = SendState.NONE
    sends: int = 0
    committed: bool = False
    piece_ids: tuple[str, ...] = ()
    sign: str = ""
    agent_id: str = ""
    claimed: bool = False

    @property
    def reply_id(self) -> str:
        """Return the id the reply has in memory."""
        return reply_id_of(self.id)

    @property
    def is_sent(self) -> bool:
        """Whether nothing is left to send: the partner has it, or never will."""
        return self.send in {SendState.SENT, SendState.REFUSED}

    @property
    def owes_commit(self) -> bool:
        """Whether it holds a reply that memory does not have yet."""
        return self.answer is not None and self.answer.kind == "reply" and not self.committed


@dataclass(frozen=True, slots=True)
class TryAgain:
    """The messages of a failed turn wait until then, or until a new message comes.

    With ``all_wait`` so do those tried before.
    """

    not_before: datetime
    all_wait: bool = False


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The messages of a failed turn are never tried again; the reason is a word of our own."""

    reason: str


Fate: TypeAlias = TryAgain | GiveUp


def message_id(platform: str, account: str, dedupe_key: str) -> str:
    """Return the id of what a platform delivered: the same for every delivery, for ever.

    It is made from the platform's own id and not from a counter, so that a new ledger never gives
    an old id to new words.
    """
    return f"{platform}:{_short_digest(platform, account, dedupe_key)}"


def reply_id_of(turn: str) -> str:
    """Return the id in memory of the reply of a turn."""
    return f"{turn}-reply"


def turn_id(first_message: str, attempt: int) -> str:
    """Return the id of the turn that begins with a message, at this attempt to answer it."""
    return f"turn:{_short_digest(first_message, str(attempt))}"


def _short_digest(*parts: str) -> str:
    hashed = blake2b(digest_size=10)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        hashed.update(len(encoded).to_bytes(4, "big") + encoded)
    return b32encode(hashed.digest()).decode("ascii").lower()


SELECT_MESSAGE: Final = """
SELECT m.*, c.platform, c.account, c.chat, c.thread
FROM messages m JOIN conversations c ON c.number = m.conversation
"""

SELECT_TURN: Final = """
SELECT t.*, c.platform, c.account, c.chat, c.thread, c.agent_id
FROM turns t JOIN conversations c ON c.number = t.conversation
"""

_SELECT_TURN_WITH_PIECES: Final = (
    SELECT_TURN.replace("FROM", ", p.place, p.platform_id FROM")
    + "LEFT JOIN pieces p ON p.turn = t.id WHERE {where} ORDER BY t.number, p.place"
)

UNFINISHED: Final = "t.conversation = ? AND t.finished = 0"
"""The condition of the turns of a conversation that still owe something."""

SIGN_LEFT: Final = """
t.finished = 1 AND c.platform = ? AND EXISTS (
  SELECT 1 FROM pieces s WHERE s.turn = t.id AND s.place = ? AND s.platform_id != '')
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

_SELECT_NUMBER: Final = """
SELECT number FROM conversations WHERE platform = ? AND account = ? AND chat = ? AND thread = ?
"""

_INSERT_CONVERSATION: Final = """
INSERT INTO conversations (platform, account, chat, thread) VALUES (?, ?, ?, ?) RETURNING number
"""

_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def instant_text(at: datetime) -> str:
    """Return an instant as UTC text of fixed length: such texts sort like instants."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def storable(text: str) -> str:
    """Return the text as UTF-8 can hold it: half of a surrogate pair becomes U+FFFD."""
    return _LONE_SURROGATES.sub("\ufffd", text)


def query_rows(connection: Connection, query: str, *values: object) -> list[Row]:
    """Return the rows of a query, their columns by name."""
    return connection.execute(query, values).fetchall()


def places(values: Sequence[object]) -> str:
    """Return the places of values in a statement that asks whether something is among them."""
    # No name is empty, and PostgreSQL knows no empty list.
    return f"('', {', '.join('?' * len(values))})" if values else "('')"


def ensure_conversation(connection: Connection, key: ConversationKey) -> int:
    """Return the number of a conversation, giving one to a conversation that is new."""
    number = find_conversation(connection, key)
    if number is None:
        (number,) = connection.execute(_INSERT_CONVERSATION, columns_of(key)).fetchone()
    return int(number)


def find_conversation(connection: Connection, key: ConversationKey) -> int | None:
    """Return the number of a conversation, None for one that was never met; writes nothing."""
    found = connection.execute(_SELECT_NUMBER, columns_of(key)).fetchone()
    return int(found[0]) if found else None


def columns_of(key: ConversationKey) -> tuple[str, str, str, str]:
    """Return what the columns of a conversation hold, as the statements above name them."""
    return key.platform, key.account, key.chat, key.thread


def conversation_of(row: Row) -> ConversationKey:
    """Return the conversation whose columns are in the row."""
    return ConversationKey(
        platform=row["platform"], account=row["account"], chat=row["chat"], thread=row["thread"]
    )


def insert_message(
    connection: Connection, identity: str, conversation: int, incoming: Incoming, now: datetime
) -> None:
    """Insert a new message; it waits from now on."""
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
    """Mark messages as done and empty them: only their ids stay, to recognise a redelivery."""
    connection.executemany(_SETTLE_MESSAGE, [(identity,) for identity in ids])


def message_from_row(row: Row) -> Received:
    """Return the message of a row of :data:`SELECT_MESSAGE`."""
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


def read_turns(connection: Connection, where: str, *values: object) -> tuple[TurnEntry, ...]:
    """Return the turns ``t`` of a condition, oldest first, with unsettled messages and pieces."""
    found = query_rows(connection, _SELECT_TURN_WITH_PIECES.format(where=where), *values)
    turns = groupby(found, key=itemgetter("number"))
    return tuple(_turn_from_rows(connection, [*rows]) for _, rows in turns)


def _turn_from_rows(connection: Connection, rows: Sequence[Row]) -> TurnEntry:
    """Return a turn of which there is a row for each of its pieces, at least one."""
    row = rows[0]
    unsettled = f"{SELECT_MESSAGE} WHERE m.turn = ? AND m.state != 'done' ORDER BY m.number"
    found = query_rows(connection, unsettled, row["id"])
    # In the order of writing: a platform may deliver a burst in another.
    messages = sorted(map(message_from_row, found), key=lambda each: each.incoming.at)
    pieces = {each["place"]: each["platform_id"] for each in rows if each["place"] is not None}
    sign = pieces.pop(SIGN_PLACE, "")
    return TurnEntry(
        id=row["id"],
        conversation=conversation_of(row),
        at=datetime.fromisoformat(row["at"]),
        private=bool(row["private"]),
        reply_to=row["reply_to"],
        messages=tuple(messages),
        answer=_answer_from_row(row),
        send=SendState(row["send"]),
        sends=row["sends"],
        committed=bool(row["committed"]),
        piece_ids=tuple(pieces.values()),
        sign=sign,
        agent_id=row["agent_id"] or "",
    )


def _answer_from_row(row: Row) -> TurnAnswer | None:
    if row["kind"] == "open":
        return None
    return TurnAnswer(
        kind=row["kind"],
        text=row["text"],
        at=datetime.fromisoformat(row["answered_at"]),
        used=used_from_json(row["used"]),
        document=row["document"] or None,
    )
