"""Several workers of one PostgreSQL on a fake Telegram: how many turns, how soon, at what cost.

    python -m benchmarks.fleet postgresql://… [--workers 1 2] [--chats 40] [--messages 400]

A schema is made for each number of workers. Messages come by a curve: a rush, a quiet time, then a
burst; one in ten is of one chat, and nobody writes again before the answer. They are answered by
rule, so all that is measured is ours, and the 0.6 s for which she waits whether more comes. Every
chat is told something first, so that no agent is new in what is counted. Prints turns in a second
and in a second of the workers' processors (the server's is its own), p50 and p99 from a message to
its answer, and how often an agent went to a worker.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles

import psycopg

from tests.fakes.fences import fresh_schema
from tests.fakes.processes import StartedProgram, start
from tests.fakes.telegram_server import TOKEN, TelegramServer
from tests.fakes.waiting import until

HOT_SHARE = 0.1
"""Of the messages, how many are of one chat."""

SHAPE = ((0.25, 0.5), (0.5, 1.5), (0.25, 0.0))
"""The curve: of the messages a share, and the pause between two as a part of the mean; the burst
comes at once."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Ran:
    """What one number of workers came to; seconds."""

    turns: int
    seconds: float
    processor: float
    moves: int
    waits: list[float] = field(default_factory=list)

    def line(self, workers: int) -> str:
        return (
            f"{workers} workers: {self.turns} turns in {self.seconds:.1f} s, "
            f"{self.turns / self.seconds:.1f} a second, "
            f"{self.turns / self.processor:.1f} a processor second; to the answer p50 "
            f"{median(self.waits) * 1e3:.0f} ms, p99 {quantiles(self.waits, n=100)[-1] * 1e3:.0f} "
            f"ms; agents taken {self.moves} times"
        )


def used(programs: list[StartedProgram]) -> float:
    """Return the seconds of processor that programs used."""
    parts = [
        Path(f"/proc/{each.pid}/stat").read_text().rpartition(")")[2].split() for each in programs
    ]
    return sum(int(part[11]) + int(part[12]) for part in parts) / TICKS


def count_moves(url: str) -> int:
    with psycopg.connect(url) as connection:
        query = "SELECT COALESCE(SUM(fence), 0) FROM leases WHERE folder LIKE 'agents/%'"
        found = connection.execute(query).fetchone()
    return int(found[0]) if found else 0


class Traffic:
    """People who write to one bot, and when each was answered."""

    def __init__(self, server: TelegramServer, chats: int, seed: int) -> None:
        self._server = server
        self._chance = Random(seed)
        self.chats = tuple(range(1_001, 1_001 + chats))
        self._asked: dict[int, list[float]] = {chat: [] for chat in self.chats}
        self.waits: list[float] = []
        self._seen = dict.fromkeys(self.chats, 0)

    def write(self, chat: int, text: str) -> None:
        """Let somebody write, who has an answer to everything before."""
        self._asked[chat].append(time.perf_counter())
        self._server.says(text, sender=chat)

    def look(self) -> None:
        """Note who was answered since."""
        for chat in self.chats:
            count = len(self._server.texts(chat))
            if count > self._seen[chat] and self._asked[chat]:
                self._seen[chat] = count
                now = time.perf_counter()
                self.waits += [now - at for at in self._asked[chat]]
                self._asked[chat].clear()

    @property
    def is_answered(self) -> bool:
        self.look()
        return not any(self._asked.values())

    def free(self) -> list[int]:
        """Return the chats that wait for nothing."""
        return [chat for chat in self.chats if not self._asked[chat]]

    async def run(self, messages: int, mean: float) -> None:
        """Let so many messages come, by the curve, ``mean`` seconds apart."""
        for share, pace in SHAPE:
            for number in range(int(messages * share)):
                while not (free := self.free()):
                    await asyncio.sleep(0.005)
                    self.look()
                hot = self._chance.random() < HOT_SHARE and self.chats[0] in free
                chat = self.chats[0] if hot else self._chance.choice(free)
                self.write(chat, f"我今天看了第{number}本书，讲河流的")
                await asyncio.sleep(mean * pace)
                self.look()
        while not self.is_answered:
            await asyncio.sleep(0.005)


async def ran(url: str, workers: int, options: argparse.Namespace) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        async with TelegramServer() as server:
            traffic = Traffic(server, options.chats, options.seed)
            environment = {
                "DATABASE_URL": url,
                "TELEGRAM_BOT_TOKEN": TOKEN,
                "TELEGRAM_API_BASE": server.api_base,
                "ALLOWED_IDS": ",".join(f"telegram:{chat}" for chat in traffic.chats),
                "OWNER_IDS": "telegram:1",
                "CAPTURE_NOTICE": "false",
            }
            programs = [
                start("run", env=environment | {"DATA_DIR": f"{folder}/{number}"})
                for number in range(workers)
            ]
            try:
                for chat in traffic.chats:
                    traffic.write(chat, "我喜欢拉面")
                await until(lambda: traffic.is_answered)
                traffic.waits.clear()
                began, before = time.perf_counter(), used(programs)
                await traffic.run(options.messages, options.mean)
                seconds, processor = time.perf_counter() - began, used(programs) - before
            finally:
                for program in programs:
                    program.send_signal(signal.SIGTERM)
                await until(lambda: all(each.poll() is not None for each in programs))
    return Ran(len(traffic.waits), seconds, processor, count_moves(url), traffic.waits)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--chats", type=int, default=40)
    parser.add_argument("--messages", type=int, default=400)
    parser.add_argument("--mean", type=float, default=0.1, help="seconds between two messages")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for workers in options.workers:
        url = fresh_schema(options.url, f"fleet_{workers}_{os.getpid()}")
        print(asyncio.run(ran(url, workers, options)).line(workers), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
