"""How Lark proves that a push is its own, and how it hides what is inside."""

import hmac
from base64 import b64decode
from hashlib import sha256
from typing import Final

_BLOCK: Final = 16


def signature(timestamp: str, nonce: str, key: str, body: bytes) -> str:
    """Return what ``X-Lark-Signature`` has to be."""
    return sha256(f"{timestamp}{nonce}{key}".encode() + body).hexdigest()


def is_signed(offered: str, timestamp: str, nonce: str, key: str, body: bytes) -> bool:
    """Say whether a push is signed with the key, in a time that tells nothing about it."""
    expected = signature(timestamp, nonce, key, body)
    return hmac.compare_digest(offered.encode("utf-8", "surrogatepass"), expected.encode())


def decrypted(sealed: str, key: str) -> bytes:
    """Return the text of ``encrypt``: AES-256-CBC, its vector in front, padded by PKCS#7.

    Raises :class:`ValueError` for what was not encrypted with the key.
    """
    # Loaded when first needed: it is large, and most people never use a webhook.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # noqa: PLC0415
    from cryptography.hazmat.primitives.padding import PKCS7  # noqa: PLC0415

    data = b64decode(sealed, validate=True)
    vector, hidden = data[:_BLOCK], data[_BLOCK:]
    if not hidden or len(hidden) % _BLOCK:
        raise ValueError("no whole blocks")
    cipher = Cipher(algorithms.AES(sha256(key.encode()).digest()), modes.CBC(vector))
    decryptor = cipher.decryptor()
    unpadder = PKCS7(8 * _BLOCK).unpadder()
    padded = decryptor.update(hidden) + decryptor.finalize()
    return unpadder.update(padded) + unpadder.finalize()
