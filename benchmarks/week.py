"""A week under a service manager in some minutes: what goes wrong, what is lost, what is seen.

    sudo .venv/bin/python -m benchmarks.week

Her unit, ``deploy/xiaoxiang.service``, is carried out by a stand-in for systemd: its environment,
``READY=1``, the watchdog (shortened), ``Restart=always``. The program is the whole one, with its
data on a small disk of its own (a tmpfs, hence root), talking on a Telegram of our own. The days
pass by a clock that this command sets; nights come when they have passed, with their backups. On
the second day her loop hangs, on the third the disk is full, on the fourth she is killed amid an
answer, on the fifth Telegram is away, on the sixth the disk is full at night.

Printed is what the numbers at ``HEALTH_BIND`` said while it went wrong. Fails if a line is missing
in the diary or stands there twice, one is not answered, something is owed at the end, a fault was
not seen in the numbers, or a backup cannot be read.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from aiohttp import ClientError, ClientSession, ClientTimeout

from bot import app as program
from bot.__main__ import main as run_program
from bot.cli import run
from bot.tasks import Job, Jobs
from memory import open_memory
from memory.stores.backups import Backups
from tests.fakes import faults
from tests.fakes.ports import free_port
from tests.fakes.telegram_server import ANN, TOKEN, TelegramServer

UNIT: Final = Path("deploy/xiaoxiang.service")
AGENT: Final = f"tg-p-{ANN}"
MONDAY: Final = datetime(2026, 3, 2, 1, tzinfo=UTC)
WATCHDOG_SECONDS: Final = 6.0
"""In place of the unit's; so long a loop may be busy on a machine that has other work too."""

PATIENCE_SECONDS: Final = 90.0
DISK_MEGABYTES: Final = 24
BEAT: Final = 0.05
LINES_A_DAY: Final = 6
CLOCK: Final = "WEEK_CLOCK"


class SetClock:
    """Shows the instant that stands in a file, so that another process can let days pass."""

    def __init__(self) -> None:
        self._file = Path(os.environ[CLOCK])

    def now(self) -> datetime:
        """Return the instant, and as much more as has passed since it was written."""
        since = max(time.time() - self._file.stat().st_mtime, 0.0)
        return datetime.fromisoformat(self._file.read_text()) + timedelta(seconds=since)


class WeekJobs(Jobs):
    """Wakes nights also when the day of the set clock has changed."""

    clock: SetClock

    def __init__(self, tidy: Job) -> None:
        super().__init__(tidy)
        self._following: list[asyncio.Future[None]] = []

    def wake_nightly(self, agent_id: str, zone: str, night: Job) -> None:
        """Wake the night of one agent."""
        super().wake_nightly(agent_id, zone, night)
        self._following.append(asyncio.ensure_future(self._follow(night)))

    async def _follow(self, night: Job) -> None:
        day = self.clock.now().date()
        while True:
            await asyncio.sleep(BEAT)
            if self.clock.now().date() != day:
                day = self.clock.now().date()
                await night()


def serve() -> int:
    """Be the program of the unit, by that clock; a signal makes its loop hang."""
    WeekJobs.clock = SetClock()
    vars(program).update(SystemClock=lambda: WeekJobs.clock, Jobs=WeekJobs)
    vars(run).update(NEW_AGENTS_SECONDS=1.0)
    signal.signal(signal.SIGUSR1, lambda *_: time.sleep(3_600))
    return run_program(["run"])


@dataclass
class Service:
    """What systemd does for the unit, as far as she notices."""

    home: Path
    environment: dict[str, str]
    starts: int = 0
    watchdogs: int = 0
    process: "subprocess.Popen[bytes] | None" = None
    ready: bool = False
    _told_at: float = 0.0
    _stopping: bool = False

    async def keep(self) -> None:
        """Start her, and start her anew whenever she ends or says nothing for too long."""
        address = str(self.home / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.bind(address)
            told.setblocking(False)
            while not self._stopping:
                self._start(address)
                while self.process is not None and self.process.poll() is None:
                    self._hear(told)
                    await asyncio.sleep(BEAT)
                self.ready = False

    def _start(self, address: str) -> None:
        self.starts += 1
        self._told_at = time.monotonic()
        watchdog = str(int(1_000_000 * WATCHDOG_SECONDS))
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.week", "--serve"],
                env={**self.environment, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": watchdog},
                stdout=log,
                stderr=log,
            )

    def _hear(self, told: socket.socket) -> None:
        with suppress(BlockingIOError):
            while notice := told.recv(256):
                self._told_at = time.monotonic()
                self.ready = self.ready or notice == b"READY=1"
        # As long as she starts, systemd waits by another measure.
        if self.ready and time.monotonic() - self._told_at > WATCHDOG_SECONDS:
            self.watchdogs += 1
            self.send(signal.SIGABRT)
            self._told_at = time.monotonic()

    def send(self, number: signal.Signals) -> None:
        """Send her a signal."""
        if self.process is not None:
            self.process.send_signal(number)

    async def stop(self) -> int:
        """End her as the unit is stopped; return her exit status."""
        self._stopping = True
        self.send(signal.SIGTERM)
        await until("her end", lambda: self.process is None or self.process.poll() is not None)
        return -1 if self.process is None else int(self.process.returncode)


async def until(what: str, is_so: Callable[[], object]) -> None:
    """Wait until something is so; raise if it never is."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(what)
        await asyncio.sleep(BEAT)


@dataclass
class Week:
    """Her partner, her disk and her clock."""

    server: TelegramServer
    service: Service
    metrics: str
    data: Path
    clock: Path
    now: datetime = MONDAY
    said: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seen: dict[str, float] = field(default_factory=dict)

    async def number(self, name: str) -> float:
        """Return one of her numbers; -1 while nobody tells it."""
        try:
            async with (
                ClientSession(timeout=ClientTimeout(5)) as session,
                session.get(self.metrics) as answer,
            ):
                text = await answer.text()
        except (ClientError, TimeoutError, OSError):
            return -1.0
        found = re.search(rf"^{re.escape(name)}(?:\{{[^}}]*\}})? (\S+)$", text, re.MULTILINE)
        return float(found[1]) if found else -1.0

    async def sees(self, name: str, is_so: Callable[[float], bool], while_what: str) -> None:
        """Wait until a number tells of what is going on, and keep what it said."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_so(value := await self.number(name)):
            if time.monotonic() > end:
                self.wrong.append(f"{while_what}: {name} was {value:g}")
                return
            await asyncio.sleep(2 * BEAT)
        self.seen[f"{while_what}: {name}"] = value

    def say(self, count: int = 1) -> None:
        """Let the partner say so many lines."""
        for _ in range(count):
            number = len(self.said) + 1
            self.said.append(f"第{number}句：今天想到了{number * 7 % 97}号的事")
            self.server.says(self.said[-1])

    async def talk(self, count: int = LINES_A_DAY) -> None:
        """Say lines one after another, each when the one before was answered."""
        for _ in range(count):
            before = self.answers()
            self.say()
            await until("an answer", lambda before=before: self.answers() > before)  # type: ignore[misc]

    def answers(self) -> int:
        """Return how many messages she wrote."""
        return len(self.server.texts())

    async def all_kept(self) -> None:
        """Wait until nothing is owed any more."""
        await self.sees("xiaoxiang_messages_owed", lambda owed: owed == 0, "nothing is owed")
        await until("every update taken", lambda: not self.server.waiting)
        await self.sees("xiaoxiang_messages_owed", lambda owed: owed == 0, "nothing is owed")

    async def night(self, *, fails: bool = False) -> None:
        """Let the night pass."""
        name = "xiaoxiang_nights_failed_total" if fails else "xiaoxiang_nights_total"
        before = await self.number(name)
        self.now += timedelta(days=1)
        self.set_clock()
        what = "the disk is full at night" if fails else f"the night of day {self.day - 1}"
        await self.sees(name, lambda value: value > before, what)

    def set_clock(self) -> None:
        """Write the instant, in one step."""
        half = self.clock.with_suffix(".half")
        half.write_text(self.now.isoformat())
        half.replace(self.clock)

    @property
    def day(self) -> int:
        """Return the number of the day, from 1."""
        return (self.now - MONDAY).days + 1

    def fill_disk(self) -> Path:
        """Leave no byte free."""
        ballast = self.data / "ballast"
        with ballast.open("wb", buffering=0) as out, suppress(OSError):
            while True:
                out.write(b"\0" * 4_096)
        return ballast

    async def up(self, starts: int) -> None:
        """Wait until she was started so often and hears."""
        await until("a start", lambda: self.service.starts >= starts and self.service.ready)
        await self.sees("xiaoxiang_platform_up", lambda up: up == 1, f"start {starts}")


async def hangs(week: Week) -> None:
    """Let her loop hang; the watchdog finds it, and what was said meanwhile is answered."""
    starts, before = week.service.starts, week.answers()
    week.service.send(signal.SIGUSR1)
    week.say(2)
    await until("the watchdog", lambda: week.service.watchdogs == 1)
    await week.up(starts + 1)
    await until("an answer after the hang", lambda: week.answers() > before)


async def disk_is_full(week: Week) -> None:
    """Fill the disk while the partner talks; nothing is taken that cannot be kept."""
    ballast = week.fill_disk()
    week.say(3)
    await week.sees("xiaoxiang_disk_free_bytes", lambda free: free < 1_000_000, "the disk is full")
    await week.sees("xiaoxiang_messages_refused_total", lambda n: n > 0, "the disk is full")
    ballast.unlink()


async def is_killed(week: Week) -> None:
    """Kill her as soon as she has taken a line."""
    starts, taken = week.service.starts, week.server.confirmed
    week.say(2)
    await until("a line taken", lambda: week.server.confirmed > taken or not week.server.waiting)
    week.service.send(signal.SIGKILL)
    await week.up(starts + 1)


async def telegram_is_away(week: Week) -> None:
    """Let every request to Telegram fail for a while."""
    for method in ("getUpdates", "sendMessage"):
        week.server.always(method, faults.page(502))
    week.say(2)
    await week.sees("xiaoxiang_platform_up", lambda up: up == 0, "Telegram is away")
    for method in ("getUpdates", "sendMessage"):
        week.server.always(method, None)


async def lived(week: Week) -> None:
    """Live through the seven days."""
    await week.up(1)
    troubles = {2: hangs, 3: disk_is_full, 4: is_killed, 5: telegram_is_away}
    for day in range(1, 8):
        await week.talk()
        if trouble := troubles.get(day):
            await trouble(week)
        await week.all_kept()
        ballast = week.fill_disk() if day == 6 else None
        await week.night(fails=ballast is not None)
        if ballast is not None:
            ballast.unlink()
        print(f"day {day}: {len(week.said)} said, {week.service.starts} starts", flush=True)
    await week.all_kept()


async def judge(week: Week) -> None:
    """Compare what was said with what is there."""
    async with open_memory(week.data, agent=AGENT) as mem:
        lines = [each.message for each in mem._agent.state.diary.values()]
    joined = "\n".join(each.text for each in lines if each.role == "user")
    counts = {said: joined.count(said.split("：")[0] + "：") for said in week.said}
    week.wrong += [f"{n} times in the diary: {said}" for said, n in counts.items() if n != 1]
    backups = Backups(week.data, AGENT)
    nights = [each for each in backups.list_all() if each.cause == "night"]
    for each in nights:
        backups.read(each.name)
    if len(nights) < 6:
        week.wrong.append(f"only {len(nights)} backups")
    print(
        f"{len(week.said)} lines said, all {len(lines)} of the diary read, {len(nights)} backups"
    )


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Put a disk of few megabytes at a folder."""
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    size = f"size={DISK_MEGABYTES}m,mode=0700"
    words = [mount or "", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    may = mount and unmount and os.geteuid() == 0
    if not may or subprocess.run(words, check=False).returncode:
        sys.exit("This needs a disk that can be filled: run it as root where tmpfs can be mounted")
    try:
        yield
    finally:
        subprocess.run([unmount or "", str(folder)], check=True)


def unit_environment(unit: Path) -> dict[str, str]:
    """Return the environment that the unit gives."""
    lines = re.findall(r"^Environment=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    return dict(pair.split("=", 1) for line in lines for pair in line.split())


async def one_week() -> int:
    """Live through it; return 1 if anything is wrong."""
    with tempfile.TemporaryDirectory(prefix="week-") as folder:
        home = Path(folder)
        data, clock, bind = home / "data", home / "clock", f"127.0.0.1:{free_port()}"
        data.mkdir()
        # Entered by a stack: what mounts is no asynchronous thing.
        async with AsyncExitStack() as opened:
            opened.enter_context(small_disk(data))
            server = await opened.enter_async_context(TelegramServer())
            environment = {
                **unit_environment(UNIT),
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "XIAOXIANG_HOME": folder,
                "OWNER_IDS": f"telegram:{ANN}",
                "TELEGRAM_BOT_TOKEN": TOKEN,
                "TELEGRAM_API_BASE": server.api_base,
                "HEALTH_BIND": bind,
                CLOCK: str(clock),
            }
            service = Service(home, environment)
            week = Week(server, service, f"http://{bind}/metrics", data, clock)
            week.set_clock()
            keeping = asyncio.ensure_future(service.keep())
            try:
                await lived(week)
                if status := await service.stop():
                    week.wrong.append(f"her last end had status {status}")
            except TimeoutError as error:
                week.wrong.append(f"day {week.day}: waited in vain for {error}")
                await service.stop()
                print((home / "log").read_text("utf-8")[-3_000:])
            await keeping
            await judge(week)
    for name, value in week.seen.items():
        if "owed" not in name and "start " not in name:
            print(f"seen while {name} = {value:g}")
    for each in week.wrong:
        print(f"WRONG {each}")
    print(f"{service.starts} starts, {service.watchdogs} by the watchdog; {len(week.wrong)} wrong")
    return 1 if week.wrong else 0


def main() -> int:
    """Live through a week, or be the program that does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", action="store_true")
    return serve() if parser.parse_args().serve else asyncio.run(one_week())


if __name__ == "__main__":
    sys.exit(main())
