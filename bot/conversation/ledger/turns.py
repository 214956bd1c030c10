"""Turns: what is answered and what is still owed, one row each.

Every step of a turn is recorded here before the next one begins, so that a crash leaves a turn
that can be continued.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from typing import Final, assert_never

from bot.conversation.ledger import records, tables
from bot.conversation.ledger.records import (
    Fate,
    GiveUp,
    Received,
    SendState,
    TryAgain,
    TurnAnswer,
    TurnEntry,
    turn_id,
)
from bot.conversation.ledger.tables import Connection, LedgerDatabase, used_json
from bot.conversation.messages import ConversationKey


@dataclass(frozen=True, slots=True)
class StopOrder:
    """Somebody wants an answer to stop.

    ``message`` is the ledger's id of the message that says so; only what came before it is meant.
    With a ``person`` only an answer to that person is.
    """

    conversation: ConversationKey
    message: str
    person: str = ""


class Turns:
    """Keep each turn from its first message until it is both sent and committed.

    Every method returns the turn as it stands afterwards.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database
        # Since the program began, for those who watch it.
        self.sent: Final[Counter[str]] = Counter()

    async def begin(self, messages: Sequence[Received], at: datetime) -> TurnEntry:
        """Begin a turn with messages; in the same step they stop waiting."""

        def work(connection: Connection) -> TurnEntry:
            identity = _open_turn(connection, messages, at)
            connection.executemany(
                "UPDATE messages SET state = 'in_turn', turn = ? WHERE id = ?",
                [(identity, message.id) for message in messages],
            )
            return _read_turn(connection, identity)

        # Not synced, as every step that can be taken again: only what the partner is about to see
        # must outlive a power failure, else they could be answered twice.
        return await self._database.run(work, synced=False)

    async def unfinished(self, conversation: ConversationKey) -> tuple[TurnEntry, ...]:
        """Return the turns of a conversation that still owe something, oldest first."""

        def work(connection: Connection) -> tuple[TurnEntry, ...]:
            number = records.find_conversation(connection, conversation)
            return records.read_turns(connection, records.UNFINISHED, number)

        return await self._database.run(work, synced=False)

    async def record_answer(
        self, turn: TurnEntry, answer: TurnAnswer, *, sending: bool = False
    ) -> TurnEntry:
        """Record the final reply, before it is sent; a turn that was stopped keeps what it has.

        With ``sending`` that begins in the same step, as :meth:`record_sending` does it.
        """

        def work(connection: Connection) -> TurnEntry:
            if _is_open(connection, turn.id):
                _write_answer(connection, turn.id, answer)
                _set_message_state(connection, turn.id, "answered")
                connection.execute(tables.MODEL_IS_THERE, (turn.id,))
            claimed = _begin_sending(connection, turn) if sending else None
            return claimed or _read_turn(connection, turn.id)

        return await self._database.run(work)

    async def release(self, turn: TurnEntry, fate: Fate, apology: TurnAnswer | None) -> TurnEntry:
        """Give the messages of a failed turn back, to wait or to be given up.

        With an ``apology`` the turn goes on to send it, and its messages count as told. A turn
        that was stopped meanwhile has not failed.
        """

        def work(connection: Connection) -> TurnEntry:
            if turn.answer is None and not _is_open(connection, turn.id):
                return _read_turn(connection, turn.id)
            _give_back(connection, turn.id, fate, told=apology is not None)
            if apology is not None:
                _write_answer(connection, turn.id, apology)
            else:
                _close_turn(connection, turn.id)
            return _read_turn(connection, turn.id)

        return await self._database.run(work, synced=False)

    async def record_piece(self, turn: TurnEntry, place: int, platform_id: str) -> None:
        """Record the platform's id of the message for piece ``place`` of the answer, from 0.

        Under :data:`SIGN_PLACE` that of the sign on the question.
        """
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO pieces (turn, place, platform_id) VALUES (?, ?, ?)"
                " ON CONFLICT (turn, place) DO UPDATE SET platform_id = excluded.platform_id",
                (turn.id, place, platform_id),
            ),
            # A sign that is left over by a power failure is no answer shown twice.
            synced=place != records.SIGN_PLACE,
        )

    async def record_sending(self, turn: TurnEntry) -> TurnEntry | None:
        """Record that sending begins; begun twice, it is in doubt what the partner saw.

        None if somebody else sent it, or began to, since this entry was read.
        """
        return await self._database.run(lambda connection: _begin_sending(connection, turn))

    async def record_not_sent(self, turn: TurnEntry) -> TurnEntry:
        """Record that the last send certainly showed nothing: it is planned again."""
        return await self._set_send(turn, SendState.PLANNED)

    async def record_sent(self, turn: TurnEntry) -> TurnEntry:
        """Record that the partner has the answer."""
        sent = await self._set_send(turn, SendState.SENT)
        self.sent[turn.conversation.platform] += 1
        return sent

    async def record_refused(self, turn: TurnEntry) -> TurnEntry:
        """Record that the answer can never be delivered and will not be tried again."""
        return await self._set_send(turn, SendState.REFUSED)

    async def record_committed(self, turn: TurnEntry) -> TurnEntry:
        """Record that memory has the turn."""

        def work(connection: Connection) -> TurnEntry:
            connection.execute("UPDATE turns SET committed = 1 WHERE id = ?", (turn.id,))
            _set_message_state(connection, turn.id, "committed")
            _finish_turn(connection, turn.id)
            return _read_turn(connection, turn.id)

        return await self._database.run(work, synced=False)

    async def _set_send(self, turn: TurnEntry, state: SendState) -> TurnEntry:
        def work(connection: Connection) -> TurnEntry:
            connection.execute("UPDATE turns SET send = ? WHERE id = ?", (state, turn.id))
            _finish_turn(connection, turn.id)
            return _read_turn(connection, turn.id)

        return await self._database.run(work, synced=False)


class TurnStops:
    """Stop turns that are being answered; which of stop and answer comes first is decided here."""

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database

    async def is_answering(
        self, conversation: ConversationKey, person: str, *, or_waits: bool = False
    ) -> bool:
        """Whether something that person said there is being answered, or waits behind what is."""

        def work(connection: Connection) -> bool:
            number = records.find_conversation(connection, conversation)
            values = (number, person, _NO_LIMIT)
            waits = or_waits and records.query_rows(connection, _WAITING, *values)
            return bool(_stoppable_turns(connection, number, "" if waits else person, _NO_LIMIT))

        return await self._database.run(work, synced=False)

    async def withdraw(self, order: StopOrder) -> bool:
        """Let what waits to be answered to that person be only heard; whether anything did."""

        def work(connection: Connection) -> bool:
            number, latest = _meant(connection, order)
            found = records.query_rows(connection, _WAITING, number, order.person, latest)
            for row in found:
                connection.execute("UPDATE messages SET addressed = 0 WHERE id = ?", (row["id"],))
            return bool(found)

        return bool(order.person) and await self._database.run(work)

    async def stop(self, order: StopOrder, answer_for: Callable[[str], TurnAnswer]) -> str:
        """Answer the turn under way with what there is of it; return its id, empty for none.

        ``answer_for`` is given the turn's id. An order that was carried out stops nothing more.
        """

        def work(connection: Connection) -> str:
            query = "SELECT id FROM turns WHERE stopped_by = ?"
            done = records.query_rows(connection, query, order.message)
            if done:
                return str(done[0]["id"])
            number, latest = _meant(connection, order)
            found = _stoppable_turns(connection, number, order.person, latest)
            if not found:
                return ""
            _write_answer(connection, found[0], answer_for(found[0]))
            _set_message_state(connection, found[0], "answered")
            update = "UPDATE turns SET stopped_by = ? WHERE id = ?"
            connection.execute(update, (order.message, found[0]))
            return found[0]

        return await self._database.run(work)

    async def reread(self, turn: TurnEntry) -> TurnEntry:
        """Return a turn as it stands."""
        return await self._database.run(
            lambda connection: _read_turn(connection, turn.id), synced=False
        )


_NO_LIMIT: Final = 2**63 - 1
"""The largest number of a column."""

_STOPPABLE: Final = """
SELECT t.id FROM turns t WHERE t.conversation = ? AND t.finished = 0 AND t.kind = 'open'
AND EXISTS (
  SELECT 1 FROM messages m JOIN conversations c ON c.number = m.conversation
  WHERE m.turn = t.id AND m.number < ? AND (? = '' OR c.platform || ':' || m.sender_id = ?)
) ORDER BY t.number
"""

# Whatever holds a slash may be a command, which is carried out all the same.
_WAITING: Final = """
SELECT m.id FROM messages m JOIN conversations c ON c.number = m.conversation
WHERE m.conversation = ? AND m.state = 'received' AND m.turn IS NULL AND m.addressed = 1
AND c.platform || ':' || m.sender_id = ? AND m.number < ?
AND m.text NOT LIKE '%/%' AND m.text NOT LIKE '%／%'
"""


def _stoppable_turns(
    connection: Connection, conversation: int | None, person: str, latest: int
) -> list[str]:
    """Return the turns without an answer that hold a message before ``latest`` by that person."""
    values = (conversation, latest, person, person)
    return [str(row["id"]) for row in records.query_rows(connection, _STOPPABLE, *values)]


def _meant(connection: Connection, order: StopOrder) -> tuple[int | None, int]:
    """Return the numbers of an order's conversation and of the message that says so."""
    query = "SELECT number FROM messages WHERE id = ?"
    found = records.query_rows(connection, query, order.message)
    latest = int(found[0]["number"]) if found else _NO_LIMIT
    return records.find_conversation(connection, order.conversation), latest


def _is_open(connection: Connection, identity: str) -> bool:
    query = "SELECT 1 FROM turns WHERE id = ? AND kind = 'open'"
    return bool(records.query_rows(connection, query, identity))


def open_document_turn(connection: Connection, message: Received, answer: TurnAnswer) -> TurnEntry:
    """Insert a turn that owes what a command answers, inside whatever transaction runs."""
    _write_answer(connection, turn := _open_turn(connection, (message,), answer.at), answer)
    return _read_turn(connection, turn)


def open_own_turn(
    connection: Connection,
    identity: str,
    place: ConversationKey,
    answer: TurnAnswer,
    *,
    private: bool,
) -> TurnEntry | None:
    """Insert a turn that answers nobody, inside whatever transaction runs; None if it is there."""
    number = records.ensure_conversation(connection, place)
    begun = connection.execute(
        "INSERT INTO turns (id, conversation, at, private, reply_to)"
        " VALUES (?, ?, ?, ?, '') ON CONFLICT DO NOTHING",
        (identity, number, records.instant_text(answer.at), private),
    )
    if not begun.rowcount:
        return None
    _write_answer(connection, identity, answer)
    return _read_turn(connection, identity)


def _open_turn(connection: Connection, messages: Sequence[Received], at: datetime) -> str:
    """Insert a turn that answers messages, as a reply to the last said to her; return its id."""
    first, to_her = messages[0], [each for each in messages if each.incoming.addressed]
    last = (to_her or messages)[-1].incoming
    identity = _free_turn_id(connection, first)
    number = records.ensure_conversation(connection, first.conversation)
    connection.execute(
        "INSERT INTO turns (id, conversation, at, private, reply_to) VALUES (?, ?, ?, ?, ?)",
        (identity, number, records.instant_text(at), last.private, last.dedupe_key),
    )
    return identity


def _free_turn_id(connection: Connection, first: Received) -> str:
    """Return the id of a turn that begins with a message at this attempt to answer it.

    Turns are traced for a month, ids of messages for two days. What is delivered again in between
    is new, and its id is taken: without the next free one its conversation would fail for ever.
    """
    query = "SELECT 1 FROM turns WHERE id = ?"
    ids = (turn_id(first.id, attempt) for attempt in count(first.attempts))
    return next(each for each in ids if not records.query_rows(connection, query, each))


def _read_turn(connection: Connection, identity: str) -> TurnEntry:
    (turn,) = records.read_turns(connection, "t.id = ?", identity)
    return turn


def _begin_sending(connection: Connection, turn: TurnEntry) -> TurnEntry | None:
    claimed = connection.execute(
        "UPDATE turns SET sends = sends + 1, send ="
        " CASE send WHEN 'planned' THEN 'sending' ELSE 'in_doubt' END"
        " WHERE id = ? AND sends = ? AND finished = 0",
        (turn.id, turn.sends),
    )
    return replace(_read_turn(connection, turn.id), claimed=True) if claimed.rowcount else None


def _write_answer(connection: Connection, identity: str, answer: TurnAnswer) -> None:
    connection.execute(
        "UPDATE turns SET kind = ?, text = ?, answered_at = ?, used = ?, document = ?,"
        " send = 'planned' WHERE id = ?",
        (
            answer.kind,
            records.storable(answer.text),
            answer.at.isoformat(),
            used_json(answer.used),
            records.storable(answer.document) if isinstance(answer.document, str) else "",
            identity,
        ),
    )


def _set_message_state(connection: Connection, identity: str, state: str) -> None:
    connection.execute("UPDATE messages SET state = ? WHERE turn = ?", (state, identity))


def _give_back(connection: Connection, identity: str, fate: Fate, *, told: bool) -> None:
    """Take the messages out of their turn, with one more failed attempt each.

    The words of those given up leave the ledger.
    """
    match fate:
        case TryAgain(not_before, all_wait):
            state, wait, reason = "received", records.instant_text(not_before), ""
            if records.query_rows(connection, tables.WROTE_ON, identity):
                wait = ""
            elif all_wait:
                connection.execute(tables.WAIT_TOGETHER, (wait, wait, identity))
        case GiveUp(why):
            state, wait, reason = "failed", "", why
            emptied = "UPDATE messages SET text = '', quoted = '', raw = '{}' WHERE turn = ?"
            connection.execute(emptied, (identity,))
        case never:
            assert_never(never)
    connection.execute(
        "UPDATE messages SET turn = NULL, state = ?, not_before = ?, failure = ?,"
        " attempts = attempts + 1, told = CASE WHEN ? = 1 THEN 1 ELSE told END WHERE turn = ?",
        (state, wait, reason, told, identity),
    )


def _close_turn(connection: Connection, identity: str) -> None:
    """End a turn without an answer."""
    closed = (
        "UPDATE turns SET finished = 1, kind = 'open', text = '', document = '', used = '[]',"
        " send = 'none' WHERE id = ?"
    )
    connection.execute(closed, (identity,))


def _finish_turn(connection: Connection, identity: str) -> None:
    """End the turn if it owes nothing any more; its words leave the ledger."""
    ended = connection.execute(
        "UPDATE turns SET finished = 1, text = '', document = '', used = '[]' WHERE id = ?"
        " AND send IN ('sent', 'refused') AND (kind = 'apology' OR committed = 1)",
        (identity,),
    ).rowcount
    if ended:
        found = records.query_rows(connection, "SELECT id FROM messages WHERE turn = ?", identity)
        records.settle_messages(connection, [row["id"] for row in found])
