"""One agent talks while fifty others remember and compress: how much later are her answers?

    .venv/bin/python -m benchmarks.crowd [--agents 50] [--turns 200]

Prints the delays of a turn (recall, prompt, commit) alone and in the crowd, and their difference.
"""

import argparse
import asyncio
import tempfile
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from benchmarks.speed import RecordedClock, a_turn, questions, talk
from memory.agent import AgentMemory
from memory.agents import AgentResources, Agents
from memory.model import AgentSettings

PAUSE_SECONDS = 0.02
"""Between two turns of hers: a person does not write without pause."""


async def delays(
    agent: AgentMemory, asked: list[str], clock: RecordedClock, name: str
) -> list[float]:
    """Return how long each turn took, in milliseconds."""
    took = []
    for number, query in enumerate(asked):
        begun = perf_counter()
        await a_turn(agent, query, f"{name}-{number}", clock)
        took.append(1000 * (perf_counter() - begun))
        await asyncio.sleep(PAUSE_SECONDS)
    return took


async def crowd(agents: Agents, count: int, clock: RecordedClock) -> None:
    """Let ``count`` agents remember and compress until cancelled."""
    others = [await agents.get(f"other-{number}") for number in range(count)]
    said = list(talk(6_000, seed=3))
    for first in range(0, len(said), 20):
        for number, other in enumerate(others):
            part = said[first : first + 20]
            other.background.enqueue(part, explicit=False)
            if number % 10 == 0:
                await asyncio.sleep(0)
        await asyncio.sleep(0.5)


async def measured(count: int, turns: int) -> tuple[list[float], list[float]]:
    """Return her delays alone and in the crowd."""
    said = list(talk(2_000))
    clock = RecordedClock(said[-1].at + timedelta(hours=1))
    asked = questions(said, turns)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        agents = Agents(
            folder, AgentResources(clock=clock, model=None, defaults=AgentSettings(law="network"))
        )
        stack.push_async_callback(agents.close)
        her = await agents.get("her")
        for first in range(0, len(said), 30):
            her.background.enqueue(said[first : first + 30], explicit=False)
        await her.background.wait_until_idle()
        await her.search(asked[0])
        alone = await delays(her, asked, clock, "alone")
        async with asyncio.TaskGroup() as tasks:
            noise = tasks.create_task(crowd(agents, count, clock))
            await asyncio.sleep(1)
            among = await delays(her, asked, clock, "crowd")
            noise.cancel()
    return alone, among


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure one agent in a crowd.")
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--turns", type=int, default=200)
    options = parser.parse_args()
    alone, among = asyncio.run(measured(options.agents, options.turns))
    print("| delay of a turn, ms | p50 | p95 |")
    print("|---|---|---|")
    cuts = {
        name: quantiles(took, n=20) for name, took in (("alone", alone), ("in the crowd", among))
    }
    for name, cut in cuts.items():
        print(f"| {name} | {cut[9]:.1f} | {cut[18]:.1f} |")
    added = [cuts["in the crowd"][at] - cuts["alone"][at] for at in (9, 18)]
    print(f"| added by {options.agents} others | {added[0]:.1f} | {added[1]:.1f} |")


if __name__ == "__main__":
    main()
