"""The shell: what it understands, in both languages.

Only what every command shares is here. Each command imports what it needs when it runs, so that
``xiaoxiang --help`` answers at once.
"""

import argparse
import os
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from bot.texts import Sentence, refusals, say
from memory.laws.registry import Laws

if TYPE_CHECKING:
    from bot.adapters.platform import Platform
    from bot.settings import Settings
    from memory.model import Language

_ALL_LAWS: Final = Laws()


_OF: Final = "argument (?P<name>[^:]+): "

_SAID_BY_ARGPARSE: Final[tuple[tuple[re.Pattern[str], Sentence], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), sentence)
    for pattern, sentence in (
        (r"the following arguments are required: (?P<given>.+)", refusals.ARGUMENTS_MISSING),
        (
            rf"{_OF}invalid choice: (?P<given>[^(]+) \(choose from (?P<names>.+)\)",
            refusals.NO_SUCH_CHOICE,
        ),
        (r"unrecognized arguments: (?P<given>.+)", refusals.ARGUMENTS_UNKNOWN),
        (rf"{_OF}expected one argument", refusals.VALUE_EXPECTED),
        (
            rf"{_OF}ignored explicit argument (?P<given>.+)",
            refusals.NO_VALUE_EXPECTED,
        ),
        (
            r"ambiguous option: (?P<name>[^ ]+) could match (?P<names>.+)",
            refusals.OPTION_AMBIGUOUS,
        ),
        (rf"{_OF}(?P<why>.+)", refusals.VALUE_WRONG),
    )
)
"""What argparse says, in the words of Python 3.11 to 3.14, and what it means."""

_HEADINGS: Final = (
    ("usage: ", "用法 · usage: "),
    ("positional arguments:\n", "参数 · arguments:\n"),
    ("options:\n", "选项 · options:\n"),
)


class ShellParser(ArgumentParser):
    """A parser that says in the operator's language what it cannot read.

    argparse has its sentences in English, or in catalogues of gettext that no Python brings. What
    it says in other words than these comes as it is.
    """

    def error(self, message: str) -> NoReturn:
        """Say what cannot be read, and end with status 2."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {in_operators_words(message)}\n")

    def format_usage(self) -> str:
        """Return the line of usage, headed in both languages, as all that helps."""
        return _headed(super().format_usage())

    def format_help(self) -> str:
        """Return the help, headed in both languages."""
        return _headed(super().format_help())


def in_operators_words(message: str) -> str:
    """Return what argparse says in the operator's language."""
    from bot.settings import written_language

    language = written_language()
    for pattern, sentence in _SAID_BY_ARGPARSE if language == "zh" else ():
        if found := pattern.fullmatch(message):
            return say(language, sentence, **found.groupdict())
    return message


def _headed(text: str) -> str:
    for english, both in _HEADINGS:
        text = re.sub(rf"^{english}", both, text, count=1, flags=re.MULTILINE)
    return text


def shell_parser(laws: Laws = _ALL_LAWS) -> ArgumentParser:
    """Return the parser of ``xiaoxiang``; ``command`` is the subcommand that was given."""
    top = ShellParser(
        prog="xiaoxiang",
        description="小祥：像人一样记得你的伙伴。A companion that remembers like a person.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="版本 · the version")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_chat(commands)
    run = commands.add_parser("run", help="在聊天平台上 · on every platform that is configured")
    _add_data_option(run)
    _add_page(commands)
    _add_replay(commands, laws)
    memory = commands.add_parser(
        "memory",
        help="看、改、抹去她记得的 · see, change, erase what she knows",
        add_help=False,
        prefix_chars="\0",  # what follows is read by bot.cli.memory, options and all
    )
    memory.add_argument("words", nargs="*")
    _add_export_and_import(commands)
    _add_bring(commands)
    _add_key(commands)
    _add_move(commands)
    commands.add_parser("setup", help="一步步设置 · set her up, question by question")
    doctor = commands.add_parser("doctor", help="检查设置 · check the settings, say what to do")
    _add_data_option(doctor)
    repair = commands.add_parser(
        "repair", help="修复 · look into damaged files; shows first what would be done"
    )
    repair.add_argument("--yes", action="store_true", help="看过了，动手 · do it")
    _add_data_option(repair)
    return top


class _Version(argparse.Action):
    """Prints the version and ends; it is looked up only when somebody asks."""

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        sys.stdout.write(f"xiaoxiang {program_version()}\n")
        parser.exit()


def program_version() -> str:
    """Return the version that is installed, or ``unknown`` where nothing was installed.

    >>> program_version() != ""
    True
    """
    from importlib import metadata

    try:
        return metadata.version("xiaoxiang")
    except metadata.PackageNotFoundError:
        return "unknown"


def settings_for(
    options: Namespace, platforms: "Collection[Platform] | None" = None
) -> "Settings":
    """Return the settings for a command, in the data folder it names if it names one.

    Those of every platform are read by every command, so that a wrong value is found by the first
    one and not by the next ``run``. Raises :class:`InputRefused`.
    """
    from bot.adapters import PLATFORMS, read_all_settings

    overrides = {"data_dir": options.data} if options.data else {}
    settings = read_all_settings(PLATFORMS if platforms is None else platforms, **overrides)
    _check_owner(settings.data_dir)
    return settings


def _check_owner(folder: Path) -> None:
    """Raise :class:`InputRefused` for a data folder that this user may not look into."""
    from bot.texts import refusals
    from memory.errors import InputRefused

    try:
        os.scandir(folder).close()
    except PermissionError as error:
        owner, user = _owner_of(folder), os.geteuid()
        raise InputRefused(
            refusals.NOT_YOUR_FOLDER, folder=folder, owner=owner, user=user
        ) from error
    except OSError:
        return  # what else is wrong with it is said where it is made or read


def _owner_of(folder: Path) -> str:
    try:
        return folder.owner()
    except (OSError, KeyError):
        return "?"


def explained(error: Exception, language: "Language | None" = None) -> str:
    """Return what an error says: a refusal in that language, or in the operator's."""
    from bot.settings import written_language
    from memory.errors import RefusalError

    if not isinstance(error, RefusalError):
        return str(error)
    return error.in_language(language or written_language())


def _add_chat(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    chat = commands.add_parser("chat", help="在终端聊天 · talk in the terminal")
    _add_data_option(chat)
    chat.add_argument("--agent", default="local", help="哪一个记忆 · which memory (local)")
    chat.add_argument(
        "--offline", action="store_true", help="不用模型 · use no model even if one is configured"
    )
    chat.add_argument(
        "--at",
        type=instant,
        metavar="TIME",
        help="当作那时（重放之后）· as if it were then, after a replay: 2023-05-07T20:00+08:00",
    )


def _add_page(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    page = commands.add_parser("page", help="在浏览器里看 · the memory page, in a browser")
    _add_data_option(page)
    page.add_argument("--agent", default="local", help="哪一个记忆 · which memory (local)")
    page.add_argument("--bind", metavar="HOST:PORT", help="在哪里听 · where to listen")
    page.add_argument(
        "--no-open",
        dest="open",
        action="store_false",
        help="不打开浏览器 · only print the link",
    )


def _add_replay(commands: "argparse._SubParsersAction[ShellParser]", laws: Laws) -> None:
    replay = commands.add_parser(
        "replay", help="按原来的日期重过一段对话 · live through a recorded conversation"
    )
    replay.add_argument("file", type=Path, help="JSON Lines, or Telegram's result.json")
    _add_data_option(replay)
    replay.add_argument("--agent", required=True, help="哪一个记忆 · which memory")
    replay.add_argument("--offline", action="store_true", help="不用模型 · use no model")
    replay.add_argument(
        "--law", choices=laws.names, help="从现在起怎么忘 · how it forgets from now on"
    )
    replay.add_argument(
        "--until",
        type=instant,
        metavar="TIME",
        help="再安静地过到那时 · and live on in silence until then: 2023-06-07T20:00+08:00",
    )
    replay.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="每轮记牢后说一声 · name each turn once durable",
    )


def _add_export_and_import(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    export = commands.add_parser(
        "export", help="全部带走 · everything of one agent: readable Markdown, complete JSON"
    )
    export.add_argument("--agent", required=True, help="哪一个记忆 · which memory")
    export.add_argument(
        "--out", type=Path, metavar="DIR", help="放在哪里 · where to (EXPORTS_DIR)"
    )
    _add_data_option(export)

    bring = commands.add_parser(
        "import", help="带进来 · import an export; shows first what would change"
    )
    bring.add_argument("file", type=Path, help="*.json")
    bring.add_argument("--agent", required=True, help="哪一个记忆 · into which memory")
    bring.add_argument("--yes", action="store_true", help="看过了，带进来 · do it")
    _add_data_option(bring)


def _add_bring(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    bring = commands.add_parser(
        "bring",
        help="把别处的伙伴或聊天带来 · bring a card or a chat of another program; shows first",
    )
    bring.add_argument("file", type=Path, help="PNG, JSON, JSON Lines, TXT")
    bring.add_argument("--agent", required=True, help="哪一个记忆 · into which memory")
    bring.add_argument("--yes", action="store_true", help="看过了，带进来 · do it")
    bring.add_argument(
        "--persona", type=Path, metavar="FILE", help="人设写到哪里 · where the persona is written"
    )
    bring.add_argument("--me", metavar="NAME", help="聊天里你的名字 · your name in the chat")
    bring.add_argument(
        "--dates", choices=("dmy", "mdy"), help="先写日还是先写月 · day or month first"
    )
    _add_data_option(bring)


def _add_key(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    key = commands.add_parser("key", help="封存秘密用的钥匙 · the key that seals secrets")
    actions = key.add_subparsers(dest="action", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="造一把 · make a key file, outside the data folder")
    new.add_argument("file", type=Path, help="MEMORY_KEY_FILE")
    rotate = actions.add_parser("rotate", help="换一把 · seal everything anew with a new key")
    for one in (new, rotate):
        _add_data_option(one)


def _add_move(commands: "argparse._SubParsersAction[ShellParser]") -> None:
    move = commands.add_parser(
        "move", help="搬进 PostgreSQL 或搬回来 · files into PostgreSQL, or back; the source stays"
    )
    one = "文件夹或 postgresql://… · a folder or postgresql://…"
    move.add_argument("source", metavar="FROM", help=one)
    move.add_argument("target", metavar="TO", help=one)


def _add_data_option(command: ShellParser) -> None:
    command.add_argument(
        "--data", type=Path, metavar="DIR", help="数据目录 · data folder (else DATA_DIR)"
    )


def instant(given: str) -> datetime:
    """Return an instant with its zone; raises ArgumentTypeError."""
    try:
        at = datetime.fromisoformat(given)
    except ValueError as error:
        raise _refused_value(refusals.INSTANT_UNREADABLE, given) from error
    # Without a zone it would mean another instant on every machine.
    if at.tzinfo is None:
        raise _refused_value(refusals.INSTANT_WITHOUT_ZONE, given)
    return at


def _refused_value(sentence: Sentence, given: str) -> argparse.ArgumentTypeError:
    from bot.settings import written_language

    return argparse.ArgumentTypeError(say(written_language(), sentence, given=repr(given)))
