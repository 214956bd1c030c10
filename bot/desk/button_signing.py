"""Buttons whose data nobody can forge and nobody can use twice.

A button holds the whole command that pressing it says, when it was made, something random and a
keyed digest of all that and of the chat. Pressing it is saying the command: the same rights, the
same ledger, which knows each button by its digest and so obeys it once.
"""

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Final

from memory.errors import StoreUnwritable

BUTTON_LIFE: Final = timedelta(hours=24)
"""A button works for so long: less than the ledger remembers what was pressed."""

_KEY_BYTES: Final = 32
_MAC: Final = 12
_NONCE: Final = 4
_STAMP: Final = 8

SIGNATURE_LENGTH: Final = _MAC + _NONCE + _STAMP
"""So many characters of the data are digest, chance and age."""


class ButtonSigner:
    """Turn commands into the data of buttons and back. ``limit``: bytes the data may have."""

    def __init__(self, key: bytes, *, limit: int) -> None:
        self._key = key
        self._limit = limit

    def sign(self, command: str, chat: str, now: datetime) -> str | None:
        """Return the data of a button in that chat; None if the command is too long for one."""
        if len(command.encode()) > self._limit - SIGNATURE_LENGTH:
            return None
        nonce = secrets.token_urlsafe(3)
        body = f"{nonce}{_minutes(now):0{_STAMP}x}{command}"
        return self._mac(body, chat) + body

    def verify(self, data: str, chat: str, now: datetime) -> str | None:
        """Return the command of a button, None for a forged, foreign or old one."""
        mac, body = data[:_MAC], data[_MAC:]
        expected = self._mac(body, chat)
        if not hmac.compare_digest(mac.encode("utf-8", "surrogatepass"), expected.encode()):
            return None
        made = int(body[_NONCE : _NONCE + _STAMP], 16)
        age = timedelta(minutes=_minutes(now) - made)
        return body[_NONCE + _STAMP :] if age <= BUTTON_LIFE else None

    def _mac(self, body: str, chat: str) -> str:
        said = f"{chat}:{body}".encode("utf-8", "surrogatepass")
        keyed = blake2b(said, key=self._key, digest_size=9)
        return urlsafe_b64encode(keyed.digest()).decode("ascii")


def button_id(data: str) -> str:
    """Return what tells one button from every other."""
    return data[:_MAC]


def load_signer(path: Path, *, limit: int) -> ButtonSigner:
    """Return the seal whose key is in a file, made when first asked, for the owner only.

    Raises :class:`StoreUnwritable`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            key = path.read_bytes()
        except FileNotFoundError:
            key = b""
        if len(key) != _KEY_BYTES:
            key = secrets.token_bytes(_KEY_BYTES)
            written = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(written, "wb") as file:
                file.write(key)
        path.chmod(0o600)
    except OSError as error:
        raise StoreUnwritable(f"cannot keep {path}: {error.strerror}") from error
    return ButtonSigner(key, limit=limit)


def _minutes(now: datetime) -> int:
    return int(now.timestamp() // 60)
