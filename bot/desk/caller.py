"""What arrives at the desk: a command, who gave it and where, and the files that came with it.

Every way in (a chat, the control socket, the shell) makes the same :class:`CommandRequest`, so
this module knows neither the commands nor what they answer.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.conversation.messages import ConversationKey, ParsedCommand
from bot.identity import AccessLevel

Pause: TypeAlias = Callable[[], AbstractAsyncContextManager[None]]
"""Pauses every conversation of the agent for the length of a block."""


@asynccontextmanager
async def pause_nothing() -> AsyncIterator[None]:
    """Pause nothing: in the shell no conversation is running."""
    yield


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that came with a command. ``read`` returns None if it is gone or too large."""

    name: str
    read: Callable[[], Awaitable[bytes | None]]


def file_from_bytes(name: str, content: bytes) -> AttachedFile:
    """Return an attached file whose content is already in memory."""

    async def read() -> bytes:
        return content

    return AttachedFile(name, read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who gave a command, and from where.

    ``person`` is the platform's name and its id of the sender (``telegram:42``). ``name`` is what
    the sender is called there; it proves nothing. ``place`` is the chat, and ``message`` the
    ledger's id of the message that held the command. All four are empty in the shell.
    ``resumed`` says that the command had begun before the program was restarted.
    ``file`` is the file that came with it, if there was one.
    """

    person: str = ""
    name: str = ""
    place: ConversationKey | None = None
    message: str = ""
    resumed: bool = False
    paused: Pause = pause_nothing
    file: AttachedFile | None = None


SHELL_CALLER: Final = Caller()
"""Whoever has the machine's shell, while no other program runs on the data folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command, the agent it is for, and the rights and the chat of whoever gave it.

    The defaults are those of the shell, where the owner of the machine speaks in private.
    ``reply_to`` is the platform's id of the message the command answered, ``conversation`` the
    key of the chat as text.
    """

    command: ParsedCommand
    agent_id: str
    access_level: AccessLevel = AccessLevel.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    caller: Caller = SHELL_CALLER


# Telegram's Bot API hands a bot no file larger than this.
LARGEST_UPLOAD: Final = 20 * 1024 * 1024
"""The largest file that is accepted from a chat, in bytes."""

UPLOAD_LIFE: Final = timedelta(hours=1)
"""How long an upload waits for the command that confirms it."""

# Uploads wait in memory only, so their number bounds what they may cost: 4 × 20 MB.
MOST_UPLOADS: Final = 4
"""How many uploads wait at the same time; the oldest makes room."""


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """A whole file that waits for a confirmation.

    ``me`` is the name or id by which its sender said to be found in it.
    """

    name: str
    data: bytes
    me: str = ""


class PendingUploads:
    """The last file that each person sent to each agent.

    The preview of an import and its confirmation are two commands, and the second one brings no
    file. Uploads are never written to disk: they are lost with the process, on purpose.
    """

    def __init__(self) -> None:
        self._uploads: dict[tuple[str, str], tuple[datetime, PendingUpload]] = {}

    def keep(self, agent_id: str, person: str, upload: PendingUpload, now: datetime) -> None:
        """Keep a file in place of the one that this person sent before."""
        self._drop_stale(now)
        # Removed before it is set again: a dict keeps the place of a key that is overwritten, and
        # the first key is taken for the oldest upload below.
        self._uploads.pop((agent_id, person), None)
        self._uploads[agent_id, person] = (now, upload)
        while len(self._uploads) > MOST_UPLOADS:
            del self._uploads[next(iter(self._uploads))]

    def last(self, agent_id: str, person: str, now: datetime) -> PendingUpload | None:
        """Return the file that this person sent last, or None if that was too long ago."""
        self._drop_stale(now)
        found = self._uploads.get((agent_id, person))
        return found[1] if found else None

    def drop(self, agent_id: str, person: str) -> None:
        """Forget the file of this person."""
        self._uploads.pop((agent_id, person), None)

    def _drop_stale(self, now: datetime) -> None:
        for key, (since, _) in list(self._uploads.items()):
            if now - since > UPLOAD_LIFE:
                del self._uploads[key]
