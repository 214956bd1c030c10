"""``xiaoxiang run``: be on every platform that is configured, until told to stop."""

import asyncio
import signal
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Final, Protocol

from bot.adapters.incoming import paired_owner
from bot.app import App, Platforms, running
from bot.conversation.delivery import Channel, ChannelHealth, PlatformInfo
from bot.conversation.messages import ConversationKey, Incoming, Platform
from bot.desk.documents import Presenter
from bot.identity import Access, parsed_ids
from bot.settings import Settings, read_settings
from bot.supervise import Failed, attempt
from bot.texts import say
from bot.texts import telegram as texts
from memory.agents import agent_ids
from memory.clock import SystemClock
from memory.errors import InputRefused, XiaoxiangError

NEW_AGENTS_SECONDS: Final = 600.0
"""How often new agents are looked for, whose nights have to be woken."""


class PlatformAdapter(AbstractAsyncContextManager["PlatformAdapter"], Protocol):
    """A platform: how it answers, and how it listens until cancelled."""

    @property
    def platform(self) -> Platform: ...

    @property
    def channel(self) -> Channel: ...

    @property
    def presenter(self) -> Presenter: ...

    @property
    def health(self) -> ChannelHealth: ...

    async def fetch(self, incoming: Incoming) -> bytes | None:
        """Return the file of a message; None if it is gone or too large."""

    def link(self, conversation: ConversationKey, message: str) -> str:
        """Return an address that opens a message; empty if the platform has none for it."""

    async def serve(self, program: App) -> object:
        """Hear until cancelled; raises :class:`XiaoxiangError` when that is over for good."""


def run_all(options: Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C; exit status 1 if every platform ended by itself."""
    overrides = {"data_dir": options.data} if options.data else {}
    return asyncio.run(run_until_stopped(read_settings(**overrides)))


async def run_until_stopped(settings: Settings) -> int:
    """Serve until SIGTERM, SIGINT or the end of every platform; return the exit status."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with open_program(settings) as (app, adapters), asyncio.TaskGroup() as group:
        serving = [group.create_task(_serve_adapter(each, app)) for each in adapters]
        others = [
            group.create_task(_catch_up_new_agents(app, settings)),
            group.create_task(stop.wait()),
        ]
        ended = group.create_task(_wait_for_all(serving))
        await asyncio.wait((ended, others[-1]), return_when=asyncio.FIRST_COMPLETED)
        for task in (*serving, *others, ended):
            task.cancel()
    return 0 if stop.is_set() else 1


@asynccontextmanager
async def open_program(settings: Settings) -> AsyncIterator[tuple[App, list[PlatformAdapter]]]:
    """Open every configured adapter and the program behind them; closed in reverse order.

    Raises :class:`InputRefused` if no platform is configured.
    """
    paired = paired_owner(settings.data_dir, "telegram") | paired_owner(settings.data_dir, "lark")
    access = Access(parsed_ids(settings.owner_ids) | paired, parsed_ids(settings.allowed_ids))
    async with AsyncExitStack() as closing:
        adapters = [
            await closing.enter_async_context(each)
            for each in _configured_adapters(settings, access)
        ]
        if not adapters:
            raise InputRefused(say(settings.language, texts.NOT_CONFIGURED))
        platforms = Platforms(
            channels={each.platform: each.channel for each in adapters},
            presenters={each.platform: each.presenter for each in adapters},
            files={each.platform: each.fetch for each in adapters},
            surfaces={each.platform: _surface_of(each) for each in adapters},
        )
        app = await closing.enter_async_context(running(settings, platforms, access=access))
        yield app, adapters


def _configured_adapters(settings: Settings, access: Access) -> Iterator[PlatformAdapter]:
    """Yield the adapters there are settings for; nobody else's libraries are loaded."""
    if settings.has_telegram:
        yield _telegram_adapter(settings, access)
    if settings.has_lark:
        yield _lark_adapter(settings, access)


def _telegram_adapter(settings: Settings, access: Access) -> PlatformAdapter:
    from bot.adapters.telegram.adapter import TelegramAdapter, TelegramOptions  # noqa: PLC0415
    from bot.adapters.telegram.updates import TelegramWebhookOptions  # noqa: PLC0415

    hook = TelegramWebhookOptions(
        url=settings.telegram_webhook_url,
        secret=settings.telegram_webhook_secret.get_secret_value(),
        bind=settings.webhook_bind,
    )
    options = TelegramOptions(
        token=settings.telegram_bot_token.get_secret_value(),
        api_base=settings.telegram_api_base,
        data_dir=settings.data_dir,
        language=settings.language,
        webhook=hook if hook.url else None,
        drafts=settings.telegram_drafts,
    )
    return TelegramAdapter(options, access, SystemClock(), announce=_print_line)


def _lark_adapter(settings: Settings, access: Access) -> PlatformAdapter:
    from bot.adapters.lark.adapter import LarkAdapter, LarkOptions  # noqa: PLC0415
    from bot.adapters.lark.webhook import LarkWebhook  # noqa: PLC0415

    hook = LarkWebhook(
        path=settings.lark_webhook_path,
        bind=settings.lark_webhook_bind,
        encrypt_key=settings.lark_encrypt_key.get_secret_value(),
        verification_token=settings.lark_verification_token.get_secret_value(),
    )
    options = LarkOptions(
        app_id=settings.lark_app_id,
        app_secret=settings.lark_app_secret.get_secret_value(),
        domain=settings.lark_base,
        data_dir=settings.data_dir,
        language=settings.language,
        webhook=hook if settings.lark_mode == "webhook" else None,
        streaming=settings.lark_streaming,
        answer_within=timedelta(minutes=settings.lark_answer_within_minutes),
    )
    return LarkAdapter(options, access, SystemClock(), announce=_print_line)


def _surface_of(adapter: PlatformAdapter) -> PlatformInfo:
    return PlatformInfo(health=lambda: adapter.health, link=adapter.link)


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


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
