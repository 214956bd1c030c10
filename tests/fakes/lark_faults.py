"""How Lark words a refusal; what goes wrong on any platform is in ``faults``."""

from aiohttp import web

from tests.fakes.faults import Fault

FREQUENCY = 99991400
REVOKED = 99991663
EXCEEDED_CONNECTIONS = 1000040350
"""A code on which the library's client gives up for ever."""


def refusal(
    code: int, words: str, *, status: int = 400, headers: dict[str, str] | None = None
) -> web.Response:
    """Return an error as the platform words it."""
    body = {"code": code, "msg": words, "error": {"log_id": "log-of-nobody"}}
    return web.json_response(body, status=status, headers=headers)


def refused(
    code: int, words: str = "no", *, status: int = 400, headers: dict[str, str] | None = None
) -> Fault:
    async def answer(request: web.Request) -> web.StreamResponse:
        return refusal(code, words, status=status, headers=headers)

    return answer


def flooded(seconds: int, *, status: int = 429) -> Fault:
    headers = {"x-ogw-ratelimit-limit": "50", "x-ogw-ratelimit-reset": str(seconds)}
    return refused(FREQUENCY, "request trigger frequency limit", status=status, headers=headers)


def handshake_refused(status: int = 403, words: str = "forbidden") -> Fault:
    """Refuse a websocket as the platform does, in headers."""

    async def answer(request: web.Request) -> web.StreamResponse:
        headers = {"handshake-status": str(status), "handshake-msg": words}
        return web.Response(status=403, headers=headers)

    return answer
