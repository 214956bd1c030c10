"""One program over PostgreSQL beside the same one over files: turns, and agents that were closed.

    python -m benchmarks.server_turns postgresql://… [--turns 200] [--agents 300]

The database must be empty. Turns are answered by rule, so that what is measured is ours: seconds
until an answer is shown, and seconds of this process's processor (the server has its own). Then
an agent of 1,000 messages is copied in the database, and each copy opened and asked once.
"""

import argparse
import asyncio
import logging
import resource
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles

from bot.data_folder import open_storage
from bot.sections import SecretStr
from bot.settings import Settings
from memory.agents import AgentResources, Agents, folder_of
from memory.model import AgentSettings, Message
from memory.stores.disk import REAL_DISK, Disk, replace_file
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.group_program import ANN, GroupProgram, group_program

MESSAGES = 1_000


async def turn(place: GroupProgram, number: int) -> tuple[float, float]:
    """Return the seconds of one turn, by the clock and by this process's processor."""
    began, used = time.perf_counter(), time.process_time()
    await place.say(ANN, f"我买了第{number}本书，书名叫《河流{number}》")
    return time.perf_counter() - began, time.process_time() - used


async def turns(data: Path, url: str, count: int) -> None:
    async with (
        group_program(data / "files") as files,
        group_program(data / "server", database=url) as server,
    ):
        places = {"files": files, "PostgreSQL": server}
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in places}
        for number in range(count):
            for name, place in places.items():
                taken[name].append(await turn(place, number))
                await place.settled()
    for name, found in taken.items():
        # The first ones read what is loaded once.
        walls, used = zip(*found[10:], strict=True)
        print(
            f"{name}: a turn {median(walls) * 1e3:.1f} ms, {median(used) * 1e3:.1f} ms of it ours"
        )


async def life(data: Path, name: str) -> None:
    """Let an agent hear a thousand messages, in files."""
    clock = FakeClock(NOON)
    agents = Agents(data, AgentResources(clock=clock, model=None, defaults=AgentSettings()))
    agent = await agents.get(name)
    for begin in range(0, MESSAGES, 20):
        heard = [
            Message(
                id=f"m{n}",
                at=NOON + timedelta(minutes=n),
                speaker="安",
                role="user",
                text=f"第{n}天我去了图书馆，借了《河流{n}》，晚上吃了面",
            )
            for n in range(begin, begin + 20)
        ]
        agent.worker.enqueue(heard, explicit=False)
        await agent.worker.wait_until_idle()
    await agents.close()


def copy(source: Path, disk: Disk, target: Path) -> int:
    """Copy the files of an agent; return their bytes."""
    names = sorted(REAL_DISK.names(source) - {"lock"})
    files = {name: REAL_DISK.read(source / name) or b"" for name in names}
    for name, content in files.items():
        replace_file(disk, target / name, content)
    return sum(map(len, files.values()))


async def cold(data: Path, url: str, count: int) -> None:
    await life(data, "first")
    settings = Settings(data_dir=data, database_url=SecretStr(url))
    async with open_storage(settings) as storage:
        size = 0
        for number in range(count):
            size = await asyncio.to_thread(
                copy, folder_of(data, "first"), storage.disk, folder_of(data, f"a{number}")
            )
        print(f"{count} agents of {MESSAGES} messages, {size / 1e6:.2f} MB each")
        resources = AgentResources(
            clock=FakeClock(NOON + timedelta(days=1)),
            model=None,
            defaults=AgentSettings(),
            disk=storage.disk,
        )
        agents = Agents(data, resources)
        before, taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, []
        for number in range(count):
            began = time.perf_counter()
            agent = await agents.get(f"a{number}")
            assert await agent.search("图书馆借了什么书", k=5)
            taken.append(time.perf_counter() - began)
            await agents.close()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    last = quantiles(taken, n=100)[-1]
    print(
        f"a closed agent asked: p50 {median(taken) * 1e3:.0f} ms, p99 {last * 1e3:.0f} ms; "
        f"{grown / 1024:.0f} MB more resident at the most"
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--agents", type=int, default=300)
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        await turns(Path(folder), options.url, options.turns)
        await cold(Path(folder) / "cold", options.url, options.agents)


if __name__ == "__main__":
    asyncio.run(main())
