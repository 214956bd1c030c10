"""What is left of ten days of talk after a month of silence, under each law, through the shell.

    .venv/bin/python -m benchmarks.silence [--data DIR] [--people 3] [--laws tiers …] [--list]

Replays people of MemoryBank offline at their own dates, lives on in silence for 31 days, and
counts what everyday recall may still see (``xiaoxiang memory list --mode normal``). ``--list``
prints every fact that was learnt, those that are left first, for somebody to read.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from benchmarks.memorybank import people, recording
from memory.laws.registry import Laws

FACTS = frozenset({"fact", "core"})

CLEAN = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1"}


def shell(language: str, *arguments: str) -> str:
    """Return what ``xiaoxiang`` printed to a partner of that language."""
    command = [sys.executable, "-m", "bot", *arguments]
    env = CLEAN | {"LANGUAGE": "zh" if language == "cn" else language}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


Row: TypeAlias = dict[str, Any]


def lived(
    lines: list[dict[str, str]], law: str, folder: Path, language: str
) -> tuple[list[Row], list[Row]]:
    """Return what everyday recall may still see, and everything that was ever learnt."""
    path = folder / "recording.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    until = (datetime.fromisoformat(lines[-1]["at"]) + timedelta(days=31)).isoformat()
    data = ("--agent", "a", "--data", str(folder))
    shell(language, "replay", str(path), "--law", law, "--until", until, "--offline", *data)
    modes = ("normal", "debug")
    listed = [
        shell(
            *(language, "memory", "list", "--mode", mode, "--limit", "999"),
            *("--at", until, "--json", *data),
        )
        for mode in modes
    ]
    left, every = (json.loads(each).get("rows", []) for each in listed)
    return left, every


def read_out(left: list[Row], every: list[Row]) -> None:
    """Print every fact that was learnt, those first that are left."""
    here = {row["id"] for row in left}
    for row in sorted(every, key=lambda each: (each["id"] not in here, each["id"])):
        if row["tier"] in FACTS:
            kept = "left" if row["id"] in here else row["standing"]
            print(f"  {kept:9} {row['tier']:5} {row['text']}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Count what a month of silence leaves.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--language", choices=("cn", "en"), default="cn")
    parser.add_argument("--laws", nargs="+", choices=Laws().names, default=list(Laws().names))
    parser.add_argument("--list", action="store_true", help="print the facts, to be read")
    options = parser.parse_args()
    known = people(options.data, options.language)
    print("| facts left of learnt / episodes left | " + " | ".join(options.laws) + " |")
    print("|---" * (len(options.laws) + 1) + "|")
    for number, person in enumerate(list(known.values())[: options.people], start=1):
        cells = []
        for law in options.laws:
            with tempfile.TemporaryDirectory() as folder:
                left, every = lived(list(recording(person)), law, Path(folder), options.language)
            facts, learnt = (sum(row["tier"] in FACTS for row in rows) for rows in (left, every))
            cells.append(f"{facts} of {learnt} / {sum(r['tier'] == 'episode' for r in left)}")
            if options.list:
                print(f"person {number} under {law}:")
                read_out(left, every)
        print(f"| person {number} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
