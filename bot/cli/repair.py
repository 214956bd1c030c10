"""``xiaoxiang repair``: look into damaged files, and bring back what proves itself.

Nothing is changed without ``--yes``.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from bot.adapters import identities_of
from bot.cli import settings_for
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.salvage import inspect_ledger, rebuild_ledger
from bot.data_folder import open_data_folder
from bot.settings import Settings
from bot.texts import Sentence, say
from bot.texts import repair as texts
from memory.agents import Agents, agent_ids, folder_of
from memory.changes import Change
from memory.clock import SystemClock
from memory.erasing.scope import every_message
from memory.merging.state_import import ImportPlan, plan_import
from memory.model import Message
from memory.network.index import NetworkIndex
from memory.state import MemoryState
from memory.stores.disk import REAL_DISK, FolderLock, disk_errors
from memory.stores.recovery import StoreDamage, restore
from memory.stores.salvage import (
    begin_anew,
    is_readable,
    mark_seen,
    salvaged_state,
    set_aside_files,
)


def run_repair(options: Namespace) -> int:
    """Say what is damaged and what can be brought back; with ``--yes`` bring it back."""
    return asyncio.run(_Repair(settings_for(options), carry_out=options.yes).run())


class _Repair:
    def __init__(self, settings: Settings, *, carry_out: bool) -> None:
        self._settings = settings
        self._data: Final = settings.data_dir
        self._carry_out = carry_out
        self._found = False

    async def run(self) -> int:
        """Look at the ledger and every agent; the exit status is 1 if something is left to do."""
        # Nobody may write to what is being looked at: the program that talks must be stopped.
        lock = FolderLock.take(self._data)
        try:
            self._repair_ledger()
            for agent_id in agent_ids(self._data):
                await self._repair_agent(agent_id)
        finally:
            lock.release()
        if not self._found:
            self._say(texts.ALL_WELL)
        elif not self._carry_out:
            self._say(texts.SAY_YES)
        return 1 if self._found and not self._carry_out else 0

    def _repair_ledger(self) -> None:
        path = self._data / FILE_NAME
        if not path.is_file():
            return
        with disk_errors(path):
            damage, usable = inspect_ledger(path)
            if damage.healed:
                self._note(texts.LEDGER_HEALED, count=damage.healed)
            if damage.changed and usable:
                self._note(texts.LEDGER_CHANGED, count=damage.changed)
            if usable:
                return
            self._note(texts.LEDGER_BROKEN)
            if self._carry_out:
                rows, kept = rebuild_ledger(path)
                self._say(texts.LEDGER_REBUILT, rows=rows, file=kept)

    async def _repair_agent(self, agent_id: str) -> None:
        folder = folder_of(self._data, agent_id)
        readable = await asyncio.to_thread(is_readable, folder)
        damage = restore(folder, REAL_DISK).damage if readable else StoreDamage()
        aside = set_aside_files(folder)
        if readable and not damage and not aside:
            return
        self._report_damage(agent_id, damage, readable=readable)
        salvaged = await asyncio.to_thread(salvaged_state, folder)
        if not self._carry_out:
            present = restore(folder, REAL_DISK).state if readable else MemoryState()
            plan = plan_import(present, salvaged, SystemClock().now())
            lost = _unknown_messages(present, salvaged)
            self._note(texts.WOULD_BRING, agent=agent_id, memories=plan.new, messages=len(lost))
            return
        if not readable:
            with disk_errors(folder):
                begin_anew(folder)
        async with self._opened() as agents:
            plan, lost = await _bring_back(agents, agent_id, salvaged)
        mark_seen(folder, set_aside_files(folder))
        self._note(texts.BROUGHT, agent=agent_id, memories=plan.new, messages=len(lost))

    def _report_damage(self, agent_id: str, damage: StoreDamage, *, readable: bool) -> None:
        if not readable:
            self._note(texts.AGENT_UNREADABLE, agent=agent_id)
        if damage.journal_missing:
            self._note(texts.JOURNAL_MISSING, agent=agent_id)
        if damage.lost:
            self._note(texts.RECORDS_LOST, agent=agent_id, count=damage.lost)
        if damage.healed:
            self._note(texts.RECORDS_HEALED, agent=agent_id, count=damage.healed)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Agents]:
        async with open_data_folder(
            self._settings, SystemClock(), identities_of(), offline=True
        ) as folder:
            yield folder.agents

    def _note(self, sentence: Sentence, **values: str | int) -> None:
        self._found = True
        self._say(sentence, **values)

    def _say(self, sentence: Sentence, **values: str | int) -> None:
        sys.stdout.write(say(self._settings.language, sentence, **values) + "\n")


async def _bring_back(
    agents: Agents, agent_id: str, salvaged: MemoryState
) -> tuple[ImportPlan, list[Message]]:
    """Bring the memories back that are not known, and what was said and is not remembered yet."""
    done: list[ImportPlan] = []

    def plan(state: MemoryState, index: NetworkIndex) -> Sequence[Change]:
        del index
        done[:] = [plan_import(state, salvaged, SystemClock().now())]
        return done[0].changes

    agent = await agents.get(agent_id)
    # Opening heals, so what is lost is known only now.
    await agent.steer(plan)
    lost = _unknown_messages(agent.state, salvaged)
    agent.worker.enqueue(lost, explicit=False)
    await agent.worker.wait_until_idle()
    return done[0], lost


def _unknown_messages(state: MemoryState, salvaged: MemoryState) -> list[Message]:
    """Return what was said according to the files that were set aside, and nothing else knows."""
    known = {message.id for message in every_message(state)} | set(state.remembered_ids)
    for memory in (*state.memories.values(), *salvaged.memories.values()):
        known.update(memory.source_ids)
    found = {message.id: message for message in every_message(salvaged)}
    return [
        message
        for message in sorted(found.values(), key=lambda each: (each.at, each.id))
        if message.id not in known and not state.is_erased(message.id)
    ]
