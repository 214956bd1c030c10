"""How the Bot API words a refusal; what goes wrong on any platform is in ``faults``."""

from aiohttp import web

from tests.fakes.faults import Fault
from tests.fakes.telegram_server import refusal


def refused(status: int, description: str = "no", **parameters: int) -> Fault:
    """Answer as the Bot API refuses."""

    async def answer(request: web.Request) -> web.StreamResponse:
        return refusal(status, description, **parameters)

    return answer


def flooded(seconds: int) -> Fault:
    return refused(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)
