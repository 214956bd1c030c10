"""The probe for a blocked loop sees what blocks, and only that."""

import asyncio
import time

from tests.fakes.lag import lag


async def test_a_step_that_sleeps_or_computes_is_seen() -> None:
    with lag() as asleep:
        await asyncio.sleep(0)
        time.sleep(0.03)  # noqa: ASYNC251 - the loop is held up, for the probe to see
        await asyncio.sleep(0)
    with lag() as busy:
        await asyncio.sleep(0)
        end = time.thread_time() + 0.03
        while time.thread_time() < end:
            pass
        await asyncio.sleep(0)

    assert asleep.worst >= 0.03
    assert busy.worst >= 0.03


async def test_waiting_for_something_is_no_blocking() -> None:
    with lag() as found:
        await asyncio.sleep(0.05)
        await asyncio.to_thread(time.sleep, 0.05)

    assert found.worst < 0.03
    assert found.steps
