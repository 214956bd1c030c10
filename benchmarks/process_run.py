"""What ``xiaoxiang run`` costs on each platform: until she hears, until she answers, and memory.

.venv/bin/python -m benchmarks.process_run [--messages 2000] [--runs 5] [--python OTHER]

The platforms are our own, on 127.0.0.1, and there is no model. Resident is ``VmHWM`` after the
first answer. ``--python`` runs her where less is installed than here: what an installation with
one extra takes, without what its libraries load if they find it.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from asyncio.subprocess import DEVNULL
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.process import FILL
from tests.fakes.lark_platform import LarkPlatform
from tests.fakes.lark_world import ANN as LARK_ANN
from tests.fakes.lark_world import APP_ID, APP_SECRET
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer

BEAT = 0.005


@dataclass(frozen=True)
class Cost:
    """Seconds until she hears and until the first answer, and megabytes at their highest.

    ``worked`` are the processor's seconds until she hears: a busy machine does not make them more.
    """

    hears: float
    worked: float
    answers: float
    resident: float


@dataclass(frozen=True)
class Side:
    """A platform: how to be on it, whether she hears, what to say, and whether she answered."""

    platform: Callable[[], AbstractAsyncContextManager[Any]]
    settings: Callable[[Any], dict[str, str]]
    hears: Callable[[Any], object]
    say: Callable[[Any], object]
    answered: Callable[[Any], object]


SIDES = {
    "run with Telegram": Side(
        TelegramServer,
        lambda server: {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_BASE": server.api_base,
            "OWNER_IDS": f"telegram:{ANN}",
        },
        lambda server: server.made("getUpdates"),
        lambda server: server.says("你好"),
        lambda server: [text for text in server.texts() if text != "…"],
    ),
    "run with Lark": Side(
        LarkPlatform,
        lambda platform: {
            "LARK_APP_ID": APP_ID,
            "LARK_APP_SECRET": APP_SECRET,
            "LARK_DOMAIN": platform.url,
            "OWNER_IDS": f"lark:{LARK_ANN}",
        },
        lambda platform: platform.pushes.sockets,
        lambda platform: platform.say("你好"),
        lambda platform: platform.texts(),
    ),
}


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(120):
        while not true():
            await asyncio.sleep(BEAT)


async def cost(side: Side, folder: str, python: str) -> Cost:
    """Run the program once, have it answer once, and stop it."""
    async with side.platform() as platform:
        env = {"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **side.settings(platform)}
        begun = perf_counter()
        process = await asyncio.create_subprocess_exec(
            *(python, "-m", "bot", "run", "--data", folder),
            stdout=DEVNULL,
            stderr=DEVNULL,
            env=env,
        )
        await until(lambda: side.hears(platform))
        hears, worked = perf_counter() - begun, processor_seconds(process.pid)
        side.say(platform)
        await until(lambda: side.answered(platform))
        answers = perf_counter() - begun
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        process.send_signal(signal.SIGTERM)
        await process.wait()
    kilobytes = re.search(r"VmHWM:\s+(\d+) kB", status)
    return Cost(hears, worked, answers, int(kilobytes[1]) / 1024 if kilobytes else 0.0)


def processor_seconds(pid: int) -> float:
    """Return how long all threads of a process have worked."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measured(side: Side, folder: str, runs: int, python: str) -> Cost:
    """Return the medians of some runs, each in a folder of its own: a message comes once."""
    costs = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as fresh:
            shutil.copytree(folder, fresh, dirs_exist_ok=True)
            costs.append(await cost(side, fresh, python))
    return Cost(
        median(each.hears for each in costs),
        median(each.worked for each in costs),
        median(each.answers for each in costs),
        median(each.resident for each in costs),
    )


async def table(folder: str, runs: int, python: str, sides: list[str]) -> None:
    print("| | hears after | of the processor | first answer after | peak resident |")
    print("|---|---|---|---|---|")
    for name in sides:
        found = await measured(SIDES[name], folder, runs, python)
        print(
            f"| {name} | {found.hears:.1f} s | {found.worked:.1f} s |"
            f" {found.answers:.1f} s | {found.resident:.0f} MB |"
        )


def main() -> None:
    """Print one row for each platform."""
    parser = argparse.ArgumentParser(description="Measure what being on a platform costs.")
    parser.add_argument("--messages", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable, help="one with fewer extras")
    parser.add_argument("--only", choices=SIDES, action="append")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        filled = [sys.executable, "-c", FILL, folder, str(options.messages)]
        subprocess.run(filled, capture_output=True, check=True)
        asyncio.run(table(folder, options.runs, options.python, options.only or [*SIDES]))


if __name__ == "__main__":
    main()
