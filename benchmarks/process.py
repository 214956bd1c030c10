"""What whole processes cost: start, first answer and memory of the terminal; prints a table.

.venv/bin/python -m benchmarks.process [--messages 2000] [--runs 7]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from statistics import median
from time import perf_counter

FILL = """
import asyncio, sys
from datetime import timedelta
from benchmarks.speed import RecordedClock, talk
from memory import open_memory

async def fill(folder, messages):
    said = list(talk(messages))
    clock = RecordedClock(said[-1].at + timedelta(hours=1))
    async with open_memory(folder, agent="local", clock=clock) as mem:
        for first in range(0, messages, 30):
            mem.remember(said[first : first + 30])
        await mem.settled()
    print(clock.at.isoformat())

asyncio.run(fill(sys.argv[1], int(sys.argv[2])))
"""
"""Run in a process of its own: a child's peak memory begins with its parent's."""


def ran(arguments: Sequence[str], said: str) -> tuple[float, float, float]:
    """Return the seconds, those of the processor, and the peak resident MB of one run."""
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        text=True,
    )
    if process.stdin:
        process.stdin.write(said)
        process.stdin.close()
    _, _, used = os.wait4(process.pid, 0)
    worked = used.ru_utime + used.ru_stime
    return perf_counter() - begun, worked, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure whole processes.")
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        filled = [sys.executable, "-c", FILL, folder, str(options.messages)]
        at = subprocess.run(filled, capture_output=True, text=True, check=True).stdout.strip()
        chat = ["chat", "--offline", "--data", folder, "--at", at]
        rows = {
            "`xiaoxiang --help`": (["--help"], ""),
            "`xiaoxiang memory list`": (["memory", "list", "--agent", "local", *chat[2:]], ""),
            f"chat, {options.messages:,} remembered, start and stop": (chat, ""),
            f"chat, {options.messages:,} remembered, one answer": (chat, "你还记得什么？\n"),
        }
        print("| | median s | of the processor | peak resident MB |\n|---|---|---|---|")
        for name, (arguments, said) in rows.items():
            runs = [ran(arguments, said) for _ in range(options.runs)]
            seconds, worked, resident = (median(run[at] for run in runs) for at in range(3))
            print(f"| {name} | {seconds:.2f} | {worked:.2f} | {resident:.0f} |")


if __name__ == "__main__":
    main()
