"""How many requests for a reminder are read right: ``python -m benchmarks.reminder_times FILE``.

Wrong without asking is a reminder at another time than was meant, or for what was no request.
"""

import json
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from memory.initiative.requests import ReminderRequest, reminder_request
from memory.text.times import TimeSaid, in_zone, walls_after

OPEN_SET: Final = Path(__file__).parent.parent / "tests/sets/times/times.jsonl"


def verdict(case: dict[str, Any]) -> str:
    """Return ``right``, ``wrong``, ``missed``, ``asked`` without need, or wrong ``matter``."""
    zone, now = ZoneInfo(case["zone"]), datetime.fromisoformat(case["now"])
    found = reminder_request(case["text"], now, zone)
    if case["kind"] == "none" or found is None:
        return (
            "right" if found is None and case["kind"] == "none" else "wrong" if found else "missed"
        )
    if not isinstance(found.when, TimeSaid):
        return "right" if case["kind"] == "ask" else "asked"
    # In UTC: Python holds a wall time that the clocks repeat to be equal to no other zone's.
    if case["kind"] == "ask" or found.when.at.astimezone(UTC) != datetime.fromisoformat(
        case["at"]
    ):
        return "wrong"
    if (case["kind"] == "repeat") != bool(found.when.rule):
        return "wrong"
    if case["kind"] == "repeat" and not _same_times(found, case, zone):
        return "wrong"
    what, said = _letters(case["what"]), _letters(found.what)
    return "right" if what in said or (said and said in what) else "matter"


def _same_times(found: ReminderRequest, case: dict[str, Any], zone: ZoneInfo) -> bool:
    when = found.when
    assert isinstance(when, TimeSaid)
    start = when.at.astimezone(zone).replace(tzinfo=None)
    walls = walls_after(when.rule, start, start - timedelta(seconds=1))
    times = [in_zone(wall, zone) for wall in islice(walls, 3)]
    expected = [datetime.fromisoformat(each) for each in (case["at"], *case["then"])]
    if times != expected[: len(times)] or len(times) < len(expected):
        return False
    ended = list(islice(walls_after(when.rule, start, start), 1000)) if case["until"] else []
    return not ended or in_zone(ended[-1], zone) == datetime.fromisoformat(case["until"])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def main(path: Path) -> None:
    """Print the shares, and every case that is not right."""
    counts: Counter[str] = Counter()
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for case in cases:
        found = verdict(case)
        counts[f"{case['lang']} {found}"] += 1
        if found != "right":
            print(f"{found:7} {case['id']} {case['text']}")
    print(dict(sorted(counts.items())))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OPEN_SET)
