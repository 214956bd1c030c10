"""``xiaoxiang run``: be on every platform that is configured, until told to stop."""

import asyncio
import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Final

from bot.adapters import PLATFORMS, identities_of
from bot.adapters.platform import Platform, PlatformAdapter
from bot.app import App, running
from bot.cli import settings_for
from bot.identity import Access
from bot.settings import Settings, open_env_file
from bot.supervise import Failed, attempt
from bot.texts import say, shell
from memory.agents import agent_ids
from memory.errors import InputRefused, XiaoxiangError
from memory.text.tokens import load_dictionary

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
            group.create_task(_catch_up_new_agents(app, settings)),
            group.create_task(stop.wait()),
        ]
        ended = group.create_task(_wait_for_all(serving))
        await asyncio.wait((ended, others[-1]), return_when=asyncio.FIRST_COMPLETED)
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
    identities = identities_of(platforms)
    owners = identities.owners(settings.owner_ids, settings.data_dir)
    access = Access(owners, identities.parsed_ids(settings.allowed_ids), identities)
    async with AsyncExitStack() as closing:
        # Opened before the program and closed after it: its last answers go through them.
        adapters: dict[str, PlatformAdapter] = {}
        for each in platforms:
            if each.build is not None and settings.section(each.settings).is_configured:
                adapter = each.build(settings, access, _print_line)
                adapters[each.name] = await closing.enter_async_context(adapter)
        if not adapters:
            raise InputRefused(_how_to_configure(settings, platforms))
        # While nobody waits: the first message would, and everybody who writes beside it.
        await asyncio.to_thread(load_dictionary)
        app = await closing.enter_async_context(running(settings, adapters, access))
        yield app, adapters.values()


def _how_to_configure(settings: Settings, platforms: Collection[Platform]) -> str:
    ways = [say(settings.language, each.setup) for each in platforms if each.setup is not None]
    joined = say(settings.language, shell.OR).join(ways)
    return say(settings.language, shell.NOT_CONFIGURED, ways=joined)


async def _serve_adapter(adapter: PlatformAdapter, app: App) -> None:
    step = await attempt(f"serving {adapter.platform}", lambda: adapter.serve(app))
    if isinstance(step, Failed) and isinstance(step.error, XiaoxiangError):
        _print_line(str(step.error))


async def _wait_for_all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.wait(tasks)


async def _catch_up_new_agents(app: App, settings: Settings) -> None:
    """Let every agent catch up on its nights, also those that begin later."""
    known: set[str] = set()
    while True:
        for agent in set(agent_ids(settings.data_dir)) - known:
            await attempt("catching up", partial(app.catch_up, agent))
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
