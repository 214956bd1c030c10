import asyncio
import inspect
import logging
from inspect import CORO_CLOSED, getcoroutinestate
from zoneinfo import ZoneInfoNotFoundError

import pytest

from bot.tasks import Done, Failed, Jobs, Supervisor, attempt
from tests.fakes.waiting import ended


async def test_a_step_that_ends_gives_its_value() -> None:
    async def step() -> int:
        return 7

    assert await attempt("step", step) == Done(7)


async def test_a_failure_is_logged_by_class_and_place_and_never_by_its_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def step() -> None:
        raise ValueError("主人的秘密")

    with caplog.at_level(logging.DEBUG):
        outcome = await attempt("回复", step)

    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ValueError)
    assert "回复 failed: ValueError at test_tasks.py" in caplog.text
    assert "主人的秘密" not in caplog.text
    assert len(caplog.records) == 1


async def test_what_its_caller_tells_in_words_is_not_logged_as_well(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def step() -> None:
        raise ValueError("主人的秘密")

    outcome = await attempt("回复", step, told=ValueError)
    other = await attempt("另一个", step, told=KeyError)

    assert isinstance(outcome, Failed)
    assert isinstance(other, Failed)
    assert "回复" not in caplog.text
    assert "另一个 failed: ValueError" in caplog.text


async def test_a_cancelled_step_is_not_a_failure() -> None:
    async def step() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await attempt("step", step)


async def test_a_task_that_fails_harms_no_other_and_is_let_go() -> None:
    supervisor = Supervisor()
    reached = asyncio.Event()

    async def fails() -> None:
        raise RuntimeError

    async def goes_on() -> None:
        reached.set()

    supervisor.start("fails", fails())
    supervisor.start("goes on", goes_on())
    await ended(reached.wait())
    await supervisor.stop(1)

    assert supervisor.running == 0


async def test_stopping_waits_for_what_finishes_and_cancels_what_does_not() -> None:
    supervisor = Supervisor()
    seen: list[str] = []

    async def short() -> None:
        await asyncio.sleep(0)
        seen.append("finished")

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    supervisor.start("short", short())
    supervisor.start("endless", endless())
    await supervisor.stop(0.01)

    assert seen == ["finished", "cancelled"]
    assert supervisor.running == 0


async def test_nothing_begins_once_stopping() -> None:
    supervisor = Supervisor()
    await supervisor.stop(0)
    begun: list[str] = []

    async def late() -> None:
        begun.append("late")

    supervisor.start("late", late())
    await asyncio.sleep(0)

    assert begun == []


async def test_a_task_cancelled_before_its_first_step_leaves_nothing_behind() -> None:
    supervisor = Supervisor()
    begun: list[str] = []

    async def work() -> None:
        begun.append("work")

    waiting = work()
    supervisor.start("work", waiting)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    await supervisor.stop(1)

    assert begun == []
    assert getcoroutinestate(waiting) == CORO_CLOSED
    assert supervisor.running == 0


async def test_a_task_may_stop_its_own_supervisor() -> None:
    supervisor = Supervisor()
    done = asyncio.Event()

    async def the_last_one() -> None:
        await supervisor.stop(1)
        done.set()

    supervisor.start("last", the_last_one())

    await ended(done.wait())


@pytest.mark.parametrize("where", ["schedulers.base", "triggers.interval", "triggers.cron"])
async def test_the_zone_of_the_machine_wakes_nobody(
    monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def refuse() -> None:
        raise ZoneInfoNotFoundError("TZ=CST-8")

    monkeypatch.setattr(f"apscheduler.{where}.get_localzone", refuse)
    woken = asyncio.Event()

    async def wake() -> None:
        woken.set()

    jobs = Jobs(wake)
    jobs.wake_nightly("ann", "Asia/Shanghai", wake)
    jobs.wake_once("soon", 0.0, wake)
    jobs.start()
    await ended(woken.wait())
    jobs.stop()

    assert woken.is_set()


async def test_a_job_given_as_a_lambda_is_awaited_and_not_only_called() -> None:
    done: list[str] = []

    async def work(name: str) -> None:
        done.append(name)

    jobs = Jobs(lambda: work("tidy"))
    jobs.wake_nightly("a", "Asia/Shanghai", lambda: work("night"))
    jobs.wake_once("due", 5.0, lambda: work("due"))
    woken = [jobs._scheduler.get_job(name).func for name in ("tidy", "night a", "due")]
    for each in woken:
        # What is no coroutine function the scheduler runs in a thread, and drops what it returns.
        assert inspect.iscoroutinefunction(each)
        await each()

    assert done == ["tidy", "night", "due"]
