"""What the shell understands behind ``xiaoxiang memory``: the commands of the desk, made of them.

What is said behind ``/memory`` in a chat stands here by itself (``list``); a command of its own
keeps its slash (``/why``), for ``forget`` hides and ``/forget`` erases.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.cli.parser import instant
from bot.desk.command import Argument, Spec
from bot.desk.registry import SPECS
from bot.texts import say

DEFAULT_LIST_LIMIT: Final = 50
"""So many memories the shell lists unless told otherwise; it has no pages to turn."""

OVERVIEW: Final = "memory"


def memory_parser() -> argparse.ArgumentParser:
    """Return the parser of ``xiaoxiang memory``."""
    common = _common_options()
    top = argparse.ArgumentParser(
        prog="xiaoxiang memory",
        parents=[common],
        description="看、改、抹去她记得的；和聊天里的命令一样。"
        "See, change, erase what she knows: the same commands as in the chat.",
    )
    verbs = top.add_subparsers(dest="verb", metavar="COMMAND")
    for spec in SPECS:
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
