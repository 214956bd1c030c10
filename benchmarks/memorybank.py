"""Turn one person of MemoryBank into a recording that ``xiaoxiang replay`` takes.

    .venv/bin/python -m benchmarks.memorybank --person NAME > recording.jsonl
    .venv/bin/python -m benchmarks.memorybank --list

Each day's rounds are given times a minute apart from 20:00 Asia/Shanghai: the data has only dates.
"""

import argparse
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson

ZONE = ZoneInfo("Asia/Shanghai")


def people(data: Path, language: str) -> dict[str, Any]:
    """Return everyone in the file of that language, by name."""
    path = data / "memorybank" / language / f"memory_bank_{language}.json"
    if not path.exists():
        sys.exit(f"{path} is not there; give the folder of the data with --data")
    loaded: dict[str, Any] = orjson.loads(path.read_bytes())
    return loaded


def recording(person: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the person's messages at their dates, in order."""
    for day, rounds in sorted(person["history"].items()):
        at = datetime.fromisoformat(day).replace(hour=20, tzinfo=ZONE)
        for number, said in enumerate(rounds, start=1):
            for role, speaker, key in (
                ("user", person["name"], "query"),
                ("assistant", "小祥", "response"),
            ):
                yield {
                    "id": f"{day}-{number:02}-{role}",
                    "at": at.isoformat(),
                    "speaker": speaker,
                    "role": role,
                    "text": said[key],
                }
                at += timedelta(seconds=30)


def main() -> None:
    parser = argparse.ArgumentParser(description="Turn one person of MemoryBank into a recording.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--language", choices=("cn", "en"), default="cn")
    parser.add_argument("--person")
    parser.add_argument("--list", action="store_true", help="list the names")
    options = parser.parse_args()
    known = people(options.data, options.language)
    if options.list or options.person not in known:
        sys.exit("\n".join(known) if options.list else f"name one of: {', '.join(known)}")
    for message in recording(known[options.person]):
        sys.stdout.write(orjson.dumps(message).decode() + "\n")


if __name__ == "__main__":
    main()
