"""When to wake what agents do at night, and what is tidied in between.

Nothing depends on being woken in time: what is woken reads off the memory what is due.
"""

from collections.abc import Awaitable, Callable
from typing import Final
from zoneinfo import ZoneInfo

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger

NIGHT_HOUR: Final = 4
"""The hour of day, in an agent's own time zone, at which its night is lived through."""

TIDY_MINUTES: Final = 10

Job = Callable[[], Awaitable[None]]


class Jobs:
    """Wake the night of each agent at 04:00 in its own zone, and ``tidy`` every ten minutes.

    A late or doubled wake-up is harmless: a night is idempotent and reads what is due off the
    memory. So nothing is skipped for being late, and several missed runs become one.
    """

    def __init__(self, tidy: Job) -> None:
        # misfire_grace_time=None: a job is never dropped for being late, the machine may sleep.
        # coalesce: however many runs were missed, one catches up with all of them.
        self._scheduler = AsyncIOScheduler(
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )
        self._scheduler.add_job(tidy, IntervalTrigger(minutes=TIDY_MINUTES), id="tidy")

    def wake_nightly(self, agent_id: str, zone: str, night: Job) -> None:
        """Wake the night of one agent from now on; a second call replaces the first."""
        trigger = CronTrigger(hour=NIGHT_HOUR, timezone=ZoneInfo(zone))
        self._scheduler.add_job(night, trigger, id=f"night {agent_id}", replace_existing=True)

    def start(self) -> None:
        """Begin; must be called inside the running loop."""
        self._scheduler.start()

    def stop(self) -> None:
        """Wake nothing more; what was woken goes on under its own owner."""
        self._scheduler.shutdown(wait=False)
