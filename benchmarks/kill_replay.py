"""Kill a replay again and again; nothing it reported may be lost, nothing may be there twice.

.venv/bin/python -m benchmarks.kill_replay --kills 50
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from memory.agents import folder_of
from memory.state import MemoryState
from memory.stores.recovery import read_agent_state
from tests.fakes.processes import start
from tests.fakes.waiting import HANG_SECONDS

TOPICS = ("面试", "拉面", "游戏", "猫", "旅行", "电影", "钢琴")
AGENT = "a"


@dataclass(slots=True)
class Outcome:
    """What a hunt found; ``faults`` is empty when all is well."""

    kills: int = 0
    reported: int = 0
    faults: list[str] = field(default_factory=list)


def recording(path: Path, days: int = 3, rounds: int = 4) -> list[str]:
    """Write a recording of our own and return the ids its turns will have."""
    turns = []
    with path.open("w", encoding="utf-8") as file:
        for day in range(days):
            at = datetime.fromisoformat("2026-01-03T20:00:00+08:00") + timedelta(days=day)
            for number in range(rounds):
                topic = TOPICS[(day + number) % len(TOPICS)]
                for role, speaker, text in (
                    ("user", "主人", f"今天我想聊聊{topic}，第{number}次"),
                    ("assistant", "小祥", f"好呀，{topic}怎么样了？"),
                ):
                    line = {
                        "id": f"{day}-{number}-{role}",
                        "at": at.isoformat(),
                        "speaker": speaker,
                        "role": role,
                        "text": text,
                    }
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    at += timedelta(minutes=1)
                turns.append(f"replay-{day}-{number}-user")
    return turns


def hunt(
    folder: Path, *, kills: int, seed: int, days: int, rounds: int, whole: bool = True
) -> Outcome:
    """Kill a replay ``kills`` times at random moments, let it end, and compare with the recording.

    When a replay came to its end, the next goes on with a new agent's folder. ``whole`` programs
    are started from nothing (:mod:`tests.fakes.processes`).
    """
    chance = Random(seed)
    path = folder / "recording.jsonl"
    turns = recording(path, days, rounds)
    outcome = Outcome()
    life = 0
    while outcome.kills < kills:
        data = folder / f"life-{life}"
        told = _killed(path, data, chance, whole=whole)
        outcome.kills += 1
        outcome.reported += sum(turn in turns for turn in told)
        if folder_of(data, AGENT).is_dir():
            known = read_agent_state(folder_of(data, AGENT)).receipts
            lost = [turn for turn in told if turn in turns and turn not in known]
            outcome.faults += [f"reported and lost: {turn}" for turn in lost]
        if turns[-1] in told or outcome.kills == kills:
            outcome.faults += _ended(path, data, turns, whole=whole)
            life += 1
    return outcome


def _killed(path: Path, data: Path, chance: Random, *, whole: bool) -> list[str]:
    """Return what a replay reported before it was killed, some moments after some report."""
    words = ("replay", path, "--agent", AGENT, "-v", "--data", data)
    reading, stdout = os.pipe()
    process = start(*words, stdout=stdout, whole=whole)
    os.close(stdout)
    with os.fdopen(reading, encoding="utf-8") as told:
        reports = [
            line.strip() for _, line in zip(range(chance.randrange(1, 25)), told, strict=False)
        ]
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait(HANG_SECONDS)
        return [*reports, *(line.strip() for line in told)]


def _ended(path: Path, data: Path, turns: list[str], *, whole: bool) -> list[str]:
    """Let the replay end, and return what is missing or there twice."""
    process = start("replay", path, "--agent", AGENT, "--data", data, whole=whole)
    status = process.wait(HANG_SECONDS)
    if status:
        return [f"the replay ended with status {status}"]
    return compared(read_agent_state(folder_of(data, AGENT)), turns)


def compared(state: MemoryState, turns: list[str]) -> list[str]:
    """Return every difference between what a state holds and what was said."""
    windows = state.windows.values()
    spoken = [line.id for window in windows for line in (*window.tail, *window.lines)]
    kept = [
        identity
        for memory in state.memories.values()
        for passage in memory.passages
        if passage.verbatim
        for identity in passage.source_ids
    ]
    said = {turn.removeprefix("replay-") for turn in turns}
    said |= {identity.replace("-user", "-assistant") for identity in said}
    faults = [f"no receipt: {turn}" for turn in turns if turn not in state.receipts]
    faults += [f"missing: {one}" for one in sorted(said - {*spoken, *kept})]
    faults += [f"twice: {one}" for one in sorted({*spoken}) if spoken.count(one) > 1]
    faults += [f"twice: {one}" for one in sorted({*kept}) if kept.count(one) > 1]
    faults += [f"in two places: {one}" for one in sorted({*spoken} & {*kept})]
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a replay again and again.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = hunt(Path(folder), kills=options.kills, seed=options.seed, days=12, rounds=6)
    print(
        f"{outcome.kills} kills, {outcome.reported} turns reported, {len(outcome.faults)} faults"
    )
    print("\n".join(outcome.faults))
    sys.exit(bool(outcome.faults))


if __name__ == "__main__":
    main()
