"""Real processes, really killed: nothing acknowledged is lost, and the folder is free at once."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from memory.errors import StoreLocked
from memory.stores.disk import FolderLock
from tests.fakes.waiting import HANG_SECONDS

ROOT = Path(__file__).resolve().parents[2]
KILLS = 30
RACERS = 6


def test_killing_the_owner_of_a_store_loses_nothing_it_acknowledged() -> None:
    """The same loop as ``make kill-store``, shorter."""
    command = [sys.executable, "-m", "benchmarks.kill_store", "--kills", str(KILLS)]

    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
    told = re.match(r"(\d+) kills, (\d+) acknowledged commits: 0 lost, 0 unr", run.stdout)
    assert told, run.stdout
    assert int(told[1]) == KILLS
    assert int(told[2]) >= KILLS // 3, "the owners were killed before they did anything"


def test_of_several_who_want_a_folder_at_once_one_gets_it(tmp_path: Path) -> None:
    start = Barrier(RACERS)

    def race(folder: Path) -> FolderLock | None:
        start.wait(HANG_SECONDS)
        try:
            return FolderLock.take(folder)
        except StoreLocked:
            return None

    with ThreadPoolExecutor(RACERS) as racers:
        for number in range(20):
            locks = list(racers.map(race, [tmp_path / str(number)] * RACERS))
            owners = [lock for lock in locks if lock]
            assert len(owners) == 1
            owners[0].release()
