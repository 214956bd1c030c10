"""Tasks that are watched, waiting, and the hours at which the night's work is woken.

The supervisor is the one place that catches everything: around a task, or around one step of work.
What failed is logged by the class of its exception and the line it came from, never by its
message: a message may hold what a partner said, or a key.

Whoever waits measures time by a :class:`Timer`, apart from the clock that tells dates, so that
tests can let hours of waiting pass at once. Nothing depends on being woken in time: what is woken
reads off the memory what is due.
"""

import asyncio
import logging
import signal
import threading
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from time import monotonic
from traceback import extract_tb
from types import FrameType
from typing import Any, Final, Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The step came to its end with this value."""

    value: T


@dataclass(frozen=True, slots=True)
class Failed:
    """The step raised; ``error`` is the exception itself, for deciding, not for showing."""

    error: Exception


class TurnsFirst:
    """Who answers a partner goes before who shows a page: one waits until the other is ready."""

    def __init__(self) -> None:
        self._first = 0
        self._nobody = asyncio.Event()
        self._thread_may_go_on = threading.Event()
        self._nobody.set()
        self._thread_may_go_on.set()

    @contextmanager
    def first(self) -> Iterator[None]:
        """Be at work for a partner: what is ours of a turn, not the waiting for a model."""
        self._first += 1
        self._nobody.clear()
        self._thread_may_go_on.clear()
        try:
            yield
        finally:
            self._first -= 1
            if not self._first:
                self._nobody.set()
                self._thread_may_go_on.set()

    async def let_pass(self, seconds: float) -> None:
        """Wait until nobody is at work for a partner, so many seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._nobody.wait()

    def pace(self, seconds: float) -> "Pace":
        """Return the pace of one long piece of work, which rests so many seconds at most."""
        return Pace(self._thread_may_go_on, seconds)


class Pace:
    """How long work in a thread goes on: it rests, now and then, while a partner is served.

    A thread that computes takes every other millisecond from whoever answers. Without a gate it
    never rests.
    """

    def __init__(self, gate: threading.Event | None = None, seconds: float = 0.0) -> None:
        self._gate = gate
        self._left = seconds

    def over(self, items: Iterable[T], at_once: int = 64) -> Iterator[T]:
        """Yield ``items``; before each so many of them, rest until nobody is at work."""
        left = iter(items)
        while part := tuple(islice(left, at_once)):
            self._rest()
            yield from part

    def hurry(self) -> None:
        """Rest no more: somebody waits for what is done."""
        self._left = 0.0

    def _rest(self) -> None:
        if self._gate is None or self._gate.is_set() or self._left <= 0.0:
            return
        begun = monotonic()
        self._gate.wait(self._left)
        self._left -= monotonic() - begun


class Supervisor:
    """Own every task that nobody awaits, until it ends by itself or :meth:`stop` is called.

    ``turns`` tells the others when something is done for a partner who waits.
    """

    def __init__(self) -> None:
        self.turns: Final = TurnsFirst()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    @property
    def running(self) -> int:
        """Return how many tasks have not ended."""
        return len(self._tasks)

    def start(self, name: str, work: Coroutine[Any, Any, object]) -> None:
        """Run ``work`` as a task of its own; once stopping, nothing new begins."""
        if self._stopping:
            # Closed by hand: a coroutine that is never awaited would be warned about.
            work.close()
            return
        task = asyncio.create_task(_until_done(name, work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # A task that is cancelled before its first step never awaits its work; closing what has
        # ended does nothing.
        task.add_done_callback(lambda _: work.close())

    async def stop(self, grace: float) -> None:
        """Let the tasks finish for at most ``grace`` seconds, then cancel what is left."""
        self._stopping = True
        # Whoever stops may be one of the tasks: it must not wait for itself.
        mine = asyncio.current_task()
        others = {task for task in self._tasks if task is not mine}
        if others:
            _, late = await asyncio.wait(others, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


async def attempt(
    name: str, step: Callable[[], Awaitable[T]], *, told: type[Exception] | tuple[()] = ()
) -> Done[T] | Failed:
    """Do one step; a failure, but no cancellation, is returned, and logged unless ``told``."""
    try:
        return Done(await step())
    except Exception as error:
        if not isinstance(error, told):
            _log_failure(name, error)
        return Failed(error)


async def _until_done(name: str, work: Coroutine[Any, Any, object]) -> None:
    await attempt(name, lambda: work)


def _log_failure(name: str, error: Exception) -> None:
    # Not logging.exception: a traceback ends with the message, which may hold a secret.
    last = extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    log.error("%s failed: %s at %s", name, type(error).__name__, place)


class Timer(Protocol):
    """Measures and waits. Its seconds count from an arbitrary origin and never go back."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...

    async def wait_for(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait until the event is set or the time is over; return whether it is set."""


class LoopTimer:
    """The time of the running event loop."""

    def now(self) -> float:
        """Return the loop's monotonic time."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""
        await asyncio.sleep(seconds)

    async def wait_for(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for the event, at most ``seconds``; return whether it is set."""
        return await wait_for_event(event, seconds)


async def wait_for_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, at most ``seconds`` of the running loop; return whether it is set."""
    with suppress(TimeoutError):
        # Not asyncio.wait_for: on Python 3.11 it may swallow a cancellation that comes just then.
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


NIGHT_HOUR: Final = 4
"""The hour of day, in an agent's own time zone, at which its night is lived through."""


def next_night(after: datetime, zone: str) -> datetime:
    """Return the next instant at which a night is due there.

    >>> next_night(datetime(2026, 1, 2, 3, 59, tzinfo=ZoneInfo("UTC")), "UTC").isoformat()
    '2026-01-02T04:00:00+00:00'
    """
    now = after.astimezone(ZoneInfo(zone))
    night = datetime.combine(now.date(), time(NIGHT_HOUR), tzinfo=now.tzinfo)
    # By the date and not by 24 hours: a day of another length has its night at the same hour.
    tomorrow = now.date() + timedelta(days=1)
    return night if night > now else datetime.combine(tomorrow, night.timetz())


TIDY_MINUTES: Final = 10

SHORTEST_WAIT: Final = 0.01

LONGEST_WAIT: Final = 24 * 3600.0
"""The least and the most seconds the scheduler is asked to wait at a time."""

Job = Callable[[], Awaitable[None]]


def _awaiting(job: Job) -> Job:
    """Return a job as a coroutine function, whatever it was given as.

    Anything else, a lambda for one, the scheduler calls in a thread, and awaits nothing of it.
    """

    async def run() -> None:
        await job()

    return run


class Jobs:
    """Wake the night of each agent at 04:00 in its own zone, and ``tidy`` every ten minutes.

    A late or doubled wake-up is harmless: a night is idempotent and reads what is due off the
    memory. So nothing is skipped for being late, and several missed runs become one.
    """

    def __init__(self, tidy: Job) -> None:
        # misfire_grace_time=None: a job is never dropped for being late, the machine may sleep.
        # coalesce: however many runs were missed, one catches up with all of them.
        # UTC: the zone of the machine may be none that a library knows (TZ=CST-8), and in one with
        # summer time an interval may be an hour too long.
        self._scheduler = AsyncIOScheduler(
            timezone=UTC,
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        every = IntervalTrigger(minutes=TIDY_MINUTES, timezone=UTC)
        self._scheduler.add_job(_awaiting(tidy), every, id="tidy")

    def wake_nightly(self, agent_id: str, zone: str, night: Job) -> None:
        """Wake the night of one agent from now on; a second call replaces the first."""
        trigger = CronTrigger(hour=NIGHT_HOUR, timezone=ZoneInfo(zone))
        name = f"night {agent_id}"
        self._scheduler.add_job(_awaiting(night), trigger, id=name, replace_existing=True)

    def wake_once(self, name: str, seconds: float, job: Job) -> None:
        """Wake a job so many seconds from now; a second call of a name replaces the first.

        Whoever is woken asks to be woken again. What is farther off than a day is looked at then.
        """
        # An interval and not an instant: when something is due, a clock of the program says.
        wait = min(max(seconds, SHORTEST_WAIT), LONGEST_WAIT)
        trigger = IntervalTrigger(seconds=wait, timezone=UTC)
        self._scheduler.add_job(_awaiting(job), trigger, id=name, replace_existing=True)

    def sleep_on(self, name: str) -> None:
        """Wake a job no more."""
        if self._scheduler.get_job(name) is not None:
            self._scheduler.remove_job(name)

    def start(self) -> None:
        """Begin; must be called inside the running loop."""
        self._scheduler.start()

    def stop(self) -> None:
        """Wake nothing more; what was woken goes on under its own owner."""
        self._scheduler.shutdown(wait=False)


@asynccontextmanager
async def under_way(
    works: Sequence[Coroutine[Any, Any, object]],
    close: Sequence[Callable[[], object]],
    supervisor: Supervisor,
    jobs: Jobs,
    grace: float,
) -> AsyncIterator[None]:
    """Let works go on until the end of the block, and jobs be woken; then let all come to an end.

    Nothing new comes in then, ``close`` lets nothing new begin, and what the supervisor has under
    way may finish within ``grace`` seconds.
    """
    jobs.start()
    async with AsyncExitStack() as closing:
        # Read backwards, this is how it stops.
        closing.callback(jobs.stop)
        closing.push_async_callback(supervisor.stop, grace)
        for each in reversed(close):
            closing.callback(each)
        tasks = await closing.enter_async_context(asyncio.TaskGroup())
        for work in works:
            closing.callback(tasks.create_task(work).cancel)
        yield


LONGEST_HELD_UP: Final = 30.0
"""Seconds of the processor: far more than any work takes, and less than systemd waits."""

_LOOP: Final = Path(asyncio.__file__).parent


class HeldUp(Exception):
    """Work on the event loop did not come to its end in :data:`LONGEST_HELD_UP`."""


@asynccontextmanager
async def watched(longest: float = LONGEST_HELD_UP) -> AsyncIterator[None]:
    """Break off, while the block lasts, what holds the running loop up for so many seconds.

    Everybody is answered on one thread. A piece of work that goes on for ever there (a pattern
    tried in every combination, a recurrence without a next time) would leave her deaf to all, and
    again after every start, since what was not answered is taken up anew.

    The seconds are of the processor: a machine that slept or has other work does not count. Where
    there is no such timer (Windows, another thread) nothing is watched.
    """
    elsewhere = threading.current_thread() is not threading.main_thread()
    if elsewhere or not hasattr(signal, "ITIMER_VIRTUAL"):
        yield
        return

    loop, turned = asyncio.get_running_loop(), True

    def turn() -> None:
        nonlocal turned
        turned = True

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal turned
        if not turned and _is_at_work(frame):
            raise HeldUp
        turned = False
        loop.call_soon_threadsafe(turn)

    before = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, longest / 2, longest / 2)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _is_at_work(frame: FrameType | None) -> bool:
    """Whether a piece of work is under way, and not the loop itself, which must live."""
    if frame is None or _is_of_loop(frame):
        return False
    while frame is not None and not _is_of_loop(frame):
        frame = frame.f_back
    return frame is not None


def _is_of_loop(frame: FrameType) -> bool:
    place = Path(frame.f_code.co_filename)
    return place.parent == _LOOP or place.stem == "selectors"
