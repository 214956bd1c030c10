"""What arrives at the desk: a command, who gave it and where, and the files that came with it.

Every way in (a chat, the control socket, the shell) makes the same :class:`CommandRequest`, so
this module knows neither the commands nor what they answer.

A button is a signed command: nobody can forge one, move it to another chat or use it twice. It
holds the whole command that pressing it gives, the minute it was made, a nonce, and a keyed digest
of these and of the chat. Pressing it is giving the command: with the same rights, and through the
same ledger, which knows each button by its digest and so accepts it once. In a group a button can
be one person's alone; its digest is of that person as well, and nobody else uses it up.
"""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeAlias

from bot.conversation.messages import ConversationKey, ParsedCommand
from bot.identity import AccessLevel
from bot.texts import refusals
from memory.errors import StoreUnwritable
from memory.refusals import said_by_system
from memory.stores.disk import REAL_DISK, own_as_folder

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
    key of the chat as text. ``unsealed`` are the only sealed memories that may be opened; None
    where the private chat itself is the permission.
    """

    command: ParsedCommand
    agent_id: str
    access_level: AccessLevel = AccessLevel.OWNER
    private: bool = True
    reply_to: str = ""
    conversation: str = ""
    caller: Caller = SHELL_CALLER
    unsealed: frozenset[int] | None = None


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


BUTTON_LIFE: Final = timedelta(hours=24)
"""How long a button works; the ledger remembers for longer what was pressed."""

_KEY_BYTES: Final = 32
# In characters. Telegram allows 64 bytes of button data, so every part is as short as is safe: 9
# bytes of digest and 3 of nonce in base64, and the minute in hexadecimal.
_MAC: Final = 12
_NONCE: Final = 4
_STAMP: Final = 8

_OWNER: Final = 4

# In place of the first digit of the minute, which is 0 until the year 2480: whose the button is,
# and whether it is one of a choice.
_ANYBODYS: Final = "0"
_ONES_OWN: Final = "p"
_ONES_OR_ADMINS: Final = "q"
_IN_A_CHOICE: Final = {_ANYBODYS: "a", _ONES_OWN: "b", _ONES_OR_ADMINS: "c"}
_ALONE: Final = {letter: whose for whose, letter in _IN_A_CHOICE.items()}

SIGNATURE_LENGTH: Final = _MAC + _NONCE + _STAMP
"""How many characters of the data are not the command."""


class ButtonSigner:
    """Turns commands into button data and back; ``limit`` is how many bytes the data may have."""

    def __init__(self, key: bytes, *, limit: int) -> None:
        self._key = key
        self._limit = limit

    def sign(
        self,
        command: str,
        chat: str,
        now: datetime,
        person: str = "",
        *,
        or_admins: bool = False,
        choice: str = "",
    ) -> str | None:
        """Return the data of a button for that chat; None if the command is too long for one.

        ``person`` is who alone may press it, empty if anybody may; ``or_admins`` says that the
        chat's admins may as well. Buttons with the same ``choice`` are used up together.
        """
        left = self._limit - SIGNATURE_LENGTH - len(command.encode())
        if left < 0:
            return None
        whose, owner = (_ONES_OWN if person else _ANYBODYS), ""
        if person and or_admins:
            # Without room for its person it is anybody's: the command asks whose it is as well.
            whose, person, owner = (
                (_ONES_OR_ADMINS, "", self._owner(chat, person))
                if left >= _OWNER
                else (_ANYBODYS, "", "")
            )
        flag = _IN_A_CHOICE[whose] if choice else whose
        stamp = f"{_minutes(now):0{_STAMP}x}"
        body = f"{choice or new_nonce()}{flag}{stamp[1:]}{owner}{command}"
        return self._mac(body, chat, person) + body

    def verify(self, data: str, chat: str, now: datetime, person: str = "") -> str | None:
        """Return the command of a button that a person presses.

        None if it is forged, from another chat, too old, or somebody else's alone.
        """
        whose = _whose(data)
        if not self._is_signed(data, chat, person if whose == _ONES_OWN else ""):
            return None
        made = int(data[_MAC + _NONCE + 1 : SIGNATURE_LENGTH], 16)
        if timedelta(minutes=_minutes(now) - made) > BUTTON_LIFE:
            return None
        return data[SIGNATURE_LENGTH + (_OWNER if whose == _ONES_OR_ADMINS else 0) :]

    def is_anothers(self, data: str, chat: str, person: str) -> bool:
        """Whether a button, if it is no forgery, is for somebody else than who presses it."""
        return _whose(data) == _ONES_OWN and not self._is_signed(data, chat, person)

    def is_theirs(self, data: str, chat: str, person: str) -> bool | None:
        """Whether a button for one person and the admins is that person's; None for any other."""
        if _whose(data) != _ONES_OR_ADMINS:
            return None
        return data[SIGNATURE_LENGTH : SIGNATURE_LENGTH + _OWNER] == self._owner(chat, person)

    def _is_signed(self, data: str, chat: str, person: str) -> bool:
        expected = self._mac(data[_MAC:], chat, person).encode()
        # The data may hold anything a client sends, lone surrogates included. The time of the
        # comparison must not tell how many characters were right.
        return hmac.compare_digest(data[:_MAC].encode("utf-8", "surrogatepass"), expected)

    def _mac(self, body: str, chat: str, person: str) -> str:
        return self._digest(f"{person}\0{chat}:{body}" if person else f"{chat}:{body}", 9)

    def _owner(self, chat: str, person: str) -> str:
        # Short: it tells people apart, and the command itself is refused to whoever may not.
        return self._digest(f"{person}\0{chat}", 3)

    def _digest(self, text: str, size: int) -> str:
        signed = text.encode("utf-8", "surrogatepass")
        keyed = blake2b(signed, key=self._key, digest_size=size)
        return urlsafe_b64encode(keyed.digest()).decode("ascii")


def new_nonce() -> str:
    """Return what tells one button, or one choice of several, from every other."""
    return secrets.token_urlsafe(3)


def _whose(data: str) -> str:
    """Return the letter that says whose a button is."""
    flag = data[_MAC + _NONCE : _MAC + _NONCE + 1]
    return _ALONE.get(flag, flag)


def is_of_a_choice(data: str) -> bool:
    """Whether pressing a button uses up others as well."""
    return data[_MAC + _NONCE : _MAC + _NONCE + 1] in _ALONE


def button_id(data: str) -> str:
    """Return the id of a button, which only the others of its choice have as well."""
    return data[_MAC:SIGNATURE_LENGTH] if is_of_a_choice(data) else data[:_MAC]


def load_signer(path: Path, *, limit: int) -> ButtonSigner:
    """Return a signer with the key in a file, which is made if it is not there (mode 0600).

    Raises :class:`StoreUnwritable`.
    """
    try:
        REAL_DISK.make_folder(path.parent)
        try:
            key = path.read_bytes()
        except FileNotFoundError:
            key = b""
        # A file of another length was cut off while it was written. With a new key the buttons
        # under older messages stop working, which is no more than they do after a day.
        if len(key) != _KEY_BYTES:
            key = secrets.token_bytes(_KEY_BYTES)
            written = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(written, "wb") as file:
                file.write(key)
        path.chmod(0o600)
        own_as_folder(path)
    except OSError as error:
        raise StoreUnwritable(
            refusals.CANNOT_KEEP, file=path, why=said_by_system(error)
        ) from error
    return ButtonSigner(key, limit=limit)


def _minutes(now: datetime) -> int:
    return int(now.timestamp() // 60)
