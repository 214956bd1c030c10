"""By whom and how a command was given, beyond its words."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

Still: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]
"""Lets every conversation of the agent stand still for the length of a block."""


@asynccontextmanager
async def nobody_talks() -> AsyncIterator[None]:
    """Stop nothing: where no conversation runs, all stand still."""
    yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a command was given.

    ``person`` is the platform's id of whoever gave it, with the platform before it; ``message``
    the ledger's id of the message it stood in. Both are empty in the shell. ``again`` says that it
    had begun before, and the program ended meanwhile.
    """

    person: str = ""
    message: str = ""
    again: bool = False
    still: Still = nobody_talks


IN_THE_SHELL: Final = Asking()
"""Given by whoever holds the machine, with nothing running beside it."""
