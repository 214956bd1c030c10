"""Kill a replay under the law ``network`` again and again: every node is before or after a cycle.

    .venv/bin/python -m benchmarks.kill_slices RECORDING.jsonl [--kills 14]

A node that was shortened must have its former text, no verbatim left, and a scan to its name.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from memory.agents import folder_of
from memory.model import Memory
from memory.state import MemoryState
from memory.stores.recovery import read_agent_state


def is_half(memory: Memory, state: MemoryState) -> bool:
    """Whether a cycle was carried out on a node in part."""
    if not memory.words.original_length:
        return False
    verbatim = any(passage.verbatim for passage in memory.passages)
    return verbatim or memory.id not in state.previous_texts or not memory.trace.scan_count


def killed(recording: Path, data: Path, chance: Random) -> None:
    """Replay until some turns are reported, and a moment longer."""
    command = [sys.executable, "-m", "bot", "replay", str(recording), "--agent", "a", "-v"]
    with subprocess.Popen(
        [*command, "--law", "network", "--data", str(data)], stdout=subprocess.PIPE, text=True
    ) as process:
        for _ in range(chance.randrange(12, 40)):
            if process.stdout is None or not process.stdout.readline():
                break
        time.sleep(chance.random() * 0.03)  # so that the kill falls anywhere in a slice
        process.send_signal(signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill compression slices.")
    parser.add_argument("recording", type=Path)
    parser.add_argument("--kills", type=int, default=14)
    options = parser.parse_args()
    chance = Random(5)
    due = shortened = half = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.kills):
            data = Path(folder, f"life-{number // 3}")
            killed(options.recording, data, chance)
            state = read_agent_state(folder_of(data, "a"))
            due += state.agent_info.slice_due
            shortened += sum(m.words.original_length > 0 for m in state.memories.values())
            half += sum(is_half(memory, state) for memory in state.memories.values())
    print(
        f"{options.kills} kills, {due} in a slice, {shortened} shortened nodes seen, {half} half"
    )
    sys.exit(bool(half))


if __name__ == "__main__":
    main()
