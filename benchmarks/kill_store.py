"""Kill the owner of a store again and again, and count what is lost.

    python -m benchmarks.kill_store --kills 1000 [--while writing erasing migrating]

A child process owns a folder, commits without pause, folds every few commits and reports each
acknowledged commit over a pipe. It is killed with SIGKILL at a random moment; then the folder must
be free, readable, and hold every acknowledged commit and at most the one that was under way,
exactly as a list of all states says. Exits with 1 if one of them is not so.

While *writing* it does this only; pages are written, written anew and merged all the time. While
*erasing* it lets no file hold anything but the present state after every third commit, and what
was gone by an erasure that was acknowledged must be in no file, inside of compressed blocks
neither. While *migrating* each life begins with a folder as an earlier program left it
(``tests/recorded``), and the state must be what that folder said, in the present schema, with what
was committed on top. A share of the kills goes to each.
"""

import argparse
import asyncio
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from memory.changes import DiaryLine, Put
from memory.errors import StoreError
from memory.state import MemoryState
from memory.stores.disk import Disk, FolderLock
from memory.stores.file_store import FileStore
from memory.stores.folder import StoreFolder
from memory.stores.parts import words_in
from memory.stores.recovery import read_agent_state
from tests.store_work import commit, commits_in

RECORDED = Path(__file__).parent.parent / "tests" / "recorded"
OLDER = ("store_v1", "store_v2", "store_v3")

KILLS_PER_FOLDER = 25
KILLS_PER_MIGRATION = 3
"""A folder is migrated once, so few kills go to each; the second finds it half way."""
ERASE_EVERY = 3
HALF, SOON = 0.5, 0.1
FOLD_EVERY = 5
PAGE_LINES = 4
"""Small, so that pages are written, written anew and merged all the time."""
LONGEST_LIFE = 0.12
"""Seconds a child lives at most."""
KINDS = ("writing", "erasing", "migrating")


@dataclass
class Tally:
    """What the kills came to."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    unreadable: int = 0
    wrong: int = 0
    erasures: int = 0
    erased: int = 0
    left: int = 0
    half_way: int = 0


async def own(folder: Path, report: int, *, erasing: bool) -> None:
    """Commit without pause and report each acknowledged commit as one byte, erasures as well."""
    store = FileStore(folder, fold_every=FOLD_EVERY, page_lines=PAGE_LINES)
    state = await store.load()
    while True:
        changes, state = commit(commits_in(state) + 1, state)
        await store.append(changes, state)
        os.write(report, b".")
        state = await store.rebased(state)
        if erasing and commits_in(state) % ERASE_EVERY == 0:
            await store.scrub()
            state = await store.rebased(state)
            os.write(report, b"e")


def kill_one(
    folder: Path, chance: Random, longest: float = LONGEST_LIFE, *, erasing: bool = False
) -> bytes:
    """Let an owner live for a moment and kill it; return what it reported."""
    listen, report = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listen)
        asyncio.run(own(folder, report, erasing=erasing))
    os.close(report)
    # Not waited for anything: a kill comes at any moment, the start included.
    time.sleep(chance.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(listen, "rb") as reports:
        return reports.read()


def words_of(state: MemoryState) -> set[str]:
    """Return what was said in all lines that a state holds, in the diary or to undo something."""
    records = [
        *state.diary.values(),
        *(c.record for undo in state.undos.values() for c in undo.inverse if isinstance(c, Put)),
    ]
    return {each.message.text for each in records if isinstance(each, DiaryLine)}


class Folder:
    """A folder, and every state its commits lead through."""

    def __init__(self, path: Path, *, erasing: bool = False, older: str = "") -> None:
        self.path = path
        self.erasing = erasing
        self.states = [MemoryState()]
        self.gone: set[str] = set()
        self.is_older = bool(older)
        if older:
            shutil.copytree(RECORDED / older, path)
            self.states = [read_agent_state(path)]
        self.first = self.commits = commits_in(self.states[0])

    def state_after(self, commits: int) -> MemoryState:
        while len(self.states) <= commits - self.first:
            number = self.first + len(self.states)
            self.states.append(commit(number, self.states[-1])[1])
        return self.states[commits - self.first]

    def kill(self, chance: Random, tally: Tally, longest: float = LONGEST_LIFE) -> None:
        """Kill an owner and look at what it left."""
        reported = kill_one(self.path, chance, longest, erasing=self.erasing)
        acknowledged = reported.count(b".")
        due = self.commits + acknowledged
        tally.kills += 1
        tally.acknowledged += acknowledged
        self._note_erasures(reported, tally)
        try:
            looked_on = read_agent_state(self.path)
            FolderLock.take(self.path).release()
            tally.left += self._words_left()
            found = StoreFolder(self.path, Disk(), PAGE_LINES)
            found.close()
        except StoreError as error:
            print(error)
            tally.unreadable += 1
            return
        tally.half_way += self.is_older and found.needs_fold
        self.commits = commits_in(found.state)
        tally.lost += max(0, due - self.commits)
        right = self.state_after(self.commits)
        if not (found.state == looked_on == right and self.commits <= due + 1):
            tally.wrong += 1

    def _note_erasures(self, reported: bytes, tally: Tally) -> None:
        """Know what is in no file any more: what was said before the last erasure, and is gone."""
        tally.erasures += reported.count(b"e")
        done, erased, _ = reported.rpartition(b"e")
        if erased:
            last = self.commits + done.count(b".")
            before = [words_of(self.state_after(each)) for each in range(self.first, last + 1)]
            self.gone = set().union(*before) - before[-1]
            tally.erased += len(self.gone)

    def _words_left(self) -> int:
        """Return how many texts that were erased stand in any file."""
        held = b"".join(text for path in self.path.iterdir() for text in words_in(path, Disk()))
        return sum(each.encode() in held for each in self.gone)


def folders(home: Path, kind: str, kills: int) -> Iterator[Folder]:
    """Yield the folder of each kill."""
    each = KILLS_PER_MIGRATION if kind == "migrating" else KILLS_PER_FOLDER
    for first in range(0, kills, each):
        older = OLDER[first // each % len(OLDER)] if kind == "migrating" else ""
        folder = Folder(home / f"{kind}-{first}", erasing=kind == "erasing", older=older)
        yield from [folder] * min(each, kills - first)


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
    parser.add_argument("--while", dest="kinds", nargs="+", default=[*KINDS], choices=KINDS)
    arguments = parser.parse_args()
    chance = Random(arguments.seed)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="kill-store-") as home:
        for place, kind in enumerate(arguments.kinds):
            kills = len(range(place, arguments.kills, len(arguments.kinds)))
            for folder in folders(Path(home), kind, kills):
                # Whoever migrates is done with it soon: half of the kills come early.
                soon = kind == "migrating" and chance.random() < HALF
                folder.kill(chance, tally, arguments.longest * (SOON if soon else 1.0))
    failures = tally.lost + tally.unreadable + tally.wrong + tally.left
    print(
        f"{tally.kills} kills, {tally.acknowledged} acknowledged commits: {tally.lost} lost, "
        f"{tally.unreadable} unreadable folders, {tally.wrong} wrong states; {tally.erasures} "
        f"acknowledged erasures of {tally.erased} texts: {tally.left} left; {tally.half_way} "
        f"kills before an older folder was migrated "
        f"(with none in {tally.kills}, at most {3 / tally.kills:.2%} at 95 %)"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
