"""``xiaoxiang memory`` and ``xiaoxiang page``: the desk in the shell, and in a browser.

What is said behind ``/memory`` in a chat stands here by itself (``list``, ``列表``); a command of
its own keeps its slash (``/why``), for ``forget`` hides and ``/forget`` erases. The words are read
by the desk's own parser, so that everything a chat understands is understood here.

What only looks reads beside a running program and writes nothing. What steers is handed to the
running program over its control socket; where none runs, the shell owns the memory meanwhile, as
the page of the terminal's own agent does until Ctrl-C.
"""

import argparse
import asyncio
import re
import signal
import socket
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from bot.adapters import identities_of
from bot.adapters.console.presenter import print_document, save_files
from bot.adapters.console.terminal import command_file, file_content
from bot.adapters.platform import missing_library
from bot.cli import ShellParser, instant, settings_for
from bot.conversation.media import DOCUMENT
from bot.conversation.messages import ParsedCommand
from bot.data_folder import Storage, open_data_folder, open_storage
from bot.desk.caller import (
    LARGEST_UPLOAD,
    AttachedFile,
    Caller,
    CommandRequest,
    file_from_bytes,
    pause_nothing,
)
from bot.desk.command import Spec
from bot.desk.control_socket import SocketRequest, ask_running_program
from bot.desk.desk import Desk, resolved
from bot.desk.documents import Document, Picture
from bot.desk.graph import to_png
from bot.desk.page import PageDoor, Visitor
from bot.desk.parser import code_token, parse_arguments, shell_command
from bot.desk.registry import SPECS, specs_of
from bot.desk.services import desk_services
from bot.identity import checked_agent_id
from bot.page import PageProgram, serve_page
from bot.sections import checked_bind_address, fault
from bot.settings import Settings, written_language
from bot.tasks import Supervisor
from bot.texts import page, refusals, say
from bot.web import WebServer, host_and_port, is_loopback
from memory.agent import AgentMemory
from memory.agents import read_state
from memory.errors import InputRefused, StoreLocked
from memory.laws.registry import Laws
from memory.ports import Clock, SystemClock
from memory.refusals import said_by_system

DEFAULT_LIST_LIMIT: Final = 50
"""How many memories the shell lists unless told otherwise; it has no button to turn a page."""

OVERVIEW: Final = "memory"

_ALL_LAWS: Final = Laws()

_GRACE_SECONDS: Final = 4.0
"""How long what a page still does may take once it is told to stop."""

SHOWN_WHEN_BARE: Final = frozenset(
    {"memory law", "memory settings", "memory mode", "memory diary", "memory notice", "reminders"}
)
"""Commands that only show, unless something more is said."""

FLAGS: Final = frozenset({"-h", "--help", "--json"})
VALUED: Final = frozenset({"--agent", "--data", "--out", "--at", "--ok"})
"""The options of the shell itself. Whatever else is given belongs to the desk."""


def memory_parser(spec: Spec | None = None) -> ArgumentParser:
    """Return the parser of the shell's own options; its help is about all commands, or one."""
    parser = ShellParser(
        prog="xiaoxiang memory",
        usage="%(prog)s [COMMAND …] --agent ID [--data DIR] [--json] [--out PATH] [--at TIME]",
        description="看、改、抹去她记得的；和聊天里的命令一样。"
        "See, change, erase what she knows: the same commands as in the chat.",
        epilog="\n".join(_listed_commands() if spec is None else _explained(spec)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--agent", required=True, help="哪一个记忆 · which memory")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="数据目录 · data folder (DATA_DIR, else ./data)"
    )
    parser.add_argument("--json", action="store_true", help="给程序看 · for programs")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="图存成 *.svg 或 *.png，文件放进目录 · picture, or folder of files",
    )
    parser.add_argument(
        "--at", type=instant, metavar="TIME", help="当作那时来看 · as it looked then, or will"
    )
    parser.add_argument(
        "--ok", metavar="CODE", help="确认 · confirms what was previewed: ok-1a2b3c4d"
    )
    return parser


def split_options(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the shell's own options and the words for the desk; behind ``--`` all are words."""
    options: list[str] = []
    words: list[str] = []
    rest = iter(arguments)
    for each in rest:
        name, _, value = each.partition("=")
        if each == "--":
            words.extend(rest)
        elif each in FLAGS or (value and name in VALUED):
            options.append(each)
        elif each in VALUED:
            options += [each, *([following] if (following := next(rest, None)) else [])]
        else:
            words.append(each)
    return options, words


@dataclass(frozen=True, slots=True)
class MemoryCommand:
    """A command as the shell was given it; ``words`` hold everything the desk has to know."""

    options: Namespace
    settings: Settings
    spec: Spec
    words: ParsedCommand

    @property
    def only_looks(self) -> bool:
        """Whether it writes nothing, as it is given."""
        rest = resolved(self.words).words
        return self.spec.only_looks or (self.spec.path in SHOWN_WHEN_BARE and not rest)


def parse_memory_command(arguments: Sequence[str], laws: Laws = _ALL_LAWS) -> MemoryCommand:
    """Return what was given.

    Ends the program with status 2 for what cannot be read, as every parser of the shell does.
    """
    given, words = split_options(arguments)
    command = shell_command(words)
    meant = resolved(command, specs_of(laws))
    spec = meant.spec
    parser = memory_parser(spec if words else None)
    options = parser.parse_args(given)
    if spec is None:
        unknown = say(written_language(), refusals.NO_SHELL_COMMAND, given=repr(" ".join(words)))
        parser.error(unknown)
    settings = settings_for(options)
    try:
        parsed = parse_arguments(spec, meant.words, settings.language)
    except InputRefused as error:
        parser.error(error.in_language(settings.language))
    extra = []
    if spec.path == "memory list" and "limit" not in parsed.given.values:
        extra.append(f"--limit {DEFAULT_LIST_LIMIT}")
    if options.ok:
        extra.append(code_token(options.ok.removeprefix("ok-")))
    whole = ParsedCommand(command.name, " ".join((command.words, *extra)).strip())
    return MemoryCommand(options, settings, spec, whole)


def _listed_commands() -> Iterator[str]:
    """Yield a line for each command: how it is written here, and what it does."""
    for spec in SPECS:
        if spec.path != OVERVIEW:
            slash = "" if spec.parent else "/"
            names = " · ".join(f"{slash}{name}" for name in (spec.name, *spec.chinese))
            yield f"  {names}\n      {spec.help.zh} · {spec.help.en}"


def _explained(spec: Spec) -> Iterator[str]:
    """Yield how one command is used, in both languages."""
    yield f"{spec.help.zh} · {spec.help.en}"
    yield spec.usage("zh")
    yield spec.usage("en")
    for each in (*spec.arguments, *spec.options):
        values = " | ".join(each.choices) if each.kind == "choice" else ""
        yield f"  {each.name}: {each.shown.zh} · {each.shown.en}  {values}".rstrip()


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
    folder, picture = _output_paths(given.options.out, given.settings.exports_dir)
    document = asyncio.run(_carry_out(given))
    if picture:
        _write_picture(document, picture)
    else:
        print_document(save_files(document, folder), as_json=given.options.json)
    return 0


def _output_paths(out: Path | None, usual: Path) -> tuple[Path, Path | None]:
    """Return the folder for files, and the file for a picture if one was named."""
    if out is None or out.is_dir():
        return out or usual, None
    if out.suffix not in {".svg", ".png"}:
        raise InputRefused(refusals.NO_PICTURE_FILE, file=out)
    return usual, out


async def _carry_out(given: MemoryCommand) -> Document:
    async with open_storage(given.settings) as storage:
        return await _carry_out_on(storage, given)


# A day of the diary is looked at; the same command with a number of days keeps words so long.
LOOKS_AT_DIARY: Final = re.compile(
    r"(?:diary|日记)(?:\s+\d{4}-\d{1,2}-\d{1,2})?\s*", re.IGNORECASE
)


async def _carry_out_on(storage: Storage, given: MemoryCommand) -> Document:
    at, agent_id, data = given.options.at, given.options.agent, given.settings.data_dir
    clock: Clock = FixedClock(at) if at else SystemClock()
    attached = _read_named_file(given.words)
    request = CommandRequest(command=given.words, agent_id=agent_id, caller=Caller(file=attached))
    state = await read_state(data, agent_id, disk=storage.disk)
    if given.only_looks or (at and LOOKS_AT_DIARY.fullmatch(given.words.words)):
        return await Desk(_refuse_agent, clock).carry_out(request, state, None)
    if at:
        raise InputRefused(refusals.AT_LOOKS_ONLY)
    question = SocketRequest(
        agent_id=agent_id,
        name=given.words.name,
        words=given.words.words,
        file_name=attached.name if attached else "",
        file=await attached.read() if attached else None,
    )
    answered = await ask_running_program(data, question)
    if answered is not None:
        return answered
    async with open_data_folder(storage, clock, identities_of()) as folder:
        services = desk_services(folder.ledger, given.settings)
        services.disk = folder.disk
        desk = Desk(folder.agents.get, clock, services)
        agent = await folder.agents.get(agent_id)
        return await desk.carry_out(request, agent.state, agent)


def _read_named_file(command: ParsedCommand) -> AttachedFile | None:
    """Return the file a command names by its path; raises InputRefused if it cannot be read."""
    named = command_file(command)
    if not named:
        return None
    path = Path(str(named[DOCUMENT]))
    content = file_content(path)
    if content is None:
        raise InputRefused(refusals.UPLOAD_UNREADABLE, file=path, limit=LARGEST_UPLOAD // 1024**2)
    return file_from_bytes(path.name, content)


async def _refuse_agent(agent_id: str) -> AgentMemory:
    raise InputRefused(refusals.ONLY_LOOKED_AT, agent=agent_id)


def _write_picture(document: Document, out: Path) -> None:
    """Write the picture of a document to a file, as its ending says."""
    pictures = [block for block in document.blocks if isinstance(block, Picture)]
    if not pictures:
        raise InputRefused(refusals.DRAWS_NOTHING)
    svg = pictures[0].svg
    if out.suffix == ".png" and (missing := missing_library("resvg_py", "pictures")):
        raise InputRefused(missing)
    try:
        out.write_bytes(to_png(svg) if out.suffix == ".png" else svg.encode())
    except OSError as error:
        raise InputRefused(refusals.UNWRITABLE, file=out, why=said_by_system(error)) from error


def run_page(options: Namespace) -> int:
    """Serve the page on this machine and open the browser; raises :class:`InputRefused`."""
    settings = settings_for(options)
    bind = options.bind or f"127.0.0.1:{_free_port()}"
    try:
        checked_bind_address(bind)
    except InputRefused as error:
        raise InputRefused(fault("--bind", error)) from error
    if not is_loopback(host_and_port(bind)[0]):
        raise InputRefused(refusals.BIND_NOT_HERE)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(settings, checked_agent_id(options.agent), bind, opens=options.open))
    return 0


async def _serve(settings: Settings, agent_id: str, bind: str, *, opens: bool) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with (
        open_program(settings, agent_id, bind) as program,
        asyncio.TaskGroup() as group,
    ):
        serving = group.create_task(serve_page(program, WebServer(), bind))
        link = program.door.link(Visitor(agent_id=agent_id))
        sys.stdout.write(say(settings.language, page.SERVED_AT, link=link) + "\n")
        sys.stdout.flush()
        if opens:
            await asyncio.to_thread(webbrowser.open, link)
        await stop.wait()
        serving.cancel()


@asynccontextmanager
async def open_program(
    settings: Settings, agent_id: str, bind: str, clock: Clock | None = None
) -> AsyncIterator[PageProgram]:
    """Open an agent for its page; raises :class:`InputRefused` while another program holds it."""
    time, supervisor = clock or SystemClock(), Supervisor()
    async with (
        open_storage(settings) as storage,
        open_data_folder(storage, time, identities_of()) as folder,
    ):
        try:
            await folder.agents.get(agent_id)
        except StoreLocked as error:
            raise InputRefused(page.IN_USE) from error
        services = desk_services(folder.ledger, settings)
        services.disk = folder.disk
        services.page = PageDoor(time, f"http://{bind}")
        yield PageProgram(
            agents=folder.agents,
            desk=Desk(folder.agents.get, time, services),
            door=services.page,
            services=services,
            clock=time,
            supervisor=supervisor,
            paused=lambda _: pause_nothing(),
            language=settings.language,
        )
        await supervisor.stop(_GRACE_SECONDS)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
