"""The time of tests' loops: what slows it and what does not, however fast it passes."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fakes.waiting import IDLENESS, THREAD_PACE, Idleness


async def test_work_that_an_executor_refuses_is_not_counted_as_under_way() -> None:
    before = IDLENESS.working
    closed = ThreadPoolExecutor(1)
    closed.shutdown()

    with pytest.raises(RuntimeError, match="shutdown"):
        await asyncio.get_running_loop().run_in_executor(closed, int)

    assert IDLENESS.working == before


def test_quick_time_is_quick_only_while_there_is_nothing_to_do() -> None:
    idleness = Idleness()
    idleness.pace = 10.0

    # Real time has to pass, once idly and once at work; the loop's own sleep would pass quickly.
    begun, before = time.perf_counter(), idleness.seconds()
    time.sleep(0.01)
    between, idle = time.perf_counter(), idleness.seconds()
    end = idleness.begun_job()
    time.sleep(0.01)
    end()
    after, worked = time.perf_counter(), idleness.seconds()

    assert 0.1 <= idle - before <= 10.0 * (after - begun)
    assert worked - idle <= 0.01 / THREAD_PACE + 10.0 * (after - between - 0.01)
