"""The clockwork: when to wake the night. Nothing depends on it; it only wakes what catches up."""

from collections.abc import Awaitable, Callable
from typing import Final
from zoneinfo import ZoneInfo

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

NIGHT_HOUR: Final = 4
AGEING_MINUTES: Final = 10

Job = Callable[[], Awaitable[None]]


class Jobs:
    """Wake ``night`` at 04:00 in each agent's own zone, and ``age`` every ten minutes.

    A late or doubled wake-up is harmless: a night is idempotent and reads what is due off the
    memory. So nothing is skipped for being late, and several missed runs become one.
    """

    def __init__(self, age: Job) -> None:
        self._scheduler = AsyncIOScheduler(
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        self._scheduler.add_job(age, IntervalTrigger(minutes=AGEING_MINUTES), id="age")

    def wake_nightly(self, agent_id: str, zone: str, night: Job) -> None:
        """Wake the night of one agent from now on; a second call replaces the first."""
        trigger = CronTrigger(hour=NIGHT_HOUR, timezone=ZoneInfo(zone))
        self._scheduler.add_job(night, trigger, id=f"night {agent_id}", replace_existing=True)

    def start(self) -> None:
        """Begin; must be called inside the running loop."""
        self._scheduler.start()

    def stop(self) -> None:
        """End the wake-ups; what was woken goes on under its own owner."""
        self._scheduler.shutdown(wait=False)
