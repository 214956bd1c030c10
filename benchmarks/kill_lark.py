"""Kill the program while people write to it on Lark, and count what they miss.

    python -m benchmarks.kill_lark [--kills 100] [--seed 1] [--mode websocket] [--plain] [--whole]
        [--reminders]

100 kills and 300 messages take about two minutes; ``--whole`` starts every program from nothing,
as ``xiaoxiang run``, which takes about ten. With ``--reminders`` every message asks
to be reminded in one to three seconds, and what is counted is what rings.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.fakes.lark_kills import LarkKillRun


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--mode", choices=["websocket", "webhook"], default="websocket")
    options.add_argument("--plain", action="store_true", help="no streaming cards")
    options.add_argument("--whole", action="store_true", help="start every program from nothing")
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
        run = LarkKillRun(
            Path(folder),
            kills=given.kills,
            seed=given.seed,
            mode=given.mode,
            streaming=not given.plain,
            whole=given.whole,
        )
        run.database, run.restart = given.database, given.restart
        run.workers = given.workers
        verdict = asyncio.run(
            run.run_unasked()
            if given.unasked
            else run.run(each_kill=given.each, reminders=given.reminders)
        )
        typing = run.count_typing()
    print(
        f"{given.mode}, {'plain' if given.plain else 'streaming'}, seed {given.seed}: "
        f"{verdict.kills} kills ({verdict.amid_an_answer} amid an answer, "
        f"{verdict.amid_ringing} amid a reminder), "
        f"{verdict.sent} messages, {len(verdict.lost)} lost, {len(verdict.doubled)} doubled, "
        f"{verdict.strays} without words, {typing} with “Typing” left, "
        f"{time.monotonic() - began:.0f} s"
    )
    if given.workers > 1:
        print(f"{given.workers} workers: {verdict.of_leases()}")
    return int(verdict.failed or typing > 0)


if __name__ == "__main__":
    sys.exit(main())
