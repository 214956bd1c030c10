"""Whether the test suite is ever red: run it in one fresh clone after another.

Some of the runs stand beside processes that keep every core busy, since a verdict that depends
on how fast the machine is shows itself there.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
SEED: Final = re.compile(r"--randomly-seed=(\d+)")
COUNTS: Final = re.compile(r"((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the suite."""

    green: bool
    seconds: float
    output: str

    @property
    def counts(self) -> str:
        found = COUNTS.findall(self.output)
        return found[-1] if found else "no tests were counted"

    @property
    def seed(self) -> str:
        found = SEED.search(self.output)
        return found[1] if found else "unknown"


def main() -> int:
    options = _options()
    logs = Path(tempfile.mkdtemp(prefix="green-runs-"))
    red = 0
    for number in range(options.runs):
        loaded = _is_loaded(number, options.runs, options.beside_load)
        with tempfile.TemporaryDirectory(prefix="green-run-") as folder:
            clone = _cloned(Path(folder), options.commit, options.venv)
            with _load() if loaded else _rest():
                run = _run(clone)
        where = ""
        if not run.green:
            red += 1
            log = logs / f"run-{number + 1}.log"
            log.write_text(run.output, encoding="utf-8")
            where = f"  {log}"
        print(
            f"{number + 1:3}  {'green' if run.green else 'RED'}  {run.seconds:5.0f} s  "
            f"{run.counts}  seed {run.seed}{'  beside load' if loaded else ''}{where}",
            flush=True,
        )
    if not red:
        logs.rmdir()
    print(f"{options.runs - red} of {options.runs} green, {options.beside_load} beside load")
    return 1 if red else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commit", default="HEAD", help="what is tested (default: HEAD)")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--beside-load", type=int, default=4, help="so many of the runs")
    parser.add_argument(
        "--venv", type=Path, help="an environment that was set up by make, for all the clones"
    )
    options = parser.parse_args()
    if not 0 <= options.beside_load <= options.runs:
        parser.error("--beside-load is a number of the runs")
    return options


def _is_loaded(number: int, runs: int, loaded: int) -> bool:
    """Spread the runs beside load evenly.

    >>> [_is_loaded(number, 6, 2) for number in range(6)]
    [False, False, True, False, False, True]
    """
    return (number + 1) * loaded // runs > number * loaded // runs


def _cloned(folder: Path, commit: str, venv: Path | None) -> Path:
    """Return a clone of a commit, with the data beside it that some tests want."""
    clone = folder / "checkout"
    _git("clone", "-q", "--no-checkout", str(ROOT), str(clone))
    commit = _git("-C", str(ROOT), "rev-parse", commit)
    _git("-C", str(clone), "checkout", "-q", "--detach", commit)
    if (shared := ROOT.parent / "shared").is_dir():
        (folder / "shared").symlink_to(shared)
    if venv is not None:
        (clone / ".venv").symlink_to(venv.resolve())
        for marker in (".run-ready", ".dev-ready"):
            # Older than the clone's files, make would set the environment up again.
            (venv / marker).touch()
    return clone


def _git(*words: str) -> str:
    told = subprocess.run(["git", *words], check=True, capture_output=True, text=True)  # noqa: S607 - whichever git the user has
    return told.stdout.strip()


@contextmanager
def _load() -> Iterator[None]:
    """Keep every core busy."""
    hogs = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


@contextmanager
def _rest() -> Iterator[None]:
    yield


def _run(clone: Path) -> Run:
    began = time.monotonic()
    done = subprocess.run(
        ["make", "test"],  # noqa: S607 - whichever make the user has
        cwd=clone,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Run(done.returncode == 0, time.monotonic() - began, done.stdout)


if __name__ == "__main__":
    sys.exit(main())
