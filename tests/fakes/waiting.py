"""Waiting in tests: time that a slow machine does not use up, and until something is so.

No test may judge how fast the machine is. A loop of a test counts only the time in which every
loop of the process had nothing to do (:class:`IdleLoop`), so a time limit of half a second
strikes when half a second went by with nothing happening, however long the work before it took.
What runs in another thread or process is waited for with :func:`until`, whose one limit is there
to end a test that hangs.
"""

import asyncio
import selectors
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from typing import Any, Final, TypeVar

T = TypeVar("T")

HANG_SECONDS: Final = 300.0
"""So long nothing takes that will ever end. No test is about this number."""

THREAD_PACE: Final = 20.0
"""So many times slower a loop's time passes while a thread or another loop works.

Not endlessly slower: what works may itself wait for this loop.
"""

TURN_SECONDS: Final = 20e-6
"""What a turn of a loop that has work counts for, lest work without end stop its time."""


def unless_it_hangs() -> asyncio.Timeout:
    """Limit what must end, and hangs if it does not."""
    return asyncio.timeout(HANG_SECONDS)


async def until(true: Callable[[], object]) -> None:
    """Wait until something is so."""
    pause = 0.002
    async with unless_it_hangs():
        while not true():
            await asyncio.sleep(pause)
            pause = min(1.1 * pause, 0.01)  # who waits long need not look so often


async def until_listening(bind: str) -> None:
    """Wait until somebody listens at ``host:port``."""
    host, _, port = bind.rpartition(":")
    async with unless_it_hangs():
        while True:
            try:
                _, writer = await asyncio.open_connection(host, int(port))
            except OSError:
                await asyncio.sleep(0.002)
            else:
                writer.close()
                return


async def ended(work: Awaitable[T]) -> T:
    """Wait until something ends, and return what it comes to."""
    async with unless_it_hangs():
        return await work


class Idleness:
    """The seconds in which every loop of the process waited, and no thread worked for one."""

    pace = 1.0
    """So many seconds pass in one in which there is nothing to do (``quick_time``)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = 0
        self._jobs = 0
        self._since = time.perf_counter()
        self._seconds = 0.0

    def seconds(self) -> float:
        with self._lock:
            return self._counted()

    @property
    def working(self) -> int:
        """How many threads work for a loop, those that an earlier test left hanging among them."""
        return self._jobs

    def busy(self, change: int) -> float:
        """Count a loop that begins to work, or ends; return the seconds so far."""
        with self._lock:
            seconds = self._counted()
            self._busy += change
            return seconds

    def begun_job(self) -> Callable[[], None]:
        """Count work that a thread is given by a loop; return what to call when it ended."""
        left = [+1]

        def end() -> None:
            with self._lock:
                self._counted()
                self._jobs -= left.pop() if left else 0

        with self._lock:
            self._counted()
            self._jobs += 1
        return end

    def _counted(self) -> float:
        now = time.perf_counter()
        pace = 1.0 / THREAD_PACE if self._jobs or self._busy else self.pace
        self._seconds += (now - self._since) * pace
        self._since = now
        return self._seconds


IDLENESS: Final = Idleness()


class _Selector(selectors.DefaultSelector):
    """Adds up how long its loop waited, at most what it meant to each time.

    A process that is not let on may oversleep, and that is no time in which anything could happen.
    """

    waited = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            self.waited += TURN_SECONDS
            return super().select(timeout)
        before = IDLENESS.busy(-1)
        try:
            return super().select(timeout if timeout is None else timeout / IDLENESS.pace)
        finally:
            passed = IDLENESS.busy(+1) - before
            self.waited += passed if timeout is None else min(passed, timeout)


class IdleLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while there is nothing to do."""

    def __init__(self) -> None:
        self._own = _Selector()
        self._start = time.perf_counter()
        super().__init__(self._own)

    def time(self) -> float:
        return self._start + self._own.waited

    def run_forever(self) -> None:
        IDLENESS.busy(+1)
        try:
            super().run_forever()
        finally:
            IDLENESS.busy(-1)

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> "asyncio.Future[Any]":
        # From when it is handed over: a busy machine lets the thread begin later than time jumps.
        end = IDLENESS.begun_job()

        def work() -> Any:
            try:
                return func(*args)
            finally:
                end()

        try:
            job = super().run_in_executor(executor, work)
        except BaseException:
            end()  # an executor that was shut down takes nothing
            raise
        job.add_done_callback(lambda done: end() if done.cancelled() else None)
        return job
