"""How the platform encrypts and signs what it pushes to a webhook."""

import base64
import hashlib
import json
import os
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

BLOCK = 16


def encrypted(text: str, key: str, *, iv: bytes | None = None) -> str:
    """AES-256-CBC under SHA-256 of the key, PKCS7, the vector in front, base64."""
    vector = os.urandom(BLOCK) if iv is None else iv
    data = text.encode()
    gap = BLOCK - len(data) % BLOCK
    cipher = Cipher(algorithms.AES(hashlib.sha256(key.encode()).digest()), modes.CBC(vector))
    encryptor = cipher.encryptor()
    sealed = encryptor.update(data + bytes([gap]) * gap) + encryptor.finalize()
    return base64.b64encode(vector + sealed).decode()


def signature(timestamp: str, nonce: str, key: str, body: bytes) -> str:
    return hashlib.sha256(f"{timestamp}{nonce}{key}".encode() + body).hexdigest()


def sealed_request(text: str, key: str) -> bytes:
    return json.dumps({"encrypt": encrypted(text, key)}).encode()


def request(
    document: dict[str, Any], key: str, *, timestamp: str, nonce: str
) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a push."""
    text = json.dumps(document, ensure_ascii=False)
    body = sealed_request(text, key) if key else text.encode()
    headers = {"Content-Type": "application/json; charset=utf-8"}
    if key:
        headers |= {
            "X-Lark-Request-Timestamp": timestamp,
            "X-Lark-Request-Nonce": nonce,
            "X-Lark-Signature": signature(timestamp, nonce, key, body),
        }
    return body, headers
