"""A hundred people write to her on Telegram while one conversation hangs.

    python -m benchmarks.telegram_crowd [--chats 100] [--messages 20] [--pause 0.05]

Prints what the hanging chat costs the others: their 95th percentile with it less without it.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.fakes.telegram_crowd import Crowd, crowd


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--chats", type=int, default=100)
    options.add_argument("--messages", type=int, default=20)
    options.add_argument("--pause", type=float, default=0.05)
    given = options.parse_args()

    def run(*, stuck: bool) -> Crowd:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(
                crowd(
                    Path(folder),
                    chats=given.chats,
                    messages=given.messages,
                    stuck=stuck,
                    pause=given.pause,
                )
            )

    calm, hanging = run(stuck=False), run(stuck=True)
    print(
        f"{given.chats} chats x {given.messages}: {hanging.missing} unanswered, "
        f"{hanging.inversions} inversions, p95 {calm.p95() * 1000:.0f} ms alone, "
        f"{hanging.p95() * 1000:.0f} ms beside a hanging chat"
    )
    return 1 if hanging.missing or hanging.inversions else 0


if __name__ == "__main__":
    sys.exit(main())
