"""The nights of the agents: lived through at 04:00 of each, once, and made up for later.

A program by itself wakes the nights of all its agents. Of several workers each lives through those
of the agents it owns, and takes agents that nobody owns for their nights; when the next one is due
stands in the ledger.
"""

import asyncio
import logging
import shlex
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from bot.clock_watch import ClockWatch
from bot.conversation.ledger.wakes import Wakes
from bot.health import Health
from bot.initiative import Reminding
from bot.law_fit import refit
from bot.settings import Settings
from bot.tasks import Failed, Jobs, Supervisor, attempt, next_night
from memory.agents import Agents

log = logging.getLogger(__name__)

AGAIN: Final = timedelta(minutes=10)
"""How soon a night that failed is tried again, where the ledger wakes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nights:
    """Lives through nights."""

    agents: Agents
    clock_watch: ClockWatch
    reminding: Reminding
    health: Health
    jobs: Jobs
    supervisor: Supervisor
    settings: Settings
    wakes: Wakes
    under_way: set[str] = field(default_factory=set)
    # The time zones of the agents that are woken here, and not by the ledger.
    zones: dict[str, str] = field(default_factory=dict)

    async def catch_up(self, agent_id: str) -> None:
        """Live through the nights an agent slept through, and be woken for the next ones."""
        agent = await self.agents.get(agent_id)
        self._wake(agent_id, agent.settings.time_zone)
        self.supervisor.start("catching up", self._attempt(agent_id))

    def follow_zone(self, agent_id: str, zone: str) -> None:
        """Wake the nights of an agent in this time zone from now on, if they are woken here."""
        if self.zones.get(agent_id, zone) != zone:
            self._wake(agent_id, zone)

    def _wake(self, agent_id: str, zone: str) -> None:
        self.zones[agent_id] = zone
        self.jobs.wake_nightly(agent_id, zone, partial(self._attempt, agent_id))

    def begin(self, agent_id: str, leave: Callable[[str], Awaitable[object]]) -> None:
        """Live through the night of an agent that is due in the ledger, and ``leave`` it then."""
        if agent_id not in self.under_way:
            self.under_way.add(agent_id)
            self.supervisor.start("night", self._planned(agent_id, leave))

    async def run(self, agent_id: str) -> None:
        """Live through what is due of an agent's nights; raises what went wrong."""
        if not await self.agents.knows(agent_id):
            return  # it became part of another one
        if self.clock_watch.check() is not None:
            return  # what a night ends cannot be taken back: it waits for a date she believes
        agent = await self.agents.get(agent_id)
        await agent.nightly()
        await self.reminding.look_ahead(agent_id)
        await self.agents.shorten_backups(agent_id)
        await self._back_up(agent_id)
        self.health.note_night()
        await refit(agent, self.clock_watch.clock.now())

    async def _attempt(self, agent_id: str) -> None:
        step = await attempt("night", lambda: self.run(agent_id))
        if isinstance(step, Failed):
            self.health.note_night(failed=True)

    async def _planned(self, agent_id: str, leave: Callable[[str], Awaitable[object]]) -> None:
        try:
            step = await attempt("night", lambda: self.run(agent_id))
            now = self.clock_watch.clock.now()
            if isinstance(step, Failed):
                self.health.note_night(failed=True)
                await self.wakes.plan_night(agent_id, now + AGAIN)
            else:
                zone = self.settings.agent_defaults().time_zone
                if await self.agents.knows(agent_id):
                    zone = (await self.agents.get(agent_id)).settings.time_zone
                await self.wakes.plan_night(agent_id, next_night(now, zone))
        finally:
            self.under_way.discard(agent_id)
        await leave(agent_id)
        # Whatever stays here is woken for its next night.
        await attempt("looking what is due", self.reminding.look)

    async def _back_up(self, agent_id: str) -> None:
        """Make the backup of the night, and hand it to the owner's command if there is one."""
        if not self.settings.backs_up_nightly:
            return
        made = await self.agents.back_up(agent_id)
        if made is not None and self.settings.backup_command:
            await run_command("BACKUP_COMMAND", self.settings.backup_command, str(made))


COMMAND_SECONDS: Final = 600.0
"""How long a command of the owner's may take before it is ended."""


async def run_command(name: str, command: str, *more: str) -> bool:
    """Run a command of the owner's, without a shell, ``more`` behind its own words; True if well.

    What went wrong is logged under ``name``, never what the command printed.
    """
    words = [*shlex.split(command), *more]
    step = await attempt(
        name,
        lambda: asyncio.create_subprocess_exec(
            *words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
        ),
    )
    if isinstance(step, Failed):
        return False
    process = step.value
    try:
        status = await asyncio.wait_for(process.wait(), COMMAND_SECONDS)
    except TimeoutError:
        status = None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if status != 0:
        log.error("%s failed: %s", name, "too long" if status is None else f"status {status}")
    return status == 0
