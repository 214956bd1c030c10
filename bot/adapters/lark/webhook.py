"""Lark events by webhook: signatures, decryption, and each request handled once.

The SDK's own handler is not used. It accepts a request of any age and one that is signed but not
encrypted, knows header names in one spelling only, and answers with the text of its errors.
"""

import hmac
import json
import re
from base64 import b64decode
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from importlib import import_module
from typing import Any, Final, Never

from bot.adapters.incoming import Acknowledger, HandleEvent
from bot.web import RequestHead, WebAnswer, WebServer
from memory.errors import StoreError
from memory.ports import Clock

_BLOCK: Final = 16


def signature(timestamp: str, nonce: str, key: str, body: bytes) -> str:
    """Return the value that ``X-Lark-Signature`` must have."""
    return sha256(f"{timestamp}{nonce}{key}".encode() + body).hexdigest()


def is_signed(offered: str, timestamp: str, nonce: str, key: str, body: bytes) -> bool:
    """Whether a request is signed with the key."""
    # In constant time: the duration must not tell how much of a guess was right.
    expected = signature(timestamp, nonce, key, body)
    return hmac.compare_digest(offered.encode("utf-8", "surrogatepass"), expected.encode())


def decrypted(encrypted: str, key: str) -> bytes:
    """Return the plain text of a field ``encrypt``; raises ValueError if the key is another.

    Lark's scheme is AES-256-CBC with the initial vector in front, padded by PKCS#7, all in base64.
    """
    # Loaded when first needed: it is large, and most people never use a webhook.
    ciphers: Any = import_module("cryptography.hazmat.primitives.ciphers")
    padding: Any = import_module("cryptography.hazmat.primitives.padding")

    data = b64decode(encrypted, validate=True)
    vector, blocks = data[:_BLOCK], data[_BLOCK:]
    if not blocks or len(blocks) % _BLOCK:
        raise ValueError("no whole blocks")
    cipher = ciphers.Cipher(
        ciphers.algorithms.AES(sha256(key.encode()).digest()), ciphers.modes.CBC(vector)
    )
    decryptor = cipher.decryptor()
    unpadder = padding.PKCS7(8 * _BLOCK).unpadder()
    padded = decryptor.update(blocks) + decryptor.finalize()
    plain: bytes = unpadder.update(padded) + unpadder.finalize()
    return plain


FRESH_SECONDS: Final = 300.0
"""How far a request's time may be from this machine's, either way, to be believed."""

REMEMBERED_SIGNATURES: Final = 10_000
"""How many signatures are remembered against replays: more than come while one is fresh."""

TIMESTAMP: Final = b"x-lark-request-timestamp"

NONCE: Final = b"x-lark-request-nonce"

SIGNATURE: Final = b"x-lark-signature"

_SECONDS: Final = re.compile(r"[0-9]{1,12}", re.ASCII)

_FORBIDDEN: Final = WebAnswer(HTTPStatus.FORBIDDEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class LarkWebhook:
    """Where to listen for what Lark pushes, and the secrets that prove it is Lark."""

    path: str
    bind: str
    encrypt_key: str
    verification_token: str


class LarkWebhookHandler:
    """Handle what Lark pushes."""

    def __init__(self, webhook: LarkWebhook, handle: HandleEvent, clock: Clock) -> None:
        self.acknowledger: Final = Acknowledger()
        self.path: Final = webhook.path
        self.method: Final = "POST"
        # The signature is about the body.
        self.proven_by_head: Final = False
        self._webhook = webhook
        self._handle_event = handle
        self._clock = clock
        self._seen_signatures: OrderedDict[bytes, None] = OrderedDict()

    def refusal(self, head: RequestHead) -> HTTPStatus | None:
        """Refuse nothing yet: the signature is about the body."""
        del head
        return None

    async def handle(self, head: RequestHead, body: bytes) -> WebAnswer:
        """Have an event kept; 503 makes Lark push it again, 200 for a broken one does not."""
        document = self._document(body)
        if document is None:
            return _FORBIDDEN
        # Asked when the address is entered in the developer console; it comes without signature.
        if document.get("type") == "url_verification":
            return _json_response({"challenge": str(document.get("challenge", ""))})
        if not self._is_proven(head, body):
            return _FORBIDDEN
        return await self._handle_once(document, head.header(SIGNATURE) or b"")

    async def _handle_once(self, document: dict[str, Any], proof: bytes) -> WebAnswer:
        if proof in self._seen_signatures:
            return _FORBIDDEN
        # Noted before it is handled: of two at the same time only one is let through.
        self._seen_signatures[proof] = None
        if len(self._seen_signatures) > REMEMBERED_SIGNATURES:
            self._seen_signatures.popitem(last=False)
        try:
            answer = await self.acknowledger.handle_or_skip(
                "an event", lambda: self._handle_event(document)
            )
        except (StoreError, TimeoutError):
            # It was not kept, so Lark's repetition must not look like a replay.
            self._seen_signatures.pop(proof, None)
            return WebAnswer(HTTPStatus.SERVICE_UNAVAILABLE)
        return _json_response(answer or {})

    def _document(self, body: bytes) -> dict[str, Any] | None:
        """Return what was pushed; None unless it was encrypted with the key and has the token.

        Only the verification of the address may come unencrypted, and even that has the token.
        """
        outer = _json_object(body)
        encrypted = outer.get("encrypt")
        document = self._decrypted_object(encrypted) if isinstance(encrypted, str) else outer
        if not self._knows_token(document):
            return None
        is_verification = document.get("type") == "url_verification"
        return document if encrypted or is_verification else None

    def _decrypted_object(self, encrypted: str) -> dict[str, Any]:
        try:
            return _json_object(decrypted(encrypted, self._webhook.encrypt_key))
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
        """Whether Lark signed this body, and did so a moment ago."""
        given = [head.header(each) for each in (SIGNATURE, TIMESTAMP, NONCE)]
        if None in given:
            return False
        proof, timestamp, nonce = (str(each, "latin-1") for each in given if each is not None)
        if not is_signed(proof, timestamp, nonce, self._webhook.encrypt_key, body):
            return False
        if not _SECONDS.fullmatch(timestamp):
            return False
        return abs(self._clock.now().timestamp() - int(timestamp)) <= FRESH_SECONDS


async def serve_webhook(
    web: WebServer, webhook: LarkWebhook, handle: HandleEvent, clock: Clock
) -> Never:
    """Take what Lark pushes until cancelled; raises as :meth:`WebServer.serve`."""
    site = LarkWebhookHandler(webhook, handle, clock)
    await web.serve(webhook.bind, site, setting="LARK_WEBHOOK_BIND")


def _json_object(text: bytes) -> dict[str, Any]:
    """Return the object in a JSON text; an empty one for everything else."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _json_response(document: object) -> WebAnswer:
    return WebAnswer(HTTPStatus.OK, json.dumps(document).encode())
