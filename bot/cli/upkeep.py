"""``xiaoxiang doctor``, ``repair`` and ``key``: what keeps an installation sound.

The doctor checks what is set up and says what to do about what is not. ``repair`` looks into
damaged files and brings back what proves itself; nothing is changed without ``--yes``.
"""

import asyncio
import platform
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from bot.adapters import PLATFORMS, identities_of
from bot.adapters.platform import Finding, Platform, how_to_install, missing_library
from bot.cli import explained, program_version, settings_for
from bot.cli.checks import copies_findings, folder_findings, model_findings, setting_findings
from bot.cli.setup import env_findings
from bot.conversation.ledger.ledger import FILE_NAME
from bot.conversation.ledger.salvage import inspect_ledger, rebuild_ledger
from bot.data_folder import Storage, open_data_folder, open_storage, opened_keys
from bot.desk.graph.svg import shows_letters
from bot.identity import PlatformId
from bot.settings import Settings, home
from bot.texts import Sentence, say, setup
from bot.texts import shell as texts
from memory.agents import Agents, agent_ids, folder_of
from memory.changes import Change
from memory.erasing.scope import every_message
from memory.errors import InputRefused, StoreError
from memory.merging.state_import import ImportPlan, plan_import
from memory.model import Message
from memory.network.index import NetworkIndex
from memory.ports import SystemClock
from memory.privacy.vault import Keys, count_shut
from memory.rotation import RotationResult, rotate
from memory.state import MemoryState
from memory.stores.codec import SCHEMA
from memory.stores.disk import FolderLock, disk_errors, own_as_folder
from memory.stores.file_store import (
    begin_anew,
    is_readable,
    mark_seen,
    salvaged_state,
    set_aside_files,
)
from memory.stores.recovery import StoreDamage, read_agent_state, restore
from memory.stores.shapes import BadDocument


def run_doctor(options: Namespace, platforms: Collection[Platform] = PLATFORMS) -> int:
    """Check everything that is set up; exit status 1 if something needs attention."""
    settings = settings_for(options, platforms)
    findings = [
        _version_finding(settings),
        *_folder_findings(settings),
        *env_findings(settings, platforms),
        *setting_findings(settings, platforms),
        *_font_findings(settings),
        *asyncio.run(_storage_findings(settings)),
        _key_finding(settings),
        *asyncio.run(model_findings(settings)),
        *platform_findings(settings, platforms),
    ]
    console = Console(highlight=False)
    for finding in findings:
        mark = Text("✓ ", style="green") if finding.good else Text("✗ ", style="red")
        console.print(mark + Text(finding.text), soft_wrap=True)
    return 0 if all(finding.good for finding in findings) else 1


def platform_findings(settings: Settings, platforms: Collection[Platform]) -> Iterator[Finding]:
    """Check each platform that can be checked, with the people who own the program there."""
    identities = identities_of(platforms)
    owners = frozenset[PlatformId]()
    for key in ("owner_ids", "allowed_ids"):
        try:
            identities.parsed_ids(getattr(settings, key))
        except InputRefused as error:
            text = say(settings.language, setup.BAD_IDS, key=key.upper(), why=error)
            yield Finding(good=False, text=text)
        else:
            if key == "owner_ids":
                owners = identities.owners(settings.owner_ids, settings.data_dir)
    for each in platforms:
        missing = each.missing_library()
        if missing:
            used = settings.section(each.settings).is_configured
            yield Finding(good=not used, text=missing.in_language(settings.language))
        elif each.check is not None:
            yield from each.check(
                settings, [owner.id for owner in owners if owner.platform == each.name]
            )


def _folder_findings(settings: Settings) -> Iterator[Finding]:
    """Check that the data folder can be written, or made."""
    # The folder need not exist yet: then what counts is whether it could be made.
    bad = list(folder_findings(settings, "data_dir"))
    text = say(settings.language, texts.FOLDER_GOOD, folder=str(settings.data_dir.absolute()))
    yield from bad or [Finding(good=True, text=text)]


def _version_finding(settings: Settings) -> Finding:
    """Say which version this is, of which schema its data, and where the settings are."""
    file = home().env_file
    text = say(
        settings.language,
        setup.VERSION if file.is_file() else setup.VERSION_UNSET,
        version=program_version(),
        schema=SCHEMA,
        python=platform.python_version(),
        file=str(file.absolute()),
    )
    return Finding(good=True, text=text)


def _font_findings(settings: Settings) -> Iterator[Finding]:
    """Check that pictures can show Chinese letters, by looking for ink where one stands."""
    draws = not missing_library("resvg_py", "pictures")
    if draws and settings.language == "zh" and not shows_letters("字"):
        command = how_to_install("fonts")
        yield Finding(good=True, text=say(settings.language, setup.FONT_MISSING, command=command))


async def _storage_findings(settings: Settings) -> list[Finding]:
    """Check that the database answers, if there is one, and every agent's files can be read."""
    try:
        async with open_storage(settings) as storage:
            found = await asyncio.to_thread(lambda: [*_file_findings(storage)])
    except (StoreError, InputRefused) as error:
        served = settings.database_url.get_secret_value()
        sentence = texts.DATABASE_BAD if served else texts.DATA_BAD
        return [Finding(good=False, text=say(settings.language, sentence, why=error))]
    if storage.database is not None:
        found.insert(0, Finding(good=True, text=say(settings.language, texts.DATABASE_GOOD)))
    return found


def _file_findings(storage: Storage) -> Iterator[Finding]:
    names = agent_ids(storage.settings.data_dir, storage.disk)
    if storage.database is None:
        yield from _ledger_findings(storage.settings, talked=bool(names))
    yield from copies_findings(storage.settings, storage.disk)
    for name in names:
        yield from _agent_findings(storage, folder_of(storage.settings.data_dir, name))


def _ledger_findings(settings: Settings, *, talked: bool) -> Iterator[Finding]:
    """Say what is wrong with the ledger; there is none as long as nobody talked with her."""
    path = settings.data_dir / FILE_NAME
    if not path.is_file():
        wrong = texts.LEDGER_GONE if talked else None
    else:
        with disk_errors(path):
            # Twice: a program that writes to it meanwhile is no damage.
            usable = inspect_ledger(path)[1] or inspect_ledger(path)[1]
        wrong = None if usable else texts.LEDGER_BAD
    if wrong is not None:
        yield Finding(good=False, text=say(settings.language, wrong, file=str(path)))


def _agent_findings(storage: Storage, folder: Path) -> Iterator[Finding]:
    settings = storage.settings
    try:
        state = read_agent_state(folder, disk=storage.disk)
    except StoreError as error:
        text = say(settings.language, texts.AGENT_BAD, agent=folder.name, why=error)
        yield Finding(good=False, text=text)
        return
    damaged = restore(folder, storage.disk).damage or set_aside_files(folder, storage.disk)
    sentence = texts.AGENT_DAMAGED if damaged else texts.AGENT_GOOD
    text = say(settings.language, sentence, agent=folder.name, count=len(state.memories))
    yield Finding(good=not damaged, text=text)
    # A key that cannot be used at all has a line of its own.
    with suppress(InputRefused):
        if shut := count_shut(state.memories.values(), opened_keys(settings)):
            text = say(settings.language, texts.STAYS_SHUT, agent=folder.name, count=shut)
            yield Finding(good=False, text=text)


def _key_finding(settings: Settings) -> Finding:
    """Check the key that seals secrets; none is no fault."""
    file = str(settings.memory_key_file)
    try:
        keys = opened_keys(settings)
    except InputRefused as error:
        return Finding(good=False, text=say(settings.language, texts.KEY_BAD, why=error))
    if keys is None:
        return Finding(good=True, text=say(settings.language, texts.NO_KEY))
    sentence = texts.KEY_GOOD if len(keys) else texts.KEY_AWAY
    return Finding(good=len(keys) > 0, text=say(settings.language, sentence, file=file))


def run_repair(options: Namespace) -> int:
    """Say what is damaged and what can be brought back; with ``--yes`` bring it back."""
    return asyncio.run(_repair(settings_for(options), carry_out=options.yes))


async def _repair(settings: Settings, *, carry_out: bool) -> int:
    async with open_storage(settings) as storage:
        return await _Repair(storage, carry_out=carry_out).run()


class _Repair:
    def __init__(self, storage: Storage, *, carry_out: bool) -> None:
        self._storage = storage
        self._settings = storage.settings
        self._data: Final = storage.settings.data_dir
        self._disk: Final = storage.disk
        self._carry_out = carry_out
        self._found = False
        self._left = False

    async def run(self) -> int:
        """Look at the ledger and every agent; the exit status is 1 if something is left to do."""
        # Nobody may write to what is being looked at: the program that talks must be stopped.
        lock = await asyncio.to_thread(FolderLock.take, self._data, self._disk)
        try:
            # What is wrong in a database, PostgreSQL says and mends itself.
            if self._storage.database is None:
                self._repair_ledger()
            for agent_id in agent_ids(self._data, self._disk):
                await self._try_agent(agent_id)
        finally:
            await asyncio.to_thread(lock.release)
        waits = self._found and not self._carry_out
        if waits:
            self._say(texts.SAY_YES)
        elif not self._found and not self._left:
            self._say(texts.ALL_WELL)
        return 1 if waits or self._left else 0

    def _repair_ledger(self) -> None:
        path = self._data / FILE_NAME
        if not path.is_file():
            if agent_ids(self._data, self._disk):
                self._say(texts.LEDGER_GONE, file=path.name)
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

    async def _try_agent(self, agent_id: str) -> None:
        """Repair an agent; one that cannot be repaired holds up no other."""
        try:
            await self._repair_agent(agent_id)
        except (StoreError, BadDocument) as error:
            why = explained(error, self._settings.language)
            self._left = True
            self._say(texts.AGENT_BAD, agent=agent_id, why=why)

    async def _repair_agent(self, agent_id: str) -> None:
        folder, disk = folder_of(self._data, agent_id), self._disk
        readable = await asyncio.to_thread(is_readable, folder, disk)
        restored = await asyncio.to_thread(restore, folder, disk) if readable else None
        damage = restored.damage if restored else StoreDamage()
        aside = await asyncio.to_thread(set_aside_files, folder, disk)
        if readable and not damage and not aside:
            return
        self._report_damage(agent_id, damage)
        salvaged = await asyncio.to_thread(salvaged_state, folder, disk)
        if not self._carry_out:
            present = restored.state if restored else MemoryState()
            plan = plan_import(present, salvaged, SystemClock().now())
            lost = _unknown_messages(present, salvaged)
            self._report_salvage(agent_id, len(plan.coming), len(lost), readable=readable)
            return
        if not readable:
            with disk_errors(folder):
                await asyncio.to_thread(begin_anew, folder, disk)
        async with self._opened() as agents:
            plan, lost = await _bring_back(agents, agent_id, salvaged)
        await asyncio.to_thread(
            lambda: mark_seen(folder, set_aside_files(folder, disk), disk),
        )
        self._report_salvage(agent_id, len(plan.coming), len(lost), readable=readable)

    def _report_salvage(
        self, agent_id: str, memories: int, messages: int, *, readable: bool
    ) -> None:
        """Say what comes back, or came back; and where that is nothing, whether any is missing."""
        if memories or messages:
            if not readable:
                self._note(texts.AGENT_UNREADABLE, agent=agent_id)
            sentence = texts.BROUGHT if self._carry_out else texts.WOULD_BRING
        elif readable:
            sentence = texts.SEEN if self._carry_out else texts.NOTHING_MISSING
        else:
            sentence = texts.BEGUN_ANEW if self._carry_out else texts.NOTHING_LEFT
        self._note(sentence, agent=agent_id, memories=memories, messages=messages)

    def _report_damage(self, agent_id: str, damage: StoreDamage) -> None:
        if damage.journal_missing:
            self._note(texts.JOURNAL_MISSING, agent=agent_id)
        if damage.lost:
            self._note(texts.RECORDS_LOST, agent=agent_id, count=damage.lost)
        if damage.healed:
            self._note(texts.RECORDS_HEALED, agent=agent_id, count=damage.healed)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Agents]:
        async with open_data_folder(
            self._storage, SystemClock(), identities_of(), offline=True
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
    agent.background.enqueue(lost, explicit=False)
    await agent.background.wait_until_idle()
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


def run_key(options: Namespace) -> int:
    """Make a key file, or seal everything anew with a new key; status 1 if some stays shut."""
    settings = settings_for(options)
    if options.action == "new":
        return _make_key(settings, options.file)
    return _rotate_key(settings)


def _make_key(settings: Settings, path: Path) -> int:
    Keys.create(path, data=settings.data_dir)
    own_as_folder(path)
    _print_line(say(settings.language, texts.KEY_MADE, file=str(path.absolute())))
    return 0


def _rotate_key(settings: Settings) -> int:
    keys = opened_keys(settings)
    if keys is None or settings.memory_key_file is None:
        raise InputRefused(texts.NO_KEY)
    if len(keys) == 0:
        raise InputRefused(texts.KEY_AWAY, file=settings.memory_key_file)
    done = asyncio.run(_rotate_on(settings, settings.memory_key_file))
    own_as_folder(settings.memory_key_file)
    sentence = texts.SOME_SHUT if done.unopened else texts.ROTATED
    _print_line(say(settings.language, sentence, sealed=done.sealed, shut=done.unopened))
    return 1 if done.unopened else 0


async def _rotate_on(settings: Settings, key_file: Path) -> RotationResult:
    async with open_storage(settings) as storage:
        return await rotate(settings.data_dir, key_file, storage.disk)


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
