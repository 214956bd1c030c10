"""``xiaoxiang run`` and ``xiaoxiang chat``: talk, until told to stop.

``run`` is on every platform that is configured; ``chat`` is in the terminal, or line by line
through a pipe.
"""

import asyncio
import os
import secrets
import signal
import socket
import sys
import threading
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from rich.console import Console

from bot.adapters import PLATFORMS, identities_of
from bot.adapters.console import NAME
from bot.adapters.console.delivery import ConsoleChannel, PipeScreen
from bot.adapters.console.presenter import ConsolePresenter
from bot.adapters.console.terminal import ConsoleAdapter, command_file, piped_lines
from bot.adapters.platform import Platform, PlatformAdapter
from bot.app import App, running
from bot.cli import explained, settings_for
from bot.cli.checks import check_own_addresses
from bot.conversation.messages import ConversationKey, Incoming, Sender, read_command
from bot.data_folder import open_storage, share_button_keys, share_pairing
from bot.desk.registry import SPECS
from bot.desk.services import HISTORY_FILE
from bot.identity import Access, checked_agent_id
from bot.settings import Settings, open_env_file, service_notice
from bot.tasks import Failed, attempt
from bot.texts import refusals, say, shell
from memory.agent import AgentMemory
from memory.errors import InputRefused, StoreUnwritable, XiaoxiangError
from memory.ports import Clock, ShiftedClock, SystemClock
from memory.sentences import FilledSentence, Listed

NEW_AGENTS_SECONDS: Final = 600.0
"""How often new agents are looked for, whose nights have to be woken."""


LONGEST_STOP_SECONDS: Final = 7.5
"""How long the end may take: whoever stops a service kills it after ten seconds."""


def run_all(options: Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C; exit status 1 if every platform ended by itself."""
    settings = settings_for(options)
    file = open_env_file()
    if file:
        _print_line(say(settings.language, shell.ENV_OPEN, file=file))
    return asyncio.run(run_until_stopped(settings, on_stop=_end_in_time))


async def run_until_stopped(
    settings: Settings,
    platforms: Collection[Platform] = PLATFORMS,
    *,
    on_stop: Callable[[], None] = lambda: None,
) -> int:
    """Serve until SIGTERM, SIGINT or the end of every platform; return the exit status.

    ``on_stop`` is called at the first signal, also while the program is still being opened.
    """
    stop = asyncio.Event()

    def request_stop() -> None:
        if not stop.is_set():
            on_stop()
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, request_stop)
    async with (
        open_program(settings, platforms) as (app, adapters),
        asyncio.TaskGroup() as group,
    ):
        serving = [group.create_task(_serve_adapter(each, app)) for each in adapters]
        others = [
            group.create_task(_catch_up_new_agents(app)),
            group.create_task(_serve_health(app, settings.health_bind)),
            group.create_task(_serve_page(app, settings.web_bind)),
            group.create_task(_keep_telling_service()),
            group.create_task(stop.wait()),
        ]
        ended = group.create_task(_wait_for_all(serving))
        await asyncio.wait((ended, others[-1]), return_when=asyncio.FIRST_COMPLETED)
        _tell_service(service_notice()[0], b"STOPPING=1")
        # They end before the program behind them closes: nothing new is taken meanwhile.
        for task in (*serving, *others, ended):
            task.cancel()
    return 0 if stop.is_set() else 1


@asynccontextmanager
async def open_program(
    settings: Settings, platforms: Collection[Platform] = PLATFORMS
) -> AsyncIterator[tuple[App, Collection[PlatformAdapter]]]:
    """Open every configured adapter and the program behind them; closed in reverse order.

    ``settings`` must have been read with the sections of these platforms. Raises
    :class:`InputRefused` if none of them is configured.
    """
    check_own_addresses(settings, platforms)
    if settings.database_url.get_secret_value():
        # Before any adapter makes a key of its own.
        async with open_storage(settings) as storage:
            await share_button_keys(storage)
            await share_pairing(storage, [each.name for each in platforms if each.build])
    identities = identities_of(platforms)
    owners = identities.owners(settings.owner_ids, settings.data_dir)
    access = Access(owners, identities.parsed_ids(settings.allowed_ids), identities)
    async with AsyncExitStack() as closing:
        # Opened before the program and closed after it: its last answers go through them.
        adapters: dict[str, PlatformAdapter] = {}
        for each in platforms:
            if each.build is not None and settings.section(each.settings).is_configured:
                if missing := each.missing_library():
                    raise InputRefused(missing)
                adapter = each.build(settings, access, _print_line)
                adapters[each.name] = await closing.enter_async_context(adapter)
        if not adapters:
            raise InputRefused(_how_to_configure(platforms))
        app = await closing.enter_async_context(running(settings, adapters, access, workers=True))
        yield app, adapters.values()


def _how_to_configure(platforms: Collection[Platform]) -> FilledSentence:
    ways = [each.setup for each in platforms if each.setup is not None]
    return FilledSentence(shell.NOT_CONFIGURED, ways=Listed(ways, between=shell.OR))


async def _serve_adapter(adapter: PlatformAdapter, app: App) -> None:
    step = await attempt(
        f"serving {adapter.platform}", lambda: adapter.serve(app), told=XiaoxiangError
    )
    if isinstance(step, Failed) and isinstance(step.error, XiaoxiangError):
        _print_line(explained(step.error))


async def _serve_health(app: App, bind: str) -> None:
    """Tell whoever watches how she is, if there is an address for it."""
    if not bind:
        return
    step = await attempt(
        "serving health", lambda: app.health.serve(app.web, bind), told=XiaoxiangError
    )
    if isinstance(step, Failed) and isinstance(step.error, XiaoxiangError):
        _print_line(explained(step.error))


async def _serve_page(app: App, bind: str) -> None:
    """Serve the memory page, if there is an address for it."""
    program = app.page
    if program is None:
        return
    from bot.page import serve_page

    step = await attempt(
        "serving the memory page", lambda: serve_page(program, app.web, bind), told=XiaoxiangError
    )
    if isinstance(step, Failed) and isinstance(step.error, XiaoxiangError):
        _print_line(explained(step.error))


async def _keep_telling_service() -> None:
    """Tell systemd that she is up, and by its watchdog that her loop still turns.

    Sent from the loop that everything runs on: if that hangs, the notices end, and systemd starts
    her anew. Nothing is sent where no service manager asked for it.
    """
    address, watchdog = service_notice()
    _tell_service(address, b"READY=1")
    while address and watchdog:
        _tell_service(address, b"WATCHDOG=1")
        await asyncio.sleep(watchdog / 3)


def _tell_service(address: str, notice: bytes) -> None:
    """Send one notice (sd_notify(3)); who cannot be told is no reason to stop."""
    if address:
        # "@" stands for the zero byte of a name that is in no file system.
        name = "\0" + address[1:] if address.startswith("@") else address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.setblocking(False)
            out.sendto(notice, name)


async def _wait_for_all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.wait(tasks)


async def _catch_up_new_agents(app: App) -> None:
    """Let every agent catch up on its nights, also those that begin later."""
    if app.workers.numbers() is not None:
        return  # several workers find in the ledger whose night is due
    known: set[str] = set()
    while True:
        for agent in set(app.agents.known_ids()) - known:
            await attempt("catching up", partial(app.nights.catch_up, agent))
            known.add(agent)
        await asyncio.sleep(NEW_AGENTS_SECONDS)


def _end_in_time() -> None:
    """End the program soon, whatever still holds it up: a thread that hangs cannot be cancelled.

    Nothing is lost: what is unfinished is still owed, as after a crash.
    """
    ending = threading.Timer(LONGEST_STOP_SECONDS, os._exit, (1,))
    ending.daemon = True
    ending.start()


def _print_line(line: str) -> None:
    # Flushed at once: in a log, which is no terminal, the pairing code must not wait for more.
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


SETTLE_POLL_SECONDS: Final = 0.01

LONGEST_PAUSE_SECONDS: Final = 0.5

MOST_REFUSED: Final = 10
"""After so many commits that the disk refused, nothing is waited for any more."""


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
        channel = ConsoleChannel(screen := PipeScreen(), streaming=False)
        async with self._running_app(channel, asides=False) as app:

            async def settled() -> None:
                await channel.answered.wait()
                await self._until_answered(app)
                agent = await app.agents.get(await self._bound_agent_id(app))
                await agent.background.wait_until_idle()

            async def heard() -> AsyncIterator[str]:
                async for line in piped_lines():
                    if screen.gone:
                        return
                    yield line

            await self._converse(heard(), app, channel, settled)

    async def talk_with_person(self) -> None:
        """Greet, talk, and say goodbye; a person may go on typing while an answer grows."""
        from bot.adapters.console.prompt import TerminalPrompt

        language = self.settings.language
        known: list[AgentMemory] = []
        prompt = TerminalPrompt(
            language,
            self.settings.data_dir / HISTORY_FILE,
            specs=SPECS,
            memories=lambda: [m for agent in known for m in agent.state.memories.values()],
        )
        channel = ConsoleChannel(prompt, streaming=True)
        async with self._running_app(channel, asides=True) as app:
            known.append(await app.agents.get(await self._bound_agent_id(app)))
            greeting = [shell.WELCOME, *([shell.WELCOME_OFFLINE] if self.offline else [])]
            zone = known[0].settings.time_zone
            greeting.append(shell.WELCOME_ZONE)
            greeted = "\n".join(say(language, line, zone=zone) for line in greeting)
            Console(highlight=False, markup=False).print(greeted + "\n")
            await self._converse(prompt.lines(), app, channel)
            await self._until_answered(app)
            sys.stdout.write(say(language, shell.BYE) + "\n")

    async def _until_answered(self, app: App) -> None:
        """Wait until nothing is owed, as the ledger knows even while no lane runs.

        Raises :class:`StoreUnwritable` if memory cannot be written to; the ledger keeps what was
        said for the next start.
        """
        commits, pause = app.agents.commits, SETTLE_POLL_SECONDS
        before = commits.refused
        while await app.intake.wake_due([NAME]):
            if commits.refused - before >= MOST_REFUSED:
                raise StoreUnwritable(
                    refusals.TAKES_NO_MORE, folder=self.settings.data_dir / "agents"
                )
            await asyncio.sleep(pause)
            # At once again and again would only keep the machine busy.
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS) if commits.refused > before else pause

    @property
    def _place(self) -> ConversationKey:
        return ConversationKey(platform=NAME, account="local", chat=self.agent)

    async def _bound_agent_id(self, app: App) -> str:
        """Return the agent of the terminal: its own one, unless it was linked to another."""
        return await app.bindings.agent_id(self._place, private=True)

    @asynccontextmanager
    async def _running_app(self, channel: ConsoleChannel, *, asides: bool) -> AsyncIterator[App]:
        presenter = ConsolePresenter(
            channel.answered.set,
            self.settings.exports_dir,
            language=self.settings.language,
            asides=asides,
        )
        adapters = {NAME: ConsoleAdapter(channel, presenter, self.agent)}
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
            await app.nights.catch_up(await self._bound_agent_id(app))
            yield app

    async def _converse(
        self,
        lines: AsyncIterator[str],
        app: App,
        channel: ConsoleChannel,
        settled: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Hand in each line; wait for ``settled``, if it is given, before the next one."""
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
                if settled is not None:
                    await settled()
