"""What waiting costs: ``python -m benchmarks.initiative [AGENTS] [REMINDERS]``.

Finding what is due, and when to wake next, among the reminders of very many agents.
"""

import asyncio
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from bot.adapters import identities_of
from bot.conversation.ledger import Ledger

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 50


async def measure(agents: int, each: int) -> None:
    """Fill a ledger and print the times, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = await Ledger.open(Path(folder), identities_of())
        for agent in range(agents):
            times = {n: BEGIN + timedelta(minutes=agent + 1440 * n) for n in range(1, each + 1)}
            await ledger.wakes.plan(f"agent-{agent}", times)
        await ledger.close()
        started = time.perf_counter()
        ledger = await Ledger.open(Path(folder), identities_of())
        opened = time.perf_counter() - started
        due, coming, found = [], [], await ledger.wakes.due(BEGIN)
        for n in range(ROUNDS):
            now = BEGIN + timedelta(days=1, minutes=n)
            started = time.perf_counter()
            found = await ledger.wakes.due(BEGIN + timedelta(days=1))
            due.append(time.perf_counter() - started)
            started = time.perf_counter()
            await ledger.wakes.next(now)
            coming.append(time.perf_counter() - started)
        await ledger.close()
    print(f"{agents} agents with {each} reminders each, {len(found)} due")
    print(f"due: {1000 * median(due):.2f} ms, next: {1000 * median(coming):.2f} ms")
    print(f"opened in {1000 * opened:.0f} ms")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    asyncio.run(measure(given[0] if given else 10_000, given[1] if len(given) > 1 else 20))
