"""When each agent has something to say next: agent, item and instant, and nothing of what.

The rows follow from the agents' own records and are rebuilt whenever an agent is opened. What is
owed then is a turn like any other, under an id that is the same for this occurrence for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.conversation.ledger import records
from bot.conversation.ledger.records import TurnAnswer, TurnEntry
from bot.conversation.ledger.tables import Connection, LedgerDatabase
from bot.conversation.ledger.turns import open_own_turn
from bot.conversation.messages import ConversationKey

NIGHT: Final = -1
"""The item under which one of several workers finds the next night of an agent.

A program by itself wakes the nights of all its agents and needs no such rows.
"""

_DUE: Final = """
SELECT * FROM wakes WHERE at <= ? AND agent NOT IN {agents} AND {ours} ORDER BY at, agent, item
"""

_NEXT: Final = "SELECT MIN(at) AS at FROM wakes WHERE at > ? AND {ours}"


@dataclass(frozen=True, slots=True)
class Wake:
    """An item of an agent that is due at an instant."""

    agent_id: str
    item: int
    at: datetime


class Wakes:
    """Keep the next instant of every item of every agent."""

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database
        self._ours = database.ours.format(agent="wakes.agent")

    async def plan_night(self, agent_id: str, at: datetime) -> None:
        """Let the next night of an agent be then."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO wakes (agent, item, at) VALUES (?, ?, ?)"
                " ON CONFLICT (agent, item) DO UPDATE SET at = excluded.at",
                (agent_id, NIGHT, records.instant_text(at)),
            ),
            synced=False,
        )

    async def plan(self, agent_id: str, times: Mapping[int, datetime]) -> None:
        """Let these be all an agent says; what is known already is not written again."""
        wanted = {item: records.instant_text(at) for item, at in times.items()}

        def known(connection: Connection) -> dict[int, str]:
            rows = records.query_rows(
                connection,
                "SELECT item, at FROM wakes WHERE agent = ? AND item != ?",
                agent_id,
                NIGHT,
            )
            return {int(row["item"]): str(row["at"]) for row in rows}

        def work(connection: Connection) -> None:
            query = "DELETE FROM wakes WHERE agent = ? AND item != ?"
            connection.execute(query, (agent_id, NIGHT))
            connection.executemany(
                "INSERT INTO wakes (agent, item, at) VALUES (?, ?, ?)",
                [(agent_id, item, at) for item, at in wanted.items()],
            )

        # Not synced: the rows can be made again from the agent's records at any time.
        if await self._database.run(known, synced=False) != wanted:
            await self._database.run(work, synced=False)

    async def due(self, now: datetime, *, but: tuple[str, ...] = ()) -> tuple[Wake, ...]:
        """Return what is due, the earliest first, of all agents ``but`` these."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection,
                _DUE.format(agents=records.places(but), ours=self._ours),
                records.instant_text(now),
                *but,
            ),
            synced=False,
        )
        return tuple(
            Wake(row["agent"], int(row["item"]), datetime.fromisoformat(row["at"]))
            for row in found
        )

    async def begin(
        self, identity: str, place: ConversationKey, answer: TurnAnswer, *, private: bool
    ) -> TurnEntry | None:
        """Begin a turn that answers nobody, and owes ``answer``; None if it was begun before.

        ``identity`` is the same whenever the same thing is to be said: it is said once.
        """
        return await self._database.run(
            lambda connection: open_own_turn(connection, identity, place, answer, private=private)
        )

    async def next(self, after: datetime) -> datetime | None:
        """Return the earliest instant after ``after`` at which something is due."""
        found = await self._database.run(
            lambda connection: records.query_rows(
                connection,
                _NEXT.format(ours=self._ours),
                records.instant_text(after),
            ),
            synced=False,
        )
        return datetime.fromisoformat(found[0]["at"]) if found[0]["at"] else None
