"""``xiaoxiang export`` and ``import``: write all of one agent to files, and read it back."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from bot.adapters import identities_of
from bot.adapters.console.presenter import write_private_file
from bot.cli import settings_for
from bot.data_folder import open_data_folder
from bot.desk.memory_export import as_markdown
from bot.settings import Settings
from bot.texts import Sentence, say, transfer
from memory.agents import read_state
from memory.changes import AgentInfo, Change, Put
from memory.clock import SystemClock
from memory.errors import InputRefused, UnknownAgent
from memory.merging.state_import import ImportPlan, plan_import
from memory.model import Language
from memory.network.index import NetworkIndex
from memory.ports import Clock
from memory.state import MemoryState
from memory.stores.exports import LARGEST_EXPORT, Export, export_bytes, read_export


def run_transfer(options: Namespace) -> int:
    """Write an export, or import one; what cannot be imported is refused and changes nothing."""
    settings = settings_for(options)
    if options.command == "export":
        return asyncio.run(_write_export(options, settings.data_dir, settings.language))
    data = _read_export_file(options.file)
    export = read_export(data)
    return asyncio.run(_preview_or_import(options, export, settings))


async def _write_export(options: Namespace, data: Path, language: Language) -> int:
    state = await read_state(data, options.agent)
    now = SystemClock().now()
    files = {
        f"{options.agent}.json": export_bytes(state, options.agent, now),
        f"{options.agent}.md": as_markdown(state, options.agent, now).encode(),
    }
    for name, content in files.items():
        write_private_file(options.out / name, content)
        _print_sentence(
            language, transfer.WRITTEN, file=str(options.out / name), bytes=len(content)
        )
    return 0


async def _preview_or_import(options: Namespace, export: Export, settings: Settings) -> int:
    clock = SystemClock()
    if options.yes:
        plan, language = await _import(options.agent, export, settings, clock)
    else:
        state = await _state_or_empty(settings, options.agent)
        own = export.agent == options.agent
        plan = plan_import(state, export.state, clock.now(), own=own)
        language = state.agent_info.settings.language
    counts = {"new": plan.new, "known": plan.known, "refused": plan.refused}
    _print_sentence(
        language, transfer.TAKEN_IN if options.yes else transfer.WOULD_TAKE_IN, **counts
    )
    if plan.whole:
        _print_sentence(language, transfer.WHOLE)
    if not options.yes:
        _print_sentence(language, transfer.SAY_YES)
    return 0


async def _state_or_empty(settings: Settings, agent_id: str) -> MemoryState:
    """Return what an agent knows; one that does not exist yet knows nothing."""
    try:
        return await read_state(settings.data_dir, agent_id)
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

    async with open_data_folder(settings, clock, identities_of()) as folder:
        agent = await folder.agents.get(agent_id)
        await agent.steer(plan)
        return done[0], agent.settings.language


def _read_export_file(file: Path) -> bytes:
    try:
        # A pipe has no size and may have no end, and so has many a device.
        if file.exists() and not file.is_file():
            raise InputRefused(f"{file} is no file: folders, pipes and devices are not imported")
        if file.stat().st_size > LARGEST_EXPORT:
            raise InputRefused(f"{file} is larger than {LARGEST_EXPORT // 1024 // 1024} MB")
        return file.read_bytes()
    except OSError as error:
        raise InputRefused(f"cannot read {file}: {error.strerror}") from error


def _print_sentence(language: Language, sentence: Sentence, **values: str | int) -> None:
    sys.stdout.write(say(language, sentence, **values) + "\n")
