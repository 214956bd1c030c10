"""Lark's open interface with errors of our own; its words, tokens and secrets go nowhere."""

from collections.abc import Callable, Mapping
from io import BytesIO
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

from bot.adapters.calls import LoopTimer, PlatformUnreachable, Timer
from bot.adapters.lark.answers import TokenExpired, parse_json_object, raise_for_error
from bot.adapters.lark.sdk import SdkRequest, SdkResponse, SdkTransport
from bot.adapters.lark.tokens import Token, TokenCache

CALL_SECONDS: Final = 10.0
"""So long an answer may take."""

_TOKEN_PATH: Final = "/open-apis/auth/v3/tenant_access_token/internal"


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
        asked = SdkRequest(method="POST", path=_TOKEN_PATH, body=self._identity)
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
