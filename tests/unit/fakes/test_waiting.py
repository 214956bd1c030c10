"""The time of tests' loops: no thread that never began may slow it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fakes.waiting import IDLENESS


async def test_work_that_an_executor_refuses_is_not_counted_as_under_way() -> None:
    before = IDLENESS.working
    closed = ThreadPoolExecutor(1)
    closed.shutdown()

    with pytest.raises(RuntimeError, match="shutdown"):
        await asyncio.get_running_loop().run_in_executor(closed, int)

    assert IDLENESS.working == before
