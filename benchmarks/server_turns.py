"""One program over PostgreSQL beside the same one over files: turns, and agents that were closed.

    python -m benchmarks.server_turns postgresql://… [--turns 200] [--agents 300] [--asked 300]

The database must be empty. Turns are answered by rule, so that what is measured is ours: seconds
until an answer is shown, and seconds of this process's processor (the server has its own). Then
an agent of 1,000 messages that has had its night is copied in the database, by the server itself
(10,000 take 45 GB; what was copied in an earlier run is not copied again); copies drawn by lot
are opened, asked and closed, and at last some kept open, which shows what an open one holds.
"""

import argparse
import asyncio
import gc
import logging
import resource
import shutil
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles

import psycopg

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
        agent.background.enqueue(heard, explicit=False)
        await agent.background.wait_until_idle()
    clock.tick(hours=24)
    await agent.nightly()
    await agents.close()


def copy(source: Path, disk: Disk, target: Path) -> int:
    """Copy the files of an agent; return their bytes."""
    names = sorted(REAL_DISK.names(source) - {"lock"})
    files = {name: REAL_DISK.read(source / name) or b"" for name in names}
    for name, content in files.items():
        replace_file(disk, target / name, content)
    return sum(map(len, files.values()))


COPY_FILES = """
INSERT INTO files (folder, name)
SELECT 'agents/a' || n, f.name FROM files f, generate_series(%(first)s::int, %(last)s) AS n
WHERE f.folder = 'agents/a0'
"""
COPY_PARTS = """
INSERT INTO file_parts (agent, file, start, data)
SELECT 'a' || n, c.file, p.start, p.data FROM generate_series(%(first)s::int, %(last)s) AS n
JOIN files f ON f.folder = 'agents/a0'
JOIN files c ON c.folder = 'agents/a' || n AND c.name = f.name
JOIN file_parts p ON p.agent = 'a0' AND p.file = f.file
"""
AT_ONCE = 200
WARM = 40
MOST_OPEN = 50
ROOM_LEFT = 8_000_000_000
"""Bytes of this machine's disk that are left alone: no more is copied then."""


def multiply(url: str, count: int) -> int:
    """Let the server copy agent a0 until there are so many; return how many there are."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        query = "SELECT COUNT(DISTINCT folder) FROM files WHERE folder LIKE 'agents/a%'"
        found = connection.execute(query).fetchone()
        there = int(found[0]) if found else 0
        for first in range(there, count, AT_ONCE):
            numbers = {"first": first, "last": min(first + AT_ONCE, count) - 1}
            with connection.transaction():
                connection.execute(COPY_FILES, numbers)
                connection.execute(COPY_PARTS, numbers)
            there = numbers["last"] + 1
            if shutil.disk_usage(tempfile.gettempdir()).free < ROOM_LEFT:
                break
        connection.execute("CHECKPOINT")
    return there


def resident() -> float:
    """Return the megabytes this process has in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def cold(data: Path, url: str, count: int, asked: int) -> None:
    settings = Settings(data_dir=data, database_url=SecretStr(url))
    async with open_storage(settings) as storage:
        home = folder_of(data, "a0")
        if not storage.disk.names(home):
            await life(data, "first")
            size = await asyncio.to_thread(copy, folder_of(data, "first"), storage.disk, home)
            print(f"an agent of {MESSAGES} messages has {size / 1e6:.2f} MB")
        began = time.perf_counter()
        count = await asyncio.to_thread(multiply, url, count)
        print(f"{count} agents, copied in {time.perf_counter() - began:.0f} s", flush=True)
        resources = AgentResources(
            clock=FakeClock(NOON + timedelta(days=2)),
            model=None,
            defaults=AgentSettings(),
            disk=storage.disk,
        )
        chosen = Random(1).sample(range(count), min(2 * asked + WARM, count))
        agents, taken = Agents(data, resources), []
        for number in chosen[:WARM]:  # what is loaded once, and what the allocator keeps
            await ask(agents, number)
            await agents.close()
        before = resident()
        for number in chosen[WARM : WARM + asked]:
            began, used = time.perf_counter(), time.process_time()
            await ask(agents, number)
            taken.append((time.perf_counter() - began, time.process_time() - used))
            await agents.close()
            gc.collect()  # a closed agent's objects hold each other
        idle = resident() - before
        before, still = resident(), chosen[WARM + asked :][:MOST_OPEN]
        for number in still:
            await ask(agents, number)
        held = resident() - before
        await agents.close()
    names = "by the clock", "of the processor"
    for name, found in zip(names, zip(*taken, strict=True), strict=True):
        p50, p99 = median(found) * 1e3, quantiles(found, n=100)[-1] * 1e3
        print(f"a closed agent asked, {name}: p50 {p50:.0f} ms, p99 {p99:.0f} ms")
    print(
        f"resident: {idle / len(taken):.2f} MB more for each agent that was opened and closed, "
        f"{held / max(len(still), 1):.1f} MB for each that is open"
    )


async def ask(agents: Agents, number: int) -> None:
    agent = await agents.get(f"a{number}")
    assert await agent.search("图书馆借了什么书", k=5)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--agents", type=int, default=300)
    parser.add_argument("--asked", type=int, default=300, help="so many of the agents")
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        if options.turns:
            await turns(Path(folder), options.url, options.turns)
        if options.agents:
            await cold(Path(folder) / "cold", options.url, options.agents, options.asked)


if __name__ == "__main__":
    asyncio.run(main())
