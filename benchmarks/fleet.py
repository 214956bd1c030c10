"""Several workers of one PostgreSQL on a fake Telegram, and what that says of larger fleets.

    python -m benchmarks.fleet postgresql://… [--workers 1 2 3] [--chats 40] [--messages 480]

For each number of workers a day is lived through in a schema of its own: so many messages by the
hours of a day, a tenth of each hour's at once at its beginning, a tenth in one group. Nobody
writes again before the answer. They are answered by rule, so all that is measured is ours; the
0.6 s for which she waits whether more comes are taken off. Everybody is told something first, so
that no agent is new in what is counted. Prints turns in a second and the seconds of processor for
one, those of the workers and those of the server (if it runs on this machine), p50 and p99 from
a message to its answer, how often an agent went to a worker, and what limits.

A model is fitted to all runs but the largest: turns a second as a power of the number of workers,
as far as there are processors for it, and the seconds of processor of a turn. What it says of
the largest run is printed beside what was measured, and then what it says of other fleets. The day
is to be so short that they cannot keep up: what they can do is measured then, and the waits are
those of a crowd.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from pathlib import Path
from random import Random
from statistics import linear_regression, mean, median, quantiles
from typing import Self

import psycopg

from bot.conversation.lanes import QUIET_SECONDS
from tests.fakes.fences import fresh_schema
from tests.fakes.processes import StartedProgram, start
from tests.fakes.telegram_server import TOKEN, TelegramServer
from tests.fakes.waiting import until

HOT_SHARE = 0.1
"""Of the messages, how many are of one chat."""

HOURS = (1, 0, 0, 0, 0, 0, 1, 3, 5, 5, 4, 4, 5, 4, 3, 3, 4, 5, 6, 8, 9, 9, 6, 3)
"""The curve of a day: how many messages come in each hour, in parts."""

BURST = 0.1
"""Of the messages of an hour, how many come at once."""

GROUP = -1001

TURNS_A_DAY = 20
BUSIEST_HOUR = max(HOURS) / sum(HOURS)
CROWDED = 2.0
USED = 0.6
"""What a partner is taken to do: turns a day, of them in the busiest hour; in the worst minutes so
many times as many; and how much of a fleet may be used then."""

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(kw_only=True)
class Ran:
    """What one number of workers came to; seconds, of the processor where it is said."""

    workers: int
    turns: int
    seconds: float
    ours: float
    servers: float
    moves: int
    waits: list[float]

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    @property
    def line(self) -> str:
        beyond = [max(each - QUIET_SECONDS, 0.0) * 1e3 for each in self.waits]
        return (
            f"{self.workers} workers: {self.turns} turns in {self.seconds:.1f} s, {self.rate:.1f} "
            f"a second; of the processor {self.ours / self.turns * 1e3:.1f} ms of a worker and "
            f"{self.servers / self.turns * 1e3:.1f} ms of the server for each; to the answer p50 "
            f"{median(beyond):.0f} ms, p99 {quantiles(beyond, n=100)[-1]:.0f} ms; agents taken "
            f"{self.moves} times; {self.limit()}"
        )

    def limit(self) -> str:
        """Say what kept it from more."""
        share = (self.ours + self.servers) / self.seconds / (os.cpu_count() or 1)
        own = self.ours / self.seconds / self.workers
        if share > 0.8:
            return f"the processors of this machine were at their end ({share:.0%})"
        return (
            f"of this machine's processors {share:.0%} were used, of each worker's {own:.0%}: it "
            "waited, for the server, for other work on this machine, or for messages"
        )


@dataclass(frozen=True)
class Model:
    """Turns a second by a power of the number of workers, and seconds of processor of a turn."""

    alone: float
    """Turns a second of one worker, which waits for the server more than it works."""
    power: float
    """1 where workers are not in each other's way."""
    ours: float
    servers: float

    @classmethod
    def fitted(cls, runs: Sequence[Ran]) -> Self:
        line = linear_regression(
            [log(each.workers) for each in runs], [log(each.rate) for each in runs]
        )
        return cls(
            exp(line.intercept),
            min(line.slope, 1.0),
            mean(each.ours / each.turns for each in runs),
            mean(each.servers / each.turns for each in runs),
        )

    def rate(self, workers: int, processors: float = inf) -> float:
        """Return turns a second, on so many processors for all of it."""
        alone = float(self.alone * workers**self.power)
        return min(alone, processors / (self.ours + self.servers))

    def table(self, many: Sequence[int]) -> Iterator[str]:
        """Say what fleets can do, and how many partners that is."""
        for workers in many:
            rate = self.rate(workers)
            yield (
                f"{workers} workers: {rate:.0f} turns a second, {partners(rate):,.0f} partners; "
                f"the server needs {rate * self.servers:.1f} processors for it"
            )

    def needed(self, people: int) -> str:
        """Say what so many partners need."""
        wanted = people / partners(1.0)
        workers = next((n for n in range(1, 10_000) if self.rate(n) >= wanted), 0)
        return f"{people:,} partners: {wanted:.1f} turns a second at the worst, {workers} workers"


def partners(rate: float) -> float:
    """Return for how many partners so many turns a second are enough.

    >>> round(partners(1.0))
    528
    """
    return rate * USED * 3600 / (TURNS_A_DAY * BUSIEST_HOUR * CROWDED)


def used(programs: list[StartedProgram]) -> float:
    """Return the seconds of processor that programs used."""
    parts = [
        Path(f"/proc/{each.pid}/stat").read_text().rpartition(")")[2].split() for each in programs
    ]
    return sum(int(part[11]) + int(part[12]) for part in parts) / TICKS


def used_by_server(url: str) -> float:
    """Return the seconds of processor of a server on this machine, 0 of one elsewhere."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT pg_backend_pid()").fetchone()
        backend = Path(f"/proc/{found[0] if found else 0}/stat")
        if not backend.exists() or "postgres" not in backend.read_text():
            return 0.0
        parent = backend.read_text().rpartition(")")[2].split()[1]
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        ticks = 0
        for each in (parent, *children):
            stat = Path(f"/proc/{each}/stat")
            parts = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 15
            # Of those that ended meanwhile the parent has the sum.
            ticks += sum(map(int, parts[11:15] if each == parent else parts[11:13]))
        return ticks / TICKS


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
        self.people = tuple(range(1_001, 1_001 + chats))
        self.chats = (GROUP, *self.people)
        self._asked: dict[int, list[float]] = {chat: [] for chat in self.chats}
        self.waits: list[float] = []
        self._seen = dict.fromkeys(self.chats, 0)

    def write(self, chat: int, text: str) -> None:
        """Let somebody write, who has an answer to everything before."""
        self._asked[chat].append(time.perf_counter())
        if chat == GROUP:
            self._server.says(f"小祥，{text}", sender=self._chance.choice(self.people), chat=chat)
        else:
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

    async def run(self, messages: int, seconds: float) -> None:
        """Let so many messages come in a day that is so long, as far as they are answered."""
        for part in HOURS:
            many = round(messages * part / sum(HOURS))
            ends = time.perf_counter() + seconds / len(HOURS)
            for number in range(many):
                await self._write_one(number)
                if number >= many * BURST:
                    await asyncio.sleep(max(ends - time.perf_counter(), 0.0) / (many - number))
            await asyncio.sleep(max(ends - time.perf_counter(), 0.0))
        while not self.is_answered:
            await asyncio.sleep(0.005)

    async def _write_one(self, number: int) -> None:
        while not (free := self.free()):
            await asyncio.sleep(0.005)
            self.look()
        hot = self._chance.random() < HOT_SHARE and GROUP in free
        chat = GROUP if hot else self._chance.choice(free)
        self.write(chat, f"我今天看了第{number}本书，讲河流的")
        self.look()


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
                began, before = time.perf_counter(), (used(programs), used_by_server(url))
                await traffic.run(options.messages, options.day)
                seconds = time.perf_counter() - began
                ours, servers = used(programs) - before[0], used_by_server(url) - before[1]
            finally:
                for program in programs:
                    program.send_signal(signal.SIGTERM)
                await until(lambda: all(each.poll() is not None for each in programs))
    return Ran(
        workers=workers,
        turns=len(traffic.waits),
        seconds=seconds,
        ours=ours,
        servers=servers,
        moves=count_moves(url),
        waits=traffic.waits,
    )


def compare(model: Model, held_out: Ran) -> str:
    """Say what the model tells of a run it has not seen, and what that came to."""
    told = model.rate(held_out.workers, os.cpu_count() or 1)
    return (
        f"held out, {held_out.workers} workers: {told:.1f} turns a second by the model, measured "
        f"{held_out.rate:.1f}; of the processor {(model.ours + model.servers) * 1e3:.1f} ms a "
        f"turn, measured {(held_out.ours + held_out.servers) / held_out.turns * 1e3:.1f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--chats", type=int, default=40)
    parser.add_argument("--messages", type=int, default=480)
    parser.add_argument("--day", type=float, default=10.0, help="seconds that the day lasts")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs = []
    for workers in options.workers:
        url = fresh_schema(options.url, f"fleet_{workers}_{os.getpid()}")
        runs.append(asyncio.run(ran(url, workers, options)))
        print(runs[-1].line, flush=True)
    runs.sort(key=lambda each: each.workers)
    if len(runs) >= 3:
        model = Model.fitted(runs[:-1])
        print(compare(model, runs[-1]))
        print("\n".join(model.table((1, 4, 16))))
        print("\n".join(model.needed(people) for people in (1_000, 10_000, 100_000, 1_000_000)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
