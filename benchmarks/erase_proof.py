"""Erase people who told twenty facts each, and kill the program while it erases (``make erase``).

Every byte of data folder, ledger, backups and logs is searched for every fact in eight encodings.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.fakes.erase_proof import (
    PEOPLE,
    Proof,
    erased_on_server,
    erased_whole,
    killed_in_the_middle,
)


async def main(rounds: int, kills: int, seed: int) -> None:
    """Print what was erased, and how far each killed erasure had come."""
    logging.getLogger().setLevel(logging.CRITICAL)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="xiaoxiang-erase-") as folder:
        for number in range(rounds):
            await erased_whole(Proof(Path(folder) / f"whole-{number}"), number)
        facts = 20 * (len(PEOPLE) - 1) * rounds
        print(f"{facts} facts of {2 * rounds} people erased, 8 encodings: 0 traces")
        chance, states = Random(seed), Counter[str]()
        for number in range(kills):
            proof = Proof(Path(folder) / f"kill-{number}")
            states[await killed_in_the_middle(proof, chance)] += 1
        told = ", ".join(f"{state} {count}" for state, count in sorted(states.items()))
        print(f"{kills} erasures killed (order {told or 'never given'}): all ended, 0 traces")
    print(f"{time.perf_counter() - begun:.0f} s")


async def on_server(url: str, rounds: int) -> None:
    """Print what was erased from a database of which this user may read the server's files."""
    traces = left = 0
    with tempfile.TemporaryDirectory(prefix="xiaoxiang-erase-") as folder:
        for number in range(rounds):
            proof = Proof(Path(folder) / str(number))
            before, after = await erased_on_server(proof, url, number)
            traces += len(before)
            left += len(after)
    print(
        f"{20 * rounds} facts erased, 8 encodings, every table, index, large value and sample: "
        f"{traces} traces before, {left} afterwards"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--database", metavar="URL", help="an empty PostgreSQL, as superuser")
    options = parser.parse_args()
    if options.database:
        asyncio.run(on_server(options.database, options.rounds))
        sys.exit()
    asyncio.run(main(options.rounds, options.kills, options.seed))
