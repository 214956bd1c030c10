"""What the desk reaches beside the memory of an agent: the ledger and the files around it."""

import asyncio
import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from bot.conversation.channel import Health, Surfaces
from bot.conversation.commands import read_command
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.forgetting import Sought, Tells
from bot.conversation.ledger.tracing import ChannelState
from bot.conversation.linking import Linking
from bot.conversation.messages import ConversationKey
from bot.desk.documents import Document
from bot.settings import Settings
from memory.agents import agent_ids, folder_of, read_state
from memory.errors import StoreUnwritable
from memory.state import MemoryState
from memory.stores.backups import KEPT, Backups, Cleaned

Send: TypeAlias = Callable[[ConversationKey, Document], Awaitable[bool]]
"""Shows a document in a chat; False where that cannot be done."""

HISTORY: Final = "history"
"""The file in the data folder in which the terminal keeps what was typed."""

TYPED: Final = "+"


class Premises:
    """The places outside an agent's own memory that a command looks into, or cleans."""

    def __init__(  # noqa: PLR0913 - everything around, by name
        self,
        ledger: Ledger,
        data: Path,
        *,
        model: str = "",
        daily_limit: int = 0,
        backups_kept: int = KEPT,
        surfaces: Surfaces | None = None,
        linking: Linking | None = None,
        send: Send | None = None,
    ) -> None:
        self._ledger = ledger
        self._data = data
        self._send = send
        self.linking: Final = linking
        self._backups_kept = backups_kept
        self.model: Final = model
        self.daily_limit: Final = daily_limit
        self._surfaces: Surfaces = surfaces or {}

    async def channels(self) -> dict[str, tuple[ChannelState | None, Health | None]]:
        """Return what came through each platform lately, and how hearing goes where it is on."""
        heard = {each.platform: each for each in await self._ledger.tracing.channels()}
        on: dict[str, Health] = {each: one.health() for each, one in self._surfaces.items()}
        return {each: (heard.get(each), on.get(each)) for each in sorted({*heard, *on})}

    async def spent(self, day: date) -> int:
        """Return how many tokens a day cost."""
        return await self._ledger.spending.spent(day)

    async def agents(self) -> dict[str, MemoryState]:
        """Return what every agent of the data folder knows, by its name."""
        return {each: await read_state(self._data, each) for each in agent_ids(self._data)}

    def backups(self, agent_id: str) -> Backups:
        """Return the backups of an agent; what they do blocks."""
        return Backups(self._data, agent_id, kept=self._backups_kept)

    async def tell(self, place: ConversationKey, document: Document) -> bool:
        """Show something in another chat; False if its platform is not here."""
        return self._send is not None and await self._send(place, document)

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the turn that a message of hers answered, empty if that is not known."""
        return await self._ledger.tracing.turn_shown_as(conversation, platform_id)

    async def link_to(self, turn_id: str) -> str:
        """Return an address that opens what was said in a turn; empty if none is known."""
        said = await self._ledger.tracing.said_in(turn_id) if turn_id else None
        surface = self._surfaces.get(said[0].platform) if said else None
        return surface.link(*said) if said and surface else ""

    async def count(
        self, sought: Sought, cleaned: Cleaned, unheld: tuple[str, ...] = ()
    ) -> dict[str, int]:
        """Return how often ledger, backups and the terminal's history tell something.

        And how many of the agent's files any text of ``unheld``, which it holds no more itself.
        """
        backups = partial(self.backups(sought.agent_id).without, cleaned, carry_out=False)
        found = {
            "ledger": await self._ledger.forgetting.count(sought),
            "backups": await asyncio.to_thread(backups),
        }
        if await self._is_typed_here(sought):
            _, gone = await asyncio.to_thread(_split, self._history, sought.tells)
            found["history"] = sum(not _orders_erasing(entry) for entry in gone)
        folder = folder_of(self._data, sought.agent_id)
        files = await asyncio.to_thread(_standing, (folder,), unheld) if unheld else 0
        return {**found, "files": files} if files else found

    async def forget(self, sought: Sought, cleaned: Cleaned) -> None:
        """Take it out of ledger, backups and the terminal's history; raises StoreUnwritable."""
        await self._ledger.forgetting.forget(sought)
        backups = self.backups(sought.agent_id)
        await asyncio.to_thread(partial(backups.without, cleaned, carry_out=True))
        if await self._is_typed_here(sought):
            await asyncio.to_thread(_cleaned, self._history, sought.tells)

    async def left(self, sought: Sought, texts: Sequence[str]) -> int:
        """Return in how many places it still stands: the ledger, the agent's files and backups.

        In the files the ``texts`` are looked for byte by byte, in every form a file may hold.
        """
        folders = (folder_of(self._data, sought.agent_id), self.backups(sought.agent_id).folder)
        owed = await self._ledger.forgetting.count(sought)
        return (owed > 0) + await asyncio.to_thread(_standing, folders, tuple(texts))

    @property
    def _history(self) -> Path:
        return self._data / HISTORY

    async def _is_typed_here(self, sought: Sought) -> bool:
        """Whether the terminal's history is about it: there everything is its owner's."""
        places = await self._ledger.bindings.conversations(sought.agent_id)
        return not sought.person and any(place.platform == "console" for place in places)


def premises_of(
    ledger: Ledger,
    settings: Settings,
    surfaces: Surfaces | None = None,
    linking: Linking | None = None,
    send: Send | None = None,
) -> Premises:
    """Return the premises of a program with these settings and platforms.

    In the shell nothing is linked and nobody is told.
    """
    return Premises(
        ledger,
        settings.data_dir,
        model=settings.llm_model,
        daily_limit=settings.daily_token_limit,
        backups_kept=settings.backups_kept,
        surfaces=surfaces,
        linking=linking,
        send=send,
    )


def _split(history: Path, tells: Tells) -> tuple[list[str], list[str]]:
    """Return the entries of a history that stay and those that tell it."""
    kept: list[str] = []
    gone: list[str] = []
    for entry in _entries(history):
        (gone if tells(_typed(entry)) else kept).append(entry)
    return kept, gone


def _entries(history: Path) -> Iterator[str]:
    """Yield the entries of prompt_toolkit's history: a line with the time, then what was typed."""
    if not history.is_file():
        return
    entry = ""
    for line in history.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
        if not line.startswith(TYPED) and TYPED in {each[:1] for each in entry.splitlines()}:
            yield entry
            entry = ""
        entry += line
    if entry:
        yield entry


def _typed(entry: str) -> str:
    return "\n".join(line[1:] for line in entry.splitlines() if line.startswith(TYPED))


def _orders_erasing(entry: str) -> bool:
    """Whether an entry is the very command that erases: it goes as well, and is not counted."""
    command = read_command(_typed(entry))
    return command is not None and command.name == "forget"


def _cleaned(history: Path, tells: Tells) -> None:
    """Write a history anew without what tells it, mode 0600, all or nothing."""
    kept, gone = _split(history, tells)
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
        raise StoreUnwritable(f"cannot write {history}: {error.strerror}") from error


def _standing(folders: tuple[Path, ...], texts: tuple[str, ...]) -> int:
    sought = [form for text in texts for form in _forms(text)]
    files = [path for each in folders for path in sorted(each.rglob("*")) if path.is_file()]
    return sum(any(form in data for form in sought) for data in map(Path.read_bytes, files))


def _forms(text: str) -> Iterator[bytes]:
    """Yield how a text may stand in a file: plain, as JSON with and without escapes, UTF-16."""
    yield text.encode("utf-8", "replace")
    yield json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    yield json.dumps(text)[1:-1].encode("ascii")
    yield text.encode("utf-16-le", "replace")
