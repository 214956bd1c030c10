"""Kill the program while people write to it on Telegram, and count what they miss.

    python -m benchmarks.kill_telegram [--kills 300] [--seed 1] [--mode polling] [--reminders]

300 kills and 900 messages take about six minutes. More than one stray placeholder in a hundred
messages counts as a failure too. With ``--reminders`` every message asks to be
reminded in one to three seconds, and what is counted is what rings. With ``--unasked`` she begins
by herself in every chat, again and again, and what is counted is what she says.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.fakes.telegram_kills import TelegramKillRun

MOST_STRAYS: Final = 0.01
"""Of all messages, how many placeholders may be left."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--mode", choices=["polling", "webhook"], default="polling")
    options.add_argument("--reminders", action="store_true", help="every message asks for one")
    options.add_argument("--unasked", action="store_true", help="she begins by herself")
    options.add_argument("--database", default="", metavar="URL", help="an empty PostgreSQL")
    options.add_argument("--restart", default="", help="command that restarts its server")
    options.add_argument("--workers", type=int, default=1, help="programs at once, of a database")
    options.add_argument("--each", type=int, default=3, help="messages to each kill")
    given = options.parse_args()
    # The model's server complains about every client that dies: they are meant to.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        run = TelegramKillRun(Path(folder), kills=given.kills, seed=given.seed, mode=given.mode)
        run.database, run.restart = given.database, given.restart
        run.workers = given.workers
        verdict = asyncio.run(
            run.run_unasked()
            if given.unasked
            else run.run(each_kill=given.each, reminders=given.reminders)
        )
    print(
        f"{given.mode}, seed {given.seed}: "
        f"{verdict.kills} kills ({verdict.amid_an_answer} amid an answer, "
        f"{verdict.amid_ringing} amid a reminder), "
        f"{verdict.sent} messages, {len(verdict.lost)} lost, {len(verdict.doubled)} doubled, "
        f"{verdict.inversions} out of order, {verdict.strays} stray placeholders, "
        f"{time.monotonic() - began:.0f} s"
    )
    if given.workers > 1:
        print(f"{given.workers} workers: {verdict.of_leases()}")
    # Reminders come in the order in which they are due.
    unordered = verdict.inversions and not (given.reminders or given.unasked)
    strays = verdict.strays > verdict.sent * MOST_STRAYS
    return int(verdict.failed or bool(unordered) or strays)


if __name__ == "__main__":
    sys.exit(main())
