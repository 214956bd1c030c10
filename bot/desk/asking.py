"""By whom and how a command was given, beyond its words."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.conversation.messages import ConversationKey

Pause: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]
"""Lets every conversation of the agent stand still for the length of a block."""


@asynccontextmanager
async def pause_nothing() -> AsyncIterator[None]:
    """Stop nothing: where no conversation runs, all stand still."""
    yield


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that came with a command; ``read`` gives None if it is gone or too large."""

    name: str
    read: Callable[[], Awaitable[bytes | None]]


def file_from_bytes(name: str, content: bytes) -> AttachedFile:
    """Return a file whose content is here already."""

    async def read() -> bytes:
        return content

    return AttachedFile(name, read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """How a command was given.

    ``person`` is the platform's id of whoever gave it, with the platform before it, and ``name``
    what they are called there, which proves nothing; ``place`` is the chat it was given in, and
    ``message`` the ledger's id of the message it stood in. All are empty in the shell. ``again``
    says that it had begun before, and the program ended meanwhile.
    ``file`` is what came with it, if anything did.
    """

    person: str = ""
    name: str = ""
    place: ConversationKey | None = None
    message: str = ""
    resumed: bool = False
    paused: Pause = pause_nothing
    file: AttachedFile | None = None


SHELL_CALLER: Final = Caller()
"""Given by whoever holds the machine, with nothing running beside it."""
