"""Cut the power at every call of a store's life, with every seed, and count what is lost.

    python -m benchmarks.power_cuts --seeds 400

A life runs on a disk in memory that keeps what was synced and, of the rest, whatever the seed
keeps: bytes torn or zeroed, names in any combination. After the cut the folder must open, hold
every acknowledged commit and at most the one that was under way, exactly as a list of all states
says, and take the next one. Exits with 1 if one of them is not so.

The ledger keeps a turn beside it, on a real disk: after each step its log is cut where it was
synced or anywhere behind that, and what opens must be the ledger of a step since then.
"""

import argparse
import asyncio
import logging
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from memory.errors import StoreError
from memory.stores.recovery import read_agent_state
from tests.fakes.disks import Killed, PowerlessDisk
from tests.ledger_cuts import is_right_after, life_of_a_turn
from tests.store_owner import COMMITS, HOME, STATES, Owner, calls_of_a_life

PROCESSES = 2
SHOWN = 20
"""So many failures are named by call and seed."""


@dataclass
class Tally:
    """What the cuts came to; a failure is the number of its call and its seed."""

    cases: int = 0
    refused: list[tuple[int, int]] = field(default_factory=list)
    wrong: list[tuple[int, int]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.cases += other.cases
        self.refused += other.refused
        self.wrong += other.wrong


def cut_at(call: int, seeds: int) -> Tally:
    """Live up to that call once, and look at what every seed leaves of it."""
    logging.disable()
    lived, disk, tally = Owner(), PowerlessDisk(killed_at=call), Tally()
    with suppress(Killed):
        lived.open(disk)
        lived.live(COMMITS)
    for seed in range(seeds):
        tally.cases += 1
        left = PowerlessDisk(disk.after_power_loss(Random(seed)))
        try:
            if not lives_on(Owner(lived.acknowledged, lived.attempted), left):
                tally.wrong.append((call, seed))
        except StoreError:
            tally.refused.append((call, seed))
        except AssertionError:
            tally.wrong.append((call, seed))
    return tally


def lives_on(owner: Owner, disk: PowerlessDisk) -> bool:
    """Open what is left, commit once more, and say whether everybody sees just that."""
    looked_on = read_agent_state(HOME, disk=disk)
    owner.open(disk)
    same = looked_on == STATES[owner.acknowledged]
    owner.live(1)
    return same and owner.refusals == 0 and read_agent_state(HOME, disk=disk) == owner.folder.state


async def ledger_cuts(seeds: int) -> tuple[int, list[str]]:
    """Cut the power at every step of a turn in the ledger; return how often, and what is wrong."""
    logging.disable()
    wrong, cases = list[str](), 0
    with TemporaryDirectory(prefix="xiaoxiang-bench-") as folder:
        for moment in await life_of_a_turn(Path(folder)):
            for seed in range(seeds):
                cases += 1
                with TemporaryDirectory(prefix="xiaoxiang-bench-") as left:
                    if not await is_right_after(moment, Random(seed), Path(left)):
                        wrong.append(f"{moment.step}, seed {seed}")
    return cases, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=400)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    arguments = parser.parse_args()
    calls = len(calls_of_a_life())
    tally, began = Tally(), perf_counter()
    with ProcessPoolExecutor(arguments.processes) as pool:
        for each in pool.map(partial(cut_at, seeds=arguments.seeds), range(1, calls + 1)):
            tally.add(each)
    failures = tally.refused + tally.wrong
    print(
        f"{calls} calls x {arguments.seeds} seeds, {tally.cases:,} cuts: {len(failures)} failures "
        f"({len(tally.refused)} folders refused, {len(tally.wrong)} wrong states), "
        f"{perf_counter() - began:.0f} s"
    )
    for call, seed in failures[:SHOWN]:
        print(f"  call {call}, seed {seed}")
    cases, wrong = asyncio.run(ledger_cuts(arguments.seeds))
    print(f"the ledger of a turn, {cases:,} cuts: {len(wrong)} failures")
    for place in wrong[:SHOWN]:
        print(f"  {place}")
    return 1 if failures or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
