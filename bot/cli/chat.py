"""``xiaoxiang chat``: talk in the terminal, or line by line through a pipe."""

import asyncio
import secrets
import sys
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Final

from bot.adapters.console.channel import ConsoleChannel, PipeScreen, TerminalScreen
from bot.adapters.console.presenter import ConsolePresenter
from bot.adapters.console.terminal import piped_lines, typed_lines
from bot.app import App, Platforms, running
from bot.conversation.messages import ConversationKey, Incoming, Sender
from bot.identity import checked_agent_id
from bot.settings import Settings, read_settings
from bot.texts import say, shell
from memory.clock import SystemClock

HISTORY: Final = "history"


def run_chat(options: Namespace) -> int:
    """Talk until the input ends; what is under way then is finished first."""
    overrides = {"data_dir": options.data} if options.data else {}
    settings = read_settings(**overrides)
    agent = checked_agent_id(options.agent)
    asyncio.run(_talk(settings, agent, offline=options.offline or not settings.has_model))
    return 0


async def _talk(settings: Settings, agent: str, *, offline: bool) -> None:
    if sys.stdin.isatty() and sys.stdout.isatty():
        await _with_a_person(settings, agent, offline=offline)
    else:
        channel = ConsoleChannel(PipeScreen(), streaming=False)
        async with _app(settings, channel, offline=offline) as app:
            await app.catch_up(agent)
            await _converse(piped_lines(), app, channel, agent)


async def _with_a_person(settings: Settings, agent: str, *, offline: bool) -> None:
    language = settings.language
    channel = ConsoleChannel(TerminalScreen(language), streaming=True)
    async with _app(settings, channel, offline=offline) as app:
        await app.catch_up(agent)
        greeting = [shell.WELCOME, *([shell.WELCOME_OFFLINE] if offline else [])]
        sys.stdout.write("\n".join(say(language, line) for line in greeting) + "\n\n")
        lines = typed_lines(settings.data_dir / HISTORY, language)
        await _converse(lines, app, channel, agent)
        sys.stdout.write(say(language, shell.BYE) + "\n")


def _app(
    settings: Settings, channel: ConsoleChannel, *, offline: bool
) -> AbstractAsyncContextManager[App]:
    presenter = ConsolePresenter(channel.answered.set)
    platforms = Platforms(channels={"console": channel}, presenters={"console": presenter})
    # In a terminal, return ends an utterance: there is no burst to wait for.
    return running(settings, platforms, offline=offline, quiet_seconds=0.0)


async def _converse(
    lines: AsyncIterator[str], app: App, channel: ConsoleChannel, agent: str
) -> None:
    """Hand in each line and wait for its answer before the next is read."""
    clock = SystemClock()
    place = ConversationKey(platform="console", account="local", chat=agent)
    async for line in lines:
        if not line.strip():
            continue
        channel.answered.clear()
        await app.intake.receive(
            Incoming(
                dedupe_key=secrets.token_hex(8),
                conversation=place,
                sender=Sender(id="local", name=agent),
                at=clock.now(),
                text=line,
            )
        )
        await channel.answered.wait()
