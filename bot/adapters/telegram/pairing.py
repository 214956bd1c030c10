"""Finding the first owner: whoever reads the code on the server's own screen."""

import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Final

from memory.errors import StoreUnwritable

FILE: Final = "telegram.owner"
ATTEMPTS: Final = 10
"""So many wrong codes end the pairing until the next start."""

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 8


class Pairing:
    """A code that makes its sender the owner, once. ``code`` is empty when nobody is wanted."""

    def __init__(self, data_dir: Path, *, wanted: bool) -> None:
        self._path = data_dir / FILE
        self._left = ATTEMPTS
        self.code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) if wanted else ""

    def fits(self, said: str) -> bool:
        """Say whether a text is the code; also behind ``/start``. Guessing is limited."""
        offered = said.strip().removeprefix("/start").strip().upper()
        if not self.code or len(offered) != _LENGTH:
            return False
        self._left -= 1
        good = hmac.compare_digest(offered.encode(), self.code.encode())
        if not good and self._left == 0:
            self.code = ""
        return good

    def pair(self, person: str) -> None:
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


def paired_owner(data_dir: Path) -> str:
    """Return the id of the owner who paired, or an empty string."""
    try:
        document = json.loads((data_dir / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    owner = document.get("owner") if isinstance(document, dict) else None
    return owner if isinstance(owner, str) and owner.isascii() and owner.isdigit() else ""
