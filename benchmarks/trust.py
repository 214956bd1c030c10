"""Run the hunts that docs/trust.md rests on, one after another: a line each, and an exit status.

    python -m benchmarks.trust [--long] [--only NAME …] [--list]

Without ``--long`` each runs at a smaller count, about a quarter of an hour in all on two quiet
cores; with it at its full count, which takes some hours. What a hunt printed is shown if it
failed.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]

LONGEST_SECONDS: Final = 4 * 3600.0
"""A hunt that takes longer hangs, and has failed."""


@dataclass(frozen=True, slots=True)
class Hunt:
    """A program that exits with 1 if a promise is broken, at two lengths."""

    name: str
    promises: str
    module: str
    short: tuple[str, ...]
    long: tuple[str, ...]

    def command(self, *, long: bool) -> tuple[str, ...]:
        """Return what is run, without the interpreter."""
        return ("-m", self.module, *(self.long if long else self.short))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one hunt."""

    hunt: Hunt
    status: int
    seconds: float
    output: str

    @property
    def verdict(self) -> str:
        """Return what a hunt said last, which is its figure."""
        said = [line.strip() for line in self.output.splitlines() if line.strip()]
        return said[-1] if said else "it said nothing"


_PROPERTIES: Final = ("-q", "-n", "auto", "-m", "hypothesis or hunted")

HUNTS: Final = (
    Hunt("kill-store", "S1 S4", "benchmarks.kill_store", ("--kills", "500"), ("--kills", "10000")),
    Hunt("power-cuts", "S2", "benchmarks.power_cuts", ("--seeds", "40"), ("--seeds", "8000")),
    Hunt("flips", "S6", "benchmarks.flips", ("--flips", "50"), ("--flips", "1000")),
    Hunt(
        "flips-of-two",
        "S6",
        "benchmarks.flips",
        ("--flips", "2", "--bits", "2"),
        ("--flips", "20", "--bits", "2"),
    ),
    Hunt("kill-replay", "S4", "benchmarks.kill_replay", ("--kills", "10"), ("--kills", "50")),
    Hunt(
        "kill-telegram",
        "D1 D2 D5",
        "benchmarks.kill_telegram",
        ("--kills", "60"),
        ("--kills", "1000"),
    ),
    Hunt("kill-lark", "D1 D2", "benchmarks.kill_lark", ("--kills", "40"), ("--kills", "500")),
    Hunt(
        "kill-lark-webhook",
        "D1 D2",
        "benchmarks.kill_lark",
        ("--kills", "40", "--mode", "webhook"),
        ("--kills", "500", "--mode", "webhook"),
    ),
    Hunt(
        "kill-telegram-webhook",
        "D1 D2 D5",
        "benchmarks.kill_telegram",
        ("--kills", "40", "--mode", "webhook"),
        ("--kills", "500", "--mode", "webhook"),
    ),
    Hunt(
        "slow-network",
        "D2 C7",
        "benchmarks.slow_network",
        ("--delays", "2", "30", "--losses", "0.5"),
        ("--seeds", "3"),
    ),
    Hunt(
        "telegram-crowd",
        "D5",
        "benchmarks.telegram_crowd",
        ("--chats", "50", "--messages", "10"),
        ("--chats", "100", "--messages", "100"),
    ),
    Hunt(
        "telegram-texts",
        "D12",
        "benchmarks.telegram_texts",
        ("--texts", "5000"),
        ("--texts", "100000"),
    ),
    Hunt("markdown-answers", "D12", "benchmarks.markdown_answers", (), ()),
    Hunt(
        "hostile-bodies",
        "C8 L3 X8",
        "benchmarks.hostile_bodies",
        ("--askers", "telegram", "streaming model"),
        (),
    ),
    Hunt("fuzz", "M1 M2 M4", "benchmarks.fuzz_gate", ("--count", "20000"), ("--count", "100000")),
    Hunt("attacks", "M6", "benchmarks.attacks", ("--every", "4"), ()),
    Hunt(
        "erase",
        "P4 P5",
        "benchmarks.erase_proof",
        ("--rounds", "1", "--kills", "10"),
        ("--rounds", "5", "--kills", "100"),
    ),
    Hunt("tamper", "X1", "benchmarks.tamper", ("--count", "5000"), ("--count", "20000")),
    Hunt("soak", "O1", "benchmarks.soak", ("--days", "10"), ("--days", "340")),
    Hunt(
        "properties",
        "S3 S7 L6 M3 M5 M8",
        "pytest",
        (
            *_PROPERTIES,
            "tests/property/test_schedules.py",
            "tests/property/test_gate_properties.py",
        ),
        _PROPERTIES,
    ),
)


def run(hunt: Hunt, *, long: bool) -> Outcome:
    """Run one hunt to its end; what it printed is kept."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, *hunt.command(long=long)],
            cwd=ROOT,
            env={**os.environ, "HYPOTHESIS_PROFILE": "hunt"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(hunt, 1, LONGEST_SECONDS, f"it hung for {LONGEST_SECONDS:.0f} s")
    return Outcome(hunt, done.returncode, time.monotonic() - began, done.stdout)


def told(outcome: Outcome, *, long: bool) -> str:
    """Return the line of a hunt: verdict, promises, name, seconds, command and its figure."""
    return (
        f"{'ok' if outcome.status == 0 else 'FAILED':6}  {outcome.hunt.promises:18}  "
        f"{outcome.hunt.name:18}  {outcome.seconds:6.0f} s  "
        f"python {' '.join(outcome.hunt.command(long=long))}: {outcome.verdict}"
    )


def chosen(names: Sequence[str]) -> tuple[Hunt, ...]:
    """Return the hunts of these names in their order, or all; raises ValueError for no hunt."""
    known = {hunt.name: hunt for hunt in HUNTS}
    if unknown := [each for each in names if each not in known]:
        raise ValueError(f"no hunt is called {unknown[0]!r}; there are {', '.join(known)}")
    return tuple(hunt for hunt in HUNTS if not names or hunt.name in names)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for; return 1 if any hunt failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="full counts; some hours")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="show what would be run")
    given = parser.parse_args(arguments)
    try:
        hunts = chosen(given.only)
    except ValueError as error:
        parser.error(str(error))
    if given.list:
        for hunt in hunts:
            print(f"{hunt.promises:18}  python {' '.join(hunt.command(long=given.long))}")
        return 0
    failed = 0
    for hunt in hunts:
        outcome = run(hunt, long=given.long)
        print(told(outcome, long=given.long), flush=True)
        if outcome.status:
            failed += 1
            print(outcome.output, flush=True)
    print(f"{len(hunts) - failed} of {len(hunts)} hunts found nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
