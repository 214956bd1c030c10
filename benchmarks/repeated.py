"""How fast talk is remembered that repeats itself, beside talk that does not; prints a table.

    .venv/bin/python -m benchmarks.repeated [--sizes 4000 20000]

The repeated talk is an hourly line of the same words and other numbers: every message shares all
its keywords with every other one. The varied talk has as many messages at the same instants.
Processor time, since both are remembered one after the other on a machine that may be busy.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from time import process_time

from benchmarks.speed import START, RecordedClock, talk
from memory import Message, open_memory

LONGEST_VARIED = 40


def hourly(count: int, *, repeated: bool) -> Iterator[Message]:
    """Yield one message an hour, all of the partner."""
    for number, message in enumerate(talk(count)):
        line = (
            f"客厅温度 {18 + number % 9}.{number % 10} 度，湿度 {40 + number * 7 % 31}%，"
            f"门窗已关，第 {number} 次"
        )
        text = line if repeated else message.text[:LONGEST_VARIED]
        at = START + timedelta(hours=number)
        yield replace(message, at=at, speaker="主人", role="user", text=text)


async def seconds_to_remember(said: list[Message]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        begun = process_time()
        async with open_memory(folder, clock=RecordedClock(said[-1].at)) as mem:
            for first in range(0, len(said), 30):
                mem.remember(said[first : first + 30])
            await mem.settled()
            return process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description="Remember talk that repeats itself.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[4_000, 20_000])
    print("| messages | varied, s | repeated, s | times |")
    print("|---|---|---|---|")
    for size in parser.parse_args().sizes:
        varied, repeated = (
            asyncio.run(seconds_to_remember(list(hourly(size, repeated=each))))
            for each in (False, True)
        )
        print(f"| {size:,} | {varied:.1f} | {repeated:.1f} | {repeated / varied:.2f} |")


if __name__ == "__main__":
    main()
