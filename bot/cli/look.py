"""``xiaoxiang memory …``: the desk in the shell.

What only looks reads beside a running program and writes nothing. What steers is handed to the
running program through its hatch; where none runs, the shell owns the memory while it steers.
"""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.adapters.console.files import command_file, file_content
from bot.adapters.console.render import print_document
from bot.adapters.console.saving import save_files
from bot.cli.memory_parser import chat_words, parse_memory_command
from bot.conversation.commands import ParsedCommand
from bot.conversation.ledger import Ledger
from bot.conversation.perceiving import DOCUMENT
from bot.desk.asking import AttachedFile, Caller, file_from_bytes
from bot.desk.desk import Desk
from bot.desk.documents import Document, Picture
from bot.desk.graph import to_png
from bot.desk.hatch.client import ask_running_program
from bot.desk.hatch.server import SocketRequest
from bot.desk.premises import desk_services
from bot.desk.shell import ShellRequest
from bot.desk.transfer.bring import LARGEST_UPLOAD
from bot.models import open_models
from bot.settings import Settings, read_settings
from memory.agent import AgentMemory
from memory.agents import Agents, read_state
from memory.clock import SystemClock
from memory.errors import InputRefused
from memory.ports import Clock


@dataclass(frozen=True, slots=True)
class FixedClock:
    """Stands at one instant."""

    at: datetime

    def now(self) -> datetime:
        """Return that instant."""
        return self.at


def run_memory(options: Namespace) -> int:
    """Carry out one command of the desk; what cannot be done is refused by name."""
    given = parse_memory_command(options.words)
    folder, picture = _output_paths(given.out)
    document = asyncio.run(_carry_out(given))
    if picture:
        _write_picture(document, picture)
    else:
        print_document(save_files(document, folder), as_json=given.json)
    return 0


def _output_paths(out: Path | None) -> tuple[Path, Path | None]:
    """Return the folder for files, and the file for a picture if one was named."""
    if out is None or out.is_dir():
        return out or Path(), None
    if out.suffix not in {".svg", ".png"}:
        raise InputRefused(f"{out}: name a file that ends in .svg or .png, or a folder")
    return Path(), out


async def _carry_out(given: Namespace) -> Document:
    overrides = {"data_dir": given.data} if given.data else {}
    settings = read_settings(**overrides)
    clock: Clock = FixedClock(given.at) if given.at else SystemClock()
    spec = given.spec
    command = ParsedCommand(spec.parent or spec.name, chat_words(spec, given))
    if spec.parent:
        command = ParsedCommand(spec.parent, f"{spec.name} {command.words}")
    attached = _read_named_file(command)
    order = ShellRequest(command=command, agent_id=given.agent, caller=Caller(file=attached))
    state = await read_state(settings.data_dir, given.agent)
    if spec.looks:
        return await Desk(_refuse_agent, clock).carry_out(order, state, None)
    if given.at:
        raise InputRefused("--at is for looking: what is changed is changed now")
    question = SocketRequest(
        agent_id=given.agent,
        name=command.name,
        words=command.words,
        file_name=attached.name if attached else "",
        file=await attached.read() if attached else None,
    )
    answered = await ask_running_program(settings.data_dir, question)
    if answered is not None:
        return answered
    async with open_data_folder(settings, clock) as (desk, agents):
        agent = await agents.get(given.agent)
        return await desk.carry_out(order, agent.state, agent)


def _read_named_file(command: ParsedCommand) -> AttachedFile | None:
    """Return the file a command names by its path; raises InputRefused if it cannot be read."""
    named = command_file(command)
    if not named:
        return None
    path = Path(str(named[DOCUMENT]))
    content = file_content(path)
    if content is None:
        raise InputRefused(
            f"cannot read {path}, or it is larger than {LARGEST_UPLOAD // 1024**2} MB"
        )
    return file_from_bytes(path.name, content)


@asynccontextmanager
async def open_data_folder(settings: Settings, clock: Clock) -> AsyncIterator[tuple[Desk, Agents]]:
    """Open the data folder to change something in it; raises :class:`StoreLocked`."""
    ledger = await Ledger.open(settings.data_dir)
    models = await open_models(settings, ledger.spending, clock)
    agents = Agents(
        settings.data_dir,
        clock=clock,
        model=models.background,
        defaults=settings.agent_defaults(),
        keys=settings.memory_keys(),
        embedder=models.embedder,
    )
    try:
        yield Desk(agents.get, clock, desk_services(ledger, settings)), agents
    finally:
        await agents.close()
        await models.close()
        await ledger.close()


async def _refuse_agent(agent_id: str) -> AgentMemory:
    raise InputRefused(f"{agent_id} is only looked at")


def _write_picture(document: Document, out: Path) -> None:
    """Write the picture of a document to a file, as its ending says."""
    pictures = [block for block in document.blocks if isinstance(block, Picture)]
    if not pictures:
        raise InputRefused("this command draws nothing: --out is for graph and curve")
    svg = pictures[0].svg
    try:
        out.write_bytes(to_png(svg) if out.suffix == ".png" else svg.encode())
    except OSError as error:
        raise InputRefused(f"cannot write {out}: {error.strerror}") from error
