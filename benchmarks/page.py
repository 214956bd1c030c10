"""How long each room of the memory page takes, at ten thousand memories and a long diary.

Run by ``python -m benchmarks.page``. Asks the site itself, without a socket: every room so many
times, and before each round a new line of the diary, an access and a link that grew, as while
somebody talks. The first look is told apart: the folder was just opened, and nothing is kept yet.
Prints p50 and p95 in milliseconds, by the clock and of the processor alone (on a machine that is
busy with other things only the latter says anything), and the bytes of the heaviest page with all
it loads.
"""

import argparse
import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.page.rendering import compile_templates
from bot.page.site import static_files
from memory.changes import DiaryLine, Links
from memory.laws.law import Event
from memory.model import Message
from tests.fakes.page_world import PageWorld, page_world

ROOMS: Final = {
    "today": "/",
    "search": f"/search?q={quote('花生')}",
    "list": "/search",
    "memory": "/memory/800",
    "the network": "/network",
    "network.json": "/network.json",
    "diary": "/diary?day=2026-03-04",
    "people": "/people",
    "settings": "/settings",
    "traffic": "/traffic",
}
LARGEST_PAGE: Final = 300_000


async def one_more_line(world: PageWorld, number: int) -> None:
    """Let something be said and used, so that nothing that was kept still holds unseen."""
    now = world.clock.now()
    message = Message(id=f"new{number}", at=now, speaker="主人", role="user", text="又说了一句")
    used = 800 + number
    first, *others = (await world.state()).links_of(used)
    grown = replace(first, strength=min(first.strength + 0.05, 1.0))
    await world.put(
        DiaryLine(message=message, conversation="telegram/bot/7/", number=10**7 + number),
        Links(source=used, links=(grown, *others)),
    )
    agent = await world.program.agents.get("local")
    await agent.reinforce(used, Event.ACCESS)


async def measured(count: int, lines: int, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Return the milliseconds of each room, by clock and processor, the first look before all."""
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in ROOMS}
    compile_templates()
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        async with page_world(Path(folder), count=count, lines=lines):
            pass
        async with page_world(Path(folder), count=0, lines=0) as world:
            for number in range(rounds + 1):
                if number:
                    await one_more_line(world, number)
                for name, path in ROOMS.items():
                    begun = (time.perf_counter(), time.process_time())
                    await world.browser.look(path)
                    wall, worked = time.perf_counter(), time.process_time()
                    spent[name].append((1_000 * (wall - begun[0]), 1_000 * (worked - begun[1])))
                    # Who was let in looks at the first room before they go on.
                    while world.program.supervisor.running:
                        await asyncio.sleep(0.01)
            heaviest = await _heaviest(world)
    print(f"heaviest page with all it loads: {heaviest:,} bytes (at most {LARGEST_PAGE:,})")
    return spent


async def _heaviest(world: PageWorld) -> int:
    shared = {name: len(content) for name, (content, _) in static_files().items()}
    data = len(await world.browser.look("/network.json"))
    drawing = sum(
        size
        for name, size in shared.items()
        if "d3" in name or name.endswith("network.js") or "layout" in name
    )
    always = sum(shared.values()) - drawing
    pages = {name: len((await world.browser.look(path)).encode()) for name, path in ROOMS.items()}
    del pages["network.json"]
    pages["the network"] += data + drawing
    return always + max(pages.values())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    spent = asyncio.run(measured(given.memories, given.lines, given.rounds))
    heads = ("p50 ms", "p95 ms", "CPU p50", "CPU p95", "first", "CPU first")
    print(f"{'room':<14}" + "".join(f"{each:>10}" for each in heads))
    for name, (first, *values) in spent.items():
        columns = [sorted(column) for column in zip(*values, strict=True)]
        cells = [
            column[int(share * (len(column) - 1))] for column in columns for share in (0.5, 0.95)
        ]
        print(f"{name:<14}" + "".join(f"{each:>10.0f}" for each in (*cells, *first)))


if __name__ == "__main__":
    main()
