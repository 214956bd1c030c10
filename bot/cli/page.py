"""``xiaoxiang page``: the memory page for the terminal's own agent, until Ctrl-C."""

import asyncio
import signal
import socket
import sys
import webbrowser
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.adapters import identities_of
from bot.cli import settings_for
from bot.data_folder import open_data_folder, open_storage
from bot.desk.caller import pause_nothing
from bot.desk.desk import Desk
from bot.desk.page import PageDoor, Visitor
from bot.desk.services import desk_services
from bot.identity import checked_agent_id
from bot.page import PageProgram, serve_page
from bot.sections import checked_bind_address, fault
from bot.settings import Settings
from bot.tasks import Supervisor
from bot.texts import page, refusals, say
from bot.web import WebServer, host_and_port, is_loopback
from memory.errors import InputRefused, StoreLocked
from memory.ports import Clock, SystemClock

_GRACE_SECONDS = 4.0


def run_page(options: Namespace) -> int:
    """Serve the page on this machine and open the browser; raises :class:`InputRefused`."""
    settings = settings_for(options)
    bind = options.bind or f"127.0.0.1:{_free_port()}"
    try:
        checked_bind_address(bind)
    except InputRefused as error:
        raise InputRefused(fault("--bind", error)) from error
    if not is_loopback(host_and_port(bind)[0]):
        raise InputRefused(refusals.BIND_NOT_HERE)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(settings, checked_agent_id(options.agent), bind, opens=options.open))
    return 0


async def _serve(settings: Settings, agent_id: str, bind: str, *, opens: bool) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with (
        open_program(settings, agent_id, bind) as program,
        asyncio.TaskGroup() as group,
    ):
        serving = group.create_task(serve_page(program, WebServer(), bind))
        link = program.door.link(Visitor(agent_id=agent_id))
        sys.stdout.write(say(settings.language, page.SERVED_AT, link=link) + "\n")
        sys.stdout.flush()
        if opens:
            await asyncio.to_thread(webbrowser.open, link)
        await stop.wait()
        serving.cancel()


@asynccontextmanager
async def open_program(
    settings: Settings, agent_id: str, bind: str, clock: Clock | None = None
) -> AsyncIterator[PageProgram]:
    """Open an agent for its page; raises :class:`InputRefused` while another program holds it."""
    time, supervisor = clock or SystemClock(), Supervisor()
    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, time, identities_of()) as folder,
    ):
        try:
            await folder.agents.get(agent_id)
        except StoreLocked as error:
            raise InputRefused(page.IN_USE) from error
        services = desk_services(folder.ledger, settings)
        services.disk = folder.disk
        services.page = PageDoor(time, f"http://{bind}")
        yield PageProgram(
            agents=folder.agents,
            desk=Desk(folder.agents.get, time, services),
            door=services.page,
            services=services,
            clock=time,
            supervisor=supervisor,
            paused=lambda _: pause_nothing(),
            language=settings.language,
        )
        await supervisor.stop(_GRACE_SECONDS)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
