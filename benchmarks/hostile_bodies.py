"""Let every server answer with every hostile body: what does it cost in memory, and who waits?

    python -m benchmarks.hostile_bodies [--askers telegram model] [--bodies nested]

Each pair is a process of its own that has asked the same once before, of a server that answers
well. Shown are the memory it came to above that, in MB of the resident set, and the longest time
its event loop was held, in ms of its thread's processor time: what other programs take of a busy
machine does not count. Exits with 1 above 60 MB or 100 ms.
"""

import argparse
import asyncio
import json
import logging
import sys
import time
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from bot.adapters.lark.sdk import load_sdk
from tests.fakes.hostile_asks import ASKERS
from tests.fakes.hostile_bodies import HARMLESS, HOSTILE, serving_hostile

MOST_MEGABYTES: Final = 60.0
MOST_HELD: Final = 0.1


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer cost: memory above rest, and the longest time the loop was held."""

    megabytes: float
    held: float

    @property
    def is_too_much(self) -> bool:
        return self.megabytes > MOST_MEGABYTES or self.held > MOST_HELD

    def __str__(self) -> str:
        return f"{self.megabytes:5.1f} MB {1000 * self.held:4.0f} ms"


def resident(name: str) -> float:
    """Return a figure of this process's memory in MB: ``VmHWM`` is the most it ever was."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (each for each in lines if each.startswith(f"{name}:"))
    return int(line.split()[1]) / 1024


async def watch(most: list[float]) -> None:
    """Note the longest time that was computed while this could not go on."""
    before = time.thread_time()
    while True:
        await asyncio.sleep(0.001)
        now = time.thread_time()
        most[0] = max(most[0], now - before)
        before = now


async def ask_once(asker: str, well: str, hostile: str) -> Cost:
    """Ask a server that answers well, then one that does not, in this process."""
    logging.disable()
    await load_sdk()
    import_module("bot.llm.openai_client")
    await ASKERS[asker](well)
    # The most so far is forgotten: imports come to more than what stays of them.
    Path("/proc/self/clear_refs").write_text("5")
    rest, held = resident("VmRSS"), [0.0]
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch(held))
        await asyncio.sleep(0.01)
        await ASKERS[asker](hostile)
        await asyncio.sleep(0.01)
        watching.cancel()
    return Cost(resident("VmHWM") - rest, held[0])


async def measure(asker: str, body: str) -> Cost:
    """Return what a body cost an asker, in a process of its own."""
    async with serving_hostile(HARMLESS) as well, serving_hostile(HOSTILE[body]) as hostile:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __spec__.name, "--one", asker, well, hostile), stdout=PIPE
        )
        answer, _ = await child.communicate()
    return Cost(**json.loads(answer))


async def main(options: argparse.Namespace) -> int:
    """Print a line for each asker and return the exit status."""
    bad, worst = 0, Cost(0, 0)
    for asker in options.askers or ASKERS:
        for body in options.bodies or HOSTILE:
            cost = await measure(asker, body)
            bad += cost.is_too_much
            worst = Cost(max(worst.megabytes, cost.megabytes), max(worst.held, cost.held))
            mark = " TOO MUCH" if cost.is_too_much else ""
            sys.stdout.write(f"{asker:16} {body:25} {cost}{mark}\n")
            sys.stdout.flush()
    sys.stdout.write(f"at most, above rest and in a row: {worst}; {bad} too much\n")
    return min(bad, 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--askers", nargs="*", choices=list(ASKERS))
    parser.add_argument("--bodies", nargs="*", choices=list(HOSTILE))
    parser.add_argument("--one", nargs=3, metavar=("ASKER", "WELL", "HOSTILE"))
    given = parser.parse_args()
    if given.one:
        found = asyncio.run(ask_once(*given.one))
        sys.stdout.write(json.dumps({"megabytes": found.megabytes, "held": found.held}))
        sys.exit(0)
    sys.exit(asyncio.run(main(given)))
