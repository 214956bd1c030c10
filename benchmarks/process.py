"""What whole processes cost: start, first answer and memory of the terminal; prints a table.

.venv/bin/python -m benchmarks.process [--messages 2000] [--runs 7]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import nan
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

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


class Cost(NamedTuple):
    """Seconds until the end and those of the processor; megabytes at the most and once answered.

    ``answers`` are the seconds from the start to the first line that was answered.
    """

    seconds: float
    worked: float
    answers: float
    peak: float
    resident: float


def ran(arguments: Sequence[str], said: str) -> Cost:
    """Run the program once; what is not said is not answered, and costs nan."""
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1"},
        text=True,
    )
    answers = resident = nan
    assert process.stdin
    assert process.stdout
    if said:
        process.stdin.write(said)
        process.stdin.flush()
        process.stdout.readline()
        answers = perf_counter() - begun
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        resident = int(status.split("VmRSS:")[1].split()[0]) / 1024
    process.stdin.close()
    process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    worked = used.ru_utime + used.ru_stime
    return Cost(perf_counter() - begun, worked, answers, used.ru_maxrss / 1024, resident)


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
            "chat, nothing remembered, one answer": (
                ["chat", "--offline", "--data", f"{folder}/new"],
                "你好\n",
            ),
        }
        print("| | median s | of the processor | first answer after | peak MB | once answered |")
        print("|---|---|---|---|---|---|")
        for name, (arguments, said) in rows.items():
            runs = [ran(arguments, said) for _ in range(options.runs)]
            cost = Cost(*(median(values) for values in zip(*runs, strict=True)))
            print(
                f"| {name} | {cost.seconds:.2f} | {cost.worked:.2f} | {cost.answers:.2f} |"
                f" {cost.peak:.0f} | {cost.resident:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
