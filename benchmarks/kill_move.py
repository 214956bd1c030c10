"""Kill `xiaoxiang move` amid moving, there and back, and compare what arrived.

    python -m benchmarks.kill_move postgresql://… [--kills 20] [--agents 12] [--seed 1]

A folder is made in which some people told something. So often it is moved into a schema of its
own, and from there into another folder; each way is killed once, at a moment drawn by lot within
the time that the whole takes, and called again. The folder must be as it was, byte by byte, what
came back must say the same of every agent, and the ledgers must have the same rows.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random

from bot.cli.move import all_rows
from bot.conversation.ledger.database import Database
from bot.conversation.ledger.ledger import FILE_NAME
from memory.agents import AgentResources, Agents, folder_of
from memory.model import AgentSettings, Message
from memory.stores.recovery import read_agent_state
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.fences import fresh_schema
from tests.fakes.group_program import ANN, BEN, group_program
from tests.fakes.kills import kill
from tests.fakes.processes import start
from tests.fakes.waiting import until

LINES = 200


async def told(data: Path, agents: int) -> list[str]:
    """Let two people talk, and some agents more know something; return all of these."""
    async with group_program(data) as place:
        for person, words in ((ANN, "我喜欢拉面"), (BEN, "我叫小本"), (ANN, "/backup")):
            await place.hear(person, words)
        await place.settled()
    resources = AgentResources(clock=FakeClock(NOON), model=None, defaults=AgentSettings())
    known = Agents(data, resources)
    for number in range(agents):
        agent = await known.get(f"more-{number}")
        heard = [
            Message(
                id=f"m{n}",
                at=NOON + timedelta(minutes=n),
                speaker="安",
                role="user",
                text=f"第{n}天去了公园{number}",
            )
            for n in range(LINES)
        ]
        agent.background.enqueue(heard, explicit=False)
        await agent.background.wait_until_idle()
    names = sorted(known.known_ids())
    await known.close()
    return names


def content(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


async def rows(data: Path) -> object:
    ledger = Database(data / FILE_NAME)
    await ledger.open()
    try:
        return await ledger.run(all_rows)
    finally:
        await ledger.close()


async def moved(source: object, target: object, dies_after: float | None = None) -> bool:
    """Move, killed after so many seconds; return whether the kill met it amid moving."""
    program = start("move", source, target)
    if dies_after is not None:
        await asyncio.sleep(dies_after)
        under_way = program.poll() is None
        await kill(program)
        return under_way
    await until(lambda: program.poll() is not None)
    assert program.poll() == 0, f"moving ended with {program.poll()}"
    return False


async def hunted(options: argparse.Namespace) -> int:
    chance, met, bad = Random(options.seed), 0, 0
    with tempfile.TemporaryDirectory() as home:
        here = Path(home) / "here"
        names = await told(here, options.agents)
        before, ledger = content(here), await rows(here)
        seconds = 0.0
        for name in ("first", "probe"):  # the first loads what all others have
            began = time.monotonic()
            await moved(here, fresh_schema(options.url, f"{name}_{os.getpid()}"))
            seconds = time.monotonic() - began
        for number in range(options.kills):
            url = fresh_schema(options.url, f"moved_{os.getpid()}_{number}")
            back = Path(home) / f"back-{number}"
            for source, target in ((here, url), (url, back)):
                met += await moved(source, target, chance.uniform(0.0, seconds))
                await moved(source, target)
            bad += await rows(back) != ledger
            bad += sum(
                read_agent_state(folder_of(here, name)) != read_agent_state(folder_of(back, name))
                for name in names
            )
        touched = content(here) != before
    print(
        f"{len(names)} agents moved there and back {options.kills} times, {2 * options.kills} "
        f"kills ({met} amid moving, which takes {seconds:.1f} s): {bad} agents or ledgers differ, "
        f"source {'touched' if touched else 'as it was'}"
    )
    return int(touched or bad > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--agents", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    return asyncio.run(hunted(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
