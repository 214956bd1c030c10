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

from bot.adapters.console.files import content_of, given_with
from bot.adapters.console.render import print_document
from bot.adapters.console.saving import saved
from bot.cli.memory_parser import parsed, words_of
from bot.conversation.commands import Command
from bot.conversation.ledger import Ledger
from bot.conversation.perceiving import DOCUMENT
from bot.desk.asking import Asking, Attached, handed
from bot.desk.desk import Desk
from bot.desk.documents import Document, Picture
from bot.desk.graph import to_png
from bot.desk.hatch.client import asked
from bot.desk.hatch.server import Question
from bot.desk.premises import premises_of
from bot.desk.shell import ShellOrder
from bot.desk.transfer.bring import LARGEST
from bot.models import models_of
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


def run_look(options: Namespace) -> int:
    """Carry out one command of the desk; what cannot be done is refused by name."""
    given = parsed(options.words)
    folder, picture = _places(given.out)
    document = asyncio.run(_carried_out(given))
    if picture:
        _written(document, picture)
    else:
        print_document(saved(document, folder), as_json=given.json)
    return 0


def _places(out: Path | None) -> tuple[Path, Path | None]:
    """Return the folder for files, and the file for a picture if one was named."""
    if out is None or out.is_dir():
        return out or Path(), None
    if out.suffix not in {".svg", ".png"}:
        raise InputRefused(f"{out}: name a file that ends in .svg or .png, or a folder")
    return Path(), out


async def _carried_out(given: Namespace) -> Document:
    overrides = {"data_dir": given.data} if given.data else {}
    settings = read_settings(**overrides)
    clock: Clock = FixedClock(given.at) if given.at else SystemClock()
    spec = given.spec
    command = Command(spec.parent or spec.name, words_of(spec, given))
    if spec.parent:
        command = Command(spec.parent, f"{spec.name} {command.words}")
    attached = _file(command)
    order = ShellOrder(command=command, agent_id=given.agent, asking=Asking(file=attached))
    state = await read_state(settings.data_dir, given.agent)
    if spec.looks:
        return await Desk(_nobody, clock).carry_out(order, state, None)
    if given.at:
        raise InputRefused("--at is for looking: what is changed is changed now")
    question = Question(
        agent_id=given.agent,
        name=command.name,
        words=command.words,
        file_name=attached.name if attached else "",
        file=await attached.read() if attached else None,
    )
    answered = await asked(settings.data_dir, question)
    if answered is not None:
        return answered
    async with owning(settings, clock) as (desk, agents):
        agent = await agents.get(given.agent)
        return await desk.carry_out(order, agent.state, agent)


def _file(command: Command) -> Attached | None:
    """Return the file a command names by its path; raises InputRefused if it cannot be read."""
    named = given_with(command)
    if not named:
        return None
    path = Path(str(named[DOCUMENT]))
    content = content_of(path)
    if content is None:
        raise InputRefused(f"cannot read {path}, or it is larger than {LARGEST // 1024**2} MB")
    return handed(path.name, content)


@asynccontextmanager
async def owning(settings: Settings, clock: Clock) -> AsyncIterator[tuple[Desk, Agents]]:
    """Open the data folder to change something in it; raises :class:`StoreLocked`."""
    ledger = await Ledger.open(settings.data_dir)
    models = await models_of(settings, ledger.spending, clock)
    agents = Agents(
        settings.data_dir,
        clock=clock,
        model=models.background,
        defaults=settings.agent_defaults(),
        keys=settings.memory_keys(),
        embedder=models.embedder,
    )
    try:
        yield Desk(agents.get, clock, premises_of(ledger, settings)), agents
    finally:
        await agents.close()
        await models.close()
        await ledger.close()


async def _nobody(agent_id: str) -> AgentMemory:
    raise InputRefused(f"{agent_id} is only looked at")


def _written(document: Document, out: Path) -> None:
    """Write the picture of a document to a file, as its ending says."""
    pictures = [block for block in document.blocks if isinstance(block, Picture)]
    if not pictures:
        raise InputRefused("this command draws nothing: --out is for graph and curve")
    svg = pictures[0].svg
    try:
        out.write_bytes(to_png(svg) if out.suffix == ".png" else svg.encode())
    except OSError as error:
        raise InputRefused(f"cannot write {out}: {error.strerror}") from error
