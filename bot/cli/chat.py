"""``xiaoxiang chat``: talk in the terminal, or line by line through a pipe."""

import asyncio
import secrets
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from rich.console import Console

from bot.adapters import identities_of
from bot.adapters.console import NAME
from bot.adapters.console.delivery import ConsoleChannel, PipeScreen, TerminalScreen
from bot.adapters.console.presenter import ConsolePresenter
from bot.adapters.console.terminal import ConsoleAdapter, command_file, piped_lines, typed_lines
from bot.app import App, running
from bot.cli import settings_for
from bot.conversation.messages import ConversationKey, Incoming, Sender, read_command
from bot.desk.services import HISTORY_FILE
from bot.identity import Access, checked_agent_id
from bot.settings import Settings
from bot.texts import say, shell
from memory.clock import ShiftedClock, SystemClock
from memory.ports import Clock

SETTLE_POLL_SECONDS: Final = 0.01


def run_chat(options: Namespace) -> int:
    """Talk until the input ends; what is under way then is finished first."""
    settings = settings_for(options)
    talk = TerminalChat(
        settings=settings,
        agent=checked_agent_id(options.agent),
        offline=options.offline or not settings.has_model,
        clock=ShiftedClock(options.at) if options.at else SystemClock(),
    )
    asyncio.run(talk.talk_with_person() if sys.stdin.isatty() else talk.talk_through_pipe())
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalChat:
    """One conversation in a terminal."""

    settings: Settings
    agent: str
    offline: bool
    clock: Clock

    async def talk_through_pipe(self) -> None:
        """Read one line, print one answer, and nothing else.

        A program does not pause as a person would, so each line waits until everything the line
        before it meant is in memory.
        """
        channel = ConsoleChannel(PipeScreen(), streaming=False)
        async with self._running_app(channel, asides=False) as app:

            async def settled() -> None:
                # Asked of the ledger, which knows what is owed even while no lane runs.
                due = await app.intake.wake_due([NAME])
                while due:
                    await asyncio.sleep(SETTLE_POLL_SECONDS)
                    due = await app.intake.wake_due([NAME])
                agent = await app.agents.get(await self._bound_agent_id(app))
                await agent.worker.wait_until_idle()

            await self._converse(piped_lines(), app, channel, settled)

    async def talk_with_person(self) -> None:
        """Greet, talk, and say goodbye."""
        language = self.settings.language
        channel = ConsoleChannel(TerminalScreen(language), streaming=True)
        async with self._running_app(channel, asides=True) as app:
            greeting = [shell.WELCOME, *([shell.WELCOME_OFFLINE] if self.offline else [])]
            greeted = "\n".join(say(language, line) for line in greeting)
            Console(highlight=False, markup=False).print(greeted + "\n")
            lines = typed_lines(self.settings.data_dir / HISTORY_FILE, language)
            await self._converse(lines, app, channel)
            sys.stdout.write(say(language, shell.BYE) + "\n")

    @property
    def _place(self) -> ConversationKey:
        return ConversationKey(platform=NAME, account="local", chat=self.agent)

    async def _bound_agent_id(self, app: App) -> str:
        """Return the agent of the terminal: its own one, unless it was linked to another."""
        return await app.bindings.agent_id(self._place, private=True)

    @asynccontextmanager
    async def _running_app(self, channel: ConsoleChannel, *, asides: bool) -> AsyncIterator[App]:
        presenter = ConsolePresenter(channel.answered.set, asides=asides)
        adapters = {NAME: ConsoleAdapter(channel, presenter)}
        # In a terminal, return ends an utterance: there is no burst to wait for.
        async with running(
            self.settings,
            adapters,
            Access((), (), identities_of()),  # nobody is listed: the terminal is its owner's
            offline=self.offline,
            clock=self.clock,
            quiet_seconds=0.0,
        ) as app:
            # A terminal is rarely open at 04:00: the nights since it was last open are due now.
            await app.catch_up(await self._bound_agent_id(app))
            yield app

    async def _converse(
        self,
        lines: AsyncIterator[str],
        app: App,
        channel: ConsoleChannel,
        settled: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Hand in each line; wait for its answer, and for ``settled``, before the next one."""
        async for line in lines:
            if line.strip():
                channel.answered.clear()
                await app.intake.receive(
                    Incoming(
                        dedupe_key=secrets.token_hex(8),
                        conversation=self._place,
                        sender=Sender(id="local", name=self.agent),
                        at=self.clock.now(),
                        text=line,
                        raw=command_file(read_command(line)),
                    )
                )
                await channel.answered.wait()
                if settled is not None:
                    await settled()
