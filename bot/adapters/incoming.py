"""What adapters share about incoming messages.

Names that call her, acknowledging, and pairing the first owner.
"""

import hmac
import json
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from bot.conversation.messages import Incoming
from bot.desk.desk import needs_sender_rank
from bot.desk.documents import Document, Text
from bot.identity import Access, AccessLevel, PlatformId, owner_file
from bot.supervise import Done, Failed, attempt
from bot.texts import dialogue as texts
from bot.texts import say
from memory.errors import StoreError, StoreUnwritable

BOT_NAMES: Final = ("小祥", "xiaoxiang")


def is_called_by_name(said: str) -> bool:
    """Say whether a text begins or ends with her name.

    >>> is_called("你说呢，小祥？")
    True
    """
    words = said.strip().strip("@,，.。!！?？~～…:： ").lower()
    return words.startswith(BOT_NAMES) or words.endswith(BOT_NAMES)


T = TypeVar("T")

Receive: TypeAlias = Callable[[Incoming], Awaitable[object]]
"""Take a message into the program; raises :class:`StoreError` if it could not be kept."""

HandleEvent: TypeAlias = Callable[[Any], Awaitable[object]]
"""Have what a platform tells kept; what it returns is the answer. Raises if it was not kept."""


class Acknowledger:
    """Have things kept. ``skipped`` counts those nobody can read: they need not come again."""

    def __init__(self) -> None:
        self.skipped = 0

    async def handle_or_skip(self, what: str, handle: Callable[[], Awaitable[T]]) -> T | None:
        """Return what taking returns, None for what nobody can read.

        Raises :class:`StoreError` or :class:`TimeoutError` for what has to come again.
        """
        step = await attempt(f"taking {what}", handle)
        match step:
            case Done(value):
                return value
            case Failed(StoreError() | TimeoutError() as error):
                raise error
            case Failed():
                self.skipped += 1
                return None


def exceeds_known_rights(incoming: Incoming, access: Access) -> bool:
    """Whether it is a command in a group that its sender may not give as far as is known."""
    if incoming.private or not incoming.addressed or not needs_sender_rank(incoming.text):
        return False
    return access.level_of(incoming.author) is AccessLevel.ALLOWED


ATTEMPTS: Final = 10
"""So many wrong codes end the pairing until the next start."""

WELCOME: Final = Document((Text(say("zh", texts.PAIRED)), Text(say("en", texts.PAIRED))))
"""What the new owner is told; nobody knows their language yet."""

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

_LENGTH: Final = 8


class Pairing:
    """A code that makes its sender the owner, once. ``code`` is empty when nobody is wanted."""

    def __init__(self, data_dir: Path, platform: str, *, wanted: bool) -> None:
        self._path = owner_file(data_dir, platform)
        self._attempts_left = ATTEMPTS
        self.code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) if wanted else ""

    def accept_code(self, incoming: Incoming, access: Access) -> bool:
        """Make whoever sent the code in private the owner; whether that is what it was.

        The code itself is kept nowhere. Raises :class:`StoreUnwritable`.
        """
        if not (incoming.private and incoming.addressed and self._check_code(incoming.text)):
            return False
        self._save_owner(incoming.sender.id)
        access.add_owner(PlatformId(incoming.conversation.platform, incoming.sender.id))
        return True

    def _check_code(self, said: str) -> bool:
        """Say whether a text is the code; also behind ``/start``. Guessing is limited."""
        offered = said.strip().removeprefix("/start").strip().upper()
        if not self.code or len(offered) != _LENGTH:
            return False
        self._attempts_left -= 1
        good = hmac.compare_digest(offered.encode(), self.code.encode())
        if not good and self._attempts_left == 0:
            self.code = ""
        return good

    def _save_owner(self, person: str) -> None:
        """Keep the owner for every later start; raises :class:`StoreUnwritable`."""
        fresh = self._path.with_suffix(".new")
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"owner": person}, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError as error:
            raise StoreUnwritable(f"cannot keep {self._path}: {error.strerror}") from error
        self.code = ""
