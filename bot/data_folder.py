"""The data folder of one program: its ledger, its models and its agents, opened in one way.

Where they are kept is a :class:`Storage`: files of the folder, or the database of DATABASE_URL.

``run`` and ``chat`` hold it open while they talk, ``replay`` while it replays, and the shell's
commands while they change something.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.adapters.incoming import new_pairing_code
from bot.adapters.platform import how_to_install, missing_library
from bot.conversation.lanes import ConversationPauses
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.tables import LedgerDatabase
from bot.conversation.messages import ParsedCommand
from bot.desk.caller import Caller, CommandRequest, load_signer
from bot.desk.desk import Desk
from bot.desk.services import desk_services, forget_order, orders_noted
from bot.dispatch.workers import Alone, Workers
from bot.identity import Identities, owner_file, pairing_code_file, share_owner
from bot.models import Models, offline_models, open_models
from bot.settings import Settings
from bot.tasks import Supervisor, attempt
from bot.texts import shell
from memory.agents import AgentResources, Agents, ignore_what_was_learnt
from memory.errors import InputRefused, StoreLocked
from memory.laws.law import Law
from memory.laws.registry import LAWS, Laws
from memory.learning.outcomes import LearntNotice
from memory.ports import Clock
from memory.privacy.vault import Keys
from memory.stores.disk import REAL_DISK, Disk, FolderLock, replace_file

if TYPE_CHECKING:
    from memory.stores.server import Server

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Storage:
    """Where agents and ledger are kept; without a ``database`` the ledger is a file.

    With a ``server`` a program can be one of several workers once it called ``join``.
    """

    settings: Settings
    disk: Disk = REAL_DISK
    database: LedgerDatabase | None = None
    server: "Server | None" = None
    join: Callable[[], None] = lambda: None


@asynccontextmanager
async def open_storage(settings: Settings) -> AsyncIterator[Storage]:
    """Open what the settings name; closed after everything that is kept there.

    Raises :class:`memory.errors.StoreError` for a database that cannot be used, and
    :class:`InputRefused` without the library for it.
    """
    url = settings.database_url.get_secret_value()
    if not url:
        yield Storage(settings)
        return
    try:
        from bot.conversation.ledger.server_database import ServerDatabase
        from memory.stores.server import Server
        from memory.stores.table_disk import TableDisk
    except ModuleNotFoundError as error:
        command = how_to_install("postgres")
        raise InputRefused(shell.NO_POSTGRES, command=command) from error
    server = await asyncio.to_thread(Server, url)
    try:
        disk = await asyncio.to_thread(TableDisk, server, settings.data_dir)
        database = ServerDatabase(server)
        yield Storage(settings, disk, database, server, database.join)
    finally:
        await asyncio.to_thread(server.close)


@asynccontextmanager
async def taking_part(storage: Storage, *, together: bool) -> AsyncIterator[None]:
    """Own everything as the one program that talks from it, or be one of several workers.

    Two programs would each hear what the platforms push, and each answer it; workers share that
    out. Done before any platform is heard; raises :class:`StoreLocked`. Commands of the shell do
    without: they talk to nobody, and an agent's own lock keeps two of them apart.
    """
    server = storage.server
    if together and server is not None:
        await asyncio.to_thread(storage.join)
        try:
            yield
        finally:
            await attempt("leaving", lambda: asyncio.to_thread(server.leases.leave))
        return
    data, disk = storage.settings.data_dir, storage.disk
    lock = await asyncio.to_thread(FolderLock.take, data, disk)
    try:
        yield
    finally:
        await asyncio.to_thread(lock.release)


BUTTON_KEYS: Final = ("telegram.key", "lark.key")
"""The files by which a worker knows the buttons of the others, on whatever machine they are."""


async def share_button_keys(storage: Storage) -> None:
    """Let all workers of a database have the same keys in their folders; nothing in files."""
    server, home = storage.server, storage.settings.data_dir
    if server is None:
        return

    def share() -> None:
        for name in BUTTON_KEYS:
            load_signer(home / name, limit=0)  # made if it is not there
            mine = REAL_DISK.read(home / name) or b""
            common = server.share(name, mine)
            if common != mine:
                replace_file(REAL_DISK, home / name, common)

    await asyncio.to_thread(share)


async def share_pairing(storage: Storage, platforms: Collection[str]) -> None:
    """Let all workers of a database know who paired, or ask for one code; nothing in files."""
    server, home = storage.server, storage.settings.data_dir
    if server is None:
        return

    def share() -> None:
        for platform in platforms:
            share_owner(server, home, platform)
            if not owner_file(home, platform).exists():
                path = pairing_code_file(home, platform)
                code = server.share(path.name, new_pairing_code().encode())
                replace_file(REAL_DISK, path, code)

    await asyncio.to_thread(share)


@dataclass(frozen=True, slots=True)
class DataFolder:
    """What is open of a data folder; ``disk`` is what its agents are on."""

    ledger: Ledger
    models: Models
    agents: Agents
    disk: Disk = REAL_DISK


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who is told, at once, which agent learnt what, and whose reminders changed."""

    on_learnt: Callable[[str, LearntNotice], None] = ignore_what_was_learnt
    on_reminders: Callable[[str], None] = lambda _: None


NO_LISTENERS: Final = Listeners()


@asynccontextmanager
async def open_data_folder(
    storage: Storage,
    clock: Clock,
    identities: Identities,
    *,
    offline: bool = False,
    listeners: Listeners = NO_LISTENERS,
    laws: Sequence[Law[Any]] = LAWS,
) -> AsyncIterator[DataFolder]:
    """Open everything in the data folder; closed in reverse order.

    ``offline`` uses no model even if one is configured. ``listeners`` are told what happens in the
    agents, ``laws`` are those they may live by. Raises :class:`memory.errors.StoreError`,
    among it :class:`StoreLocked` if another program has an agent open once it is asked for.
    """
    settings = storage.settings
    async with AsyncExitStack() as closing:
        ledger = await Ledger.open(settings.data_dir, identities, storage.database)
        closing.push_async_callback(ledger.close)
        # After the ledger, and closed before it: the models write down there what they cost.
        models = (
            offline_models() if offline else await open_models(settings, ledger.spending, clock)
        )
        closing.push_async_callback(models.close)
        resources = AgentResources(
            clock=clock,
            model=models.background,
            defaults=settings.agent_defaults(),
            keys=opened_keys(settings),
            embedder=models.embedder,
            on_learnt=listeners.on_learnt,
            on_reminders=listeners.on_reminders,
            on_damage=ledger.damage.note_agent,
            laws=Laws(tuple(laws)),
            backup_rule=settings.backup_rule,
            disk=storage.disk,
        )
        agents = Agents(settings.data_dir, resources)
        closing.push_async_callback(agents.close)
        folder = DataFolder(ledger, models, agents, storage.disk)
        await _finish_orders(folder, settings, clock)
        yield folder


async def _finish_orders(folder: DataFolder, settings: Settings, clock: Clock) -> None:
    """End what the shell or the page was told to erase when it was killed, as confirmed then.

    If memory has changed in between, it no longer fits what was confirmed, and nothing goes.
    """
    data, disk = settings.data_dir, folder.disk
    orders = await asyncio.to_thread(orders_noted, data, disk)
    for agent_id, words in orders.items():
        services = desk_services(folder.ledger, settings)
        services.disk = disk
        desk = Desk(folder.agents.get, clock, services)
        request = CommandRequest(
            command=ParsedCommand("forget", words), agent_id=agent_id, caller=Caller(resumed=True)
        )
        try:
            agent = await folder.agents.get(agent_id)
            await desk.carry_out(request, agent.state, agent)
        except StoreLocked:
            continue  # whoever has it open is at it
        except InputRefused:
            logger.warning("what was to be erased in %s is no longer what was confirmed", agent_id)
        await asyncio.to_thread(forget_order, data, agent_id, disk)


def opened_keys(settings: Settings) -> Keys | None:
    """Return the keys that seal secrets; a missing key file loses nothing and is logged.

    Raises :class:`InputRefused` as :meth:`Settings.memory_keys`, and without the library.
    """
    keys = settings.memory_keys()
    if keys and (missing := missing_library("cryptography", "secrets")):
        raise InputRefused(missing)
    if keys is not None and len(keys) == 0:
        logger.warning("MEMORY_KEY_FILE is not there: what is sealed stays shut until it is")
    return keys


def workers_beside(
    storage: Storage,
    folder: DataFolder,
    supervisor: Supervisor,
    pauses: ConversationPauses,
    clock: Clock,
    platforms: Collection[str],
) -> Workers:
    """Return the other programs that talk with the same partners, if there may be any."""
    if storage.server is None or not storage.server.leases.joined:
        return Alone()
    from bot.conversation.ledger.ownership import Ownership
    from bot.dispatch.fleet import Fleet
    from bot.dispatch.owned_agents import OwnedAgents

    settings, ownership = storage.settings, Ownership(storage.server)
    owned = OwnedAgents(
        ownership=ownership,
        agents=folder.agents,
        bindings=folder.ledger.bindings,
        pauses=pauses,
        clock=clock,
        most=settings.worker_agents,
        zone=settings.agent_defaults().time_zone,
    )
    return Fleet(
        server=storage.server,
        ownership=ownership,
        owned=owned,
        supervisor=supervisor,
        platforms=tuple(platforms),
    )
