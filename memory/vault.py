"""The vault: what must be secret is encrypted, and shown to nobody but its owner (DESIGN §8).

AES-256-GCM with a random nonce of 96 bits. Agent, memory and version are authenticated with the
text, so a sealed memory cannot be altered, moved to another place or taken back to a former text.
The keys stand in a file outside the data folder. Without them nothing is lost: what is sealed
stays sealed until they are there again.
"""

import json
import secrets
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from memory.errors import InputRefused
from memory.keys import Keys
from memory.model import Memory, Sealed, Sensitivity
from memory.settings import Language

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

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
            raise InputRefused("there is no key to seal with: set MEMORY_KEY_FILE")
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
        shut = self.seal(plain, "zh")
        return replace(memory, sealed=shut.sealed)

    def _associated_data(self, memory_id: int, version: int) -> bytes:
        """Return what is authenticated with the text: whose it is, which one and how new."""
        return f"{self._agent_id}|{memory_id}|{version}".encode()


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
