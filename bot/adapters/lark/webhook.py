"""Lark events by webhook: signatures, decryption, and each request handled once.

The SDK's own handler takes a ten-year-old request, one that is signed but not encrypted, header
names in one spelling only, and answers with the text of the error (libraries.md, 2.7): so none of
it is used here.
"""

import hmac
import json
import re
from base64 import b64decode
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from bot.adapters.incoming import Acknowledger, HandleEvent
from bot.adapters.webhook import RequestHead, WebhookResponse, WebhookServer
from memory.errors import StoreError
from memory.ports import Clock

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


FRESH_SECONDS: Final = 300.0
"""A request from longer ago, or from further ahead, is not believed."""

REMEMBERED_SIGNATURES: Final = 10_000
"""So many requests are remembered as heard; more than come within the time they are fresh."""

TIMESTAMP: Final = b"x-lark-request-timestamp"

NONCE: Final = b"x-lark-request-nonce"

SIGNATURE: Final = b"x-lark-signature"

_SECONDS: Final = re.compile(r"[0-9]{1,12}", re.ASCII)

_FORBIDDEN: Final = WebhookResponse(HTTPStatus.FORBIDDEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkWebhook:
    """Where we listen for what Lark pushes, and what it proves itself with."""

    path: str
    bind: str
    encrypt_key: str
    verification_token: str


class LarkWebhookHandler:
    """Take what is pushed."""

    def __init__(self, webhook: LarkWebhook, handle: HandleEvent, clock: Clock) -> None:
        self.acknowledger: Final = Acknowledger()
        self.path: Final = webhook.path
        self._webhook = webhook
        self._handle_event = handle
        self._clock = clock
        self._seen_signatures: OrderedDict[bytes, None] = OrderedDict()

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Refuse nothing yet: the proof is about the body."""
        del head
        return None

    async def handle(self, head: RequestHead, body: bytes) -> WebhookResponse:
        """Have the event taken; Lark repeats what was not kept, and never what is broken."""
        document = self._document(body)
        if document is None:
            return _FORBIDDEN
        if document.get("type") == "url_verification":
            return _json_response({"challenge": str(document.get("challenge", ""))})
        if not self._is_proven(head, body):
            return _FORBIDDEN
        return await self._handle_once(document, head.header(SIGNATURE) or b"")

    async def _handle_once(self, document: dict[str, Any], proof: bytes) -> WebhookResponse:
        if proof in self._seen_signatures:
            return _FORBIDDEN
        self._seen_signatures[proof] = None
        if len(self._seen_signatures) > REMEMBERED_SIGNATURES:
            self._seen_signatures.popitem(last=False)
        try:
            answer = await self.acknowledger.handle_or_skip(
                "an event", lambda: self._handle_event(document)
            )
        except (StoreError, TimeoutError):
            self._seen_signatures.pop(proof, None)
            return WebhookResponse(HTTPStatus.SERVICE_UNAVAILABLE)
        return _json_response(answer or {})

    def _document(self, body: bytes) -> dict[str, Any] | None:
        """Return what was pushed; None for what was not encrypted with the key for us.

        Only the question whether this address is ours may come unencrypted, and even that must
        know the token.
        """
        outer = _json_object(body)
        sealed = outer.get("encrypt")
        document = self._decrypted_object(sealed) if isinstance(sealed, str) else outer
        if not self._knows_token(document):
            return None
        is_question = document.get("type") == "url_verification"
        return document if sealed or is_question else None

    def _decrypted_object(self, sealed: str) -> dict[str, Any]:
        try:
            return _json_object(decrypted(sealed, self._webhook.encrypt_key))
        except ValueError:
            return {}

    def _knows_token(self, document: dict[str, Any]) -> bool:
        header = document.get("header")
        offered = (header if isinstance(header, dict) else document).get("token")
        expected = self._webhook.verification_token.encode()
        return isinstance(offered, str) and hmac.compare_digest(
            offered.encode("utf-8", "surrogatepass"), expected
        )

    def _is_proven(self, head: RequestHead, body: bytes) -> bool:
        """Say whether Lark signed this, a moment ago."""
        given = [head.header(each) for each in (SIGNATURE, TIMESTAMP, NONCE)]
        if None in given:
            return False
        proof, timestamp, nonce = (str(each, "latin-1") for each in given if each is not None)
        if not is_signed(proof, timestamp, nonce, self._webhook.encrypt_key, body):
            return False
        if not _SECONDS.fullmatch(timestamp):
            return False
        return abs(self._clock.now().timestamp() - int(timestamp)) <= FRESH_SECONDS


def webhook_server(webhook: LarkWebhook, handle: HandleEvent, clock: Clock) -> WebhookServer:
    """Return the server Lark pushes to."""
    return WebhookServer(
        webhook.bind, LarkWebhookHandler(webhook, handle, clock), setting="LARK_WEBHOOK_BIND"
    )


def _json_object(text: bytes) -> dict[str, Any]:
    """Return the object a JSON text is, an empty one for everything else."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _json_response(document: object) -> WebhookResponse:
    return WebhookResponse(HTTPStatus.OK, json.dumps(document).encode())
