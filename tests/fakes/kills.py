"""What it takes to kill the whole program while people write, and to judge what they saw.

The model answers with the marks of the messages it is asked about, so every answer tells which
messages it answers. The program under test is a real process, forked from one that has already
loaded the libraries.
"""

import asyncio
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from bot.cli.run import run_until_stopped
from bot.settings import Settings
from tests.fakes.openai_answers import Asked
from tests.fakes.waiting import until

MARK = re.compile(r"m-\d+")
LINE = re.compile(r"^\[[^\]]*\] (m-\d+)$", re.MULTILINE)
"""A message as the prompt shows it: its minute and its words, alone on their line."""

LATENCY = 0.03
"""Seconds a call takes: the window in which a kill meets an answer on its way."""

LONGEST_LIFE = 0.4
"""Seconds after its first call within which the program is killed."""


def marks(asked: Asked) -> str:
    """Answer with the marks of the messages since the last answer, not with what memory quotes."""
    told: list[str] = []
    for message in reversed(asked.messages):
        if message["role"] != "user":
            break
        told = LINE.findall(str(message["content"])) + told
    return " ".join(dict.fromkeys(told)) or "[SKIP]"


@dataclass
class Verdict:
    """What people saw in the end."""

    sent: int
    kills: int
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    inversions: int = 0
    strays: int = 0
    amid_an_answer: int = 0
    """Kills that met a message which was put there and said nothing yet."""

    def told(self, chats: Iterable[list[str]]) -> None:
        """Judge what the bot's messages say in each chat, in their order."""
        count: Counter[str] = Counter()
        for texts in chats:
            found = [mark for text in texts for mark in MARK.findall(text)]
            count.update(found)
            order = [int(mark[2:]) for mark in found]
            self.inversions += sum(b < a for a, b in pairwise(order))
        self.lost = [f"m-{n}" for n in range(1, self.sent + 1) if not count[f"m-{n}"]]
        self.doubled = [mark for mark, times in count.items() if times > 1]


@dataclass(frozen=True, slots=True)
class Life:
    """A running program."""

    pid: int
    is_alive: Callable[[], bool]


class Nursery:
    """Where programs are born, with everything loaded or from nothing, and where they die."""

    def __init__(self, *preloaded: str) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.fakes.preload", *preloaded])

    def born(self, settings: Settings) -> Life:
        """Fork a program from one that has loaded everything."""
        process = self._context.Process(target=serve, args=(settings,), daemon=True)
        process.start()
        return Life(process.pid or 0, process.is_alive)

    def started(self, environment: dict[str, str]) -> Life:
        """Start a program as an operator does."""
        program = subprocess.Popen(
            [sys.executable, "-m", "bot", "run"],
            env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1", **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return Life(program.pid, lambda: program.poll() is None)

    async def killed(self, life: Life, number: int = signal.SIGKILL) -> None:
        os.kill(life.pid, number)
        await until(lambda: not life.is_alive())


def serve(settings: Settings) -> None:
    """Be the program, in a process of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    asyncio.run(run_until_stopped(settings))
