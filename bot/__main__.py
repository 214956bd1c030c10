"""The command line: parse, run, and turn every refusal into one clear line."""

import sys
from collections.abc import Sequence

from bot.cli.parser import parser
from memory.errors import XiaoxiangError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 well, 1 refused, 130 interrupted."""
    options = parser().parse_args(arguments)
    try:
        match options.command:
            case "chat":
                from bot.cli.chat import run_chat as run
            case "replay":
                from bot.cli.replay import run_replay as run
            case "memory":
                from bot.cli.look import run_look as run
            case _:
                from bot.cli.doctor import run_doctor as run
        return run(options)
    except XiaoxiangError as error:
        sys.stderr.write(f"xiaoxiang: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
