"""Whether talk that repeats itself is remembered as fast as talk that varies.

    .venv/bin/python -m benchmarks.repeated_talk [--sizes 2000 20000]

A machine's hourly report is the same words with other numbers. Its thousands of memories share
their keywords, so whatever compares a new one with each of them makes the work grow with the
square of their number. Every message is remembered alone, as it comes. Processor time, no model.
"""

import argparse
import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from benchmarks.speed import START, RecordedClock, vocabulary
from memory import Message, open_memory

SETTLED_EVERY: Final = 50
"""After so many messages the background is waited for, as if there were a pause."""

_CHANCE: Final = Random(3)
_WORDS: Final = vocabulary(Random(1))


def repeated(number: int) -> str:
    return f"服务器第{number}号，温度 {20 + number % 17} 度，湿度 {30 + number % 41}%，一切正常"


def varied(_: int) -> str:
    return "，".join(_CHANCE.choices(_WORDS, k=8))


async def seconds_to_remember(count: int, text: Callable[[int], str]) -> float:
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        clock = RecordedClock(START)
        async with open_memory(Path(folder), clock=clock) as mem:
            began = process_time()
            for number in range(count):
                at = START + timedelta(hours=number)
                clock.at = at + timedelta(minutes=1)
                said = Message(
                    id=f"m{number}", at=at, speaker="主人", role="user", text=text(number)
                )
                mem.remember([said])
                if number % SETTLED_EVERY == SETTLED_EVERY - 1:
                    await mem.settled()
            await mem.settled()
            return process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[2_000, 20_000])
    print("| messages | varied, s | repeated, s | ratio |\n|---:|---:|---:|---:|")
    for size in parser.parse_args().sizes:
        other = asyncio.run(seconds_to_remember(size, varied))
        same = asyncio.run(seconds_to_remember(size, repeated))
        print(f"| {size:,} | {other:.1f} | {same:.1f} | {same / other:.2f} |", flush=True)


if __name__ == "__main__":
    main()
