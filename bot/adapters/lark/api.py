"""Calls to Lark's open interface: the app's token, requests, answers, and the keys of places.

The SDK below neither renews a token nor raises for a refusal; both is done here, so that the rest
of the package only meets the errors of ``bot.adapters.calls``.
"""

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self, TypeAlias
from urllib.parse import quote

from bot.adapters import calls
from bot.adapters.lark.sdk import AppCredentials, SdkRequest, SdkResponse, SdkTransport
from bot.conversation.messages import ConversationKey
from bot.http_limits import may_be_parsed
from bot.tasks import LoopTimer, Timer


@dataclass(frozen=True, slots=True)
class LarkPlace:
    """A chat, and the thread within it if there is one."""

    chat: str
    thread: str = ""


def place_of(conversation: ConversationKey) -> LarkPlace:
    """Return where a conversation is."""
    return LarkPlace(conversation.chat, conversation.thread)


def key_of(message: str, press: str = "") -> str:
    """Return the dedupe key of a message, or of a button press on it: the same every time.

    >>> key_of("om_1"), key_of("om_1", "Zx9")
    ('om_1', 'om_1:Zx9')
    """
    return f"{message}:{press}" if press else message


def stop_key(message: str, press: str) -> str:
    """Return the dedupe key of a press that stops an answer: it uses up no card.

    >>> is_press(stop_key("om_1", "Zx9")), message_of(stop_key("om_1", "Zx9"))
    (False, 'om_1')
    """
    return f"{message}:{press}:stop"


def message_of(key: str) -> str:
    """Return the message a key names, for a press the one with the button; empty if none.

    >>> message_of("om_1"), message_of("om_1:Zx9"), message_of("entered_oc_1")
    ('om_1', 'om_1', '')
    """
    named = key.partition(":")[0]
    return named if named.startswith("om_") else ""


def is_press(key: str) -> bool:
    """Whether a key names the press that used a button up, not one without the right to.

    >>> is_press("om_1:Zx9"), is_press("om_1:Zx9:ou_1"), is_press("om_1")
    (True, False, False)
    """
    return key.count(":") == 1


RATE_LIMIT_SECONDS: Final = 1.0
"""How long to wait after a rate limit where Lark does not say it."""

_RATE_LIMIT_CODES: Final = frozenset({99991400, 11232, 230020})

_TOKEN_EXPIRED_CODES: Final = frozenset({99991663, 99991664, 99991671, 99991677})

_UNKNOWN_APP_CODES: Final = frozenset({10003, 10012, 10013, 10014, 10015, 99991543})

_CHAT_UNAVAILABLE_CODES: Final = frozenset({230002, 230013, 230018, 230035, 230038, 232009})

_WITHDRAWN_CODES: Final = frozenset({230011, 230050, 230110, 230111})

# The same message is being sent at this moment: a retry met the first try.
_BUSY_CODES: Final = frozenset({230049})


class MessageWithdrawn(calls.RequestRejected):
    """The message to reply to or to change no longer exists."""


class TokenExpired(calls.PlatformError):
    """The token is no longer accepted, or never was."""


def raise_for_error(answer: SdkResponse) -> None:
    """Raise the error that an answer stands for; a file or a success raises nothing."""
    code = _error_code(answer)
    # Before the other codes: Lark reports a rate limit with status 429, or with 400 and a code.
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS or code in _RATE_LIMIT_CODES:
        raise calls.RateLimited(_retry_after_seconds(answer))
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or code in _BUSY_CODES:
        raise calls.PlatformUnreachable(f"status {answer.status}")
    if code in _TOKEN_EXPIRED_CODES:
        raise TokenExpired
    if code:
        raise _error_for_code(code)
    if answer.status >= HTTPStatus.BAD_REQUEST:
        # The error page of a proxy on the way is no answer of Lark's.
        raise calls.PlatformUnreachable(f"status {answer.status}")


def _error_for_code(code: int) -> calls.PlatformError:
    text = f"code {code}"
    if code in _UNKNOWN_APP_CODES:
        return calls.TokenRefused(text)
    if code in _CHAT_UNAVAILABLE_CODES:
        return calls.ChatUnavailable(text)
    return (
        MessageWithdrawn(text, code=code)
        if code in _WITHDRAWN_CODES
        else calls.RequestRejected(text, code=code)
    )


def _error_code(answer: SdkResponse) -> int:
    """Return the code of an answer; 0 for success and for what has no code, such as a file."""
    if not answer.content.startswith(b"{"):
        return 0
    try:
        code = parse_json_object(answer).get("code")
    except calls.PlatformUnreachable:
        return 0
    return code if isinstance(code, int) else 0


def parse_json_object(answer: SdkResponse) -> dict[str, Any]:
    """Return the JSON object of an answer; raises :class:`PlatformUnreachable` if it is none."""
    if not may_be_parsed(answer.content):
        raise calls.PlatformUnreachable("an answer that is too large")
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError):
        raise calls.PlatformUnreachable("an answer that is no JSON") from None
    if not isinstance(document, dict):
        raise calls.PlatformUnreachable("an answer that is no object")
    return document


def _retry_after_seconds(answer: SdkResponse) -> float:
    """Return how long to wait, in seconds."""
    for name in ("x-ogw-ratelimit-reset", "retry-after"):
        try:
            seconds = float(answer.headers.get(name, ""))
        except ValueError:
            continue
        # "inf" and "nan" are numbers to float(), and a chat would be silent for ever.
        if math.isfinite(seconds) and seconds > 0:
            return seconds
    return RATE_LIMIT_SECONDS


MARGIN_SECONDS: Final = 600.0
"""How long before its end a token is renewed; one with a shorter life, after half of it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and for how many ``seconds`` from now it is valid."""

    value: str
    seconds: float


FetchToken: TypeAlias = Callable[[], Awaitable[Token]]


class TokenCache:
    """Keep a token; whoever waits while it is being fetched shares the outcome."""

    def __init__(self, fetch: FetchToken, timer: Timer) -> None:
        self._fetch = fetch
        self._timer = timer
        self._lock = asyncio.Lock()
        self._value = ""
        self._until = 0.0
        self._attempts = 0
        self._failure: calls.PlatformError | None = None

    async def get(self) -> str:
        """Return a token that is valid for a while; raises :class:`PlatformError`."""
        if self._is_good():
            return self._value
        attempts = self._attempts
        async with self._lock:
            # Somebody else may have fetched it, or failed to, while this call waited for the lock.
            if not self._is_good():
                if self._failure is not None and self._attempts != attempts:
                    raise self._failure
                await self._renew()
            return self._value

    def discard(self, token: str) -> None:
        """Forget a token that Lark refused, unless it was replaced already."""
        if token == self._value:
            self._value = ""

    def _is_good(self) -> bool:
        return bool(self._value) and self._timer.now() < self._until

    async def _renew(self) -> None:
        # Measured from before the call: how long the answer took is part of the token's life.
        began = self._timer.now()
        try:
            fetched = await self._fetch()
        except calls.PlatformError as error:
            self._failure = error
            raise
        else:
            self._failure = None
            margin = min(MARGIN_SECONDS, fetched.seconds / 2)
            self._value, self._until = fetched.value, began + fetched.seconds - margin
        finally:
            self._attempts += 1


CALL_SECONDS: Final = 10.0
"""How long an answer may take."""

_ISSUE_PATH: Final = "/open-apis/auth/v3/tenant_access_token/internal"


def route(*parts: str) -> str:
    """Return the path of a call; whatever a part contains, it is one segment of the path.

    >>> route("im", "v1", "messages", "om_1", "reply")
    '/open-apis/im/v1/messages/om_1/reply'
    """
    return "/open-apis/" + "/".join(quote(part, safe="") for part in parts)


class LarkApi:
    """The calls of one app; every one raises :class:`PlatformError`."""

    def __init__(self, transport: SdkTransport, timer: Timer) -> None:
        self.transport = transport
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
        """Return the ``data`` of Lark's answer, or the whole answer if it has no ``data``."""
        request = SdkRequest(method=method, path=path, query=query or {}, body=body)
        answer = parse_json_object(await self._send(request))
        # Older calls, such as bot/v3/info, answer beside the code and not below "data".
        data = answer.pop("data", None)
        return data if isinstance(data, dict) else answer

    async def fetch_bot(self) -> dict[str, Any]:
        """Return who the app's bot is; raises :class:`RequestRejected` for an app without one."""
        bot = (await self.call("GET", route("bot", "v3", "info"))).get("bot")
        return bot if isinstance(bot, dict) else {}

    async def verify_secret(self) -> None:
        """Raise :class:`TokenRefused` if Lark does not know the app by its secret."""
        await self._fetch_token()

    async def upload_picture(self, picture: bytes) -> str:
        """Upload a picture to be shown in messages; return its key."""
        kind = {"image_type": "message"}
        return await self._upload_data("image", kind, picture)

    async def upload_file(self, name: str, data: bytes) -> str:
        """Upload a file to be sent; return its key."""
        kind = {"file_type": "stream", "file_name": name}
        return await self._upload_data("file", kind, data)

    async def download(
        self, path: str, *, query: Mapping[str, str] | None = None, limit: int
    ) -> bytes | None:
        """Return a file; None if it is larger than ``limit`` bytes."""
        answer = await self._send(
            SdkRequest(method="GET", path=path, query=query or {}, large=True)
        )
        return answer.content if len(answer.content) <= limit else None

    async def disconnect(self) -> None:
        """Close every connection."""
        await self.transport.close()

    async def _upload_data(self, kind: str, about: Mapping[str, str], data: bytes) -> str:
        path = route("im", "v1", f"{kind}s")
        request = SdkRequest(method="POST", path=path, body={**about, kind: data}, large=True)
        uploaded = parse_json_object(await self._send(request)).get("data")
        key = uploaded.get(f"{kind}_key") if isinstance(uploaded, dict) else None
        if not isinstance(key, str):
            raise calls.PlatformUnreachable("an upload without a key")
        return key

    async def _send(self, request: SdkRequest) -> SdkResponse:
        """Send a request and return the answer, which is no refusal."""
        try:
            return await self._send_once(request)
        except TokenExpired:
            # Revoked before its time. The SDK would go on with it until then.
            pass
        try:
            return await self._send_once(request)
        except TokenExpired:
            raise calls.PlatformUnreachable("a new token is refused") from None

    async def _send_once(self, request: SdkRequest) -> SdkResponse:
        token = await self._tokens.get()
        answer = await self.transport.send(replace(request, token=token))
        try:
            raise_for_error(answer)
        except TokenExpired:
            self._tokens.discard(token)
            raise
        return answer

    async def _fetch_token(self) -> Token:
        app = self.transport.credentials
        body = {"app_id": app.app_id, "app_secret": app.app_secret}
        answer = await self.transport.send(SdkRequest(method="POST", path=_ISSUE_PATH, body=body))
        raise_for_error(answer)
        document = parse_json_object(answer)
        token, seconds = document.get("tenant_access_token"), document.get("expire")
        if not isinstance(token, str) or not token or not isinstance(seconds, int):
            raise calls.PlatformUnreachable("an answer without a token")
        return Token(token, seconds)


def lark_api(
    app_id: str,
    app_secret: str,
    domain: str,
    *,
    seconds: float = CALL_SECONDS,
    timer: Timer | None = None,
) -> LarkApi:
    """Return the Open API for an app at a domain such as ``https://open.feishu.cn``."""
    transport = SdkTransport(AppCredentials(app_id, app_secret), domain, seconds=seconds)
    return LarkApi(transport, timer or LoopTimer())
