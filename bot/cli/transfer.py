"""``xiaoxiang export``, ``import`` and ``replay``: a memory, or a talk, taken out or in.

``replay`` lives through a recorded conversation at its own dates.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from bot.adapters import identities_of
from bot.adapters.console.presenter import write_private_file
from bot.cli import settings_for
from bot.conversation.prompt_budget import CountTokens
from bot.conversation.recordings import read_recording, read_whole_file
from bot.data_folder import open_data_folder, open_storage
from bot.desk.answers import MOST_SHOWN, PREVIEW_LENGTH, brief, first_names
from bot.desk.memory_export import as_markdown, named_items
from bot.identity import checked_agent_id
from bot.settings import Settings
from bot.tasks import NIGHT_HOUR
from bot.texts import Sentence, bring, desk, desk_changes, refusals, say, shell, transfer
from memory.agent import AgentMemory
from memory.agents import read_state
from memory.changes import AgentInfo, Change, Put, Turn
from memory.errors import InputRefused, UnknownAgent
from memory.merging.state_import import ImportPlan, plan_import
from memory.model import Language, Message
from memory.network.index import NetworkIndex
from memory.ports import Clock, SystemClock
from memory.state import MemoryState
from memory.stores.backups import Backups
from memory.stores.exports import (
    LARGEST_EXPORT,
    Export,
    ExportFlaw,
    InvalidExport,
    export_bytes,
    read_export,
)

CONVERSATION: Final = "replay"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was said in a row by people, and what she answered; nothing if nobody did."""

    said: tuple[Message, ...]
    reply: Message | None

    @property
    def messages(self) -> tuple[Message, ...]:
        """Everything that was said in it."""
        return (*self.said, self.reply) if self.reply else self.said

    @property
    def id(self) -> str:
        """The id its turn has, whenever it is replayed."""
        return f"replay-{self.messages[0].id}"

    @property
    def at(self) -> datetime:
        """When it ended."""
        return self.messages[-1].at


@dataclass(slots=True)
class ReplaySummary:
    """What a replay did. ``known`` counts the turns an earlier replay had brought in."""

    turns: int = 0
    known: int = 0
    nights: int = 0
    memories: int = 0


class RecordedClock:
    """A clock that stands where the recording stands, and never goes back."""

    def __init__(self, at: datetime) -> None:
        self._at = at

    def now(self) -> datetime:
        """Return the instant of the recording."""
        return self._at

    def advance_to(self, at: datetime) -> None:
        """Go on to ``at``, unless that is past."""
        self._at = max(self._at, at)


def run_replay(options: Namespace) -> int:
    """Replay a file into an agent; each turn is reported once it is durable.

    A turn that is known already is skipped, so an interrupted replay goes on where it ended.
    """
    settings = settings_for(options)
    checked_agent_id(options.agent)
    recording = read_recording(options.file)
    done = asyncio.run(_replay_recording(recording, settings, options))
    summary = say(
        settings.language,
        shell.REPLAYED,
        file=options.file.name,
        turns=done.turns,
        known=done.known,
        nights=done.nights,
        memories=done.memories,
    )
    sys.stdout.write(summary + "\n")
    return 0


async def _replay_recording(
    recording: Sequence[Message], settings: Settings, options: Namespace
) -> ReplaySummary:
    clock = RecordedClock(recording[0].at)
    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, clock, identities_of(), offline=options.offline) as folder,
    ):
        agent = await folder.agents.get(options.agent)
        if options.law:
            await agent.choose_law(options.law)
        count = folder.models.tokens.count
        replayer = Replayer(agent, clock, count, verbose=options.verbose)
        return await replayer.replay(exchanges(recording), options.until)


class Replayer:
    """One agent living through a recording, turn by turn and night by night."""

    def __init__(
        self, agent: AgentMemory, clock: RecordedClock, count: CountTokens, *, verbose: bool
    ) -> None:
        self._agent = agent
        self._clock = clock
        self._count = count
        self._verbose = verbose
        self._summary = ReplaySummary()

    async def replay(self, recorded: Iterable[Exchange], until: datetime | None) -> ReplaySummary:
        """Live through it and on in silence ``until`` then; return what happened."""
        for exchange in recorded:
            await self._live_nights_until(exchange.at)
            if _is_known(exchange, self._agent.state):
                self._summary.known += 1
            else:
                await self._replay_exchange(exchange)
            self._summary.turns += 1
            if self._verbose:
                # Flushed at once: whoever kills a replay reads here how far it is durable.
                sys.stdout.write(f"{exchange.id}\n")
                sys.stdout.flush()
        await self._agent.background.wait_until_idle()
        if until is not None:
            await self._live_nights_until(until)
        memories = self._agent.state.memories.values()
        self._summary.memories = sum(memory.is_active for memory in memories)
        return self._summary

    async def _live_nights_until(self, at: datetime) -> None:
        """Live through the nights before ``at``, except those an earlier replay lived through."""
        settled = self._agent.state.agent_info.settled_at
        zone = ZoneInfo(self._agent.settings.time_zone)
        for night in nights_between(self._clock.now(), at, zone):
            self._clock.advance_to(night)
            if settled is None or settled < night:
                await self._agent.nightly()
                self._summary.nights += 1
        self._clock.advance_to(at)

    async def _replay_exchange(self, exchange: Exchange) -> None:
        """Let an exchange happen as it would have: recall, then commit, then the background."""
        agent = self._agent
        if exchange.reply is None:
            await agent.listen(CONVERSATION, exchange.said)
        else:
            # What would have been recalled then counts as used: that is what reinforces it.
            said = "\n".join(message.text for message in exchange.said)
            budget = agent.settings.injected_tokens
            shown = {message.id for message in agent.window(CONVERSATION)}
            hits = await agent.search(said, skip=shown) if said else []
            used = agent.memories_for_prompt(hits, budget_tokens=budget, count=self._count).used
            await agent.commit(
                Turn(
                    id=exchange.id,
                    conversation=CONVERSATION,
                    at=exchange.at,
                    said=exchange.said,
                    reply=exchange.reply,
                    used=used,
                )
            )
        await agent.background.wait_until_idle()


def exchanges(recording: Iterable[Message]) -> Iterator[Exchange]:
    """Yield what people said in a row and the answer to it, in the order of the recording."""
    said: list[Message] = []
    for message in recording:
        if message.role == "user":
            said.append(message)
        else:
            yield Exchange(tuple(said), message)
            said = []
    if said:
        yield Exchange(tuple(said), None)


def nights_between(start: datetime, end: datetime, zone: ZoneInfo) -> Iterator[datetime]:
    """Yield each 04:00 of that zone after ``start`` and up to ``end``."""
    day = start.astimezone(zone).date()
    while True:
        night = datetime.combine(day, time(NIGHT_HOUR), tzinfo=zone)
        if night > end:
            return
        if night > start:
            yield night
        day += timedelta(days=1)


def _is_known(exchange: Exchange, state: MemoryState) -> bool:
    """Whether the exchange is in memory already, from an earlier replay."""
    window = state.windows.get(CONVERSATION)
    spoken = {line.id for line in (*window.tail, *window.lines)} if window else set()
    return exchange.id in state.receipts or all(
        message.id in state.remembered_ids or message.id in spoken for message in exchange.messages
    )


def run_transfer(options: Namespace) -> int:
    """Write an export, or import one; what cannot be imported is refused and changes nothing."""
    settings = settings_for(options)
    if options.command == "export":
        return asyncio.run(_write_export(options, settings))
    data = _read_export_file(options.file)
    try:
        export = read_export(data)
    except InvalidExport as error:
        foreign = error.flaw is ExportFlaw.FOREIGN
        why = transfer.FOREIGN_IN_SHELL if foreign else error
        raise InputRefused(transfer.FILE_REFUSED, why=why) from error
    return asyncio.run(_preview_or_import(options, export, settings))


async def _write_export(options: Namespace, settings: Settings) -> int:
    async with open_storage(settings) as storage:
        state = await read_state(settings.data_dir, options.agent, disk=storage.disk)
    folder = options.out or settings.exports_dir
    now = SystemClock().now()
    files = {
        f"{options.agent}.json": export_bytes(state, options.agent, now),
        f"{options.agent}.md": as_markdown(state, options.agent, now).encode(),
    }
    for name, content in files.items():
        write_private_file(folder / name, content)
        _print_sentence(
            settings.language, transfer.WRITTEN, file=str(folder / name), bytes=len(content)
        )
    return 0


async def _preview_or_import(options: Namespace, export: Export, settings: Settings) -> int:
    clock = SystemClock()
    zone = settings.agent_defaults().zone
    if options.yes:
        plan, language = await _import(options.agent, export, settings, clock)
    else:
        state = await state_or_empty(settings, options.agent)
        own = export.agent == options.agent
        plan = plan_import(state, export.state, clock.now(), own=own)
        language = state.agent_info.settings.language
        # An agent that remembers nothing takes the settings of the export with the rest.
        lived = export.state if plan.whole and export.state.agent_infos else state
        zone = lived.agent_info.settings.zone
    counts = {"new": plan.new, "known": plan.known, "refused": plan.refused}
    _print_sentence(
        language, transfer.TAKEN_IN if options.yes else transfer.WOULD_TAKE_IN, **counts
    )
    if plan.whole:
        _print_sentence(language, transfer.WHOLE)
    if not options.yes:
        _print_items(language, plan, zone)
    if not options.yes:
        _print_sentence(language, transfer.SAY_YES)
    return 0


def _print_items(language: Language, plan: ImportPlan, zone: ZoneInfo) -> None:
    """Print what would come, item by item: since when, who said it, and what it says."""
    for _, line, found in named_items(plan):
        if line is not None:
            _print_sentence(language, line)
        for each in found[:MOST_SHOWN]:
            day = each.trace.created_at.astimezone(zone).date()
            text = brief(each.words.text, PREVIEW_LENGTH)
            text = say(language, desk.BEFORE, text=text) if each.is_past else text
            sys.stdout.write("  ".join(("", f"{day}", each.origin.speaker or "–", text)) + "\n")
        if len(found) > MOST_SHOWN:
            _print_sentence(language, desk_changes.AND_MORE, count=len(found) - MOST_SHOWN)
    if plan.names:
        _print_sentence(language, desk_changes.NAMES_TOO, names=first_names(plan.names))


async def state_or_empty(settings: Settings, agent_id: str) -> MemoryState:
    """Return what an agent knows; one that does not exist yet knows nothing."""
    try:
        async with open_storage(settings) as storage:
            return await read_state(settings.data_dir, agent_id, disk=storage.disk)
    except UnknownAgent:
        empty = AgentInfo(settings=settings.agent_defaults())
        return MemoryState().apply([Put(empty)])[0]


async def _import(
    agent_id: str, export: Export, settings: Settings, clock: Clock
) -> tuple[ImportPlan, Language]:
    done: list[ImportPlan] = []

    def plan(state: MemoryState, index: NetworkIndex) -> Sequence[Change]:
        del index
        own = export.agent == agent_id
        done[:] = [plan_import(state, export.state, clock.now(), own=own)]
        return done[0].changes

    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, clock, identities_of()) as folder,
    ):
        agent = await folder.agents.get(agent_id)
        before = agent.state
        if before.memories or before.diary:
            backups = Backups(
                settings.data_dir, agent_id, rule=settings.backup_rule, disk=storage.disk
            )
            await asyncio.to_thread(backups.write, before, clock.now(), "import")
            _print_sentence(agent.settings.language, bring.WAY_BACK, agent=agent_id)
        await agent.steer(plan)
        return done[0], agent.settings.language


def _read_export_file(file: Path) -> bytes:
    too_large = InputRefused(
        refusals.FILE_TOO_LARGE, file=file, limit=LARGEST_EXPORT // 1024 // 1024
    )
    return read_whole_file(file, LARGEST_EXPORT, refusals.NO_FILE_TO_IMPORT, too_large)


def _print_sentence(language: Language, sentence: Sentence, **values: str | int) -> None:
    sys.stdout.write(say(language, sentence, **values) + "\n")
