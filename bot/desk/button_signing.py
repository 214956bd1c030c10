"""Signed button data: nobody can forge a button, move it to another chat, or use it twice.

A button holds the whole command that pressing it gives, the minute it was made, a nonce, and a
keyed digest of these and of the chat. Pressing it is giving the command: with the same rights, and
through the same ledger, which knows each button by its digest and so accepts it once.
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
"""How long a button works; the ledger remembers for longer what was pressed."""

_KEY_BYTES: Final = 32
# In characters. Telegram allows 64 bytes of button data, so every part is as short as is safe: 9
# bytes of digest and 3 of nonce in base64, and the minute in hexadecimal.
_MAC: Final = 12
_NONCE: Final = 4
_STAMP: Final = 8

SIGNATURE_LENGTH: Final = _MAC + _NONCE + _STAMP
"""How many characters of the data are not the command."""


class ButtonSigner:
    """Turns commands into button data and back; ``limit`` is how many bytes the data may have."""

    def __init__(self, key: bytes, *, limit: int) -> None:
        self._key = key
        self._limit = limit

    def sign(self, command: str, chat: str, now: datetime) -> str | None:
        """Return the data of a button for that chat; None if the command is too long for one."""
        if len(command.encode()) > self._limit - SIGNATURE_LENGTH:
            return None
        nonce = secrets.token_urlsafe(3)
        body = f"{nonce}{_minutes(now):0{_STAMP}x}{command}"
        return self._mac(body, chat) + body

    def verify(self, data: str, chat: str, now: datetime) -> str | None:
        """Return the command of a button; None if it is forged, from another chat, or too old."""
        mac, body = data[:_MAC], data[_MAC:]
        expected = self._mac(body, chat)
        # The data may hold anything a client sends, lone surrogates included. The time of the
        # comparison must not tell how many characters were right.
        if not hmac.compare_digest(mac.encode("utf-8", "surrogatepass"), expected.encode()):
            return None
        made = int(body[_NONCE : _NONCE + _STAMP], 16)
        age = timedelta(minutes=_minutes(now) - made)
        return body[_NONCE + _STAMP :] if age <= BUTTON_LIFE else None

    def _mac(self, body: str, chat: str) -> str:
        signed = f"{chat}:{body}".encode("utf-8", "surrogatepass")
        keyed = blake2b(signed, key=self._key, digest_size=9)
        return urlsafe_b64encode(keyed.digest()).decode("ascii")


def button_id(data: str) -> str:
    """Return the id of a button, which no other button has."""
    return data[:_MAC]


def load_signer(path: Path, *, limit: int) -> ButtonSigner:
    """Return a signer with the key in a file, which is made if it is not there (mode 0600).

    Raises :class:`StoreUnwritable`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
    except OSError as error:
        raise StoreUnwritable(f"cannot keep {path}: {error.strerror}") from error
    return ButtonSigner(key, limit=limit)


def _minutes(now: datetime) -> int:
    return int(now.timestamp() // 60)
