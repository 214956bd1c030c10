"""What the desk reaches beside the memory of an agent: the ledger and the files around it."""

import asyncio
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from bot.conversation.delivery import ChannelHealth
from bot.conversation.ledger import Ledger
from bot.conversation.ledger.erasure import ErasureRequest, TextMatcher
from bot.conversation.ledger.ledger import ChannelTraffic
from bot.conversation.linking import Linking
from bot.conversation.messages import ConversationKey, read_command
from bot.desk.documents import Adapters, Document
from bot.settings import Settings
from memory.agents import agent_ids, folder_of, read_state
from memory.errors import StoreUnwritable
from memory.laws.registry import Laws
from memory.state import MemoryState
from memory.stores.backups import KEPT_BACKUPS, Backups, StateCleaner

HISTORY_FILE: Final = "history"
"""The file in the data folder in which the terminal keeps what was typed."""

TYPED_MARK: Final = "+"


class DeskServices:
    """The places outside an agent's own memory that a command looks into, or cleans."""

    def __init__(  # noqa: PLR0913 - everything around, by name
        self,
        ledger: Ledger,
        data: Path,
        *,
        model: str = "",
        daily_limit: int = 0,
        backups_kept: int = KEPT_BACKUPS,
        platforms: Adapters | None = None,
        linking: Linking | None = None,
    ) -> None:
        self._ledger = ledger
        self._data = data
        self.identities: Final = ledger.identities
        self.linking: Final = linking
        self._backups_kept = backups_kept
        self.model: Final = model
        self.daily_limit: Final = daily_limit
        self._platforms: Adapters = platforms or {}

    async def channels(self) -> dict[str, tuple[ChannelTraffic | None, ChannelHealth | None]]:
        """Return what came through each platform lately, and how hearing goes where it is on."""
        heard = {each.platform: each for each in await self._ledger.history.channels()}
        on = {each: one.health for each, one in self._platforms.items() if one.health}
        return {each: (heard.get(each), on.get(each)) for each in sorted({*heard, *on})}

    async def tokens_spent(self, day: date) -> int:
        """Return how many tokens a day cost."""
        return await self._ledger.spending.spent(day)

    async def agent_states(self, laws: Laws) -> dict[str, MemoryState]:
        """Return what every agent of the data folder knows, by its name."""
        return {each: await read_state(self._data, each, laws) for each in agent_ids(self._data)}

    def backups(self, agent_id: str) -> Backups:
        """Return the backups of an agent; what they do blocks."""
        return Backups(self._data, agent_id, kept=self._backups_kept)

    async def show_in(self, place: ConversationKey, document: Document) -> bool:
        """Show something in another chat; False if its platform is not here."""
        platform = self._platforms.get(place.platform)
        if platform is None:
            return False
        await platform.presenter.present(place, document, reply_to="")
        return True

    async def turn_shown_as(self, conversation: str, platform_id: str) -> str:
        """Return the turn that a message of hers answered, empty if that is not known."""
        return await self._ledger.history.turn_shown_as(conversation, platform_id)

    async def link_to(self, turn_id: str) -> str:
        """Return an address that opens what was said in a turn; empty if none is known."""
        said = await self._ledger.history.place_of_turn(turn_id) if turn_id else None
        platform = self._platforms.get(said[0].platform) if said else None
        return platform.link(*said) if said and platform else ""

    async def count_outside(
        self, sought: ErasureRequest, cleaned: StateCleaner, unheld: tuple[str, ...] = ()
    ) -> dict[str, int]:
        """Return how often ledger, backups and the terminal's history tell something.

        And how many of the agent's files any text of ``unheld``, which it holds no more itself.
        """
        backups = partial(self.backups(sought.agent_id).clean, cleaned, carry_out=False)
        found = {
            "ledger": await self._ledger.erasure.count(sought),
            "backups": await asyncio.to_thread(backups),
        }
        if await self._owns_terminal(sought):
            _, gone = await asyncio.to_thread(_split_history, self._history, sought.matches)
            found["history"] = sum(not _is_erase_command(entry) for entry in gone)
        folder = folder_of(self._data, sought.agent_id)
        files = await asyncio.to_thread(_count_files_with, (folder,), unheld) if unheld else 0
        return {**found, "files": files} if files else found

    async def erase_outside(self, sought: ErasureRequest, cleaned: StateCleaner) -> None:
        """Take it out of ledger, backups and the terminal's history; raises StoreUnwritable."""
        await self._ledger.erasure.erase(sought)
        backups = self.backups(sought.agent_id)
        await asyncio.to_thread(partial(backups.clean, cleaned, carry_out=True))
        if await self._owns_terminal(sought):
            await asyncio.to_thread(_rewrite_history, self._history, sought.matches)

    async def count_left(self, sought: ErasureRequest, texts: Sequence[str]) -> int:
        """Return in how many places it still stands: the ledger, the agent's files and backups.

        In the files the ``texts`` are looked for byte by byte, in every form a file may hold.
        """
        folders = (folder_of(self._data, sought.agent_id), self.backups(sought.agent_id).folder)
        owed = await self._ledger.erasure.count(sought)
        return (owed > 0) + await asyncio.to_thread(_count_files_with, folders, tuple(texts))

    @property
    def _history(self) -> Path:
        return self._data / HISTORY_FILE

    async def _owns_terminal(self, sought: ErasureRequest) -> bool:
        """Whether the terminal's history is about it: there everything is its owner's."""
        places = await self._ledger.bindings.conversations(sought.agent_id)
        return not sought.person and any(
            self.identities.is_local(place.platform) for place in places
        )


def desk_services(
    ledger: Ledger,
    settings: Settings,
    platforms: Adapters | None = None,
    linking: Linking | None = None,
) -> DeskServices:
    """Return the services of a program with these settings and platforms.

    In the shell nothing is linked and nobody is told.
    """
    return DeskServices(
        ledger,
        settings.data_dir,
        model=settings.llm_model,
        daily_limit=settings.daily_token_limit,
        backups_kept=settings.backups_kept,
        platforms=platforms,
        linking=linking,
    )


def _split_history(history: Path, tells: TextMatcher) -> tuple[list[str], list[str]]:
    """Return the entries of a history that stay and those that tell it."""
    kept: list[str] = []
    gone: list[str] = []
    for entry in _history_entries(history):
        (gone if tells(_typed_text(entry)) else kept).append(entry)
    return kept, gone


def _history_entries(history: Path) -> Iterator[str]:
    """Yield the entries of prompt_toolkit's history: a line with the time, then what was typed."""
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
    """Whether an entry is the very command that erases: it goes as well, and is not counted."""
    command = read_command(_typed_text(entry))
    return command is not None and command.name == "forget"


def _rewrite_history(history: Path, tells: TextMatcher) -> None:
    """Write a history anew without what tells it, mode 0600, all or nothing."""
    kept, gone = _split_history(history, tells)
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


def _count_files_with(folders: tuple[Path, ...], texts: tuple[str, ...]) -> int:
    sought = [form for text in texts for form in _byte_forms(text)]
    files = [path for each in folders for path in sorted(each.rglob("*")) if path.is_file()]
    return sum(any(form in data for form in sought) for data in map(Path.read_bytes, files))


def _byte_forms(text: str) -> Iterator[bytes]:
    """Yield how a text may stand in a file: plain, as JSON with and without escapes, UTF-16."""
    yield text.encode("utf-8", "replace")
    yield json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8", "replace")
    yield json.dumps(text)[1:-1].encode("ascii")
    yield text.encode("utf-16-le", "replace")
