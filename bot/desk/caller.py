"""Who gave a command, how, and with which files."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.conversation.messages import ConversationKey, ParsedCommand
from bot.identity import AccessLevel

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


@dataclass(frozen=True, slots=True)
class ShellRequest:
    """An order of the shell; it stands in no conversation."""

    command: ParsedCommand
    agent_id: str
    access_level: AccessLevel = AccessLevel.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    caller: Caller = SHELL_CALLER


LARGEST_UPLOAD: Final = 20 * 1024 * 1024
"""Bytes of a file that is taken from a chat: what Telegram hands over."""

UPLOAD_LIFE: Final = timedelta(hours=1)

MOST_UPLOADS: Final = 4
"""So many files, each of at most 20 MB, wait at a time; the eldest makes room."""


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """A file, whole; ``me`` is who its sender said to be in it."""

    name: str
    data: bytes
    me: str = ""


class PendingUploads:
    """The last file of everyone who sent one."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[datetime, PendingUpload]] = {}

    def keep(self, agent_id: str, person: str, upload: PendingUpload, now: datetime) -> None:
        """Keep a file in place of the one that person sent before."""
        self._drop_stale(now)
        self._kept.pop((agent_id, person), None)
        self._kept[agent_id, person] = (now, upload)
        while len(self._kept) > MOST_UPLOADS:
            del self._kept[next(iter(self._kept))]

    def last(self, agent_id: str, person: str, now: datetime) -> PendingUpload | None:
        """Return the file that person sent last; None if that is too long ago."""
        self._drop_stale(now)
        found = self._kept.get((agent_id, person))
        return found[1] if found else None

    def drop(self, agent_id: str, person: str) -> None:
        """Keep it no longer."""
        self._kept.pop((agent_id, person), None)

    def _drop_stale(self, now: datetime) -> None:
        for key, (since, _) in list(self._kept.items()):
            if now - since > UPLOAD_LIFE:
                del self._kept[key]
