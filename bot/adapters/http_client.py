"""HTTP clients of the platforms that read no more of an answer than can be one."""

from collections.abc import AsyncIterator
from typing import Any, Final

import httpx

from bot.http_limits import LARGEST_FILE, PLAIN_ONLY, is_plain, limited_stream

NEVER_SENT: Final = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.WriteError,
    httpx.WriteTimeout,
)
"""After these the server has no whole request, and certainly did nothing."""

ANSWER_TIMEOUT: Final = httpx.ReadTimeout
"""The request was written, and its answer did not come in time."""


def bounded_client_options() -> dict[str, Any]:
    """Return options of an httpx client whose answers come plain and end at a limit."""
    # Hooks and not a transport of our own: with one, httpx would pass proxies over.
    return {"headers": PLAIN_ONLY, "event_hooks": {"response": [_limit_body]}}


async def _limit_body(response: httpx.Response) -> None:
    """Refuse an answer in an encoding, and have reading fail once it exceeds the limit."""
    # Asked before the body is read: httpx would unpack it without any limit.
    if not is_plain(response.headers):
        raise httpx.DecodingError("an encoding that was not asked for", request=response.request)
    if isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _LimitedStream(response.stream)


class _LimitedStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[bytes]:
        return limited_stream(
            aiter(self._stream), LARGEST_FILE, lambda: httpx.ReadError("the body is too large")
        )

    async def aclose(self) -> None:
        await self._stream.aclose()
