"""What the desk reaches beside an agent's memory: the ledger, backups, platforms and other files.

Erasing has to reach the same places, so the terminal's history and the final search of the files
are here as well.
"""

import asyncio
import json
import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.clock_watch import ClockWatch
from bot.conversation.delivery import ChannelHealth
from bot.conversation.growing import GrowingAnswers
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.erasure import ErasureRequest, TextMatcher
from bot.conversation.ledger.ledger import ChannelTraffic
from bot.conversation.linking import Linking
from bot.conversation.messages import ConversationKey, read_command
from bot.desk.documents import Adapters, Document, Table
from bot.identity import Access
from bot.law_fit import Optimize
from bot.llm.pace import ServerPace
from bot.llm.resilient import CallTally
from bot.settings import Settings
from bot.texts import desk, desk_help, refusals, shell
from memory.agents import agent_ids, folder_of, read_state
from memory.errors import StoreUnwritable
from memory.laws.registry import Laws
from memory.refusals import said_by_system
from memory.state import MemoryState
from memory.stores.backups import USUAL_RULE, BackupRule, Backups, StateCleaner
from memory.stores.disk import REAL_DISK, TEMPORARY, Disk, disk_errors, replace_file
from memory.stores.parts import words_in
from memory.stores.recovery import StoreDamage

if TYPE_CHECKING:
    from bot.desk.page import PageDoor

HISTORY_FILE: Final = "history"
"""The file in the data folder in which the terminal keeps what was typed."""

# prompt_toolkit's format: a line beginning with "#" for the time, then the typed lines, each
# behind a "+".
TYPED_MARK: Final = "+"


@dataclass(eq=False)
class DeskServices:
    """The places outside an agent's own memory that a command reads or cleans.

    ``daily_limit`` is in tokens, 0 for none; ``model`` is empty in offline mode. ``linking``,
    ``platforms`` and ``clock_watch`` are None in the shell, where nothing can be linked, no chat
    can be reached and nothing runs for days. ``pace`` is what is measured of the language model,
    None where there is none or nothing was asked of it. ``access`` and ``growing``, who may talk
    and the answers under way, are of the running program only, and ``page``, which lets browsers
    in, of one that serves the memory page. ``optimize`` fits a law to a history, None for the
    way of the extra ``fit``. ``worker`` tells which of several workers this is and how much it
    owns. ``calls`` is what was counted of the models since the start, by what they are asked
    for.
    """

    ledger: Ledger
    data: Path
    _: KW_ONLY
    model: str = ""
    daily_limit: int = 0
    backup_rule: BackupRule = USUAL_RULE
    platforms: Adapters | None = None
    linking: Linking | None = None
    clock_watch: ClockWatch | None = None
    pace: ServerPace | None = None
    access: Access | None = None
    growing: GrowingAnswers | None = None
    page: "PageDoor | None" = None
    optimize: Optimize | None = None
    disk: Disk = REAL_DISK
    worker: Callable[[], tuple[int, int] | None] = lambda: None
    calls: Mapping[str, CallTally] = field(default_factory=dict)

    async def channels(self) -> dict[str, tuple[ChannelTraffic | None, ChannelHealth | None]]:
        """Return the traffic of each platform, and its health where it is running."""
        traffic = {each.platform: each for each in await self.ledger.history.channels()}
        running = (self.platforms or {}).items()
        health = {name: each.health for name, each in running if each.health}
        return {
            name: (traffic.get(name), health.get(name)) for name in sorted({*traffic, *health})
        }

    async def tokens_spent(self, day: date) -> int:
        """Return how many tokens were spent on a day."""
        return await self.ledger.spending.spent(day)

    async def agent_states(self, laws: Laws) -> dict[str, MemoryState]:
        """Return the state of every agent in the data folder, by its id."""
        known = agent_ids(self.data, self.disk)
        return {each: await read_state(self.data, each, laws, self.disk) for each in known}

    def backups(self, agent_id: str) -> Backups:
        """Return the backups of an agent; their methods block, so call them in a thread."""
        return Backups(self.data, agent_id, rule=self.backup_rule, disk=self.disk)

    async def show_in(self, place: ConversationKey, document: Document) -> bool:
        """Show a document in another chat; return False if its platform is not running."""
        platform = (self.platforms or {}).get(place.platform)
        if platform is None:
            return False
        await platform.presenter.present(place, document, reply_to="")
        return True

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the id of the turn that one of her messages belongs to, empty if unknown."""
        return await self.ledger.history.turn_shown_as(conversation, platform_id)

    async def link_to(self, turn_id: str) -> str:
        """Return an address that opens the messages of a turn; empty if there is none."""
        place = await self.ledger.history.place_of_turn(turn_id) if turn_id else None
        platform = (self.platforms or {}).get(place[0].platform) if place else None
        return platform.link(*place) if place and platform else ""

    async def count_outside(
        self, sought: ErasureRequest, cleaned: StateCleaner, unheld: tuple[str, ...] = ()
    ) -> dict[str, int]:
        """Return how many records of the ledger, the backups and the history match.

        ``unheld`` are texts that the agent's state no longer holds; ``files`` is the number of its
        files in which any of them still stands.
        """
        backups = partial(self.backups(sought.agent_id).clean, cleaned, carry_out=False)
        found = {
            "ledger": await self.ledger.erasure.count(sought),
            "backups": await asyncio.to_thread(backups),
        }
        if await self._owns_terminal(sought):
            _, gone = await asyncio.to_thread(_split_history, self._history, sought.matches)
            found["history"] = sum(not _is_erase_command(entry) for entry in gone)
        folder = folder_of(self.data, sought.agent_id)
        count = partial(_count_files_with, (folder,), unheld, self.disk)
        files = await asyncio.to_thread(count) if unheld else 0
        return {**found, "files": files} if files else found

    async def erase_outside(self, sought: ErasureRequest, cleaned: StateCleaner) -> None:
        """Erase from the ledger, the backups and the history. Raises :class:`StoreUnwritable`."""
        await self.ledger.erasure.erase(sought)
        backups = self.backups(sought.agent_id)
        await asyncio.to_thread(partial(backups.clean, cleaned, carry_out=True))
        if await self._owns_terminal(sought):
            await asyncio.to_thread(_rewrite_history, self._history, sought.matches)

    async def count_left(self, sought: ErasureRequest, texts: Sequence[str]) -> int:
        """Return in how many places something is left: the ledger, the agent's files, backups.

        The files are searched for the ``texts`` byte by byte, in every form a file may hold.
        """
        backups = self.backups(sought.agent_id)
        with disk_errors(backups.folder):
            copies = await asyncio.to_thread(backups.copies.place)
        own = (folder_of(self.data, sought.agent_id), backups.folder)
        folders = own if copies is None else (*own, copies)
        owed = await self.ledger.erasure.count(sought)
        return (owed > 0) + await asyncio.to_thread(
            _count_files_with, folders, tuple(texts), self.disk
        )

    @property
    def _history(self) -> Path:
        return self.data / HISTORY_FILE

    async def _owns_terminal(self, sought: ErasureRequest) -> bool:
        """Return whether the terminal's history has to be cleaned too."""
        # Read anew each time: a chat may have been bound to the agent since the preview.
        places = await self.ledger.bindings.conversations(sought.agent_id)
        return not sought.person and any(
            self.ledger.identities.is_local(place.platform) for place in places
        )


def desk_services(
    ledger: Ledger,
    settings: Settings,
    platforms: Adapters | None = None,
    linking: Linking | None = None,
    clock_watch: ClockWatch | None = None,
    pace: ServerPace | None = None,
) -> DeskServices:
    """Return the services of a program with these settings and platforms.

    The shell passes none of what follows ``settings``.
    """
    return DeskServices(
        ledger,
        settings.data_dir,
        model=settings.llm_model,
        daily_limit=settings.daily_token_limit,
        backup_rule=settings.backup_rule,
        platforms=platforms,
        linking=linking,
        clock_watch=clock_watch,
        pace=pace,
    )


ORDERS: Final = "erasing"
"""The folder with what the shell or the page was told to erase, while that is under way."""


@asynccontextmanager
async def order_noted(
    services: DeskServices | None, agent_id: str, words: str
) -> AsyncIterator[None]:
    """Note an order to erase for the length of the block: killed in it, the next start ends it.

    In a chat the ledger holds the message with the order; what came otherwise has no other note.
    """
    if services is None:
        yield
        return
    folder = services.data / ORDERS
    with disk_errors(folder):
        await asyncio.to_thread(services.disk.make_folder, folder)
        await asyncio.to_thread(
            replace_file, services.disk, folder / agent_id, words.encode("utf-8", "replace")
        )
    try:
        yield
    except Exception:
        # Whoever gave it is told that it failed. What was stopped or killed keeps its note.
        await asyncio.to_thread(forget_order, services.data, agent_id, services.disk)
        raise
    await asyncio.to_thread(forget_order, services.data, agent_id, services.disk)


def forget_order(data: Path, agent_id: str, disk: Disk) -> None:
    """Remove the note of an order to erase; raises :class:`StoreUnwritable`."""
    with disk_errors(data / ORDERS):
        disk.remove(data / ORDERS / agent_id)
        disk.sync_folder(data / ORDERS)


def orders_noted(data: Path, disk: Disk) -> dict[str, str]:
    """Return the orders to erase that were cut short, by agent: the words of the command."""
    with disk_errors(data / ORDERS):
        if not disk.is_folder(data / ORDERS):
            return {}
        names = [name for name in disk.names(data / ORDERS) if not name.endswith(TEMPORARY)]
        found = {name: disk.read(data / ORDERS / name) for name in names}
    return {name: words.decode("utf-8", "replace") for name, words in found.items() if words}


def _split_history(history: Path, matches: TextMatcher) -> tuple[list[str], list[str]]:
    """Return the entries of a history that stay, and those that match."""
    kept: list[str] = []
    gone: list[str] = []
    for entry in _history_entries(history):
        (gone if matches(_typed_text(entry)) else kept).append(entry)
    return kept, gone


def _history_entries(history: Path) -> Iterator[str]:
    """Yield the entries of prompt_toolkit's history, each with its time and all its lines."""
    if not history.is_file():
        return
    entry = ""
    for line in history.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        if not line.startswith(TYPED_MARK) and TYPED_MARK in {
            each[:1] for each in entry.splitlines()
        }:
            yield entry
            entry = ""
        entry += line
    if entry:
        yield entry


def _typed_text(entry: str) -> str:
    return "\n".join(line[1:] for line in entry.splitlines() if line.startswith(TYPED_MARK))


def _is_erase_command(entry: str) -> bool:
    """Return whether an entry is the erasing command itself: erased as well, but not counted."""
    command = read_command(_typed_text(entry))
    return command is not None and command.name == "forget"


def _rewrite_history(history: Path, matches: TextMatcher) -> None:
    """Write a history again without the entries that match, mode 0600, all or nothing."""
    kept, gone = _split_history(history, matches)
    if not gone:
        return
    try:
        descriptor, name = tempfile.mkstemp(dir=history.parent, prefix=f".{history.name}-")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("".join(kept))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(history)
    except OSError as error:
        raise StoreUnwritable(
            refusals.UNWRITABLE, file=history, why=said_by_system(error)
        ) from error


def _count_files_with(folders: tuple[Path, ...], texts: tuple[str, ...], disk: Disk) -> int:
    sought = [form for text in texts for form in _byte_forms(text)]
    files = [folder / name for folder in folders for name in sorted(disk.names(folder))]
    return sum(
        any(form in data for data in words_in(file, disk) for form in sought) for file in files
    )


def _byte_forms(text: str) -> Iterator[bytes]:
    """Yield the forms in which a text may stand in a file: plain, in JSON, and in UTF-16."""
    yield text.encode("utf-8", "replace")
    yield json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    yield json.dumps(text)[1:-1].encode("ascii")
    yield text.encode("utf-16-le", "replace")


def damage_of_agent(say: Callable[..., str], agent_id: str, damage: StoreDamage) -> Iterator[str]:
    """Yield what was wrong with the files of an agent when they were opened."""
    files = ", ".join(damage.pages)
    for found, sentence, count in (
        (damage.journal_missing, shell.JOURNAL_MISSING, 0),
        (files, shell.PAGES_LOST, damage.returned),
        (damage.lost, shell.RECORDS_LOST, damage.lost),
        (damage.healed, shell.RECORDS_WERE_HEALED, damage.healed),
    ):
        if found:
            yield say(sentence, agent=agent_id, count=count, files=files)


def worker_facts(
    services: DeskServices, say: Callable[..., str]
) -> Iterator[tuple[str, str, str]]:
    """Yield which of several workers this is, in words; nothing for a program by itself."""
    if (counted := services.worker()) is not None:
        owns = say(desk.WORKER_OWNS, worker=counted[0], agents=counted[1])
        yield "worker", say(desk.WORKER), owns


def calls_tables(services: DeskServices, say: Callable[..., str]) -> Iterator[Table]:
    """Yield how often the models were called, and how it went; nothing before the first call."""
    counted = [(use, tally) for use, tally in services.calls.items() if tally.calls]
    rows = tuple(
        (
            say(desk_help.CALLED_FOR[use]),
            str(tally.calls),
            str(tally.failures.total()),
            f"{tally.seconds / tally.calls:.1f} s",
        )
        for use, tally in counted
    )
    names = (desk_help.SINCE_START, desk_help.CALLS, desk_help.CALLS_FAILED, desk_help.EACH_TOOK)
    if rows:
        yield Table(("use", "calls", "failed", "took"), tuple(map(say, names)), rows, name="calls")
