"""The probe for a blocked loop sees what blocks, and only that."""

import asyncio
import time

import pytest

from tests.fakes import lag as probe
from tests.fakes.lag import lag


async def test_a_step_that_computes_is_seen() -> None:
    with lag() as busy:
        await asyncio.sleep(0)
        end = time.thread_time() + 0.03
        while time.thread_time() < end:
            pass
        await asyncio.sleep(0)

    assert busy.worst >= 0.03


async def test_a_step_that_sleeps_is_seen_where_times_are_strict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probe, "STRICT", True)
    with lag() as asleep:
        await asyncio.sleep(0)
        time.sleep(0.03)  # noqa: ASYNC251 - the loop is held up, for the probe to see
        await asyncio.sleep(0)

    assert asleep.worst >= 0.03


async def test_waiting_for_something_is_no_blocking() -> None:
    with lag() as found:
        await asyncio.sleep(1.0)
        await asyncio.to_thread(time.sleep, 0.05)

    assert found.worst < 0.9, "less than what was waited for"
    assert found.steps
