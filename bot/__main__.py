"""The command line: parse, run, and turn every refusal into one clear line."""

import logging
import sys
from argparse import Namespace
from collections.abc import Sequence

from bot.cli import shell_parser
from memory.errors import XiaoxiangError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 well, 1 refused, 130 interrupted."""
    options = shell_parser().parse_args(arguments)
    if options.command != "run":
        # Someone at a terminal reads answers, not a log; what matters is raised as an error.
        logging.getLogger().addHandler(logging.NullHandler())
    try:
        return _run_command(options)
    except XiaoxiangError as error:
        sys.stderr.write(f"xiaoxiang: {error}\n")
        return 1
    except ExceptionGroup as group:
        sys.stderr.write(f"xiaoxiang: {_first_refusal(group)}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def _first_refusal(group: ExceptionGroup) -> Exception:
    """Return the refusal that ended a group of tasks; anything else in it is raised as it came."""
    refused, other = group.split(XiaoxiangError)
    if refused is None or other is not None:
        raise group
    first = refused.exceptions[0]
    return _first_refusal(first) if isinstance(first, ExceptionGroup) else first


def _run_command(options: Namespace) -> int:  # noqa: PLR0911 - a case a command
    """Import and run one command: ``--help`` must not pay for what it does not run."""
    match options.command:
        case "chat":
            from bot.cli.chat import run_chat

            return run_chat(options)
        case "run":
            from bot.cli.run import run_all

            return run_all(options)
        case "replay":
            from bot.cli.replay import run_replay

            return run_replay(options)
        case "export" | "import":
            from bot.cli.transfer import run_transfer

            return run_transfer(options)
        case "memory":
            from bot.cli.memory import run_memory

            return run_memory(options)
        case "key":
            from bot.cli.key import run_key

            return run_key(options)
        case _:
            from bot.cli.doctor import run_doctor

            return run_doctor(options)


if __name__ == "__main__":
    sys.exit(main())
