"""``xiaoxiang memory``: the commands of the desk in the shell, how they are read and carried out.

What is said behind ``/memory`` in a chat stands here by itself (``list``); a command of its own
keeps its slash (``/why``), for ``forget`` hides and ``/forget`` erases.

What only looks reads beside a running program and writes nothing. What steers is handed to the
running program through its hatch; where none runs, the shell owns the memory while it steers.
"""

import argparse
import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from bot.adapters.console.presenter import print_document, save_files
from bot.adapters.console.terminal import command_file, file_content
from bot.cli import instant
from bot.conversation.ledger import Ledger
from bot.conversation.media import DOCUMENT
from bot.conversation.messages import ParsedCommand
from bot.desk.caller import LARGEST_UPLOAD, AttachedFile, Caller, ShellRequest, file_from_bytes
from bot.desk.command import Argument, Spec
from bot.desk.control_socket import SocketRequest, ask_running_program
from bot.desk.desk import Desk
from bot.desk.documents import Document, Picture
from bot.desk.graph import to_png
from bot.desk.registry import SPECS, specs_of
from bot.desk.services import desk_services
from bot.models import open_models
from bot.settings import Settings, read_settings
from bot.texts import say
from memory.agent import AgentMemory
from memory.agents import Agents, read_state
from memory.clock import SystemClock
from memory.errors import InputRefused
from memory.laws.registry import Laws
from memory.ports import Clock

DEFAULT_LIST_LIMIT: Final = 50
"""So many memories the shell lists unless told otherwise; it has no pages to turn."""

OVERVIEW: Final = "memory"

_ALL_LAWS: Final = Laws()


def memory_parser(laws: Laws = _ALL_LAWS) -> argparse.ArgumentParser:
    """Return the parser of ``xiaoxiang memory``."""
    common = _common_options()
    top = argparse.ArgumentParser(
        prog="xiaoxiang memory",
        parents=[common],
        description="看、改、抹去她记得的；和聊天里的命令一样。"
        "See, change, erase what she knows: the same commands as in the chat.",
    )
    verbs = top.add_subparsers(dest="verb", metavar="COMMAND")
    for spec in specs_of(laws):
        if spec.path != OVERVIEW:
            line = f"{spec.help.zh} · {spec.help.en}"
            name = _verb_name(spec)
            verb = verbs.add_parser(
                name,
                aliases=[name.replace("_", "-")] if "_" in name else [],
                help=line,
                description=line,
                parents=[common],
            )
            verb.set_defaults(spec=spec)
            for argument in spec.arguments:
                _add_argument(verb, argument)
            for option in spec.options:
                _add_option(verb, option)
            verb.add_argument(
                "--ok", metavar="CODE", help="确认 · what was previewed: ok-1a2b3c4d"
            )
    return top


def chat_words(spec: Spec, options: argparse.Namespace) -> str:
    """Return what was given as the words a chat would have given."""
    return " ".join(_option_words(spec, options))


def _option_words(spec: Spec, options: argparse.Namespace) -> Iterator[str]:
    for argument in spec.arguments:
        value = getattr(options, argument.name)
        if isinstance(value, list):
            yield " ".join(value)
        elif value is not None:
            yield str(value)
    for option in spec.options:
        value = getattr(options, option.name.replace("-", "_"))
        if option.kind == "flag":
            yield f"--{option.name}" if value else ""
        elif value is not None:
            yield f"--{option.name} {value}"
    if options.ok:
        yield f"ok-{options.ok.removeprefix('ok-')}"


def _verb_name(spec: Spec) -> str:
    return spec.name if spec.parent else f"/{spec.name}"


def _common_options() -> argparse.ArgumentParser:
    """Return what every command takes; nothing given leaves what was given before it."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--agent", help="哪一个记忆 · which memory")
    common.add_argument(
        "--data", type=Path, metavar="DIR", help="数据目录 · data folder (DATA_DIR, else ./data)"
    )
    common.add_argument("--json", action="store_true", help="给程序看 · for programs")
    common.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="图存成 *.svg 或 *.png，文件放进目录 · picture, or folder of files",
    )
    common.add_argument(
        "--at", type=instant, metavar="TIME", help="当作那时来看 · as it looked then, or will"
    )
    return common


def _add_argument(verb: argparse.ArgumentParser, argument: Argument) -> None:
    shown = f"{argument.shown.zh} · {argument.shown.en}"
    one = "?" if not argument.required else None
    many = "+" if argument.required else "*"
    match argument.kind:
        case "memory":
            verb.add_argument(argument.name, type=memory_id, nargs=one, help=shown)
        case "memories":
            verb.add_argument(argument.name, type=memory_id, nargs=many, help=shown)
        case "number":
            verb.add_argument(argument.name, type=positive_number, nargs=one, help=shown)
        case "choice":
            verb.add_argument(argument.name, choices=list(argument.choices), nargs=one, help=shown)
        case _:
            verb.add_argument(argument.name, nargs=many, help=shown)


def _add_option(verb: argparse.ArgumentParser, option: Argument) -> None:
    name, shown = f"--{option.name}", f"{say('zh', option.shown)} · {say('en', option.shown)}"
    if option.kind == "flag":
        verb.add_argument(name, action="store_true")
    elif option.kind == "word":
        verb.add_argument(name, metavar=option.shown.en, help=shown)
    elif option.kind == "choice":
        verb.add_argument(name, choices=list(option.choices), help=shown)
    else:
        default = (
            DEFAULT_LIST_LIMIT if option.name == "limit" and verb.prog.endswith(" list") else None
        )
        verb.add_argument(name, type=positive_number, default=default, metavar="N", help=shown)


def memory_id(given: str) -> str:
    """Return an id as ``#42``; raises ArgumentTypeError."""
    digits = given.removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        raise argparse.ArgumentTypeError(f"{given!r}: a memory is named like #42")
    return f"#{int(digits)}"


def positive_number(given: str) -> int:
    """Return a number from 1; raises ArgumentTypeError."""
    if not (given.isascii() and given.isdigit() and int(given) >= 1):
        raise argparse.ArgumentTypeError(f"{given!r}: a number from 1 is wanted")
    return int(given)


def parse_memory_command(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what was given; ends the program with status 2 for what cannot be read."""
    parser = memory_parser()
    options = parser.parse_args(arguments)
    if not hasattr(options, "agent"):
        parser.error("the following arguments are required: --agent")
    overview = next(spec for spec in SPECS if spec.path == OVERVIEW)
    defaults = {"spec": overview, "data": None, "json": False, "out": None, "at": None, "ok": None}
    for name, value in defaults.items():
        if not hasattr(options, name):
            setattr(options, name, value)
    return options


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
    spec: Spec = given.spec
    command = ParsedCommand(spec.parent or spec.name, chat_words(spec, given))
    if spec.parent:
        command = ParsedCommand(spec.parent, f"{spec.name} {command.words}")
    attached = _read_named_file(command)
    order = ShellRequest(command=command, agent_id=given.agent, caller=Caller(file=attached))
    state = await read_state(settings.data_dir, given.agent)
    if spec.only_looks:
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
