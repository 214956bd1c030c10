"""Calls to Lark's open interface.

The app's token, requests, and what answers mean in our own errors.
"""

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from types import TracebackType
from typing import Any, Final, Self, TypeAlias
from urllib.parse import quote

from bot.adapters.calls import (
    ChatUnavailable,
    PlatformError,
    PlatformUnreachable,
    RateLimited,
    RequestRejected,
    TokenRefused,
)
from bot.adapters.lark.sdk import SdkRequest, SdkResponse, SdkTransport
from bot.timing import LoopTimer, Timer

RATE_LIMIT_SECONDS: Final = 1.0
"""So long she waits where the platform does not say how long."""

_RATE_LIMIT_CODES: Final = frozenset({99991400, 11232, 230020})

_TOKEN_EXPIRED_CODES: Final = frozenset({99991663, 99991664, 99991671, 99991677})

_UNKNOWN_APP_CODES: Final = frozenset({10003, 10012, 10013, 10014, 10015, 99991543})

_CHAT_UNAVAILABLE_CODES: Final = frozenset({230002, 230013, 230018, 230035, 230038, 232009})

_WITHDRAWN_CODES: Final = frozenset({230011, 230050, 230110, 230111})

_BUSY_CODES: Final = frozenset({230049})
"""The same message is being sent this moment."""


class MessageWithdrawn(RequestRejected):
    """The message that is answered or changed is there no more."""


class TokenExpired(PlatformError):
    """The token is not taken any more, or never was."""


def raise_for_error(answer: SdkResponse) -> None:
    """Raise what an answer means, if it is a refusal; a file is none."""
    code = _error_code(answer)
    if answer.status == 429 or code in _RATE_LIMIT_CODES:  # noqa: PLR2004
        raise RateLimited(_retry_after_seconds(answer))
    if answer.status >= 500 or code in _BUSY_CODES:  # noqa: PLR2004
        raise PlatformUnreachable(f"status {answer.status}")
    if code in _TOKEN_EXPIRED_CODES:
        raise TokenExpired
    if code:
        raise _error_for_code(code)
    if answer.status >= 400:  # noqa: PLR2004
        # An error page that something in between made is no answer of Lark's.
        raise PlatformUnreachable(f"status {answer.status}")


def _error_for_code(code: int) -> PlatformError:
    said = f"code {code}"
    if code in _UNKNOWN_APP_CODES:
        return TokenRefused(said)
    if code in _CHAT_UNAVAILABLE_CODES:
        return ChatUnavailable(said)
    return (
        MessageWithdrawn(said, code=code)
        if code in _WITHDRAWN_CODES
        else RequestRejected(said, code=code)
    )


def _error_code(answer: SdkResponse) -> int:
    """Return the code of an answer; 0 for one that has none, as a file."""
    if not answer.content.startswith(b"{"):
        return 0
    try:
        code = parse_json_object(answer).get("code")
    except PlatformUnreachable:
        return 0
    return code if isinstance(code, int) else 0


def parse_json_object(answer: SdkResponse) -> dict[str, Any]:
    """Return the object an answer is; raises :class:`Away` for one that is none."""
    try:
        told = json.loads(answer.content)
    except (ValueError, RecursionError):
        raise PlatformUnreachable("an answer that is no JSON") from None
    if not isinstance(told, dict):
        raise PlatformUnreachable("an answer that is no object")
    return told


def _retry_after_seconds(answer: SdkResponse) -> float:
    """Return how long to wait, as far as the platform says."""
    for name in ("x-ogw-ratelimit-reset", "retry-after"):
        try:
            told = float(answer.headers.get(name, ""))
        except ValueError:
            continue
        if math.isfinite(told) and told > 0:
            return told
    return RATE_LIMIT_SECONDS


MARGIN_SECONDS: Final = 600.0
"""So long before its end a token is used no more; one of a shorter life, after half of it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and for how many ``seconds`` from now it is good."""

    value: str
    seconds: float


FetchToken: TypeAlias = Callable[[], Awaitable[Token]]


class TokenCache:
    """Keep a token; whoever waits while it is being fetched shares how that ends."""

    def __init__(self, fetch: FetchToken, timer: Timer) -> None:
        self._fetch = fetch
        self._timer = timer
        self._lock = asyncio.Lock()
        self._value = ""
        self._until = 0.0
        self._attempts = 0
        self._failure: PlatformError | None = None

    async def get(self) -> str:
        """Return a token that is good for a while; raises :class:`Trouble`."""
        if self._is_good():
            return self._value
        attempts = self._attempts
        async with self._lock:
            if not self._is_good():
                if self._failure is not None and self._attempts != attempts:
                    raise self._failure
                await self._renew()
            return self._value

    def discard(self, token: str) -> None:
        """Forget a token that the platform does not take, unless it was replaced already."""
        if token == self._value:
            self._value = ""

    def _is_good(self) -> bool:
        return bool(self._value) and self._timer.now() < self._until

    async def _renew(self) -> None:
        began = self._timer.now()
        try:
            fetched = await self._fetch()
        except PlatformError as error:
            self._failure = error
            raise
        else:
            self._failure = None
            margin = min(MARGIN_SECONDS, fetched.seconds / 2)
            self._value, self._until = fetched.value, began + fetched.seconds - margin
        finally:
            self._attempts += 1


CALL_SECONDS: Final = 10.0
"""So long an answer may take."""

_ISSUE_PATH: Final = "/open-apis/auth/v3/tenant_access_token/internal"


def route(*parts: str) -> str:
    """Return the path of a call; a part can only be one step of it.

    >>> route("im", "v1", "messages", "om_1", "reply")
    '/open-apis/im/v1/messages/om_1/reply'
    """
    return "/open-apis/" + "/".join(quote(part, safe="") for part in parts)


class LarkApi:
    """The calls of one app."""

    def __init__(self, transport: SdkTransport, identity: Mapping[str, str], timer: Timer) -> None:
        self.transport = transport
        self._identity = identity
        self._tokens = TokenCache(self._fetch_token, timer)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.disconnect()

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the ``data`` of what Lark answers, or what it says beside the code.

        Raises :class:`Trouble`.
        """

        def question(token: str) -> SdkRequest:
            return SdkRequest(method=method, path=path, query=query or {}, body=body, token=token)

        told = parse_json_object(await self._send(question))
        data = told.pop("data", None)
        return data if isinstance(data, dict) else told

    async def verify_secret(self) -> None:
        """Raise :class:`TokenRefused` if Lark does not know the app by its secret."""
        await self._fetch_token()

    async def upload_picture(self, picture: bytes) -> str:
        """Return the key of a picture, uploaded to be shown in messages."""
        kind = {"image_type": "message"}
        return await self._upload_data("image", kind, picture)

    async def upload_file(self, name: str, data: bytes) -> str:
        """Return the key of a file, uploaded to be sent."""
        kind = {"file_type": "stream", "file_name": name}
        return await self._upload_data("file", kind, data)

    async def download(
        self, path: str, *, query: Mapping[str, str] | None = None, limit: int
    ) -> bytes | None:
        """Return a file; None if it is larger than ``limit``."""

        def question(token: str) -> SdkRequest:
            return SdkRequest(method="GET", path=path, query=query or {}, token=token, large=True)

        answer = await self._send(question)
        return answer.content if len(answer.content) <= limit else None

    async def disconnect(self) -> None:
        """Let every connection go."""
        await self.transport.close()

    async def _upload_data(self, what: str, about: Mapping[str, str], data: bytes) -> str:
        path = route("im", "v1", f"{what}s")

        def question(token: str) -> SdkRequest:
            # A file that was read is at its end: each attempt has its own.
            body = {**about, what: BytesIO(data)}
            return SdkRequest(method="POST", path=path, body=body, token=token, large=True)

        told = parse_json_object(await self._send(question)).get("data")
        key = told.get(f"{what}_key") if isinstance(told, dict) else None
        if not isinstance(key, str):
            raise PlatformUnreachable("an upload without a key")
        return key

    async def _send(self, question: Callable[[str], SdkRequest]) -> SdkResponse:
        """Return an answer that is no refusal; a token that is over is renewed once."""
        try:
            return await self._send_once(question)
        except TokenExpired:
            pass
        try:
            return await self._send_once(question)
        except TokenExpired:
            raise PlatformUnreachable("a new token is refused") from None

    async def _send_once(self, question: Callable[[str], SdkRequest]) -> SdkResponse:
        token = await self._tokens.get()
        answer = await self.transport.send(question(token))
        try:
            raise_for_error(answer)
        except TokenExpired:
            self._tokens.discard(token)
            raise
        return answer

    async def _fetch_token(self) -> Token:
        asked = SdkRequest(method="POST", path=_ISSUE_PATH, body=self._identity)
        answer = await self.transport.send(asked)
        raise_for_error(answer)
        told = parse_json_object(answer)
        token, seconds = told.get("tenant_access_token"), told.get("expire")
        if not isinstance(token, str) or not token or not isinstance(seconds, int):
            raise PlatformUnreachable("an answer without a token")
        return Token(token, seconds)


def lark_api(
    app_id: str,
    app_secret: str,
    domain: str,
    *,
    seconds: float = CALL_SECONDS,
    timer: Timer | None = None,
) -> LarkApi:
    """Return the interface of an app at a domain such as ``https://open.feishu.cn``."""
    wire = SdkTransport(app_id, app_secret, domain, seconds=seconds)
    return LarkApi(wire, {"app_id": app_id, "app_secret": app_secret}, timer or LoopTimer())
