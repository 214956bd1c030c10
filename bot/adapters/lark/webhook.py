"""Hearing by webhook: only what Lark signed just now is believed, and 200 only for what is kept.

The SDK's own handler takes a ten-year-old request, one that is signed but not encrypted, header
names in one spelling only, and answers with the text of the error (libraries.md, 2.7): so none of
it is used here.
"""

import hmac
import json
import re
from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from bot.adapters.lark.crypto import decrypted, signed
from bot.adapters.taking import Keeper, Take
from bot.adapters.webhook import Answer, Head, WebhookServer
from memory.errors import StoreError
from memory.ports import Clock

FRESH_SECONDS: Final = 300.0
"""A request from longer ago, or from further ahead, is not believed."""

REPLAYS: Final = 10_000
"""So many requests are remembered as heard; more than come within the time they are fresh."""

TIMESTAMP: Final = b"x-lark-request-timestamp"
NONCE: Final = b"x-lark-request-nonce"
SIGNATURE: Final = b"x-lark-signature"
_SECONDS: Final = re.compile(r"[0-9]{1,12}", re.ASCII)
_FORBIDDEN: Final = Answer(HTTPStatus.FORBIDDEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Where we listen for what Lark pushes, and what it proves itself with."""

    path: str
    bind: str
    encrypt_key: str
    verification_token: str


class LarkGate:
    """Take what is pushed."""

    def __init__(self, hook: Hook, take: Take, clock: Clock) -> None:
        self.keeper: Final = Keeper()
        self.path: Final = hook.path
        self._hook = hook
        self._take = take
        self._clock = clock
        self._heard: OrderedDict[bytes, None] = OrderedDict()

    def refusal(self, head: Head) -> HTTPStatus | None:
        """Refuse nothing yet: the proof is about the body."""
        del head
        return None

    async def answer(self, head: Head, body: bytes) -> Answer:
        """Have the event taken; Lark repeats what was not kept, and never what is broken."""
        document = self._document(body)
        if document is None:
            return _FORBIDDEN
        if document.get("type") == "url_verification":
            return _said({"challenge": str(document.get("challenge", ""))})
        if not self._is_proven(head, body):
            return _FORBIDDEN
        return await self._kept(document, head.value(SIGNATURE) or b"")

    async def _kept(self, document: dict[str, Any], proof: bytes) -> Answer:
        if proof in self._heard:
            return _FORBIDDEN
        self._heard[proof] = None
        if len(self._heard) > REPLAYS:
            self._heard.popitem(last=False)
        try:
            answer = await self.keeper.keep("an event", lambda: self._take(document))
        except (StoreError, TimeoutError):
            self._heard.pop(proof, None)
            return Answer(HTTPStatus.SERVICE_UNAVAILABLE)
        return _said(answer or {})

    def _document(self, body: bytes) -> dict[str, Any] | None:
        """Return what was pushed; None for what was not encrypted with the key for us.

        Only the question whether this address is ours may come unencrypted, and even that must
        know the token.
        """
        outer = _object(body)
        sealed = outer.get("encrypt")
        document = self._opened(sealed) if isinstance(sealed, str) else outer
        if not self._knows_token(document):
            return None
        is_question = document.get("type") == "url_verification"
        return document if sealed or is_question else None

    def _opened(self, sealed: str) -> dict[str, Any]:
        try:
            return _object(decrypted(sealed, self._hook.encrypt_key))
        except ValueError:
            return {}

    def _knows_token(self, document: dict[str, Any]) -> bool:
        header = document.get("header")
        offered = (header if isinstance(header, dict) else document).get("token")
        expected = self._hook.verification_token.encode()
        return isinstance(offered, str) and hmac.compare_digest(
            offered.encode("utf-8", "surrogatepass"), expected
        )

    def _is_proven(self, head: Head, body: bytes) -> bool:
        """Say whether Lark signed this, a moment ago."""
        given = [head.value(each) for each in (SIGNATURE, TIMESTAMP, NONCE)]
        if None in given:
            return False
        proof, timestamp, nonce = (str(each, "latin-1") for each in given if each is not None)
        if not signed(proof, timestamp, nonce, self._hook.encrypt_key, body):
            return False
        if not _SECONDS.fullmatch(timestamp):
            return False
        return abs(self._clock.now().timestamp() - int(timestamp)) <= FRESH_SECONDS


def webhook_server(hook: Hook, take: Take, clock: Clock) -> WebhookServer:
    """Return the server Lark pushes to."""
    return WebhookServer(hook.bind, LarkGate(hook, take, clock), setting="LARK_WEBHOOK_BIND")


def _object(text: bytes) -> dict[str, Any]:
    """Return the object a JSON text is, an empty one for everything else."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _said(document: object) -> Answer:
    return Answer(HTTPStatus.OK, json.dumps(document).encode())
