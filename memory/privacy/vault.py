"""The vault: what must be secret is encrypted with the keys of a file outside the data folder.

AES-256-GCM with a random nonce of 96 bits. Agent, memory and version are authenticated with the
text, so a sealed memory cannot be altered, moved to another place or taken back to a former text.
Without the keys nothing is lost: what is sealed stays sealed until they are there again.
"""

import json
import os
import secrets
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memory import refusals
from memory.errors import InputRefused
from memory.model import Language, Memory, Sealed, Sensitivity
from memory.refusals import said_by_system

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM


KEY_BYTES: Final = 32

_OTHERS: Final = 0o077
"""The permissions of a file's group and of everybody else."""

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
            raise InputRefused(
                refusals.KEY_UNREADABLE, file=path, why=said_by_system(error)
            ) from error
        if about.st_uid not in _owners(data):
            raise InputRefused(refusals.KEY_FOREIGN, file=path)
        if about.st_mode & _OTHERS:
            raise InputRefused(refusals.KEY_OPEN, file=path)
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
            raise InputRefused(
                refusals.KEY_UNWRITABLE, file=path, why=said_by_system(error)
            ) from error
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        return new

    def _write(self, path: Path) -> None:
        text = b"".join(b64encode(key) + b"\n" for key in self._by_name.values())
        try:
            # Mode and O_EXCL at once: at no moment could others read it, nor is a link followed.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError as error:
            raise InputRefused(refusals.KEY_EXISTS, file=path) from error
        except OSError as error:
            raise InputRefused(
                refusals.KEY_NOT_MADE, file=path, why=said_by_system(error)
            ) from error
        try:
            os.write(descriptor, text)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def key_name(key: bytes) -> str:
    """Return the name of a key: a digest that tells nothing about it."""
    return sha256(b"xiaoxiang key " + key).hexdigest()[:16]


def _owners(data: Path) -> set[int]:
    """Return whose the key may be: who runs the program, and beside root whoever has the data."""
    mine = os.geteuid()
    if mine != 0:
        return {mine}
    place = data.absolute()
    there = next(each for each in (place, *place.parents) if each.exists())
    return {mine, there.stat().st_uid}


def _refuse_inside(path: Path, data: Path) -> None:
    if path.resolve().is_relative_to(data.resolve()):
        raise InputRefused(refusals.KEY_IN_DATA, file=path)


def _read_keys(written: bytes, path: Path) -> list[bytes]:
    if len(written) == KEY_BYTES:
        return [written]
    lines = (line.split(b"#")[0].strip() for line in written.splitlines())
    keys = [_read_key(line, path) for line in lines if line]
    if not keys:
        raise InputRefused(refusals.KEY_EMPTY, file=path)
    return keys


def _read_key(line: bytes, path: Path) -> bytes:
    with suppress(ValueError):
        decode = bytes.fromhex(line.decode()) if len(line) == _HEX_DIGITS else b64decode(line)
        if len(decode) == KEY_BYTES:
            return decode
    raise InputRefused(refusals.KEY_BROKEN, file=path, bytes=KEY_BYTES)


NONCE_BYTES: Final = 12

PLACEHOLDER: Final[dict[Language, str]] = {"zh": "［已封存］", "en": "[sealed]"}
"""What a sealed memory says to everybody else."""


class UnsealFailure(Enum):
    """Why a sealed memory stays shut. It is still there in every case."""

    NO_KEY = "no_key"
    OTHER_KEY = "other_key"
    TAMPERED = "tampered"


class Vault:
    """Seals and opens the secret memories of one agent."""

    def __init__(self, keys: Keys, agent_id: str) -> None:
        self._keys = keys
        self._agent_id = agent_id

    @property
    def can_seal(self) -> bool:
        """Whether there is a key."""
        return len(self._keys) > 0

    def seal(self, memory: Memory, language: Language) -> Memory:
        """Return the memory with its words, quote and passages encrypted and out of sight.

        Raises :class:`InputRefused` without a key. Sealing again gives a new version.
        """
        key = self._keys.of(self._keys.newest)
        if key is None:
            raise InputRefused(refusals.NO_KEY)
        version = memory.sealed.version + 1 if memory.sealed else 1
        nonce = secrets.token_bytes(NONCE_BYTES)
        box = nonce + _cipher(key).encrypt(
            nonce, _texts(memory), self._associated_data(memory.id, version)
        )
        return replace(
            memory,
            words=replace(memory.words, text=PLACEHOLDER[language], phrase="", keywords=()),
            nature=replace(memory.nature, sensitivity=Sensitivity.SECRET),
            origin=replace(memory.origin, quote=""),
            passages=tuple(replace(passage, text="") for passage in memory.passages),
            sealed=Sealed(key=self._keys.newest, version=version, box=b64encode(box).decode()),
        )

    def open(self, memory: Memory) -> Memory | UnsealFailure:
        """Return the memory as it was before it was sealed, or why it stays shut.

        A memory that is not sealed comes back as it is. What is returned is for its owner's eyes
        and must not be stored.
        """
        sealed = memory.sealed
        if sealed is None:
            return memory
        key = self._keys.of(sealed.key)
        if key is None:
            return UnsealFailure.OTHER_KEY if self.can_seal else UnsealFailure.NO_KEY
        texts = _decrypted(key, sealed.box, self._associated_data(memory.id, sealed.version))
        if texts is None or len(texts["passages"]) != len(memory.passages):
            return UnsealFailure.TAMPERED
        words = replace(
            memory.words,
            text=texts["text"],
            phrase=texts["phrase"],
            keywords=tuple(texts["keywords"]),
        )
        passages = zip(memory.passages, texts["passages"], strict=True)
        return replace(
            memory,
            words=words,
            origin=replace(memory.origin, quote=texts["quote"]),
            passages=tuple(replace(passage, text=text) for passage, text in passages),
        )

    def resealed(self, memory: Memory) -> Memory | None:
        """Return the memory sealed with the newest key; None if it is so already or stays shut."""
        if memory.sealed is None or memory.sealed.key == self._keys.newest:
            return None
        plain = self.open(memory)
        if isinstance(plain, UnsealFailure):
            return None
        # The language only words the placeholder, of which nothing is taken over.
        shut = self.seal(plain, "zh")
        return replace(memory, sealed=shut.sealed)

    def _associated_data(self, memory_id: int, version: int) -> bytes:
        """Return what is authenticated with the text: whose it is, which one and how new."""
        return f"{self._agent_id}|{memory_id}|{version}".encode()


def count_shut(memories: Iterable[Memory], keys: Keys | None) -> int:
    """Return how many sealed memories none of the keys opens."""
    names = (each.sealed.key for each in memories if each.sealed is not None)
    return sum(keys is None or keys.of(name) is None for name in names)


def _texts(memory: Memory) -> bytes:
    words = memory.words
    texts = {
        "text": words.text,
        "phrase": words.phrase,
        "keywords": words.keywords,
        "quote": memory.origin.quote,
        "passages": [passage.text for passage in memory.passages],
    }
    return json.dumps(texts).encode()


def _decrypted(key: bytes, box: str, place: bytes) -> dict[str, Any] | None:
    """Return the texts in a box; None if anything about it is not as it was sealed."""
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - see _cipher

    try:
        sealed = b64decode(box, validate=True)
        # base64 ignores the unused bits of its last character: another box, the same bytes.
        if b64encode(sealed).decode() != box or len(sealed) < NONCE_BYTES:
            return None
        plain = _cipher(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place)
    except (NotBase64, ValueError, InvalidTag):
        return None
    texts: dict[str, Any] = json.loads(plain)
    return texts


def _cipher(key: bytes) -> "AESGCM":
    # Half a tenth of a second to import, which only those pay who keep secrets.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

    return AESGCM(key)
