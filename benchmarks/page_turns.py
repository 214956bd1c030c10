"""What a partner's turns lose while somebody uses the memory page of the same program.

Run by ``make page-turns``. Five pairs of runs, each pair one run with nobody on the page and one
while a browser goes from room to room, a click a second, from a process of its own. Timed is what
is ours of a turn: recall, prompt and commit. A turn has a model besides; what the growth is of a
whole turn is told for one that takes a second, faster than any that was met.

Told by the clock, and by what the processor did for the whole program while the turn lasted: all
that a turn can have waited for, if none of it was done at the same time. Where other work keeps
the machine busy, everything lasts longer but the second between two clicks; ``--pace 4`` makes
that last as much longer.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

from benchmarks.page import ROOMS
from benchmarks.speed import RecordedClock, a_turn
from bot.__main__ import prepare_process
from bot.page import serve_page
from bot.web import WebServer, host_and_port
from tests.fakes.page_world import PageWorld, page_world
from tests.fakes.ports import free_port
from tests.fakes.waiting import until_listening

PAIRS: Final = 5
CLICK_EVERY: Final = 1.0
TURN_EVERY: Final = 0.23
"""Seconds; not a part of the other, so that turns meet every moment of a click."""

MODEL_SECONDS: Final = 1.0
QUERIES: Final = (
    "花生",
    "小林 搬去杭州",
    "咖啡 不加糖",
    "妈妈的生日",
    "红楼梦 第四十回",
    "西班牙语",
)


@dataclass(frozen=True)
class Plan:
    """How long a life, how many turns in each run, and how much slower than usual."""

    memories: int
    lines: int
    turns: int
    pace: float


def click(bind: str, cookie: str, every: float) -> None:
    """Go from room to room for ever, as a browser that somebody looks at."""
    host, port = host_and_port(bind)
    for path in cycle(ROOMS.values()):
        begun = time.monotonic()
        connection = HTTPConnection(host, port, timeout=60)
        connection.request("GET", path, headers={"Cookie": cookie, "Host": bind})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 200:
            sys.exit(f"{path}: {answer.status}")
        # Somebody looks at a room before they click on.
        time.sleep(max(every - (time.monotonic() - begun), 0.0))


@asynccontextmanager
async def somebody_clicking(world: PageWorld, plan: Plan) -> AsyncIterator[None]:
    """Let a browser be used meanwhile."""
    words = ("-m", "benchmarks.page_turns", "--pace", str(plan.pace), "--click")
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, world.bind, world.browser.cookie
    )
    try:
        await asyncio.sleep(plan.pace * CLICK_EVERY)
        yield
    finally:
        if process.returncode is not None:
            raise RuntimeError("the browser gave up")
        process.terminate()
        await process.wait()


class Took(NamedTuple):
    """The seconds of one run's turns at its middle and its 95th percentile."""

    p50: float
    p95: float

    def growth(self, used: "Took", besides: float = 0.0) -> float:
        """Return by how many percent the p95 grew, with so many seconds besides."""
        return 100 * ((used.p95 + besides) / (self.p95 + besides) - 1)


async def turns(world: PageWorld, name: str, plan: Plan) -> tuple[Took, Took]:
    """Return what so many turns took by the clock and of the processor."""
    agent = await world.program.agents.get("local")
    # The two runs of a pair ask the same, in the same order.
    clock, chance = RecordedClock(world.clock.now()), Random(name.partition("-")[0])
    # Every 125 turns the journal is folded, which three or four of them feel. Folded now, no run
    # of a hundred has that and its other half not.
    await agent._writer.fold()
    spent: list[tuple[float, float]] = []
    for number in range(plan.turns):
        begun, busy = time.perf_counter(), time.process_time()
        # As the program marks it: what is ours of a turn goes before the page.
        with world.program.supervisor.turns.first():
            await a_turn(agent, chance.choice(QUERIES), f"{name}-{number}", clock)
        spent.append((time.perf_counter() - begun, time.process_time() - busy))
        await asyncio.sleep(max(plan.pace * TURN_EVERY - spent[-1][0], 0.01))
    clocked, worked = (sorted(each) for each in zip(*spent, strict=True))
    return _took(clocked), _took(worked)


def _took(values: list[float]) -> Took:
    return Took(median(values), values[int(0.95 * (len(values) - 1))])


async def measured(plan: Plan) -> None:
    """Print each pair, and the medians."""
    bind = f"127.0.0.1:{free_port()}"
    found: list[tuple[tuple[Took, Took], tuple[Took, Took]]] = []
    print("| pair | by | p50 alone | p50 used | p95 alone | p95 used | growth | of a whole turn |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        async with page_world(Path(folder), count=plan.memories, lines=plan.lines):
            pass
        # Opened anew, as by a program that was started: a life does not come by itself.
        async with page_world(Path(folder), count=0, lines=0, bind=bind) as world:
            task = asyncio.ensure_future(serve_page(world.program, WebServer(), bind))
            await until_listening(bind)
            await turns(world, "warm", plan)
            for pair in range(PAIRS):
                # In turns first and second: what grows meanwhile is not the page's doing.
                before = await turns(world, f"{pair}-alone", plan) if pair % 2 == 0 else None
                async with somebody_clicking(world, plan):
                    used = await turns(world, f"{pair}-used", plan)
                alone = before or await turns(world, f"{pair}-alone", plan)
                found.append((alone, used))
                for by, a, b in zip(("clock", "processor"), alone, used, strict=True):
                    print(f"| {pair + 1} | {by} | {_cells(a, b)} |", flush=True)
            task.cancel()
            await asyncio.wait([task])
    for by, number in (("clock", 0), ("processor", 1)):
        pairs = [(alone[number], used[number]) for alone, used in found]
        own = median(alone.growth(used) for alone, used in pairs)
        whole = median(alone.growth(used, MODEL_SECONDS) for alone, used in pairs)
        print(f"p95 by the {by}: {own:+.0f} % of what is ours, {whole:+.1f} % of a whole turn")


def _cells(alone: Took, used: Took) -> str:
    times = [f"{1_000 * each:.0f} ms" for each in (alone.p50, used.p50, alone.p95, used.p95)]
    growths = (alone.growth(used), alone.growth(used, MODEL_SECONDS))
    return " | ".join([*times, *(f"{each:+.1f} %" for each in growths)])


def main() -> None:
    """Measure; or be the browser of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--pace", type=float, default=1.0)
    parser.add_argument("--click", nargs=2, metavar=("BIND", "COOKIE"))
    given = parser.parse_args()
    if given.click:
        bind, cookie = given.click
        click(bind, cookie, given.pace * CLICK_EVERY)
    prepare_process()
    asyncio.run(measured(Plan(given.memories, given.lines, given.turns, given.pace)))


if __name__ == "__main__":
    main()
