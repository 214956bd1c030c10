"""Kill the owner of a store again and again, and count what is lost.

    python -m benchmarks.kill_store --kills 1000

A child process owns a folder, commits without pause, folds every few commits and reports each
acknowledged commit over a pipe. It is killed with SIGKILL at a random moment; then the folder must
be free, readable, and hold every acknowledged commit and at most the one that was under way,
exactly as a list of all states says. Exits with 1 if one of them is not so.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from memory.errors import StoreError
from memory.state import MemoryState
from memory.stores.disk import Disk, FolderLock
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.recovery import read_agent_state
from tests.store_work import commit, commits_in

KILLS_PER_FOLDER = 25
FOLD_EVERY = 5
PAGE_LINES = 4
"""Small, so that pages are written, written anew and merged all the time."""
LONGEST_LIFE = 0.12
"""Seconds a child lives at most."""


@dataclass
class Tally:
    """What the kills came to."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    unreadable: int = 0
    wrong: int = 0


async def own(folder: Path, report: int) -> None:
    """Commit without pause and report each acknowledged commit as one byte."""
    store = FileStore(folder, fold_every=FOLD_EVERY, page_lines=PAGE_LINES)
    state = await store.load()
    while True:
        changes, state = commit(commits_in(state) + 1, state)
        await store.append(changes, state)
        os.write(report, b".")


def kill_one(folder: Path, chance: Random, longest: float = LONGEST_LIFE) -> int:
    """Let an owner live for a moment and kill it; return how many commits it acknowledged."""
    listen, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listen)
        asyncio.run(own(folder, report))
    os.close(report)
    # Not waited for anything: a kill comes at any moment, the start included.
    time.sleep(chance.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(listen, "rb") as reports:
        return len(reports.read())


class Folder:
    """A folder, and every state its commits lead through."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.states = [MemoryState()]
        self.commits = 0

    def state_after(self, commits: int) -> MemoryState:
        while len(self.states) <= commits:
            self.states.append(commit(len(self.states), self.states[-1])[1])
        return self.states[commits]

    def kill(self, chance: Random, tally: Tally, longest: float = LONGEST_LIFE) -> None:
        """Kill an owner and look at what it left."""
        acknowledged = kill_one(self.path, chance, longest)
        due = self.commits + acknowledged
        tally.kills += 1
        tally.acknowledged += acknowledged
        try:
            looked_on = read_agent_state(self.path)
            FolderLock.take(self.path).release()
            found = StoreFolder(self.path, Disk(), PAGE_LINES)
            found.close()
        except StoreError as error:
            print(error)
            tally.unreadable += 1
            return
        self.commits = commits_in(found.state)
        tally.lost += max(0, due - self.commits)
        right = self.state_after(self.commits)
        if not (found.state == looked_on == right and self.commits <= due + 1):
            tally.wrong += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--longest",
        type=float,
        default=LONGEST_LIFE,
        help="seconds a child lives at most",
    )
    arguments = parser.parse_args()
    chance = Random(arguments.seed)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="kill-store-") as home:
        for first in range(0, arguments.kills, KILLS_PER_FOLDER):
            folder = Folder(Path(home) / f"agent-{first}")
            for _ in range(min(KILLS_PER_FOLDER, arguments.kills - first)):
                folder.kill(chance, tally, arguments.longest)
    failures = tally.lost + tally.unreadable + tally.wrong
    print(
        f"{tally.kills} kills, {tally.acknowledged} acknowledged commits: {tally.lost} lost, "
        f"{tally.unreadable} unreadable folders, {tally.wrong} wrong states "
        f"(with none in {tally.kills}, at most {3 / tally.kills:.2%} at 95 %)"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
