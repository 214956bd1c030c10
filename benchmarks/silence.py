"""What is left of ten days of talk after a month of silence, under each law, through the shell.

    .venv/bin/python -m benchmarks.silence [--data DIR] [--people 3]

Replays people of MemoryBank offline at their own dates, lives on in silence for 31 days, and
counts what everyday recall may still see (``xiaoxiang memory list --mode normal``).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import orjson

from benchmarks.memorybank import people, recording
from memory.laws.registry import Laws

CLEAN = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1"}


def shell(*arguments: str) -> str:
    """Return what ``xiaoxiang`` printed."""
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=CLEAN).stdout


def left(lines: list[dict[str, str]], law: str, folder: Path) -> tuple[int, int]:
    """Return how many facts and how many episodes are left."""
    path = folder / "recording.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    until = (datetime.fromisoformat(lines[-1]["at"]) + timedelta(days=31)).isoformat()
    data = ("--agent", "a", "--data", str(folder))
    shell("replay", str(path), "--law", law, "--until", until, "--offline", *data)
    listed = ("list", "--mode", "normal", "--at", until, "--json", *data)
    rows = json.loads(shell("memory", *listed)).get("rows", [])
    tiers = [row["tier"] for row in rows]
    return tiers.count("fact") + tiers.count("core"), tiers.count("episode")


def main() -> None:
    parser = argparse.ArgumentParser(description="Count what a month of silence leaves.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", type=int, default=3)
    options = parser.parse_args()
    known = people(options.data, "cn")
    print("| facts / episodes left | " + " | ".join(Laws().names) + " |")
    print("|---" * (len(Laws().names) + 1) + "|")
    for number, person in enumerate(list(known.values())[: options.people], start=1):
        cells = []
        for law in Laws().names:
            with tempfile.TemporaryDirectory() as folder:
                facts, episodes = left(list(recording(person)), law, Path(folder))
            cells.append(f"{facts} / {episodes}")
        print(f"| person {number} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
