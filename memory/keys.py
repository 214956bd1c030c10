"""The key file: where it may stand, who may read it, and how a new key comes into it."""

import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from memory.errors import InputRefused

KEY_BYTES: Final = 32

_OTHERS: Final = 0o077
_HEX_DIGITS: Final = 2 * KEY_BYTES


class Keys:
    """The keys of one key file, newest first: the first one seals, each of them opens.

    A file is 32 bytes as they are, or one key a line in base64 or hexadecimal digits, such as
    ``openssl rand -base64 32`` writes; empty lines and lines after ``#`` do not count.
    """

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        self._by_name = {key_name(key): key for key in keys}
        self.newest = next(iter(self._by_name), "")

    def __len__(self) -> int:
        """Return how many keys there are; none if the key file is missing."""
        return len(self._by_name)

    def of(self, name: str) -> bytes | None:
        """Return the key of that name."""
        return self._by_name.get(name)

    @classmethod
    def read(cls, path: Path, *, data: Path) -> "Keys":
        """Return the keys of a file; none if there is no such file.

        Raises :class:`InputRefused` for a file inside the data folder ``data``, one that others
        may read, one that belongs to somebody else, and one that holds no key.
        """
        _refuse_inside(path, data)
        try:
            about = path.stat()
            written = path.read_bytes()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise InputRefused(f"key file {path} cannot be read: {error.strerror}") from error
        if about.st_uid != os.geteuid():
            raise InputRefused(f"key file {path} belongs to somebody else: make it your own")
        if about.st_mode & _OTHERS:
            raise InputRefused(f"key file {path} is open to others: chmod 600 {path}")
        return cls(_read_keys(written, path))

    @classmethod
    def create(cls, path: Path, *, data: Path) -> "Keys":
        """Make a key file with one new key, mode 0600; raises :class:`InputRefused`.

        A file that is there already is never written over.
        """
        _refuse_inside(path, data)
        keys = cls([secrets.token_bytes(KEY_BYTES)])
        keys._write(path)
        return keys

    def add_new_key(self, path: Path) -> "Keys":
        """Put a new key before the others in the file and return them all."""
        return self._rewrite(path, [secrets.token_bytes(KEY_BYTES), *self._by_name.values()])

    def keep_only_newest(self, path: Path) -> "Keys":
        """Leave nothing but the newest key in the file and return it."""
        return self._rewrite(path, list(self._by_name.values())[:1])

    def _rewrite(self, path: Path, keys: Sequence[bytes]) -> "Keys":
        """Replace the file all or nothing."""
        new = Keys(keys)
        beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            new._write(beside)
            beside.replace(path)
        except OSError as error:
            raise InputRefused(f"key file {path} cannot be written: {error.strerror}") from error
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        return new

    def _write(self, path: Path) -> None:
        text = b"".join(b64encode(key) + b"\n" for key in self._by_name.values())
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError as error:
            raise InputRefused(f"{path} is there already: a key is never written over") from error
        except OSError as error:
            raise InputRefused(f"key file {path} cannot be made: {error.strerror}") from error
        try:
            os.write(descriptor, text)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def key_name(key: bytes) -> str:
    """Return the name of a key: a digest that tells nothing about it."""
    return sha256(b"xiaoxiang key " + key).hexdigest()[:16]


def _refuse_inside(path: Path, data: Path) -> None:
    if path.resolve().is_relative_to(data.resolve()):
        raise InputRefused(
            f"key file {path} is inside the data folder, where whoever takes the memories would"
            " take it along: keep it elsewhere"
        )


def _read_keys(written: bytes, path: Path) -> list[bytes]:
    if len(written) == KEY_BYTES:
        return [written]
    lines = (line.split(b"#")[0].strip() for line in written.splitlines())
    keys = [_read_key(line, path) for line in lines if line]
    if not keys:
        raise InputRefused(f"key file {path} holds no key")
    return keys


def _read_key(line: bytes, path: Path) -> bytes:
    with suppress(ValueError):
        decode = bytes.fromhex(line.decode()) if len(line) == _HEX_DIGITS else b64decode(line)
        if len(decode) == KEY_BYTES:
            return decode
    raise InputRefused(f"key file {path} holds a line that is no key of {KEY_BYTES} bytes")
