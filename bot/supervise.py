"""The one place that catches everything: around a task, or around one step of work.

What failed is logged by the class of its exception and the line it came from, never by its
message: a message may hold what a partner said, or a key.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from traceback import extract_tb
from typing import Any, Generic, TypeVar

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


class Supervisor:
    """Own every task that nobody awaits, until it ends by itself or :meth:`stop` is called."""

    def __init__(self) -> None:
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


async def attempt(name: str, step: Callable[[], Awaitable[T]]) -> Done[T] | Failed:
    """Do one step; a failure is logged once and returned. Cancellation passes through."""
    try:
        return Done(await step())
    except Exception as error:
        _log_failure(name, error)
        return Failed(error)


async def _until_done(name: str, work: Coroutine[Any, Any, object]) -> None:
    async def step() -> object:
        return await work

    await attempt(name, step)


def _log_failure(name: str, error: Exception) -> None:
    # Not logging.exception: a traceback ends with the message, which may hold a secret.
    last = extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
    log.error("%s failed: %s at %s", name, type(error).__name__, place)
