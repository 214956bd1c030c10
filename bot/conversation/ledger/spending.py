"""What the models cost, and what was learnt about how they count."""

from datetime import date

from bot.conversation.ledger import rows
from bot.conversation.ledger.database import Database


class TokenSpending:
    """Count tokens per day, so that a limit holds over restarts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spent(self, day: date) -> int:
        """Return how many tokens were spent on that day."""
        found = await self._database.run(
            lambda connection: rows.query_rows(
                connection, "SELECT tokens FROM spending WHERE day = ?", day.isoformat()
            )
        )
        return int(found[0]["tokens"]) if found else 0

    async def spend(self, day: date, tokens: int) -> None:
        """Add ``tokens`` to what was spent on that day."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO spending (day, tokens) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens",
                (day.isoformat(), tokens),
            ),
            synced=False,
        )

    async def factor(self, model: str) -> float | None:
        """Return the learnt ratio of a model's own count to our estimate, if there is one."""
        found = await self._database.run(
            lambda connection: rows.query_rows(
                connection, "SELECT factor FROM factors WHERE model = ?", model
            )
        )
        return float(found[0]["factor"]) if found else None

    async def learn_factor(self, model: str, factor: float) -> None:
        """Keep the ratio for that model."""
        await self._database.run(
            lambda connection: connection.execute(
                "INSERT INTO factors (model, factor) VALUES (?, ?)"
                " ON CONFLICT DO UPDATE SET factor = excluded.factor",
                (model, factor),
            ),
            synced=False,
        )
