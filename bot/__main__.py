"""The command line: parse, run, and turn every refusal into one clear line."""

import ctypes
import gc
import logging
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from bot.cli import explained, shell_parser
from memory.errors import XiaoxiangError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status.

    0: done, 1: refused, 2: arguments that cannot be read, 130: interrupted.
    """
    options = shell_parser().parse_args(arguments)
    if options.command != "run":
        # Someone at a terminal reads answers, not a log; what matters is raised as an error.
        logging.getLogger().addHandler(logging.NullHandler())
    try:
        return _run_command(options)
    except XiaoxiangError as error:
        sys.stderr.write(f"xiaoxiang: {explained(error)}\n")
        return 1
    except ExceptionGroup as group:
        sys.stderr.write(f"xiaoxiang: {explained(_first_refusal(group))}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever reads has seen enough, as `head` has: no failure of ours.
        return 0


def _first_refusal(group: ExceptionGroup) -> Exception:
    """Return the refusal that ended a group of tasks; anything else in it is raised as it came."""
    refused, other = group.split(XiaoxiangError)
    if refused is None or other is not None:
        raise group
    first = refused.exceptions[0]
    return _first_refusal(first) if isinstance(first, ExceptionGroup) else first


COMMANDS: Final = {
    "chat": ("bot.cli.run", "run_chat"),
    "run": ("bot.cli.run", "run_all"),
    "page": ("bot.cli.memory", "run_page"),
    "replay": ("bot.cli.transfer", "run_replay"),
    "memory": ("bot.cli.memory", "run_memory"),
    "export": ("bot.cli.transfer", "run_transfer"),
    "import": ("bot.cli.transfer", "run_transfer"),
    "bring": ("bot.cli.bring", "run_bring"),
    "move": ("bot.cli.move", "run_move"),
    "key": ("bot.cli.upkeep", "run_key"),
    "setup": ("bot.cli.setup", "run_setup"),
    "doctor": ("bot.cli.upkeep", "run_doctor"),
    "repair": ("bot.cli.upkeep", "run_repair"),
}
"""Where each command is. Imported when it is run: ``--help`` must not pay for the others."""


_ONE_HEAP: Final = ((-8, 1), (-3, 1 << 20), (-1, 8 << 20))
"""``M_ARENA_MAX``, ``M_MMAP_THRESHOLD``, ``M_TRIM_THRESHOLD`` of glibc's malloc.h, and values.

Left alone, every thread gets a heap of its own, and once a block of some megabytes was freed the
next ones are cut from a heap as well: a journal and a backup, read once, then stay resident.
What a search of 100,000 lines takes and frees stays at hand, 8 MB of it: with 1 MB it took a
third more time, to be given those pages by the system again and again.
"""


_TURNS_CHANGE_AFTER: Final = 0.001
"""Seconds after which a thread that computes lets another one go on, if one wants to.

With Python's own 0.005 a turn loses up to that at each step in which it waits for the disk, while
a thread draws the network for the page.
"""


_COLLECT_AFTER: Final = (5_000, 20, 20)
"""New objects, and young collections, after which Python looks for garbage in cycles.

With its own numbers (700, 10, 10) somebody on the memory page brings about a search of everything,
0.1 to 0.6 s in which nobody is answered, twice a minute.
"""


def prepare_process() -> None:
    """Have freed memory given back, where there is a glibc, and few stops to look for cycles."""
    gc.set_threshold(*_COLLECT_AFTER)
    sys.setswitchinterval(_TURNS_CHANGE_AFTER)
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        for option, value in _ONE_HEAP:
            set_option(option, value)


def _run_command(options: Namespace) -> int:
    prepare_process()
    module, function = COMMANDS[options.command]
    # What is imported stays: looking it through for garbage takes a seventh of the start, and
    # would be repeated by every full collection to come.
    gc.disable()
    run: Callable[[Namespace], int] = getattr(import_module(module), function)
    gc.freeze()
    gc.enable()
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
