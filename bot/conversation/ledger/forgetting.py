"""Erasing from the ledger: what an agent's conversations still hold of some words (DESIGN §11)."""

import json
from collections.abc import Callable, Iterator
from sqlite3 import Connection, Row
from typing import Final, TypeAlias

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database

Tells: TypeAlias = Callable[[str], bool]

_MESSAGES: Final = """
SELECT m.* FROM messages m JOIN conversations c ON c.number = m.conversation
WHERE c.agent_id = ? AND m.state != 'done'
"""
_TURNS: Final = """
SELECT t.* FROM turns t JOIN conversations c ON c.number = t.conversation
WHERE c.agent_id = ? AND t.text != ''
"""


class Forgetting:
    """Find and empty what is not settled yet; what is settled holds no words any more."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, agent_id: str, tells: Tells) -> int:
        """Return how many messages and answers tell it, commands under way left out."""

        def work(connection: Connection) -> int:
            messages = [m for m in _telling(connection, agent_id, tells) if not _under_way(m)]
            return len(messages) + len(list(_answers(connection, agent_id, tells)))

        return await self._database.run(work, synced=False)

    async def forget(self, agent_id: str, tells: Tells) -> int:
        """Empty the messages and answers that tell it: they are never answered nor sent again."""

        def work(connection: Connection) -> int:
            messages = list(_telling(connection, agent_id, tells))
            answers = {row["id"] for row in _answers(connection, agent_id, tells)}
            turns = answers | {m["turn"] for m in messages if m["turn"]}
            rows.settle_messages(connection, [m["id"] for m in messages])
            connection.executemany(
                "UPDATE turns SET text = '', used = '[]', finished = 1 WHERE id = ?",
                [(turn,) for turn in sorted(turns)],
            )
            return len(messages) + len(turns)

        gone = await self._database.run(work)
        await self._database.checkpoint()
        return gone


def _telling(connection: Connection, agent_id: str, tells: Tells) -> Iterator[Row]:
    for row in rows.rows(connection, _MESSAGES, agent_id):
        if any(tells(text) for text in (row["text"], row["quoted"], *_strings(row["raw"]))):
            yield row


def _answers(connection: Connection, agent_id: str, tells: Tells) -> Iterator[Row]:
    for row in rows.rows(connection, _TURNS, agent_id):
        if tells(row["text"]):
            yield row


def _under_way(row: Row) -> bool:
    return row["state"] == "in_turn" and row["turn"] is None


def _strings(raw: str) -> Iterator[str]:
    """Yield every text inside what the platform had sent."""
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
