"""Finding the first owner: whoever reads the code on the server's own screen."""

import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Final

from bot.access import Access, PlatformId, parsed_ids
from bot.conversation.messages import Incoming, Platform
from bot.desk.documents import Document, Text
from bot.texts import access as texts
from bot.texts import say
from memory.errors import InputRefused, StoreUnwritable

ATTEMPTS: Final = 10
"""So many wrong codes end the pairing until the next start."""

WELCOME: Final = Document((Text(say("zh", texts.PAIRED)), Text(say("en", texts.PAIRED))))
"""What the new owner is told; nobody knows their language yet."""

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 8


class Pairing:
    """A code that makes its sender the owner, once. ``code`` is empty when nobody is wanted."""

    def __init__(self, data_dir: Path, platform: Platform, *, wanted: bool) -> None:
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


def owner_file(data_dir: Path, platform: Platform) -> Path:
    """Return where the owner who paired on a platform is kept."""
    return data_dir / f"{platform}.owner"


def paired_owner(data_dir: Path, platform: Platform) -> frozenset[PlatformId]:
    """Return the owner who paired on a platform, if anybody did."""
    try:
        document = json.loads(owner_file(data_dir, platform).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return frozenset()
    owner = document.get("owner") if isinstance(document, dict) else None
    try:
        return parsed_ids(f"{platform}:{owner}")
    except InputRefused:
        return frozenset()
